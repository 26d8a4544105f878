//! The first screen: the games, and everything that can be done before one is chosen.

use egui_macroquad::egui::{
    self, Align, Button, CentralPanel, Color32, Context, CornerRadius, Frame, Id, Label, Layout, Margin,
    Rect, RichText, Sense, Stroke, StrokeKind, TextStyle, TopBottomPanel, Ui, UiBuilder, WidgetInfo,
    WidgetType, vec2,
};
use tabuleiro_protocol::GameInfo;

use super::look::{self, ACCENT, DIM, Explain, GRID, LINE, ROUND, SURFACE, TEXT, WARM, ask, ask_first, note};
use super::prepare::WATCH;
use super::{Panels, Thumbnail, corner, is_covered, lesson, recent, tables};
use crate::app::{App, Unfinished};
use crate::command::{Command, Panel};
use crate::files::SavedGame;

/// A card is no wider, except in very wide windows, of which it may have this part.
const CARD_WIDTH: f32 = 345.0;
const CARD_PART: f32 = 0.21;
const CARD_GAP: f32 = GRID * 2.0;
const CARD_MARGIN: f32 = GRID * 2.0;
/// A board that is lower is hardly one.
const LEAST_PICTURE: f32 = 132.0;
/// In a window that is lower, the title and where to begin share a line.
const LOW: f32 = 560.0;
/// The menu of what has no room.
const MORE: &str = "More";

