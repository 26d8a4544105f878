//! What a person or a script does in a frame, as commands.

use macroquad::input::{
    MouseButton, is_mouse_button_down, is_mouse_button_pressed, is_mouse_button_released, mouse_position,
    touches,
};
use macroquad::math::Vec2;
use macroquad::window::request_new_screen_size;

use super::keyboard::Keyboard;
use super::{Failure, Window, screen_size};
use crate::app::{App, Screen};
use crate::board::Target;
use crate::command::{CameraCommand, Command};
use crate::keys::{self, Focus};
use crate::script::Act;
use crate::stage::aim::aim;

/// The pointer may move by so much between press and release, and it still was a click.
const CLICK_REACH: f32 = 5.0;

/// A finger that is still moves so much.
const FINGER_REACH: f32 = 14.0;
/// Seconds after which a finger that is still looks instead of clicking.
const LONG_PRESS: f32 = 0.5;

/// How much nearer one notch of the wheel brings the camera.
const NEARER: f32 = 0.13;
/// How far one notch scrolls a panel, in points.
const SCROLLED: f32 = 56.0;
/// What part of the way a panel goes in a frame.
const GLIDE: f32 = 0.4;

/// The mouse and the keyboard.
#[derive(Debug)]
pub(super) struct Input {
    keyboard: Keyboard,
    pointer: Vec2,
    press: Option<Press>,
    /// How far panels are still to be scrolled.
    scroll: Vec2,
    /// What the wheel has done in this frame, in notches.
    wheel: Vec2,
}

/// The left button, or a finger, while it is down.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Press {
    at: Vec2,
    /// Seconds since it came down.
    seconds: f32,
    /// Whether the pointer was elsewhere before: a mouse comes over a place first, a finger does not.
    is_finger: bool,
    /// Whether it has been still for so long that it only looks, or has walked around the table.
    looks: bool,
}

impl Press {
    fn new(at: Vec2, is_finger: bool) -> Press {
        Press { at, seconds: 0.0, is_finger, looks: false }
    }

    /// Lets time pass with the pointer here. Gives whether the board is to be turned with it: who
    /// holds a finger still for a while looks at what is under it, as one does with a mouse by
    /// coming over it, and who moves it then does what one does with the right button.
    fn hold(&mut self, pointer: Vec2, seconds: f32) -> bool {
        self.seconds += seconds;
        let is_near = self.at.distance(pointer) < FINGER_REACH;
        self.looks |= self.is_finger && is_near && self.seconds >= LONG_PRESS;
        self.looks && !is_near
    }
}

/// What was done in one frame.
#[derive(Debug, Default)]
pub(super) struct Hands {
    /// Whether the pointer has moved.
    pub(super) moved: bool,
    pub(super) clicked: bool,
    /// Where the button was pressed that has been let go elsewhere.
    pub(super) dragged_from: Option<Vec2>,
    pub(super) commands: Vec<Command>,
    /// Whether somebody is there.
    pub(super) is_active: bool,
}

impl Input {
    /// Begins to listen. The window has to be open.
    pub(super) fn listen() -> Input {
        Input {
            keyboard: Keyboard::listen(),
            pointer: Vec2::ZERO,
            press: None,
            scroll: Vec2::ZERO,
            wheel: Vec2::ZERO,
        }
    }

