//! The upper left corner of the board: the way to everything else, and from where to look.

use egui_macroquad::egui::{
    Align, Button, Context, Frame, Id, Layout, RichText, ScrollArea, SidePanel, TopBottomPanel, Ui, Vec2,
    pos2, vec2,
};
use tabuleiro_protocol::Seat;

use super::is_covered;
use super::look::{self, DIM, Explain, FAINT, GRID};
use crate::app::App;
use crate::command::{
    CameraCommand, Command, Copied, EditCommand, Panel, ReviewCommand, Viewpoint, WindowCommand,
};
use crate::keys::{NEARER, keys_for};
use crate::state::TableView;

/// Where the board has room that is less wide than this, compared with its height, nothing is left
/// beside its far side.
const NARROW: f32 = 1.25;
/// How wide a board is that is seen from a seat, compared with its height.
const BOARD: f32 = 1.15;
/// How wide it is at most, compared with the room, and how wide its far side, compared with its near
/// one.
const WIDEST: Vec2 = vec2(0.95, 1.3);
const FAR: f32 = 0.77;
/// How much of its width a board may lose to the menu alone.
const DEAR: f32 = 0.85;
/// The ways to look.
const VIEWS: f32 = 5.0;

/// How the buttons lie.
#[derive(Clone, Copy, PartialEq)]
enum Lie {
    /// In a column over the board's far corner, where it leaves room.
    Over,
    /// In a column beside the board.
    Beside,
    /// In a line above the board.
    Above,
}

/// How wide a board is that has so much room.
fn board(room: Vec2) -> f32 {
    room.x.min(room.y * BOARD)
}

/// Where the board loses least. `column` is how large the buttons are below each other, `line` how
/// high they are beside each other.
fn lie(free: Vec2, column: Vec2, line: f32, is_menu_alone: bool) -> Lie {
    // The menu alone may lie over the board, but not where that loses hardly anything beside it.
    let is_dear = board(free - vec2(column.x, 0.0)) < board(free) * DEAR;
    let column = if is_menu_alone && is_dear { vec2(column.x, 0.0) } else { column };
    // The further the column reaches down, the less room the board leaves beside it.
    let reach = (column.y / free.y).min(1.0);
    let wide = (free * WIDEST).min_elem() * (FAR + (1.0 - FAR) * reach);
    let has_room = column.y == 0.0 || (free.x - wide) * 0.5 >= column.x;
    let is_narrow = free.x < NARROW * free.y + column.x * 0.5 || !has_room;
    match () {
        () if !is_narrow => Lie::Over,
        // So little is left that the buttons lie over it, unless the line costs hardly anything.
        () if free.x <= column.x * 3.0 && board(free - vec2(0.0, line)) < board(free) * DEAR => Lie::Over,
        () if board(free - vec2(0.0, line)) > board(free - vec2(column.x, 0.0)) => Lie::Above,
        () => Lie::Beside,
    }
}

/// A narrow column, because a board seen from a seat leaves most room there; or a line above it.
/// `folded` is what the panel beside the board is called if it is folded away: here is the way back.
pub(super) fn show(
    ctx: &Context,
    app: &App,
    table: &TableView,
    folded: Option<&str>,
    commands: &mut Vec<Command>,
) {
    let text_size = look::text_size(ctx);
    let (width, height) = (GRID * 8.0 * text_size, GRID * 4.0 * text_size);
    let (column, line) = (width + 24.0, height + 20.0);
    let narrow = vec2(GRID * 7.0 * text_size, height);
    let free = ctx.available_rect();
    let at = pos2(ctx.screen_rect().left(), free.top()) + vec2(12.0, 12.0);
    let always = if folded.is_some() { 2.0 } else { 1.0 };
    let high = |buttons: f32| buttons * (height + GRID * 0.5) + 20.0;
    let has_height = free.height() >= high(always + VIEWS);
    let of_column = if has_height { high(always + VIEWS) } else { high(always) };
    let is_menu_alone = !has_height && folded.is_none();
    let lie = lie(free.size(), vec2(column, of_column), line, is_menu_alone);
    let is_folded = match lie {
        Lie::Above => free.width() < (always + VIEWS) * (narrow.x + GRID * 0.5) + 32.0,
        _ => !has_height,
    };
    match lie {
        Lie::Over => {}
        Lie::Beside => {
            let beside = SidePanel::left("room for the corner").resizable(false).show_separator_line(false);
            beside.exact_width(column).frame(Frame::NONE).show(ctx, |_| {});
        }
        Lie::Above => {
            let above = TopBottomPanel::top("room above").resizable(false).show_separator_line(false);
            above.exact_height(line).frame(Frame::NONE).show(ctx, |_| {});
        }
    }
    look::area("corner").fixed_pos(at).show(ctx, |ui| {
        look::surface().inner_margin(4).show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::splat(GRID * 0.5);
            ui.spacing_mut().button_padding.x = GRID * 0.5;
            if lie == Lie::Above {
                ui.horizontal(|ui| buttons(ui, app, table, folded, is_folded, Some(narrow), commands));
            } else {
                ui.set_width(width);
                ui.with_layout(Layout::top_down_justified(Align::Center), |ui| {
                    buttons(ui, app, table, folded, is_folded, None, commands);
                });
            }
        });
    });
}