impl Panels {
    pub(super) fn show_home(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        // Wider than this, lines would be too long to read and cards too far apart.
        let window = ctx.screen_rect().size();
        let most = (CARD_WIDTH.max(window.x * CARD_PART) + CARD_GAP) * 4.0;
        let side = ((window.x - most) * 0.5).max(GRID * 3.0);
        // However far the games are scrolled, the way to everything else stays in sight.
        let bar = TopBottomPanel::bottom("everything else").resizable(false).show_separator_line(false);
        let top = if window.y < LOW { 2 } else { 6 };
        let margin = Margin { top, bottom: 12, ..Margin::ZERO };
        // In the first frame nobody else knows how high it will be.
        let bar = bar.default_height(ctx.style().spacing.interact_size.y + margin.sum().y);
        bar.frame(Frame::new().inner_margin(margin)).show(ctx, |ui| {
            let place = ui.max_rect().shrink2(vec2(side, 0.0));
            ui.scope_builder(UiBuilder::new().max_rect(place), |ui| everything_else(ui, app, commands));
        });
        CentralPanel::default().frame(Frame::new()).show(ctx, |ui| {
            let place = ui.max_rect().shrink2(vec2(side, 0.0));
            // The scroll bar is beside the page, which is as wide as the bar below.
            let with_bar = place.with_max_x(place.right() + ui.spacing().scroll.allocated_width());
            ui.scope_builder(UiBuilder::new().max_rect(with_bar), |ui| {
                let page = egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    ui.set_max_width(place.width());
                    let across = match ui.available_width() {
                        width if width >= 1060.0 => 4,
                        width if width >= 500.0 => 2,
                        _ => 1,
                    };
                    let gaps = CARD_GAP * (across - 1) as f32;
                    let card_width = ((ui.available_width() - gaps) / across as f32).max(GRID * 8.0);
                    let games = app.hello.as_ref().map_or(0, |hello| hello.games.len());
                    let rows = games.div_ceil(across).max(1);
                    let height = self.thumbnail_height(ui, app, rows, card_width);
                    let whole = self.rest_of_home + height * rows as f32;
                    ui.add_space(((ui.available_height() - whole) * 0.42).max(GRID * 2.0));
                    let top = ui.cursor().top();
                    self.home_column(ui, app, across, vec2(card_width, height), commands);
                    self.rest_of_home = ui.cursor().top() - top - height * rows as f32;
                    look::scroll_by_keys(ui);
                });
                self.keyboard.note_page(page.inner_rect);
            });
        });
    }

    /// As high as the window lets all cards be seen at once, or two rows of them.
    fn thumbnail_height(&self, ui: &Ui, app: &App, rows: usize, card_width: f32) -> f32 {
        let Some(hello) = &app.hello else { return 0.0 };
        let seen = rows.min(2);
        let unseen = (rows - seen) as f32 * (caption_height(ui, app, &hello.games, card_width) + CARD_GAP);
        let room = ui.available_height() - GRID * 2.0 - self.rest_of_home + unseen;
        // Where small boards and large ones have no room together, the small ones are scrolled to.
        let is_low = room < LEAST_PICTURE * seen as f32;
        let room = if is_low { room + recent::height(ui, app) } else { room };
        // In a tiny window there is no room at all.
        (room / seen as f32).min(card_width * 0.95).max(GRID * 7.0)
    }

    fn home_column(
        &mut self,
        ui: &mut Ui,
        app: &App,
        across: usize,
        thumbnail: egui::Vec2,
        commands: &mut Vec<Command>,
    ) {
        let first = first_game(app);
        let is_low = ui.ctx().screen_rect().height() < LOW * look::text_size(ui.ctx());
        strip(ui, |ui| {
            look::title(ui, "Tabuleiro");
            match first.filter(|_| is_low) {
                Some(first) => offer_first(ui, app, first, commands),
                None => drop(note(ui, welcome(app.hello.as_ref().map_or(4, |hello| hello.games.len())))),
            }
        });
        ui.add_space(GRID);
        if let Some(first) = first.filter(|_| !is_low) {
            strip(ui, |ui| {
                if lesson::is_begun(app, &first.id) {
                    ui.label(format!("{}: {}.", first.name, lesson::standing(app, &first.id)));
                } else {
                    ui.label(format!("New here? Start with {}.", first.name));
                    note(ui, format!("{}.", app.set_of(&first.id).effort()));
                }
                offer_first(ui, app, first, commands);
            });
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
        let caption = caption_height(ui, app, &hello.games, thumbnail.x);
        for row in hello.games.chunks(across) {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = CARD_GAP;
                for game in row {
                    self.card(ui, app, game, thumbnail, caption, commands);
                }
            });
            ui.add_space(CARD_GAP - GRID);
        }
        let tables = tables::show(ui, app, commands);
        let calls = std::mem::replace(&mut self.calls_for_tables, app.calls_for_tables);
        if let Some(tables) = tables.filter(|_| calls != app.calls_for_tables) {
            tables.scroll_to_me(Some(Align::Center));
        }
        recent::show(ui, app, commands);
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
        let (_, rect) = ui.allocate_space(size);
        // By the game: in a window of another size the cards are in other rows, and the one that has
        // the keyboard keeps it.
        let response = ui.interact(rect, Id::new(("card", &game.id)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &game.name));
        if self.thumbnails.is_empty() && !is_covered(app) {
            look::take_keyboard(&response);
        }
        // One card stands out: the pointer takes the keyboard along.
        if response.hovered() && ui.input(|input| input.pointer.delta() != egui::Vec2::ZERO) {
            response.request_focus();
        }
        let picture = Rect::from_min_size(rect.min, thumbnail);
        let seen = picture.intersect(ui.clip_rect());
        self.thumbnails.push(Thumbnail { game: game.id.clone(), place: picture, seen });

        let is_chosen = response.has_focus();
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
        let effort = RichText::new(set.effort()).small().color(ACCENT);
        let name = Label::new(RichText::new(&game.name).color(TEXT)).selectable(false);
        let effort = Label::new(effort).truncate().selectable(false);
        if is_effort_below(ui, app, thumbnail.x) {
            inside.add(name);
            inside.add(effort);
        } else {
            inside.horizontal(|ui| [ui.add(name), ui.add(effort)]);
        }
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
    let button = corner.add(button).explain(lesson::standing(app, game));
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

/// The game for someone who has played none so far: the first one, or the one whose lesson was begun.
fn first_game(app: &App) -> Option<&GameInfo> {
    let is_new = app.saved.is_empty() && app.table.is_none() && app.interrupted.is_none();
    let mut games = app.hello.as_ref().filter(|_| is_new)?.games.iter();
    // Lessons and puzzles may have been done elsewhere.
    match app.progress.days.is_empty() {
        true => games.next(),
        false => games.find(|game| lesson::is_begun(app, &game.id)),
    }
}

