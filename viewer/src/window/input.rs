//! What a person or a script does in a frame, as commands.

use std::time::Instant;

use egui_macroquad::egui;
use macroquad::input::KeyCode;
use macroquad::math::{Vec2, vec2};
use macroquad::window::request_new_screen_size;

use super::keyboard::{Heard, Keyboard};
use super::pointer::{Pointer, Pointing};
use super::{Failure, Window, screen_size};
use crate::app::{App, Screen};
use crate::board::Target;
use crate::command::{Command, Panel};
use crate::keys::{self, Binding, Focus};
use crate::script::Act;
use crate::stage::aim::aim;

/// How far one notch scrolls a panel, in points.
const SCROLLED: f32 = 56.0;
/// What part of the way a panel goes in a frame.
const GLIDE: f32 = 0.4;

/// The mouse and the keyboard.
#[derive(Debug)]
pub(super) struct Input {
    keyboard: Keyboard,
    pointer: Pointer,
    /// How far panels are still to be scrolled.
    scroll: Vec2,
    /// What the wheel has done in this frame, in notches.
    wheel: Vec2,
    /// What was typed for a line that was not open yet.
    typed_ahead: Vec<egui::Event>,
}

/// What was done in one frame.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// Whether the pointer has moved.
    pub(super) moved: bool,
    pub(super) clicked: bool,
    /// Where the button was pressed that has been let go elsewhere.
    pub(super) dragged_from: Option<Vec2>,
    /// Where it was clicked or let go.
    pub(super) at: Vec2,
    pub(super) commands: Vec<Command>,
    /// Whether somebody is there.
    pub(super) is_active: bool,
}

impl Input {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Input {
        Input {
            keyboard: Keyboard::listen(),
            pointer: Pointer::default(),
            scroll: Vec2::ZERO,
            wheel: Vec2::ZERO,
            typed_ahead: Vec::new(),
        }
    }

    /// Where the pointer is in the window.
    pub(super) fn pointer(&self) -> Vec2 {
        self.pointer.at
    }

    /// Takes in what has come since the last frame, and gives how far panels are to be scrolled now.
    pub(super) fn hear(&mut self) -> Vec2 {
        self.keyboard.hear();
        self.wheel = self.keyboard.take_wheel();
        self.scroll += self.wheel * SCROLLED;
        glide(&mut self.scroll)
    }

    /// What was typed in the last frame, after the key that opened a line and before it was open.
    pub(super) fn take_typed_ahead(&mut self) -> Vec<egui::Event> {
        std::mem::take(&mut self.typed_ahead)
    }

    /// What the person has done since the last frame.
    pub(super) fn read(&mut self, over_panel: bool, mut focus: Focus, app: &App, seconds: f32) -> Hands {
        let heard = self.keyboard.take();
        let now = Pointing::now(self.wheel.y, self.keyboard.take_strokes());
        let gesture = self.pointer.follow(&now, over_panel, screen_size().y, seconds);
        let mut hands = Hands {
            is_active: gesture.moved || now.is_active() || !heard.is_empty(),
            moved: gesture.moved,
            clicked: gesture.clicked,
            dragged_from: gesture.dragged_from,
            at: gesture.at,
            commands: gesture.steered.into_iter().map(Command::Camera).collect(),
        };
        let bindings = keys::bindings();
        let at_board = matches!(app.screen, Screen::Board | Screen::Editor);
        for (index, one) in heard.iter().enumerate() {
            let Heard::Key(press) = one else { continue };
            let binding = bindings.iter().find(|binding| binding.press == *press);
            let Some(binding) = binding.filter(|binding| binding.is_heard(at_board, focus)) else { continue };
            hands.commands.push(binding.command.clone());
            if opens_line(binding, app) {
                // The line is there in the next frame, and so is what was meant for it. What is heard
                // anywhere is heard all the same.
                self.typed_ahead = typed_ahead(binding, &heard[index + 1..]);
                focus = Focus::Text;
            }
        }
        hands
    }
}

/// Whether what is typed next is meant for a line that this key opens.
fn opens_line(binding: &Binding, app: &App) -> bool {
    binding.command == Command::Toggle(Panel::MoveEntry) && !app.panels.contains(&Panel::MoveEntry)
}

/// What comes after the key that opens a line, as the line would have heard it.
fn typed_ahead(opener: &Binding, after: &[Heard]) -> Vec<egui::Event> {
    // Systems that tell keys before letters have yet to tell the letter of the opener.
    let is_own = |one: &Heard| matches!(one, Heard::Letter(letter) if opener.name().eq_ignore_ascii_case(&letter.to_string()));
    let after = if after.first().is_some_and(is_own) { &after[1..] } else { after };
    let press = |key| egui::Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let event = |one: &Heard| match one {
        Heard::Letter(letter) => Some(egui::Event::Text(letter.to_string())),
        Heard::Key(key) if matches!(key.code, KeyCode::Enter | KeyCode::KpEnter) => {
            Some(press(egui::Key::Enter))
        }
        Heard::Key(key) if key.code == KeyCode::Backspace => Some(press(egui::Key::Backspace)),
        Heard::Key(_) => None,
    };
    after.iter().filter_map(event).collect()
}

