//! Methods that look at something and change nothing.

use std::borrow::Cow;

use tabuleiro_protocol::method::{
    Actions, BotLog, Check, Checked, Explain, Explained, GameText, GetActions, GetBotLog, GetHistory,
    GetLesson, GetOverlays, GetRecord, GetState, GetStatus, GetText, Method, Overlays, Preview, Previewed,
    Problem, Recorded, Render, Replay, Rules, SayHello, Taught, Text, Turns,
};
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{Hello, Overlay, PROTOCOL_VERSION, PerSeat};

use super::{Call, Handled};
use crate::catalog::OpenError;
use crate::game::{Charset, Drawing, SetupError};
use crate::search::Level;
use crate::server::Server;
use crate::session::Position;
use crate::table::record::Record;
use crate::table::{self, Table, text, threat};

impl Server {
    pub(super) fn hello(&self, call: Call<'_, SayHello>, params: SayHello) -> Handled {
        if let Some(strict) = params.strict {
            call.client().set_strict(strict);
        }
        call.answer(Hello {
            engine: "Tabuleiro".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL_VERSION,
            games: self.catalog.games().iter().map(|game| game.info()).collect(),
            levels: Level::ALL.iter().map(|level| level.info()).collect(),
            bots: self.bots().names(),
            strict: call.client().unknown() == Unknown::Refused,
        })
    }

    pub(super) fn status(&self, call: Call<'_, GetStatus>, _: GetStatus) -> Handled {
        call.answer(self.how_it_is())
    }

    pub(super) fn rules(&self, call: Call<'_, Rules>, params: Rules) -> Handled {
        call.answer(Text { text: self.catalog.game(&params.game)?.rules.into() })
    }

    pub(super) fn lesson(&self, call: Call<'_, GetLesson>, params: GetLesson) -> Handled {
        call.answer(Taught { lesson: self.catalog.game(&params.game)?.lesson() })
    }

    pub(super) fn bot_log(&self, call: Call<'_, GetBotLog>, params: GetBotLog) -> Handled {
        self.check_bot(&params.name)?;
        call.answer(BotLog { lines: self.bots().log(&params.name) })
    }

    pub(super) fn state(&self, call: Call<'_, GetState>, params: GetState) -> Handled {
        self.look(call, &params.table, |table| Ok(table.at_either(params.ply, params.node)?.state()))
    }

    pub(super) fn actions(&self, call: Call<'_, GetActions>, params: GetActions) -> Handled {
        self.look(call, &params.table, |table| {
            let table = table.at_either(params.ply, params.node)?;
            let details = || match table.to_move() {
                None => Vec::new(),
                Some(_) => table.position().details(),
            };
            Ok(Actions {
                ply: table.ply(),
                to_move: table.to_move(),
                actions: table.actions(),
                details: params.detail.then(details),
                codes: params.codes.then(|| table.codes()).transpose()?,
            })
        })
    }

    pub(super) fn overlays(&self, call: Call<'_, GetOverlays>, params: GetOverlays) -> Handled {
        self.look(call, &params.table, |table| {
            let table = table.at_either(params.ply, params.node)?;
            let position = table.position();
            Ok(Overlays { overlays: aids(position, params.reach), facts: position.facts() })
        })
    }

    pub(super) fn explain(&self, call: Call<'_, Explain>, params: Explain) -> Handled {
        self.look(call, &params.table, |table| {
            let (text, next) = table.explain(&params.cells, params.edge)?;
            Ok(Explained { text, next })
        })
    }

    pub(super) fn history(&self, call: Call<'_, GetHistory>, params: GetHistory) -> Handled {
        self.look(call, &params.table, |table| {
            Ok(Turns { turns: table.session().history().turns(), resigned: table.resigned() })
        })
    }

    pub(super) fn replay(&self, call: Call<'_, Replay>, params: Replay) -> Handled {
        self.look(call, &params.table, |table| table.replay(params.ply, params.node))
    }

    pub(super) fn preview(&self, call: Call<'_, Preview>, params: Preview) -> Handled {
        let handle = self.find(&params.table)?;
        let shared = handle.lock();
        let table = shared.table();
        table.check_ply(params.ply)?;
        let mut before = table.at_either(None, params.node)?;
        if params.threat {
            before = Cow::Owned(threat::of(&self.catalog, &before)?);
        }
        let (after, events) = before.preview(&params.actions)?;
        let overlays = params.overlays.then(|| aids(after.position(), params.reach));
        call.answer(Previewed { state: after.state(), events, overlays })
    }

    pub(super) fn record(&self, call: Call<'_, GetRecord>, params: GetRecord) -> Handled {
        self.look(call, &params.table, |table| {
            let record = if params.plain { Record::plain(table) } else { Record::of(table) };
            Ok(Recorded { record: record.to_json() })
        })
    }

    pub(super) fn render(&self, call: Call<'_, Render>, params: Render) -> Handled {
        let charset = if params.ascii { Charset::Ascii } else { Charset::Unicode };
        let drawing = Drawing { charset, turned: params.turned };
        self.look(call, &params.table, |table| {
            let table = table.at_either(params.ply, params.node)?;
            let text = if params.words { table.position().in_words() } else { table.render(drawing) };
            Ok(Text { text })
        })
    }

    pub(super) fn text(&self, call: Call<'_, GetText>, params: GetText) -> Handled {
        self.look(call, &params.table, |table| {
            let table = table.at_either(None, params.node)?;
            if params.position && params.variations {
                return Err(table::Error::field("variations", "a position alone has none"));
            }
            if !params.position {
                let of = if params.variations { text::of_tree } else { text::of_game };
                return Ok(GameText { text: of(&self.catalog, &table), start: None });
            }
            let (text, start) = text::of_position(&self.catalog, &table).ok_or_else(|| {
                table::Error::field("position", "no game can begin here: a turn is being made, or it is over")
            })?;
            Ok(GameText { text, start: Some(start) })
        })
    }

    /// Says what is wrong with a position. Only what is no request is refused.
    pub(super) fn check(&self, call: Call<'_, Check>, params: Check) -> Handled {
        let Check { game, options, start } = params;
        let session = match self.catalog.open(&game, options.as_ref(), 0, Some(start)) {
            Ok(session) => session,
            Err(OpenError::BadStart(error)) => {
                let problem = match error {
                    SetupError::BadField { field, reason } => {
                        Problem { reason, cell: None, field: Some(field) }
                    }
                    SetupError::BadPosition { cell, reason } => Problem { reason, cell, field: None },
                };
                return call.answer(Checked { problem: Some(problem), state: None, text: None });
            }
            Err(other) => return Err(other.into()),
        };
        let table = Table::new(String::new(), session, PerSeat::default())?;
        let text = Some(text::of_game(&self.catalog, &table));
        call.answer(Checked { problem: None, state: Some(Box::new(table.state())), text })
    }

    /// Answers with what is seen at a table.
    pub(super) fn look<M: Method>(
        &self,
        call: Call<'_, M>,
        table: &str,
        look: impl FnOnce(&Table) -> Result<M::Result, table::Error>,
    ) -> Handled {
        let handle = self.find(table)?;
        let shared = handle.lock();
        call.answer(look(shared.table())?)
    }
}

/// What helps to read a board, with what could happen within a turn if that is wanted.
fn aids(position: &dyn Position, reach: bool) -> Vec<Overlay> {
    let mut overlays = position.overlays();
    if reach {
        overlays.extend(position.reach());
    }
    overlays
}
