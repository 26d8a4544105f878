//! Turns that win.

use tabuleiro_protocol::Seat;

use super::board::{Board, Family, Side};
use super::cells::{
    Cells, NONE, beside, bit, each, flood, is_one_island, islands, rectangle, removable, rest,
};
use super::choices::{sinks, slides};
use super::{Action, OWN_PASSES, Phase, QUICKSAND, Syrtis, SyrtisPosition};
use crate::game::Game;

impl Syrtis {
    /// Whether the seat to move has a turn that wins, worked out without trying them all.
    pub(super) fn can_win_now(&self) -> bool {
        let now = &self.position;
        match now.phase {
            Phase::Swap | Phase::Towers => return false,
            // Light begins, so this is still the same turn.
            Phase::Choose => return self.with_light_chosen().can_win_now(),
            Phase::Play => {}
        }
        if self.rules.turn_limit != 0 && now.turns + 1 >= self.rules.turn_limit {
            return self.some_turn_wins();
        }
        let seat = now.to_move;
        self.could_win_by_tiles(seat) || self.initiative() == seat && self.could_win_by_initiative()
    }

    /// The game after seat 2 has chosen to play light.
    pub(super) fn with_light_chosen(&self) -> Syrtis {
        let mut game = self.clone();
        game.play(Action::Take(Side::Light));
        game
    }

    /// Whether a seat could win by sinking or sliding a tile if it were its turn.
    pub(super) fn could_win_by_tiles(&self, seat: Seat) -> bool {
        let side = self.side(seat);
        if self.position.sinks[seat.index()] + 1 >= QUICKSAND
            && sinks_of(self.board(), side, Cells::MAX) != NONE
        {
            return true;
        }
        // A sink brings the initiative with it, so it does not matter whether the enemy gets an
        // island too.
        let outsiders = last_outsiders(self.board(), side);
        if outsiders != NONE && sinks_of(self.board(), side, outsiders) != NONE {
            return true;
        }
        each(self.board().towers(side)).map(bit).any(|tower| self.could_win_by_sliding(seat, tower))
    }

    fn could_win_by_sliding(&self, seat: Seat, tower: Cells) -> bool {
        let board = self.board();
        let empty = rectangle(board.tiles) & !board.tiles;
        let side = self.side(seat);
        let [colour, shape] = side.families().map(|family| joining(board.family(family), tower, empty));
        let goals = colour | shape;
        if goals == NONE {
            return false;
        }
        let reached = flood(beside(tower), empty);
        let goals = goals & slides(board.tiles, reached, removable(board.tiles), tower);
        if goals == NONE || self.initiative() == seat {
            return goals != NONE;
        }
        // Without the initiative, not if the enemy gets an island by the same slide.
        let theirs = Family::ALL.into_iter().filter(|family| family.owner() != side);
        let theirs = theirs.map(|family| board.family(family)).find(|&cells| cells & tower != NONE);
        theirs.is_none_or(|cells| each(goals).any(|goal| !is_one_island(cells & !tower | bit(goal))))
    }

    /// Whether the seat to move, which has the initiative, can end the game without touching a tile
    /// or by coming back to where it was.
    fn could_win_by_initiative(&self) -> bool {
        let now = &self.position;
        now.streak + 1 >= self.rules.passes_in_succession()
            || now.passes[now.to_move.index()] + 1 >= OWN_PASSES
            || self.can_repeat()
    }

    /// Whether some turn leads to a position for the third time.
    fn can_repeat(&self) -> bool {
        let now = &self.position;
        let comparable = now.turns_since_sink as usize + 1;
        if comparable < 4 {
            return false;
        }
        let earlier = || self.history.iter().rev().take(comparable).skip(1).step_by(2);
        let twice = |key: &u64| earlier().filter(|&other| other == key).count() >= 2;
        if !earlier().any(twice) {
            return false;
        }
        let mut actions = Vec::new();
        self.actions(&mut actions);
        let waits = actions.into_iter().filter(|action| !matches!(action, Action::Sink(_)));
        let side = self.side(now.to_move);
        waits.into_iter().any(|action| {
            let mut after = SyrtisPosition { to_move: !now.to_move, ..*now };
            after.board.act(side, action);
            twice(&after.key())
        })
    }

    /// Tries every turn.
    fn some_turn_wins(&self) -> bool {
        let mut actions = Vec::new();
        self.actions(&mut actions);
        let seat = self.position.to_move;
        let mut game = self.clone();
        actions.into_iter().any(|action| {
            let undo = game.play(action);
            let wins = game.outcome().is_some_and(|outcome| outcome.winner == Some(seat));
            game.undo(action, undo);
            wins
        })
    }
}

/// Those of the wanted tiles that a side can sink.
#[inline]
pub(super) fn sinks_of(board: &Board, side: Side, wanted: Cells) -> Cells {
    let candidates = beside(board.towers(side)) & board.tiles & !board.all_towers() & wanted;
    if candidates == NONE { NONE } else { sinks(board.tiles, candidates, removable(board.tiles)) }
}

/// The tiles without which a colour or a shape of a side would be complete.
#[inline]
fn last_outsiders(board: &Board, side: Side) -> Cells {
    side.families()
        .map(|family| last_outsider(board.family(family)))
        .into_iter()
        .fold(NONE, |all, some| all | some)
}

#[inline]
fn last_outsider(family: Cells) -> Cells {
    // Without a tile that has a neighbour there are as many islands as with it, if not more.
    let lone = family & !beside(family);
    if lone.count_ones() > 2 {
        return NONE;
    }
    each(lone).map(bit).filter(|tile| is_one_island(family & !tile)).fold(NONE, |all, tile| all | tile)
}

/// The empty cells that complete a family when one of its tiles gets there. None if that tile is
/// not of the family.
#[inline]
fn joining(family: Cells, tile: Cells, empty: Cells) -> Cells {
    if family & tile == NONE {
        return NONE;
    }
    let others = family & !tile;
    // What is left of the goals is mostly nothing before an island has to be flooded.
    let lone = others & !beside(others);
    let mut goals = empty;
    let mut left = lone;
    while left != NONE {
        goals &= beside(left & left.wrapping_neg());
        if goals == NONE {
            return NONE;
        }
        left = rest(left);
    }
    for island in islands(others & !lone) {
        goals &= beside(island);
        if goals == NONE {
            break;
        }
    }
    goals
}
