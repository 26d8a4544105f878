//! What a client can ask for: the params of every method and its result.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

use crate::lesson::Lesson;
use crate::puzzle::{Puzzle, PuzzleInfo, PuzzleKind};
use crate::shape::{self, Unknown, at_least_one, at_most, not_empty};
use crate::{
    Choice, Day, Detail, Edge, Ending, ErrorObject, Event, Fact, Hello, Id, Limits, Outcome, Overlay,
    PerSeat, Planes, Player, Record, Reviewed, Score, Seat, Space, Start, State, Status, TreeNode, Turn,
};

/// A method by the type of its params.
pub trait Method: Serialize + DeserializeOwned + JsonSchema {
    const NAME: &'static str;
    type Result: Serialize + DeserializeOwned + JsonSchema;
}

macro_rules! methods {
    ($($name:literal $params:ident -> $result:ty;)*) => {
        $(impl Method for $params {
            const NAME: &'static str = $name;
            type Result = $result;
        })*

        /// The names of all methods.
        pub const METHODS: &[&str] = &[$($name),*];

        /// The schemas of the params and of the result of every method.
        pub(crate) fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema, Schema)> {
            vec![$(($name, generator.subschema_for::<$params>(), generator.subschema_for::<$result>())),*]
        }
    };
}

methods! {
    "hello" SayHello -> Hello;
    "new" New -> Opened;
    "state" GetState -> State;
    "actions" GetActions -> Actions;
    "overlays" GetOverlays -> Overlays;
    "explain" Explain -> Explained;
    "space" GetSpace -> Space;
    "codes" Translate -> Translated;
    "planes" GetPlanes -> SeenPlanes;
    "history" GetHistory -> Turns;
    "replay" Replay -> Replayed;
    "play" Play -> Played;
    "preview" Preview -> Previewed;
    "undo" Undo -> StateResult;
    "redo" Redo -> StateResult;
    "tree" GetTree -> Tree;
    "goto" Goto -> StateResult;
    "annotate" Annotate -> StateResult;
    "promote" Promote -> StateResult;
    "delete" Delete -> StateResult;
    "restore" Restore -> StateResult;
    "resign" Resign -> StateResult;
    "seat" SetSeat -> StateResult;
    "hold" Hold -> StateResult;
    "resume" Resume -> StateResult;
    "hurry" Hurry -> Hurried;
    "search" Search -> Choice;
    "choose" Choose -> Choice;
    "batch" Batch -> Batched;
    "review" Review -> Reviewed;
    "cancel" Cancel -> Cancelled;
    "perft" Perft -> Nodes;
    "record" GetRecord -> Recorded;
    "load" Load -> Opened;
    "text" GetText -> GameText;
    "check" Check -> Checked;
    "render" Render -> Text;
    "rules" Rules -> Text;
    "lesson" GetLesson -> Taught;
    "puzzles" GetPuzzles -> PuzzleList;
    "puzzle" GetPuzzle -> PuzzleFound;
    "judge" Judge -> Judged;
    "hint" Hint -> Hinted;
    "mistakes" FindMistakes -> Mistakes;
    "tables" Tables -> TableList;
    "attach" Attach -> StateResult;
    "detach" Detach -> StateResult;
    "claim" Claim -> StateResult;
    "release" Release -> StateResult;
    "close" Close -> Closed;
    "bot_log" GetBotLog -> BotLog;
    "status" GetStatus -> Status;
}

