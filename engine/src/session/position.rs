//! A position of any game, behind one interface.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};
use tabuleiro_protocol::method::Playouts;
use tabuleiro_protocol::{Cell, Choice, Detail, Ending, Fact, Overlay, PerSeat, Score, Seat, StartMember};

use super::numbers::{Encoded, Numbers};
use crate::game::{Book, Describe, Drawing, Game, Outcome, ShippedBook, capitalized};
use crate::perft::perft;
use crate::playout::playouts;
use crate::search::{self, Control, Cost, Evaluate, SearchRequest};
use crate::solver::{self, ForcedWin, OutOfEffort, Shortest};

/// Whoever proves something asks for every position whether to go on.
pub type GoOn<'a> = &'a mut dyn FnMut() -> bool;

/// The token of an empty cell.
const EMPTY: &str = ".";

/// A position of a game, whatever game it is. Actions are text here.
pub trait Position: Send + Sync + fmt::Debug {
    /// `None` once the game is over.
    fn to_move(&self) -> Option<Seat>;

    fn outcome(&self) -> Option<Outcome>;

    /// The outcome, for people.
    fn ending(&self) -> Option<Ending>;

    /// What people and clients are shown of it.
    fn snapshot(&self) -> Snapshot;

    fn render(&self, drawing: Drawing) -> String;

    /// What is where, and what counts beside it, in words: one line a kind of piece.
    fn in_words(&self) -> String;

    /// The legal actions, sorted.
    fn actions(&self) -> Vec<String>;

    /// The legal actions in detail, sorted.
    fn details(&self) -> Vec<Detail>;

    /// What a position given from outside has besides its rows.
    fn start_members(&self) -> Vec<StartMember>;

    /// What helps people to read the board.
    fn overlays(&self) -> Vec<Overlay>;

    /// What could happen on the board within a turn.
    fn reach(&self) -> Vec<Overlay>;

    /// What counts beside the board, in words.
    fn facts(&self) -> Vec<Fact>;

    /// The book that the game comes with.
    fn book(&self) -> Option<&'static Book>;

    /// See [`Describe::SYMMETRIC`].
    fn is_symmetric(&self) -> bool;

    /// What is to be pointed at next after these cells, at least one, with which a legal action
    /// begins.
    fn next_step(&self, cells: &[Cell]) -> Option<String>;

    /// Why no legal action begins by pointing at these cells of the board, at least one; `None` if
    /// one does. The game must not be over.
    fn explain(&self, cells: &[Cell], edge: Option<&str>) -> Option<String>;

    /// The position in numbers, if its game has any.
    fn numbers(&self) -> Option<Box<dyn Numbers + '_>>;

