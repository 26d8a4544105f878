//! A table: one game under way, and who sits at it.

mod error;
mod player;
pub mod record;

use std::borrow::Cow;

use tabuleiro_protocol::line::LONGEST_LINE;
use tabuleiro_protocol::method::TableInfo;
use tabuleiro_protocol::{
    Cell, Direction, Edge, Ending, Event, Outcome, PerSeat, Player, Seat, State, Wanted,
};

pub use self::error::{Error, NotYourSeat, Occupant, TooFar};
pub use self::player::level_by_id;
use self::player::{check_player, unclaimed};
use crate::game::{Charset, capitalized};
use crate::random::seed_of;
use crate::session::{Numbers, Position, Session, bytes_in_record};

/// How many bytes the actions of a game may take in a record. So a record always fits into a line,
/// with all that stands there besides them, and whatever was played can be loaded.
pub const LONGEST_GAME: usize = LONGEST_LINE / 8 * 7;

/// Refuses what a game may not become.
fn check_length(text_bytes: usize) -> Result<(), Error> {
    if text_bytes > LONGEST_GAME { Err(Error::TooLong) } else { Ok(()) }
}

/// How far `undo` and `redo` go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    Turns(usize),
    Actions(usize),
}

impl Steps {
    /// One turn, if nothing is said.
    pub fn new(turns: Option<usize>, actions: Option<usize>) -> Result<Steps, Error> {
        match (turns, actions) {
            (Some(_), Some(_)) => Err(Error::field("actions", "give turns or actions, not both")),
            (Some(0), None) => Err(Error::field("turns", "must be at least 1")),
            (None, Some(0)) => Err(Error::field("actions", "must be at least 1")),
            (None, Some(actions)) => Ok(Steps::Actions(actions)),
            (turns, None) => Ok(Steps::Turns(turns.unwrap_or(1))),
        }
    }
}

/// One game, its players, and what only the table knows of it: who has resigned, and whether the
/// engine's own players wait.
#[derive(Clone, Debug)]
pub struct Table {
    id: String,
    session: Session,
    seats: PerSeat<Player>,
    resigned: Option<Seat>,
    held: bool,
    /// Lapses with everything that changes the game or who plays it.
    wanted: Option<Wanted>,
}

/// What an undo or redo would touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How many actions, a resignation included.
    pub actions: usize,
    /// Whose they are.
    pub seats: PerSeat<bool>,
}

