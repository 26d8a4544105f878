//! A table: one game under way, and who sits at it.

mod error;
mod player;
pub mod record;
pub mod text;
pub mod threat;

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use tabuleiro_protocol::line::LONGEST_LINE;
use tabuleiro_protocol::method::{Replayed, ReplayedStep, TableInfo};
use tabuleiro_protocol::shape::{self, Unknown};
use tabuleiro_protocol::{
    Cell, Choice, Direction, Edge, Ending, Evaluation, Event, Mark, Outcome, PerSeat, Player, Seat, Start,
    State, Stopped, Wanted,
};

pub use self::error::{Error, NotYourSeat, Occupant, TooFar};
pub use self::player::level_by_id;
use self::player::{check_player, check_players, unclaimed};
use crate::game::{Drawing, capitalized};
use crate::random::seed_of;
use crate::session::{LONGEST_COMMENT, Note, Numbers, PlayError, Position, ROOT, Session};

/// How many bytes the tree of a game may take in a record. So a record always fits into a line, with
/// all that stands there besides it, and whatever was played can be loaded.
pub const LONGEST_GAME: usize = LONGEST_LINE / 8 * 7;

/// How far a game that has become too long is shortened, so that this is not needed with every turn.
const SHORTENED_GAME: usize = LONGEST_GAME / 16 * 15;

/// Refuses what a game may not become, even if all is forgotten that may be.
fn check_length(session: &Session) -> Result<(), Error> {
    let bytes = session.history().record_bytes();
    if bytes > LONGEST_GAME && bytes - session.forgettable().0 > LONGEST_GAME {
        return Err(Error::TooLong);
    }
    Ok(())
}

/// Whether what is known of a position is not to be forgotten for this: it is proved, or it comes
/// from a long search that was ended by hand.
fn says_more(known: &Choice, found: &Choice) -> bool {
    let is_long = known.stopped == Stopped::Cancelled && known.nodes > found.nodes;
    found.score.proved.is_none() && (is_long || known.score.proved.is_some())
}

/// The options of a table's game, as they are given to open another one.
fn options_of(table: &Table) -> Map<String, Value> {
    let options = table.session().setup().options.values();
    options.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

/// Why something was not played at a table.
enum Refused {
    ByTheGame(PlayError),
    ByTheTable(Error),
}

impl From<PlayError> for Refused {
    fn from(error: PlayError) -> Refused {
        Refused::ByTheGame(error)
    }
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

/// Where to go in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    Undo(Steps),
    Redo(Steps),
    /// To a node.
    To(u32),
}

impl Way {
    /// The method that goes there.
    pub fn method(self) -> Direction {
        match self {
            Way::Undo(_) => Direction::Undo,
            Way::Redo(_) => Direction::Redo,
            Way::To(_) => Direction::Goto,
        }
    }

    /// The node that was named.
    pub fn node(self) -> Option<u32> {
        if let Way::To(node) = self { Some(node) } else { None }
    }
}

/// One game, its players, and what only the table knows of it: whether the engine's own players
/// wait, and what somebody asks for.
#[derive(Clone, Debug)]
pub struct Table {
    id: String,
    session: Session,
    seats: PerSeat<Player>,
    held: bool,
    /// After so many turns of the engine's own players the table is held.
    own_turns: Option<usize>,
    /// Lapses with everything that changes the game or who plays it.
    wanted: Option<Wanted>,
}

/// What somebody would touch who goes somewhere else in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How many actions, a resignation included.
    pub actions: usize,
    /// Whose they are.
    pub seats: PerSeat<bool>,
}

