//! Methods that look at something and change nothing.

use tabuleiro_protocol::method::{
    Actions, BotLog, Explain, Explained, GetActions, GetBotLog, GetHistory, GetOverlays, GetRecord, GetState,
    GetStatus, Method, Overlays, Played, Preview, Recorded, Render, Rules, SayHello, Text, Turns,
};
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{Hello, PROTOCOL_VERSION};

use super::{Call, Handled};
use crate::game::Charset;
use crate::search::Level;
use crate::server::Server;
use crate::table::record::Record;
use crate::table::{self, Table};

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

    pub(super) fn bot_log(&self, call: Call<'_, GetBotLog>, params: GetBotLog) -> Handled {
        self.check_bot(&params.name)?;
        call.answer(BotLog { lines: self.bots().log(&params.name) })
    }

    pub(super) fn state(&self, call: Call<'_, GetState>, params: GetState) -> Handled {
        self.look(call, &params.table, |table| Ok(table.at(params.ply)?.state()))
    }

    pub(super) fn actions(&self, call: Call<'_, GetActions>, params: GetActions) -> Handled {
        self.look(call, &params.table, |table| {
            let table = table.at(params.ply)?;
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
            Ok(Overlays { overlays: table.at(params.ply)?.position().overlays() })
        })
    }

    pub(super) fn explain(&self, call: Call<'_, Explain>, params: Explain) -> Handled {
        self.look(call, &params.table, |table| {
            Ok(Explained { text: table.explain(&params.cells, params.edge)? })
        })
    }

    pub(super) fn history(&self, call: Call<'_, GetHistory>, params: GetHistory) -> Handled {
        self.look(call, &params.table, |table| {
            Ok(Turns { turns: table.session().history().turns(), resigned: table.resigned() })
        })
    }

    pub(super) fn preview(&self, call: Call<'_, Preview>, params: Preview) -> Handled {
        self.look(call, &params.table, |table| {
            let (state, events) = table.preview(&params.actions, params.ply)?;
            Ok(Played { state, events })
        })
    }

    pub(super) fn record(&self, call: Call<'_, GetRecord>, params: GetRecord) -> Handled {
        self.look(call, &params.table, |table| Ok(Recorded { record: Record::of(table).to_json() }))
    }

    pub(super) fn render(&self, call: Call<'_, Render>, params: Render) -> Handled {
        let charset = if params.ascii { Charset::Ascii } else { Charset::Unicode };
        self.look(call, &params.table, |table| Ok(Text { text: table.render(charset) }))
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