    /// The rest of the turn by a computer player. The game must not be over.
    fn choose(&self, request: &SearchRequest, control: &mut Control<'_>) -> Choice;

    /// What such a search takes at most.
    fn cost(&self, request: &SearchRequest) -> Cost;

    /// The static evaluation for the seat to move. The game must not be over.
    fn evaluation(&self) -> Score;

    /// So many random games from here, as they went for the seat to move. `None` if it was stopped.
    /// The game must not be over.
    fn playouts(&self, count: u64, seed: u64, stop: &AtomicBool) -> Option<Playouts>;

    /// How many ways there are to play `depth` actions from here. `None` if it was stopped.
    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<PerftCount>;

    /// See [`solver::winning_turn`]. The game must not be over.
    fn winning_turn(&self, turns: u32, go_on: GoOn<'_>) -> Result<Option<(Vec<String>, u32)>, OutOfEffort>;

    /// See [`solver::saving_turn`]. The game must not be over.
    fn saving_turn(&self, turns: u32, go_on: GoOn<'_>) -> Result<Option<Vec<String>>, OutOfEffort>;

    /// See [`solver::winning_turns`]. The game must not be over.
    fn winning_turns(
        &self,
        turns: u32,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Vec<Vec<String>>, OutOfEffort>;

    /// See [`solver::saving_turns`]. The game must not be over.
    fn saving_turns(&self, turns: u32, most: usize, go_on: GoOn<'_>)
    -> Result<Vec<Vec<String>>, OutOfEffort>;

    /// See [`solver::forced_win`]. The game must not be over.
    fn forced_win(
        &self,
        most_turns: u32,
        replies: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<ForcedWin<Vec<String>>>, OutOfEffort>;

    /// See [`solver::shortest_win`]. The game must not be over.
    fn shortest_win(&self, turns: u32, go_on: GoOn<'_>) -> Shortest;

    /// A copy for somebody who looks at nothing else.
    fn to_boxed(&self) -> Box<dyn Position>;
}

/// A position in words and signs.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The part of the turn or the game, in one of the protocol's words.
    pub phase: &'static str,
    /// What the seat to move is expected to do; nothing once the game is over.
    pub prompt: String,
    /// What each seat plays, where it has been settled.
    pub sides: PerSeat<Option<String>>,
    /// The board, one string a row.
    pub rows: Vec<String>,
    /// What counts beside the board.
    pub counters: Map<String, Value>,
}

/// What a perft has counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCount {
    pub nodes: u64,
    /// By first action, sorted; none for depth 0.
    pub split: Vec<(String, u64)>,
}

impl<G: Describe + Evaluate> Position for G {
    fn to_move(&self) -> Option<Seat> {
        Game::outcome(self).is_none().then(|| Game::to_move(self))
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }

    fn ending(&self) -> Option<Ending> {
        let outcome = Game::outcome(self)?;
        let text = Describe::ending(self, outcome);
        Some(Ending { winner: outcome.winner, reason: outcome.reason.into(), text })
    }

    fn snapshot(&self) -> Snapshot {
        let [one, two] = self.sides().map(|side| side.map(String::from));
        Snapshot {
            phase: self.phase(),
            prompt: self.prompt(),
            sides: PerSeat { one, two },
            rows: self.rows(),
            counters: self.counters(),
        }
    }

    fn render(&self, drawing: Drawing) -> String {
        Describe::render(self, drawing)
    }

    fn in_words(&self) -> String {
        let mut things: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (row, tokens) in Describe::rows(self).iter().enumerate() {
            let tokens = tokens.split(' ').filter(|token| !token.is_empty()).enumerate();
            for (column, token) in tokens.filter(|(_, token)| *token != EMPTY) {
                let cell = Cell::new(column as u8, row as u8).to_string();
                things.entry(Self::things(token)).or_default().push(cell);
            }
        }
        let mut lines: Vec<String> =
            things.iter().map(|(name, cells)| format!("{name}: {}.", cells.join(", "))).collect();
        if lines.is_empty() {
            lines.push("The board is empty.".into());
        }
        for fact in Describe::facts(self) {
            let side = fact.seat.and_then(|seat| Describe::sides(self)[seat.index()]);
            // "Light: 3 islands", and of what else is its own "Light, circles: 2 islands".
            let name = match side.map(capitalized).filter(|side| *side != fact.name) {
                Some(side) => format!("{side}, {}", fact.name.to_lowercase()),
                None => fact.name,
            };
            lines.push(format!("{name}: {}.", fact.text));
        }
        lines.join("\n")
    }

    fn actions(&self) -> Vec<String> {
        legal(self).into_iter().map(|(text, _)| text).collect()
    }

    fn details(&self) -> Vec<Detail> {
        legal(self).into_iter().map(|(_, action)| self.detail(action)).collect()
    }

    fn start_members(&self) -> Vec<StartMember> {
        <Self as Describe>::start_members()
    }

    fn overlays(&self) -> Vec<Overlay> {
        Describe::overlays(self)
    }

    fn reach(&self) -> Vec<Overlay> {
        Describe::reach(self)
    }

    fn facts(&self) -> Vec<Fact> {
        Describe::facts(self)
    }

    fn book(&self) -> Option<&'static Book> {
        Describe::book(self).map(ShippedBook::get)
    }

    fn is_symmetric(&self) -> bool {
        Self::SYMMETRIC
    }

    fn next_step(&self, cells: &[Cell]) -> Option<String> {
        Describe::next_step(self, cells)
    }

    fn explain(&self, cells: &[Cell], edge: Option<&str>) -> Option<String> {
        let pointed_at: Vec<String> = cells.iter().map(Cell::to_string).collect();
        let begins_so = |detail: &Detail| {
            may_begin_with(&detail.cells, &pointed_at) && (edge.is_none() || detail.edge.as_deref() == edge)
        };
        let mut actions = Vec::new();
        Game::actions(self, &mut actions);
        let possible = actions.into_iter().any(|action| begins_so(&self.detail(action)));
        (!possible).then(|| Describe::explain(self, cells, edge))
    }

    fn numbers(&self) -> Option<Box<dyn Numbers + '_>> {
        self.encoding().map(|encoding| Box::new(Encoded { game: self, encoding }) as Box<dyn Numbers>)
    }

    fn choose(&self, request: &SearchRequest, control: &mut Control<'_>) -> Choice {
        search::choose(self, request, control)
    }

    fn cost(&self, request: &SearchRequest) -> Cost {
        search::cost(self, request)
    }

    fn evaluation(&self) -> Score {
        search::static_score(self)
    }

    fn playouts(&self, count: u64, seed: u64, stop: &AtomicBool) -> Option<Playouts> {
        playouts(self, Game::to_move(self), count, seed, stop)
    }

    fn perft(&self, depth: u32, stop: &AtomicBool) -> Option<PerftCount> {
        if depth == 0 {
            return Some(PerftCount { nodes: 1, split: Vec::new() });
        }
        let mut game = self.clone();
        let mut split = Vec::new();
        for (text, action) in legal(self) {
            let undo = game.play(action);
            let nodes = perft(&mut game, depth - 1, stop)?;
            game.undo(action, undo);
            split.push((text, nodes));
        }
        Some(PerftCount { nodes: split.iter().map(|(_, nodes)| nodes).sum(), split })
    }

    fn winning_turn(&self, turns: u32, go_on: GoOn<'_>) -> Result<Option<(Vec<String>, u32)>, OutOfEffort> {
        let found = solver::winning_turn(self, turns, go_on)?;
        Ok(found.map(|(turn, turns)| (texts(self, &turn), turns)))
    }

    fn saving_turn(&self, turns: u32, go_on: GoOn<'_>) -> Result<Option<Vec<String>>, OutOfEffort> {
        Ok(solver::saving_turn(self, turns, go_on)?.map(|turn| texts(self, &turn)))
    }

    fn winning_turns(
        &self,
        turns: u32,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Vec<Vec<String>>, OutOfEffort> {
        let found = solver::winning_turns(self, turns, most, go_on)?;
        Ok(found.iter().map(|turn| texts(self, turn)).collect())
    }

    fn saving_turns(
        &self,
        turns: u32,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Vec<Vec<String>>, OutOfEffort> {
        let found = solver::saving_turns(self, turns, most, go_on)?;
        Ok(found.iter().map(|turn| texts(self, turn)).collect())
    }

    fn forced_win(
        &self,
        most_turns: u32,
        replies: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<ForcedWin<Vec<String>>>, OutOfEffort> {
        let found = solver::forced_win(self, most_turns, replies, go_on)?;
        let in_text = |first: &[Vec<G::Action>]| first.iter().map(|turn| texts(self, turn)).collect();
        Ok(found.map(|ForcedWin { turns, first }| ForcedWin { turns, first: in_text(&first) }))
    }

    fn shortest_win(&self, turns: u32, go_on: GoOn<'_>) -> Shortest {
        solver::shortest_win(self, turns, go_on)
    }

    fn to_boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

/// The legal actions, sorted by their spelling.
pub(super) fn legal<G: Describe>(game: &G) -> Vec<(String, G::Action)> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let mut legal: Vec<_> = actions.into_iter().map(|action| (game.write(action), action)).collect();
    legal.sort_by(|a, b| a.0.cmp(&b.0));
    legal
}

/// Actions that are played one after the other.
fn texts<G: Describe>(game: &G, actions: &[G::Action]) -> Vec<String> {
    let mut game = game.clone();
    let write = |&action: &G::Action| {
        let text = game.write(action);
        game.play(action);
        text
    };
    actions.iter().map(write).collect()
}

/// Whether somebody who is going to point at the cells of an action may have got so far: the first
/// one comes first, the others in any order.
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
