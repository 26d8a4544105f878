//! The first screen: the games, and everything that can be done before one is chosen.

use egui_macroquad::egui::{
    self, Align, Button, CentralPanel, Color32, Context, CornerRadius, Frame, Label, Layout, Margin, Rect,
    RichText, Sense, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, WidgetInfo, WidgetType, vec2,
};
use tabuleiro_protocol::GameInfo;

use super::look::{self, ACCENT, DIM, GRID, LINE, ROUND, SURFACE, TEXT, WARM, ask, ask_first, note};
use super::{Panels, is_covered, lesson, recent, tables};
use crate::app::{App, Unfinished};
use crate::command::{Command, Panel};
use crate::files::SavedGame;

const CARD_WIDTH: f32 = 276.0;
const CARD_GAP: f32 = GRID * 2.0;
const CARD_MARGIN: f32 = GRID * 2.0;
/// A board that is lower is hardly one.
const LEAST_PICTURE: f32 = 132.0;

impl Panels {
    pub(super) fn show_home(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        CentralPanel::default().frame(Frame::new()).show(ctx, |ui| {
            // Wider than this, lines would be too long to read and cards too far apart.
            let most = (CARD_WIDTH * 1.25 + CARD_GAP) * 4.0;
            let side = ((ui.available_width() - most) * 0.5).max(GRID * 3.0);
            let place = ui.max_rect().shrink2(vec2(side, 0.0));
            ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    let across = match ui.available_width() {
                        width if width >= 1060.0 => 4,
                        width if width >= 500.0 => 2,
                        _ => 1,
                    };
                    let room = ui.available_width() - CARD_GAP * (across - 1) as f32;
                    let card_width = (room / across as f32).max(GRID * 8.0);
                    let rest = self.home_height.max(1.0);
                    ui.add_space(((ui.available_height() - rest) * 0.42).max(GRID * 2.0));
                    let top = ui.cursor().top();
                    self.home_column(ui, app, across, card_width, commands);
                    self.home_height = ui.cursor().top() - top;
                    look::scroll_by_keys(ui);
                });
            });
        });
    }

    fn home_column(
        &mut self,
        ui: &mut Ui,
        app: &App,
        across: usize,
        card_width: f32,
        commands: &mut Vec<Command>,
    ) {
        strip(ui, |ui| {
            look::title(ui, "Tabuleiro");
            note(ui, welcome(app.hello.as_ref().map_or(4, |hello| hello.games.len())));
        });
        ui.add_space(GRID);
        if let Some(first) = first_game(app) {
            offer_first(ui, app, first, commands);
            ui.add_space(GRID);
        }
        if let Some(game) = &app.interrupted {
            offer_interrupted(ui, game, commands);
            ui.add_space(GRID);
        }
        let Some(hello) = &app.hello else {
            strip(ui, |ui| drop(note(ui, "The engine is being started…")));
            return;
        };
        let caption = caption_height(ui, app, &hello.games, card_width);
        let thumbnail = thumbnail_height(ui, app, across, card_width, caption);
        for row in hello.games.chunks(across) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = CARD_GAP;
                for game in row {
                    self.card(ui, app, game, vec2(card_width, thumbnail), caption, commands);
                }
            });
            ui.add_space(CARD_GAP - GRID);
        }
        tables::show(ui, app, commands);
        recent::show(ui, app, commands);
        strip(ui, |ui| {
            if let Some(unfinished) = app.unfinished() {
                let (game, title) = match unfinished {
                    Unfinished::OnTheTable(table) => (&table.state.game, table.title()),
                    Unfinished::Saved(saved) => (&saved.game, saved.title.clone()),
                };
                let words = format!("Continue: {}", game_name(app, game));
                ask_first(ui, &words, Command::ContinueGame, commands).on_hover_text(title);
            }
            ask(ui, "New game", Command::PrepareAnother, commands);
            ask(ui, "Watch", Command::WatchComputers, commands)
                .on_hover_text("Two computers play each other");
            ask(ui, "Saved games", Command::Show(Panel::SavedGames), commands);
            ask(ui, "Lessons", Command::Show(Panel::Lessons), commands);
            ask(ui, "Puzzles", Command::Show(Panel::Puzzles), commands);
            ask(ui, "Progress", Command::Show(Panel::Progress), commands);
            ask(ui, "Rules", Command::Show(Panel::Rules), commands);
            ask(ui, "Settings", Command::Show(Panel::Settings), commands);
            ask(ui, "Keys", Command::Show(Panel::Keys), commands);
            ask(ui, "Quit", Command::QUIT, commands);
        });
    }

    fn card(
        &mut self,
        ui: &mut Ui,
        app: &App,
        game: &GameInfo,
        thumbnail: egui::Vec2,
        caption: f32,
        commands: &mut Vec<Command>,
    ) {
        let size = vec2(thumbnail.x, thumbnail.y + caption);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &game.name));
        if self.thumbnails.is_empty() && !is_covered(app) {
            look::take_keyboard(&response);
        }
        let picture = Rect::from_min_size(rect.min, thumbnail);
        self.thumbnails.push((game.id.clone(), picture));

        let is_chosen = response.has_focus() || response.hovered();
        let caption = Rect::from_min_max(egui::pos2(rect.left(), picture.bottom()), rect.max);
        let radius = CornerRadius { nw: 0, ne: 0, sw: ROUND, se: ROUND };
        ui.painter().rect_filled(caption, radius, SURFACE);
        if is_chosen {
            ui.painter().rect_filled(caption, radius, WARM);
        }
        let outline = match is_chosen {
            true => Stroke::new(1.5, ACCENT),
            false => Stroke::new(1.0, LINE),
        };
        ui.painter().rect(rect, ROUND, Color32::TRANSPARENT, outline, StrokeKind::Inside);
        let text = caption.shrink2(vec2(CARD_MARGIN, GRID * 1.5));
        let mut inside = ui.new_child(UiBuilder::new().max_rect(text).layout(Layout::top_down(Align::Min)));
        inside.spacing_mut().item_spacing.y = GRID * 0.5;
        look::dense(&mut inside);
        let set = app.set_of(&game.id);
        inside.horizontal(|ui| {
            ui.add(Label::new(RichText::new(&game.name).color(TEXT)).selectable(false));
            let effort = RichText::new(set.effort()).small().color(ACCENT);
            ui.add(Label::new(effort).truncate().selectable(false));
        });
        inside.add(Label::new(RichText::new(set.pitch()).small().color(DIM)).wrap().selectable(false));
        let learns = learn_button(ui, app, &game.id, picture, commands);
        if response.clicked() && !learns {
            commands.push(Command::PrepareGame(game.id.clone()));
        }
    }
}

