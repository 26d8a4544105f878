//! Little boards in the rules, drawn from rows of tokens as the rules have them.
//!
//! A block is one or more boards side by side with `|` between them. Each may begin with a line of words and a line of column letters; a row may begin
//! with its number or a word and end with words. An arrow shows where something comes in: what is before it lies outside the board.

use egui_macroquad::egui::{
    Align, Align2, Color32, FontId, Layout, Painter, Pos2, Rect, Sense, Shape as Drawing, Stroke, StrokeKind,
    TextStyle, Ui, Vec2, pos2, vec2,
};
use tabuleiro_protocol::Seat;

use super::look::{ACCENT, DIM, GRID, TEXT};
use super::seat::paint_mark;
use crate::board::{Cell, EMPTY};
use crate::pieces;
use crate::scene::{Emblem, Shape, Side};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Diagram {
    caption: String,
    columns: Vec<String>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Row {
    label: String,
    tokens: Vec<String>,
    words: String,
}

const ARROW: &str = "→";
/// A cell that the text speaks of.
const SEEN: &str = "+";

pub(super) fn read(game: &str, text: &str) -> Vec<Diagram> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    let boards = lines.iter().map(Vec::len).max().unwrap_or(0);
    (0..boards)
        .map(|board| {
            let lines = lines.iter().filter_map(|line| line.get(board)).map(|part| part.trim());
            read_one(game, lines.filter(|part| !part.is_empty()))
        })
        .collect()
}

fn read_one<'a>(game: &str, lines: impl Iterator<Item = &'a str>) -> Diagram {
    let mut diagram = Diagram::default();
    for (index, line) in lines.enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let begins = diagram.columns.is_empty() && diagram.rows.is_empty();
        if begins && are_letters(&words) {
            diagram.columns = words.iter().map(|word| word.to_string()).collect();
        } else if index == 0 && !words.iter().any(|word| is_token(game, word) && !is_number(word)) {
            diagram.caption = line.into();
        } else {
            diagram.rows.push(read_row(game, &words));
        }
    }
    diagram
}

fn read_row(game: &str, words: &[&str]) -> Row {
    let has_label = words.first().is_some_and(|word| is_number(word) || !is_token(game, word));
    let (label, rest) = words.split_at(usize::from(has_label));
    let tokens = rest.iter().take_while(|word| is_token(game, word)).count();
    let (tokens, words) = rest.split_at(tokens);
    Row {
        label: label.concat(),
        tokens: tokens.iter().map(|token| plain_token(token)).collect(),
        words: words.join(" "),
    }
}

/// Letters of columns that follow each other.
fn are_letters(words: &[&str]) -> bool {
    let letter = |word: &str| word.bytes().next().filter(|byte| word.len() == 1 && byte.is_ascii_lowercase());
    words.len() > 1
        && words.windows(2).all(|pair| match (letter(pair[0]), letter(pair[1])) {
            (Some(one), Some(next)) => next == one + 1,
            _ => false,
        })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_token(game: &str, word: &str) -> bool {
    [EMPTY, SEEN, ARROW].contains(&word) || is_number(word) || !shapes(game, &plain_token(word)).is_empty()
}

/// What people read as a stone is what the engine calls so.
fn plain_token(word: &str) -> String {
    match word {
        "●" | "X" => "b".into(),
        "○" | "O" => "w".into(),
        other => other.into(),
    }
}

fn shapes(game: &str, token: &str) -> Vec<Shape> {
    pieces::on_cell(game, token, Cell { column: 0, row: 0 }).iter().map(|figure| figure.shape).collect()
}

impl Diagram {
    fn width(&self) -> usize {
        self.rows.iter().map(|row| row.tokens.len()).max().unwrap_or(0)
    }

    /// Where a row begins. Rows that something comes into from the left end together; others begin together.
    fn indent(&self, row: &Row) -> usize {
        let has_arrow = self.rows.iter().any(|row| row.tokens.iter().any(|token| token == ARROW));
        if has_arrow { self.width() - row.tokens.len() } else { 0 }
    }
}

impl Row {
    /// How many of the tokens lie outside the board.
    fn outside(&self) -> usize {
        self.tokens.iter().position(|token| token == ARROW).map_or(0, |arrow| arrow + 1)
    }
}

const SLATE: Color32 = Color32::from_rgb(74, 88, 80);
const WOOD: Color32 = Color32::from_rgb(203, 164, 108);
const OAK: Color32 = Color32::from_rgb(150, 122, 88);
const WATER: Color32 = Color32::from_rgb(62, 112, 122);
const SAND: Color32 = Color32::from_rgb(226, 208, 168);
const BASALT: Color32 = Color32::from_rgb(72, 70, 74);
const STEEL: Color32 = Color32::from_rgb(250, 208, 120);
const SHADE: Color32 = Color32::from_rgb(30, 26, 22);
const SHELL: Color32 = Color32::from_rgb(242, 236, 224);

/// How large a cell is drawn, before the person's own factor for text.
const CELL: f32 = 28.0;

/// All boards of a block, side by side where there is room.
pub(super) fn show(ui: &mut Ui, game: &str, diagrams: &[Diagram]) {
    ui.with_layout(Layout::left_to_right(Align::Min).with_main_wrap(true), |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GRID * 3.0);
        for diagram in diagrams {
            show_one(ui, game, diagram);
        }
    });
}

