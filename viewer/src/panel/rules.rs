//! The rules of a game, to be read beside the board.

use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{
    Color32, Context, FontId, Frame, Grid, Label, RichText, ScrollArea, TextStyle, Ui,
};

use super::diagram;
use super::look::{self, ACCENT, DIM, GRID, TEXT, note, one_of};
use super::markdown::{self, Block, Span};
use crate::app::{App, Screen};
use crate::command::Command;

const WIDTH: f32 = 640.0;
const STRONG: Color32 = Color32::from_rgb(255, 222, 170);
const CODE: Color32 = Color32::from_rgb(190, 214, 222);

/// Black and white stones in a text, and what they lie on.
const STONES: [char; 2] = ['●', '○'];
const WOOD: Color32 = Color32::from_rgb(176, 142, 98);

/// Reads the rules of one game after the other.
#[derive(Debug, Default)]
pub(super) struct RulesReader {
    game: String,
    /// The page of this game, once it has come.
    page: Option<Vec<Block>>,
}

impl RulesReader {
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        app: &App,
        just_opened: bool,
        commands: &mut Vec<Command>,
    ) -> bool {
        if just_opened && let Some(game) = game_at_hand(app) {
            self.turn_to(game, commands);
        }
        if self.page.is_none() {
            self.page = app.rules.get(&self.game).map(|text| markdown::read(text));
        }
        look::sheet(ctx, "Rules", WIDTH, app.screen == Screen::Board, |ui| {
            let games = app.hello.iter().flat_map(|hello| &hello.games);
            let names: Vec<(String, &str)> =
                games.map(|game| (game.id.clone(), game.name.as_str())).collect();
            if let Some(game) = one_of(ui, &self.game, &names) {
                self.turn_to(game, commands);
            }
            let scroll = ScrollArea::vertical().id_salt(&self.game).auto_shrink(false);
            scroll.show(ui, |ui| {
                match &self.page {
                    Some(page) => page.iter().for_each(|block| show_block(ui, app, block)),
                    None => drop(note(ui, "The rules are on their way.")),
                }
                look::scroll_by_keys(ui);
            });
        })
    }

    fn turn_to(&mut self, game: String, commands: &mut Vec<Command>) {
        commands.push(Command::ReadRules(game.clone()));
        self.game = game;
        self.page = None;
    }
}

/// The game that one is playing, or about to play, or that comes first.
fn game_at_hand(app: &App) -> Option<String> {
    match (&app.screen, &app.table) {
        (Screen::Prepare(game), _) => Some(game.clone()),
        (Screen::Board, Some(table)) => Some(table.state.game.clone()),
        (Screen::Editor, _) if app.editor.is_some() => app.editor.as_ref().map(|editor| editor.game.clone()),
        _ => Some(app.hello.as_ref()?.games.first()?.id.clone()),
    }
}

fn show_block(ui: &mut Ui, app: &App, block: &Block) {
    match block {
        Block::Heading { level: 1, .. } => {}
        Block::Heading { level, text } => {
            ui.add_space(GRID * if *level == 2 { 2.0 } else { 1.0 });
            let words: String = text.iter().map(|span| span.text.as_str()).collect();
            let words = RichText::new(words).color(ACCENT);
            ui.label(if *level == 2 { words.size(heading_size(ui)) } else { words });
        }
        Block::Paragraph(spans) => paragraph(ui, spans),
        Block::List(items) => {
            for item in items {
                ui.horizontal_top(|ui| {
                    let mark = item.number.as_ref().map_or("–".into(), |number| format!("{number}."));
                    ui.add_space(GRID);
                    ui.label(RichText::new(mark).color(DIM));
                    ui.vertical(|ui| paragraph(ui, &item.text));
                });
            }
        }
        Block::Table { head, rows } => table(ui, head, rows),
        Block::Code(text) => {
            Frame::new().fill(Color32::from_black_alpha(70)).corner_radius(7).inner_margin(12).show(
                ui,
                |ui| {
                    ui.add(Label::new(RichText::new(text).monospace().color(TEXT)).extend());
                },
            );
        }
        Block::Board { game, text } => {
            ui.add_space(GRID * 0.5);
            let set = app.set_of(game);
            diagram::show(ui, &*set, &diagram::read(&*set, text));
            ui.add_space(GRID * 0.5);
        }
    }
}

/// Between body and title: headings within a page should not shout.
fn heading_size(ui: &Ui) -> f32 {
    let size = |style: TextStyle| style.resolve(ui.style()).size;
    (size(TextStyle::Body) + size(TextStyle::Heading)) * 0.5
}

fn table(ui: &mut Ui, head: &[Vec<Span>], rows: &[Vec<Vec<Span>>]) {
    let columns = head.len().max(1);
    let widest = (ui.available_width() - GRID * 4.0) / columns as f32;
    Frame::new().fill(Color32::from_black_alpha(50)).corner_radius(7).inner_margin(12).show(ui, |ui| {
        let id = head.iter().flatten().chain(rows.iter().flatten().flatten()).map(|span| &span.text);
        let id: Vec<&String> = id.collect();
        look::dense(ui);
        Grid::new(id).num_columns(columns).spacing([GRID * 2.0, GRID * 0.5]).show(ui, |ui| {
            for cell in head {
                let words: String = cell.iter().map(|span| span.text.as_str()).collect();
                note(ui, words);
            }
            ui.end_row();
            for row in rows {
                for (column, cell) in row.iter().enumerate() {
                    let is_last = column + 1 == row.len();
                    ui.vertical(|ui| {
                        ui.set_max_width(if is_last { ui.available_width().max(widest) } else { widest });
                        paragraph(ui, cell);
                    });
                }
                ui.end_row();
            }
        });
    });
}

fn paragraph(ui: &mut Ui, spans: &[Span]) {
    let body = TextStyle::Body.resolve(ui.style());
    let mut job = LayoutJob::default();
    for span in spans {
        let font_id = match span.code {
            true => FontId::monospace(body.size * 0.88),
            false => body.clone(),
        };
        let color = match (span.strong, span.code) {
            (true, _) => STRONG,
            (false, true) => CODE,
            (false, false) => TEXT,
        };
        let format = TextFormat { font_id, color, italics: span.emphasis, ..TextFormat::default() };
        for part in span.text.split_inclusive(STONES).flat_map(|part| {
            let stone = part.char_indices().next_back().filter(|(_, last)| STONES.contains(last));
            let (words, stone) = part.split_at(stone.map_or(part.len(), |(at, _)| at));
            [words, stone].into_iter().filter(|part| !part.is_empty())
        }) {
            // On light text a full circle would look white: stones have their own colours here, and
            // the font that has circles.
            let stone = |color| {
                let font_id = FontId::monospace(body.size);
                ("●", TextFormat { font_id, color, background: WOOD, ..format.clone() })
            };
            let (text, format) = match part {
                "●" => stone(Color32::BLACK),
                "○" => stone(Color32::WHITE),
                words => (words, format.clone()),
            };
            // The wood around a stone reaches beyond its place.
            let is_wood = format.background == WOOD;
            let before = job.sections.last().is_some_and(|section| section.format.background == WOOD);
            job.append(text, if is_wood || before { GRID * 0.5 } else { 0.0 }, format);
        }
    }
    job.wrap.max_width = ui.available_width();
    ui.add(Label::new(job).wrap());
}