/// Where to begin.
fn offer_first(ui: &mut Ui, app: &App, game: &GameInfo, commands: &mut Vec<Command>) {
    let play = format!("Play {}", game.name);
    let learn = match lesson::is_begun(app, &game.id) {
        true => "Continue the lesson".to_string(),
        false => format!("Learn {}", game.name),
    };
    let (to_lesson, to_game) = (Command::Learn(game.id.clone()), Command::PrepareGame(game.id.clone()));
    match app.lessons.get(&game.id) {
        Some(None) => drop(ask_first(ui, &play, to_game, commands)),
        // Most have one, and it will be there in a moment.
        Some(Some(_)) | None => {
            ask_first(ui, &learn, to_lesson, commands).explain("Step by step, at the board");
            ask(ui, &play, to_game, commands);
        }
    }
}

/// The way to everything that is not a game of one's choice, in one line: what has no room there is
/// in a menu at its end.
fn everything_else(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    let entries = [
        ("New game", Command::PrepareAnother),
        (WATCH, Command::WatchComputers),
        ("Saved games", Command::Show(Panel::SavedGames)),
        ("Lessons", Command::Show(Panel::Lessons)),
        ("Puzzles", Command::Show(Panel::Puzzles)),
        ("Progress", Command::Show(Panel::Progress)),
        ("Rules", Command::Show(Panel::Rules)),
        ("Settings", Command::Show(Panel::Settings)),
        ("Keys", Command::Show(Panel::Keys)),
        ("Quit", Command::QUIT),
    ];
    strip(ui, |ui| {
        let mut room = ui.available_width();
        if let Some(unfinished) = app.unfinished() {
            let (game, title) = match unfinished {
                Unfinished::OnTheTable(table) => (&table.state.game, table.title()),
                Unfinished::Saved(saved) => (&saved.game, saved.title.clone()),
            };
            let words = format!("Continue: {}", game_name(app, game));
            ask_first(ui, &words, Command::ContinueGame, commands).explain(title);
            room -= button_width(ui, &words);
        }
        let widths = entries.each_ref().map(|(name, _)| button_width(ui, name));
        let fits = room >= widths.iter().sum::<f32>() - ui.spacing().item_spacing.x;
        room -= if fits { 0.0 } else { button_width(ui, MORE) };
        let mut shown = 0;
        while shown < entries.len() && (fits || room >= widths[shown]) {
            room -= widths[shown];
            shown += 1;
        }
        for (name, command) in &entries[..shown] {
            ask(ui, name, command.clone(), commands);
        }
        if shown < entries.len() {
            ui.menu_button(MORE, |ui| {
                ui.set_min_width(GRID * 24.0);
                let rest = entries[shown..].iter().map(|(name, command)| (name.to_string(), command.clone()));
                let rest: Vec<_> = rest.collect();
                corner::in_sight(ui, |ui| corner::entries(ui, &rest, commands));
            });
        }
    });
}

/// How wide a button with these words is, with the gap after it.
fn button_width(ui: &Ui, words: &str) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    let text = ui.fonts(|fonts| fonts.layout_no_wrap(words.into(), font, TEXT)).size().x;
    text + ui.spacing().button_padding.x * 2.0 + ui.spacing().item_spacing.x
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
    let effort = match is_effort_below(ui, app, card_width) {
        true => ui.text_style_height(&TextStyle::Small) + GRID * 0.5,
        false => 0.0,
    };
    ui.text_style_height(&TextStyle::Body) + effort + highest + GRID * 3.5
}

/// Whether how hard a game is and how long it takes has no room beside the name of some game.
fn is_effort_below(ui: &Ui, app: &App, card_width: f32) -> bool {
    let width = |words: &str, style: TextStyle| {
        let font = style.resolve(ui.style());
        ui.fonts(|fonts| fonts.layout_no_wrap(words.into(), font, TEXT)).size().x
    };
    let room = card_width - CARD_MARGIN * 2.0 - ui.spacing().item_spacing.x;
    let games = app.hello.iter().flat_map(|hello| &hello.games);
    games.into_iter().any(|game| {
        let effort = width(app.set_of(&game.id).effort(), TextStyle::Small);
        width(&game.name, TextStyle::Body) + effort > room
    })
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