fn show_one(ui: &mut Ui, game: &str, diagram: &Diagram) {
    let small = TextStyle::Small.resolve(ui.style());
    let cell = CELL * small.size / 13.0;
    let width_of = |ui: &Ui, text: &str| {
        let galley = ui.painter().layout_no_wrap(text.to_owned(), small.clone(), TEXT);
        galley.size().x
    };
    let widest = |ui: &Ui, text: fn(&Row) -> &String| {
        let widths = diagram.rows.iter().map(|row| width_of(ui, text(row)));
        widths.fold(0.0, f32::max)
    };
    let gap = |width: f32| if width > 0.0 { width + GRID } else { 0.0 };
    let left = gap(widest(ui, |row| &row.label));
    let right = gap(widest(ui, |row| &row.words));
    let line = small.size + GRID * 0.75;
    let above =
        line * (usize::from(!diagram.caption.is_empty()) + usize::from(!diagram.columns.is_empty())) as f32;
    let board = vec2(diagram.width() as f32, diagram.rows.len() as f32) * cell;
    let width = (left + board.x + right).max(width_of(ui, &diagram.caption));
    let (rect, _) = ui.allocate_exact_size(vec2(width, above + board.y), Sense::hover());
    let painter = ui.painter();
    let write = |at: Pos2, align: Align2, text: &str, colour: Color32| {
        painter.text(at, align, text, small.clone(), colour);
    };
    write(rect.left_top() + vec2(0.0, line * 0.5), Align2::LEFT_CENTER, &diagram.caption, ACCENT);
    let origin = rect.min + vec2(left, above);
    for (column, letter) in diagram.columns.iter().enumerate() {
        let at = origin + vec2((column as f32 + 0.5) * cell, -line * 0.5);
        write(at, Align2::CENTER_CENTER, letter, DIM);
    }
    for (index, row) in diagram.rows.iter().enumerate() {
        let middle = origin.y + (index as f32 + 0.5) * cell;
        write(pos2(origin.x - GRID, middle), Align2::RIGHT_CENTER, &row.label, DIM);
        write(pos2(origin.x + board.x + GRID, middle), Align2::LEFT_CENTER, &row.words, DIM);
        for (column, token) in row.tokens.iter().enumerate() {
            let x = origin.x + (diagram.indent(row) + column) as f32 * cell;
            let place = Rect::from_min_size(pos2(x, middle - cell * 0.5), Vec2::splat(cell));
            if column >= row.outside() {
                paint_ground(painter, game, place);
            }
            paint_token(painter, game, token, place);
        }
    }
}

fn paint_ground(painter: &Painter, game: &str, place: Rect) {
    let thin = Stroke::new(1.0, SHADE.gamma_multiply(0.5));
    let colour = match game {
        "zurero" => WOOD,
        "fabrik" => OAK,
        "syrtis" => WATER,
        _ => SLATE,
    };
    painter.rect_filled(place, 0.0, colour);
    if game == "zurero" {
        painter.hline(place.x_range(), place.center().y, thin);
        painter.vline(place.center().x, place.y_range(), thin);
    } else if game != "syrtis" {
        painter.rect_stroke(place, 0.0, thin, StrokeKind::Middle);
    }
}

fn paint_token(painter: &Painter, game: &str, token: &str, place: Rect) {
    let middle = place.center();
    let cell = place.width();
    match token {
        EMPTY => {}
        SEEN => drop(painter.circle(middle, cell * 0.16, STEEL.gamma_multiply(0.8), Stroke::new(1.0, SHADE))),
        ARROW => {
            painter.arrow(middle - vec2(cell * 0.36, 0.0), vec2(cell * 0.66, 0.0), Stroke::new(1.5, ACCENT))
        }
        number if is_number(number) => {
            painter.rect_filled(place.shrink(1.5), 3.0, SAND);
            painter.text(middle, Align2::CENTER_CENTER, number, FontId::proportional(cell * 0.46), SHADE);
        }
        piece => {
            let shapes = shapes(game, piece);
            let height = shapes.len();
            for (level, shape) in shapes.into_iter().enumerate() {
                paint_shape(
                    painter,
                    game,
                    shape,
                    place.translate(vec2(0.0, -(level as f32) * rise(game, cell))),
                );
            }
            if game == "absorption" {
                let at = place.right_bottom() - vec2(cell, cell) * 0.2;
                painter.circle_filled(at, cell * 0.23, SHADE);
                painter.text(at, Align2::CENTER_CENTER, height, FontId::proportional(cell * 0.42), SHELL);
            }
        }
    }
}

/// How far a piece on top of another is drawn above it.
fn rise(game: &str, cell: f32) -> f32 {
    if game == "absorption" { cell * 0.08 } else { 0.0 }
}

