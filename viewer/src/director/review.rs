//! What every turn of a game was worth: the review, its mistakes, the better lines, and another try.

use tabuleiro_protocol::method::{
    Annotate, Cancel, Close, GetRecord, GetState, Goto, Load, Preview, Replay, Replayed, ReplayedStep,
};
use tabuleiro_protocol::notice::TurnReviewed;
use tabuleiro_protocol::{ErrorCode, ErrorObject, Event, Player, ReviewedTurn, Seat, State, Trace};

use super::Director;
use crate::app::Screen;
use crate::board::Tokens;
use crate::command::{Command, Panel, ReviewCommand};
use crate::keys::keys_for;
use crate::review::{Comparison, GameReview, LineStep, ShownLine, Trial, better, judgement};
use crate::settings::Settings;
use crate::state::TableView;

impl Director {
    pub(super) fn review(&mut self, command: ReviewCommand) {
        if self.app.table.is_none() && command != ReviewCommand::NextEffort {
            return self.tell("There is no game to look through.");
        }
        match command {
            ReviewCommand::Leave => self.leave_trial(),
            ReviewCommand::Try => self.try_turn(),
            ReviewCommand::Keep => self.keep_try(),
            ReviewCommand::NextEffort => self.next_effort(),
            // At the table of a try there is nothing else to be reviewed.
            _ if self.app.trial.is_some() => self.leave_trial(),
            ReviewCommand::Start => self.start_review(),
            ReviewCommand::Cancel => self.cancel_review(),
            ReviewCommand::Close => self.close_review(),
            ReviewCommand::Mistake { backwards } => self.go_to_mistake(backwards),
            ReviewCommand::Turn(number) => self.look_at_turn(number),
            ReviewCommand::Line => self.show_line(),
            ReviewCommand::Step { backwards } => self.step_line(backwards),
        }
    }

    // ── The review ──

    fn start_review(&mut self) {
        self.app.screen = Screen::Board;
        self.app.panels.extend([Panel::Review, Panel::Game]);
        let Some(table) = &mut self.app.table else { return };
        let Some(tree) = &table.tree else {
            return self.tell("This engine does not keep games as trees, nor looks through them.");
        };
        let shown = table.shown().node;
        let end = tree.end_after(shown);
        let effort = self.app.settings.review_effort;
        let is_known = |review: &GameReview| {
            review.is_running || (review.is_whole() && review.end == end && review.effort == effort)
        };
        if end == crate::tree::START {
            return self.tell("Nothing has been played yet.");
        }
        if table.review.as_ref().is_some_and(is_known) {
            return;
        }
        // What was judged before stays to be seen until it comes again.
        let before = table.review.take().filter(|review| review.end == end);
        table.review = Some(GameReview { is_running: true, end, effort, ..before.unwrap_or_default() });
        let name = table.state.table.clone();
        let request = GameReview::request(name.clone(), Some(end), effort);
        let (again, here) = (name.clone(), name);
        self.pending.review = self.ask_or(
            &request,
            move |director, reviewed| {
                if let Some(review) = director.review_of(&again) {
                    review.finish(reviewed);
                }
                if std::mem::take(&mut director.pending.review_begins_anew) && director.app.trial.is_none() {
                    director.start_review();
                }
            },
            move |director, error| {
                director.pending.review_begins_anew = false;
                if let Some(review) = director.review_of(&here) {
                    review.is_running = false;
                }
                director.tell_refusal(&error);
            },
        );
    }

    /// The review of a table, which may have been left for a try.
    fn review_of(&mut self, table: &str) -> Option<&mut GameReview> {
        let home = self.app.trial.as_mut().map(|trial| &mut *trial.home);
        let mut tables = home.into_iter().chain(&mut self.app.table);
        tables.find(|view| view.state.table == table)?.review.as_mut()
    }

    pub(super) fn turn_reviewed(&mut self, reviewed: TurnReviewed) {
        let request = self.pending.review.and_then(|ticket| self.link.id_of(ticket));
        if request.as_ref() != Some(&reviewed.request) {
            return;
        }
        let home = self.app.trial.as_mut().map(|trial| &mut *trial.home);
        let Some(review) = home.or(self.app.table.as_mut()).and_then(|table| table.review.as_mut()) else {
            return;
        };
        review.total = Some(reviewed.total);
        review.turns.insert(reviewed.turn.turn, reviewed.turn);
    }

    pub(super) fn cancel_review(&mut self) {
        let request = self.pending.review.and_then(|ticket| self.link.id_of(ticket));
        if let Some(request) = request {
            self.order(&Cancel { request });
        }
    }

