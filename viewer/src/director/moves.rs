//! Making a move: what is pointed at, by mouse or by cursor, what it would do, and what is played.

use macroquad::math::Vec2;
use tabuleiro_protocol::method::{self, Explain, GetActions, Play, Search};
use tabuleiro_protocol::{Choice, Detail, Event, LevelRole};

use super::dispatch::ONLY_WATCHING;
use super::{Director, MESSAGE_SECONDS};
use crate::app::{Preview, Refusal, Screen};
use crate::board::{Cell, Edge, Target, Tokens};
use crate::command::{Command, Panel, ReviewCommand};
use crate::keys::keys_for;
use crate::pick::Pointed;
use crate::state::{Chance, Spot, TableView, chance_of_first};
use crate::text::sentence;

impl Director {
    /// What is under the pointer, or under nothing.
    pub(super) fn hover(&mut self, target: Option<Target>) {
        self.app.pointed = target;
        self.ask_for_preview();
    }

    /// Looks at an action that has a button, or at none.
    pub(super) fn consider(&mut self, action: Option<&str>) {
        self.app.pick.consider(action);
        self.ask_for_preview();
    }

    /// Asks what the action under the pointer or the one that is considered would do, once for each.
    pub(super) fn ask_for_preview(&mut self) {
        let Some(table) = &self.app.table else { return };
        if !self.app.settings.ghosts || !table.is_ours_to_move() {
            return;
        }
        let in_view = self.app.action_in_view().or_else(|| self.app.action_begun());
        let Some(action) = in_view.map(|detail| detail.action.clone()) else { return };
        let (name, ply) = (table.state.table.clone(), table.state.ply);
        if !self.app.previews.contains_key(&action) {
            self.app.previews.insert(action.clone(), None);
            let preview = method::Preview {
                table: name,
                actions: vec![action.clone()],
                ply: Some(ply),
                overlays: true,
                reach: self.wants_reach(),
                ..method::Preview::default()
            };
            self.ask_quietly(&preview, move |director, played| {
                if director.ply() == Some(ply) {
                    let tokens = Tokens::read(&played.state.rows);
                    let preview = Preview { tokens, overlays: played.overlays.unwrap_or_default() };
                    director.app.previews.insert(action, Some(preview));
                }
            });
        }
    }

    pub(super) fn point(&mut self, target: Target, pointer: Vec2) {
        if self.ends_movement() {
            return;
        }
        if self.is_exercise_closed() {
            return self.play_in_closed_exercise();
        }
        let Some(table) = &self.app.table else { return };
        if !table.is_ours_to_move() {
            let text = match (&table.looked_at, &table.state.outcome) {
                (Some(_), _) => return self.refuse(looks_back(), pointer, MESSAGE_SECONDS),
                (_, Some(_)) => "The game is over.",
                _ if table.is_watched() => ONLY_WATCHING,
                _ if table.is_other_person_to_move() => "The other side is to move.",
                _ if self.app.is_paused() => "The computer waits: let it continue, or take its seat.",
                _ => "The computer is to move.",
            };
            return self.refuse(text.into(), pointer, MESSAGE_SECONDS / 2.0);
        }
        let name = table.state.table.clone();
        match self.app.pick.point(target) {
            Pointed::Action(action) => self.play(vec![action]),
            Pointed::Unclear => {
                self.ask_for_preview();
                self.ask_for_next_step();
            }
            Pointed::Nothing if self.app.pick.is_empty() => {}
            Pointed::Nothing => {
                let cells = self
                    .app
                    .pick
                    .chosen()
                    .iter()
                    .chain([&target])
                    .map(|target| target.cell().to_string())
                    .collect();
                let edge = match target {
                    Target::Edge(edge, _) => Some(edge),
                    Target::Cell(_) => None,
                };
                self.ask_quietly(&Explain { table: name, cells, edge }, move |director, explained| {
                    if let Some(text) = explained.text {
                        director.refuse(sentence(&text), pointer, MESSAGE_SECONDS);
                    }
                });
            }
        }
    }

    /// Ends what moves, if anything does, and says whether that is all.
    fn ends_movement(&mut self) -> bool {
        if self.app.motion.is_still() {
            return false;
        }
        self.app.motion.skip();
        // Who has not done with the turn knows what moves there, and has chosen already.
        !self.is_in_mid_turn()
    }

    /// Plays what takes something from one place to another, if there is one such action; else both
    /// places were pointed at.
    pub(super) fn drag(&mut self, from: Target, to: Target, pointer: Vec2) {
        // Its end alone may be an action, too, that nobody has meant.
        if self.ends_movement() {
            return;
        }
        let Some(table) = &self.app.table else { return };
        let is_free = table.is_ours_to_move() && self.app.pick.chosen().is_empty();
        let ends = [from, to].map(|target| target.cell().to_string());
        let fits = |detail: &&Detail| detail.drag().is_some_and(|drag| drag == [&ends[0], &ends[1]]);
        let found: Vec<&Detail> = table.details.iter().filter(fits).collect();
        match found.as_slice() {
            [only] if is_free => {
                let action = only.action.clone();
                self.play(vec![action]);
            }
            _ => {
                if is_free {
                    self.point(from, pointer);
                }
                self.point(to, pointer);
            }
        }
    }

