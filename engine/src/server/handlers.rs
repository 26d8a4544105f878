//! One function a method.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use serde::Serialize;
use serde_json::{Map, Value};
use tabuleiro_protocol::message::{Request, response};
use tabuleiro_protocol::method::{
    Actions, Cancel, Cancelled, Choose, Close, Closed, GetActions, GetRecord, GetState, Hold, Load, METHODS,
    Method, New, Nodes, Opened, Perft, Play, Played, Recorded, Redo, Render, Resign, Resume, Rules, SayHello,
    Search, SetSeat, StateResult, TableList, Tables, Text, Undo,
};
use tabuleiro_protocol::notice::SearchInfo;
use tabuleiro_protocol::{Choice, ErrorCode, ErrorObject, Hello, Id, Limits, PROTOCOL_VERSION, PerSeat};

use super::client::Client;
use super::thinker::Place;
use super::{Server, fresh_seed, internal_error, lock, params};
use crate::catalog::GAMES;
use crate::game::Charset;
use crate::history::GameUnderWay;
use crate::perft::DEEPEST;
use crate::player::{Control, Level, Question};
use crate::record::{self, Record};
use crate::table::{Opening, Steps, Table, check_limits, game_over, kind_of_game, level_by_id};

/// What becomes of a request that is not refused.
pub(super) enum Answer {
    Now {
        result: Value,
        /// Where the engine's own player may have to go on.
        wake: Option<Arc<Mutex<Place>>>,
    },
    /// Someone else answers when it is done.
    Later,
}

type Handled = Result<Answer, ErrorObject>;

impl Server {
    pub(super) fn handle(&self, client: &Arc<Client>, request: Request, cancelled: bool) -> Handled {
        let Request { id, method, params } = request;
        match method.as_str() {
            SayHello::NAME => params::read(params).and_then(hello),
            New::NAME => params::read(params).and_then(|params| self.new_table(client, params)),
            GetState::NAME => params::read(params).and_then(|params| self.state(params)),
            GetActions::NAME => params::read(params).and_then(|params| self.actions(params)),
            Play::NAME => params::read(params).and_then(|params| self.play(params)),
            Undo::NAME => params::read(params).and_then(|params| self.undo(params)),
            Redo::NAME => params::read(params).and_then(|params| self.redo(params)),
            Resign::NAME => params::read(params).and_then(|params| self.resign(params)),
            SetSeat::NAME => params::read(params).and_then(|params| self.set_seat(params)),
            Hold::NAME => params::read(params).and_then(|Hold { table }| self.set_held(&table, true)),
            Resume::NAME => params::read(params).and_then(|Resume { table }| self.set_held(&table, false)),
            Search::NAME => params::read(params).and_then(|params| self.search(client, id, params)),
            Choose::NAME => params::read(params).and_then(|params| choose(client, id, params)),
            Cancel::NAME => params::read(params).and_then(|Cancel { request }| {
                now(Cancelled { cancelled: cancelled || client.jobs.cancel(&request) })
            }),
            Perft::NAME => params::read(params).and_then(|params| perft(client, id, &params)),
            GetRecord::NAME => params::read(params).and_then(|params| self.record(params)),
            Load::NAME => params::read(params).and_then(|params| self.load(client, params)),
            Render::NAME => params::read(params).and_then(|params| self.render(params)),
            Rules::NAME => params::read(params)
                .and_then(|Rules { game }| now(Text { text: kind_of_game(&game)?.rules.into() })),
            Tables::NAME => params::read(params).and_then(|Tables {}| self.tables()),
            Close::NAME => params::read(params).and_then(|Close { table }| {
                self.close(&table)?;
                now(Closed {})
            }),
            _ => {
                let message = format!("there is no method {method:?}; there is {}", METHODS.join(", "));
                Err(ErrorObject::new(ErrorCode::UnknownMethod, message).with("method", method))
            }
        }
    }

