//! The numbers of the search: how it prunes and reduces, all in one place.
//!
//! What pays differs from game to game, so each game has numbers of its own. They were chosen by
//! matches; docs/measurements.md has them.

/// How a space is searched. Margins are in hundredths of the evaluation at which three games in
/// four are won ([`Evaluate::scale`](super::Evaluate::scale)). A depth of 0 means nowhere.
///
/// Nothing that is pruned is ever taken for proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Reverse futility pruning: with at most so many plies left, a position whose static
    /// evaluation is better than it has to be by the margin for every ply is good enough.
    pub reverse_futility_depth: i32,
    pub reverse_futility_margin: i32,

    /// Move-count pruning: with at most so many plies left, only the first moves are tried, once one
    /// was found that does not lose: so many, and so many times the square of the depth.
    pub move_count_depth: i32,
    pub move_count_base: i32,
    pub move_count_growth: i32,

    /// Late move reductions: whether late moves are first searched less deep than the others. Where
    /// a move is a whole turn that would compare what one seat is about to do with what the other
    /// one is about to do.
    pub late_move_reductions: bool,

    /// How many positions [`SearchSpace::forced_win`](super::SearchSpace::forced_win) may look at
    /// wherever a search ends.
    pub forced_win_effort_at_leaves: u64,
}

impl Tuning {
    /// Nothing is pruned: for games of which nothing is known.
    pub const CAUTIOUS: Tuning = Tuning {
        reverse_futility_depth: 0,
        reverse_futility_margin: 60,
        move_count_depth: 0,
        move_count_base: 3,
        move_count_growth: 2,
        late_move_reductions: true,
        forced_win_effort_at_leaves: 0,
    };

    /// The most moves that are tried in a node of this depth where moves may be left out.
    pub(super) fn most_moves(&self, depth: i32) -> usize {
        if depth > self.move_count_depth {
            return usize::MAX;
        }
        (self.move_count_base + self.move_count_growth * depth * depth) as usize
    }
}
