//! The table that is shown: how it comes to be, what happens there, and what is asked about every
//! position.

use std::path::PathBuf;

use serde_json::{Value, json};
use tabuleiro_protocol::method::{
    Actions, GetActions, GetHistory, GetOverlays, GetRecord, Hold, Load, Method, Opened, Recorded, Render,
    Replay, ReplayedStep, Resume, SetSeat, StateResult,
};
use tabuleiro_protocol::notice::{Changed, Thinking};
use tabuleiro_protocol::{ErrorCode, ErrorObject, Event, Player, Seat, State};

use super::Director;
use super::dispatch::ONLY_WATCHING;
use crate::app::{PositionText, Screen};
use crate::board::Tokens;
use crate::command::Panel;
use crate::pick::Pick;
use crate::settings::Settings;
use crate::state::{Moving, Spot, TableView, Thought};
use crate::text;

/// Between two turns of computers that play each other, at normal speed.
const BREATH_SECONDS: f32 = 0.4;
/// So many turns of others may wait to be shown; then they come all at once.
const MOST_BEHIND: usize = 6;

/// Something that has happened at the table, and who thinks since then.
#[derive(Debug)]
pub(super) struct Arrival {
    changed: Changed,
    thinking: Option<Thinking>,
}

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

    /// Opens a table of our own with a game that was kept in this file, when there is no other
    /// table any more.
    pub(super) fn load_table(&mut self, record: Value, file: PathBuf) {
        self.load(record, file, |_| {});
    }

    /// The same in the place of the table that is there, which stays if it cannot be done.
    pub(super) fn load_instead(&mut self, record: Value, file: PathBuf) {
        self.load(record, file, Director::leave_table);
    }

    /// The seats of bots that the engine does not have are the person's.
    fn load(&mut self, mut record: Value, file: PathBuf, leave: fn(&mut Director)) {
        hold_if_computers_only(&mut record);
        let again = (record.clone(), file.clone());
        let refused = move |director: &mut Director, error: ErrorObject| {
            let (mut record, file) = again;
            if let Some(bot) = unknown_bot(&error).filter(|bot| unseat(&mut record, bot)) {
                director.tell(format!("The engine has no bot {bot}: its seat is yours."));
                return director.load(record, file, leave);
            }
            director.is_to_review = false;
            match error.code == ErrorCode::BadRecord.number() {
                true => director.open_damaged(record, file.display().to_string(), &error),
                false => director.tell_refusal(&error),
            }
        };
        let then = move |director: &mut Director, opened| {
            leave(director);
            director.opened(opened, file);
        };
        self.pending.opening = self.ask_or(&Load { record, ..Load::default() }, then, refused);
    }

    fn opened(&mut self, opened: Opened, file: PathBuf) {
        self.app.interrupted = None;
        self.sit_down(TableView::new(opened.state), Some(file));
    }

    /// Shows another table, whose game is kept in a file or not at all.
    pub(super) fn sit_down(&mut self, table: TableView, file: Option<PathBuf>) {
        let set = self.app.set_of(&table.state.game);
        self.app.yaw = set.layout().seat_yaw(table.own_seat().number());
        self.app.motion.lay_out(set, Tokens::read(&table.state.rows));
        self.app.table = Some(table);
        self.app.trial = None;
        // It was a place of the board before.
        self.app.pointed = None;
        self.app.panels.remove(&Panel::Buttons);
        self.app.screen = Screen::Board;
        self.app.visits += 1;
        self.keep_in(file);
        self.coming.clear();
        self.is_turn_awaited = false;
        self.app.paused = false;
        // Whoever has come to another game has not asked for help there.
        self.end_analysis();
        self.follow_tree();
        self.position_is_new();
    }

    // ── What becomes of it ──

    /// Somebody has done something at the table. It is shown when everything before it was.
    pub(super) fn comes(&mut self, changed: Changed) {
        self.coming.push_back(Arrival { changed, thinking: None });
        self.show_coming();
    }

    /// Shows what has happened, as far as nothing moves any more.
    pub(super) fn show_coming(&mut self) {
        // Others who play do not wait for what is shown here.
        while self.app.socket.is_some() && self.coming.len() > MOST_BEHIND {
            self.show_next();
            self.app.motion.skip();
        }
        while self.app.motion.is_still() && self.show_next() {}
    }

    /// Shows everything that has happened, at once.
    pub(super) fn catch_up(&mut self) {
        self.app.motion.skip();
        while self.show_next() {
            self.app.motion.skip();
        }
    }

    fn show_next(&mut self) -> bool {
        let Some(Arrival { changed: Changed { table, events, state, .. }, thinking }) =
            self.coming.pop_front()
        else {
            return false;
        };
        if self.table_name().as_ref() != Some(&table) {
        } else if events.is_empty() {
            self.tell_news(&state);
            self.changed_by_others(state);
        } else {
            self.is_turn_awaited = false;
            self.happened(&events, state);
        }
        thinking.into_iter().for_each(|thinking| self.thinks(thinking));
        true
    }

    /// A computer player thinks, perhaps about what is not shown yet.
    pub(super) fn note_thinking(&mut self, thinking: Thinking) {
        match self.coming.back_mut() {
            Some(last) => last.thinking = Some(thinking),
            None => self.thinks(thinking),
        }
    }

    fn thinks(&mut self, thinking: Thinking) {
        let is_here = |table: &&mut TableView| table.state.table == thinking.table;
        let Some(table) = self.app.table.as_mut().filter(is_here) else { return };
        let seconds = table.thinking.as_ref().map_or(0.0, |thought| thought.seconds);
        table.thinking = Some(Thought { seat: thinking.seat, info: thinking.info, seconds });
    }

    /// We have played: whatever happened before is shown at once.
    pub(super) fn we_played(&mut self, events: &[Event], state: State) {
        self.catch_up();
        self.happened(events, state);
        self.judge_try();
    }

    /// Something happened on the board.
    fn happened(&mut self, events: &[Event], state: State) {
        let Some(table) = &mut self.app.table else { return };
        let tokens = Tokens::read(&state.rows);
        let (before, facts) = (table.state.clone(), table.facts.clone());
        let hint = table.rest_of_hint(&state);
        table.played(state);
        if table.looked_at.is_none() {
            self.app.motion.follow(events, tokens);
            // Who is in the middle of a turn knows what moves, and goes on.
            let last = table.state.last.as_ref().filter(|_| !table.is_in_own_turn());
            table.moving = last.map(|last| Moving { before, facts, seat: last.seat, to_come: 0 });
        }
        self.note_moment();
        self.position_is_new();
        if let (Some(table), Some((hint, traces))) = (&mut self.app.table, hint) {
            (table.hint, table.hint_traces) = (Some(hint), traces);
        }
        self.note_attempt(events);
    }

    /// Finds out how much of the turn that is being shown has begun.
    pub(super) fn note_moment(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        if self.app.motion.is_still() {
            table.moving = None;
            return;
        }
        let last = table.last_turn.as_ref().filter(|turn| turn.ply == table.state.ply);
        let actions = table.state.last.as_ref().map_or(1, |last| last.actions.len());
        let to_come = last.map(|turn| {
            let mut events = self.app.motion.events_to_come();
            let has_not_begun = |step: &&ReplayedStep| {
                let is_later = !step.events.is_empty() && step.events.len() <= events;
                events = events.saturating_sub(step.events.len());
                is_later
            };
            turn.steps.iter().rev().take_while(has_not_begun).count()
        });
        if let Some(moving) = &mut table.moving {
            // The engine has not told yet which action did what: the first one has begun.
            moving.to_come = to_come.unwrap_or(usize::MAX).min(actions.saturating_sub(1));
        }
    }

    /// The table changed in a way that nothing moves for, because we wanted it so.
    pub(super) fn set_state(&mut self, state: State) {
        self.catch_up();
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
        if state.held {
            self.is_turn_awaited = false;
        }
        if table.looked_at.is_none() && *self.app.motion.final_tokens() != tokens {
            self.app.motion.jump(tokens);
        }
        let was_over = table.state.outcome.is_some();
        table.set_state(state);
        // The end gave the keys to the buttons: with it they come back to the board.
        if was_over && table.state.outcome.is_none() {
            self.app.panels.remove(&Panel::Buttons);
        }
        if table.is_watched() {
            self.keep_in(None);
        }
        self.position_is_new();
        self.note_change_of_exercise();
    }

    /// Everything that was known about the position before is out of date.
    pub(super) fn position_is_new(&mut self) {
        self.is_position_new = true;
        self.app.previews.clear();
        self.app.pick = Pick::default();
        self.app.next_step = None;
        self.clear_refusal();
        self.app.message.take_if(|message| message.is_of_position);
        let Some(table) = &mut self.app.table else { return };
        table.thinking = None;
        table.hint = None;
        table.details.clear();
        table.are_overlays_old = true;
        table.last_turn.take_if(|turn| turn.ply != table.state.ply && table.looked_at.is_none());
        if table.failed.is_none() {
            self.app.panels.remove(&Panel::BotFailed);
        }
        table.note_ending();
    }

    /// Asks for everything that there is to know about the position.
    pub(super) fn ask_about_position(&mut self) {
        let Some(table) = &self.app.table else { return };
        let (name, ply, ours) = (table.state.table.clone(), table.state.ply, table.is_ours_to_move());
        let shown = table.shown_spot();
        // The list of turns has the last one already, and the chances are to be there with it.
        self.ask_for_chances();
        if ours {
            let actions =
                GetActions { table: name.clone(), detail: true, ply: Some(ply), ..GetActions::default() };
            let then = move |director: &mut Director, actions| director.may_do(ply, actions);
            self.ask_or(&actions, then, Director::tell_refusal_unless_closed);
        }
        self.ask_about_shown(&name, shown);
        self.ask_quietly(&GetHistory { table: name }, |director, history| {
            if let Some(table) = &mut director.app.table {
                table.set_turns(history.turns);
            }
            director.ask_for_chances();
        });
        self.ask_for_comments();
        self.ask_for_record();
    }

    /// Keeps the game as it is now. Games that are only watched are not kept, and
    /// neither are exercises.
    pub(super) fn ask_for_record(&mut self) {
        (self.is_record_old, self.since_record) = (false, 0.0);
        // Games that are only watched are not kept, nor are tries.
        let Some(name) = self.table_name().filter(|_| self.file.is_some() && self.app.trial.is_none()) else {
            return;
        };
        let record = GetRecord { table: name.clone(), ..GetRecord::default() };
        let then = move |director: &mut Director, recorded: Recorded| {
            if director.table_name() == Some(name) {
                director.keep(recorded.record);
            }
        };
        self.pending.record = self.ask_or(&record, then, Director::tell_refusal_unless_closed);
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

    /// Asks for what is to be seen of the position that is shown: what helps to read it, and the
    /// turn that led to it.
    pub(super) fn ask_about_shown(&mut self, table: &str, spot: Spot) {
        let reach = self.wants_reach();
        let (ply, node) = (spot.ply_alone(), spot.node);
        let is_shown = move |table: &&mut TableView| table.shown_spot().is(spot) && !table.is_line_shown();
        if self.app.panels.contains(&Panel::Position) {
            self.ask_for_text();
        }
        self.ask_quietly(
            &GetOverlays { table: table.into(), ply, node, reach },
            move |director, overlays| {
                if let Some(table) = director.app.table.as_mut().filter(is_shown) {
                    table.forms = table.forms.with(&overlays.overlays);
                    (table.overlays, table.are_overlays_old) = (overlays.overlays, false);
                    table.facts = overlays.facts;
                }
            },
        );
        self.ask_quietly(&Replay { table: table.into(), ply, node }, move |director, turn| {
            if let Some(table) = director.app.table.as_mut().filter(is_shown) {
                table.last_turn = Some(turn);
            }
        });
    }

    /// Asks anew for what helps to read the position that is shown.
    pub(super) fn ask_for_aids(&mut self) {
        self.app.previews.clear();
        let shown = self.app.table.as_ref().map(|table| (table.state.table.clone(), table.shown_spot()));
        if let Some((table, spot)) = shown {
            self.ask_about_shown(&table, spot);
        }
    }

    /// Whether the person wants to see what could happen within a turn, and the game says it.
    pub(super) fn wants_reach(&self) -> bool {
        self.app.settings.reach && self.app.motion.set().reach().is_some()
    }

    /// Shows what could happen within a turn, or no longer does.
    pub(super) fn toggle_reach(&mut self) {
        match self.app.motion.set().reach() {
            Some(_) => {
                let settings = Settings { reach: !self.app.settings.reach, ..self.app.settings.clone() };
                self.change_settings(settings);
            }
            None => self.tell("This game has nothing like that to show."),
        }
    }

    /// Says from where the board is seen from now on.
    pub fn look_from(&mut self, yaw: f32) {
        let was_turned = self.app.is_turned();
        self.app.yaw = yaw;
        if self.app.is_turned() != was_turned && self.app.panels.contains(&Panel::Position) {
            self.ask_for_text();
        }
    }

    /// Asks for the position in signs, and says what was played last and what is expected.
    pub(super) fn ask_for_text(&mut self) {
        self.app.position_text = None;
        let Some(table) = &self.app.table else { return };
        let spot = table.spot(told_about(table));
        let (name, ply, node) = (table.state.table.clone(), spot.ply_alone(), spot.node);
        // As the board is seen.
        let turned = self.app.is_turned();
        let drawing = Render { table: name, ascii: true, words: false, turned, ply, node };
        let words = Render { words: true, ..drawing.clone() };
        self.ask_quietly(&drawing, move |director, board| {
            director.ask_quietly(&words, move |director, words| {
                let is_told = |table: &&TableView| table.spot(told_about(table)).is(spot);
                let table = director.app.table.as_ref().filter(is_told);
                director.app.position_text = table.map(|table| PositionText {
                    drawing: board.text,
                    words: format!("{}\n\n{}", words.text, last_and_next(table)),
                });
            });
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

    pub(super) fn pause(&mut self) {
        self.app.paused = true;
        self.change(|table| Hold { table });
    }

    pub(super) fn resume(&mut self) {
        self.app.paused = false;
        self.at_rest = f32::MAX;
        // Computers that play each other are asked for one turn after the other.
        if !self.app.table.as_ref().is_some_and(TableView::is_paced) {
            self.change(|table| Resume { table, turns: None });
        }
    }

    /// One turn of the computer's, and then a pause again.
    pub(super) fn step(&mut self) {
        if !self.is_turn_awaited {
            self.is_turn_awaited = true;
            self.change(|table| Resume { table, turns: Some(1) });
        }
    }

    /// Computers that play each other wait for what is shown: they may be a thousand times faster.
    pub(super) fn pace_computers(&mut self, seconds: f32) {
        let is_still = self.app.motion.is_still() && self.coming.is_empty();
        self.at_rest = if is_still { self.at_rest + seconds } else { 0.0 };
        let Some(table) = self.app.table.as_ref().filter(|table| self.are_computers_playing(table)) else {
            return;
        };
        let breath = self.app.settings.speed.factor().map_or(0.0, |factor| BREATH_SECONDS / factor);
        let may_go_on = table.looked_at.is_none() && self.at_rest >= breath && is_still;
        if may_go_on && !self.is_turn_awaited && !self.is_under_way(self.pending.change) {
            let table = table.state.table.clone();
            self.is_turn_awaited = true;
            self.change_table(&Resume { table, turns: Some(1) });
        }
    }

    /// Whether computers play each other and go on by themselves.
    pub(super) fn are_computers_playing(&self, table: &TableView) -> bool {
        table.is_paced() && !self.app.paused && table.failed.is_none() && !self.app.engine_has_gone
    }
}

/// The position that is told in words: the one that is shown, unless it was never played.
fn told_about(table: &TableView) -> &State {
    if table.is_line_shown() { &table.state } else { table.shown() }
}

/// What was played last and what is expected, in words.
fn last_and_next(table: &TableView) -> String {
    let state = told_about(table);
    let last = state.last.as_ref().map(|last| {
        format!(
            "Last turn: {} played {}.\n",
            table.name(last.seat),
            text::turn(last.actions.iter().map(String::as_str))
        )
    });
    let next = match (&state.outcome, state.to_move) {
        (Some(outcome), _) => outcome.text.clone(),
        (None, Some(seat)) if !table.is_ours_to_move() => format!("{} is to move.", table.name(seat)),
        _ => state.prompt.clone(),
    };
    let is_past = table.spot(state) != table.spot(&table.state);
    let past =
        if is_past { format!("You are looking back, at turn {}.\n", state.turn) } else { String::new() };
    format!("{past}{}{next}", last.unwrap_or_default())
}

/// The bot that a request was refused for because the engine does not have it.
pub(super) fn unknown_bot(error: &ErrorObject) -> Option<String> {
    let name = error.data.as_ref().filter(|_| error.code == ErrorCode::UnknownBot.number())?["name"].as_str();
    name.map(String::from)
}

/// Computers that play each other begin when the board is laid out.
pub(super) fn hold_if_computers_only(record: &mut Value) {
    let seats = record.get("seats").and_then(Value::as_object);
    if seats.is_some_and(|seats| seats.values().all(|player| player["kind"] != "client")) {
        record["held"] = true.into();
    }
}

/// Gives the seats of a bot in a record to the person. `false` if it has none.
pub(super) fn unseat(record: &mut Value, bot: &str) -> bool {
    let Some(seats) = record.get_mut("seats").and_then(Value::as_object_mut) else { return false };
    let its_own = |player: &&mut Value| player["kind"] == "bot" && player["name"] == bot;
    seats.values_mut().filter(its_own).map(|player| *player = json!(Player::default())).count() > 0
}
