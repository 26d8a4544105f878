//! The upper left corner of the board: the way to everything else, and from where to look.

use egui_macroquad::egui::{
    Align, Area, Button, Context, Frame, Layout, RichText, SidePanel, Ui, pos2, vec2,
};
use tabuleiro_protocol::Seat;

use super::is_covered;
use super::look::{self, DIM, FAINT, GRID};
use crate::app::App;
use crate::command::{
    CameraCommand, Command, Copied, EditCommand, Panel, ReviewCommand, Viewpoint, WindowCommand,
};
use crate::keys::{NEARER, keys_for};
use crate::state::TableView;

/// Where the board has room that is less wide than this, compared with its height, nothing is left
/// beside its far side.
const NARROW: f32 = 1.25;

/// A narrow column, because a board seen from a seat leaves most room there.
pub(super) fn show(ctx: &Context, app: &App, table: &TableView, commands: &mut Vec<Command>) {
    let width = GRID * 8.0 * app.settings.text_size;
    let room = width + 24.0;
    // A wide window has room beside the far side of the board; in a narrow one the board has to
    // make room, if it has any.
    let free = ctx.available_rect();
    let is_narrow = free.width() < NARROW * free.height() + room * 0.5;
    if is_narrow && ctx.available_rect().width() > room * 3.0 {
        let beside = SidePanel::left("room for the corner").resizable(false).show_separator_line(false);
        beside.exact_width(room).frame(Frame::NONE).show(ctx, |_| {});
    }
    // Six buttons, if the window is high enough.
    let needed = 6.0 * (GRID * 4.0 * app.settings.text_size + GRID * 0.5) + 20.0;
    let is_low = free.height() < needed;
    let at = pos2(ctx.screen_rect().left(), ctx.available_rect().top()) + vec2(12.0, 12.0);
    Area::new("corner".into()).fixed_pos(at).show(ctx, |ui| {
        look::surface().inner_margin(4).show(ui, |ui| {
            ui.set_width(width);
            ui.spacing_mut().item_spacing.y = GRID * 0.5;
            ui.spacing_mut().button_padding.x = GRID * 0.5;
            ui.with_layout(Layout::top_down_justified(Align::Center), |ui| {
                let views = views(table);
                let menu = ui.menu_button("Menu", |ui| {
                    menu(ui, app, commands);
                    if is_low {
                        entries(ui, &views, commands);
                    }
                    entries(ui, &distances(), commands);
                });
                let menu = menu.response;
                if app.panels.contains(&Panel::Buttons) && !is_covered(app) {
                    look::take_keyboard(&menu);
                }
                for (name, command) in views.into_iter().filter(|_| !is_low) {
                    let button = ui.add(Button::new(RichText::new(name).small().color(DIM)).truncate());
                    look::asked(button.on_hover_text("Where to look from"), command, commands);
                }
            });
        });
    });
}

fn menu(ui: &mut Ui, app: &App, commands: &mut Vec<Command>) {
    let mut entries = vec![
        ("Home", Command::ShowHome),
        ("New game", Command::PrepareAnother),
        ("Saved games", Command::Show(Panel::SavedGames)),
        ("Review the game", Command::Review(ReviewCommand::Start)),
        ("Set up a position", Command::Edit(EditCommand::Open)),
        ("Copy the game", Command::Copy(Copied::Game)),
        ("Copy the position", Command::Copy(Copied::Position)),
        ("Paste a game", Command::Window(WindowCommand::Paste)),
        ("Lessons", Command::Show(Panel::Lessons)),
        ("Puzzles", Command::Show(Panel::Puzzles)),
        ("Progress", Command::Show(Panel::Progress)),
        ("Rules", Command::Show(Panel::Rules)),
        ("Settings", Command::Show(Panel::Settings)),
        ("Keys", Command::Show(Panel::Keys)),
        ("Console", Command::Show(Panel::Console)),
        ("Take a picture", Command::Window(WindowCommand::TakeScreenshot(None))),
        ("Make a film", Command::Show(Panel::Film)),
        ("Full screen", Command::Window(WindowCommand::ToggleFullScreen)),
        ("Quit", Command::QUIT),
    ];
    if app.socket.is_some() {
        entries.insert(1, ("Shared tables", Command::ListTables));
    }
    if app.hello.as_ref().is_some_and(|hello| !hello.bots.is_empty()) {
        let console = entries.iter().position(|(_, command)| *command == Command::Show(Panel::Console));
        entries.insert(console.map_or(0, |console| console + 1), ("Bots", Command::Show(Panel::BotLog)));
    }
    ui.set_min_width(GRID * 24.0);
    ui.spacing_mut().item_spacing.y = GRID * 0.5;
    let named: Vec<(String, Command)> =
        entries.into_iter().map(|(name, command)| (name.to_string(), command)).collect();
    self::entries(ui, &named, commands);
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
