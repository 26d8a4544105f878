//! What a mouse or fingers do in a frame, and what that means to the board.

use macroquad::input::{
    MouseButton, TouchPhase, is_mouse_button_down, is_mouse_button_pressed, is_mouse_button_released,
    mouse_position, touches,
};
use macroquad::math::Vec2;
use macroquad::window::screen_dpi_scale;

use super::keyboard::Strokes;
use crate::command::CameraCommand;

/// The pointer may move by so much between press and release, and it still was a click.
const CLICK_REACH: f32 = 5.0;

/// A finger that is still moves so much.
const FINGER_REACH: f32 = 14.0;
/// Seconds after which a finger that is still looks instead of clicking.
const LONG_PRESS: f32 = 0.5;
/// Fingers that are nearer to each other are one to the eye: how far they go apart says nothing.
const LEAST_SPREAD: f32 = 8.0;

/// How much nearer one notch of the wheel brings the camera.
const NEARER: f32 = 0.13;

/// Where mouse and fingers are in one frame, as the system says it.
#[derive(Clone, Debug, Default)]
pub(super) struct Pointing {
    at: Vec2,
    left: Button,
    /// Where the left button came down and went up, in points.
    strokes: Strokes,
    is_right_down: bool,
    is_middle_down: bool,
    /// The fingers that are down, by the numbers that the system gives them. One finger is also a
    /// mouse with its left button down.
    fingers: Vec<(u64, Vec2)>,
    /// Notches that the wheel was turned by.
    wheel: f32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Button {
    /// Whether it came down, is down, went up. All three may be so in one slow frame.
    pressed: bool,
    down: bool,
    released: bool,
}

impl Pointing {
    /// What the system says now.
    pub(super) fn now(wheel: f32, strokes: Strokes) -> Pointing {
        let is_down = |phase: &TouchPhase| !matches!(phase, TouchPhase::Ended | TouchPhase::Cancelled);
        let down = touches().into_iter().filter(|touch| is_down(&touch.phase));
        // They are told in pixels, the mouse in points.
        let scale = screen_dpi_scale();
        let in_points = |at: Option<Vec2>| at.map(|at| at / scale);
        Pointing {
            at: mouse_position().into(),
            left: Button {
                pressed: is_mouse_button_pressed(MouseButton::Left),
                down: is_mouse_button_down(MouseButton::Left),
                released: is_mouse_button_released(MouseButton::Left),
            },
            strokes: Strokes {
                pressed_at: in_points(strokes.pressed_at),
                released_at: in_points(strokes.released_at),
            },
            is_right_down: is_mouse_button_down(MouseButton::Right),
            is_middle_down: is_mouse_button_down(MouseButton::Middle),
            fingers: down.map(|touch| (touch.id, touch.position / scale)).collect(),
            wheel,
        }
    }

    /// Whether somebody touches anything.
    pub(super) fn is_active(&self) -> bool {
        self.wheel != 0.0
            || self.left.down
            || self.is_right_down
            || self.is_middle_down
            || !self.fingers.is_empty()
    }
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
#[derive(Debug, Default, PartialEq)]
pub(super) struct Gesture {
    /// Whether the pointer has moved.
    pub(super) moved: bool,
    pub(super) clicked: bool,
    /// Where the button was pressed that has been let go elsewhere.
    pub(super) dragged_from: Option<Vec2>,
    /// Where it was clicked or let go. The pointer may have gone on since.
    pub(super) at: Vec2,
    pub(super) steered: Vec<CameraCommand>,
}

/// Remembers what was down in the frame before.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    pub(super) at: Vec2,
    press: Option<Press>,
    /// The two fingers of the frame before.
    two: Option<[(u64, Vec2); 2]>,
}

impl Pointer {
    /// What is meant by what mouse and fingers do now, in a window so high.
    pub(super) fn follow(&mut self, now: &Pointing, over_panel: bool, height: f32, seconds: f32) -> Gesture {
        let (by, before) = (now.at - self.at, self.at);
        self.at = now.at;
        let pressed_at = now.strokes.pressed_at.unwrap_or(now.at);
        let released_at = now.strokes.released_at.filter(|_| now.left.released).unwrap_or(now.at);
        let mut gesture = Gesture { moved: by != Vec2::ZERO, at: released_at, ..Gesture::default() };
        let pinched = self.pinch(now, height);
        if !over_panel {
            if now.left.pressed {
                let is_finger = before.distance(pressed_at) > FINGER_REACH || !now.fingers.is_empty();
                self.press = Some(Press::new(pressed_at, is_finger));
            }
            gesture.steered.extend(steering(now, by / height));
            // Of a press that comes and goes between two slow frames nobody knows how long it was.
            let is_held = now.left.down && !now.left.pressed;
            if is_held && self.press.as_mut().is_some_and(|press| press.hold(now.at, seconds)) {
                gesture.steered.extend(turning(by / height));
            }
            gesture.steered.extend(pinched);
        }
        if now.fingers.len() > 1 {
            // Neither of two fingers clicks, also when one of them stays longer.
            self.press = None;
        }
        if now.left.released {
            // A finger that looked leaves everything as it is.
            let was_at = self.press.take().filter(|press| !press.looks).map(|press| press.at);
            let is_near = |at: &Vec2| at.distance(released_at) < CLICK_REACH;
            gesture.clicked = !over_panel && was_at.as_ref().is_some_and(is_near);
            gesture.dragged_from = was_at.filter(|at| !over_panel && !is_near(at));
        }
        gesture
    }