impl Table {
    pub fn new(id: String, session: Session, mut seats: PerSeat<Player>) -> Result<Table, Error> {
        check_players(&seats)?;
        for seat in Seat::BOTH {
            seats[seat] = unclaimed(&seats[seat]);
        }
        Ok(Table { id, session, seats, held: false, own_turns: None, wanted: None })
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

    /// The seat that has resigned where the game stands.
    pub fn resigned(&self) -> Option<Seat> {
        let history = self.session.history();
        history.note(history.current())?.resigned
    }

    fn set_resigned(&mut self, seat: Option<Seat>) {
        if self.resigned() != seat {
            self.session.annotate(self.session.history().current(), |note| note.resigned = seat);
        }
    }

    pub fn is_held(&self) -> bool {
        self.held
    }

    /// Whether the engine's own players wait.
    pub fn set_held(&mut self, held: bool) {
        self.held = held;
        self.own_turns = None;
    }

    /// Lets the engine's own players go on, perhaps only for so many of their turns.
    pub fn resume(&mut self, own_turns: Option<usize>) {
        self.held = false;
        self.own_turns = own_turns;
    }

    /// What somebody who plays here asks the other to agree to.
    pub fn wanted(&self) -> Option<&Wanted> {
        self.wanted.as_ref()
    }

    pub fn set_wanted(&mut self, wanted: Option<Wanted>) {
        self.wanted = wanted;
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned() {
            Some(seat) => Some(Outcome { winner: Some(!seat), reason: "resign".into() }),
            None => self.position().outcome().map(Outcome::from),
        }
    }

    /// The outcome, for people.
    pub fn ending(&self) -> Option<Ending> {
        let Some(loser) = self.resigned() else { return self.position().ending() };
        let sides = self.position().snapshot().sides;
        let name = |seat: Seat| sides[seat].clone().unwrap_or_else(|| format!("seat {seat}"));
        let text = format!("{} wins: {} resigned.", capitalized(&name(!loser)), name(loser));
        Some(Ending { winner: Some(!loser), reason: "resign".into(), text })
    }

    /// `None` once the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        if self.resigned().is_some() { None } else { self.position().to_move() }
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
        if self.resigned().is_some() { Vec::new() } else { self.position().actions() }
    }

    /// The codes of the legal actions, in the same order.
    pub fn codes(&self) -> Result<Vec<Vec<u32>>, Error> {
        let numbers = self.numbers()?;
        Ok(if self.resigned().is_some() { Vec::new() } else { numbers.codes() })
    }