    fn next_effort(&mut self) {
        let review_effort = self.app.settings.review_effort.next();
        self.change_settings(Settings { review_effort, ..self.app.settings.clone() });
        self.tell(format!(
            "Reviews are {} now: {} positions for every turn.",
            review_effort.words(),
            review_effort.nodes()
        ));
        let review = self.app.table.as_ref().and_then(|table| table.review.as_ref());
        match review.map(|review| review.is_running) {
            // It says what it has found, and only then the next one begins.
            Some(true) => {
                self.pending.review_begins_anew = true;
                self.cancel_review();
            }
            Some(false) if self.app.trial.is_none() => self.start_review(),
            _ => {}
        }
    }

    fn close_review(&mut self) {
        self.hide_panel(Panel::Review);
        if self.app.table.as_ref().is_some_and(TableView::is_line_shown) {
            self.hide_line();
        }
        if let Some(review) = self.app.table.as_mut().and_then(|table| table.review.as_mut()) {
            review.leave_turn();
        }
    }

    fn go_to_mistake(&mut self, backwards: bool) {
        let Some(table) = &self.app.table else { return };
        let Some(review) = &table.review else {
            let key = keys_for(&Command::Review(ReviewCommand::Start)).unwrap_or_default();
            return self.tell(format!("The game was not looked through yet: {key} does it."));
        };
        // From the turn that is looked at, or else from the position that is.
        let node = table.shown().node;
        let played = review.turns.values().find(|turn| turn.end == node).map(|turn| turn.turn);
        let begun = review.turns.values().find(|turn| turn.node == node).map(|turn| turn.turn - 1);
        let from = match (review.at.or(played).or(begun), backwards) {
            (Some(at), true) if review.at.is_none() => at + 1,
            (Some(at), _) => at,
            (None, true) => usize::MAX,
            (None, false) => 0,
        };
        // Who comes from elsewhere begins anew: after a game, with the first one.
        let edge = if backwards { usize::MAX } else { 0 };
        let anew = || review.mistake(edge, backwards).filter(|_| review.at.is_none());
        match review.mistake(from, backwards).or_else(anew).map(|turn| turn.turn) {
            Some(turn) => {
                self.app.panels.insert(Panel::Review);
                self.look_at_turn(turn);
            }
            None if review.turns.is_empty() => self.tell("Nothing was judged yet."),
            None if review.mistake(0, false).is_none() => {
                self.tell("No mistake was found.");
                self.said_of_position();
            }
            None => {
                let words = (review.slip(), if backwards { "before" } else { "after" });
                self.tell(format!("There is no {} {} this.", words.0, words.1));
                self.said_of_position();
            }
        }
    }

    /// Shows the position before a turn, with what was played and what would have been better.
    fn look_at_turn(&mut self, number: usize) {
        let Some(table) = &self.app.table else { return };
        let turn = table.review.as_ref().and_then(|review| review.turns.get(&number)).cloned();
        let Some(turn) = turn else { return self.tell("This turn was not judged yet.") };
        let name = table.state.table.clone();
        let state = GetState { table: name.clone(), ply: None, node: Some(turn.node) };
        self.ask(&state, move |director, state| {
            director.look(state);
            let Some(review) = director.review_of(&name) else { return };
            review.at = Some(number);
            review.comparison = Some(Comparison { turn: number, ..Comparison::default() });
            director.compare(name, &turn);
        });
    }

    fn compare(&mut self, name: String, turn: &ReviewedTurn) {
        let number = turn.turn;
        let here = name.clone();
        let replay = Replay { table: name.clone(), ply: None, node: Some(turn.end) };
        self.ask_quietly(&replay, move |director, played| {
            if let Some(comparison) = director.comparison(&here, number) {
                comparison.played = traces(&played.steps);
            }
        });
        let Some(best) = better(turn) else { return };
        // One action after the other, to know which of them did what.
        for count in 1..=best.actions.len() {
            let actions = best.actions[..count].to_vec();
            let here = name.clone();
            let preview =
                Preview { table: name.clone(), actions, node: Some(turn.node), ..Preview::default() };
            self.ask_quietly(&preview, move |director, previewed| {
                let Some(comparison) = director.comparison(&here, number) else { return };
                let traces = previewed.events.iter().flat_map(Event::traces);
                let known = comparison.better.len();
                comparison.better.extend(traces.skip(known).map(|trace| (count - 1, trace)));
            });
        }
    }

    fn comparison(&mut self, table: &str, turn: usize) -> Option<&mut Comparison> {
        self.review_of(table)?.comparison.as_mut().filter(|comparison| comparison.turn == turn)
    }

    // ── The better line ──

