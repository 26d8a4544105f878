//! A game under way, whatever game it is: the position, how it came about, and what was taken back.

use std::fmt;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};
use tabuleiro_protocol::{Choice, Detail, Event, Happening, LastTurn, Overlay, PerSeat, Seat, Turn};

use crate::game::{Charset, Describe, Game, Outcome};
use crate::search::{self, Control, Evaluate, SearchRequest};
use crate::tools::perft::perft;
use tabuleiro_protocol::Cell;

/// A game under way behind one interface for all games. Actions are text here.
pub trait Session: Send + Sync + fmt::Debug {
    /// Actions played.
    fn ply(&self) -> usize;
    /// Turns finished.
    fn turn(&self) -> usize;
    /// `None` once the game is over.
    fn to_move(&self) -> Option<Seat>;
    fn outcome(&self) -> Option<Outcome>;
    /// How the game ended, in one sentence for people; nothing as long as it goes on.
    fn ending(&self) -> String;
    fn phase(&self) -> &'static str;
    fn prompt(&self) -> String;
    fn sides(&self) -> PerSeat<Option<String>>;
    fn rows(&self) -> Vec<String>;
    fn counters(&self) -> Map<String, Value>;
    fn render(&self, charset: Charset) -> String;
    /// The legal actions, sorted.
    fn actions(&self) -> Vec<String>;
    /// The legal actions in detail, sorted.
    fn details(&self) -> Vec<Detail>;

    /// What helps people to read the board.
    fn overlays(&self) -> Vec<Overlay>;
    /// Why no legal action begins by pointing at these cells of the board, at least one; `None` if one does. The game must not be over.
    fn explain(&self, cells: &[Cell], edge: Option<&str>) -> Option<String>;

    /// Everything that was played, from the start.
    fn played(&self) -> Vec<String>;
    /// Everything that was taken back and can be played again, the next one first.
    fn undone(&self) -> Vec<String>;
    fn undone_count(&self) -> usize;
    /// How many actions the last so many turns took, a turn that is still being made included. `None` if there were fewer turns.
    fn actions_in_last_turns(&self, turns: usize) -> Option<usize>;
    /// The last turn, or the part of it made so far.
    fn last_turn(&self) -> Option<LastTurn>;
    /// Every turn from the start, those that were taken back and can be played again included.
    fn turns(&self) -> Vec<Turn>;

    /// Plays a legal action, or says why it is none and leaves everything as it was. What was taken back before can only be played
    /// again once this has been retracted.
    fn play(&mut self, text: &str) -> Result<Vec<Event>, String>;
    /// Takes back the last actions for good; at most all that there are.
    fn retract(&mut self, actions: usize);
    /// Takes back the last actions; at most all that there are.
    fn undo(&mut self, actions: usize);
    /// Plays the action again that was taken back last. `false` if there is none.
    fn redo(&mut self) -> bool;
    /// Forgets what was taken back.
    fn forget_undone(&mut self);

    /// The same game with the same past.
    fn copy(&self) -> Box<dyn Session>;
    /// The same position, with nothing before it.
    fn fork(&self) -> Box<dyn Session>;
    /// The rest of the turn by a computer player. The game must not be over.
    fn choose(&self, question: &SearchRequest, control: &mut Control<'_>) -> Choice;
    /// How many ways there are to play `depth` actions from here, by first action (none for depth 0). `None` if it was stopped.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Vec<(String, u64)>>;
}

impl Clone for Box<dyn Session> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// A game with everything that was played in it.
#[derive(Clone, Debug)]
pub(crate) struct History<G: Game> {
    game: G,
    played: Vec<Played<G>>,
    undone: Vec<G::Action>,
}

#[derive(Clone, Debug)]
struct Played<G: Game> {
    seat: Seat,
    action: G::Action,
    undo: G::Undo,
    text: String,
}

impl<G: Describe> History<G> {
    pub(crate) fn new(game: G) -> History<G> {
        History { game, played: Vec::new(), undone: Vec::new() }
    }

    fn play_legal(&mut self, action: G::Action) {
        let seat = self.game.to_move();
        let text = self.game.write(action);
        let undo = self.game.play(action);
        self.played.push(Played { seat, action, undo, text });
    }

    fn take_back_last(&mut self) -> Option<G::Action> {
        let Played { action, undo, .. } = self.played.pop()?;
        self.game.undo(action, undo);
        Some(action)
    }

    fn legal(&self) -> Vec<(String, G::Action)> {
        let mut actions = Vec::new();
        self.game.actions(&mut actions);
        let mut texts: Vec<_> = actions.into_iter().map(|action| (self.game.write(action), action)).collect();
        texts.sort_by(|a, b| a.0.cmp(&b.0));
        texts
    }
}

impl<G: Describe + Evaluate> Session for History<G> {
    fn ply(&self) -> usize {
        self.played.len()
    }

    fn turn(&self) -> usize {
        let begun = self.played.chunk_by(|a, b| a.seat == b.seat).count();
        let unfinished = self.played.last().is_some_and(|last| self.to_move() == Some(last.seat));
        begun - usize::from(unfinished)
    }

    fn to_move(&self) -> Option<Seat> {
        self.game.outcome().is_none().then(|| self.game.to_move())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn ending(&self) -> String {
        self.game.outcome().map(|outcome| self.game.ending(outcome)).unwrap_or_default()
    }

    fn phase(&self) -> &'static str {
        self.game.phase()
    }