impl Table {
    pub fn new(id: String, session: Session, mut seats: PerSeat<Player>) -> Result<Table, Error> {
        for seat in Seat::BOTH {
            check_player(&seats[seat], &format!("seats.{seat}"))?;
            seats[seat] = unclaimed(&seats[seat]);
        }
        Ok(Table { id, session, seats, resigned: None, held: false, wanted: None })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn set_id(&mut self, id: String) {
        self.id = id;
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What stands on the board.
    pub fn position(&self) -> &dyn Position {
        self.session.position()
    }

    /// Actions played.
    pub fn ply(&self) -> usize {
        self.session.history().ply()
    }

    pub fn seats(&self) -> &PerSeat<Player> {
        &self.seats
    }

    pub fn resigned(&self) -> Option<Seat> {
        self.resigned
    }

    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Whether the engine's own players wait.
    pub fn set_held(&mut self, held: bool) {
        self.held = held;
    }

    /// What somebody who plays here asks the other to agree to.
    pub fn wanted(&self) -> Option<&Wanted> {
        self.wanted.as_ref()
    }

    pub fn set_wanted(&mut self, wanted: Option<Wanted>) {
        self.wanted = wanted;
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned {
            Some(seat) => Some(Outcome { winner: Some(!seat), reason: "resign".into() }),
            None => self.position().outcome().map(Outcome::from),
        }
    }

    /// The outcome, for people.
    pub fn ending(&self) -> Option<Ending> {
        let Some(loser) = self.resigned else { return self.position().ending() };
        let sides = self.position().snapshot().sides;
        let name = |seat: Seat| sides[seat].clone().unwrap_or_else(|| format!("seat {seat}"));
        let text = format!("{} wins: {} resigned.", capitalized(&name(!loser)), name(loser));
        Some(Ending { winner: Some(!loser), reason: "resign".into(), text })
    }

    /// `None` once the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        if self.resigned.is_some() { None } else { self.position().to_move() }
    }

    /// Whose turn it is, who plays that seat, and the seed of the turn. `None` once the game is
    /// over, and while the table is held.
    pub fn to_act(&self) -> Option<(Seat, &Player, u64)> {
        let seat = self.to_move().filter(|_| !self.held)?;
        Some((seat, &self.seats[seat], self.seed_of_turn()))
    }

    /// Another one for every turn, yet the same ones whenever the same game is played.
    fn seed_of_turn(&self) -> u64 {
        let ply = self.ply() as u64;
        seed_of(self.session.setup().seed.wrapping_add(ply.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// The legal actions, sorted.
    pub fn actions(&self) -> Vec<String> {
        if self.resigned.is_some() { Vec::new() } else { self.position().actions() }
    }

    /// The codes of the legal actions, in the same order.
    pub fn codes(&self) -> Result<Vec<Vec<u32>>, Error> {
        let numbers = self.numbers()?;
        Ok(if self.resigned.is_some() { Vec::new() } else { numbers.codes() })
    }

    /// The position in numbers, where its game has any.
    pub fn numbers(&self) -> Result<Box<dyn Numbers + '_>, Error> {
        self.session.numbers().map_err(|error| Error::field("table", error.to_string()))
    }

    /// The table as it was when so many actions had been played, or will be when they are played
    /// again; as it is if nobody says when.
    pub fn at(&self, ply: Option<usize>) -> Result<Cow<'_, Table>, Error> {
        let now = self.ply();
        let Some(ply) = ply.filter(|&ply| ply != now) else { return Ok(Cow::Borrowed(self)) };
        let last = now + self.session.history().undone_count();
        if ply > last {
            return Err(Error::field("ply", format!("must be from 0 to {last}")));
        }
        let mut then = self.clone();
        then.resigned = None;
        then.wanted = None;
        then.session.undo(now.saturating_sub(ply));
        for _ in now..ply {
            then.session.redo();
        }
        Ok(Cow::Owned(then))
    }

    /// Why no legal action begins by pointing at these cells; `None` if one does.
    pub fn explain(&self, cells: &[String], edge: Option<Edge>) -> Result<Option<String>, Error> {
        let rows = self.position().snapshot().rows;
        let is_on_board = |cell: &Cell| {
            let row = rows.get(usize::from(cell.row));
            row.is_some_and(|row| usize::from(cell.column) < row.split(' ').count())
        };
        let read = |(index, text): (usize, &String)| {
            let cell = text.parse::<Cell>().ok().filter(is_on_board);
            cell.ok_or_else(|| Error::field(format!("cells[{index}]"), "must be a cell of the board"))
        };
        let cells: Vec<Cell> = cells.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        if self.to_move().is_none() {
            return Ok(Some("the game is over".into()));
        }
        Ok(self.position().explain(&cells, edge.map(Edge::name)))
    }

    pub fn render(&self, charset: Charset) -> String {
        let text = self.position().render(charset);
        let Some(seat) = self.resigned else { return text };
        // The game knows nothing of it, and its last line says whose turn it is.
        let board = text.trim_end().rsplit_once('\n').map_or("", |(board, _)| board);
        format!("{board}\nSeat {seat} has resigned: seat {} has won.\n", !seat)
    }

    pub fn state(&self) -> State {
        let (setup, history) = (self.session.setup(), self.session.history());
        let position = self.position().snapshot();
        let outcome = self.ending();
        let over = outcome.is_some();
        State {
            table: self.id.clone(),
            game: setup.game.into(),
            options: setup.options.values().clone(),
            seed: setup.seed,
            seats: self.seats.clone(),
            sides: position.sides,
            ply: history.ply(),
            turn: self.session.turn(),
            to_move: self.to_move(),
            phase: if over { "over".into() } else { position.phase.into() },
            prompt: if over { String::new() } else { position.prompt },
            rows: position.rows,
            counters: position.counters,
            last: history.last_turn(),
            outcome,
            undone: history.undone_count(),
            held: self.held,
            wanted: self.wanted.clone(),
        }
    }

    pub fn info(&self) -> TableInfo {
        TableInfo {
            table: self.id.clone(),
            game: self.session.setup().game.into(),
            ply: self.ply(),
            seats: self.seats.clone(),
            outcome: self.ending(),
        }
    }

    /// Plays actions of people: all of them, or none and the reason. `seats` are those of whoever
    /// wants to play.
    pub fn play(
        &mut self,
        actions: &[String],
        ply: Option<usize>,
        seats: PerSeat<bool>,
    ) -> Result<Vec<Event>, Error> {
        self.check_ply(ply)?;
        let may_play = |seat| seats[seat] && matches!(self.seats[seat], Player::Client { .. });
        self.play_as(PerSeat { one: may_play(Seat::One), two: may_play(Seat::Two) }, actions)
    }

    /// Plays the turn of one of the engine's own players, or of a bot.
    pub fn play_own(&mut self, actions: &[String]) -> Result<Vec<Event>, Error> {
        let is_own = |seat| !matches!(self.seats[seat], Player::Client { .. });
        self.play_as(PerSeat { one: is_own(Seat::One), two: is_own(Seat::Two) }, actions)
    }

    /// What would come of it if actions were played, whoever's they are.
    pub fn preview(&self, actions: &[String], ply: Option<usize>) -> Result<(State, Vec<Event>), Error> {
        self.check_ply(ply)?;
        let mut after = self.clone();
        let events = after.play_as(PerSeat { one: true, two: true }, actions)?;
        Ok((after.state(), events))
    }

    fn check_ply(&self, expected: Option<usize>) -> Result<(), Error> {
        let now = self.ply();
        match expected {
            Some(expected) if expected != now => Err(Error::Stale { now, expected }),
            _ => Ok(()),
        }
    }

    fn play_as(&mut self, seats: PerSeat<bool>, actions: &[String]) -> Result<Vec<Event>, Error> {
        if self.resigned.is_some() && !actions.is_empty() {
            return Err(Error::GameOver { index: Some(0) });
        }
        let more: usize = actions.iter().map(|action| bytes_in_record(action)).sum();
        check_length(self.session.history().text_bytes() + more)?;
        let events = self
            .session
            .play_as(seats, actions)
            .map_err(|error| Error::not_played(error, |seat| Occupant::from(&self.seats[seat])))?;
        self.held = false;
        self.wanted = None;
        Ok(events)
    }

    /// Refuses what only the one who plays a seat may do.
    pub fn not_your_seat(&self, seat: Seat) -> NotYourSeat {
        NotYourSeat { seat, occupant: Occupant::from(&self.seats[seat]), index: None }
    }

    /// Takes steps back or plays them again.
    pub fn go(&mut self, direction: Direction, steps: Steps) -> Result<(), Error> {
        match direction {
            Direction::Undo => self.undo(steps),
            Direction::Redo => self.redo(steps),
        }
    }

    /// What [`Table::go`] would touch.
    pub fn reach(&self, direction: Direction, steps: Steps) -> Result<Reach, Error> {
        let mut after = self.clone();
        after.go(direction, steps)?;
        let (first, last) = (self.ply().min(after.ply()), self.ply().max(after.ply()));
        let mut seats = PerSeat::default();
        for turn in self.session.history().turns() {
            seats[turn.seat] |= turn.ply > first && turn.ply - turn.actions.len() < last;
        }
        if let Some(seat) = self.resigned {
            seats[seat] = true;
        }
        Ok(Reach { actions: last - first + usize::from(self.resigned.is_some()), seats })
    }

    /// Takes steps back. A resignation is the first step to go.
    pub fn undo(&mut self, steps: Steps) -> Result<(), Error> {
        let history = self.session.history();
        let (played, resigned) = (history.ply(), usize::from(self.resigned.is_some()));
        let actions = match steps {
            Steps::Actions(wanted) => Some(wanted - resigned).filter(|&actions| actions <= played),
            Steps::Turns(wanted) => history.actions_in_last_turns(wanted - resigned),
        };
        let Some(actions) = actions else {
            return Err(Error::from(match steps {
                _ if played + resigned == 0 => TooFar::NothingPlayed,
                Steps::Actions(wanted) => TooFar::ActionsBack { played, wanted },
                Steps::Turns(wanted) => TooFar::TurnsBack { wanted },
            }));
        };
        self.session.undo(actions);
        self.resigned = None;
        self.held = true;
        self.wanted = None;
        Ok(())
    }

    /// Plays again what was taken back.
    pub fn redo(&mut self, steps: Steps) -> Result<(), Error> {
        let undone = self.session.history().undone_count();
        if self.resigned.is_some() || undone == 0 {
            return Err(TooFar::NothingUndone.into());
        }
        match steps {
            Steps::Actions(wanted) if wanted > undone => {
                return Err(TooFar::ActionsAgain { undone, wanted }.into());
            }
            Steps::Actions(wanted) => {
                for _ in 0..wanted {
                    self.session.redo();
                }
            }
            Steps::Turns(wanted) => {
                let mut actions = 0;
                for undone in 0..wanted {
                    match self.redo_turn() {
                        0 => {
                            self.session.undo(actions);
                            return Err(TooFar::TurnsAgain { undone, wanted }.into());
                        }
                        more => actions += more,
                    }
                }
            }
        }
        self.held = true;
        self.wanted = None;
        Ok(())
    }

    /// How many actions that took; none if there was nothing left.
    fn redo_turn(&mut self) -> usize {
        let seat = self.position().to_move();
        let mut actions = 0;
        while self.position().to_move() == seat && self.session.redo() {
            actions += 1;
        }
        actions
    }

    pub fn resign(&mut self, seat: Seat) -> Result<(), Error> {
        self.check_goes_on()?;
        if !matches!(self.seats[seat], Player::Client { .. }) {
            return Err(self.not_your_seat(seat).into());
        }
        self.resigned = Some(seat);
        self.wanted = None;
        Ok(())
    }

    /// Refuses what makes no sense once the game is over.
    pub fn check_goes_on(&self) -> Result<(), Error> {
        if self.to_move().is_some() { Ok(()) } else { Err(Error::GameOver { index: None }) }
    }

    /// Someone else sits down; the engine's own players go on.
    pub fn set_seat(&mut self, seat: Seat, player: Player) -> Result<(), Error> {
        check_player(&player, "to")?;
        self.seats[seat] = unclaimed(&player);
        self.held = false;
        self.wanted = None;
        Ok(())
    }

    /// Says of a seat that is played by a client whether another one than the table's maker may
    /// take it, and whether one has.
    pub fn set_claim(&mut self, seat: Seat, open: bool, claimed: bool) {
        if matches!(self.seats[seat], Player::Client { .. }) {
            self.seats[seat] = Player::Client { open, claimed };
            self.wanted = None;
        }
    }
}