    fn show_line(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        if table.is_line_shown() {
            return self.hide_line();
        }
        let state = table.shown().clone();
        let Some(review) = &mut table.review else {
            return self.tell("The game was not looked through yet.");
        };
        let Some(turn) = review.looked_at() else {
            return self.tell("Go to a turn of the review first.");
        };
        let Some(best) = turn.best.first().filter(|best| !best.pv.is_empty()) else {
            return self.tell("No other line is known here.");
        };
        let (node, actions) = (turn.node, best.pv.clone());
        let known = vec![LineStep { state, done: None, events: 0 }];
        review.line = Some(ShownLine { node, actions, step: 0, known });
        self.step_line(false);
    }

    /// Back to the position before the line.
    fn hide_line(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        let Some(line) = table.review.as_mut().and_then(|review| review.line.take()) else { return };
        let at = table.review.as_ref().and_then(|review| review.at);
        match at {
            Some(turn) => self.look_at_turn(turn),
            None => self.look_at_node(line.node),
        }
    }

    pub(super) fn step_line(&mut self, backwards: bool) {
        let Some(table) = &mut self.app.table else { return };
        let name = table.state.table.clone();
        let Some(line) = table.review.as_mut().and_then(|review| review.line.as_mut()) else {
            return self.tell("No line is shown.");
        };
        if backwards {
            if line.step == 0 {
                return self.tell("This is where the line begins.");
            }
            let step = line.step - 1;
            return self.show_step(step, false);
        }
        let step = line.step + 1;
        if step > line.actions.len() {
            return self.tell("The line ends here.");
        }
        if step < line.known.len() {
            return self.show_step(step, true);
        }
        let (node, actions) = (line.node, line.actions[..step].to_vec());
        let preview = Preview { table: name.clone(), actions, node: Some(node), ..Preview::default() };
        self.ask(&preview, move |director, previewed| {
            let line = director.review_of(&name).and_then(|review| review.line.as_mut());
            let Some(line) = line.filter(|line| line.node == node && line.known.len() == step) else {
                return;
            };
            let before = &line.known[step - 1];
            // The same line from its beginning has the same events.
            let events: Vec<Event> = previewed.events.iter().skip(before.events).cloned().collect();
            let done = Replayed {
                ply: previewed.state.ply,
                seat: before.state.to_move,
                rows: before.state.rows.clone(),
                steps: vec![ReplayedStep { action: line.actions[step - 1].clone(), events }],
            };
            // It is no node of the game: it is shown where the line begins.
            let state = State { node, ..previewed.state };
            line.known.push(LineStep { state, done: Some(done), events: previewed.events.len() });
            director.show_step(step, true);
        });
    }

    /// Shows a position of the line, with pieces moving if they come there from the one before.
    fn show_step(&mut self, step: usize, moves: bool) {
        let Some(table) = &mut self.app.table else { return };
        let Some(line) = table.review.as_mut().and_then(|review| review.line.as_mut()) else { return };
        let Some(LineStep { state, done, .. }) = line.known.get(step).cloned() else { return };
        line.step = step;
        let tokens = Tokens::read(&state.rows);
        self.app.motion.skip();
        match &done {
            Some(done) if moves => {
                let events: Vec<Event> = done.steps.iter().flat_map(|step| &step.events).cloned().collect();
                self.app.motion.follow(&events, tokens);
            }
            _ => self.app.motion.jump(tokens),
        }
        table.looked_at = Some(state);
        table.last_turn = done;
        table.hint = None;
        table.are_overlays_old = true;
        table.facts.clear();
    }

    // ── Another try ──

    /// Lets the person find a better turn, at a table that is a copy of the game.
    fn try_turn(&mut self) {
        if let Some(trial) = &mut self.app.trial {
            let node = trial.turn.node;
            trial.end = None;
            return self.change(|table| Goto { table, node, ask: false });
        }
        let Some(table) = &self.app.table else { return };
        let Some(turn) = table.review.as_ref().and_then(GameReview::looked_at).cloned() else {
            return self.tell("Go to a mistake of the review first.");
        };
        let name = table.state.table.clone();
        self.pending.opening =
            self.ask(&GetRecord { table: name, ..GetRecord::default() }, |director, recorded| {
                let mut record = recorded.record;
                for seat in Seat::BOTH {
                    record["seats"][seat.to_string()] = serde_json::json!(Player::default());
                }
                let load = Load { record, ..Load::default() };
                director.pending.opening = director.ask(&load, |director, opened| {
                    let go = Goto { table: opened.table.clone(), node: turn.node, ask: false };
                    director.pending.opening =
                        director.ask(&go, |director, there| director.begin_trial(turn, there.state));
                });
            });
    }

