//! What a game is, to everything that plays it.
//!
//! A game is a plain value: no input or output, no clock, no hidden chance. Its rules are [`Game`], the words and signs for them [`Describe`],
//! and what a computer player wants to know of it [`Evaluate`].

use std::fmt::{Debug, Display};
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tabuleiro_protocol::{Detail, Event, OptionSpec, OptionValue, Options, Overlay, Seat, Start, TokenLook};

use crate::random::Random;
use tabuleiro_protocol::Cell;

/// The rules of a game, as a position in it.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + 'static {
    /// The smallest choice a player makes. A turn may take several.
    type Action: Copy + Eq + Hash + Debug + Send + Sync;
    /// What [`Game::undo`] needs to take an action back.
    type Undo: Clone + Debug + Send + Sync;

    /// The position at the start of a game. `seed` decides whatever is drawn by lot.
    fn start(options: &GameOptions, seed: u64) -> Self;

    /// A position given from outside, or why there is no such position.
    fn set_up(options: &GameOptions, start: &Start) -> Result<Self, SetupError>;

    /// The seat that acts next. Once the game is over it means nothing.
    fn to_move(&self) -> Seat;

    fn outcome(&self) -> Option<Outcome>;

    /// Adds every legal action, in an order that depends on nothing but the position. None once the game is over.
    fn actions(&self, actions: &mut Vec<Self::Action>);

    /// One of the legal actions, every one equally likely; `None` once the game is over.
    /// `scratch` is room to work in, so that nothing need be allocated.
    fn random_action(&self, random: &mut Random, scratch: &mut Vec<Self::Action>) -> Option<Self::Action> {
        scratch.clear();
        self.actions(scratch);
        random.pick(scratch)
    }

    /// Plays an action, which must be a legal one.
    fn play(&mut self, action: Self::Action) -> Self::Undo;

    /// Takes back the action that was played last.
    fn undo(&mut self, action: Self::Action, undo: Self::Undo);

    /// A number that is the same for positions with the same future (but for what depends on repetition).
    /// Kept up to date by `play` and `undo`.
    fn hash(&self) -> u64;

    /// [`Game::hash`], worked out anew from the position. For games that do so anyway there is nothing
    /// to write.
    fn hash_from_scratch(&self) -> u64 {
        self.hash()
    }
}

/// A game in words and signs.
pub trait Describe: Game {
    const ID: &'static str;
    const NAME: &'static str;
    /// The rules for people, in Markdown.
    const RULES: &'static str;

    /// Why an action is not legal, in a sentence for people.
    type Refusal: Display;

    fn options() -> Vec<OptionSpec>;

    /// One line about the game for someone who does not know it, where a client has none of its own.
    fn pitch() -> Option<&'static str> {
        None
    }

    /// What the tokens of [`Describe::rows`] look like, for a window that has no pieces for this game.
    fn look() -> Vec<TokenLook> {
        Vec::new()
    }

    /// The part of the turn or the game, in one of the protocol's words.
    fn phase(&self) -> &'static str {
        if self.outcome().is_some() { "over" } else { "play" }
    }

    /// What the seat to move is expected to do now, in one sentence. Once the game is over: nothing.
    fn prompt(&self) -> String;

    /// What each seat plays, where it has been settled.
    fn sides(&self) -> [Option<&'static str>; 2] {
        [None, None]
    }

    /// The board, one string a row.
    fn rows(&self) -> Vec<String>;

    /// What counts beside the board.
    fn counters(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The one spelling of an action.
    fn write(&self, action: Self::Action) -> String;

    /// The legal action that is spelt so, or why there is none. Upper and lower case are one.
    fn read(&self, text: &str) -> Result<Self::Action, Self::Refusal>;

    fn detail(&self, action: Self::Action) -> Detail;

    /// How a game ended that has come to this position with this outcome, in one sentence for people.
    fn ending(&self, outcome: Outcome) -> String;

    /// What helps people to read the board.
    fn overlays(&self) -> Vec<Overlay> {
        Vec::new()
    }

    /// Why no legal action begins by pointing at these cells of the board, at least one, in the order of a [`Detail`]'s; in the style of a refusal. `edge` is where
    /// something would come in at the first of them. Only asked when none does and the game goes on.
    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        let cells: Vec<String> = cells.iter().map(Cell::to_string).collect();
        format!("nothing can be done with {} now", cells.join(" and "))
    }

    /// What is to be said about an action as people would write it: why it is not legal, or else what is expected.
    fn comment(&self, text: &str) -> String {
        match self.read(text) {
            Ok(_) => self.prompt(),
            Err(refusal) => refusal.to_string(),
        }
    }

    /// What happens on the board when a legal action is played here, which leads to `after`. Turns that pass on and the end of the game are added by others.
    fn events(&self, action: Self::Action, after: &Self) -> Vec<Event>;

    /// The board for people, in plain text, with a legend where signs need one. The last line says who is to move or has won, and nothing else.
    fn render(&self, _charset: Charset) -> String {
        plain_board(self)
    }
}