/// The menu and the ways to look, which are in the menu where there is no room for them. `size` is
/// theirs in a line.
fn buttons(
    ui: &mut Ui,
    app: &App,
    table: &TableView,
    folded: Option<&str>,
    is_folded: bool,
    size: Option<Vec2>,
    commands: &mut Vec<Command>,
) {
    let views = views(table);
    let menu = ui.menu_button("Menu", |ui| in_sight(ui, |ui| menu(ui, app, &views, commands)));
    let menu = menu.response;
    if menu.clicked() {
        ui.data_mut(|data| data.remove::<Page>(Id::new(PAGE)));
    }
    if app.panels.contains(&Panel::Buttons) && !is_covered(app) {
        look::take_keyboard(&menu);
    }
    if let Some(name) = folded {
        look::asked(ui.button(name), Command::Show(Panel::Game), commands);
    }
    for (name, command) in views.into_iter().filter(|_| !is_folded) {
        let button = Button::new(RichText::new(name).small().color(DIM)).truncate();
        let button = match size {
            Some(size) => ui.add_sized(size, button),
            None => ui.add(button),
        };
        look::asked(button.explain("Where to look from"), command, commands);
    }
}

/// A page of the menu: one of everything would be longer than anyone reads.
#[derive(Clone, Copy, Default, PartialEq)]
enum Page {
    #[default]
    First,
    Look,
    More,
}

/// Where it is remembered which page is open.
const PAGE: &str = "page of the menu";

fn menu(ui: &mut Ui, app: &App, views: &[(String, Command)], commands: &mut Vec<Command>) {
    ui.set_min_width(GRID * 30.0 * look::text_size(ui.ctx()).max(1.0));
    ui.spacing_mut().item_spacing.y = GRID * 0.5;
    let page: Page = ui.data(|data| data.get_temp(Id::new(PAGE))).unwrap_or_default();
    match page {
        Page::First => {
            named_entries(ui, &first_page(app), commands);
            turn_to(ui, "Where to look from", Page::Look);
            turn_to(ui, "More", Page::More);
            named_entries(ui, &[("Quit", Command::QUIT)], commands);
        }
        Page::Look => {
            entries(ui, views, commands);
            entries(ui, &distances(), commands);
            named_entries(ui, &[("Full screen", FULL_SCREEN)], commands);
            turn_to(ui, "Back", Page::First);
        }
        Page::More => {
            named_entries(ui, &more(app), commands);
            turn_to(ui, "Back", Page::First);
        }
    }
}

const FULL_SCREEN: Command = Command::Window(WindowCommand::ToggleFullScreen);

fn first_page(app: &App) -> Vec<(&'static str, Command)> {
    let mut entries = vec![
        ("Home", Command::ShowHome),
        ("New game", Command::PrepareAnother),
        ("Saved games", Command::Show(Panel::SavedGames)),
        ("Review the game", Command::Review(ReviewCommand::Start)),
        ("Lessons", Command::Show(Panel::Lessons)),
        ("Puzzles", Command::Show(Panel::Puzzles)),
        ("Progress", Command::Show(Panel::Progress)),
        ("Rules", Command::Show(Panel::Rules)),
        ("Settings", Command::Show(Panel::Settings)),
        ("Keys", Command::Show(Panel::Keys)),
    ];
    if app.socket.is_some() {
        entries.insert(1, ("Shared tables", Command::ListTables));
    }
    entries
}