    fn prompt(&self) -> String {
        self.game.prompt()
    }

    fn sides(&self) -> PerSeat<Option<String>> {
        let [one, two] = self.game.sides().map(|side| side.map(String::from));
        PerSeat { one, two }
    }

    fn rows(&self) -> Vec<String> {
        self.game.rows()
    }

    fn counters(&self) -> Map<String, Value> {
        self.game.counters()
    }

    fn render(&self, charset: Charset) -> String {
        self.game.render(charset)
    }

    fn actions(&self) -> Vec<String> {
        self.legal().into_iter().map(|(text, _)| text).collect()
    }

    fn details(&self) -> Vec<Detail> {
        self.legal().into_iter().map(|(_, action)| self.game.detail(action)).collect()
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.game.overlays()
    }

    fn explain(&self, cells: &[Cell], edge: Option<&str>) -> Option<String> {
        let pointed_at: Vec<String> = cells.iter().map(Cell::to_string).collect();
        let begins_so = |detail: &Detail| {
            may_begin_with(&detail.cells, &pointed_at) && (edge.is_none() || detail.edge.as_deref() == edge)
        };
        let mut actions = Vec::new();
        self.game.actions(&mut actions);
        let possible = actions.into_iter().any(|action| begins_so(&self.game.detail(action)));
        (!possible).then(|| self.game.explain(cells, edge))
    }

    fn played(&self) -> Vec<String> {
        self.played.iter().map(|played| played.text.clone()).collect()
    }

    fn undone(&self) -> Vec<String> {
        let mut game = self.game.clone();
        let mut texts = Vec::with_capacity(self.undone.len());
        for &action in self.undone.iter().rev() {
            texts.push(game.write(action));
            game.play(action);
        }
        texts
    }

    fn undone_count(&self) -> usize {
        self.undone.len()
    }

    fn actions_in_last_turns(&self, turns: usize) -> Option<usize> {
        let runs: Vec<usize> = self.played.chunk_by(|a, b| a.seat == b.seat).map(<[_]>::len).collect();
        let first = runs.len().checked_sub(turns)?;
        Some(runs[first..].iter().sum())
    }

    fn last_turn(&self) -> Option<LastTurn> {
        let turn = self.played.chunk_by(|a, b| a.seat == b.seat).next_back()?;
        let seat = turn.first()?.seat;
        Some(LastTurn { seat, actions: turn.iter().map(|played| played.text.clone()).collect() })
    }

    fn turns(&self) -> Vec<Turn> {
        let mut whole = self.clone();
        while whole.redo() {}
        let mut ply = 0;
        let turn = |played: &[Played<G>]| {
            ply += played.len();
            let actions = played.iter().map(|played| played.text.clone()).collect();
            Turn { seat: played[0].seat, actions, ply }
        };
        whole.played.chunk_by(|a, b| a.seat == b.seat).map(turn).collect()
    }

    fn play(&mut self, text: &str) -> Result<Vec<Event>, String> {
        let action = self.game.read(text).map_err(|refusal| refusal.to_string())?;
        let before = self.game.clone();
        self.play_legal(action);
        let mut events = before.events(action, &self.game);
        match self.game.outcome() {
            Some(Outcome { winner, reason }) => {
                events.push(Happening::Over { winner, reason: reason.into() }.into());
            }
            None if self.game.to_move() != before.to_move() => {
                events.push(Happening::Turn { seat: self.game.to_move() }.into());
            }
            None => {}
        }
        Ok(events)
    }

    fn retract(&mut self, actions: usize) {
        let first = self.played.len().saturating_sub(actions);
        while self.played.len() > first {
            self.take_back_last();
        }
    }

    fn undo(&mut self, actions: usize) {
        let first = self.played.len().saturating_sub(actions);
        while self.played.len() > first {
            let action = self.take_back_last();
            self.undone.extend(action);
        }
    }

    fn redo(&mut self) -> bool {
        let Some(action) = self.undone.pop() else { return false };
        self.play_legal(action);
        true
    }

    fn forget_undone(&mut self) {
        self.undone.clear();
    }

    fn copy(&self) -> Box<dyn Session> {
        Box::new(self.clone())
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(History::new(self.game.clone()))
    }

    fn choose(&self, question: &SearchRequest, control: &mut Control<'_>) -> Choice {
        search::choose(&self.game, question, control)
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<Vec<(String, u64)>> {
        let mut game = self.game.clone();
        let mut split = Vec::new();
        if depth == 0 {
            return Some(split);
        }
        for (text, action) in self.legal() {
            let undo = game.play(action);
            let nodes = perft(&mut game, depth - 1, stop)?;
            game.undo(action, undo);
            split.push((text, nodes));
        }
        Some(split)
    }
}

/// Whether somebody who is going to point at the cells of an action may have got so far: the first one comes first, the others in any order.
fn may_begin_with(cells: &[String], pointed_at: &[String]) -> bool {
    if cells.first() != pointed_at.first() {
        return false;
    }
    let mut left: Vec<&String> = cells.iter().collect();
    pointed_at.iter().all(|cell| {
        let place = left.iter().position(|other| *other == cell);
        place.map(|place| left.swap_remove(place)).is_some()
    })
}
