//! Little boards in the rules, drawn from rows of tokens as the rules have them.
//!
//! A block is one or more boards side by side with `|` between them. Each may begin with a line of
//! words and a line of column letters; a row may begin with its number or a word and end with
//! words. An arrow shows where something comes in: what is before it lies outside the board.

use std::sync::Arc;

use egui_macroquad::egui::{
    Align, Align2, Color32, FontId, Galley, Layout, Painter, Pos2, Rect, Sense, Stroke, TextStyle, Ui, Vec2,
    pos2, vec2,
};

use super::look::{ACCENT, DIM, GRID, TEXT};
use crate::board::EMPTY;
use crate::sets::GameSet;

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

pub(super) fn read(set: &dyn GameSet, text: &str) -> Vec<Diagram> {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('|').collect()).collect();
    let boards = lines.iter().map(Vec::len).max().unwrap_or(0);
    (0..boards)
        .map(|board| {
            let lines = lines.iter().filter_map(|line| line.get(board)).map(|part| part.trim());
            read_one(set, lines.filter(|part| !part.is_empty()))
        })
        .collect()
}

fn read_one<'a>(set: &dyn GameSet, lines: impl Iterator<Item = &'a str>) -> Diagram {
    let mut diagram = Diagram::default();
    for (index, line) in lines.enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let begins = diagram.columns.is_empty() && diagram.rows.is_empty();
        if begins && are_letters(&words) {
            diagram.columns = words.iter().map(|word| word.to_string()).collect();
        } else if index == 0 && !words.iter().any(|word| is_token(set, word) && !is_number(word)) {
            diagram.caption = line.into();
        } else {
            diagram.rows.push(read_row(set, &words));
        }
    }
    diagram
}

fn read_row(set: &dyn GameSet, words: &[&str]) -> Row {
    let has_label = words.first().is_some_and(|word| is_number(word) || !is_token(set, word));
    let (label, rest) = words.split_at(usize::from(has_label));
    let tokens = rest.iter().take_while(|word| is_token(set, word)).count();
    let (tokens, words) = rest.split_at(tokens);
    Row {
        label: label.concat(),
        tokens: tokens.iter().map(|token| plain_token(set, token)).collect(),
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

fn is_token(set: &dyn GameSet, word: &str) -> bool {
    [EMPTY, SEEN, ARROW].contains(&word) || is_number(word) || set.is_token(&plain_token(set, word))
}

/// What people read as a stone is what the engine calls so, unless it is a token itself.
fn plain_token(set: &dyn GameSet, word: &str) -> String {
    match word {
        _ if set.is_token(word) => word.into(),
        "●" | "X" => "b".into(),
        "○" | "O" => "w".into(),
        other => other.into(),
    }
}

impl Diagram {
    fn width(&self) -> usize {
        self.rows.iter().map(|row| row.tokens.len()).max().unwrap_or(0)
    }

    /// Where a row begins. Rows that something comes into from the left end together; others begin
    /// together.
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

const PAPER: Color32 = Color32::from_rgb(226, 208, 168);
const LAMP: Color32 = Color32::from_rgb(250, 208, 120);
const INK: Color32 = Color32::from_rgb(30, 26, 22);

/// How large a cell is drawn where there is room, before the person's own factor for text.
const CELL: f32 = 28.0;
/// Words beside a row have at least so much room.
const LEAST_WORDS: f32 = 104.0;

/// All boards of a block, side by side where there is room.
pub(super) fn show(ui: &mut Ui, set: &dyn GameSet, diagrams: &[Diagram]) {
    ui.with_layout(Layout::left_to_right(Align::Min).with_main_wrap(true), |ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GRID * 3.0);
        for diagram in diagrams {
            show_one(ui, set, diagram);
        }
    });
}

fn show_one(ui: &mut Ui, set: &dyn GameSet, diagram: &Diagram) {
    let small = TextStyle::Small.resolve(ui.style());
    let factor = small.size / 13.0;
    let width_of = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), small.clone(), TEXT).size().x;
    let gap = |width: f32| if width > 0.0 { width + GRID } else { 0.0 };
    let left = gap(diagram.rows.iter().map(|row| width_of(&row.label)).fold(0.0, f32::max));
    let has_words = diagram.rows.iter().any(|row| !row.words.is_empty());
    // In a narrow window cells are smaller, and words beside them wrap.
    let room = ui.max_rect().width() - left;
    let for_words = if has_words { LEAST_WORDS * factor } else { 0.0 };
    let cell = (CELL * factor).min((room - for_words) / diagram.width().max(1) as f32).max(GRID);
    let across = diagram.width() as f32 * cell;
    let for_words = (room - across - GRID).max(GRID);
    let words: Vec<Arc<Galley>> = diagram
        .rows
        .iter()
        .map(|row| ui.painter().layout(row.words.clone(), small.clone(), DIM, for_words))
        .collect();
    let right = gap(words.iter().map(|words| words.size().x).fold(0.0, f32::max));
    let line = small.size + GRID * 0.75;
    let above =
        line * (usize::from(!diagram.caption.is_empty()) + usize::from(!diagram.columns.is_empty())) as f32;
    let heights: Vec<f32> = words.iter().map(|words| cell.max(words.size().y)).collect();
    let width = (left + across + right).max(width_of(&diagram.caption));
    let size = vec2(width, above + heights.iter().sum::<f32>());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
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
    let mut top = origin.y;
    for ((row, words), height) in diagram.rows.iter().zip(words).zip(heights) {
        let middle = top + height * 0.5;
        top += height;
        write(pos2(origin.x - GRID, middle), Align2::RIGHT_CENTER, &row.label, DIM);
        let beside = pos2(origin.x + across + GRID, middle - words.size().y * 0.5);
        painter.galley(beside, words, DIM);
        for (column, token) in row.tokens.iter().enumerate() {
            let x = origin.x + (diagram.indent(row) + column) as f32 * cell;
            let place = Rect::from_min_size(pos2(x, middle - cell * 0.5), Vec2::splat(cell));
            if column >= row.outside() {
                set.paint_cell(painter, place);
            }
            paint_token(painter, set, token, place);
        }
    }
}

