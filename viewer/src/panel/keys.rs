//! The list of keys, to be searched.

use egui_macroquad::egui::{Context, Label, Margin, RichText, ScrollArea, TextEdit, Ui};

use super::look::{self, ACCENT, DIM, GRID, TEXT, section};
use crate::app::{App, Screen};
use crate::keys::{Binding, Group, bindings};

const WIDTH: f32 = 560.0;
const MOUSE: &str = "With the mouse: the left button chooses a place, the right one held down walks around the table, \
                     the middle one moves the board aside, and the wheel comes nearer.";
const FINGER: &str = "With a finger: a tap chooses a place. Hold the finger still to see what a move there would do; \
                      move it then to walk around the table. Two fingers bring the board nearer or take it along.";

#[derive(Debug, Default)]
pub(super) struct KeyList {
    text: String,
}

impl KeyList {
    pub(super) fn show(&mut self, ctx: &Context, app: &App) -> bool {
        look::sheet(ctx, "Keys", WIDTH, app.screen == Screen::Board, |ui| {
            let field = TextEdit::singleline(&mut self.text)
                .hint_text(look::hint("Search"))
                .margin(Margin::symmetric(10, 6));
            ui.add(field.desired_width(f32::INFINITY));
            let found = found(&self.text);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                if found.is_empty() {
                    look::note(ui, "No key does that.");
                }
                for group in Group::ALL {
                    let lines: Vec<&Line> = found.iter().filter(|line| line.group == group).collect();
                    if lines.is_empty() {
                        continue;
                    }
                    section(ui, group.title());
                    look::dense(ui);
                    for line in lines {
                        show_line(ui, line);
                    }
                }
                ui.add_space(GRID);
                for words in [MOUSE, FINGER] {
                    ui.add(Label::new(RichText::new(words).small().color(DIM)).wrap());
                }
                look::scroll_by_keys(ui);
            });
        })
    }
}

fn show_line(ui: &mut Ui, line: &Line) {
    let width = ui.available_width() * 0.4;
    ui.horizontal_top(|ui| {
        ui.vertical(|ui| {
            ui.set_width(width);
            ui.add(Label::new(RichText::new(&line.keys).color(ACCENT)).wrap());
        });
        ui.add(Label::new(RichText::new(line.text).color(TEXT)).wrap());
    });
}

/// Everything that one thing can be asked for with.
struct Line {
    keys: String,
    text: &'static str,
    group: Group,
}

/// What has all the words that were searched for, in the keys' names or in what they do.
fn found(search: &str) -> Vec<Line> {
    let mut lines: Vec<(Vec<Binding>, &'static str, Group)> = Vec::new();
    for key in bindings() {
        match lines.iter_mut().find(|(_, text, _)| *text == key.text) {
            Some((keys, _, _)) => keys.push(key),
            None => lines.push((vec![key.clone()], key.text, key.group)),
        }
    }
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let lines = lines.into_iter().map(|(keys, text, group)| {
        let names: Vec<String> = keys.iter().map(Binding::name).collect();
        Line { keys: one_or_another(&names), text, group }
    });
    lines
        .filter(|line| {
            let all = format!("{} {}", line.keys, line.text).to_lowercase();
            words.iter().all(|word| all.contains(word))
        })
        .collect()
}

/// `Up, Down, Left or Right`.
fn one_or_another(names: &[String]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.join(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_name_and_by_what_they_do() {
        let texts = |search: &str| found(search).iter().map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(texts("ctrl+z"), ["Undo"]);
        assert_eq!(texts("HINT"), ["Ask for a hint"]);
        assert_eq!(found("cursor")[0].keys, "Up, Down, Left or Right");
        assert_eq!(texts("nothing like this"), Vec::<&str>::new());
        let all: usize =
            found("").iter().map(|line| line.keys.replace(" or ", ", ").split(", ").count()).sum();
        assert_eq!(all, bindings().len());
    }
}
