//! Going back and forth in the game: taking back, playing again, and looking at other positions.

use tabuleiro_protocol::method::{GetState, Goto, Redo, Undo};
use tabuleiro_protocol::{Direction, Event, Seat, State, Wanted};

use super::Director;
use crate::board::Tokens;
use crate::pick::Pick;
use crate::state::{Spot, TableView};

impl Director {
    /// Back to where a person was to move: the part of a turn that was played, or a turn with the
    /// computer's answer.
    pub(super) fn undo(&mut self) {
        self.app.paused = true;
        let Some(table) = &self.app.table else { return };
        let state = &table.state;
        if state.ply == 0 {
            return self.tell("Nothing has been played yet.");
        }
        if self.is_in_mid_turn() {
            return self.change(|table| Undo { table, turns: None, actions: Some(1), ask: true });
        }
        let played: Vec<Seat> =
            table.turns.iter().filter(|turn| turn.ply <= state.ply).map(|turn| turn.seat).collect();
        let turns = played.iter().rev().position(|&seat| table.is_ours(seat)).map_or(1, |index| index + 1);
        self.change(|table| Undo { table, turns: Some(turns), actions: None, ask: true });
    }

    /// Whether a person here has played a part of a turn.
    pub(super) fn is_in_mid_turn(&self) -> bool {
        self.app.table.as_ref().is_some_and(TableView::is_in_own_turn)
    }

    pub(super) fn redo(&mut self) {
        self.app.paused = true;
        let Some(table) = &self.app.table else { return };
        let state = &table.state;
        if state.undone == 0 {
            return self.tell("There is nothing to redo.");
        }
        let ahead: Vec<Seat> =
            table.turns.iter().filter(|turn| turn.ply > state.ply).map(|turn| turn.seat).collect();
        let turns = ahead
            .iter()
            .skip(1)
            .position(|&seat| table.is_ours(seat))
            .map_or(ahead.len(), |index| index + 1)
            .max(1);
        self.change(|table| Redo { table, turns: Some(turns), actions: None, ask: true });
    }

    /// Does what the other player asks for.
    pub(super) fn agree(&mut self) {
        let asked = self.app.table.as_ref().and_then(|table| table.asked_of_us()).cloned();
        let Some(Wanted { method, actions, node, .. }) = asked else {
            return self.tell("Nobody asks for anything.");
        };
        self.app.paused = true;
        let (turns, actions, ask) = (None, Some(actions), false);
        match method {
            Direction::Undo => self.change(|table| Undo { table, turns, actions, ask }),
            Direction::Redo => self.change(|table| Redo { table, turns, actions, ask }),
            Direction::Goto => self.change(|table| Goto { table, node: node.unwrap_or_default(), ask }),
        }
    }

    /// Lets the last turn happen on the board once more.
    pub(super) fn replay_turn(&mut self) {
        let turn = self.app.table.as_ref().and_then(|table| table.shown_turn()).cloned();
        let Some(turn) = turn.filter(|turn| !turn.steps.is_empty()) else {
            return self.tell("Nothing has been played yet.");
        };
        let now = self.app.motion.final_tokens().clone();
        self.app.motion.jump(Tokens::read(&turn.rows));
        let events: Vec<Event> = turn.steps.into_iter().flat_map(|step| step.events).collect();
        self.app.motion.follow(&events, now);
    }

    pub(super) fn look_at(&mut self, ply: usize) {
        if let Some(table) = self.table_name() {
            self.ask(&GetState { table, ply: Some(ply), ..GetState::default() }, Director::look);
        }
    }

    pub(super) fn look_at_now(&mut self) {
        let Some(table) = &self.app.table else { return };
        match table.spot(&table.state) {
            Spot { node: Some(node), .. } => self.look_at_node(node),
            Spot { ply, node: None } => self.look_at(ply),
        }
    }

    /// Looks at the end of the turn before, or of the next one: in the line, or in the variation that
    /// is looked at.
    pub(super) fn look_by_turn(&mut self, backwards: bool) {
        let Some(table) = &self.app.table else { return };
        if let (Some(tree), Some(node)) = (&table.tree, table.shown_spot().node) {
            let node = if backwards { tree.turn_before(node) } else { tree.turn_after(node) };
            return node.into_iter().for_each(|node| self.look_at_node(node));
        }
        match backwards {
            true => self.look_along(|turns, shown| turns.iter().rev().copied().find(|&ply| ply < shown)),
            false => self.look_along(|turns, shown| turns.iter().copied().find(|&ply| ply > shown)),
        }
    }

    /// Looks at the end of another turn: `choose` is given all of them, the start included, and
    /// where we are.
    fn look_along(&mut self, choose: impl Fn(&[usize], usize) -> Option<usize>) {
        let Some(table) = &self.app.table else { return };
        let mut plies = vec![0];
        plies.extend(table.turns.iter().map(|turn| turn.ply));
        if let Some(ply) = choose(&plies, table.shown().ply) {
            self.look_at(ply);
        }
    }

    /// Shows the position that was asked for.
    pub(super) fn look(&mut self, state: State) {
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == state.table) else {
            return;
        };
        let spot = table.spot(&state);
        let now = spot == table.spot(&table.state);
        self.app.motion.jump(Tokens::read(&state.rows));
        let name = state.table.clone();
        if let Some(tree) = &mut table.tree {
            tree.unfold_to(state.node);
        }
        if let Some(review) = &mut table.review {
            review.leave_turn();
        }
        table.looked_at = (!now).then_some(state);
        table.last_turn = None;
        table.are_overlays_old = true;
        table.hint = None;
        table.looked_details.clear();
        let details = if table.is_ours_to_move() { table.details.clone() } else { Vec::new() };
        self.app.pick = Pick::new(details);
        self.ask_about_shown(&name, spot);
    }

    /// Goes on from the position that is looked at. What comes after it stays, as a variation.
    pub(super) fn play_on_from_here(&mut self) {
        self.app.paused = true;
        let Some(table) = &self.app.table else { return };
        let (shown, now) = (table.shown().ply, table.state.ply);
        if let Some(node) = table.shown_spot().node {
            if node != table.state.node {
                self.change(|table| Goto { table, node, ask: true });
            }
        } else if shown < now {
            self.is_to_branch = true;
            self.change(|table| Undo { table, turns: None, actions: Some(now - shown), ask: true });
        } else if shown > now {
            self.change(|table| Redo { table, turns: None, actions: Some(shown - now), ask: true });
        }
    }
}