    /// The position in numbers, where its game has any.
    pub fn numbers(&self) -> Result<Box<dyn Numbers + '_>, Error> {
        self.session.numbers().map_err(|error| Error::field("table", error.to_string()))
    }

    /// The table as it was when so many actions had been played, or will be when they are played
    /// again; as it is if nobody says when.
    pub fn at(&self, ply: Option<usize>) -> Result<Cow<'_, Table>, Error> {
        let Some(ply) = ply else { return Ok(Cow::Borrowed(self)) };
        let history = self.session.history();
        let last = history.ply() + history.undone_count();
        let out_of_range = || Error::field("ply", format!("must be from 0 to {last}"));
        self.at_node(history.node_at(ply).ok_or_else(out_of_range)?)
    }

    /// The table as it would be at a node.
    pub fn at_node(&self, node: u32) -> Result<Cow<'_, Table>, Error> {
        if node == self.session.history().current() {
            return Ok(Cow::Borrowed(self));
        }
        let mut then = self.clone();
        then.wanted = None;
        if !then.session.go_to(node) {
            return Err(self.no_node(node));
        }
        Ok(Cow::Owned(then))
    }

    /// The table at a node or after so many actions; as it is if nobody says where.
    pub fn at_either(&self, ply: Option<usize>, node: Option<u32>) -> Result<Cow<'_, Table>, Error> {
        match (ply, node) {
            (Some(_), Some(_)) => Err(Error::field("node", "give ply or node, not both")),
            (ply, None) => self.at(ply),
            (None, Some(node)) => self.at_node(node),
        }
    }

    pub fn no_node(&self, node: u32) -> Error {
        Error::field("node", format!("there is no node {node} in this game"))
    }

    fn check_node(&self, node: u32) -> Result<(), Error> {
        if self.session.history().contains(node) { Ok(()) } else { Err(self.no_node(node)) }
    }

    /// The position as a start from which another game can begin; `None` in the middle of a turn,
    /// and once the game is over.
    pub fn position_as_start(&self) -> Option<Start> {
        let history = self.session.history();
        let to_move = self.position().to_move()?;
        if history.last_seat() == Some(to_move) {
            return None;
        }
        if history.ply() == 0 {
            return Some(self.session.setup().start.clone());
        }
        let snapshot = self.position().snapshot();
        let mut members = snapshot.counters;
        // Some counters follow from the rows, and no position is given with them.
        let taken = self.position().start_members();
        members.retain(|name, _| taken.iter().any(|member| member.name == *name));
        let light = Seat::BOTH.into_iter().find(|&seat| snapshot.sides[seat].as_deref() == Some("light"));
        members.insert("rows".into(), json!(snapshot.rows));
        members.insert("to_move".into(), json!(to_move));
        if let Some(light) = light {
            members.insert("light".into(), json!(light));
        }
        shape::read(Value::Object(members), Unknown::Ignored).ok()
    }

    /// Why no legal action begins by pointing at these cells, or else what comes next.
    pub fn explain(
        &self,
        cells: &[String],
        edge: Option<Edge>,
    ) -> Result<(Option<String>, Option<String>), Error> {
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
            return Ok((Some("the game is over".into()), None));
        }
        let why_not = self.position().explain(&cells, edge.map(Edge::name));
        let next = if why_not.is_some() { None } else { self.position().next_step(&cells) };
        Ok((why_not, next))
    }

    pub fn render(&self, drawing: Drawing) -> String {
        let text = self.position().render(drawing);
        let Some(seat) = self.resigned() else { return text };
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
            node: history.current(),
            undone: history.undone_count(),
            held: self.held,
            wanted: self.wanted.clone(),
            would_move: self.resigned().and(self.position().to_move()),
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
        let left = self.own_turns;
        let events = self.play_as(PerSeat { one: is_own(Seat::One), two: is_own(Seat::Two) }, actions)?;
        self.own_turns = left.map(|turns| turns.saturating_sub(1)).filter(|&turns| turns > 0);
        self.held = left.is_some() && self.own_turns.is_none();
        Ok(events)
    }

    /// What happened on the board in the last turn when so many actions had been played, or before a
    /// node.
    pub fn replay(&self, ply: Option<usize>, node: Option<u32>) -> Result<Replayed, Error> {
        let mut session = self.at_either(ply, node)?.session.clone();
        let last = session.history().last_turn();
        let (ply, seat) = (session.history().ply(), last.as_ref().map(|turn| turn.seat));
        let actions = last.map(|turn| turn.actions).unwrap_or_default();
        session.undo(actions.len());
        let rows = session.position().snapshot().rows;
        let mut steps = Vec::new();
        for action in actions {
            // It was legal before.
            let events = session.play(&action).unwrap_or_default();
            steps.push(ReplayedStep { action, events });
        }
        Ok(Replayed { ply, seat, rows, steps })
    }

    /// What would come of it if actions were played, whoever's they are.
    pub fn preview(&self, actions: &[String]) -> Result<(Table, Vec<Event>), Error> {
        let mut after = self.clone();
        // Whoever has resigned: what could have come is seen all the same.
        after.set_resigned(None);
        let events = after.play_as(PerSeat { one: true, two: true }, actions)?;
        Ok((after, events))
    }

    /// Refuses what was meant for another moment.
    pub fn check_ply(&self, expected: Option<usize>) -> Result<(), Error> {
        let now = self.ply();
        match expected {
            Some(expected) if expected != now => Err(Error::Stale { now, expected }),
            _ => Ok(()),
        }
    }

    fn play_as(&mut self, seats: PerSeat<bool>, actions: &[String]) -> Result<Vec<Event>, Error> {
        if self.resigned().is_some() && !actions.is_empty() {
            return Err(Error::GameOver { index: Some(0) });
        }
        let check = |session: &Session| check_length(session).map_err(Refused::ByTheTable);
        let events = self.session.play_if(seats, actions, check).map_err(|refused| match refused {
            Refused::ByTheGame(error) => Error::not_played(error, |seat| Occupant::from(&self.seats[seat])),
            Refused::ByTheTable(error) => error,
        })?;
        self.shorten();
        self.set_held(false);
        self.wanted = None;
        Ok(events)
    }

    /// Forgets variations in which nothing is noted, the oldest first, if the game is too long.
    fn shorten(&mut self) {
        if self.session.history().record_bytes() > LONGEST_GAME {
            self.session.make_room(|history| history.record_bytes() <= SHORTENED_GAME);
        }
    }

    /// Forgets as many of them as it takes to come down to so many bytes, if that is possible.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        if self.session.bytes() > bytes {
            let nodes = (self.session.bytes() - bytes).div_ceil(self.session.bytes_per_action());
            let most = self.session.history().nodes().saturating_sub(nodes);
            self.session.make_room(|history| history.nodes() <= most);
        }
    }

    /// Refuses what only the one who plays a seat may do.
    pub fn not_your_seat(&self, seat: Seat) -> NotYourSeat {
        NotYourSeat { seat, occupant: Occupant::from(&self.seats[seat]), index: None }
    }

    /// Goes somewhere else in the game.
    pub fn go(&mut self, way: Way) -> Result<(), Error> {
        match way {
            Way::Undo(steps) => self.undo(steps),
            Way::Redo(steps) => self.redo(steps),
            Way::To(node) => self.go_to(node),
        }
    }

    /// What [`Table::go`] would touch.
    pub fn reach(&self, way: Way) -> Result<Reach, Error> {
        let mut after = self.clone();
        after.go(way)?;
        let history = self.session.history();
        let target = after.session.history().current();
        let (back, ahead) = history.way_to(target).unwrap_or_default();
        let resigned = self.resigned().filter(|_| way != Way::To(history.current()));
        let touched = back.iter().chain(&ahead).filter_map(|&node| history.seat_of(node)).chain(resigned);
        let mut reach = Reach { actions: 0, seats: PerSeat::default() };
        for seat in touched {
            reach.actions += 1;
            reach.seats[seat] = true;
        }
        Ok(reach)
    }

    /// Goes to any node. A resignation stays with the node at which it was said.
    pub fn go_to(&mut self, node: u32) -> Result<(), Error> {
        if !self.session.go_to(node) {
            return Err(self.no_node(node));
        }
        self.set_held(true);
        self.wanted = None;
        Ok(())
    }

    /// Says something about a node: what is given, and nothing if it is empty. If there are actions,
    /// they are put into the tree behind the node, and it is said about where they lead. The game
    /// stays where it stands.
    pub fn annotate(
        &mut self,
        node: Option<u32>,
        actions: &[String],
        comment: Option<&str>,
        mark: Option<&str>,
    ) -> Result<(), Error> {
        let node = node.unwrap_or(self.session.history().current());
        self.check_node(node)?;
        if comment.is_some_and(|comment| comment.len() > LONGEST_COMMENT) {
            return Err(Error::field("comment", format!("must have at most {LONGEST_COMMENT} bytes")));
        }
        let mark = match mark {
            None => None,
            Some("") => Some(None),
            Some(sign) => Some(Some(Mark::from_sign(sign).ok_or_else(|| no_mark(sign))?)),
        };
        let node = self.add_variation(node, actions)?;
        self.note(node, |note| {
            if let Some(comment) = comment {
                note.comment = Some(comment.trim().to_string()).filter(|comment| !comment.is_empty());
            }
            note.mark = mark.unwrap_or(note.mark);
        })
    }

    /// Puts actions into the tree behind a node, and leaves the game and its line as they are. Gives
    /// the node to which they lead.
    fn add_variation(&mut self, node: u32, actions: &[String]) -> Result<u32, Error> {
        if actions.is_empty() {
            return Ok(node);
        }
        let (current, end) = (self.session.history().current(), self.session.history().end());
        self.session.pass_by(node);
        let played = self.session.play_if(PerSeat { one: true, two: true }, actions, |session| {
            check_length(session).map_err(Refused::ByTheTable)
        });
        let added = self.session.history().current();
        self.session.pass_by(end);
        self.session.end_line();
        self.session.pass_by(current);
        match played {
            Ok(_) => Ok(added),
            Err(Refused::ByTheGame(error)) => {
                Err(Error::not_played(error, |seat| Occupant::from(&self.seats[seat])))
            }
            Err(Refused::ByTheTable(error)) => Err(error),
        }
    }

    /// Keeps what a search has found at a node, unless more is known there.
    pub fn evaluate(&mut self, node: u32, evaluation: Evaluation) -> Result<(), Error> {
        self.check_node(node)?;
        let known = self.session.history().note(node).and_then(|note| note.evaluation.as_ref());
        if known.is_some_and(|known| says_more(&known.choice, &evaluation.choice)) {
            return Ok(());
        }
        self.note(node, |note| note.evaluation = Some(evaluation))
    }

    /// Changes a note if there is room for what comes of it.
    fn note(&mut self, node: u32, change: impl FnOnce(&mut Note)) -> Result<(), Error> {
        let before = self.session.history().note(node).cloned().unwrap_or_default();
        self.session.annotate(node, change);
        if let Err(error) = check_length(&self.session) {
            self.session.annotate(node, |note| *note = before);
            return Err(error);
        }
        self.shorten();
        Ok(())
    }

    /// Moves the variation to which a node belongs one place forward, or all the way.
    pub fn promote(&mut self, node: u32, all_the_way: bool) -> Result<(), Error> {
        self.check_node(node)?;
        self.session.promote(node, all_the_way);
        Ok(())
    }

    /// Deletes a node and all that comes after it, so that it can be restored.
    pub fn delete(&mut self, node: u32) -> Result<(), Error> {
        self.check_node(node)?;
        if node == ROOT {
            return Err(Error::field("node", "the start of a game cannot be deleted"));
        }
        if self.session.history().is_played(node) {
            self.set_held(true);
        }
        self.session.delete(node);
        self.wanted = None;
        Ok(())
    }

    /// Puts back what was deleted last.
    pub fn restore(&mut self) -> Result<(), Error> {
        let history = self.session.history();
        if history.record_bytes() + history.deleted_bytes() > LONGEST_GAME {
            return Err(Error::TooLong);
        }
        if self.session.restore() { Ok(()) } else { Err(TooFar::NothingDeleted.into()) }
    }

    /// Whether it is noted from now on which nodes change.
    pub(crate) fn follow(&mut self, follows: bool) {
        self.session.follow(follows);
    }

    /// Nodes that changed since this was last asked for, and nodes that are gone.
    pub(crate) fn take_touched(&mut self) -> (Vec<u32>, Vec<u32>) {
        self.session.take_touched()
    }

    /// Takes steps back. A resignation is the first step to go.
    pub fn undo(&mut self, steps: Steps) -> Result<(), Error> {
        let history = self.session.history();
        let (played, resigned) = (history.ply(), usize::from(self.resigned().is_some()));
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
        self.set_resigned(None);
        self.session.undo(actions);
        self.set_held(true);
        self.wanted = None;
        Ok(())
    }

    /// Plays again what was taken back.
    pub fn redo(&mut self, steps: Steps) -> Result<(), Error> {
        let undone = self.session.history().undone_count();
        if self.resigned().is_some() || undone == 0 {
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
        self.set_held(true);
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
        self.set_resigned(Some(seat));
        self.wanted = None;
        Ok(())
    }

    /// Refuses what makes no sense once the game is over.
    pub fn check_goes_on(&self) -> Result<(), Error> {
        if self.to_move().is_some() { Ok(()) } else { Err(Error::GameOver { index: None }) }
    }

    /// Refuses what makes no sense where the rules leave nothing to play. Where somebody has resigned
    /// they do.
    pub fn check_can_be_looked_into(&self) -> Result<(), Error> {
        if self.position().to_move().is_some() { Ok(()) } else { Err(Error::GameOver { index: None }) }
    }

    /// Someone else sits down; the engine's own players go on.
    pub fn set_seat(&mut self, seat: Seat, player: Player) -> Result<(), Error> {
        check_player(&player, "to")?;
        self.seats[seat] = unclaimed(&player);
        self.set_held(false);
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

fn no_mark(sign: &str) -> Error {
    let signs: Vec<&str> = Mark::ALL.into_iter().map(Mark::sign).collect();
    Error::field("mark", format!("must be one of {} or nothing, not {sign:?}", signs.join(" ")))
}

#[cfg(test)]
mod tests;