    /// Where the pointer is in the window.
    pub(super) fn pointer(&self) -> Vec2 {
        self.pointer
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
        let pointer = Vec2::from(mouse_position());
        let by = pointer - self.pointer;
        self.pointer = pointer;
        let presses = self.keyboard.take();
        let (moved, wheel) = (by != Vec2::ZERO, self.wheel.y);
        let buttons = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
        let is_active =
            moved || wheel != 0.0 || !presses.is_empty() || buttons.into_iter().any(is_mouse_button_down);
        let mut hands = Hands { moved, clicked: false, dragged_from: None, commands: Vec::new(), is_active };
        if !over_panel {
            if is_mouse_button_pressed(MouseButton::Left) {
                let is_finger = by.length() > FINGER_REACH || !touches().is_empty();
                self.press = Some(Press::new(pointer, is_finger));
            }
            let heights = by / screen_size().y;
            hands.commands.extend(steering(heights, wheel).map(Command::Camera));
            // Of a press that comes and goes between two slow frames nobody knows how long it was.
            let is_held =
                is_mouse_button_down(MouseButton::Left) && !is_mouse_button_pressed(MouseButton::Left);
            if is_held && self.press.as_mut().is_some_and(|press| press.hold(pointer, seconds)) {
                hands.commands.extend(turning(heights).map(Command::Camera));
            }
        }
        if is_mouse_button_released(MouseButton::Left) {
            // A finger that looked leaves everything as it is.
            let was_at = self.press.take().filter(|press| !press.looks).map(|press| press.at);
            let is_near = |at: &Vec2| at.distance(pointer) < CLICK_REACH;
            hands.clicked = !over_panel && was_at.as_ref().is_some_and(is_near);
            hands.dragged_from = was_at.filter(|at| !over_panel && !is_near(at));
        }
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

/// What the mouse does with the camera: it has moved by so many heights of the window.
fn steering(by: Vec2, wheel: f32) -> impl Iterator<Item = CameraCommand> {
    let moves = |button| is_mouse_button_down(button) && by != Vec2::ZERO;
    let aside = by * 2.0;
    let orbit = moves(MouseButton::Right).then(|| turning(by)).flatten();
    let pan = moves(MouseButton::Middle).then_some(CameraCommand::Pan { x: -aside.x, y: aside.y });
    let zoom = (wheel != 0.0).then_some(CameraCommand::Zoom(wheel * NEARER));
    [orbit, pan, zoom].into_iter().flatten()
}

/// What a pointer that has moved so far does with the table when it walks around it.
fn turning(by: Vec2) -> Option<CameraCommand> {
    let turn = by * 4.0;
    (by != Vec2::ZERO).then_some(CameraCommand::Orbit { yaw: -turn.x, pitch: turn.y })
}

impl Window {
    /// What the script wants in this frame, if there is one.
    pub(super) fn read_script(&mut self) -> Result<Option<Hands>, Failure> {
        let is_settled = self.director.is_settled() && self.camera.is_still() && !self.is_filming();
        let Some(script) = &mut self.script else { return Ok(None) };
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
        if !app.is_at_board() || !(hands.moved || hands.clicked || hands.dragged_from.is_some()) {
            return Vec::new();
        }
        let has_pointer = self.script.is_some() || !over_panel;
        if !has_pointer {
            return Vec::from_iter(hands.moved.then_some(Command::Hover(None)));
        }
        let target = self.target_at(self.input.pointer);
        let dragged = hands.dragged_from.and_then(|from| self.target_at(from)).zip(target);
        if let Some((from, to)) = dragged.filter(|(from, to)| from != to) {
            return vec![Command::Hover(Some(to)), Command::Drag(from, to)];
        }
        // A hand that was not quite still has clicked.
        let clicked = hands.clicked || dragged.is_some();
        let hover = hands.moved.then_some(Command::Hover(target));
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
    fn a_finger_that_is_held_looks_and_then_walks_around_the_table() {
        let at = Vec2::new(100.0, 100.0);
        let held = |is_finger, way: &[Vec2]| {
            let mut press = Press::new(at, is_finger);
            let turned: Vec<bool> = way.iter().map(|&pointer| press.hold(pointer, 0.2)).collect();
            (press.looks, turned)
        };
        let away = at + Vec2::new(60.0, 0.0);
        assert_eq!(held(true, &[at, at]), (false, vec![false; 2]), "a tap, even a slow one");
        assert_eq!(held(true, &[at, at, at]), (true, vec![false; 3]), "it looks, and nothing turns");
        assert_eq!(held(true, &[at, at, at, away, at]).1, [false, false, false, true, false]);
        assert_eq!(held(true, &[away, away, away, away]), (false, vec![false; 4]), "that is a drag");
        assert!(!held(false, &[at; 9]).0, "a mouse that is held down clicks when it is let go");
    }

    #[test]
    fn a_notch_is_a_step_and_a_part_of_one_a_part_of_it() {
        for notches in [1.0, -1.0, 0.05] {
            let mut way = Vec2::new(0.0, notches * SCROLLED);
            let gone: f32 = (0..30).map(|_| glide(&mut way).y).sum();
            assert!((gone - notches * SCROLLED).abs() < 0.01);
        }
        assert!((40.0..100.0).contains(&SCROLLED), "about three lines");
        assert!((1.05..1.25).contains(&NEARER.exp()), "a little nearer");
    }
}