/// What is wanted less often.
fn more(app: &App) -> Vec<(&'static str, Command)> {
    let mut entries = vec![
        ("Set up a position", Command::Edit(EditCommand::Open)),
        ("Position as text", Command::Show(Panel::Position)),
        ("Puzzles of my mistakes", Command::MakePuzzles),
        ("Copy the game", Command::Copy(Copied::Game)),
        ("Copy the position", Command::Copy(Copied::Position)),
        ("Paste a game", Command::Window(WindowCommand::Paste)),
        ("Take a picture", Command::Window(WindowCommand::TakeScreenshot(None))),
        ("Make a film", Command::Show(Panel::Film)),
        ("Console", Command::Show(Panel::Console)),
    ];
    if app.hello.as_ref().is_some_and(|hello| !hello.bots.is_empty()) {
        entries.push(("Bots", Command::Show(Panel::BotLog)));
    }
    entries
}

fn named_entries(ui: &mut Ui, named: &[(&str, Command)], commands: &mut Vec<Command>) {
    let named: Vec<(String, Command)> =
        named.iter().map(|(name, command)| (name.to_string(), command.clone())).collect();
    entries(ui, &named, commands);
}

/// An entry that leads to another page of the menu.
fn turn_to(ui: &mut Ui, name: &str, page: Page) {
    let sign = if page == Page::First { "<" } else { ">" };
    let button = Button::new(name).shortcut_text(RichText::new(sign).small().color(FAINT)).frame(false);
    if ui.add_sized(vec2(ui.available_width(), ui.spacing().interact_size.y), button).clicked() {
        ui.data_mut(|data| data.insert_temp(Id::new(PAGE), page));
    }
}

/// A menu that is higher than the window is scrolled: what is above its edge could not be reached.
pub(super) fn in_sight(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let room = ui.ctx().screen_rect().height() - GRID * 5.0;
    ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
        contents(ui);
        look::follow_keyboard(ui);
    });
}

pub(super) fn entries(ui: &mut Ui, entries: &[(String, Command)], commands: &mut Vec<Command>) {
    for (name, command) in entries {
        let keys = keys_for(command).unwrap_or_default();
        let button = Button::new(name).shortcut_text(RichText::new(keys).small().color(FAINT));
        if ui
            .add_sized(vec2(ui.available_width(), ui.spacing().interact_size.y), button.frame(false))
            .clicked()
        {
            commands.push(command.clone());
            ui.close_menu();
        }
    }
}

/// What the wheel does, for whoever has none.
fn distances() -> Vec<(String, Command)> {
    let zoom = |by| Command::Camera(CameraCommand::Zoom(by));
    vec![("Nearer".into(), zoom(NEARER)), ("Further away".into(), zoom(-NEARER))]
}

/// From where the board can be looked at.
fn views(table: &TableView) -> Vec<(String, Command)> {
    let seats = Seat::BOTH.map(|seat| (table.name(seat), Viewpoint::Seat(seat)));
    let others = [("Top", Viewpoint::Top), ("Flip", Viewpoint::Flipped), ("Reset", Viewpoint::Reset)];
    let others = others.map(|(name, view)| (name.to_string(), view));
    seats.into_iter().chain(others).map(|(name, view)| (name, Command::view(view))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column that is as high as the board has its near side to pass, too.
    #[test]
    fn buttons_lie_over_the_board_only_where_it_leaves_room_for_all_of_them() {
        // Large text, and a panel that leaves little: there is room above the board.
        assert!(lie(vec2(345.0, 410.0), vec2(126.0, 350.0), 71.0, false) == Lie::Above);
        let column = vec2(88.0, 236.0);
        assert!(lie(vec2(1000.0, 730.0), column, 52.0, false) == Lie::Over);
        for low in [vec2(350.0, 236.0), vec2(515.0, 345.0), vec2(600.0, 400.0)] {
            assert!(lie(low, column, 52.0, false) == Lie::Beside, "{low}");
        }
        assert!(lie(vec2(515.0, 520.0), column, 52.0, false) == Lie::Above);
        // Below an analysis the menu alone hid the number of a row.
        assert!(lie(vec2(355.0, 205.0), vec2(88.0, 56.0), 52.0, true) == Lie::Beside);
        assert!(lie(vec2(325.0, 205.0), vec2(126.0, 71.0), 71.0, true) == Lie::Over);
        // Beside a lesson with large text it hid two cells.
        assert!(lie(vec2(334.0, 338.0), vec2(126.0, 71.0), 71.0, true) == Lie::Above);
    }
}
