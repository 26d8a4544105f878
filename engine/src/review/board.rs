//! A board as a picture, from its rows and what is known of the looks of its tokens.

use std::fmt::Write;

use tabuleiro_protocol::{Cell, Form, PieceSide, TokenLook};

use super::page::side_of;

/// How many units a cell has.
const CELL: usize = 20;

/// A board that can be drawn.
pub(super) struct Board<'a> {
    rows: Vec<Vec<&'a str>>,
    looks: &'a [TokenLook],
    rings: Vec<(Cell, Ring)>,
}

/// How a cell is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ring {
    Round,
    Square,
}

impl<'a> Board<'a> {
    pub(super) fn new(rows: &'a [String], looks: &'a [TokenLook]) -> Board<'a> {
        let rows = rows.iter().map(|row| row.split(' ').collect()).collect();
        Board { rows, looks, rings: Vec::new() }
    }

    pub(super) fn ring(&mut self, cells: &[Cell], ring: Ring) {
        self.rings.extend(cells.iter().map(|&cell| (cell, ring)));
    }

    pub(super) fn svg(&self) -> String {
        let height = self.rows.len() * CELL;
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0) * CELL;
        let mut svg = format!(
            "<svg viewBox=\"-16 -16 {} {}\" role=\"img\"><rect width=\"{width}\" height=\"{height}\" \
             fill=\"#e8dcc0\" stroke=\"#8a7a5a\"/>",
            width + 20,
            height + 20
        );
        for (row, tokens) in self.rows.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(svg, "<text x=\"-14\" y=\"{}\">{}</text>", row * CELL + 14, row + 1);
            for (column, token) in tokens.iter().enumerate() {
                let (x, y) = (column * CELL, row * CELL);
                if row == 0 {
                    let letter = char::from(b'a' + (column % 26) as u8);
                    let _ = write!(svg, "<text x=\"{}\" y=\"-4\">{letter}</text>", x + 7);
                }
                let _ = write!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"none\" stroke=\"#bfae8a\" \
                     stroke-width=\".5\"/>"
                );
                if *token != "." {
                    self.draw(&mut svg, token, x, y);
                }
            }
        }
        for (cell, ring) in &self.rings {
            let (x, y) = (usize::from(cell.column) * CELL, usize::from(cell.row) * CELL);
            let _ = match ring {
                Ring::Round => write!(
                    svg,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"9\" fill=\"none\" stroke=\"#1c6b3a\" stroke-width=\"2\"/>",
                    x + 10,
                    y + 10
                ),
                Ring::Square => write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"18\" fill=\"none\" stroke=\"#a3281c\" \
                     stroke-width=\"2\" stroke-dasharray=\"4 2\"/>",
                    x + 1,
                    y + 1
                ),
            };
        }
        svg.push_str("</svg>");
        svg
    }

    /// What its game says of a token, or else a disc with what it is called.
    fn draw(&self, svg: &mut String, token: &str, x: usize, y: usize) {
        let is_it = |look: &&TokenLook| match look.token.strip_suffix('#').filter(|stem| !stem.is_empty()) {
            Some(stem) => token.strip_prefix(stem).is_some_and(|rest| rest.parse::<u32>().is_ok()),
            None => look.token == token,
        };
        let mut known = self.looks.iter().filter(is_it).peekable();
        if known.peek().is_none() {
            let label = (token.len() > 1 || side_of(token) == PieceSide::Neutral).then_some(token);
            return piece(svg, Form::Disc, side_of(token), label, x, y);
        }
        for look in known {
            piece(svg, look.form, look.side, look.label.as_deref(), x, y);
        }
    }
}

fn piece(svg: &mut String, form: Form, side: PieceSide, label: Option<&str>, x: usize, y: usize) {
    // What lies on something of its own colour is seen by its edge.
    let (fill, ink, edge) = match side {
        PieceSide::Dark => ("#2b2b2b", "#fff", "#a8a8a8"),
        PieceSide::Light => ("#fdfdf8", "#111", "#555"),
        PieceSide::Neutral => ("#b98a4a", "#111", "#555"),
    };
    let (x, y) = (x + CELL / 2, y + CELL / 2);
    let shape = match form {
        Form::Tile => format!("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"18\"", x - 9, y - 9),
        Form::Cube => format!("<rect x=\"{}\" y=\"{}\" width=\"13\" height=\"13\"", x - 6, y - 6),
        Form::Tower | Form::Pawn => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"5\""),
        _ => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"8\""),
    };
    // Writing to a string does not fail.
    let _ = write!(svg, "{shape} fill=\"{fill}\" stroke=\"{edge}\"/>");
    if let Some(label) = label {
        let label = label.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\" style=\"font-size:8px\">{label}</text>",
            y + 3
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    #[test]
    fn whatever_differs_on_a_board_differs_in_its_picture_without_colours() {
        let plain = |svg: String| -> String {
            let parts = svg.split("fill=\"").map(|part| part.split_once('"').map_or(part, |(_, rest)| rest));
            parts.collect()
        };
        for game in Catalog::standard().games() {
            let looks = (game.drawn)();
            for name in looks.iter().map(|look| &look.token) {
                let others = looks.iter().map(|look| &look.token).filter(|other| *other != name);
                let picture = |token: &String| Board::new(std::slice::from_ref(token), &looks).svg();
                for other in others {
                    assert_ne!(picture(name), picture(other), "{}: {name} {other}", game.id);
                    // Tiles of the two sides differ by their ground alone, as on a real board.
                    if name[1..] != other[1..] {
                        assert_ne!(
                            plain(picture(name)),
                            plain(picture(other)),
                            "{}: {name} {other}",
                            game.id
                        );
                    }
                }
            }
        }
    }
}
