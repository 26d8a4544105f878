//! What the window and the engine say to each other.

use egui_macroquad::egui::text::LayoutJob;
use egui_macroquad::egui::{Context, Label, Margin, ScrollArea, Sense, TextEdit, TextStyle};

use super::look::{self, ACCENT, DIM, GRID, TEXT, note};
use crate::app::{App, ConsoleLine, Screen};

const WIDTH: f32 = 680.0;
/// Longer lines are cut until they are clicked.
const CUT: usize = 150;

#[derive(Debug, Default)]
pub(super) struct Console {
    filter: String,
    /// The line that is shown in full.
    opened: Option<usize>,
}

impl Console {
    pub(super) fn show(&mut self, ctx: &Context, app: &App) -> bool {
        look::sheet(ctx, "Console", WIDTH, app.screen == Screen::Board, |ui| {
            let lines = found(&app.console, &self.filter);
            ui.horizontal_wrapped(|ui| {
                let field = TextEdit::singleline(&mut self.filter).hint_text(look::hint("Only lines with …"));
                ui.add(field.margin(Margin::symmetric(10, 6)).desired_width(GRID * 32.0));
                note(ui, format!("{} of {} lines", lines.len(), app.console.len()));
                if ui.button("Copy").clicked() {
                    let texts: Vec<String> = lines.iter().map(|(_, line)| in_full(line)).collect();
                    ui.ctx().copy_text(texts.join("\n"));
                }
            });
            ScrollArea::vertical().auto_shrink(false).stick_to_bottom(true).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = GRID * 0.5;
                for (index, line) in lines {
                    let is_open = self.opened == Some(index);
                    let text = if is_open { in_full(line) } else { cut(&in_full(line)) };
                    let colour = match (line.sent, is_open) {
                        (true, _) => ACCENT,
                        (false, true) => TEXT,
                        (false, false) => DIM,
                    };
                    let font = TextStyle::Monospace.resolve(ui.style());
                    let mut text = LayoutJob::simple(text, font, colour, ui.available_width());
                    text.wrap.break_anywhere = true;
                    let label = ui.add(Label::new(text).wrap().selectable(is_open).sense(Sense::click()));
                    if label.clicked() {
                        self.opened = if is_open { None } else { Some(index) };
                    }
                }
            });
        })
    }
}

/// Lines that contain a text, with their places in the whole list.
fn found<'a>(lines: &'a [ConsoleLine], filter: &str) -> Vec<(usize, &'a ConsoleLine)> {
    let filter = filter.to_lowercase();
    lines.iter().enumerate().filter(|(_, line)| line.line.to_lowercase().contains(&filter)).collect()
}

/// With an arrow: what the window said goes to the right.
fn in_full(line: &ConsoleLine) -> String {
    format!("{} {}", if line.sent { "→" } else { "←" }, line.line)
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(CUT) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_filtered_and_cut() {
        let lines = [
            ConsoleLine { sent: true, line: r#"{"method":"hello"}"#.into() },
            ConsoleLine { sent: false, line: "é".repeat(CUT * 2) },
        ];
        assert_eq!(found(&lines, "HELLO").len(), 1);
        assert_eq!(found(&lines, "").len(), 2);
        assert_eq!(in_full(&lines[0]), r#"→ {"method":"hello"}"#);
        assert_eq!(cut(&lines[1].line).chars().count(), CUT + 2);
        assert_eq!(cut("short"), "short");
    }
}