/// For the schema: that a member which may be left out or null is neither.
fn given(member: &str, kind: &str) -> Value {
    json!({"required": [member], "properties": {member: {"type": kind}}})
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SayHello {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<u32>,
    /// Whether members that the engine does not know are refused from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
}

/// Opens a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct New {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seats: Option<PerSeat<Option<Player>>>,
    /// The engine's own players wait until `play`, `seat` or `resume`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    pub table: String,
    pub state: State,
    /// What could not be read of a record that was loaded all the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<Damage>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetState {
    pub table: String,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetActions {
    pub table: String,
    #[serde(default)]
    pub detail: bool,
    #[serde(default)]
    pub codes: bool,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Actions {
    pub ply: usize,
    pub to_move: Option<Seat>,
    /// Sorted.
    pub actions: Vec<String>,
    /// In the order of `actions`, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Vec<Detail>>,
    /// In the order of `actions`, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<Vec<Vec<u32>>>,
}

/// Asks for what helps to read the board.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetOverlays {
    pub table: String,
    /// Also what could happen within a turn, which takes longer to find out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reach: bool,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Overlays {
    pub overlays: Vec<Overlay>,
    /// What counts beside the board, in words; empty if the game says nothing but `counters`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// Asks why no legal action begins by pointing at these cells.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Explain {
    pub table: String,
    /// In the order of the `cells` of a [`Detail`].
    #[serde(deserialize_with = "not_empty")]
    #[schemars(length(min = 1))]
    pub cells: Vec<String>,
    /// As in a [`Detail`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// `None` if a legal action does begin so.
    pub text: Option<String>,
    /// If one does: what is to be pointed at next, in words, where the game says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// Asks for the numbers of a game: those of its actions and those of its board.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetSpace {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// Translates actions to codes, or codes to actions. Whether they are legal is not looked at.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("oneOf" = [given("actions", "array"), given("codes", "array")]))]
pub struct Translate {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<Vec<Vec<u32>>>,
}

/// Actions and their codes, in the order in which either were given.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Translated {
    pub actions: Vec<String>,
    pub codes: Vec<Vec<u32>>,
}

/// Asks for the board as planes of numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetPlanes {
    pub table: String,
    /// Who looks: the seat to move, if nothing is said, and seat 1 once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeenPlanes {
    pub ply: usize,
    pub to_move: Option<Seat>,
    /// Who looks.
    pub seat: Seat,
    #[serde(flatten)]
    pub planes: Planes,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetHistory {
    pub table: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Turns {
    /// Every turn from the start, those that were taken back and can be played again included.
    pub turns: Vec<Turn>,
    pub resigned: Option<Seat>,
}

/// Asks what happened on the board in the last turn, or in the part of it made so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    pub table: String,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Replayed {
    /// Actions played once the turn was.
    pub ply: usize,
    /// Whose turn it was; `None` if nothing was played.
    pub seat: Option<Seat>,
    /// The board before the turn.
    pub rows: Vec<String>,
    /// The actions of the turn, each with what happened.
    pub steps: Vec<ReplayedStep>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedStep {
    pub action: String,
    pub events: Vec<Event>,
}

/// Plays actions, all of them or none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Play {
    pub table: String,
    #[serde(deserialize_with = "not_empty")]
    #[schemars(length(min = 1))]
    pub actions: Vec<String>,
    /// How many actions the client thinks were played before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
}

/// Says what `play` would answer, whoever's turn it is, and leaves the table as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Preview {
    pub table: String,
    #[serde(deserialize_with = "not_empty")]
    #[schemars(length(min = 1))]
    pub actions: Vec<String>,
    /// How many actions the client thinks were played before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// With what would help to read the board.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub overlays: bool,
    /// Begin at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Begin as if it were the other seat's turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub threat: bool,
    /// And with what could happen within the next turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reach: bool,
}

/// What [`Played`] would be, and what would help to read the board then.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Previewed {
    pub state: State,
    pub events: Vec<Event>,
    /// When asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlays: Option<Vec<Overlay>>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Played {
    pub state: State,
    pub events: Vec<Event>,
}

/// Takes back turns (one, if nothing is said) or single actions.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("not" = {"allOf": [given("turns", "integer"), given("actions", "integer")]}))]
pub struct Undo {
    pub table: String,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub turns: Option<usize>,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub actions: Option<usize>,
    /// If it touches turns of somebody else's, asks them for it instead of being refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
}

/// Plays again what was taken back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("not" = {"allOf": [given("turns", "integer"), given("actions", "integer")]}))]
pub struct Redo {
    pub table: String,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub turns: Option<usize>,
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub actions: Option<usize>,
    /// If it touches turns of somebody else's, asks them for it instead of being refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
}

