//! What the tokens of each game stand for: figures and where they rest.

use macroquad::math::{Vec3, vec3};

use crate::board::{Cell, Tokens};
use crate::scene::{Emblem, Figure, Shape, Side, middle};

/// How high one piece of a pile is.
pub const DISC_HEIGHT: f32 = 0.17;
/// How far the top of a tile is above the water.
pub const TILE_HEIGHT: f32 = 0.16;

/// The figures of all cells, at rest.
pub fn at_rest(game: &str, tokens: &Tokens) -> Vec<Figure> {
    tokens.cells().flat_map(|cell| on_cell(game, tokens.get(cell), cell)).collect()
}

/// The figures that a token stands for, lowest first, as they rest on a cell. A token that the game does not have is nothing.
pub fn on_cell(game: &str, token: &str, cell: Cell) -> Vec<Figure> {
    let shapes = match game {
        "zurero" | "fabrik" => stone_or_worker(token),
        "absorption" => pile(token),
        "syrtis" => tile_and_tower(token),
        _ => Vec::new(),
    };
    let mut height = 0.0;
    let mut figures = Vec::with_capacity(shapes.len());
    for (level, shape) in shapes.into_iter().enumerate() {
        let (offset, yaw) = as_hands_leave_it(shape, cell, level);
        let at = middle(cell) + offset + vec3(0.0, height, 0.0);
        figures.push(Figure { shape, at, yaw, roll: 0.0, presence: 1.0 });
        height += match shape {
            Shape::Disc(_) => DISC_HEIGHT,
            Shape::Tile(..) => TILE_HEIGHT,
            _ => 0.0,
        };
    }
    figures
}

fn stone_or_worker(token: &str) -> Vec<Shape> {
    match token {
        "b" => vec![Shape::Stone(Side::Dark)],
        "w" => vec![Shape::Stone(Side::Light)],
        "*" => vec![Shape::Worker],
        _ => Vec::new(),
    }
}

fn pile(token: &str) -> Vec<Shape> {
    let side = match token.as_bytes().first() {
        Some(b'x') => Side::Dark,
        Some(b'o') => Side::Light,
        _ => return Vec::new(),
    };
    let height = token[1..].parse().unwrap_or(0).min(9);
    vec![Shape::Disc(side); height]
}

fn tile_and_tower(token: &str) -> Vec<Shape> {
    let (tile, tower) = match token.as_bytes() {
        [colour @ (b'l' | b'd'), emblem @ (b'c' | b's'), tower @ ..] => (Some((*colour, *emblem)), tower),
        tower => (None, tower),
    };
    let tile = tile.map(|(colour, emblem)| {
        let side = if colour == b'l' { Side::Light } else { Side::Dark };
        let emblem = if emblem == b'c' { Emblem::Circle } else { Emblem::Square };
        Shape::Tile(side, emblem)
    });
    let tower = match tower {
        b"L" => Some(Shape::Tower(Side::Light)),
        b"D" => Some(Shape::Tower(Side::Dark)),
        _ => None,
    };
    tile.into_iter().chain(tower).collect()
}

/// Nobody puts pieces down exactly: a little to the side and a little turned, always the same for the same place.
fn as_hands_leave_it(shape: Shape, cell: Cell, level: usize) -> (Vec3, f32) {
    let careless = match shape {
        Shape::Stone(_) => 0.025,
        Shape::Disc(_) => 0.03,
        Shape::Worker | Shape::Tile(..) | Shape::Tower(_) => 0.0,
    };
    let chance = |salt: u32| {
        let mut bits = u32::from(cell.column) * 7919
            + u32::from(cell.row) * 104_729
            + level as u32 * 1_299_709
            + salt * 15_485_863;
        bits ^= bits >> 15;
        bits = bits.wrapping_mul(0x2c1b_3c6d);
        bits ^= bits >> 12;
        bits = bits.wrapping_mul(0x297a_2d39);
        bits ^= bits >> 15;
        bits as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let yaw = if careless > 0.0 { chance(3) * 0.6 } else { 0.0 };
    (vec3(chance(1), 0.0, chance(2)) * careless, yaw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(game: &str, token: &str) -> Vec<Shape> {
        on_cell(game, token, Cell { column: 2, row: 3 }).iter().map(|figure| figure.shape).collect()
    }

    #[test]
    fn tokens_become_figures() {
        assert_eq!(shapes("zurero", "b"), [Shape::Stone(Side::Dark)]);
        assert_eq!(shapes("fabrik", "*"), [Shape::Worker]);
        assert_eq!(shapes("absorption", "o3"), [Shape::Disc(Side::Light); 3]);
        assert_eq!(
            shapes("syrtis", "dsL"),
            [Shape::Tile(Side::Dark, Emblem::Square), Shape::Tower(Side::Light)]
        );
        assert_eq!(shapes("syrtis", "D"), [Shape::Tower(Side::Dark)]);
        for game in ["zurero", "fabrik", "absorption", "syrtis", "chess"] {
            assert_eq!(shapes(game, "."), []);
            assert_eq!(shapes(game, "é?"), []);
        }
    }

    #[test]
    fn pieces_of_a_pile_lie_on_each_other() {
        let pile = on_cell("absorption", "x3", Cell { column: 0, row: 0 });
        let heights: Vec<f32> = pile.iter().map(|figure| figure.at.y).collect();
        assert_eq!(heights, [0.0, DISC_HEIGHT, DISC_HEIGHT * 2.0]);
        assert_eq!(pile, on_cell("absorption", "x3", Cell { column: 0, row: 0 }));
    }
}
