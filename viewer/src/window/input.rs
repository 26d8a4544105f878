//! What a person or a script does in a frame, as commands.

use macroquad::math::Vec2;
use macroquad::window::request_new_screen_size;

use super::keyboard::Keyboard;
use super::pointer::{Pointer, Pointing};
use super::{Failure, Window, screen_size};
use crate::app::{App, Screen};
use crate::board::Target;
use crate::command::Command;
use crate::keys::{self, Focus};
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

    /// What the person has done since the last frame.
    pub(super) fn read(&mut self, over_panel: bool, focus: Focus, app: &App, seconds: f32) -> Hands {
        let presses = self.keyboard.take();
        let now = Pointing::now(self.wheel.y, self.keyboard.take_strokes());
        let gesture = self.pointer.follow(&now, over_panel, screen_size().y, seconds);
        let mut hands = Hands {
            is_active: gesture.moved || now.is_active() || !presses.is_empty(),
            moved: gesture.moved,
            clicked: gesture.clicked,
            dragged_from: gesture.dragged_from,
            at: gesture.at,
            commands: gesture.steered.into_iter().map(Command::Camera).collect(),
        };
        let bindings = keys::bindings();
        let heard = presses
            .iter()
            .filter_map(|press| bindings.iter().find(|binding| binding.press == *press))
            .filter(|binding| binding.is_heard(matches!(app.screen, Screen::Board | Screen::Editor), focus));
        hands.commands.extend(heard.map(|binding| binding.command.clone()));
        hands
    }
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
        let is_settled = self.is_settled();
        let Some(script) = &mut self.script else { return Ok(None) };
        let act = script
            .frame(self.director.app(), is_settled, self.stage.is_settled())
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
            Act::Resize(width, height) => request_new_screen_size(width as f32, height as f32),
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
        aim(&**set, tokens.columns(), tokens.rows(), &figures, has_edges, ray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
