//! What can be chosen about the window.

use egui_macroquad::egui::{Context, ScrollArea, Slider, Ui};

use super::look::{self, GRID, ask, note, one_of, section, switch};
use crate::app::{App, Screen};
use crate::command::{Command, Panel};
use crate::settings::{QualityChoice, Settings, Speed, TEXT_SIZES};
use crate::stage::theme::mark_colours;

const WIDTH: f32 = 440.0;

pub(super) const SPEEDS: [(Speed, &str); 4] =
    [(Speed::Off, "Off"), (Speed::Slow, "Slow"), (Speed::Normal, "Normal"), (Speed::Fast, "Fast")];

const QUALITIES: [(QualityChoice, &str); 4] = [
    (QualityChoice::Automatic, "As smooth as can be"),
    (QualityChoice::Low, "Low"),
    (QualityChoice::Medium, "Medium"),
    (QualityChoice::Full, "Full"),
];

pub(super) fn show(
    ctx: &Context,
    app: &App,
    themes: &[(String, String)],
    commands: &mut Vec<Command>,
) -> bool {
    look::sheet(ctx, "Settings", WIDTH, app.screen == Screen::Board, |ui| {
        let mut settings = app.settings.clone();
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            appearance(ui, &mut settings, themes);
            board(ui, &mut settings);
            window(ui, &mut settings);
            section(ui, "Games are kept in");
            note(ui, app.games_folder.display().to_string());
            ask(ui, "Another folder", Command::Show(Panel::Folder), commands);
        });
        if settings != app.settings {
            commands.push(Command::Change(Box::new(settings)));
        }
    })
}

fn appearance(ui: &mut Ui, settings: &mut Settings, themes: &[(String, String)]) {
    section(ui, "Theme");
    let names: Vec<(String, &str)> = themes.iter().map(|(id, name)| (id.clone(), name.as_str())).collect();
    if let Some(theme) = one_of(ui, &settings.theme, &names) {
        settings.theme = theme;
    }
    section(ui, "Colour of marks");
    let colours: Vec<([u8; 3], &str)> =
        mark_colours().iter().map(|mark| (mark.colour.0, mark.name.as_str())).collect();
    if let Some(colour) = one_of(ui, &settings.mark_colour, &colours) {
        settings.mark_colour = colour;
    }
    ui.horizontal(|ui| {
        ui.color_edit_button_srgb(&mut settings.mark_colour);
        note(ui, "or any other");
    });
}

fn board(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Movement");
    if let Some(speed) = one_of(ui, &settings.speed, &SPEEDS) {
        settings.speed = speed;
    }
    section(ui, "On the board");
    let switches = [
        ("Letters and numbers at the edge", &mut settings.coordinates),
        ("Heights of piles as numbers", &mut settings.counts),
        ("Aids: cells that matter are lit", &mut settings.overlays),
        ("A ghost of what would happen", &mut settings.ghosts),
        ("Chances while playing", &mut settings.evaluation),
    ];
    for (name, setting) in switches {
        if let Some(on) = switch(ui, *setting, name) {
            *setting = on;
        }
    }
}

fn window(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Size of text");
    // Taken over only when let go: text that grows under the pointer would move the slider away
    // from it.
    let id = ui.id().with("text size");
    let mut size = ui.data(|data| data.get_temp(id)).unwrap_or(settings.text_size);
    ui.spacing_mut().slider_width = (ui.available_width() - GRID * 9.0).max(GRID * 8.0);
    let response = ui.add(Slider::new(&mut size, TEXT_SIZES).step_by(0.05).fixed_decimals(2));
    match response.dragged() {
        true => ui.data_mut(|data| data.insert_temp(id, size)),
        false => {
            settings.text_size = size;
            ui.data_mut(|data| data.remove::<f32>(id));
        }
    }
    section(ui, "Quality");
    if let Some(quality) = one_of(ui, &settings.quality, &QUALITIES) {
        settings.quality = quality;
    }
    ui.add_space(GRID);
    if let Some(on) = switch(ui, settings.full_screen, "Full screen") {
        settings.full_screen = on;
    }
}
