//! One game under way, whatever game it is: how it was set up, the position, and how it came about.

mod history;
mod numbers;
mod position;
mod tree;

use std::mem;

use serde_json::{Value, json};
use tabuleiro_protocol::{Event, PerSeat, Seat, Start};

use self::history::{Before, GameReplay, Replay};
pub use self::history::{History, bytes_in_record};
pub use self::numbers::{NoCode, NoNumbers, Numbers};
pub use self::position::{GoOn, PerftCount, Position, Snapshot};
use self::tree::Ply;
pub use self::tree::{LAST_NAME, LONGEST_COMMENT, Note, ROOT};
use crate::game::{Describe, GameOptions, SetupError};
use crate::search::Evaluate;

/// About what a game takes before anything was played.
const BYTES_AT_START: usize = 8 << 10;

/// About what a byte of JSON takes once it was read.
const BYTES_PER_JSON_BYTE: usize = 32;

/// A game under way. Actions are text here.
#[derive(Clone, Debug)]
pub struct Session {
    setup: Setup,
    game: Box<dyn Replay>,
    history: History,
}

/// What a game was begun with: enough to begin it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The id of the game.
    pub game: &'static str,
    pub options: GameOptions,
    pub seed: u64,
    /// The first position, however it was given.
    pub start: Start,
}

/// An action that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{action:?} is not legal here: {reason}")]
pub struct IllegalAction {
    pub action: String,
    /// Why, in one sentence for people.
    pub reason: String,
}

/// Why a list of actions cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct PlayError {
    /// Which of them it was.
    pub index: usize,
    pub why: NotPlayed,
}

/// Why an action cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlayed {
    #[error("the game is over")]
    GameOver,
    #[error("it is the turn of seat {0}")]
    TurnOf(Seat),
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

/// Why an action cannot have the node that a document gives it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlaced {
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
    #[error("the same action is there already, as node {0}")]
    Known(u32),
}

