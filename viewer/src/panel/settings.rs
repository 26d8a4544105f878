//! What can be chosen about the window.

use std::ops::RangeInclusive;

use egui_macroquad::egui::{Context, Rect, Response, ScrollArea, Sense, Slider, Ui, vec2};

use super::look::{self, GRID, ask, note, one_of, section, switch};
use crate::app::{App, Screen};
use crate::command::{Command, Panel};
use crate::settings::{QualityChoice, Settings, Speed, TEXT_SIZES};
use crate::sound;

const WIDTH: f32 = 440.0;

pub(super) const SPEEDS: [(Speed, &str); 4] =
    [(Speed::Slow, "Slow"), (Speed::Normal, "Normal"), (Speed::Fast, "Fast"), (Speed::Off, "At once")];

const QUALITIES: [(QualityChoice, &str); 4] = [
    (QualityChoice::Automatic, "Automatic"),
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
            ui.scope(|ui| appearance(ui, &mut settings, themes));
            board(ui, &mut settings);
            window(ui, &mut settings);
            section(ui, "Games are kept in");
            note(ui, app.games_folder.display().to_string());
            ask(ui, "Another folder", Command::Show(Panel::Folder), commands);
            look::scroll_by_keys(ui);
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
    section(ui, "Colours of marks on the board");
    let marks = [
        ("Places you can choose", &mut settings.mark_colour),
        ("The last turn", &mut settings.last_colour),
        ("Hints", &mut settings.hint_colour),
        ("Aids", &mut settings.aid_colour),
    ];
    look::dense(ui);
    for (name, colour) in marks {
        ui.horizontal(|ui| {
            ui.color_edit_button_srgb(colour);
            ui.label(name);
        });
    }
}

fn board(ui: &mut Ui, settings: &mut Settings) {
    section(ui, "Movement");
    if let Some(speed) = one_of(ui, &settings.speed, &SPEEDS) {
        settings.speed = speed;
    }
    if sound::IS_BUILT_IN {
        section(ui, "Sound");
        ui.spacing_mut().slider_width = slider_width(ui);
        let percent =
            |volume: f64, _| if volume > 0.0 { format!("{:.0} %", volume * 100.0) } else { "off".into() };
        let slider =
            Slider::new(&mut settings.volume, 0.0..=1.0).step_by(f64::from(STEP)).custom_formatter(percent);
        let response = ui.add(slider);
        heed_short_clicks(ui, &response, &mut settings.volume, 0.0..=1.0);
    }
    section(ui, "On the board");
    let switches = [
        ("Letters and numbers at the edge", &mut settings.coordinates),
        ("Heights of piles as numbers", &mut settings.counts),
        ("Highlight the cells that matter", &mut settings.overlays),
        ("Show what a move would do", &mut settings.ghosts),
        ("Winning chances while playing", &mut settings.evaluation),
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
    ui.spacing_mut().slider_width = slider_width(ui);
    let response = ui.add(Slider::new(&mut size, TEXT_SIZES).step_by(f64::from(STEP)).fixed_decimals(2));
    heed_short_clicks(ui, &response, &mut size, TEXT_SIZES);
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

/// A slider only knows drags: a click that is over before the next frame would be none.
fn heed_short_clicks(ui: &Ui, slider: &Response, value: &mut f32, range: RangeInclusive<f32>) {
    let rail = Rect::from_min_size(slider.rect.min, vec2(ui.spacing().slider_width, slider.rect.height()));
    let click = ui.interact(rail, slider.id.with("click"), Sense::CLICK);
    let at = click.interact_pointer_pos().filter(|_| click.clicked());
    if let Some(at) = at {
        // The handle does not leave the rail.
        let along = rail.x_range().shrink(rail.height() / HANDLE);
        let part = ((at.x - along.min) / along.span()).clamp(0.0, 1.0);
        let exact = range.start() + part * (range.end() - range.start());
        *value = (exact / STEP).round() * STEP;
    }
}

/// How many times the handle of a slider fits into its height.
const HANDLE: f32 = 2.5;
const STEP: f32 = 0.05;

/// As wide as the number after it leaves room for.
fn slider_width(ui: &Ui) -> f32 {
    (ui.available_width() - GRID * 11.0 * look::text_size(ui.ctx())).max(GRID * 8.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_listed_from_slow_to_at_once() {
        let factors: Vec<f32> = SPEEDS.iter().map(|(speed, _)| speed.factor().unwrap_or(f32::MAX)).collect();
        assert!(factors.is_sorted(), "{factors:?}");
        assert!(Speed::ALL.iter().all(|speed| SPEEDS.iter().any(|(listed, _)| listed == speed)));
    }
}