    fn new_table(&self, client: &Arc<Client>, params: New) -> Handled {
        let seed = params.seed.unwrap_or_else(fresh_seed);
        let opening = Opening::new(&params.game, params.options.as_ref(), seed, params.start)?;
        let seats = params.seats.unwrap_or(PerSeat { one: None, two: None });
        let seats = PerSeat { one: seats.one.unwrap_or_default(), two: seats.two.unwrap_or_default() };
        self.opened(client, |id| Table::new(id, opening, seats))
    }

    fn load(&self, client: &Arc<Client>, params: Load) -> Handled {
        self.opened(client, |id| record::load(id, params.record))
    }

    fn opened(
        &self,
        client: &Arc<Client>,
        make: impl FnOnce(String) -> Result<Table, ErrorObject>,
    ) -> Handled {
        let place = self.open(client, make)?;
        let state = lock(&place).table.state();
        Ok(Answer::Now { result: json(Opened { table: state.table.clone(), state }), wake: Some(place) })
    }

    fn state(&self, params: GetState) -> Handled {
        now(lock(&*self.place(&params.table)?).table.state())
    }

    fn actions(&self, params: GetActions) -> Handled {
        let place = self.place(&params.table)?;
        let table = &lock(&place).table;
        let over = table.to_move().is_none();
        now(Actions {
            ply: table.game().ply(),
            to_move: table.to_move(),
            actions: table.actions(),
            details: params.detail.then(|| if over { Vec::new() } else { table.game().details() }),
        })
    }

    fn play(&self, params: Play) -> Handled {
        if params.actions.is_empty() {
            return Err(ErrorObject::params("actions", "name at least one action"));
        }
        let place = self.place(&params.table)?;
        let mut here = lock(&place);
        let events = here.table.play(&params.actions, params.ply)?;
        let result = json(Played { state: here.table.state(), events });
        drop(here);
        Ok(Answer::Now { result, wake: Some(place) })
    }

    fn undo(&self, params: Undo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change(&params.table, |table| table.undo(steps))
    }

    fn redo(&self, params: Redo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change(&params.table, |table| table.redo(steps))
    }

    fn resign(&self, params: Resign) -> Handled {
        self.change(&params.table, |table| table.resign(params.seat))
    }

    fn set_seat(&self, params: SetSeat) -> Handled {
        self.change(&params.table, |table| table.set_seat(params.seat, params.to))
    }

    fn set_held(&self, table: &str, held: bool) -> Handled {
        self.change(table, |table| {
            table.set_held(held);
            Ok(())
        })
    }

    /// Changes something about a table that the thought under way, if there is one, did not know.
    fn change(&self, table: &str, change: impl FnOnce(&mut Table) -> Result<(), ErrorObject>) -> Handled {
        let place = self.place(table)?;
        let mut here = lock(&place);
        change(&mut here.table)?;
        here.interrupt();
        let result = json(StateResult { state: here.table.state() });
        drop(here);
        Ok(Answer::Now { result, wake: Some(place) })
    }

    fn search(&self, client: &Arc<Client>, id: Option<Id>, params: Search) -> Handled {
        let question = question(params.level.as_deref(), params.limits, params.seed, params.lines)?;
        let place = self.place(&params.table)?;
        let game = {
            let table = &lock(&place).table;
            if table.to_move().is_none() {
                return Err(game_over());
            }
            table.game().fork()
        };
        let progress = Arc::clone(client);
        ponder(client, id, game, question, move |request, info| {
            progress.notify(SearchInfo { request: request.clone(), info });
        })
    }

    fn record(&self, params: GetRecord) -> Handled {
        let place = self.place(&params.table)?;
        let record = json(Record::of(&lock(&place).table));
        now(Recorded { record })
    }

