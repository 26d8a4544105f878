//! A table as clients see it: its state, its turns, who plays.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::{Limits, Options, PerSeat, Seat};

/// A table as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    pub table: String,
    pub game: String,
    pub options: Options,
    pub seed: u64,
    pub seats: PerSeat<Player>,
    pub sides: PerSeat<Option<String>>,
    /// Actions played.
    pub ply: usize,
    /// Turns finished.
    pub turn: usize,
    pub to_move: Option<Seat>,
    pub phase: String,
    /// What is expected now, in words.
    #[serde(default)]
    pub prompt: String,
    pub rows: Vec<String>,
    pub counters: Map<String, Value>,
    pub last: Option<LastTurn>,
    pub outcome: Option<Ending>,
    /// The name of the node at which the table stands; 0 is the start.
    #[serde(default)]
    pub node: u32,
    /// Actions that `redo` would play again.
    #[serde(default)]
    pub undone: usize,
    /// After `hold`, `undo` or `redo` the engine's own players wait until `play`, `seat` or
    /// `resume`.
    #[serde(default)]
    pub held: bool,
    /// What somebody who plays here asks the other to agree to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wanted>,
    /// Whose turn it would be if nobody had resigned here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub would_move: Option<Seat>,
}

/// An `undo`, `redo` or `goto` that touches turns of somebody else's, who agrees by asking for the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wanted {
    /// The seat of the one who asks; `None` if it opened the table and plays no seat.
    pub by: Option<Seat>,
    pub method: Direction,
    /// How many actions, a resignation included.
    pub actions: usize,
    /// Where a `goto` leads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
}

/// Back or forth in a game, or to any node of it: the method that goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Undo,
    Redo,
    Goto,
}

/// The last turn, or the part of it made so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LastTurn {
    pub seat: Seat,
    pub actions: Vec<String>,
}

/// One turn of a game, or the part of it made so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    pub seat: Seat,
    pub actions: Vec<String>,
    /// Actions played once this turn was.
    pub ply: usize,
}

/// How a game ended, as documents have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Seat>,
    pub reason: String,
}

/// How a game ended, as people are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// `None` is a draw.
    pub winner: Option<Seat>,
    pub reason: String,
    /// One sentence for people.
    #[serde(default)]
    pub text: String,
}

/// Who plays a seat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Player {
    /// Moves come from the client that made the table, or from the one who claims the seat if it is
    /// open.
    Client {
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open: bool,
        /// Another client has taken the open seat.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        claimed: bool,
    },
    /// A level of the engine's own.
    Ai {
        level: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limits: Option<Limits>,
    },
    /// A program that was named when the engine was started.
    Bot {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limits: Option<Limits>,
    },
}

impl Default for Player {
    fn default() -> Player {
        Player::Client { open: false, claimed: false }
    }
}

// By hand, because a derived `tag` reads everything into a buffer first, and then an error cannot
// say which member was wrong.
impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Player, D::Error> {
        #[derive(Clone, Copy, Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            Client,
            Ai,
            Bot,
        }

        /// What one may say of a player.
        fn members_of(kind: Option<Kind>) -> &'static [&'static str] {
            match kind {
                Some(Kind::Client) => &["kind", "open"],
                Some(Kind::Ai) => &["kind", "level", "limits"],
                Some(Kind::Bot) => &["kind", "name", "limits"],
                None => &["kind"],
            }
        }

        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Player;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a \"kind\"")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Player, A::Error> {
                let (mut kind, mut open, mut claimed) = (None, false, false);
                let (mut level, mut name, mut limits) = (None, None, None);
                while let Some(member) = members.next_key::<String>()? {
                    // Members before the kind, which some readers give first, may be of any.
                    match (member.as_str(), kind) {
                        ("kind", _) => kind = Some(members.next_value()?),
                        ("open", None | Some(Kind::Client)) => open = members.next_value()?,
                        ("claimed", None | Some(Kind::Client)) => claimed = members.next_value()?,
                        ("level", None | Some(Kind::Ai)) => level = Some(members.next_value()?),
                        ("name", None | Some(Kind::Bot)) => name = Some(members.next_value()?),
                        ("limits", None | Some(Kind::Ai | Kind::Bot)) => limits = members.next_value()?,
                        (_, kind) => {
                            let unknown = |_| A::Error::unknown_field(&member, members_of(kind));
                            members.next_value::<IgnoredAny>().map_err(unknown)?;
                        }
                    }
                }
                let missing = A::Error::missing_field;
                Ok(match kind.ok_or_else(|| missing("kind"))? {
                    Kind::Client => Player::Client { open, claimed },
                    Kind::Ai => Player::Ai { level: level.ok_or_else(|| missing("level"))?, limits },
                    Kind::Bot => Player::Bot { name: name.ok_or_else(|| missing("name"))?, limits },
                })
            }
        }

        let members = &["kind", "open", "claimed", "level", "name", "limits"];
        deserializer.deserialize_struct("Player", members, Members)
    }
}

