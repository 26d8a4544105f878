//! A table: one game under way, and who sits at it.

pub mod record;

use std::borrow::Cow;

use serde_json::{Map, Value};
use tabuleiro_protocol::method::{Perft, TableInfo};
use tabuleiro_protocol::{
    Ending, ErrorCode, ErrorObject, Event, LastTurn, Limits, Outcome, PerSeat, Player, Seat, Start, State,
};

use crate::catalog::{Catalog, GameKind, UnknownGame};
use crate::game::{Charset, GameOptions, SetupError, capitalized};
use crate::search::Level;
use crate::session::Session;
use tabuleiro_protocol::Cell;

/// A game that was asked for and exists.
#[derive(Clone, Debug)]
pub struct Opening {
    pub kind: GameKind,
    pub options: GameOptions,
    pub seed: u64,
    /// The first position, however it was given.
    pub start: Start,
    pub game: Box<dyn Session>,
}

impl Opening {
    pub fn new(
        catalog: &Catalog,
        game: &str,
        options: Option<&Map<String, Value>>,
        seed: u64,
        start: Option<Start>,
    ) -> Result<Opening, ErrorObject> {
        Opening::of(catalog.game(game).map_err(unknown_game)?, options, seed, start)
    }

    pub fn of(
        kind: GameKind,
        options: Option<&Map<String, Value>>,
        seed: u64,
        start: Option<Start>,
    ) -> Result<Opening, ErrorObject> {
        let options = kind.check_options(options.unwrap_or(&Map::new())).map_err(|bad| {
            ErrorObject::new(ErrorCode::BadOption, bad.to_string())
                .with("option", bad.option)
                .with("reason", bad.reason)
        })?;
        let game = kind.open(&options, seed, start.as_ref()).map_err(bad_start)?;
        let start =
            start.unwrap_or_else(|| Start { rows: game.rows(), to_move: game.to_move(), extra: Map::new() });
        Ok(Opening { kind, options, seed, start, game })
    }

    /// The game that a count of the ways to play begins with.
    pub fn for_perft(catalog: &Catalog, params: &Perft) -> Result<Opening, ErrorObject> {
        let seed = params.seed.unwrap_or(0);
        let mut opening =
            Opening::new(catalog, &params.game, params.options.as_ref(), seed, params.start.clone())?;
        opening.play_all(params.played.as_deref().unwrap_or(&[]))?;
        Ok(opening)
    }

    /// Plays actions whoever's they are.
    pub fn play_all(&mut self, actions: &[String]) -> Result<(), ErrorObject> {
        for (index, action) in actions.iter().enumerate() {
            self.game.play(action).map_err(|reason| match self.game.outcome() {
                Some(_) => game_over().with("index", index),
                None => illegal_action(action, index, reason),
            })?;
        }
        Ok(())
    }
}

pub(crate) fn unknown_game(error: UnknownGame) -> ErrorObject {
    ErrorObject::new(ErrorCode::UnknownGame, error.to_string())
}

/// A level by its name; `field` is where the name stood.
pub fn level_by_id(id: &str, field: &str) -> Result<Level, ErrorObject> {
    Level::by_id(id).ok_or_else(|| {
        let known: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
        ErrorObject::params(field, &format!("there is no level {id:?}; there is {}", known.join(", ")))
    })
}

fn bad_start(error: SetupError) -> ErrorObject {
    match error {
        SetupError::BadField { field, reason } => ErrorObject::params(&field, &reason),
        SetupError::BadPosition { cell, reason } => {
            let message = match &cell {
                Some(cell) => format!("there is no such position: {cell}: {reason}"),
                None => format!("there is no such position: {reason}"),
            };
            let error = ErrorObject::new(ErrorCode::BadPosition, message).with("reason", reason);
            match cell {
                Some(cell) => error.with("cell", cell),
                None => error,
            }
        }
    }
}