    /// Asks what the next click means, once something was pointed at.
    pub(super) fn ask_for_next_step(&mut self) {
        self.app.next_step = None;
        let chosen = self.app.pick.chosen().to_vec();
        let Some(table) = self.table_name().filter(|_| !chosen.is_empty()) else { return };
        let cells = chosen.iter().map(|target| target.cell().to_string()).collect();
        self.ask_quietly(&Explain { table, cells, edge: None }, move |director, explained| {
            if director.app.pick.chosen() == chosen {
                director.app.next_step = explained.next;
            }
        });
    }

    /// Says beside the pointer why a click did nothing.
    fn refuse(&mut self, text: String, at: Vec2, seconds: f32) {
        // The reason may come when the board has been left.
        if self.app.screen != Screen::Board {
            return;
        }
        self.app.refusal = Some(Refusal { text, at, seconds_left: seconds });
    }

    pub(super) fn type_move(&mut self, text: &str) {
        self.hide_panel(Panel::MoveEntry);
        let actions: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        if !actions.is_empty() {
            self.play(actions);
        }
    }

    pub(super) fn play(&mut self, actions: Vec<String>) {
        if self.is_exercise_closed() {
            return self.play_in_closed_exercise();
        }
        let Some(table) = &self.app.table else { return };
        if table.looked_at.is_some() {
            self.tell(looks_back());
            return self.said_of_position();
        }
        if self.app.trial.as_ref().is_some_and(|trial| trial.is_done()) {
            let key = keys_for(&Command::Review(ReviewCommand::Try)).unwrap_or_default();
            return self.tell(format!("You have tried this turn. {key} lets you try another one."));
        }
        self.app.paused = false;
        let play = Play { table: table.state.table.clone(), ply: Some(table.state.ply), actions };
        self.ask(&play, |director, played| director.we_played(&played.events, played.state));
    }

    /// Chooses the marked place, or the one of several actions that is looked at.
    pub(super) fn point_at_cursor(&mut self, pointer: Vec2) {
        if self.is_over() {
            return self.turn_to_buttons();
        }
        let is_to_say_which = self.app.motion.is_still() && !self.app.pick.alternatives().is_empty();
        match (is_to_say_which, self.app.pick.considered(), self.app.pointed) {
            (true, Some(considered), _) => {
                let action = considered.action.clone();
                self.play(vec![action]);
            }
            (true, None, _) => self.next_open(false),
            (false, _, Some(target)) => self.point(target, pointer),
            (false, _, None) => self.move_cursor(0, 0),
        }
    }

    /// Cells and, where pieces come in over the edge, the places around them.
    pub(super) fn move_cursor(&mut self, right: i32, down: i32) {
        // While a line is shown the arrows go along it.
        if right != 0 && self.app.table.as_ref().is_some_and(TableView::is_line_shown) {
            return self.step_line(right < 0);
        }
        if right != 0 && self.app.pick.consider_next(right < 0) {
            return self.ask_for_preview();
        }
        let (columns, rows) = self.app.on_board(right, down);
        let tokens = self.app.motion.final_tokens();
        let (width, height) = (i32::from(tokens.columns()), i32::from(tokens.rows()));
        if width == 0 {
            return;
        }
        let (mut column, mut row) = match self.app.pointed {
            Some(target) => grid_position(target),
            None => (width / 2, height / 2),
        };
        let margin = i32::from(self.app.pick.has_edges());
        column = (column + columns).clamp(-margin, width - 1 + margin);
        row = (row + rows).clamp(-margin, height - 1 + margin);
        let (on_board_column, on_board_row) = (column.clamp(0, width - 1), row.clamp(0, height - 1));
        // Beyond a corner there is nothing: stay beside the board.
        if column != on_board_column && row != on_board_row {
            if columns != 0 { row = on_board_row } else { column = on_board_column }
        }
        let cell = Cell { column: on_board_column as u8, row: on_board_row as u8 };
        let edge = Edge::ALL.into_iter().find(|edge| {
            let (x, y) = edge.outward();
            (column - on_board_column, row - on_board_row) == (x, y)
        });
        self.hover(Some(edge.map_or(Target::Cell(cell), |edge| Target::Edge(edge, cell))));
    }

    /// Says that what was pointed at is enough, or that nothing more is wanted.
    pub(super) fn done(&mut self) {
        let complete: Vec<String> =
            self.app.pick.complete().into_iter().map(|detail| detail.action.clone()).collect();
        match complete.as_slice() {
            [only] => self.play(vec![only.clone()]),
            [] => self.tell("There is nothing to end here."),
            _ => self.tell("There is more than one way: Tab goes to the next one, Enter takes it."),
        }
    }

