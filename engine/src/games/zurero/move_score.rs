//! How good a slide looks before it is tried.

use super::stones::{Stones, cells_of, lines_through};
use super::{Action, Change, Zurero};
use tabuleiro_protocol::Cell;

/// What a stone is worth to five cells of a line that hold so many others of its colour.
const AMONG_OTHERS: [i16; 5] = [1, 6, 30, 150, 5000];

/// How many cells on either side of a stone can be of one five with it.
const NEIGHBOURS: usize = 4;

/// What a stone is worth on a line: by how many cells before and behind it are open, up to four,
/// and which of the eight hold stones of its colour.
static ON_LINE: [[i16; 256]; 25] = worth_on_line();

const fn worth_on_line() -> [[i16; 256]; 25] {
    let mut worth = [[0; 256]; 25];
    let mut open = 0;
    while open < 25 {
        let (before, behind) = (open / 5, open % 5);
        let mut neighbours = 0u32;
        while neighbours < 256 {
            // The stone itself is between the four before and the four behind.
            let mut first = NEIGHBOURS - before;
            while first + 4 <= NEIGHBOURS + behind {
                let with_gap = neighbours & 0xF | (neighbours & 0xF0) << 1;
                let others = (with_gap >> first & 0b11111u32).count_ones();
                worth[open][neighbours as usize] += AMONG_OTHERS[others as usize];
                first += 1;
            }
            neighbours += 1;
        }
        open += 1;
    }
    worth
}

impl Zurero {
    #[inline]
    pub(super) fn score_of_slide(&self, action: Action) -> i32 {
        let Change { gained, enemy_to } = self.change(action);
        let [own, enemy] = [self.to_move, !self.to_move].map(|seat| &self.stones[seat.index()]);
        let mut score = 0;
        score += self.worth_of_stone(own, enemy, gained) + self.worth_of_stone(enemy, own, gained);
        if let Some(to) = enemy_to {
            score -= self.worth_of_stone(enemy, own, to);
        }
        score * 8
    }

    /// What the first colour's stone on a cell would be worth to it.
    #[inline]
    fn worth_of_stone(&self, own: &Stones, enemy: &Stones, cell: Cell) -> i32 {
        let mut worth = 0;
        for (line, bit) in lines_through(cell) {
            // The cell comes to lie on bit 4 of nine. What is not on the board is closed, on both
            // sides.
            let place = bit.trailing_zeros();
            let own = (u64::from(own.line(line)) << NEIGHBOURS >> place) as u32;
            let closed = u64::from(enemy.line(line) | !cells_of(self.size, line)) << NEIGHBOURS | 0xF;
            let closed = (closed >> place) as u32;
            let before = (closed << 28 | 1 << 27).leading_zeros();
            let behind = (closed >> 5 | 1 << 4).trailing_zeros();
            let neighbours = own & 0xF | own >> 1 & 0xF0;
            worth += i32::from(ON_LINE[(before * 5 + behind) as usize][neighbours as usize]);
        }
        worth
    }
}
