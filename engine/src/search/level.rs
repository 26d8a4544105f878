//! The levels: how well a computer player plays.

use tabuleiro_protocol::{LevelInfo, LevelRole, Limits};

use super::evaluate::NodesOfLevels;
use super::space::Breadth;

/// How well a computer player plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    Random,
    Greedy,
    Novice,
    /// Who plays when nobody says.
    #[default]
    Club,
    Expert,
    Master,
    Uct,
}

impl Level {
    pub const ALL: [Level; 7] =
        [Level::Random, Level::Greedy, Level::Novice, Level::Club, Level::Expert, Level::Master, Level::Uct];

    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::Novice => "novice",
            Level::Club => "club",
            Level::Expert => "expert",
            Level::Master => "master",
            Level::Uct => "uct",
        }
    }

    pub fn by_id(id: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.id() == id)
    }

    pub fn info(self) -> LevelInfo {
        let (name, help) = match self {
            Level::Random => ("Random", "Takes any legal action, each as likely as the others."),
            Level::Greedy => ("Greedy", "Tries every turn it has and takes the one that looks best at once."),
            Level::Novice => ("Novice", "Looks a turn or two ahead: sees what wins or loses at once."),
            Level::Club => ("Club", "Looks a few turns ahead and plays a sound game."),
            Level::Expert => ("Expert", "Looks far ahead; hard to beat."),
            Level::Master => {
                ("Master", "Uses all the time it is given, two seconds a turn if nobody says, and all cores.")
            }
            Level::Uct => ("UCT", "Plain tree search with random games and no knowledge: a yardstick."),
        };
        let roles = match self {
            Level::Club => vec![LevelRole::Opponent],
            Level::Expert => vec![LevelRole::Hint],
            Level::Master => vec![LevelRole::Analysis],
            _ => Vec::new(),
        };
        LevelInfo { id: self.id().into(), name: name.into(), help: help.into(), roles }
    }

    pub(super) fn breadth(self) -> Breadth {
        if self == Level::Master { Breadth::Wide } else { Breadth::Usual }
    }

    /// The limits that make the level what it is, beside those that were asked for.
    pub(super) fn own_limits(self, nodes_of_levels: NodesOfLevels, asked: &Limits) -> Limits {
        let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        let bounded = asked.time_ms.is_some() || asked.clock.is_some() || asked.nodes.is_some();
        match self {
            Level::Novice => nodes(nodes_of_levels.novice),
            Level::Club => nodes(nodes_of_levels.club),
            Level::Expert => nodes(nodes_of_levels.expert),
            Level::Master | Level::Uct if !bounded && asked.depth.is_none() => {
                Limits { time_ms: Some(2_000), ..Limits::default() }
            }
            // A depth does not end it.
            Level::Uct if !bounded => nodes(10_000),
            Level::Random | Level::Greedy | Level::Master | Level::Uct => Limits::default(),
        }
    }
}