/// Asks for a game as a tree: all that was played, variations included.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetTree {
    pub table: String,
    /// Only this node and what comes after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Whether to hear of every change of the tree from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow: Option<bool>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Tree {
    /// The node at which the table stands.
    pub current: u32,
    /// The last node of the line: where `redo` would lead in the end.
    pub end: u32,
    /// How many deletions `restore` could take back.
    pub deleted: usize,
    /// Every node behind its parent, the main continuation first.
    pub nodes: Vec<TreeNode>,
}

/// Goes to any node of the tree.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Goto {
    pub table: String,
    pub node: u32,
    /// If it touches turns of somebody else's, asks them for it instead of being refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ask: bool,
}

/// Says something about a node. What is left out stays as it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Annotate {
    pub table: String,
    /// The one at which the table stands, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Nothing but blanks removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// One of the signs of a [`Mark`](crate::Mark), or an empty text, which removes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// What could be played from the node: it is put into the tree, and what is said is about the
    /// node to which it leads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
}

/// Moves the variation to which a node belongs forward.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Promote {
    pub table: String,
    pub node: u32,
    /// All the way: the main line then leads to the node.
    #[serde(default)]
    pub main: bool,
}

/// Removes a node and all that comes after it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Delete {
    pub table: String,
    pub node: u32,
}

/// Puts back what was deleted last.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Restore {
    pub table: String,
}

/// The result of methods that change a table and nothing else.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct StateResult {
    pub state: State,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Resign {
    pub table: String,
    pub seat: Seat,
}

/// Changes who plays a seat.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetSeat {
    pub table: String,
    pub seat: Seat,
    pub to: Player,
}

/// Lets the engine's own players wait.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hold {
    pub table: String,
}

/// Lets the engine's own players go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Resume {
    pub table: String,
    /// Only for so many of their turns: then they wait again.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub turns: Option<usize>,
}

/// Makes the engine's own player that is thinking at a table play the best it has found so far.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hurry {
    pub table: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hurried {
    /// Whether one was thinking.
    pub hurried: bool,
}

/// Looks for the best turn at a table, and leaves the table as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    pub table: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many of the best turns to list.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub lines: Option<usize>,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Whether what is found is kept with the node.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep: bool,
    /// Whether to go on until it is cancelled, from where the last such search of the position was.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub endless: bool,
    /// Whether to look at the position as if it were the other seat's turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub threat: bool,
}

/// Looks for the best turn in a game that is told from its start. This is also what a bot is asked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Choose {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    pub played: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The position, as a bot is told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// The legal actions, as a bot is told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
}

/// Asks the same of many positions at once; no table is needed. What positions have in common may
/// be said once, beside `positions`; what a position says itself counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("anyOf" = game_of_all_or_of_each()))]
pub struct Batch {
    pub positions: Vec<BatchPosition>,
    /// What is asked of each.
    pub ask: Ask,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Result number i searches and plays out with this seed plus i.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<bool>,
    /// Every result in a `result` notification as soon as it is its turn, instead of all of them in
    /// the response.
    #[serde(default)]
    pub stream: bool,
    /// How many threads may work; as many as there are cores if nothing is said.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub threads: Option<u32>,
}

fn game_of_all_or_of_each() -> Value {
    let mut position = given("game", "string");
    position["type"] = json!("object");
    json!([given("game", "string"), {"properties": {"positions": {"type": "array", "items": position}}}])
}

/// One position of a [`Batch`], or all along a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct BatchPosition {
    /// Every action played since the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Vec<String>>,
    /// Instead of `played`: the codes of the actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<Vec<Vec<u32>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// Its searches and playouts have this seed, as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Every position along what was played, from the start to the last: one result more than there are
    /// actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<bool>,
}

/// What is asked of a position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ask {
    #[serde(default)]
    pub legal: bool,
    /// The codes of the legal actions.
    #[serde(default)]
    pub codes: bool,
    #[serde(default)]
    pub state: bool,
    /// The board as planes of numbers.
    #[serde(default)]
    pub planes: bool,
    /// The static evaluation.
    #[serde(default)]
    pub evaluation: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<AskSearch>,
    /// So many random games from here.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub playouts: Option<u64>,
}

/// A search of each position of a [`Batch`], as by `choose`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AskSearch {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// How many of the best turns to list.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub lines: Option<usize>,
}