    /// Whether the game is over and nothing but its end is looked at. An exercise or a try that is
    /// done has keys of its own.
    fn is_over(&self) -> bool {
        let ended = |table: &TableView| table.state.outcome.is_some() && table.looked_at.is_none();
        let is_game = self.app.exercise.is_none() && self.app.trial.is_none();
        is_game && self.app.motion.is_still() && self.app.table.as_ref().is_some_and(ended)
    }

    /// After the end the board asks for nothing: keys are for what may be done next.
    fn turn_to_buttons(&mut self) {
        self.app.panels.insert(Panel::Buttons);
    }

    pub(super) fn next_open(&mut self, backwards: bool) {
        if self.is_over() {
            return self.turn_to_buttons();
        }
        let open = self.app.pick.open();
        if open.is_empty() {
            self.app.pick.consider_next(backwards);
            return self.ask_for_preview();
        }
        let here = self.app.pointed.and_then(|pointed| open.iter().position(|&target| target == pointed));
        let next = match (here, backwards) {
            (Some(index), false) => (index + 1) % open.len(),
            (Some(index), true) => (index + open.len() - 1) % open.len(),
            (None, false) => 0,
            (None, true) => open.len() - 1,
        };
        self.hover(Some(open[next]));
    }

    pub(super) fn hint(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        let shown = table.shown();
        let Some(seat) = shown.to_move.filter(|_| !table.hint_wanted) else { return };
        let (name, spot) = (shown.table.clone(), table.shown_spot());
        if table.is_line_shown() {
            return self.tell("Hints are only for positions of the game.");
        }
        // Who looks back may ask about any position.
        if table.looked_at.is_none() && !table.is_ours(seat) {
            return self.tell("Hints are only for your own turns.");
        }
        table.hint_wanted = true;
        let (key, looks_back) = (table.shown_key(), table.looked_at.is_some());
        let (ply, node) = (spot.ply_alone(), spot.node);
        let level = self.level_for(LevelRole::Hint);
        let search = Search { table: name.clone(), level, ply, node, ..Search::default() };
        if looks_back {
            let actions = GetActions { table: name.clone(), detail: true, ply, codes: false, node };
            self.ask_quietly(&actions, move |director, actions| {
                if let Some(table) = director.app.table.as_mut().filter(|table| table.shown_spot().is(spot)) {
                    table.looked_details = actions.details.unwrap_or_default();
                }
            });
        }
        let then = move |director: &mut Director, choice: Choice| {
            let Some(table) = director.app.table.as_mut().filter(|table| table.state.table == name) else {
                return;
            };
            table.hint_wanted = false;
            // What was searched longest is what is known of the position.
            if let Some(key) = key {
                table.note_chance(
                    key,
                    Chance { first: chance_of_first(&choice.score, seat), is_rough: false },
                );
            }
            let is_shown = table.shown_key() == key && table.shown_spot().is(spot);
            table.hint_traces.clear();
            let actions = choice.actions.clone();
            table.hint = is_shown.then_some(choice);
            if is_shown {
                director.ask_what_hint_does(spot, &actions);
            }
        };
        self.ask_or(&search, then, |director, error| {
            if let Some(table) = &mut director.app.table {
                table.hint_wanted = false;
            }
            director.problem(sentence(&error.message));
        });
    }

    /// Asks what every action of a hint would do: one after the other, to know which of them did what.
    fn ask_what_hint_does(&mut self, spot: Spot, actions: &[String]) {
        let Some(name) = self.table_name() else { return };
        for count in 1..=actions.len() {
            let begun = actions[..count].to_vec();
            let preview = method::Preview {
                table: name.clone(),
                actions: begun.clone(),
                ply: spot.ply_alone(),
                node: spot.node,
                ..method::Preview::default()
            };
            self.ask_quietly(&preview, move |director, previewed| {
                let Some(table) = &mut director.app.table else { return };
                let hint = table.hint.as_ref().map_or(&[][..], |hint| &hint.actions);
                if table.shown_spot().is(spot) && hint.starts_with(&begun) {
                    let known = table.hint_traces.len();
                    let traces = previewed.events.iter().flat_map(Event::traces).skip(known);
                    table.hint_traces.extend(traces.map(|trace| (count - 1, trace)));
                }
            });
        }
    }
}

/// To whoever wants to play in a position that is only looked at.
fn looks_back() -> String {
    let key = |command| keys_for(&command).unwrap_or_default();
    let (play_on, back) = (key(Command::PlayOnFromHere), key(Command::LookAtNow));
    format!(
        "You are looking back. To move here press \"Play on from here\" ({play_on}); {back} leads back to now."
    )
}

/// Where a target is in columns and rows; outside the board is one beyond.
fn grid_position(target: Target) -> (i32, i32) {
    let cell = target.cell();
    let (column, row) = (i32::from(cell.column), i32::from(cell.row));
    match target {
        Target::Cell(_) => (column, row),
        Target::Edge(edge, _) => {
            let (x, y) = edge.outward();
            (column + x, row + y)
        }
    }
}
