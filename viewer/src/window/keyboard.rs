//! Key presses, one by one. macroquad keeps those of a frame as a set, which knows neither their
//! order nor whether Ctrl was held when one of them came.

use macroquad::input::KeyCode;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{EventHandler, KeyMods};

use crate::keys::KeyPress;

#[derive(Debug)]
pub(super) struct Keyboard {
    subscriber: usize,
    pressed: Vec<KeyPress>,
}

impl Keyboard {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Keyboard {
        Keyboard { subscriber: register_input_subscriber(), pressed: Vec::new() }
    }

    /// What was pressed since the last time, in its order.
    pub(super) fn take(&mut self) -> Vec<KeyPress> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        std::mem::take(&mut self.pressed)
    }
}

impl EventHandler for Keyboard {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        if !is_repeated {
            self.pressed.push(KeyPress { code, ctrl: held.ctrl, shift: held.shift });
        }
    }
}
