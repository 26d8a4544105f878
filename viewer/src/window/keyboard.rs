//! Key presses, turns of the wheel and where the mouse was pressed, one by one. macroquad keeps the
//! presses of a frame as a set, which knows neither their order nor whether Ctrl was held when one of
//! them came, and of wheel and pointer only where they were last.

use macroquad::input::utils::{register_input_subscriber, repeat_all_miniquad_input};
use macroquad::input::{KeyCode, MouseButton};
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
    heard: Vec<Heard>,
    /// In notches.
    wheel: Vec2,
    left: Strokes,
}

/// A key that was pressed, or the letter that it stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Heard {
    Key(KeyPress),
    Letter(char),
}

/// Where the left button came down and went up since the last frame, in pixels: a slow frame ends
/// with the pointer somewhere else.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Strokes {
    pub(super) pressed_at: Option<Vec2>,
    pub(super) released_at: Option<Vec2>,
}

impl Keyboard {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Keyboard {
        Keyboard {
            subscriber: register_input_subscriber(),
            heard: Vec::new(),
            wheel: Vec2::ZERO,
            left: Strokes::default(),
        }
    }

    /// Takes in what has come.
    pub(super) fn hear(&mut self) {
        let subscriber = self.subscriber;
        repeat_all_miniquad_input(self, subscriber);
    }

    /// What was pressed and typed since the last time, in its order.
    pub(super) fn take(&mut self) -> Vec<Heard> {
        std::mem::take(&mut self.heard)
    }

    /// By how many notches the wheel was turned since the last time.
    pub(super) fn take_wheel(&mut self) -> Vec2 {
        std::mem::take(&mut self.wheel)
    }

    pub(super) fn take_strokes(&mut self) -> Strokes {
        std::mem::take(&mut self.left)
    }
}

impl EventHandler for Keyboard {
    fn update(&mut self) {}

    fn draw(&mut self) {}

    fn mouse_wheel_event(&mut self, x: f32, y: f32) {
        self.wheel += vec2(x, y) / NOTCH;
    }

    fn mouse_button_down_event(&mut self, button: MouseButton, x: f32, y: f32) {
        if button == MouseButton::Left {
            self.left.pressed_at = Some(vec2(x, y));
        }
    }

    fn mouse_button_up_event(&mut self, button: MouseButton, x: f32, y: f32) {
        if button == MouseButton::Left {
            self.left.released_at = Some(vec2(x, y));
        }
    }

    fn key_down_event(&mut self, code: KeyCode, held: KeyMods, is_repeated: bool) {
        if !is_repeated {
            self.heard.push(Heard::Key(KeyPress { code, ctrl: held.ctrl, shift: held.shift }));
        }
    }

    fn char_event(&mut self, letter: char, held: KeyMods, is_repeated: bool) {
        if !is_repeated && !letter.is_control() && !held.ctrl && !held.logo {
            self.heard.push(Heard::Letter(letter));
        }
    }
}