/// The part of a way that is gone in one frame; what is left stays in `way`.
fn glide(way: &mut Vec2) -> Vec2 {
    let step = if way.length() < 1.0 { *way } else { *way * GLIDE };
    *way -= step;
    step
}

impl Window {
    /// What the script wants in this frame, if there is one.
    pub(super) fn read_script(&mut self) -> Result<Option<Hands>, Failure> {
        let (is_settled, is_drawn) = (self.is_settled(), self.is_drawn());
        let Some(script) = &mut self.script else { return Ok(None) };
        let act = script
            .frame(self.director.app(), is_settled, is_drawn)
            .map_err(|error| Failure::Script(error.to_string()))?;
        let mut hands = Hands::default();
        match act {
            Act::Nothing => {}
            Act::Click(target) | Act::Point(target) => {
                self.input.pointer.at = self.camera.project(target);
                hands.moved = true;
                hands.at = self.input.pointer.at;
                hands.clicked = matches!(act, Act::Click(_));
            }
            Act::Command(command) => hands.commands.push(*command),
            Act::Resize(width, height) => {
                let size = vec2(width as f32, height as f32);
                request_new_screen_size(size.x, size.y);
                self.asked_for = Some((size, Instant::now()));
            }
        }
        Ok(Some(hands))
    }

    /// What the pointer is over, and what a click there means.
    pub(super) fn point(&self, hands: &Hands, over_panel: bool) -> Vec<Command> {
        let app = self.director.app();
        if !app.is_at_board() || !(hands.moved || hands.clicked || hands.dragged_from.is_some()) {
            return Vec::new();
        }
        let has_pointer = self.script.is_some() || !over_panel;
        if !has_pointer {
            return Vec::from_iter(hands.moved.then_some(Command::Hover(None)));
        }
        let target = self.target_at(hands.at);
        let dragged = hands.dragged_from.and_then(|from| self.target_at(from)).zip(target);
        if let Some((from, to)) = dragged.filter(|(from, to)| from != to) {
            return vec![Command::Hover(Some(to)), Command::Drag(from, to)];
        }
        // A hand that was not quite still has clicked.
        let clicked = hands.clicked || dragged.is_some();
        let hover = hands.moved.then(|| Command::Hover(self.target_at(self.input.pointer())));
        let click = clicked.then(|| target.map_or(Command::SkipMovement, Command::Point));
        hover.into_iter().chain(click).collect()
    }

    /// What is seen on the board at this place of the window.
    fn target_at(&self, pointer: Vec2) -> Option<Target> {
        let app = self.director.app();
        let tokens = app.board().final_tokens();
        let ray = self.camera.camera().ray(pointer, screen_size());
        let (set, figures) = (app.board().set(), app.board().figures());
        let has_edges = app.screen == Screen::Board && app.pick.has_edges();
        let is_to_choose = app.screen == Screen::Board && app.motion.is_still();
        let is_open = |target| is_to_choose && app.pick.open().contains(&target);
        aim(&**set, tokens.columns(), tokens.rows(), &figures, has_edges, is_open, ray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a slow frame somebody can have typed a whole move: it is no key of the board.
    #[test]
    fn what_follows_the_key_that_opens_a_line_is_for_the_line() {
        let bindings = keys::bindings();
        let binding = |code| bindings.iter().find(|key| key.press.code == code && !key.press.shift).unwrap();
        let key = |code| Heard::Key(keys::KeyPress { code, ctrl: false, shift: false });
        let app = App::new(crate::settings::Settings::default());
        assert!(opens_line(binding(KeyCode::M), &app) && !opens_line(binding(KeyCode::E), &app));
        let (e, five) = (Heard::Letter('e'), Heard::Letter('5'));
        let letters_first = [e, key(KeyCode::E), five, key(KeyCode::Key5), key(KeyCode::Enter)];
        let keys_first =
            [Heard::Letter('m'), key(KeyCode::E), e, key(KeyCode::Key5), five, key(KeyCode::Enter)];
        for after in [letters_first.as_slice(), keys_first.as_slice()] {
            let typed = typed_ahead(binding(KeyCode::M), after);
            assert_eq!(typed[..2], [egui::Event::Text("e".into()), egui::Event::Text("5".into())]);
            assert!(matches!(typed[2..], [egui::Event::Key { key: egui::Key::Enter, pressed: true, .. }]));
        }
    }

    #[test]
    fn a_notch_is_a_step_and_a_part_of_one_a_part_of_it() {
        for notches in [1.0, -1.0, 0.05] {
            let mut way = Vec2::new(0.0, notches * SCROLLED);
            let gone: f32 = (0..30).map(|_| glide(&mut way).y).sum();
            assert!((gone - notches * SCROLLED).abs() < 0.01);
        }
        assert!((40.0..100.0).contains(&SCROLLED), "about three lines");
    }
}