/// What computer players want to know of a game.
pub trait Evaluate: Game {
    /// What each thing counts that an evaluation looks at: named whole numbers.
    type Weights: Clone + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// The weights that the game comes with.
    fn weights() -> &'static Self::Weights;

    /// The weights for the options that the game is played with, where others are better than [`Evaluate::weights`].
    fn weights_for_options(&self) -> &'static Self::Weights {
        Self::weights()
    }

    /// The evaluation at which a seat wins about three games in four.
    fn good(weights: &Self::Weights) -> i32;

    /// How good a position is for a seat: 0 is even, and what is good for one is as bad for the other. The game must not be over.
    fn evaluate(&self, seat: Seat, weights: &Self::Weights) -> i32;

    /// How promising a legal action looks before it is tried: the higher, the sooner it is.
    fn promise(&self, _action: Self::Action) -> i32 {
        0
    }

    /// Whether the seat to move can certainly win in what is left of its turn. `false` may also mean that nobody looked.
    fn wins_at_once(&self) -> bool {
        false
    }

    /// Looks for a win that leaves the enemy no choice: turns that each threaten to win at once, until one does. Gives the turn that it begins with. Asks `go_on`
    /// for every position it looks at, and gives up when that says no. The seat to move must be at the start of its turn.
    fn forced_win(&self, _go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Self::Action>> {
        None
    }

    /// How many positions [`Evaluate::forced_win`] may look at wherever a search ends.
    const EFFORT_AT_LEAVES: u32 = 0;

    /// How many times more nodes than usual a level needs in this game to be what it is called.
    const NODES_FOR_LEVEL: u64 = 1;

    /// How many nodes a turn make the levels what they are called, with the options that the game is played with.
    fn nodes_of_levels(&self) -> NodesOfLevels {
        let NodesOfLevels { novice, club, expert } = NodesOfLevels::USUAL;
        let [novice, club, expert] = [novice, club, expert].map(|nodes| nodes * Self::NODES_FOR_LEVEL);
        NodesOfLevels { novice, club, expert }
    }

    /// The game as a search goes through it: itself, or, where turns are too many to be searched action by action, a version of it in which an action
    /// is a whole turn and those are listed that look best by the weights, as many as the breadth says.
    type Searched: Evaluate<Weights = Self::Weights>;

    fn searched(&self, weights: &Self::Weights, breadth: Breadth) -> Self::Searched;

    /// The actions that an action of the searched game stands for.
    fn spelt_out(action: <Self::Searched as Game>::Action) -> Vec<Self::Action>;

    /// Whether [`Game::actions`] are all the actions there are, and not only the promising ones. If not, a position is not lost because all of them lose.
    const LISTS_EVERY_ACTION: bool = true;

    /// How many nodes more than one it is worth to list the actions of a position.
    const COST_OF_LISTING: u64 = 0;

    /// Whether actions that come late in the order are first searched less deep than the others. Where an action is a whole turn that would compare what one
    /// seat is about to do with what the other one is about to do.
    const LATE_ACTIONS_CAN_WAIT: bool = true;

    /// The action that is best for those who look no further than it leads, or the first one found that is worth `enough`; asks `go_on` for every position
    /// that it looks at. A search uses it for its last action where a game offers it, because it may be found far sooner than all are listed.
    fn best_at_once(&self, _enough: i32, _go_on: &mut dyn FnMut() -> bool) -> Option<Self::Action> {
        None
    }

    /// An action that wins this turn, where the actions listed might leave it out. This and the next two ask `go_on` for every position, and give up when it says no.
    fn overlooked_win(&self, _go_on: &mut dyn FnMut() -> bool) -> Option<Self::Action> {
        None
    }

    /// Whether the enemy can win in its next turn once this action is played, where a search might overlook it.
    fn lets_the_enemy_win(&self, _action: Self::Action, _go_on: &mut dyn FnMut() -> bool) -> bool {
        false
    }

    /// An action after which the enemy cannot win in its next turn, where the actions listed might leave it out.
    fn overlooked_rescue(&self, _go_on: &mut dyn FnMut() -> bool) -> Option<Self::Action> {
        None
    }

    /// Whether an action wins for certain, where the actions listed might leave out what saves the enemy. Asks `go_on` like [`Evaluate::forced_win`].
    fn is_forced(&self, _action: Self::Action, _go_on: &mut dyn FnMut() -> bool) -> Forced<Self::Action> {
        Forced::Unknown
    }

    /// Adds the actions that a search has to look at where it would like to end, because an evaluation in mid-turn would be wrong. Nothing if
    /// the evaluation will do.
    fn beyond_horizon(&self, _actions: &mut Vec<Self::Action>) {}
}

