//! One function a method.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread;

use serde::Serialize;
use serde_json::Value;
use tabuleiro_protocol::method::{
    Actions, Attach, BotLog, Cancel, Cancelled, Choose, Claim, Close, Closed, Detach, Explain, Explained,
    GetActions, GetBotLog, GetHistory, GetOverlays, GetRecord, GetState, Hold, Hurried, Hurry, Load, METHODS,
    Method, New, Nodes, Opened, Overlays, Perft, Play, Played, Preview, Recorded, Redo, Release, Render,
    Resign, Resume, Rules, SayHello, Search, SetSeat, StateResult, TableList, Tables, Text, Turns, Undo,
};
use tabuleiro_protocol::notice::{SearchInfo, TableClosed};
use tabuleiro_protocol::{
    ErrorCode, ErrorObject, Hello, Id, Info, Limits, PROTOCOL_VERSION, PerSeat, Player, Seat,
};

use super::client::{Client, notice_line};
use super::jobs::Job;
use super::shared_table::SharedTable;
use super::{Server, fresh_seed, internal_error, lock, params};
use crate::game::Charset;
use crate::search::{Control, Level, SearchRequest};
use crate::session::Session;
use crate::table::record::{self, Record};
use crate::table::{Opening, Steps, Table, check_limits, game_over, level_by_id, unknown_game};
use crate::tools::perft::DEEPEST;

/// Where the answer to a request goes.
pub(super) struct Asker<'a> {
    pub(super) client: &'a Arc<Client>,
    pub(super) id: Option<Id>,
    /// It was a `cancel`, and what it asks has been done already.
    pub(super) cancelled: bool,
}

impl Asker<'_> {
    /// The one whose response says what has changed; who asked without an `id` hears of it as others do.
    fn who_knows(&self) -> Option<&Arc<Client>> {
        self.id.as_ref().map(|_| self.client)
    }

    /// Answers. Whoever answers about a table does so before letting go of it, so that no newer word of it comes first.
    fn answer(&self, result: impl Serialize) -> Handled {
        self.client.answer(self.id.as_ref(), Ok(result));
        Ok(())
    }
}

/// A request was answered, or will be, or is refused.
type Handled = Result<(), ErrorObject>;

impl Server {
    pub(super) fn handle(&self, asker: &Asker<'_>, job: Option<Job>, method: &str, params: Value) -> Handled {
        match method {
            SayHello::NAME => params::read(params).and_then(|params| self.hello(asker, params)),
            New::NAME => params::read(params).and_then(|params| self.new_table(asker, params)),
            GetState::NAME => params::read(params).and_then(|params| self.state(asker, params)),
            GetActions::NAME => params::read(params).and_then(|params| self.actions(asker, params)),
            GetOverlays::NAME => params::read(params).and_then(|params| self.overlays(asker, params)),
            Explain::NAME => params::read(params).and_then(|params| self.explain(asker, params)),
            GetHistory::NAME => params::read(params).and_then(|params| self.history(asker, params)),
            Play::NAME => params::read(params).and_then(|params| self.play(asker, params)),
            Preview::NAME => params::read(params).and_then(|params| self.preview(asker, params)),
            Undo::NAME => params::read(params).and_then(|params| self.undo(asker, params)),
            Redo::NAME => params::read(params).and_then(|params| self.redo(asker, params)),
            Resign::NAME => params::read(params).and_then(|params| self.resign(asker, params)),
            SetSeat::NAME => params::read(params).and_then(|params| self.set_seat(asker, params)),
            Hold::NAME => params::read(params).and_then(|Hold { table }| self.set_held(asker, &table, true)),
            Resume::NAME => {
                params::read(params).and_then(|Resume { table }| self.set_held(asker, &table, false))
            }
            Hurry::NAME => params::read(params).and_then(|params| self.hurry(asker, params)),
            Search::NAME => params::read(params).and_then(|params| self.search(job, params)),
            Choose::NAME => params::read(params).and_then(|params| self.choose(job, params)),
            Cancel::NAME => params::read(params).and_then(|Cancel { request }| {
                asker.answer(Cancelled { cancelled: asker.cancelled || asker.client.jobs.cancel(&request) })
            }),
            Perft::NAME => params::read(params).and_then(|params| self.perft(job, &params)),
            GetRecord::NAME => params::read(params).and_then(|params| self.record(asker, params)),
            Load::NAME => params::read(params).and_then(|params| self.load(asker, params)),
            Render::NAME => params::read(params).and_then(|params| self.render(asker, params)),
            Rules::NAME => params::read(params).and_then(|Rules { game }| {
                let kind = self.catalog.game(&game).map_err(unknown_game)?;
                asker.answer(Text { text: kind.rules.into() })
            }),
            Tables::NAME => params::read(params).and_then(|Tables {}| self.tables(asker)),
            Attach::NAME => params::read(params).and_then(|params| self.attach(asker, params)),
            Detach::NAME => params::read(params).and_then(|params| self.detach(asker, params)),
            Claim::NAME => params::read(params).and_then(|params| self.claim(asker, params)),
            Release::NAME => params::read(params).and_then(|params| self.release(asker, params)),
            GetBotLog::NAME => params::read(params).and_then(|GetBotLog { name }| self.bot_log(asker, &name)),
            Close::NAME => params::read(params).and_then(|params| self.close(asker, params)),
            _ => {
                let message = format!("there is no method {method:?}; there is {}", METHODS.join(", "));
                Err(ErrorObject::new(ErrorCode::UnknownMethod, message).with("method", method))
            }
        }
    }

