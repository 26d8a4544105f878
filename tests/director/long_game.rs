//! A game of Absorption as long as one likes: both sides stay in their own three rows, split one pile
//! and merge it again, and let six small ones walk about.

/// The cells that the pile which is split and merged needs, and those of piles that never move.
const TAKEN: [(u8, u8); 6] = [(2, 1), (3, 1), (2, 2), (0, 1), (1, 1), (7, 1)];

/// What happens to the pile in four turns.
const ROUND: [&str; 4] = ["c1/c2,c2,d1", "d1+c2", "d1/c1,c2,c2", "c1+c2"];

/// So many turns; the option `turn_limit` has to be 0.
pub(crate) fn turns(count: usize) -> Vec<String> {
    let mut sides = [Side::new(false), Side::new(true)];
    (0..count).flat_map(|turn| sides[turn % 2].turn(turn / 2)).collect()
}

struct Side {
    /// Seat 2 sees the board from the other end.
    is_far: bool,
    /// Columns from 0, rows from 1.
    walkers: [(u8, u8); 6],
    chance: u64,
}

impl Side {
    fn new(is_far: bool) -> Side {
        let walkers = [(4, 1), (4, 2), (5, 2), (5, 1), (6, 2), (7, 2)];
        Side { is_far, walkers, chance: u64::from(is_far) }
    }

    fn turn(&mut self, number: usize) -> Vec<String> {
        let actions = match number {
            0 => vec!["f1/e1,e2,f2".into(), ".".into()],
            1 => vec!["g1/f1,g2,h2".into(), ".".into()],
            later => vec![ROUND[(later - 2) % 4].into(), self.step()],
        };
        actions.into_iter().map(|action| if self.is_far { mirrored(&action) } else { action }).collect()
    }

    /// Lets one of them go to a cell beside it that is free.
    fn step(&mut self) -> String {
        loop {
            self.chance =
                self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = (self.chance >> 33) as usize % 6;
            let (column, row) = self.walkers[index];
            let way = |shift: u32| (self.chance >> shift) % 3;
            let to =
                ((u64::from(column) + way(40)).wrapping_sub(1), (u64::from(row) + way(50)).wrapping_sub(1));
            let (Ok(new_column), Ok(new_row)) = (u8::try_from(to.0), u8::try_from(to.1)) else { continue };
            let to = (new_column, new_row);
            if new_column < 8
                && (1..=3).contains(&new_row)
                && !self.walkers.contains(&to)
                && !TAKEN.contains(&to)
            {
                self.walkers[index] = to;
                return format!("{}-{}", cell((column, row)), cell(to));
            }
        }
    }
}

fn cell((column, row): (u8, u8)) -> String {
    format!("{}{row}", char::from(b'a' + column))
}

/// The same action as seen from the other end of the board: row 1 is row 8.
fn mirrored(action: &str) -> String {
    let rows = |sign: char| sign.to_digit(10).map_or(sign, |row| char::from(b'0' + 9 - row as u8));
    let action: String = action.chars().map(rows).collect();
    let Some((from, to)) = action.split_once('/') else { return action };
    let mut to: Vec<&str> = to.split(',').collect();
    to.sort_unstable();
    format!("{from}/{}", to.join(","))
}