/// What became of a [`Batch`].
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Batched {
    /// The first `done` results, in the order of the positions; not there if they were streamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<BatchResult>>,
    /// How many results were asked for.
    pub total: usize,
    /// How many there are. Fewer than `total` only if it was cancelled.
    pub done: usize,
    /// How many of them are errors.
    pub errors: usize,
    /// The seed of the batch, given or drawn.
    pub seed: u64,
    pub time_ms: u64,
}

/// What was found about a position, or why it is none.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BatchResult {
    Failed { error: ErrorObject },
    Found(Box<Found>),
}

/// What was found about a position: what was asked for. Of a game that is over there is no
/// evaluation, no search and no playout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// Actions played.
    pub ply: usize,
    pub to_move: Option<Seat>,
    /// How the game ended, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Sorted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// In the order of `legal`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codes: Option<Vec<Vec<u32>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<State>>,
    /// As the seat to move sees it, or seat 1 once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planes: Option<Planes>,
    /// For the seat to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Score>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Box<Choice>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<Playouts>,
}

/// How random games went, for the seat to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Playouts {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Actions from the position to the end.
    pub mean_length: f64,
}

/// Looks through the line of a table, or the way to a node: what every turn was worth.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Review {
    pub table: String,
    /// The last node to look at; the end of the line, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Of the search of every position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How many of the best turns to list.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub lines: Option<usize>,
    /// How many threads may work; as many as there are cores if nothing is said.
    #[serde(default, deserialize_with = "at_least_one", skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub threads: Option<u32>,
}

/// Ends a search, a batch, a review, or a count of the ways to play, that is still going on.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Cancel {
    pub request: Id,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Cancelled {
    pub cancelled: bool,
}

/// Nobody will ever count deeper.
pub const DEEPEST_PERFT: u32 = 100;

/// Counts the ways to play `depth` actions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Perft {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<Vec<String>>,
    #[serde(deserialize_with = "at_most::<_, DEEPEST_PERFT>")]
    #[schemars(range(max = DEEPEST_PERFT))]
    pub depth: u32,
    #[serde(default)]
    pub split: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Nodes {
    pub nodes: u64,
    /// By first action, when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Map<String, Value>>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetRecord {
    pub table: String,
    /// The line alone, as version 1 has it.
    #[serde(default)]
    pub plain: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Recorded {
    /// As it is, so that whoever keeps it loses nothing that a later engine has written.
    #[schemars(with = "Record")]
    pub record: Value,
}

/// For the schema: what can be loaded.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it is only looked at")]
enum RecordOrText {
    Record(Box<Record>),
    Text(String),
}

/// Asks for a game as one line of text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetText {
    pub table: String,
    /// The game as it came to this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The position alone, without how it came about.
    #[serde(default)]
    pub position: bool,
    /// The whole tree: with what could be played again, and with all variations.
    #[serde(default)]
    pub variations: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameText {
    pub text: String,
    /// The position from which another game can begin, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
}

/// Asks whether there is such a position, and what is wrong with it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    pub game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
    pub start: Start,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// What is wrong; `None` if a game can begin there.
    pub problem: Option<Problem>,
    /// How a game stands that begins there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<State>>,
    /// The position as one line of text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What is wrong with a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// In words.
    pub reason: String,
    /// Where on the board, if it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// Which member of the start it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Opens a table with a recorded game.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// A [`Record`], or a game as one line of text. It is read by itself, so that one that is damaged
    /// is refused as such.
    #[schemars(with = "RecordOrText")]
    pub record: Value,
    /// Load what can be read of a damaged one, and say what is wrong with the rest.
    #[serde(default)]
    pub partial: bool,
}

