//! What a side can do in a turn of Syrtis.

use super::Action;
use super::board::{Board, Side};
use super::cells::{
    Cells, NONE, beside, bit, each, first, floods, is_one_island, islands, rectangle, removable, rest,
};
use tabuleiro_protocol::Cell;

/// All that a side can do in a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    /// The side's two towers.
    pub(super) towers: [Cell; 2],
    /// Where each of the towers can move.
    pub(super) moves: [Cells; 2],
    /// Where the tile under each of the towers can slide.
    pub(super) slides: [Cells; 2],
    /// The tiles that can be sunk.
    pub(super) sinks: Cells,
}

impl Choices {
    #[inline]
    pub(super) fn new(board: &Board, side: Side) -> Choices {
        let own = board.towers(side);
        let towers = [first(own), first(rest(own))];
        let without_tower = board.tiles & !board.all_towers();
        let [colour, shape] = side.families().map(|family| board.family(family));
        let removable = removable(board.tiles);
        let empty = rectangle(board.tiles) & !board.tiles;
        let [one, other] = towers.map(bit);
        let seeds = [one & colour, one & shape, other & colour, other & shape, one, other];
        let within = [colour, shape, colour, shape, empty | one, empty | other];
        let [one_colour, one_shape, other_colour, other_shape, one_water, other_water] =
            floods(seeds, within);
        Choices {
            towers,
            moves: [one_colour | one_shape, other_colour | other_shape]
                .map(|islands| islands & without_tower),
            slides: [
                slides(board.tiles, one_water & empty, removable, one),
                slides(board.tiles, other_water & empty, removable, other),
            ],
            sinks: sinks(board.tiles, beside(own) & without_tower, removable),
        }
    }

    /// How many there are. Passing is always one of them.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        let sets = [self.moves[0], self.moves[1], self.slides[0], self.slides[1], self.sinks];
        1 + sets.iter().map(|set| set.count_ones()).sum::<u32>()
    }

    pub(super) fn list(&self, actions: &mut Vec<Action>) {
        actions.reserve(self.count() as usize);
        for (from, goals) in self.towers.into_iter().zip(self.moves) {
            actions.extend(each(goals).map(|to| Action::Move { from, to }));
        }
        for (from, goals) in self.towers.into_iter().zip(self.slides) {
            actions.extend(each(goals).map(|to| Action::Slide { from, to }));
        }
        actions.extend(each(self.sinks).map(Action::Sink));
        actions.push(Action::Pass);
    }

    /// The action at an index of the list that [`Choices::list`] makes.
    #[inline]
    pub(super) fn nth(&self, mut index: u32) -> Action {
        for (from, goals) in self.towers.into_iter().zip(self.moves) {
            match nth(goals, index) {
                Ok(to) => return Action::Move { from, to },
                Err(left) => index = left,
            }
        }
        for (from, goals) in self.towers.into_iter().zip(self.slides) {
            match nth(goals, index) {
                Ok(to) => return Action::Slide { from, to },
                Err(left) => index = left,
            }
        }
        nth(self.sinks, index).map_or(Action::Pass, Action::Sink)
    }
}

/// The cell at an index of a set, or by how much the index is beyond it.
#[inline]
fn nth(mut cells: Cells, index: u32) -> Result<Cell, u32> {
    let count = cells.count_ones();
    if index >= count {
        return Err(index - count);
    }
    for _ in 0..index {
        cells = rest(cells);
    }
    Ok(first(cells))
}

/// Those of the empty cells a tile can reach where all tiles hang together again.
#[inline]
pub(super) fn slides(tiles: Cells, reached: Cells, removable: Cells, tile: Cells) -> Cells {
    if reached == NONE {
        return NONE;
    }
    let others = tiles & !tile;
    if removable & tile != NONE {
        return reached & beside(others);
    }
    islands(others).fold(reached, |goals, part| goals & beside(part))
}

/// Those of the candidates that have an open side and leave the other tiles together.
#[inline]
pub(super) fn sinks(tiles: Cells, candidates: Cells, removable: Cells) -> Cells {
    let enclosed = tiles << 8 & tiles >> 8 & tiles << 1 & tiles >> 1;
    let open = candidates & !enclosed;
    let doubtful = open & !removable;
    each(doubtful)
        .map(bit)
        .filter(|tile| !is_one_island(tiles & !tile))
        .fold(open, |sinks, tile| sinks & !tile)
}