fn illegal_action(action: &str, index: usize, reason: String) -> ErrorObject {
    ErrorObject::new(ErrorCode::IllegalAction, format!("{action:?} is not legal here: {reason}"))
        .with("action", action)
        .with("index", index)
        .with("reason", reason)
}

pub fn game_over() -> ErrorObject {
    ErrorObject::new(ErrorCode::GameOver, "the game is over")
}

/// How far `undo` and `redo` go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    Turns(usize),
    Actions(usize),
}

impl Steps {
    pub fn new(turns: Option<usize>, actions: Option<usize>) -> Result<Steps, ErrorObject> {
        match (turns, actions) {
            (Some(_), Some(_)) => Err(ErrorObject::params("actions", "give turns or actions, not both")),
            (Some(0), None) => Err(ErrorObject::params("turns", "must be at least 1")),
            (None, Some(0)) => Err(ErrorObject::params("actions", "must be at least 1")),
            (None, Some(actions)) => Ok(Steps::Actions(actions)),
            (turns, None) => Ok(Steps::Turns(turns.unwrap_or(1))),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Table {
    id: String,
    opening: Opening,
    seats: PerSeat<Player>,
    resigned: Option<Seat>,
    held: bool,
}

impl Table {
    pub fn new(id: String, opening: Opening, mut seats: PerSeat<Player>) -> Result<Table, ErrorObject> {
        for seat in Seat::BOTH {
            check_player(&seats[seat], &format!("seats.{seat}"))?;
            seats[seat] = unclaimed(&seats[seat]);
        }
        Ok(Table { id, opening, seats, resigned: None, held: false })
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn set_id(&mut self, id: String) {
        self.id = id;
    }

    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    pub fn game(&self) -> &dyn Session {
        &*self.opening.game
    }

    pub fn seats(&self) -> &PerSeat<Player> {
        &self.seats
    }

    pub fn resigned(&self) -> Option<Seat> {
        self.resigned
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.resigned {
            Some(seat) => Some(Outcome { winner: Some(!seat), reason: "resign".into() }),
            None => self.game().outcome().map(Outcome::from),
        }
    }

    /// The outcome, for people.
    pub fn ending(&self) -> Option<Ending> {
        let Outcome { winner, reason } = self.outcome()?;
        let text = match self.resigned {
            Some(loser) => {
                format!("{} wins: {} resigned.", capitalized(&self.name(!loser)), self.name(loser))
            }
            None => self.game().ending(),
        };
        Some(Ending { winner, reason, text })
    }

    /// What a seat is called in a sentence.
    fn name(&self, seat: Seat) -> String {
        self.game().sides()[seat].clone().unwrap_or_else(|| format!("seat {seat}"))
    }

    /// The table as it was when so many actions had been played, or will be when they are played again; as it is if nobody says when.
    pub fn at(&self, ply: Option<usize>) -> Result<Cow<'_, Table>, ErrorObject> {
        let now = self.game().ply();
        let Some(ply) = ply.filter(|&ply| ply != now) else { return Ok(Cow::Borrowed(self)) };
        let last = now + self.game().undone_count();
        if ply > last {
            return Err(ErrorObject::params("ply", &format!("must be from 0 to {last}")));
        }
        let mut then = self.clone();
        then.resigned = None;
        then.opening.game.undo(now.saturating_sub(ply));
        for _ in now..ply {
            then.opening.game.redo();
        }
        Ok(Cow::Owned(then))
    }

    /// `None` once the game is over.
    pub fn to_move(&self) -> Option<Seat> {
        if self.resigned.is_some() { None } else { self.game().to_move() }
    }

    /// The legal actions, sorted.
    pub fn actions(&self) -> Vec<String> {
        if self.resigned.is_some() { Vec::new() } else { self.game().actions() }
    }

    /// Why no legal action begins by pointing at these cells; `None` if one does.
    pub fn explain(&self, cells: &[String], edge: Option<&str>) -> Result<Option<String>, ErrorObject> {
        if cells.is_empty() {
            return Err(ErrorObject::params("cells", "name at least one cell"));
        }
        let cells: Vec<Cell> = cells
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let cell = text.parse::<Cell>().ok().filter(|&cell| self.has_cell(cell));
                cell.ok_or_else(|| {
                    ErrorObject::params(&format!("cells[{index}]"), "must be a cell of the board")
                })
            })
            .collect::<Result<_, _>>()?;
        if edge.is_some_and(|edge| !["north", "east", "south", "west"].contains(&edge)) {
            return Err(ErrorObject::params("edge", "must be north, east, south or west"));
        }
        if self.to_move().is_none() {
            return Ok(Some("the game is over".into()));
        }
        Ok(self.game().explain(&cells, edge))
    }

    fn has_cell(&self, cell: Cell) -> bool {
        let rows = self.game().rows();
        let row = rows.get(usize::from(cell.row));
        row.is_some_and(|row| usize::from(cell.column) < row.split(' ').count())
    }

    pub fn render(&self, charset: Charset) -> String {
        let text = self.game().render(charset);
        let Some(seat) = self.resigned else { return text };
        // The game knows nothing of it, and its last line says whose turn it is.
        let board = text.trim_end().rsplit_once('\n').map_or("", |(board, _)| board);
        format!("{board}\nSeat {seat} has resigned: seat {} has won.\n", !seat)
    }

    pub fn state(&self) -> State {
        let game = self.game();
        let outcome = self.ending();
        let over = outcome.is_some();
        State {
            table: self.id.clone(),
            game: self.opening.kind.id.into(),
            options: self.opening.options.values().clone(),
            seed: self.opening.seed,
            seats: self.seats.clone(),
            sides: game.sides(),
            ply: game.ply(),
            turn: game.turn(),
            to_move: self.to_move(),
            phase: if over { "over".into() } else { game.phase().into() },
            prompt: if over { String::new() } else { game.prompt() },
            rows: game.rows(),
            counters: game.counters(),
            last: game.last_turn(),
            outcome,
            undone: game.undone_count(),
            held: self.held,
        }
    }

    pub fn info(&self) -> TableInfo {
        TableInfo {
            table: self.id.clone(),
            game: self.opening.kind.id.into(),
            ply: self.game().ply(),
            seats: self.seats.clone(),
            outcome: self.ending(),
        }
    }

    /// Plays actions of people: all of them, or none and the reason. `may_play` says which seats are those of whoever wants to play.
    pub fn play(
        &mut self,
        actions: &[String],
        ply: Option<usize>,
        may_play: impl Fn(Seat) -> bool,
    ) -> Result<Vec<Event>, ErrorObject> {
        self.check_ply(ply)?;
        self.play_checked(actions, &|seat, player| matches!(player, Player::Client { .. }) && may_play(seat))
    }

    /// What would come of it if actions were played, whoever's they are.
    pub fn preview(
        &self,
        actions: &[String],
        ply: Option<usize>,
    ) -> Result<(State, Vec<Event>), ErrorObject> {
        self.check_ply(ply)?;
        let mut after = self.clone();
        let events = after.play_checked(actions, &|_, _| true)?;
        Ok((after.state(), events))
    }

    fn check_ply(&self, expected: Option<usize>) -> Result<(), ErrorObject> {
        let now = self.game().ply();
        match expected {
            Some(expected) if expected != now => {
                let message = format!("{now} actions have been played by now, not {expected}");
                Err(ErrorObject::new(ErrorCode::Stale, message).with("ply", now))
            }
            _ => Ok(()),
        }
    }

    /// Plays the turn of one of the engine's own players.
    pub fn play_own(&mut self, actions: &[String]) -> Result<Vec<Event>, ErrorObject> {
        self.play_checked(actions, &|_, player| !matches!(player, Player::Client { .. }))
    }

    fn play_checked(
        &mut self,
        actions: &[String],
        may_play: &dyn Fn(Seat, &Player) -> bool,
    ) -> Result<Vec<Event>, ErrorObject> {
        let mut events = Vec::new();
        for (index, action) in actions.iter().enumerate() {
            match self.play_one(action, index, may_play) {
                Ok(more) => events.extend(more),
                Err(error) => {
                    self.opening.game.retract(index);
                    return Err(error);
                }
            }
        }
        self.opening.game.forget_undone();
        self.held = false;
        Ok(events)
    }

    fn play_one(
        &mut self,
        action: &str,
        index: usize,
        may_play: &dyn Fn(Seat, &Player) -> bool,
    ) -> Result<Vec<Event>, ErrorObject> {
        let Some(seat) = self.to_move() else { return Err(game_over().with("index", index)) };
        if !may_play(seat, &self.seats[seat]) {
            return Err(self.not_your_seat(seat).with("index", index));
        }
        self.opening.game.play(action).map_err(|reason| illegal_action(action, index, reason))
    }

    /// Refuses what only the one who plays a seat may do.
    pub fn not_your_seat(&self, seat: Seat) -> ErrorObject {
        let who = match &self.seats[seat] {
            Player::Client { open: true, claimed: false } => {
                let message = format!("seat {seat} is open: claim it first");
                return ErrorObject::new(ErrorCode::NotYourSeat, message).with("seat", seat.number());
            }
            Player::Client { .. } => "somebody else".into(),
            Player::Ai { level, .. } => format!("the computer ({level})"),
            Player::Bot { name, .. } => format!("the bot {name}"),
        };
        let message = format!("seat {seat} is played by {who}");
        ErrorObject::new(ErrorCode::NotYourSeat, message).with("seat", seat.number())
    }

    /// Takes steps back. A resignation is the first step to go.
    pub fn undo(&mut self, steps: Steps) -> Result<(), ErrorObject> {
        let game = &mut self.opening.game;
        let resigned = usize::from(self.resigned.is_some());
        let (wanted, actions) = match steps {
            Steps::Actions(wanted) => {
                (wanted, (wanted - resigned <= game.ply()).then_some(wanted - resigned))
            }
            Steps::Turns(wanted) => (wanted, game.actions_in_last_turns(wanted - resigned)),
        };
        let Some(actions) = actions else {
            let message = match steps {
                _ if game.ply() + resigned == 0 => "nothing has been played yet".into(),
                Steps::Actions(_) => format!("only {} actions have been played, not {wanted}", game.ply()),
                Steps::Turns(_) => format!("fewer than {wanted} turns have been played"),
            };
            return Err(ErrorObject::new(ErrorCode::NothingToUndo, message));
        };
        game.undo(actions);
        self.resigned = None;
        self.held = true;
        Ok(())
    }

    /// Plays again what was taken back.
    pub fn redo(&mut self, steps: Steps) -> Result<(), ErrorObject> {
        let refused = |message: String| Err(ErrorObject::new(ErrorCode::NothingToUndo, message));
        let there_are = self.game().undone_count();
        if self.resigned.is_some() || there_are == 0 {
            return refused("there is nothing to play again".into());
        }
        match steps {
            Steps::Actions(wanted) if wanted > there_are => {
                return refused(format!("only {there_are} actions can be played again, not {wanted}"));
            }
            Steps::Actions(wanted) => {
                for _ in 0..wanted {
                    self.opening.game.redo();
                }
            }
            Steps::Turns(wanted) => {
                let mut played = 0;
                for turn in 0..wanted {
                    let Some(actions) = self.redo_turn() else {
                        self.opening.game.undo(played);
                        return refused(format!("only {turn} turns can be played again, not {wanted}"));
                    };
                    played += actions;
                }
            }
        }
        self.held = true;
        Ok(())
    }

    /// How many actions that took; `None` if there was nothing left.
    fn redo_turn(&mut self) -> Option<usize> {
        let game = &mut self.opening.game;
        let seat = game.to_move();
        let mut actions = 0;
        while game.to_move() == seat && game.redo() {
            actions += 1;
        }
        (actions > 0).then_some(actions)
    }

    pub fn resign(&mut self, seat: Seat) -> Result<(), ErrorObject> {
        if self.outcome().is_some() {
            return Err(game_over());
        }
        if !matches!(self.seats[seat], Player::Client { .. }) {
            return Err(self.not_your_seat(seat));
        }
        self.resigned = Some(seat);
        Ok(())
    }

    /// Someone else sits down; the engine's own players go on.
    pub fn set_seat(&mut self, seat: Seat, player: Player) -> Result<(), ErrorObject> {
        check_player(&player, "to")?;
        self.seats[seat] = unclaimed(&player);
        self.held = false;
        Ok(())
    }

    /// Says of a seat that is played by a client whether another one than the table's maker may take it, and whether one has.
    pub fn set_claim(&mut self, seat: Seat, open: bool, claimed: bool) {
        if matches!(self.seats[seat], Player::Client { .. }) {
            self.seats[seat] = Player::Client { open, claimed };
        }
    }

    pub fn is_held(&self) -> bool {
        self.held
    }

    pub fn set_held(&mut self, held: bool) {
        self.held = held;
    }

    /// Whose turn it is and who plays that seat, with the seed of the turn. `None` if the game is over or held.
    pub fn to_act(&self) -> Option<(Seat, &Player, u64)> {
        let seat = self.to_move().filter(|_| !self.held)?;
        Some((seat, &self.seats[seat], self.seed_of_turn()))
    }

    /// Another one for every turn, yet the same ones whenever the same game is played.
    fn seed_of_turn(&self) -> u64 {
        self.opening.seed.wrapping_add((self.game().ply() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub(crate) fn restore(
        &mut self,
        undone: &[String],
        resigned: Option<Seat>,
    ) -> Result<(), (usize, String)> {
        for (index, action) in undone.iter().enumerate() {
            self.opening.game.play(action).map_err(|reason| (index, reason))?;
        }
        self.opening.game.undo(undone.len());
        self.resigned = resigned;
        Ok(())
    }

    pub fn last_turn(&self) -> Option<LastTurn> {
        self.game().last_turn()
    }
}

/// A player as others may name it: only the engine knows who has claimed a seat.
pub(crate) fn unclaimed(player: &Player) -> Player {
    match player {
        &Player::Client { open, .. } => Player::Client { open, claimed: false },
        other => other.clone(),
    }
}

/// Whether there is a bot of that name is for those to say who know the bots.
fn check_player(player: &Player, field: &str) -> Result<(), ErrorObject> {
    match player {
        Player::Client { .. } => Ok(()),
        Player::Ai { level, limits } => {
            check_limits(limits.as_ref(), &format!("{field}.limits"))?;
            level_by_id(level, &format!("{field}.level")).map(drop)
        }
        Player::Bot { limits, .. } => check_limits(limits.as_ref(), &format!("{field}.limits")),
    }
}

/// Limits of nothing at all are a mistake.
pub fn check_limits(limits: Option<&Limits>, field: &str) -> Result<(), ErrorObject> {
    let Some(limits) = limits else { return Ok(()) };
    let zero = [
        ("time_ms", limits.time_ms == Some(0)),
        ("nodes", limits.nodes == Some(0)),
        ("depth", limits.depth == Some(0)),
        ("threads", limits.threads == Some(0)),
    ];
    match zero.into_iter().find(|&(_, is_zero)| is_zero) {
        Some((name, _)) => Err(ErrorObject::params(&format!("{field}.{name}"), "must be at least 1")),
        None => Ok(()),
    }
}