/// How many nodes a turn the levels have that are bounded by nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodesOfLevels {
    pub novice: u64,
    pub club: u64,
    pub expert: u64,
}

impl NodesOfLevels {
    pub const USUAL: NodesOfLevels = NodesOfLevels { novice: 3_000, club: 20_000, expert: 150_000 };
}

/// How many actions a search lists where they are too many to list them all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breadth {
    Usual,
    /// More of them, for those who have the time.
    Wide,
}

/// What comes of an action that looks like a win.
#[derive(Clone, Copy, Debug)]
pub enum Forced<A> {
    Won,
    /// The enemy has this reply.
    SavedBy(A),
    Unknown,
}

/// Reads the weights of a game from the file that it is built with.
pub(crate) fn shipped_weights<W: DeserializeOwned>(json: &str) -> W {
    serde_json::from_str(json).expect("the weights were there when this was built, and tests read them")
}

/// The signs that [`Describe::render`] may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Ascii,
    Unicode,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Seat>,
    pub reason: &'static str,
}

impl Outcome {
    pub const fn won(winner: Seat, reason: &'static str) -> Outcome {
        Outcome { winner: Some(winner), reason }
    }

    pub const fn drawn(reason: &'static str) -> Outcome {
        Outcome { winner: None, reason }
    }
}

impl From<Outcome> for tabuleiro_protocol::Outcome {
    fn from(outcome: Outcome) -> Self {
        Self { winner: outcome.winner, reason: outcome.reason.into() }
    }
}

/// The rows with letters above and numbers beside them, and whose turn it is.
fn plain_board<G: Describe>(game: &G) -> String {
    let rows = game.rows();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split(' ').collect()).collect();
    let width = cells.iter().flatten().map(|cell| cell.len()).max().unwrap_or(1);
    let columns = cells.iter().map(Vec::len).max().unwrap_or(0);
    let letters: String =
        (0..columns).map(|column| format!(" {:<width$}", Cell::new(column as u8, 0).letter())).collect();
    let mut board = format!("  {}\n", letters.trim_end());
    for (number, row) in (1..).zip(&cells) {
        let signs: String = row.iter().map(|sign| format!(" {sign:<width$}")).collect();
        board.push_str(&format!("{number:2}{}\n", signs.trim_end()));
    }
    let state = match (game.outcome(), game.sides()[game.to_move().index()]) {
        (Some(outcome), _) => game.ending(outcome),
        (None, Some(side)) => format!("{} is to move.", capitalized(side)),
        (None, None) => format!("Seat {} is to move.", game.to_move()),
    };
    format!("{board}\n{state}\n")
}

/// A text with a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

