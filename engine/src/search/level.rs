//! The levels: how well a computer player plays.

use tabuleiro_protocol::{LevelInfo, LevelRole, Limits};

use super::evaluate::NodesOfLevels;
use super::space::Breadth;

/// How well a computer player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Random,
    Greedy,
    Gentle,
    Novice,
    Club,
    Expert,
    Master,
    Uct,
}

impl Level {
    pub const ALL: [Level; 8] = [
        Level::Random,
        Level::Greedy,
        Level::Gentle,
        Level::Novice,
        Level::Club,
        Level::Expert,
        Level::Master,
        Level::Uct,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Level::Random => "random",
            Level::Greedy => "greedy",
            Level::Gentle => "gentle",
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
            Level::Random => ("Random", "Plays at random. Anyone who knows the rules wins."),
            Level::Greedy => ("Greedy", "Takes what looks best now and never thinks ahead."),
            Level::Gentle => ("Gentle", "Has a plan, but misses some of your threats. For your first games."),
            Level::Novice => {
                ("Novice", "Never misses a win or a loss one turn away. Beatable after a few games.")
            }
            Level::Club => ("Club", "Plans a few turns ahead, like someone who plays every week."),
            Level::Expert => ("Expert", "Looks far ahead. Hard to beat even if you play well."),
            Level::Master => {
                ("Master", "The strongest: thinks two seconds a turn with all this machine has.")
            }
            Level::Uct => {
                ("UCT", "Knows no strategy and tries out random games. A yardstick for programmers.")
            }
        };
        let roles = LevelRole::ALL.into_iter().filter(|&role| Level::for_role(role) == self).collect();
        LevelInfo { id: self.id().into(), name: name.into(), help: help.into(), roles }
    }

    pub(super) fn breadth(self) -> Breadth {
        if self == Level::Master { Breadth::Wide } else { Breadth::Usual }
    }

    /// Whether it has an opening book: weaker levels would play better than they are with one.
    pub fn has_book(self) -> bool {
        matches!(self, Level::Expert | Level::Master)
    }

    /// By how much the seed may prefer one first move to another, in hundredths of the evaluation
    /// at which three games in four are won: so that no two games are alike. `master` has none, for
    /// it also judges positions.
    pub(super) fn taste(self) -> i32 {
        match self {
            Level::Gentle | Level::Novice => 6,
            // The more a level sees, the more it would give up.
            Level::Club => 3,
            Level::Expert => 2,
            Level::Random | Level::Greedy | Level::Master | Level::Uct => 0,
        }
    }

    /// The level to take for this as long as nobody says otherwise.
    pub fn for_role(role: LevelRole) -> Level {
        match role {
            LevelRole::Lesson => Level::Gentle,
            LevelRole::Opponent => Level::Club,
            LevelRole::Hint => Level::Expert,
            LevelRole::Analysis => Level::Master,
        }
    }

    /// The limits that count: those that were asked for, or the level's own if nothing was asked
    /// for that ends a search.
    pub(super) fn limits(self, asked: &Limits, nodes_of_levels: NodesOfLevels) -> Limits {
        if !asked.end_a_search() {
            return Limits { threads: asked.threads, book: asked.book, ..self.own_limits(nodes_of_levels) };
        }
        let Limits { depth, threads, book, .. } = *asked;
        let only_depth = Limits { depth, threads, book, ..Limits::default() };
        match self {
            // It has no depth that could be reached.
            Level::Uct if *asked == only_depth => Limits { nodes: Some(10_000), ..only_depth },
            _ => asked.clone(),
        }
    }

    /// Limits for when there is nothing to choose: a search then only has to say how things stand,
    /// and nobody should wait for that.
    pub(super) fn enough_for_a_score(self, limits: Limits) -> Limits {
        // A node of UCT is a whole game.
        let enough = if self == Level::Uct { 50 } else { 1_000 };
        Limits {
            nodes: Some(limits.nodes.map_or(enough, |nodes| nodes.min(enough))),
            threads: Some(1),
            ..limits
        }
    }

    /// Limits for when nobody waits for more than any turn.
    pub(super) fn enough_for_an_answer(limits: Limits) -> Limits {
        Limits { nodes: Some(1), threads: Some(1), ..limits }
    }

    /// The limits that make the level what it is.
    fn own_limits(self, nodes_of_levels: NodesOfLevels) -> Limits {
        let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
        match self {
            Level::Random | Level::Greedy => Limits::default(),
            Level::Gentle => nodes(nodes_of_levels.gentle),
            Level::Novice => nodes(nodes_of_levels.novice),
            Level::Club => nodes(nodes_of_levels.club),
            Level::Expert => nodes(nodes_of_levels.expert),
            Level::Master | Level::Uct => Limits { time_ms: Some(2_000), ..Limits::default() },
        }
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::Clock;

    use super::*;

    #[test]
    fn limits_that_are_asked_for_replace_those_of_a_level_up_and_down() {
        let usual = NodesOfLevels::USUAL;
        let clock = Clock { left_ms: 9_000, increment_ms: 0 };
        for asked in [
            Limits { nodes: Some(400_000), ..Limits::default() },
            Limits { nodes: Some(7), threads: Some(2), ..Limits::default() },
            Limits { time_ms: Some(60_000), ..Limits::default() },
            Limits { clock: Some(clock), ..Limits::default() },
            Limits { time_ms: Some(5), depth: Some(3), ..Limits::default() },
        ] {
            for level in Level::ALL {
                assert_eq!(level.limits(&asked, usual), asked, "{level:?}");
            }
        }
        let depth = Limits { depth: Some(3), ..Limits::default() };
        assert_eq!(Level::Club.limits(&depth, usual), depth);
        assert_eq!(Level::Master.limits(&depth, usual), depth);
        assert_eq!(Level::Uct.limits(&depth, usual), Limits { nodes: Some(10_000), ..depth });
    }

    #[test]
    fn threads_alone_leave_a_level_its_own_limits() {
        for level in Level::ALL {
            let own = level.limits(&Limits::default(), NodesOfLevels::USUAL);
            let threads = Limits { threads: Some(1), ..Limits::default() };
            let expected = Limits { threads: Some(1), ..own };
            assert_eq!(level.limits(&threads, NodesOfLevels::USUAL), expected, "{level:?}");
        }
        let own = |level: Level| level.limits(&Limits::default(), NodesOfLevels::USUAL);
        assert_eq!(own(Level::Club).nodes, Some(20_000));
        assert_eq!(own(Level::Master).time_ms, Some(2_000));
    }
}