/// What is wrong with a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Damage {
    /// Where, as `played[3]`.
    pub place: String,
    pub reason: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Render {
    pub table: String,
    /// No sign beyond ASCII.
    #[serde(default)]
    pub ascii: bool,
    /// What is where in words, instead of a drawing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub words: bool,
    /// The drawing as it is seen from the side of row 1: the last row on top, the last column on
    /// the left.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turned: bool,
    /// Look at the table as it was after so many actions, or as it would be once so many were
    /// played again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// Look at the table as it is at this node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    pub text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rules {
    pub game: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetLesson {
    pub game: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Taught {
    /// `None` if the game has none.
    #[serde(deserialize_with = "named_with_its_place")]
    pub lesson: Option<Lesson>,
}

/// Lessons are written by people: whoever reads one is told where something is wrong with it.
fn named_with_its_place<'de, D: Deserializer<'de>>(lesson: D) -> Result<Option<Lesson>, D::Error> {
    let lesson = Value::deserialize(lesson)?;
    shape::read(lesson, Unknown::Ignored).map_err(|wrong| D::Error::custom(wrong.inside("lesson")))
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tables {}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableList {
    pub tables: Vec<TableInfo>,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableInfo {
    pub table: String,
    pub game: String,
    pub ply: usize,
    pub seats: PerSeat<Player>,
    pub outcome: Option<Ending>,
}

/// Watches a table of another client.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Attach {
    pub table: String,
}

/// Watches it no longer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Detach {
    pub table: String,
}

/// Takes a seat that is open and free, and watches its table.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    pub table: String,
    pub seat: Seat,
}

/// Gives a seat that was claimed back.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Release {
    pub table: String,
    pub seat: Seat,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Close {
    pub table: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Closed {}

/// Asks what a bot has written for people.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GetBotLog {
    pub name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BotLog {
    /// The last lines that it wrote to its standard error.
    pub lines: Vec<String>,
}

/// Asks how the engine is doing.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetStatus {}

/// Asks which puzzles there are.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetPuzzles {
    /// Only of this game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Only of this grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<PuzzleKind>,
    /// What day it is, to hear which is the puzzle of the day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleList {
    pub puzzles: Vec<PuzzleInfo>,
    /// The name of the puzzle of the day, among those listed; `None` if no day was given or there is
    /// none.
    pub of_the_day: Option<String>,
}

/// Asks for a puzzle, its solution included.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GetPuzzle {
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleFound {
    pub puzzle: Puzzle,
}

/// Asks what the last turn that was played in a puzzle is worth, and what the other side replies.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Judge {
    /// Whole, for it need not be one of the engine's.
    pub puzzle: Puzzle,
    /// All actions since it began, of both.
    pub played: Vec<String>,
}

/// What a turn in a puzzle is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleVerdict {
    /// The turn of the one who solves it is not finished.
    Unfinished,
    /// Proved to be right, and it goes on with the reply.
    Right,
    Solved,
    /// It wins, but takes more turns than there are. Nobody fails by it.
    Slow,
    /// Proved to be wrong: the reply shows why.
    Wrong,
    /// It was not found out in time.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    pub verdict: PuzzleVerdict,
    /// How many turns of one's own are left.
    pub turns: u32,
    /// What the other side plays: the turn after which it lasts longest, or the one that shows what
    /// was wrong. Empty if there is none.
    #[serde(default)]
    pub reply: Vec<String>,
    /// One sentence for people.
    pub text: String,
}

impl Judged {
    /// Without a reply.
    pub fn new(verdict: PuzzleVerdict, turns: u32, text: impl Into<String>) -> Judged {
        Judged { verdict, turns, reply: Vec::new(), text: text.into() }
    }
}

/// Asks for help in a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Hint {
    pub puzzle: Puzzle,
    /// All actions since it began, of both.
    #[serde(default)]
    pub played: Vec<String>,
    /// The first hint, the second, and so on: each says more.
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    pub step: u32,
}

fn first() -> u32 {
    1
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hinted {
    pub step: u32,
    /// How many hints there are.
    pub of: u32,
    /// One sentence for people.
    pub text: String,
    /// Cells to look at.
    pub cells: Vec<String>,
    /// The beginning of the turn, or all of it with the last hint.
    pub actions: Vec<String>,
}

/// Asks for puzzles at turns of a game that were mistakes, as a `review` has found them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct FindMistakes {
    pub table: String,
    /// The nodes at which these turns begin.
    #[serde(deserialize_with = "not_empty")]
    #[schemars(length(min = 1))]
    pub nodes: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mistakes {
    pub puzzles: Vec<MistakePuzzle>,
    /// The nodes at which nothing could be proved.
    pub unproved: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MistakePuzzle {
    pub node: u32,
    pub puzzle: Puzzle,
}
