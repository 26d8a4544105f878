//! A game's board and pieces as meshes, ready to be put on the table.

use macroquad::math::{Vec2, vec2};

use super::paint::Surface;
use super::solid::{Batch, Paint, Solid};
use super::theme::{Colour, Theme};
use crate::sets::{BoardLayout, GameSet, Part};

#[derive(Debug)]
pub(super) struct Models {
    /// The table that the board lies on is the last part of it.
    pub(super) board: Vec<Model>,
    pub(super) water: Option<Model>,
    /// By kind of shape.
    pieces: Vec<Solid>,
    casts: Vec<Solid>,
}

/// A part of the board, ready to be drawn.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) surface: Surface,
    pub(super) colours: [Colour; 3],
    pub(super) batch: Batch,
}

/// How many corners a round piece has where only its shadow counts.
const CAST_SEGMENTS: u16 = 12;

impl Models {
    /// `segments` is how many corners a round piece has.
    pub(super) fn new(set: &dyn GameSet, columns: u8, rows: u8, theme: &Theme, segments: u16) -> Models {
        let pieces = |segments| (0..set.kinds()).map(|kind| set.piece(kind, theme, segments)).collect();
        let mut board = set.board(columns, rows, theme);
        board.push(table(set.layout(), columns, rows, theme));
        Models {
            board: board.into_iter().map(Model::new).collect(),
            water: set.water(columns, rows, theme).map(Model::new),
            pieces: pieces(segments),
            casts: pieces(CAST_SEGMENTS),
        }
    }

    pub(super) fn piece(&self, kind: u8) -> Option<&Solid> {
        self.pieces.get(usize::from(kind))
    }

    /// The same, only as fine as its shadow needs it.
    pub(super) fn cast(&self, kind: u8) -> Option<&Solid> {
        self.casts.get(usize::from(kind))
    }
}

impl Model {
    fn new(part: Part) -> Model {
        Model { surface: part.surface, colours: part.colours, batch: Batch::of(&part.solid) }
    }
}

/// As far as the table is seen.
fn table(layout: BoardLayout, columns: u8, rows: u8, theme: &Theme) -> Part {
    let (low, high) = layout.extent(columns, rows);
    let middle = (low + high) / 2.0;
    let reach = Vec2::splat((high - low).length() * 5.0);
    let middle = vec2(middle.x, middle.z);
    // Its shader knows its colours.
    let paint = Paint::new(Colour([255; 3]), 0.0, 0.0);
    Part {
        surface: Surface::Table,
        colours: [theme.table.top, theme.table.far, theme.table.far],
        solid: Solid::default().sheet(middle - reach, middle + reach, -layout.thickness, paint),
    }
}