    fn render(&self, params: Render) -> Handled {
        let place = self.place(&params.table)?;
        let charset = if params.ascii { Charset::Ascii } else { Charset::Unicode };
        now(Text { text: lock(&place).table.render(charset) })
    }

    fn tables(&self) -> Handled {
        let tables = lock(&self.places).values().map(|place| lock(place).table.info()).collect();
        now(TableList { tables })
    }
}

fn now(result: impl Serialize) -> Handled {
    Ok(Answer::Now { result: json(result), wake: None })
}

fn json(result: impl Serialize) -> Value {
    serde_json::to_value(result).expect("messages have text for keys and nothing that cannot be written")
}

fn hello(_: SayHello) -> Handled {
    now(Hello {
        engine: "Tabuleiro".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        protocol: PROTOCOL_VERSION,
        games: GAMES.iter().map(|game| game.info()).collect(),
        levels: Level::ALL.iter().map(|level| level.info()).collect(),
        bots: Vec::new(),
    })
}

fn question(
    level: Option<&str>,
    limits: Option<Limits>,
    seed: Option<u64>,
    lines: Option<usize>,
) -> Result<Question, ErrorObject> {
    check_limits(limits.as_ref(), "limits")?;
    if lines == Some(0) {
        return Err(ErrorObject::params("lines", "must be at least 1"));
    }
    Ok(Question {
        level: level_by_id(level, "level")?,
        limits: limits.unwrap_or_default(),
        seed: seed.unwrap_or_else(fresh_seed),
        lines: lines.unwrap_or(1),
    })
}

fn choose(client: &Arc<Client>, id: Option<Id>, params: Choose) -> Handled {
    let question = question(params.level.as_deref(), params.limits, params.seed, None)?;
    let seed = params.seed.unwrap_or(0);
    let mut opening = Opening::new(&params.game, params.options.as_ref(), seed, params.start)?;
    opening.play_all(&params.played)?;
    if opening.game.to_move().is_none() {
        return Err(game_over());
    }
    ponder(client, id, opening.game, question, |_, _| {})
}

/// Lets a computer player think in the background and answers when it is done.
fn ponder(
    client: &Arc<Client>,
    id: Option<Id>,
    game: Box<dyn GameUnderWay>,
    question: Question,
    report: impl Fn(&Id, tabuleiro_protocol::Info) + Send + 'static,
) -> Handled {
    // Nobody would hear the answer.
    let Some(id) = id else { return Ok(Answer::Later) };
    let stop = client.jobs.begin(&id)?;
    let client = Arc::clone(client);
    thread::spawn(move || {
        let mut report = |info| report(&id, info);
        let control = &mut Control { stop: &stop, report: &mut report };
        let choice: Result<Choice, _> = catch_unwind(AssertUnwindSafe(|| game.choose(&question, control)));
        client.send(&response(Some(&id), choice.map(json).map_err(|_| internal_error())));
        client.jobs.end(&id);
    });
    Ok(Answer::Later)
}

fn perft(client: &Client, id: Option<Id>, params: &Perft) -> Handled {
    if params.depth > DEEPEST {
        return Err(ErrorObject::params("depth", &format!("must be at most {DEEPEST}")));
    }
    let game = Opening::for_perft(params)?.game;
    let Some(id) = id else { return Ok(Answer::Later) };
    let stop = client.jobs.begin(&id)?;
    let counted = catch_unwind(AssertUnwindSafe(|| game.perft(params.depth, &stop)));
    client.jobs.end(&id);
    let split = counted
        .map_err(|_| internal_error())?
        .ok_or_else(|| ErrorObject::new(ErrorCode::Limit, "the count was cancelled before it was done"))?;
    let nodes = if params.depth == 0 { 1 } else { split.iter().map(|(_, nodes)| nodes).sum() };
    let split = params.split.then(|| -> Map<String, Value> {
        split.into_iter().map(|(action, nodes)| (action, nodes.into())).collect()
    });
    now(Nodes { nodes, split })
}
