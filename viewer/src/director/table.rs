//! The table that is shown: how it comes to be, what happens there, and what is asked about every
//! position.

use std::path::PathBuf;

use serde_json::{Value, json};
use tabuleiro_protocol::method::{
    Actions, GetActions, GetHistory, GetOverlays, GetRecord, Hold, Load, Method, Opened, Recorded, Resume,
    SetSeat, StateResult,
};
use tabuleiro_protocol::{ErrorCode, ErrorObject, Event, Player, Seat, State};

use super::Director;
use super::dispatch::ONLY_WATCHING;
use crate::app::Screen;
use crate::board::Tokens;
use crate::command::Panel;
use crate::pick::Pick;
use crate::state::TableView;

impl Director {
    pub(super) fn table_name(&self) -> Option<String> {
        self.app.table.as_ref().map(|table| table.state.table.clone())
    }

    pub(super) fn ply(&self) -> Option<usize> {
        self.app.table.as_ref().map(|table| table.state.ply)
    }

    // ── Coming to a table ──

    /// Opens a table of our own, whose game is kept in this file.
    pub(super) fn open_table<M: Method<Result = Opened> + 'static>(&mut self, params: &M, file: PathBuf) {
        self.pending.opening = self.ask(params, |director, opened| director.opened(opened, file));
    }

    /// Opens a table of our own with a game that was kept in this file. The seats of bots that the
    /// engine does not have are the person's.
    pub(super) fn load_table(&mut self, record: Value, file: PathBuf) {
        let again = (record.clone(), file.clone());
        let refused = move |director: &mut Director, error: ErrorObject| {
            let (mut record, file) = again;
            match unknown_bot(&error).filter(|bot| unseat(&mut record, bot)) {
                Some(bot) => {
                    director.tell(format!("The engine has no bot {bot}: its seat is yours."));
                    director.load_table(record, file);
                }
                None => director.tell_refusal(&error),
            }
        };
        self.pending.opening =
            self.ask_or(&Load { record }, |director, opened| director.opened(opened, file), refused);
    }

    fn opened(&mut self, opened: Opened, file: PathBuf) {
        self.app.interrupted = None;
        self.sit_down(TableView::new(opened.state), Some(file));
    }

    /// Shows another table, whose game is kept in a file or not at all.
    pub(super) fn sit_down(&mut self, table: TableView, file: Option<PathBuf>) {
        let set = self.app.set_of(&table.state.game);
        self.app.motion.lay_out(set, Tokens::read(&table.state.rows));
        self.app.table = Some(table);
        self.app.screen = Screen::Board;
        self.app.visits += 1;
        self.keep_in(file);
        self.waiting_for_movement = false;
        self.paused = false;
        self.position_is_new();
    }

    // ── What becomes of it ──

    /// Something happened on the board.
    pub(super) fn happened(&mut self, events: &[Event], state: State) {
        let Some(table) = &mut self.app.table else { return };
        let tokens = Tokens::read(&state.rows);
        table.set_state(state);
        table.note_events(events);
        if table.looked_at.is_none() {
            self.app.motion.follow(events, tokens);
        }
        self.position_is_new();
    }

    /// The table changed in a way that nothing moves for, because we wanted it so.
    pub(super) fn set_state(&mut self, state: State) {
        let Some(table) = &mut self.app.table else { return };
        if table.looked_at.take().is_some() {
            self.app.motion.jump(Tokens::read(&state.rows));
        }
        self.changed_by_others(state);
    }

    /// The same whoever wanted it. Who looks at another position goes on looking.
    pub(super) fn changed_by_others(&mut self, state: State) {
        let Some(table) = &mut self.app.table else { return };
        let tokens = Tokens::read(&state.rows);
        let same_position = table.state.ply == state.ply;
        if !same_position {
            table.won.clear();
            table.touched.clear();
        }
        if table.looked_at.is_none() && *self.app.motion.final_tokens() != tokens {
            self.app.motion.jump(tokens);
        }
        table.set_state(state);
        if table.is_watched() {
            self.keep_in(None);
        }
        self.position_is_new();
    }

    /// Everything that was known about the position before is out of date.
    pub(super) fn position_is_new(&mut self) {
        self.is_position_new = true;
        self.previews.clear();
        self.app.pick = Pick::default();
        self.clear_refusal();
        let Some(table) = &mut self.app.table else { return };
        table.thinking = None;
        table.hint = None;
        table.details.clear();
        table.overlays.clear();
        if table.failed.is_none() {
            self.app.panels.remove(&Panel::BotFailed);
        }
        if let Some(ending) = &table.state.outcome {
            let chance = ending.winner.map_or(0.5, |winner| if winner == Seat::One { 1.0 } else { 0.0 });
            table.note_chance(table.state.ply, chance);
        }
    }

    /// Asks for everything that there is to know about the position.
    pub(super) fn ask_about_position(&mut self) {
        let Some(table) = &self.app.table else { return };
        let (name, ply, ours) = (table.state.table.clone(), table.state.ply, table.is_ours_to_move());
        if ours {
            let actions = GetActions { table: name.clone(), detail: true, ..GetActions::default() };
            let then = move |director: &mut Director, actions| director.may_do(ply, actions);
            self.ask_or(&actions, then, Director::tell_refusal_unless_closed);
        }
        self.ask_for_overlays(&name, ply, None);
        self.ask_quietly(&GetHistory { table: name.clone() }, |director, history| {
            if let Some(table) = &mut director.app.table {
                table.turns = history.turns;
            }
            director.ask_for_chances();
        });
        // Games that are only watched are not kept.
        if self.file.is_some() {
            let record = GetRecord { table: name.clone() };
            let then = move |director: &mut Director, recorded: Recorded| {
                if director.table_name() == Some(name) {
                    director.keep(recorded.record);
                }
            };
            self.ask_or(&record, then, Director::tell_refusal_unless_closed);
        }
    }

    /// A table may be closed in the meantime, of which the engine tells unasked.
    fn tell_refusal_unless_closed(&mut self, error: ErrorObject) {
        if error.code != ErrorCode::UnknownTable.number() {
            self.tell_refusal(&error);
        }
    }

    fn may_do(&mut self, ply: usize, actions: Actions) {
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.ply == ply) else { return };
        table.details = actions.details.unwrap_or_default();
        if table.is_ours_to_move() {
            self.app.pick = Pick::new(table.details.clone());
        }
    }

    /// Asks for the overlays of the position that is shown, which is the one after `ply` actions;
    /// `at` is the same unless it is the present one.
    pub(super) fn ask_for_overlays(&mut self, table: &str, ply: usize, at: Option<usize>) {
        self.ask_quietly(&GetOverlays { table: table.into(), ply: at }, move |director, overlays| {
            if let Some(table) = director.app.table.as_mut().filter(|table| table.shown().ply == ply) {
                table.overlays = overlays.overlays;
            }
        });
    }

    // ── Changing it ──

    /// Asks for something that changes the table and moves nothing.
    pub(super) fn change<M>(&mut self, params: impl FnOnce(String) -> M)
    where
        M: Method<Result = StateResult> + 'static,
    {
        match &self.app.table {
            Some(table) if table.is_watched() => self.tell(ONLY_WATCHING),
            Some(table) => self.change_table(&params(table.state.table.clone())),
            None => {}
        }
    }

    fn change_table<M: Method<Result = StateResult> + 'static>(&mut self, params: &M) {
        self.pending.change = self.ask(params, |director, changed| director.set_state(changed.state));
    }

    pub(super) fn set_seat(&mut self, seat: Seat, to: Player) {
        let Some(table) = &self.app.table else { return };
        let is_taken_by_guest = !table.is_maker && to == Player::default();
        match table.state.table.clone() {
            table if is_taken_by_guest => self.join(&SetSeat { table, seat, to }, Some(seat)),
            _ => self.change(|table| SetSeat { table, seat, to }),
        }
    }

    pub(super) fn resume(&mut self) {
        self.change(|table| Resume { table });
    }

    /// Computers that play each other wait for what is shown: they may be a thousand times faster.
    pub(super) fn hold_computers(&mut self) {
        let is_paced = |table: &&TableView| !self.paused && !table.is_watched();
        let Some(table) = self.app.table.as_ref().filter(is_paced) else { return };
        let is_moving = !self.app.motion.is_still();
        if is_moving && table.is_computer_only() && !table.state.held && table.state.outcome.is_none() {
            self.waiting_for_movement = true;
            let table = table.state.table.clone();
            if !self.is_under_way(self.pending.change) {
                self.change_table(&Hold { table });
            }
        } else if !is_moving && self.waiting_for_movement && table.state.held {
            self.waiting_for_movement = false;
            self.resume();
        }
    }
}

/// The bot that a request was refused for because the engine does not have it.
fn unknown_bot(error: &ErrorObject) -> Option<String> {
    let name = error.data.as_ref().filter(|_| error.code == ErrorCode::UnknownBot.number())?["name"].as_str();
    name.map(String::from)
}

/// Gives the seats of a bot in a record to the person. `false` if it has none.
fn unseat(record: &mut Value, bot: &str) -> bool {
    let Some(seats) = record.get_mut("seats").and_then(Value::as_object_mut) else { return false };
    let its_own = |player: &&mut Value| player["kind"] == "bot" && player["name"] == bot;
    seats.values_mut().filter(its_own).map(|player| *player = json!(Player::default())).count() > 0
}