/// A position to begin from: the board, and what counts beside it. Games leave out what they do
/// not have.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Start {
    pub rows: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// The seat that plays light.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub light: Option<Seat>,
    /// What each seat has sunk since the other's last sink.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sinks: Option<[u8; 2]>,
    /// How often each seat has passed, in a row of its own turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passes: Option<[u8; 2]>,
    /// Passes in succession, of both seats together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streak: Option<u8>,
    /// The seat that sank last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_sinker: Option<Seat>,
    /// Members that a game of somebody else's may have besides. They stand beside the others.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

// By hand, because a derived `flatten` reads everything into a buffer first, and then an error
// cannot say which member was wrong.
impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Start, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Start;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with \"rows\" and \"to_move\"")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Start, A::Error> {
                let mut rows = None;
                let mut start = Start::default();
                while let Some(name) = members.next_key::<String>()? {
                    match name.as_str() {
                        "rows" => rows = Some(members.next_value()?),
                        "to_move" => start.to_move = members.next_value()?,
                        "light" => start.light = members.next_value()?,
                        "sinks" => start.sinks = members.next_value()?,
                        "passes" => start.passes = members.next_value()?,
                        "streak" => start.streak = members.next_value()?,
                        "last_sinker" => start.last_sinker = members.next_value()?,
                        _ => drop(start.extra.insert(name, members.next_value()?)),
                    }
                }
                start.rows = rows.ok_or_else(|| A::Error::missing_field("rows"))?;
                Ok(start)
            }
        }

        let members = &["rows", "to_move", "light", "sinks", "passes", "streak", "last_sinker"];
        deserializer.deserialize_struct("Start", members, Members)
    }
}

/// What an action is, for someone who wants to point at it or read about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Detail {
    pub action: String,
    pub kind: String,
    /// In the order in which a person would point at them.
    pub cells: Vec<String>,
    /// The edge (`north`, `east`, `south` or `west`) from which something comes in at the first of
    /// the cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<String>,
    /// A few words for a button, if there are no cells to point at, or if another action may have
    /// the same ones: then its label is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where something is taken from and where it is put, for whoever drags it; left out if that is
    /// the first cell and the second of two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<[String; 2]>,
    /// One sentence for people.
    pub text: String,
}

impl Detail {
    /// From where to where something is dragged, if the action is one that can be dragged.
    pub fn drag(&self) -> Option<[&str; 2]> {
        match (&self.drag, self.cells.as_slice()) {
            (Some([from, to]), _) => Some([from, to]),
            (None, [from, to]) if self.edge.is_none() => Some([from, to]),
            _ => None,
        }
    }

    /// What a button for the action says.
    pub fn words(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.text)
    }
}

/// Something that counts beside the board, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// What it is: `Sunk in a row`.
    pub name: String,
    /// How it stands: `1 of 4`.
    pub text: String,
    /// Whose it is, if it is somebody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// Cells that belong together, to help people read the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Overlay {
    /// What kind of thing they show: the same word for all of that kind.
    pub name: String,
    /// One sentence for people.
    pub text: String,
    /// Whose they are, if they are somebody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    pub cells: Vec<String>,
}