    fn begin_trial(&mut self, turn: ReviewedTurn, state: State) {
        self.catch_up();
        let Some(mut home) = self.app.table.take() else { return };
        if let Some(review) = &mut home.review {
            review.line = None;
        }
        let at = home.looked_at.as_ref().map(|state| state.rows.clone());
        if at.as_ref() != Some(&state.rows) {
            self.app.motion.jump(Tokens::read(&state.rows));
        }
        self.app.trial = Some(Trial { home: Box::new(home), turn, tried: Vec::new(), end: None });
        self.app.table = Some(TableView::new(state));
        self.follow_tree();
        self.position_is_new();
    }

    /// Whether a whole turn has been tried; then it is judged, and nothing more is played.
    pub(super) fn judge_try(&mut self) {
        let (Some(trial), Some(table)) = (&mut self.app.trial, &self.app.table) else { return };
        let state = &table.state;
        let is_begun = state.node != trial.turn.node;
        let is_whole = state.outcome.is_some() || state.to_move != Some(trial.turn.seat);
        if !is_begun || !is_whole || trial.is_done() {
            return;
        }
        let (name, node) = (state.table.clone(), state.node);
        trial.end = Some(node);
        if trial.verdict().is_some() {
            return;
        }
        let request = GameReview::request(name, Some(node), self.app.settings.review_effort);
        self.ask(&request, move |director, reviewed| {
            let Some(trial) = &mut director.app.trial else { return };
            trial.tried.extend(reviewed.turns.into_iter().next_back().filter(|turn| turn.end == node));
        });
    }

    /// Puts what was tried into the game, with what the engine says of it.
    fn keep_try(&mut self) {
        let Some(trial) = &self.app.trial else {
            return self.tell("Nothing was tried that could be kept.");
        };
        let Some(tried) = trial.verdict().cloned() else {
            return self.tell("Find a turn first; what the engine says of it is kept as well.");
        };
        if trial.is_as_played() {
            return self.tell("That is the turn of the game; only another one is kept.");
        }
        let (table, node) = (trial.home.state.table.clone(), trial.turn.node);
        let comment = Some(format!("Another try. {}.", judgement(&tried)));
        let actions = tried.actions.clone();
        let keep = Annotate { table, node: Some(node), actions, comment, ..Annotate::default() };
        self.ask(&keep, move |director, _| {
            director.is_record_old = true;
            director.go_home(Some(tried.actions));
        });
    }

    /// Back to the game, which nothing was done to.
    pub(super) fn leave_trial(&mut self) {
        self.go_home(None);
    }

    /// Back to the game: to the turn that was to be done better, or to what was kept instead of it.
    fn go_home(&mut self, kept: Option<Vec<String>>) {
        let Some(trial) = self.app.trial.take() else { return };
        if let Some(table) = self.app.table.take() {
            self.order(&Close { table: table.state.table });
        }
        let (name, turn) = (trial.home.state.table.clone(), trial.turn);
        self.coming.clear();
        self.app.table = Some(*trial.home);
        self.follow_tree();
        let state = GetState { table: name.clone(), ..GetState::default() };
        // Others may have played meanwhile.
        self.ask_or(
            &state,
            move |director, state| {
                director.changed_by_others(state);
                match kept {
                    Some(actions) => director.show_kept(turn.node, &actions),
                    None => director.look_at_turn(turn.turn),
                }
            },
            move |director, error: ErrorObject| match error.code == ErrorCode::UnknownTable.number() {
                true => director.table_closed(&tabuleiro_protocol::notice::TableClosed { table: name }),
                false => director.tell_refusal(&error),
            },
        );
    }

    /// Looks at a variation that was just put into the game, and lets the engine keep there what it
    /// is worth.
    fn show_kept(&mut self, node: u32, actions: &[String]) {
        let Some(table) = &mut self.app.table else { return };
        if let Some(review) = &mut table.review {
            review.leave_turn();
        }
        let Some(end) = table.tree.as_ref().and_then(|tree| tree.behind(node, actions)) else { return };
        let effort = self.app.settings.review_effort;
        let request = GameReview::request(table.state.table.clone(), Some(end), effort);
        self.look_at_node(end);
        self.ask_quietly(&request, |director, _| director.is_record_old = true);
        self.tell("What you tried is kept as a variation, with what the engine says of it.");
    }
}

/// What actions have done on the board. With each, which one of them it was.
fn traces(steps: &[ReplayedStep]) -> Vec<(usize, Trace)> {
    let of_step = |(index, step): (usize, &ReplayedStep)| {
        step.events.iter().flat_map(Event::traces).map(move |trace| (index, trace)).collect::<Vec<_>>()
    };
    steps.iter().enumerate().flat_map(of_step).collect()
}
