//! What was played in a game, and what was taken back and can be played again.

use std::fmt;

use tabuleiro_protocol::{Event, Happening, LastTurn, Seat, Turn};

use super::Position;
use crate::game::{Describe, Game, Outcome};
use crate::search::Evaluate;

/// The actions of a game, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    played: Vec<Ply>,
    /// The one taken back last comes last.
    undone: Vec<Ply>,
    /// What `played` takes in a record.
    text_bytes: usize,
}

/// One action of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    pub(super) seat: Seat,
    pub(super) text: String,
}

impl History {
    /// The action, and about what its text takes.
    pub(super) const BYTES_PER_ACTION: usize = size_of::<Ply>() + 32;

    /// Actions played.
    pub fn ply(&self) -> usize {
        self.played.len()
    }

    /// How many bytes what was played takes in a record.
    pub fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// Everything that was played, from the start.
    pub fn played(&self) -> Vec<String> {
        texts(&self.played)
    }

    /// Everything that was taken back and can be played again, the next one first.
    pub fn undone(&self) -> Vec<String> {
        self.undone.iter().rev().map(|ply| ply.text.clone()).collect()
    }

    pub fn undone_count(&self) -> usize {
        self.undone.len()
    }

    /// Turns that were begun.
    pub(super) fn begun_turns(&self) -> usize {
        turns(&self.played).count()
    }

    pub(super) fn last_seat(&self) -> Option<Seat> {
        self.played.last().map(|ply| ply.seat)
    }

    /// How many actions the last so many turns took, a turn that is still being made included.
    /// `None` if there were fewer turns.
    pub fn actions_in_last_turns(&self, count: usize) -> Option<usize> {
        let lengths: Vec<usize> = turns(&self.played).map(<[_]>::len).collect();
        let first = lengths.len().checked_sub(count)?;
        Some(lengths[first..].iter().sum())
    }

    /// The last turn, or the part of it made so far.
    pub fn last_turn(&self) -> Option<LastTurn> {
        let turn = turns(&self.played).next_back()?;
        Some(LastTurn { seat: turn.first()?.seat, actions: texts(turn) })
    }

    /// Every turn from the start, those that were taken back and can be played again included.
    pub fn turns(&self) -> Vec<Turn> {
        let all: Vec<Ply> = self.played.iter().chain(self.undone.iter().rev()).cloned().collect();
        let mut ply = 0;
        let turn = |turn: &[Ply]| {
            ply += turn.len();
            Turn { seat: turn[0].seat, actions: texts(turn), ply }
        };
        turns(&all).map(turn).collect()
    }

    pub(super) fn push(&mut self, ply: Ply) {
        self.text_bytes += bytes_in_record(&ply.text);
        self.played.push(ply);
    }

    /// `false` if nothing was played.
    pub(super) fn undo(&mut self) -> bool {
        let ply = self.played.pop();
        let is_undone = ply.is_some();
        self.text_bytes -= ply.as_ref().map_or(0, |ply| bytes_in_record(&ply.text));
        self.undone.extend(ply);
        is_undone
    }

    /// `false` if nothing was taken back.
    pub(super) fn redo(&mut self) -> bool {
        let ply = self.undone.pop();
        let is_redone = ply.is_some();
        self.text_bytes += ply.as_ref().map_or(0, |ply| bytes_in_record(&ply.text));
        self.played.extend(ply);
        is_redone
    }

    /// Forgets the last so many that were taken back.
    pub(super) fn forget(&mut self, count: usize) {
        self.undone.truncate(self.undone.len().saturating_sub(count));
    }
}

/// How many bytes an action takes in a record: with quotes and a comma.
pub fn bytes_in_record(action: &str) -> usize {
    action.len() + 3
}

/// Runs of actions by one seat.
fn turns(plies: &[Ply]) -> impl DoubleEndedIterator<Item = &[Ply]> {
    plies.chunk_by(|a, b| a.seat == b.seat)
}

fn texts(plies: &[Ply]) -> Vec<String> {
    plies.iter().map(|ply| ply.text.clone()).collect()
}

/// A game that knows how to go back and forth; its typed side of a [`History`].
pub(super) trait Replay: Send + Sync + fmt::Debug {
    fn position(&self) -> &dyn Position;

    /// Plays a legal action, or says why it is none and leaves everything as it was.
    fn play(&mut self, text: &str) -> Result<(Ply, Vec<Event>), String>;

    /// The same for those who do not look at what happens on the board, which takes longer to tell
    /// than to do.
    fn play_unseen(&mut self, text: &str) -> Result<Ply, String>;

    /// Takes back the last action; there must be one.
    fn undo(&mut self);

    /// Plays the action again that was taken back last; there must be one.
    fn redo(&mut self);

    /// Forgets the last so many actions that were taken back.
    fn forget(&mut self, count: usize);

    /// About how many bytes every action adds.
    fn bytes_per_action(&self) -> usize;

    fn to_boxed(&self) -> Box<dyn Replay>;
}

impl Clone for Box<dyn Replay> {
    fn clone(&self) -> Self {
        self.to_boxed()
    }
}

#[derive(Clone, Debug)]
pub(super) struct GameReplay<G: Game> {
    game: G,
    played: Vec<(G::Action, G::Undo)>,
    undone: Vec<G::Action>,
}

impl<G: Game> GameReplay<G> {
    pub(super) fn new(game: G) -> GameReplay<G> {
        GameReplay { game, played: Vec::new(), undone: Vec::new() }
    }

    fn play_legal(&mut self, action: G::Action) {
        let undo = self.game.play(action);
        self.played.push((action, undo));
    }
}

impl<G: Describe + Evaluate> Replay for GameReplay<G> {
    fn position(&self) -> &dyn Position {
        &self.game
    }

    fn play(&mut self, text: &str) -> Result<(Ply, Vec<Event>), String> {
        let action = self.game.read(text).map_err(|refusal| refusal.to_string())?;
        let before = self.game.clone();
        let seat = Game::to_move(&before);
        self.play_legal(action);
        let mut events = before.events(action, &self.game);
        match Game::outcome(&self.game) {
            Some(Outcome { winner, reason }) => {
                events.push(Happening::Over { winner, reason: reason.into() }.into());
            }
            None => {
                let next = Game::to_move(&self.game);
                if next != seat {
                    events.push(Happening::Turn { seat: next }.into());
                }
            }
        }
        Ok((Ply { seat, text: before.write(action) }, events))
    }

    fn play_unseen(&mut self, text: &str) -> Result<Ply, String> {
        let action = self.game.read(text).map_err(|refusal| refusal.to_string())?;
        let ply = Ply { seat: Game::to_move(&self.game), text: self.game.write(action) };
        self.play_legal(action);
        Ok(ply)
    }

    fn undo(&mut self) {
        if let Some((action, undo)) = self.played.pop() {
            self.game.undo(action, undo);
            self.undone.push(action);
        }
    }

    fn redo(&mut self) {
        if let Some(action) = self.undone.pop() {
            self.play_legal(action);
        }
    }

    fn forget(&mut self, count: usize) {
        self.undone.truncate(self.undone.len().saturating_sub(count));
    }

    fn bytes_per_action(&self) -> usize {
        size_of::<(G::Action, G::Undo)>() + size_of::<G::Action>()
    }

    fn to_boxed(&self) -> Box<dyn Replay> {
        Box::new(self.clone())
    }
}
