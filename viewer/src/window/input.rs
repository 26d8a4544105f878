//! What a person or a script does in a frame, as commands.

use macroquad::input::{
    MouseButton, is_mouse_button_down, is_mouse_button_pressed, is_mouse_button_released, mouse_position,
    mouse_wheel,
};
use macroquad::math::Vec2;
use macroquad::window::request_new_screen_size;

use super::keyboard::Keyboard;
use super::{Failure, Window, screen_size};
use crate::app::{App, Screen};
use crate::command::{CameraCommand, Command};
use crate::keys::{self, Focus};
use crate::script::Act;
use crate::stage::aim::aim;

/// The pointer may move by so much between press and release, and it still was a click.
const CLICK_REACH: f32 = 5.0;

/// The mouse and the keyboard.
#[derive(Debug)]
pub(super) struct Input {
    keyboard: Keyboard,
    pointer: Vec2,
    pressed_at: Option<Vec2>,
}

/// What was done in one frame.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// Whether the pointer has moved.
    pub(super) moved: bool,
    pub(super) clicked: bool,
    pub(super) commands: Vec<Command>,
    /// Whether somebody is there.
    pub(super) is_active: bool,
}

impl Input {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Input {
        Input { keyboard: Keyboard::listen(), pointer: Vec2::ZERO, pressed_at: None }
    }

    /// Where the pointer is in the window.
    pub(super) fn pointer(&self) -> Vec2 {
        self.pointer
    }

    /// What the person has done since the last frame.
    pub(super) fn read(&mut self, over_panel: bool, focus: Focus, app: &App) -> Hands {
        let pointer = Vec2::from(mouse_position());
        let by = pointer - self.pointer;
        self.pointer = pointer;
        let presses = self.keyboard.take();
        let (moved, wheel) = (by != Vec2::ZERO, mouse_wheel().1);
        let buttons = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
        let is_active =
            moved || wheel != 0.0 || !presses.is_empty() || buttons.into_iter().any(is_mouse_button_down);
        let mut hands = Hands { moved, clicked: false, commands: Vec::new(), is_active };
        if !over_panel {
            if is_mouse_button_pressed(MouseButton::Left) {
                self.pressed_at = Some(pointer);
            }
            hands.commands.extend(steering(by / screen_size().y, wheel).map(Command::Camera));
        }
        if is_mouse_button_released(MouseButton::Left) {
            let was_at = self.pressed_at.take();
            hands.clicked = !over_panel && was_at.is_some_and(|at| at.distance(pointer) < CLICK_REACH);
        }
        let bindings = keys::bindings();
        let heard = presses
            .iter()
            .filter_map(|press| bindings.iter().find(|binding| binding.press == *press))
            .filter(|binding| binding.is_heard(app.screen == Screen::Board, focus));
        hands.commands.extend(heard.map(|binding| binding.command.clone()));
        hands
    }
}

/// What the mouse does with the camera: it has moved by so many heights of the window.
fn steering(by: Vec2, wheel: f32) -> impl Iterator<Item = CameraCommand> {
    let moves = |button| is_mouse_button_down(button) && by != Vec2::ZERO;
    let (turn, aside) = (by * 4.0, by * 2.0);
    let orbit = moves(MouseButton::Right).then_some(CameraCommand::Orbit { yaw: -turn.x, pitch: turn.y });
    let pan = moves(MouseButton::Middle).then_some(CameraCommand::Pan { x: -aside.x, y: aside.y });
    let zoom = (wheel != 0.0).then(|| CameraCommand::Zoom(wheel.signum()));
    [orbit, pan, zoom].into_iter().flatten()
}

impl Window {
    /// What the script wants in this frame, if there is one.
    pub(super) fn read_script(&mut self) -> Result<Option<Hands>, Failure> {
        let Some(script) = &mut self.script else { return Ok(None) };
        let is_settled = self.director.is_settled() && self.camera.is_still();
        let act = script
            .frame(self.director.app(), is_settled, self.stage.is_settled())
            .map_err(|error| Failure::Script(error.to_string()))?;
        let mut hands = Hands::default();
        match act {
            Act::Nothing => {}
            Act::Click(target) | Act::Point(target) => {
                self.input.pointer = self.camera.project(target);
                hands.moved = true;
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
        if app.screen != Screen::Board || !(hands.moved || hands.clicked) {
            return Vec::new();
        }
        let target = match &app.table {
            Some(_) if self.script.is_some() || !over_panel => {
                let tokens = app.motion.final_tokens();
                let ray = self.camera.camera().ray(self.input.pointer, screen_size());
                let (set, figures) = (app.motion.set(), app.motion.figures());
                aim(&**set, tokens.columns(), tokens.rows(), &figures, app.pick.has_edges(), ray)
            }
            _ => return Vec::from_iter(hands.moved.then_some(Command::Hover(None))),
        };
        let hover = hands.moved.then_some(Command::Hover(target));
        let click = hands.clicked.then(|| target.map_or(Command::SkipMovement, Command::Point));
        hover.into_iter().chain(click).collect()
    }
}
