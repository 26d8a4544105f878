//! What an engine offers: games, their options, levels.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    pub engine: String,
    pub version: String,
    pub protocol: u32,
    pub games: Vec<GameInfo>,
    pub levels: Vec<LevelInfo>,
    pub bots: Vec<String>,
    /// Members that the engine does not know are refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameInfo {
    pub id: String,
    pub name: String,
    pub options: Vec<OptionSpec>,
    /// One line about the game, for someone who does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pitch: Option<String>,
    /// What its tokens look like, for a client that has no pieces of its own for the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub look: Vec<TokenLook>,
    /// What a cell of a position may hold, for whoever sets one up; an empty cell is not among it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// What a start has besides its rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<StartMember>,
}

impl GameInfo {
    /// A game that gives no hints about its looks.
    pub fn new(id: &str, name: &str, options: Vec<OptionSpec>) -> GameInfo {
        GameInfo { id: id.into(), name: name.into(), options, ..GameInfo::default() }
    }
}

/// A token of `rows`, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Piece {
    pub token: String,
    pub text: String,
}

impl Piece {
    pub fn new(token: &str, text: &str) -> Piece {
        Piece { token: token.into(), text: text.into() }
    }
}

/// A member of a start besides its rows: what it may be, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StartMember {
    pub name: String,
    #[serde(flatten)]
    pub kind: MemberKind,
    pub help: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MemberKind {
    /// A seat; `optional` if there may be none.
    Seat {
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        optional: bool,
    },
    Integer {
        min: i64,
        max: i64,
    },
    /// Two integers: that of seat 1 and that of seat 2.
    PerSeat {
        min: i64,
        max: i64,
    },
}

impl StartMember {
    pub fn new(name: &str, kind: MemberKind, help: &str) -> StartMember {
        StartMember { name: name.into(), kind, help: help.into() }
    }

    /// The seat whose turn begins, which every start may name.
    pub fn to_move() -> StartMember {
        StartMember::new("to_move", MemberKind::Seat { optional: false }, "Who is to move.")
    }
}

/// What a token of `rows` looks like on a board. Several looks of one token stand on each other,
/// the first one lowest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenLook {
    /// The token; a `#` at its end, after something else, stands for any number.
    pub token: String,
    #[serde(default)]
    pub form: Form,
    #[serde(default)]
    pub side: PieceSide,
    /// How many of it lie on each other. Left out: the number in the token if there is one, else 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u8>,
    /// A letter or two to be read on the piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl TokenLook {
    /// One piece without a label.
    pub fn new(token: &str, form: Form, side: PieceSide) -> TokenLook {
        TokenLook { token: token.into(), form, side, height: None, label: None }
    }

    /// The same with something to be read on it.
    pub fn labelled(self, label: &str) -> TokenLook {
        TokenLook { label: Some(label.into()), ..self }
    }
}

/// The form of a piece. What a later version adds is read as a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A lens, as in Go.
    Stone,
    /// A round tower.
    Tower,
    Cube,
    /// A low square that fills its cell.
    Tile,
    /// A small figure with a head.
    Pawn,
    /// A flat cylinder, as in draughts.
    #[default]
    #[serde(other)]
    Disc,
}

/// Whose piece it looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceSide {
    Dark,
    Light,
    /// Nobody's.
    #[default]
    #[serde(other)]
    Neutral,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LevelInfo {
    pub id: String,
    pub name: String,
    pub help: String,
    /// What a client takes this level for unless a person says otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<LevelRole>,
}

/// Something that a client needs a level for. At most one level has each role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LevelRole {
    /// To play against by somebody who is just learning the game.
    Lesson,
    /// To play against.
    Opponent,
    /// To say what a person might play.
    Hint,
    /// To judge positions, with limits of the client's.
    Analysis,
}

impl LevelRole {
    pub const ALL: [LevelRole; 4] =
        [LevelRole::Lesson, LevelRole::Opponent, LevelRole::Hint, LevelRole::Analysis];
}

impl LevelRole {
    /// The role of this name, as it is written in messages.
    pub fn called(word: &str) -> Option<LevelRole> {
        serde_json::from_value(word.into()).ok()
    }
}

impl Hello {
    /// The level that has a role.
    pub fn level_for(&self, role: LevelRole) -> Option<&LevelInfo> {
        self.levels.iter().find(|level| level.roles.contains(&role))
    }

    /// The level of this id, or else the one that has the role of this name.
    pub fn level_called(&self, word: &str) -> Option<&LevelInfo> {
        let role = LevelRole::called(word);
        let by_id = self.levels.iter().find(|level| level.id == word);
        by_id.or_else(|| role.and_then(|role| self.level_for(role)))
    }
}

/// One option of a game: what it may be, and what it is when nobody says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OptionSpec {
    pub name: String,
    #[serde(flatten)]
    pub kind: OptionKind,
    pub help: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OptionKind {
    Integer { default: i64, min: i64, max: i64 },
    Choice { default: String, choices: Vec<String> },
}

impl OptionSpec {
    pub fn integer(name: &str, default: i64, min: i64, max: i64, help: &str) -> OptionSpec {
        let kind = OptionKind::Integer { default, min, max };
        OptionSpec { name: name.into(), kind, help: help.into() }
    }

    /// The first of the choices is the default.
    pub fn choice(name: &str, choices: &[&str], help: &str) -> OptionSpec {
        let choices: Vec<String> = choices.iter().map(|&choice| choice.into()).collect();
        let kind = OptionKind::Choice { default: choices[0].clone(), choices };
        OptionSpec { name: name.into(), kind, help: help.into() }
    }

    pub fn default_value(&self) -> OptionValue {
        match &self.kind {
            OptionKind::Integer { default, .. } => OptionValue::Integer(*default),
            OptionKind::Choice { default, .. } => OptionValue::Choice(default.clone()),
        }
    }
}

/// The options of a game by name.
pub type Options = BTreeMap<String, OptionValue>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "must be a whole number or a string")]
pub enum OptionValue {
    Integer(i64),
    Choice(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Integer(number) => write!(f, "{number}"),
            OptionValue::Choice(word) => write!(f, "{word}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hints_may_be_left_out_and_words_of_later_versions_do_no_harm() {
        let plain = json!({"id": "mine", "name": "Mine", "options": []});
        let game: GameInfo = serde_json::from_value(plain.clone()).expect("a game");
        assert_eq!(game, GameInfo::new("mine", "Mine", Vec::new()));
        assert_eq!(serde_json::to_value(&game).expect("JSON"), plain);

        let look = json!({"token": "x#", "form": "spaceship", "side": "purple", "sound": "loud"});
        let look: TokenLook = serde_json::from_value(look).expect("a look");
        assert_eq!(look, TokenLook::new("x#", Form::Disc, PieceSide::Neutral));
    }
}
