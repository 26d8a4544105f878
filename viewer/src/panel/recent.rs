//! The games that were played last, as small boards in a row: one look says which is which.

use egui_macroquad::egui::{
    self, Align2, Color32, CornerRadius, Rect, Sense, Stroke, StrokeKind, TextStyle, Ui, WidgetInfo,
    WidgetType, pos2, vec2,
};

use super::look::{self, ACCENT, DIM, Explain, GRID, LINE, ROUND, TEXT, WARM};
use super::saved;
use crate::app::App;
use crate::command::{Command, Panel};
use crate::files::SavedGame;

/// The side of a board.
const BOARD: f32 = 84.0;
/// Beyond so many, the list of saved games is the better place.
const MOST: usize = 8;

/// How high the row is, with its ground; nothing if there is none.
pub(super) fn height(ui: &Ui, app: &App) -> f32 {
    match games(app).next() {
        None => 0.0,
        Some(_) => BOARD + text_height(ui) + GRID * 7.0,
    }
}

/// The games on disk, but for those that are newer in memory.
fn games(app: &App) -> impl Iterator<Item = &SavedGame> {
    let is_older = |game: &&SavedGame| app.unsaved.iter().any(|unsaved| unsaved.path == game.path);
    app.saved.iter().filter(move |game| !is_older(game))
}

fn text_height(ui: &Ui) -> f32 {
    ui.text_style_height(&TextStyle::Small) * 2.0
}

/// As many as there is room for beside each other, the last first.
pub(super) fn show(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    if games(app).next().is_none() {
        return;
    }
    look::surface().inner_margin(egui::Margin::symmetric(16, 10)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        look::line(
            ui,
            |ui| {
                look::dense(ui);
                ui.label(egui::RichText::new("Your last games").small().color(ACCENT));
            },
            |ui| {
                look::dense(ui);
                let all = look::small_button(ui, "All saved games");
                look::asked(all, Command::Show(Panel::SavedGames), commands);
            },
        );
        let size = vec2(BOARD * ui.text_style_height(&TextStyle::Small).max(14.0) / 14.0, BOARD);
        let room = ((ui.available_width() + GRID) / (size.x + GRID * 2.0)).floor().max(1.0) as usize;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = GRID * 2.0;
            for game in games(app).take(room.min(MOST)) {
                ui.push_id(&game.path, |ui| entry(ui, app, game, size, commands));
            }
        });
    });
    ui.add_space(GRID);
}

fn entry(ui: &mut Ui, app: &App, game: &SavedGame, size: egui::Vec2, commands: &mut Vec<Command>) {
    let all = vec2(size.x, size.y + text_height(ui) + GRID);
    let (rect, response) = ui.allocate_exact_size(all, Sense::click());
    let (name, state) = (saved::name_of(app, game), saved::state_of(game));
    let words = format!("{name}, {}: {}", state.0, game.title);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &words));
    let is_chosen = response.hovered() || response.has_focus();
    if is_chosen {
        ui.painter().rect_filled(rect.expand(GRID * 0.5), CornerRadius::same(ROUND), WARM);
    }
    let outline = Stroke::new(1.0, if is_chosen { ACCENT } else { LINE });
    ui.painter().rect(rect.expand(GRID * 0.5), ROUND, Color32::TRANSPARENT, outline, StrokeKind::Inside);
    let board = Rect::from_min_size(rect.min + vec2((size.x - size.y) * 0.5, 0.0), vec2(size.y, size.y));
    saved::paint_board(ui, app, &game.game, &game.rows, board);
    let font = TextStyle::Small.resolve(ui.style());
    for (line, (text, colour)) in [(name.as_str(), TEXT), state].into_iter().enumerate() {
        let mut job = egui::text::LayoutJob::simple_singleline(text.into(), font.clone(), colour);
        job.wrap = egui::text::TextWrapping::truncate_at_width(size.x);
        let galley = ui.fonts(|fonts| fonts.layout_job(job));
        let down = size.y + GRID * 0.5 + line as f32 * text_height(ui) * 0.5;
        let at = Align2::CENTER_TOP.anchor_size(pos2(rect.center().x, rect.top() + down), galley.size());
        ui.painter().galley(at.min, galley, if line == 0 { TEXT } else { DIM });
    }
    let response = response.explain(format!("{}\n{}", game.title, saved::ago(game.changed)));
    if response.clicked() {
        commands.push(Command::LoadGame(game.path.clone()));
    }
}
