//! Key presses, one by one. macroquad keeps those of a frame as a set, which knows neither their order nor whether Ctrl was held when one of them came.

use macroquad::input::KeyCode;
use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::miniquad::{EventHandler, KeyMods};

/// A key that was pressed, and what was held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    pub code: KeyCode,
    pub ctrl: bool,
    pub shift: bool,
}

#[derive(Debug)]
pub struct Strokes {
    subscriber: usize,
    heard: Vec<Stroke>,
}

impl Strokes {
    /// Begins to listen. The window has to be open.
    pub fn listen() -> Strokes {
        Strokes { subscriber: register_input_subscriber(), heard: Vec::new() }
    }

    /// Those since the last time, in their order.
    pub fn take(&mut self) -> Vec<Stroke> {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
        std::mem::take(&mut self.heard)
    }
}

impl EventHandler for Strokes {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        if !is_repeated {
            self.heard.push(Stroke { code, ctrl: held.ctrl, shift: held.shift });
        }
    }
}