    /// Two fingers take the table along, and bring it nearer when they go apart.
    fn pinch(&mut self, now: &Pointing, height: f32) -> Vec<CameraCommand> {
        let mut fingers = now.fingers.clone();
        fingers.sort_by_key(|(number, _)| *number);
        let two = fingers.first_chunk::<2>().copied();
        let before = std::mem::replace(&mut self.two, two);
        let (Some(before), Some(now)) = (before, two) else { return Vec::new() };
        let [was, is] = [before, now].map(|two| two.map(|(number, _)| number));
        if was != is {
            return Vec::new();
        }
        let middle = |two: [(u64, Vec2); 2]| (two[0].1 + two[1].1) / 2.0;
        let spread = |two: [(u64, Vec2); 2]| two[0].1.distance(two[1].1).max(LEAST_SPREAD);
        let by = (middle(now) - middle(before)) / height;
        let nearer = (spread(now) / spread(before)).ln();
        taking_along(by).into_iter().chain((nearer != 0.0).then_some(CameraCommand::Zoom(nearer))).collect()
    }
}

/// What the mouse does with the camera: it has moved by so many heights of the window.
fn steering(now: &Pointing, by: Vec2) -> impl Iterator<Item = CameraCommand> {
    let orbit = turning(by).filter(|_| now.is_right_down);
    let pan = taking_along(by).filter(|_| now.is_middle_down);
    let zoom = (now.wheel != 0.0).then_some(CameraCommand::Zoom(now.wheel * NEARER));
    [orbit, pan, zoom].into_iter().flatten()
}

/// What a pointer that has moved so far does with the table when it walks around it.
fn turning(by: Vec2) -> Option<CameraCommand> {
    let turn = by * 4.0;
    (by != Vec2::ZERO).then_some(CameraCommand::Orbit { yaw: -turn.x, pitch: turn.y })
}

/// What it does when it takes the table along.
fn taking_along(by: Vec2) -> Option<CameraCommand> {
    (by != Vec2::ZERO).then_some(CameraCommand::Pan { x: by.x, y: by.y })
}

#[cfg(test)]
mod tests {
    use macroquad::math::{Rect, vec2};

    use super::*;
    use crate::sets::find;
    use crate::stage::camera::Camera;

    const SCREEN: Vec2 = vec2(1280.0, 800.0);

    /// What the system says while fingers are here: the one that moved last is the mouse, too.
    fn fingers(places: &[Vec2], last: Vec2, left: Button) -> Pointing {
        let fingers = (1..).zip(places.iter().copied()).collect();
        Pointing { at: last, left, fingers, ..Pointing::default() }
    }

    const PRESSED: Button = Button { pressed: true, down: true, released: false };
    const HELD: Button = Button { pressed: false, down: true, released: false };
    const RELEASED: Button = Button { pressed: false, down: false, released: true };

    fn follow(pointer: &mut Pointer, now: Pointing) -> Gesture {
        pointer.follow(&now, false, SCREEN.y, 0.2)
    }

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
    fn one_finger_clicks_drags_looks_and_turns() {
        let (here, there) = (vec2(300.0, 300.0), vec2(420.0, 300.0));
        let mut pointer = Pointer::default();
        let tapped = follow(&mut pointer, fingers(&[here], here, PRESSED));
        assert!(tapped.moved && !tapped.clicked, "what is under it is pointed at first");
        assert!(follow(&mut pointer, fingers(&[], here, RELEASED)).clicked);

        follow(&mut pointer, fingers(&[here], here, PRESSED));
        follow(&mut pointer, fingers(&[there], there, HELD));
        let dragged = follow(&mut pointer, fingers(&[], there, RELEASED));
        assert_eq!((dragged.clicked, dragged.dragged_from), (false, Some(here)));

        follow(&mut pointer, fingers(&[here], here, PRESSED));
        for _ in 0..4 {
            assert_eq!(follow(&mut pointer, fingers(&[here], here, HELD)).steered, [], "it only looks");
        }
        let turned = follow(&mut pointer, fingers(&[there], there, HELD)).steered;
        assert!(matches!(turned[..], [CameraCommand::Orbit { .. }]), "{turned:?}");
        let let_go = follow(&mut pointer, fingers(&[], there, RELEASED));
        assert_eq!((let_go.clicked, let_go.dragged_from), (false, None), "and plays nothing");
    }