    fn hello(&self, asker: &Asker<'_>, _: SayHello) -> Handled {
        asker.answer(Hello {
            engine: "Tabuleiro".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL_VERSION,
            games: self.catalog.games().iter().map(|game| game.info()).collect(),
            levels: Level::ALL.iter().map(|level| level.info()).collect(),
            bots: self.bots.names(),
        })
    }

    fn new_table(&self, asker: &Asker<'_>, params: New) -> Handled {
        let seed = params.seed.unwrap_or_else(fresh_seed);
        let opening = Opening::new(&self.catalog, &params.game, params.options.as_ref(), seed, params.start)?;
        let seats = params.seats.unwrap_or(PerSeat { one: None, two: None });
        let seats = PerSeat { one: seats.one.unwrap_or_default(), two: seats.two.unwrap_or_default() };
        self.check_bots(&seats)?;
        self.opened(asker, Table::new(String::new(), opening, seats)?)
    }

    fn load(&self, asker: &Asker<'_>, params: Load) -> Handled {
        let mut table = record::load(&self.catalog, String::new(), params.record)?;
        if self.check_bots(table.seats()).is_err() {
            // Whoever wants to look at a game of strange bots can; somebody else may sit down.
            table.set_held(true);
        }
        self.opened(asker, table)
    }

    fn opened(&self, asker: &Asker<'_>, table: Table) -> Handled {
        let shared = Arc::new(Mutex::new(SharedTable::new(table, asker.client)));
        // Nobody comes to it before its maker has heard of it.
        let mut here = lock(&shared);
        self.open(&shared, &mut here)?;
        let state = here.table.state();
        asker.answer(Opened { table: state.table.clone(), state })?;
        drop(here);
        self.wake(&shared);
        Ok(())
    }

    fn state(&self, asker: &Asker<'_>, params: GetState) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        asker.answer(here.table.at(params.ply)?.state())
    }

    fn actions(&self, asker: &Asker<'_>, params: GetActions) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        let table = here.table.at(params.ply)?;
        let over = table.to_move().is_none();
        asker.answer(Actions {
            ply: table.game().ply(),
            to_move: table.to_move(),
            actions: table.actions(),
            details: params.detail.then(|| if over { Vec::new() } else { table.game().details() }),
        })
    }

    fn overlays(&self, asker: &Asker<'_>, params: GetOverlays) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        asker.answer(Overlays { overlays: here.table.at(params.ply)?.game().overlays() })
    }

    fn explain(&self, asker: &Asker<'_>, params: Explain) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        asker.answer(Explained { text: here.table.explain(&params.cells, params.edge.as_deref())? })
    }

    fn history(&self, asker: &Asker<'_>, params: GetHistory) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let table = &lock(&shared).table;
        asker.answer(Turns { turns: table.game().turns(), resigned: table.resigned() })
    }

    fn preview(&self, asker: &Asker<'_>, params: Preview) -> Handled {
        check_actions(&params.actions)?;
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        let (state, events) = here.table.preview(&params.actions, params.ply)?;
        asker.answer(Played { state, events })
    }

    fn play(&self, asker: &Asker<'_>, params: Play) -> Handled {
        check_actions(&params.actions)?;
        let shared = self.shared_table(&params.table)?;
        let mut here = self.lock_open(&shared)?;
        let seat = here.table.to_move();
        let mine = Seat::BOTH.map(|seat| here.is_player(asker.client, seat));
        let events = here.table.play(&params.actions, params.ply, |seat| mine[seat.index()])?;
        asker.answer(Played { state: here.table.state(), events: events.clone() })?;
        here.tell_changed(asker.who_knows(), seat, params.actions, events);
        drop(here);
        self.wake(&shared);
        Ok(())
    }