/// The way to the lesson of a game, on its card. Gives whether it was taken.
fn learn_button(ui: &mut Ui, app: &App, game: &str, picture: Rect, commands: &mut Vec<Command>) -> bool {
    if !app.lessons.get(game).is_some_and(Option::is_some) {
        return false;
    }
    let layout = Layout::right_to_left(Align::Max);
    let corner = UiBuilder::new().max_rect(picture.shrink(GRID)).layout(layout).id_salt(("learn", game));
    let mut corner = ui.new_child(corner);
    let button = Button::new(RichText::new("Learn").small().color(TEXT)).fill(SURFACE);
    let button = corner.add(button).on_hover_text(lesson::standing(app, game));
    look::asked(button, Command::Learn(game.into()), commands).clicked()
}

fn welcome(games: usize) -> String {
    let count = match games {
        1 => return "A game for two.".into(),
        2 => "Two".into(),
        3 => "Three".into(),
        4 => "Four".into(),
        5 => "Five".into(),
        6 => "Six".into(),
        more => more.to_string(),
    };
    format!("{count} games for two. Choose one.")
}

/// The game for someone who has played none so far.
fn first_game(app: &App) -> Option<&GameInfo> {
    let is_new = app.saved.is_empty() && app.table.is_none() && app.interrupted.is_none();
    app.hello.as_ref().filter(|_| is_new)?.games.first()
}

/// Says where to begin.
fn offer_first(ui: &mut Ui, app: &App, game: &GameInfo, commands: &mut Vec<Command>) {
    strip(ui, |ui| {
        ui.label(format!("New here? Start with {}.", game.name));
        note(ui, format!("{}.", app.set_of(&game.id).effort()));
        let (learn, play) = (format!("Learn {}", game.name), format!("Play {}", game.name));
        let (to_lesson, to_game) = (Command::Learn(game.id.clone()), Command::PrepareGame(game.id.clone()));
        match app.lessons.get(&game.id) {
            Some(None) => drop(ask_first(ui, &play, to_game, commands)),
            // Most have one, and it will be there in a moment.
            Some(Some(_)) | None => {
                ask_first(ui, &learn, to_lesson, commands).on_hover_text("Small steps to try out");
                ask(ui, &play, to_game, commands);
            }
        }
    });
}

/// How high the words of a card are, so that those of every game have room.
fn caption_height(ui: &Ui, app: &App, games: &[GameInfo], card_width: f32) -> f32 {
    let font = TextStyle::Small.resolve(ui.style());
    let room = (card_width - CARD_MARGIN * 2.0).max(GRID);
    let pitch = |game: &GameInfo| {
        let words = app.set_of(&game.id).pitch().to_string();
        ui.fonts(|fonts| fonts.layout(words, font.clone(), DIM, room)).size().y
    };
    let highest = games.iter().map(pitch).fold(0.0, f32::max);
    ui.text_style_height(&TextStyle::Body) + highest + GRID * 3.5
}

/// As high as the window lets all cards be seen at once.
fn thumbnail_height(ui: &Ui, app: &App, across: usize, card_width: f32, caption: f32) -> f32 {
    let games = app.hello.as_ref().map_or(0, |hello| hello.games.len());
    // More than two rows are scrolled to.
    let rows = games.div_ceil(across).clamp(1, 2) as f32;
    let is_offered = app.interrupted.is_some() || first_game(app).is_some();
    let line = ui.spacing().interact_size.y + GRID * 4.0;
    let strips = line * if is_offered { 3.0 } else { 2.0 };
    let rest = GRID * 5.0 + strips + (caption + CARD_GAP) * rows + tables::height(ui, app);
    let room = |rest: f32| (ui.ctx().available_rect().height() - rest) / rows;
    // Where small boards and large ones have no room together, the small ones are scrolled to.
    let with_recent = room(rest + recent::height(ui, app));
    let height = if with_recent < LEAST_PICTURE { room(rest) } else { with_recent };
    // In a tiny window there is no room at all.
    height.min(card_width * 0.95).max(GRID * 7.0)
}

fn offer_interrupted(ui: &mut Ui, game: &SavedGame, commands: &mut Vec<Command>) {
    strip(ui, |ui| {
        ui.label("A game was cut short:");
        ui.label(RichText::new(&game.title).color(ACCENT));
        ask_first(ui, "Continue it", Command::LoadGame(game.path.clone()), commands);
    });
}

/// A line over the whole width, on a ground of its own: what is behind may be light or dark.
fn strip(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(contents);
    });
}

/// What a game is called.
pub(super) fn game_name<'a>(app: &'a App, game: &'a str) -> &'a str {
    let known = app.hello.iter().flat_map(|hello| &hello.games).find(|known| known.id == game);
    known.map_or(game, |known| known.name.as_str())
}
