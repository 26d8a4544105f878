//! Key presses and turns of the wheel, one by one. macroquad keeps the presses of a frame as a set,
//! which knows neither their order nor whether Ctrl was held when one of them came, and of the wheel
//! only the last turn.

use macroquad::input::KeyCode;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::math::{Vec2, vec2};
use macroquad::miniquad::{EventHandler, KeyMods};

use crate::keys::KeyPress;

/// What a system calls one notch of a mouse's wheel. Touchpads send parts of it.
const NOTCH: f32 = if cfg!(windows) {
    120.0
} else if cfg!(target_os = "macos") {
    10.0
} else {
    1.0
};

#[derive(Debug)]
pub(super) struct Keyboard {
    subscriber: usize,
    pressed: Vec<KeyPress>,
    /// In notches.
    wheel: Vec2,
}

impl Keyboard {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Keyboard {
        Keyboard { subscriber: register_input_subscriber(), pressed: Vec::new(), wheel: Vec2::ZERO }
    }

    /// Takes in what has come.
    pub(super) fn hear(&mut self) {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
    }

    /// What was pressed since the last time, in its order.
    pub(super) fn take(&mut self) -> Vec<KeyPress> {
        std::mem::take(&mut self.pressed)
    }

    /// By how many notches the wheel was turned since the last time.
    pub(super) fn take_wheel(&mut self) -> Vec2 {
        std::mem::take(&mut self.wheel)
    }
}

impl EventHandler for Keyboard {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.wheel += vec2(x, y) / NOTCH;
    }

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        if !is_repeated {
            self.pressed.push(KeyPress { code, ctrl: held.ctrl, shift: held.shift });
        }
    }
}