/// Why an action that is given by its code cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeNotPlayed {
    #[error(transparent)]
    NoNumbers(#[from] NoNumbers),
    #[error(transparent)]
    NoCode(#[from] NoCode),
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
}

impl Session {
    /// A game at its start, or from a position given from outside.
    pub fn open<G: Describe + Evaluate>(
        options: GameOptions,
        seed: u64,
        mut start: Option<Start>,
    ) -> Result<Session, SetupError> {
        if let Some(start) = &mut start {
            // Into a new map: one from which something is removed keeps the room for it.
            let known = |(name, _): &(String, Value)| G::START_MEMBERS.contains(&name.as_str());
            start.extra = mem::take(&mut start.extra).into_iter().filter(known).collect();
        }
        let game = match &start {
            None => G::start(&options, seed),
            Some(start) => G::set_up(&options, start)?,
        };
        let to_move = Position::to_move(&game);
        let start = start.unwrap_or_else(|| Start { rows: game.rows(), to_move, ..Start::default() });
        Ok(Session {
            setup: Setup { game: G::ID, options, seed, start },
            game: Box::new(GameReplay::new(game)),
            history: History::default(),
        })
    }

    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Changes what is left to chance from here on; the first position stays as it was drawn.
    pub fn reseed(&mut self, seed: u64) {
        self.setup.seed = seed;
    }

    pub fn position(&self) -> &dyn Position {
        self.game.position()
    }

    /// The position in numbers, where its game has any.
    pub fn numbers(&self) -> Result<Box<dyn Numbers + '_>, NoNumbers> {
        self.position().numbers().ok_or(NoNumbers { game: self.setup.game })
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let start = &self.setup.start;
        let extra = if start.extra.is_empty() { 0 } else { json!(start.extra).to_string().len() };
        let rows: usize = start.rows.iter().map(String::len).sum();
        let actions = self.history.nodes() * self.bytes_per_action();
        BYTES_AT_START + rows + extra * BYTES_PER_JSON_BYTE + actions + self.history.note_bytes()
    }

    /// About how many bytes every action adds.
    pub fn bytes_per_action(&self) -> usize {
        // A vector that grows is up to twice as long as what is in it.
        2 * (self.game.bytes_per_action() + History::BYTES_PER_ACTION)
    }

    /// Turns finished.
    pub fn turn(&self) -> usize {
        let last = self.history.last_seat();
        let is_unfinished = last.is_some() && last == self.position().to_move();
        self.history.begun_turns() - usize::from(is_unfinished)
    }

    /// Plays a legal action, or says why it is none and leaves everything as it was.
    /// What was taken back before cannot be played again by [`Session::redo`]: it is a variation.
    pub fn play(&mut self, action: &str) -> Result<Vec<Event>, IllegalAction> {
        let (ply, events) =
            self.game.play(action).map_err(|reason| IllegalAction { action: action.into(), reason })?;
        let node = self.history.push(ply);
        self.game.name(node);
        Ok(events)
    }

    /// Plays an action, whoever's it is, and does not say what happens on the board.
    pub fn play_unseen(&mut self, action: &str) -> Result<(), NotPlayed> {
        let ply = self.try_unseen(action)?;
        let node = self.history.push(ply);
        self.game.name(node);
        Ok(())
    }

    /// The same by the name of its node and its place among the continuations, which a document
    /// gives. Nobody may have that name.
    pub fn play_as_node(&mut self, action: &str, node: u32, place: Option<usize>) -> Result<(), NotPlaced> {
        let ply = self.try_unseen(action)?;
        if let Some(known) = self.history.next(&ply.text) {
            self.game.undo();
            return Err(NotPlaced::Known(known));
        }
        self.history.push_as(node, place, ply);
        self.game.name(node);
        Ok(())
    }

    /// Nothing can be played again.
    pub fn end_line(&mut self) {
        self.history.end_line();
    }

    fn try_unseen(&mut self, action: &str) -> Result<Ply, NotPlayed> {
        if self.position().to_move().is_none() {
            return Err(NotPlayed::GameOver);
        }
        let played = self.game.play_unseen(action);
        Ok(played.map_err(|reason| IllegalAction { action: action.into(), reason })?)
    }

    /// The same for an action that is given by its code.
    pub fn play_code(&mut self, code: &[u32]) -> Result<(), CodeNotPlayed> {
        let action = self.numbers()?.action(code)?;
        Ok(self.play_unseen(&action)?)
    }

    /// Plays actions, whoever's they are: all of them, or none.
    pub fn play_all(&mut self, actions: &[String]) -> Result<Vec<Event>, PlayError> {
        self.play_as(PerSeat { one: true, two: true }, actions)
    }

    /// Plays actions of some seats only: all of them, or none.
    pub fn play_as(&mut self, seats: PerSeat<bool>, actions: &[String]) -> Result<Vec<Event>, PlayError> {
        self.play_if(seats, actions, |_| Ok(()))
    }

    /// The same, but nothing is played if the game that would come of it is refused.
    pub fn play_if<E: From<PlayError>>(
        &mut self,
        seats: PerSeat<bool>,
        actions: &[String],
        check: impl FnOnce(&Session) -> Result<(), E>,
    ) -> Result<Vec<Event>, E> {
        let before = self.history.before();
        let mut events = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            let played = match self.position().to_move() {
                None => Err(NotPlayed::GameOver),
                Some(seat) if !seats[seat] => Err(NotPlayed::TurnOf(seat)),
                Some(_) => self.play(action).map_err(NotPlayed::from),
            };
            match played {
                Ok(more) => events.extend(more),
                Err(why) => {
                    self.roll_back(before, index);
                    return Err(PlayError { index, why }.into());
                }
            }
        }
        match check(self) {
            Ok(()) => Ok(events),
            Err(error) => {
                self.roll_back(before, actions.len());
                Err(error)
            }
        }
    }

    fn roll_back(&mut self, before: Before, actions: usize) {
        for _ in 0..actions {
            self.game.undo();
        }
        let gone = self.history.roll_back(before);
        self.game.forget(&gone);
    }

    /// Takes back the last actions for good, and all that could be played again; there must be so
    /// many.
    pub fn retract(&mut self, actions: usize) {
        self.undo(actions);
        let gone = self.history.retract();
        self.game.forget(&gone);
    }

    /// Takes back the last actions; at most all that there are.
    pub fn undo(&mut self, actions: usize) {
        for _ in 0..actions {
            if !self.history.undo() {
                break;
            }
            self.game.undo();
        }
    }

    /// Plays the next action of the line. `false` if there is none.
    pub fn redo(&mut self) -> bool {
        let next = self.history.redo();
        if let Some(node) = next {
            self.game.step(node);
        }
        next.is_some()
    }

    /// Goes to a node. The line stays as it is if the node is on it; otherwise it is the one to the
    /// node, and goes on from there as the main line does. `false` if there is no such node.
    pub fn go_to(&mut self, node: u32) -> bool {
        self.walk_to(node, true)
    }

    /// The same, for one who is on the way to somewhere else.
    pub fn pass_by(&mut self, node: u32) -> bool {
        self.walk_to(node, false)
    }

    fn walk_to(&mut self, node: u32, go_on: bool) -> bool {
        let Some((back, ahead)) = self.history.way_to(node) else { return false };
        for _ in back {
            self.game.undo();
        }
        for &next in &ahead {
            self.game.step(next);
        }
        self.history.stand_at(node, &ahead, go_on);
        true
    }

    /// Deletes a node other than the start, and all that comes after it, so that it can be restored.
    /// The game goes back if it stands there.
    pub fn delete(&mut self, node: u32) {
        if self.history.is_played(node) {
            let ply = self.history.ply_of(node).unwrap_or_default();
            self.undo(self.history.ply() + 1 - ply);
        }
        let forgotten = self.history.delete(node);
        self.game.forget(&forgotten);
    }

    /// Puts back what was deleted last. `false` if there is nothing.
    pub fn restore(&mut self) -> bool {
        let can_restore = self.history.can_restore();
        if can_restore {
            let needless = self.history.restore();
            self.game.forget(&needless);
        }
        can_restore
    }

    /// Moves the variation to which a node belongs one place forward, or all the way. `false` if it
    /// is in front already.
    pub fn promote(&mut self, node: u32, all_the_way: bool) -> bool {
        self.history.promote(node, all_the_way)
    }

    /// Changes what is noted about a node.
    pub fn annotate(&mut self, node: u32, change: impl FnOnce(&mut Note)) {
        self.history.annotate(node, change);
    }

    /// Whether it is noted from now on which nodes change.
    pub fn follow(&mut self, follows: bool) {
        self.history.follow(follows);
    }

    /// Nodes that changed since this was last asked for, and nodes that are gone.
    pub fn take_touched(&mut self) -> (Vec<u32>, Vec<u32>) {
        self.history.take_touched()
    }

    /// What [`Session::make_room`] could free if the line ended here: bytes of a record, and bytes of
    /// memory.
    pub fn forgettable(&self) -> (usize, usize) {
        let (bytes, nodes) = self.history.forgettable();
        (bytes, nodes * self.bytes_per_action())
    }

    /// Forgets what was deleted, and then variations in which nothing is noted, the oldest first,
    /// until that is enough.
    pub fn make_room(&mut self, enough: impl Fn(&History) -> bool) {
        let gone = self.history.forget(enough);
        self.game.forget(&gone);
    }

    /// A copy without variations and notes, for somebody who only plays on.
    pub fn alone(&self) -> Session {
        Session { setup: self.setup.clone(), game: self.game.clone(), history: self.history.alone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::zurero::Zurero;

    fn actions(actions: &[&str]) -> Vec<String> {
        actions.iter().copied().map(String::from).collect()
    }

    fn session() -> Session {
        let options = GameOptions::default_of(&Zurero::options());
        let mut session = Session::open::<Zurero>(options, 1, None).expect("a start");
        session.play_all(&actions(&["@j10", "W10", "e10"])).expect("legal actions");
        session
    }

    #[test]
    fn what_was_taken_back_can_be_played_again_until_something_else_is() {
        let mut session = session();
        session.undo(2);
        assert_eq!(session.history().played(), ["@j10"]);
        assert_eq!(session.history().undone(), ["w10", "e10"]);
        let turns: Vec<_> = session.history().turns().into_iter().map(|turn| (turn.seat, turn.ply)).collect();
        assert_eq!(turns, [(Seat::One, 1), (Seat::Two, 2), (Seat::One, 3)]);

        let error = session.play_all(&actions(&["nj", "nowhere"])).expect_err("there is no such action");
        assert!(matches!(error, PlayError { index: 1, why: NotPlayed::Illegal(_) }));
        assert_eq!(session.history().undone(), ["w10", "e10"]);
        assert!(session.redo());
        assert_eq!((session.history().ply(), session.turn()), (2, 2));

        session.play("nj").expect("a legal action");
        assert_eq!(session.history().undone_count(), 0);
        assert!(!session.redo());
        session.undo(99);
        assert_eq!((session.history().ply(), session.history().undone_count()), (0, 3));
    }

    #[test]
    fn what_is_deleted_or_no_longer_noted_takes_nothing_in_a_record() {
        let mut session = session();
        session.undo(2);
        session.play_all(&actions(&["nj", "e10"])).expect("legal actions");
        let with_variation = session.history().record_bytes();
        session.delete(2);
        let without = session.history().record_bytes();
        assert_eq!(session.history().deleted_bytes(), with_variation - without);
        session.annotate(1, |note| note.comment = Some("why?".into()));
        assert!(session.history().record_bytes() > without);
        session.annotate(1, |note| note.comment = None);
        assert!(session.history().record_bytes() == without && session.history().note(1).is_none());
        assert!(session.restore());
        assert_eq!(session.history().record_bytes(), with_variation);
    }

    #[test]
    fn only_the_seats_that_may_play_do() {
        let mut session = session();
        let seat = session.position().to_move().expect("the game goes on");
        let mut seats = PerSeat { one: false, two: false };
        seats[!seat] = true;
        let error = session.play_as(seats, &actions(&["w10"])).expect_err("it is the other's turn");
        assert_eq!(error, PlayError { index: 0, why: NotPlayed::TurnOf(seat) });
    }

    #[test]
    fn a_session_can_be_set_up_again() {
        let first = session();
        let Setup { options, seed, start, .. } = first.setup().clone();
        let mut second = Session::open::<Zurero>(options, seed, Some(start)).expect("the same start");
        second.play_all(&first.history().played()).expect("the same actions");
        assert_eq!(second.setup(), first.setup());
        assert_eq!(second.position().snapshot(), first.position().snapshot());
        assert_eq!(second.history(), first.history());
    }
}