    #[test]
    fn two_fingers_bring_the_board_nearer_and_play_nothing() {
        let (left, right) = (vec2(500.0, 400.0), vec2(700.0, 400.0));
        let mut pointer = Pointer::default();
        let first = follow(&mut pointer, fingers(&[left], left, PRESSED));
        let second = follow(&mut pointer, fingers(&[left, right], right, PRESSED));
        assert_eq!((first.steered, second.steered), (vec![], vec![]), "nothing has moved yet");
        let further = right + vec2(200.0, 0.0);
        let apart = follow(&mut pointer, fingers(&[left, further], further, HELD)).steered;
        let nearer = apart.iter().find_map(|command| match command {
            CameraCommand::Zoom(by) => Some(*by),
            _ => None,
        });
        assert!((nearer.expect("a zoom") - 2.0f32.ln()).abs() < 1e-4, "twice as far apart, twice as near");
        let both = [left, further].map(|finger| finger + vec2(0.0, 80.0));
        let together = follow(&mut pointer, fingers(&both, both[1], HELD)).steered;
        assert_eq!(together, [CameraCommand::Pan { x: 0.0, y: 0.1 }]);
        // One goes up before the other.
        for rest in [&both[..1], &[]] {
            let up = follow(&mut pointer, fingers(rest, both[0], RELEASED));
            assert_eq!((up.clicked, up.dragged_from, up.steered), (false, None, vec![]));
        }
        follow(&mut pointer, fingers(&[left], left, PRESSED));
        assert!(follow(&mut pointer, fingers(&[], left, RELEASED)).clicked, "the next one is a tap again");
    }

    /// On a slow machine a frame may end long after the hand has gone on.
    #[test]
    fn what_is_pressed_is_what_was_under_the_pointer_then() {
        let (here, there, beyond) = (vec2(300.0, 300.0), vec2(420.0, 300.0), vec2(700.0, 500.0));
        let strokes = |pressed_at, released_at| Strokes { pressed_at, released_at };
        let at = |at, left, strokes| Pointing { at, left, strokes, ..Pointing::default() };
        let mut pointer = Pointer { at: here, ..Pointer::default() };
        follow(&mut pointer, at(there, PRESSED, strokes(Some(here), None)));
        let dragged = follow(&mut pointer, at(beyond, RELEASED, strokes(None, Some(there))));
        assert_eq!((dragged.dragged_from, dragged.at), (Some(here), there));
        let both = Button { pressed: true, down: false, released: true };
        let clicked = follow(&mut pointer, at(here, both, strokes(Some(there), Some(there))));
        assert_eq!((clicked.clicked, clicked.at, pointer.at), (true, there, here));
    }

    #[test]
    fn the_table_goes_where_the_hand_takes_it() {
        let set = find("fabrik", None);
        let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
        let mut camera = Camera::seat(set.layout(), 11, 11, 1, SCREEN.x / SCREEN.y, whole);
        let middle = camera.focus;
        let before = camera.project(middle, SCREEN);
        let mut pointer = Pointer { at: before, ..Pointer::default() };
        let by = vec2(60.0, 30.0);
        let now = Pointing { at: before + by, is_middle_down: true, ..Pointing::default() };
        match follow(&mut pointer, now).steered[..] {
            [CameraCommand::Pan { x, y }] => camera.pan(vec2(x, y)),
            ref other => panic!("{other:?}"),
        }
        let gone = camera.project(middle, SCREEN) - before;
        assert!(gone.distance(by) < 12.0, "it went by {gone} and the hand by {by}");
    }

    #[test]
    fn a_notch_of_the_wheel_is_a_little_nearer() {
        let now = Pointing { wheel: 1.0, ..Pointing::default() };
        assert_eq!(follow(&mut Pointer::default(), now).steered, [CameraCommand::Zoom(NEARER)]);
        assert!((1.05..1.25).contains(&NEARER.exp()));
    }
}