    fn undo(&self, asker: &Asker<'_>, params: Undo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change_of_those_who_sit(asker, &params.table, |table| table.undo(steps))
    }

    fn redo(&self, asker: &Asker<'_>, params: Redo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change_of_those_who_sit(asker, &params.table, |table| table.redo(steps))
    }

    fn check_bots(&self, seats: &PerSeat<Player>) -> Handled {
        self.check_bot(&seats.one)?;
        self.check_bot(&seats.two)
    }

    /// Only bots that the engine was started with may sit down.
    fn check_bot(&self, player: &Player) -> Handled {
        match player {
            Player::Bot { name, .. } => self.check_bot_name(name),
            _ => Ok(()),
        }
    }

    fn check_bot_name(&self, name: &str) -> Handled {
        if self.bots.contains(name) {
            return Ok(());
        }
        Err(ErrorObject::new(ErrorCode::UnknownBot, self.bots.unknown(name)).with("name", name))
    }

    fn bot_log(&self, asker: &Asker<'_>, name: &str) -> Handled {
        self.check_bot_name(name)?;
        asker.answer(BotLog { lines: self.bots.log(name) })
    }

    fn set_held(&self, asker: &Asker<'_>, table: &str, held: bool) -> Handled {
        self.change_of_those_who_sit(asker, table, |table| {
            table.set_held(held);
            Ok(())
        })
    }

    fn change_of_those_who_sit(
        &self,
        asker: &Asker<'_>,
        table: &str,
        change: impl FnOnce(&mut Table) -> Result<(), ErrorObject>,
    ) -> Handled {
        self.change(asker, table, None, |here| {
            here.check_sits_here(asker.client)?;
            change(&mut here.table)?;
            here.interrupt();
            Ok(())
        })
    }

    fn resign(&self, asker: &Asker<'_>, Resign { table, seat }: Resign) -> Handled {
        self.change(asker, &table, Some(seat), |here| {
            if here.table.outcome().is_none() {
                here.check_is_player(asker.client, seat)?;
            }
            here.table.resign(seat)?;
            here.interrupt();
            Ok(())
        })
    }

    fn set_seat(&self, asker: &Asker<'_>, params: SetSeat) -> Handled {
        self.check_bot(&params.to)?;
        self.change(asker, &params.table, None, |here| {
            here.set_seat(asker.client, params.seat, params.to)?;
            here.interrupt();
            Ok(())
        })
    }

    fn claim(&self, asker: &Asker<'_>, params: Claim) -> Handled {
        self.change(asker, &params.table, None, |here| here.claim(asker.client, params.seat))
    }

    fn release(&self, asker: &Asker<'_>, params: Release) -> Handled {
        self.change(asker, &params.table, None, |here| here.release(asker.client, params.seat))
    }

    /// Changes something about a table. Whoever takes something away from the thought under way interrupts it.
    fn change(
        &self,
        asker: &Asker<'_>,
        table: &str,
        by: Option<Seat>,
        change: impl FnOnce(&mut SharedTable) -> Result<(), ErrorObject>,
    ) -> Handled {
        let shared = self.shared_table(table)?;
        let mut here = self.lock_open(&shared)?;
        change(&mut here)?;
        asker.answer(StateResult { state: here.table.state() })?;
        here.tell_changed(asker.who_knows(), by, Vec::new(), Vec::new());
        drop(here);
        self.wake(&shared);
        Ok(())
    }

    fn attach(&self, asker: &Asker<'_>, params: Attach) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let mut here = self.lock_open(&shared)?;
        here.watch(asker.client);
        asker.answer(StateResult { state: here.table.state() })
    }

    fn detach(&self, asker: &Asker<'_>, params: Detach) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let mut here = self.lock_open(&shared)?;
        here.unwatch(asker.client);
        asker.answer(StateResult { state: here.table.state() })
    }

    fn close(&self, asker: &Asker<'_>, Close { table }: Close) -> Handled {
        let shared = self.shared_table(&table)?;
        let mut here = self.lock_open(&shared)?;
        here.check_may_close(asker.client)?;
        here.close();
        // Whoever has heard that it is closed does not find it any more.
        self.forget(&table);
        asker.answer(Closed {})?;
        here.tell_but(asker.who_knows(), &notice_line(TableClosed { table }));
        Ok(())
    }

    fn hurry(&self, asker: &Asker<'_>, params: Hurry) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        here.check_sits_here(asker.client)?;
        asker.answer(Hurried { hurried: here.hurry() })
    }