fn paint_token(painter: &Painter, set: &dyn GameSet, token: &str, place: Rect) {
    let middle = place.center();
    let cell = place.width();
    match token {
        EMPTY => {}
        SEEN => drop(painter.circle(middle, cell * 0.16, LAMP.gamma_multiply(0.8), Stroke::new(1.0, INK))),
        ARROW => {
            painter.arrow(middle - vec2(cell * 0.36, 0.0), vec2(cell * 0.66, 0.0), Stroke::new(1.5, ACCENT))
        }
        number if is_number(number) => {
            painter.rect_filled(place.shrink(1.5), 3.0, PAPER);
            painter.text(middle, Align2::CENTER_CENTER, number, FontId::proportional(cell * 0.46), INK);
        }
        piece => set.paint_token(painter, piece, place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::find;

    #[test]
    fn boards_side_by_side_with_words_letters_and_numbers() {
        let text = "before     | c1/b2,b2,d2\n   b  c  d |    b  c  d\n1  .  x3 . | 1  .  .  .\n2  .  .  . | 2  x2 .  x1";
        let diagrams = read(&*find("absorption", None), text);
        assert_eq!(diagrams.len(), 2);
        assert_eq!(diagrams[0].caption, "before");
        assert_eq!(diagrams[1].caption, "c1/b2,b2,d2");
        assert_eq!(diagrams[1].columns, ["b", "c", "d"]);
        assert_eq!(diagrams[1].rows[1].label, "2");
        assert_eq!(diagrams[1].rows[1].tokens, ["x2", ".", "x1"]);
    }

    #[test]
    fn what_comes_in_lies_outside_and_rows_end_together() {
        let diagrams =
            read(&*find("zurero", None), "before   ● →  . ○ .\nafter         . ● ○   pushed by one");
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
        let diagrams = read(&*find("syrtis", None), "  a  b  c\n1 . 31 33\n2 lc dsD .");
        assert_eq!(diagrams[0].rows[0].tokens, [".", "31", "33"]);
        assert_eq!(diagrams[0].rows[1].tokens, ["lc", "dsD", "."]);
        assert_eq!(diagrams[0].width(), 3);
    }

    #[test]
    fn every_board_of_the_rules_can_be_drawn() {
        for set in crate::sets::made() {
            let game = set.id();
            let file = format!("{}/../assets/rules/{game}.md", env!("CARGO_MANIFEST_DIR"));
            let page = std::fs::read_to_string(&file).expect(&file);
            let blocks = super::super::markdown::read(&page);
            let boards = blocks.iter().filter_map(|block| match block {
                super::super::markdown::Block::Board { game: named, text } => Some((named, text)),
                _ => None,
            });
            let mut drawn = 0;
            for (named, text) in boards {
                assert_eq!(named, game);
                for diagram in read(&**set, text) {
                    assert!(diagram.rows.iter().all(|row| !row.tokens.is_empty()), "{game}:\n{text}");
                    drawn += 1;
                }
            }
            assert!(drawn >= 2, "{game} has {drawn} boards");
        }
    }
}