/// Why a position given from outside is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// It breaks a rule of the game, at this cell if there is one to name.
    #[error("{reason}")]
    BadPosition { cell: Option<String>, reason: String },
    /// A member of `start` is missing or of a wrong type.
    #[error("{field}: {reason}")]
    BadField { field: String, reason: String },
}

impl SetupError {
    pub fn at(cell: impl Display, reason: impl Display) -> SetupError {
        SetupError::BadPosition { cell: Some(cell.to_string()), reason: reason.to_string() }
    }

    pub fn position(reason: impl Display) -> SetupError {
        SetupError::BadPosition { cell: None, reason: reason.to_string() }
    }

    pub fn field(field: impl Display, reason: impl Display) -> SetupError {
        SetupError::BadField { field: format!("start.{field}"), reason: reason.to_string() }
    }
}

/// `start.to_move`, for positions that need it.
pub fn required_to_move(start: &Start) -> Result<Seat, SetupError> {
    start.to_move.ok_or_else(|| SetupError::field("to_move", "say which seat is to move, 1 or 2"))
}

/// The tokens of `start.rows`, which must be this many rows of this many cells.
pub fn tokens(start: &Start, width: usize, height: usize) -> Result<Vec<Vec<&str>>, SetupError> {
    if start.rows.len() != height {
        return Err(SetupError::position(format!("the board has {height} rows, not {}", start.rows.len())));
    }
    let mut rows = Vec::with_capacity(height);
    for (index, row) in start.rows.iter().enumerate() {
        let cells: Vec<&str> = row.split(' ').collect();
        if cells.len() != width {
            let count = cells.len();
            let reason = format!("row {} has {count} cells between single spaces, not {width}", index + 1);
            return Err(SetupError::position(reason));
        }
        rows.push(cells);
    }
    Ok(rows)
}

/// A game's options, each with a value that has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameOptions(Options);

/// An option that does not exist, or a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("option {option}: {reason}")]
pub struct BadOption {
    pub option: String,
    pub reason: String,
}

impl GameOptions {
    /// Checks what was given against a game's options and fills in the rest.
    pub fn check(specs: &[OptionSpec], given: &Map<String, Value>) -> Result<GameOptions, BadOption> {
        for name in given.keys() {
            if !specs.iter().any(|spec| spec.name == *name) {
                let known: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
                let reason = format!("there is no such option here; there is {}", known.join(", "));
                return Err(BadOption { option: name.clone(), reason });
            }
        }
        let mut options = Options::new();
        for spec in specs {
            let value = match given.get(&spec.name) {
                None => spec.default_value(),
                Some(value) => check_option(spec, value)
                    .map_err(|reason| BadOption { option: spec.name.clone(), reason })?,
            };
            options.insert(spec.name.clone(), value);
        }
        Ok(GameOptions(options))
    }

    /// Every option at its default.
    pub fn default_of(specs: &[OptionSpec]) -> GameOptions {
        GameOptions(specs.iter().map(|spec| (spec.name.clone(), spec.default_value())).collect())
    }

    pub fn values(&self) -> &Options {
        &self.0
    }

    /// The value of a whole-number option of the game's.
    pub fn integer(&self, name: &str) -> i64 {
        match self.0.get(name) {
            Some(OptionValue::Integer(number)) => *number,
            other => unreachable!("{name} was checked to be a whole number: {other:?}"),
        }
    }

    /// The value of a choice option of the game's.
    pub fn choice(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(OptionValue::Choice(word)) => word,
            other => unreachable!("{name} was checked to be a choice: {other:?}"),
        }
    }
}

fn check_option(spec: &OptionSpec, value: &Value) -> Result<OptionValue, String> {
    use tabuleiro_protocol::OptionKind::{Choice, Integer};
    match &spec.kind {
        Integer { min, max, .. } => match value.as_i64() {
            Some(number) if (*min..=*max).contains(&number) => Ok(OptionValue::Integer(number)),
            _ => Err(format!("must be a whole number from {min} to {max}, not {value}")),
        },
        Choice { choices, .. } => match value.as_str() {
            Some(word) if choices.iter().any(|choice| choice == word) => Ok(OptionValue::Choice(word.into())),
            _ => Err(format!("must be one of {}, not {value}", choices.join(", "))),
        },
    }
}