    fn search(&self, job: Option<Job>, params: Search) -> Handled {
        let question = self.question(params.level.as_deref(), params.limits, params.seed, params.lines)?;
        let shared = self.shared_table(&params.table)?;
        let game = {
            let here = lock(&shared);
            let table = here.table.at(params.ply)?;
            if table.to_move().is_none() {
                return Err(game_over());
            }
            table.game().fork()
        };
        ponder(job, game, question, |job, info| {
            job.client().send_passing(&notice_line(SearchInfo { request: job.id().clone(), info }));
        })
    }

    fn choose(&self, job: Option<Job>, params: Choose) -> Handled {
        let question = self.question(params.level.as_deref(), params.limits, params.seed, None)?;
        let seed = params.seed.unwrap_or(0);
        let mut opening =
            Opening::new(&self.catalog, &params.game, params.options.as_ref(), seed, params.start)?;
        opening.play_all(&params.played)?;
        if opening.game.to_move().is_none() {
            return Err(game_over());
        }
        ponder(job, opening.game, question, |_, _| {})
    }

    fn question(
        &self,
        level: Option<&str>,
        limits: Option<Limits>,
        seed: Option<u64>,
        lines: Option<usize>,
    ) -> Result<SearchRequest, ErrorObject> {
        check_limits(limits.as_ref(), "limits")?;
        if lines == Some(0) {
            return Err(ErrorObject::params("lines", "must be at least 1"));
        }
        Ok(SearchRequest {
            level: level.map_or(Ok(self.usual_level), |level| level_by_id(level, "level"))?,
            limits: limits.unwrap_or_default(),
            seed: seed.unwrap_or_else(fresh_seed),
            multi_pv: lines.unwrap_or(1),
        })
    }

    fn record(&self, asker: &Asker<'_>, params: GetRecord) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let here = lock(&shared);
        asker.answer(Recorded { record: Record::of(&here.table).to_json() })
    }

    fn render(&self, asker: &Asker<'_>, params: Render) -> Handled {
        let shared = self.shared_table(&params.table)?;
        let charset = if params.ascii { Charset::Ascii } else { Charset::Unicode };
        let here = lock(&shared);
        asker.answer(Text { text: here.table.render(charset) })
    }

    fn tables(&self, asker: &Asker<'_>) -> Handled {
        let tables: Vec<_> = lock(&self.tables).values().map(Arc::clone).collect();
        let tables = tables.iter().map(|shared| lock(shared).table.info()).collect();
        asker.answer(TableList { tables })
    }

    fn perft(&self, job: Option<Job>, params: &Perft) -> Handled {
        if params.depth > DEEPEST {
            return Err(ErrorObject::params("depth", &format!("must be at most {DEEPEST}")));
        }
        let game = Opening::for_perft(&self.catalog, params)?.game;
        let Some(job) = job else { return Ok(()) };
        let counted = game.perft(params.depth, &job.stop);
        job.answer(
            counted.map(|split| nodes(params, split)).ok_or_else(|| {
                ErrorObject::new(ErrorCode::Limit, "the count was cancelled before it was done")
            }),
        );
        Ok(())
    }
}

fn check_actions(actions: &[String]) -> Result<(), ErrorObject> {
    match actions {
        [] => Err(ErrorObject::params("actions", "name at least one action")),
        _ => Ok(()),
    }
}

/// Lets a computer player think in the background and answers when it is done. Without a job nobody would hear the answer.
fn ponder(
    job: Option<Job>,
    game: Box<dyn Session>,
    question: SearchRequest,
    report: fn(&Job, Info),
) -> Handled {
    let Some(job) = job else { return Ok(()) };
    let thinking = thread::Builder::new().spawn(move || {
        let report = &mut |info| report(&job, info);
        let control = &mut Control::new(&job.stop, report);
        let choice = catch_unwind(AssertUnwindSafe(|| game.choose(&question, control)));
        job.answer(choice.map_err(|_| internal_error()));
    });
    match thinking {
        Ok(_) => Ok(()),
        Err(error) => Err(ErrorObject::new(ErrorCode::Limit, format!("nobody is free to think: {error}"))),
    }
}

fn nodes(params: &Perft, split: Vec<(String, u64)>) -> Nodes {
    let nodes = if params.depth == 0 { 1 } else { split.iter().map(|(_, nodes)| nodes).sum() };
    let split =
        params.split.then(|| split.into_iter().map(|(action, nodes)| (action, nodes.into())).collect());
    Nodes { nodes, split }
}
