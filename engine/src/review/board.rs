//! A board as a picture, from its rows and what is known of the looks of its tokens.

use std::fmt::Write;

use tabuleiro_protocol::{Cell, Edge, Form, PieceSide, Target, TokenLook, Trace};

use super::page::side_of;

/// How many units a cell has.
const CELL: usize = 20;

/// A board that can be drawn.
pub(super) struct Board<'a> {
    rows: Vec<Vec<&'a str>>,
    looks: &'a [TokenLook],
    turns: Vec<(Vec<Trace>, Sign)>,
}

/// How a turn is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Rings, and arrows with a whole line.
    Better,
    /// Squares, and arrows with a broken line.
    Played,
}

impl Sign {
    fn stroke(self) -> &'static str {
        match self {
            Sign::Better => "fill=\"none\" stroke=\"#1c6b3a\" stroke-width=\"2\"",
            Sign::Played => "fill=\"none\" stroke=\"#a3281c\" stroke-width=\"2\" stroke-dasharray=\"4 2\"",
        }
    }
}

impl<'a> Board<'a> {
    pub(super) fn new(rows: &'a [String], looks: &'a [TokenLook]) -> Board<'a> {
        let rows = rows.iter().map(|row| row.split(' ').collect()).collect();
        Board { rows, looks, turns: Vec::new() }
    }

    /// Shows what a turn does.
    pub(super) fn show(&mut self, traces: Vec<Trace>, sign: Sign) {
        self.turns.push((traces, sign));
    }

    pub(super) fn svg(&self) -> String {
        let height = self.rows.len() * CELL;
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0) * CELL;
        let mut svg = format!(
            "<svg viewBox=\"-18 -18 {} {}\" role=\"img\"><rect width=\"{width}\" height=\"{height}\" \
             fill=\"#e8dcc0\" stroke=\"#8a7a5a\"/>",
            width + 36,
            height + 36
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
        for (traces, sign) in &self.turns {
            for trace in traces {
                match *trace {
                    Trace::Way(from, to) => arrow(&mut svg, from, to, *sign),
                    Trace::Place(cell) => ring(&mut svg, cell, *sign),
                }
            }
            // Where the last way ends.
            if let Some(Trace::Way(_, to)) = traces.last() {
                ring(&mut svg, to.cell(), *sign);
            }
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

/// The middle of a cell, or of the place outside the board.
fn middle(target: Target) -> (f64, f64) {
    let (cell, (east, south)) = match target {
        Target::Cell(cell) => (cell, (0.0, 0.0)),
        Target::Edge(edge, cell) => {
            let out = match edge {
                Edge::North => (0.0, -0.8),
                Edge::East => (0.8, 0.0),
                Edge::South => (0.0, 0.8),
                Edge::West => (-0.8, 0.0),
            };
            (cell, out)
        }
    };
    let at = |index: u8, off: f64| (f64::from(index) + 0.5 + off) * CELL as f64;
    (at(cell.column, east), at(cell.row, south))
}

fn ring(svg: &mut String, cell: Cell, sign: Sign) {
    let (x, y) = middle(Target::Cell(cell));
    let shape = match sign {
        Sign::Better => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"9\""),
        Sign::Played => {
            format!("<rect x=\"{}\" y=\"{}\" width=\"18\" height=\"18\"", x - 9.0, y - 9.0)
        }
    };
    // Writing to a string does not fail.
    let _ = write!(svg, "{shape} {}/>", sign.stroke());
}

fn arrow(svg: &mut String, from: Target, to: Target, sign: Sign) {
    let (from, to) = (middle(from), middle(to));
    let way = (to.0 - from.0, to.1 - from.1);
    let length = way.0.hypot(way.1);
    if length < 1.0 {
        return;
    }
    let (east, south) = (way.0 / length, way.1 / length);
    // A point so far back from the end and so far aside.
    let at = |back: f64, aside: f64| {
        format!("{:.1} {:.1}", to.0 - east * back - south * aside, to.1 - south * back + east * aside)
    };
    let _ = write!(
        svg,
        "<path d=\"M{:.1} {:.1}L{}\" {stroke}/><path d=\"M{}L{}L{}\" {stroke} style=\"stroke-dasharray:none\"/>",
        from.0 + east * 3.0,
        from.1 + south * 3.0,
        at(3.0, 0.0),
        at(8.0, 4.0),
        at(3.0, 0.0),
        at(8.0, -4.0),
        stroke = sign.stroke(),
    );
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
    fn what_was_played_and_what_was_better_differ_in_form() {
        let rows = [". . .".to_string()];
        let cell = |column| Target::Cell(Cell::new(column, 0));
        let svg = |sign| {
            let mut board = Board::new(&rows, &[]);
            board.show(vec![Trace::Way(cell(0), cell(2))], sign);
            board.svg()
        };
        let (played, better) = (svg(Sign::Played), svg(Sign::Better));
        assert!(played.contains("stroke-dasharray=") && !played.contains("<circle"), "{played}");
        assert!(!better.contains("stroke-dasharray=") && better.contains("<circle cx=\"50\""), "{better}");
        for svg in [played, better] {
            assert_eq!(svg.matches("<path").count(), 2, "a line and its head: {svg}");
        }
        assert!(middle(Target::Edge(Edge::West, Cell::new(0, 0))).0 < 0.0, "before the board");
    }

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