fn paint_shape(painter: &Painter, game: &str, shape: Shape, place: Rect) {
    let middle = place.center();
    let cell = place.width();
    let seat = |side: Side| if side == Side::Dark { ("x", Seat::One) } else { ("o", Seat::Two) };
    match shape {
        Shape::Stone(side) | Shape::Disc(side) => {
            let (name, seat) = seat(side);
            paint_mark(
                painter,
                Rect::from_center_size(middle, Vec2::splat(cell * 0.8)),
                game,
                Some(name),
                seat,
            );
        }
        Shape::Worker => {
            let outline = Stroke::new(1.0, SHADE);
            let foot = [vec2(-0.26, 0.36), vec2(0.26, 0.36), vec2(0.1, -0.08), vec2(-0.1, -0.08)];
            let foot = foot.map(|corner| middle + corner * cell).to_vec();
            painter.add(Drawing::convex_polygon(foot, STEEL, outline));
            painter.circle(middle - vec2(0.0, cell * 0.18), cell * 0.16, STEEL, outline);
        }
        Shape::Tile(side, emblem) => {
            let (ground, sign) = if side == Side::Light { (SAND, BASALT) } else { (BASALT, SAND) };
            painter.rect_filled(place.shrink(1.5), 3.0, ground);
            let stroke = Stroke::new(1.4, sign.gamma_multiply(0.75));
            let size = cell * 0.56;
            match emblem {
                Emblem::Circle => drop(painter.circle_stroke(middle, size * 0.5, stroke)),
                Emblem::Square => {
                    let square = Rect::from_center_size(middle, Vec2::splat(size * 0.92));
                    painter.rect_stroke(square, 0.0, stroke, StrokeKind::Middle);
                }
            }
        }
        Shape::Tower(Side::Light) => {
            painter.circle(middle, cell * 0.2, SHELL, Stroke::new(2.0, SHADE));
        }
        Shape::Tower(Side::Dark) => {
            let square = Rect::from_center_size(middle, Vec2::splat(cell * 0.36));
            painter.rect(square, 0.0, SHADE, Stroke::new(2.0, SHELL), StrokeKind::Middle);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_side_by_side_with_words_letters_and_numbers() {
        let text = "before     | c1/b2,b2,d2\n   b  c  d |    b  c  d\n1  .  x3 . | 1  .  .  .\n2  .  .  . | 2  x2 .  x1";
        let diagrams = read("absorption", text);
        assert_eq!(diagrams.len(), 2);
        assert_eq!(diagrams[0].caption, "before");
        assert_eq!(diagrams[1].caption, "c1/b2,b2,d2");
        assert_eq!(diagrams[1].columns, ["b", "c", "d"]);
        assert_eq!(diagrams[1].rows[1].label, "2");
        assert_eq!(diagrams[1].rows[1].tokens, ["x2", ".", "x1"]);
    }

    #[test]
    fn what_comes_in_lies_outside_and_rows_end_together() {
        let diagrams = read("zurero", "before   ● →  . ○ .\nafter         . ● ○   pushed by one");
        let [diagram] = diagrams.as_slice() else { panic!("one board") };
        assert_eq!(diagram.caption, "");
        let [before, after] = diagram.rows.as_slice() else { panic!("two rows") };
        assert_eq!(before.tokens, ["b", "→", ".", "w", "."]);
        assert_eq!((before.outside(), diagram.indent(before)), (2, 0));
        assert_eq!((after.outside(), diagram.indent(after)), (0, 2));
        assert_eq!((after.label.as_str(), after.words.as_str()), ("after", "pushed by one"));
    }

    #[test]
    fn numbered_places_and_towers() {
        let diagrams = read("syrtis", "  a  b  c\n1 . 31 33\n2 lc dsD .");
        assert_eq!(diagrams[0].rows[0].tokens, [".", "31", "33"]);
        assert_eq!(diagrams[0].rows[1].tokens, ["lc", "dsD", "."]);
        assert_eq!(diagrams[0].width(), 3);
    }

    #[test]
    fn every_board_of_the_rules_can_be_drawn() {
        let rules = [
            ("zurero", include_str!("../../../assets/rules/zurero.md")),
            ("fabrik", include_str!("../../../assets/rules/fabrik.md")),
            ("absorption", include_str!("../../../assets/rules/absorption.md")),
            ("syrtis", include_str!("../../../assets/rules/syrtis.md")),
        ];
        for (game, page) in rules {
            let blocks = super::super::markdown::read(page);
            let boards = blocks.iter().filter_map(|block| match block {
                super::super::markdown::Block::Board { game: named, text } => Some((named, text)),
                _ => None,
            });
            let mut drawn = 0;
            for (named, text) in boards {
                assert_eq!(named, game);
                for diagram in read(game, text) {
                    assert!(diagram.rows.iter().all(|row| !row.tokens.is_empty()), "{game}:\n{text}");
                    drawn += 1;
                }
            }
            assert!(drawn >= 2, "{game} has {drawn} boards");
        }
    }
}
