//! A keyboard and a mouse, as the X server knows them, and what else comes from outside a window.

use std::cell::Cell;
use std::collections::HashMap;
use std::thread;
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent, ConfigureWindowAux,
    ConnectionExt as _, EventMask, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT, MapState, Window,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::wait_for;

/// Two clicks in one frame are one, so hands are not much faster than eyes.
const PAUSE: Duration = Duration::from_millis(50);
/// No frame takes longer, however much else the machine has to do.
pub(crate) const LONGEST_FRAME: Duration = Duration::from_millis(800);

const SHIFT: u32 = 0xffe1;
const CONTROL: u32 = 0xffe3;
const RETURN: u32 = 0xff0d;

/// Buttons of a mouse.
const LEFT: u8 = 1;
const WHEEL_AWAY: u8 = 4;
const WHEEL_TOWARDS: u8 = 5;

pub(crate) struct Hands {
    connection: RustConnection,
    root: Window,
    window: Window,
    /// Where on the keyboard a symbol is, and whether Shift has to be held for it.
    keys: HashMap<u32, (u8, bool)>,
    pause: Cell<Duration>,
}

impl Hands {
    /// Waits until the window is there, and puts the pointer on it: without a window manager the
    /// keys go to what is under the pointer.
    pub(crate) fn on(display: &str) -> Hands {
        let (connection, screen) = x11rb::connect(Some(display)).expect("the display");
        let root = connection.setup().roots[screen].root;
        let keys = keyboard(&connection);
        let window = wait_for("the window", || find_window(&connection, root));
        let hands = Hands { connection, root, window, keys, pause: Cell::new(PAUSE) };
        hands.point(0.5, 0.5);
        hands
    }

    /// Presses a key by its name, as `Tab`, `F12`, `Shift+B` or `Ctrl+L`.
    pub(crate) fn press(&self, name: &str) {
        let (modifier, name) = match name.rsplit_once('+') {
            Some(("Ctrl", name)) => (Some(CONTROL), name),
            Some(("Shift", name)) => (Some(SHIFT), name),
            _ => (None, name),
        };
        let symbol = match name {
            "Tab" => 0xff09,
            "Enter" => RETURN,
            "Escape" => 0xff1b,
            "F1" => 0xffbe,
            "F3" => 0xffc0,
            "F5" => 0xffc2,
            "F6" => 0xffc3,
            "F12" => 0xffc9,
            letter => letter.to_lowercase().chars().next().map(u32::from).expect("a key"),
        };
        self.stroke(symbol, modifier);
    }

    pub(crate) fn type_line(&self, text: &str) {
        for letter in text.chars() {
            self.stroke(letter.into(), None);
        }
        self.stroke(RETURN, None);
    }

    /// Moves the pointer; 0 is left or top, 1 is right or bottom.
    pub(crate) fn point(&self, across: f32, down: f32) {
        self.move_to(across, down);
        self.done();
    }

    pub(crate) fn click(&self, across: f32, down: f32) {
        self.move_to(across, down);
        self.fake(BUTTON_PRESS_EVENT, LEFT, 0, 0);
        self.fake(BUTTON_RELEASE_EVENT, LEFT, 0, 0);
        self.done();
    }

    /// Puts a finger down as X servers tell it to programs that know no fingers: the pointer is there
    /// at once, with its left button down.
    pub(crate) fn touch(&self, across: f32, down: f32) {
        self.move_to(across, down);
        self.fake(BUTTON_PRESS_EVENT, LEFT, 0, 0);
        self.done();
    }

    pub(crate) fn let_go(&self) {
        self.fake(BUTTON_RELEASE_EVENT, LEFT, 0, 0);
        self.done();
    }

    /// Turns the wheel by one notch, which X servers tell as a button that is pressed.
    pub(crate) fn turn_wheel(&self, is_towards: bool) {
        let button = if is_towards { WHEEL_TOWARDS } else { WHEEL_AWAY };
        self.fake(BUTTON_PRESS_EVENT, button, 0, 0);
        self.fake(BUTTON_RELEASE_EVENT, button, 0, 0);
        self.done();
    }

    /// For a window whose frames seem to take longer than the pauses between clicks.
    pub(crate) fn slow_down(&self) {
        self.pause.set((self.pause.get() * 2).min(LONGEST_FRAME));
    }

    pub(crate) fn window(&self) -> Window {
        self.window
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        let geometry = self.connection.get_geometry(self.window).expect("sent").reply().expect("the window");
        (geometry.width, geometry.height)
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(self.window, &size).expect("sent");
        self.done();
        self.point(0.5, 0.5);
    }

    /// What the cross in the corner of a window does.
    pub(crate) fn close_window(&self) {
        let [protocols, delete] = ["WM_PROTOCOLS", "WM_DELETE_WINDOW"].map(|name| self.atom(name));
        let message = ClientMessageEvent::new(32, self.window, protocols, [delete, 0, 0, 0, 0]);
        self.connection.send_event(false, self.window, EventMask::NO_EVENT, message).expect("sent");
        self.done();
    }

    fn stroke(&self, symbol: u32, modifier: Option<u32>) {
        let (key, shifted) = *self.keys.get(&symbol).unwrap_or_else(|| panic!("no key for {symbol:#x}"));
        let modifier = modifier.or(shifted.then_some(SHIFT)).map(|symbol| self.keys[&symbol].0);
        if let Some(modifier) = modifier {
            self.fake(KEY_PRESS_EVENT, modifier, 0, 0);
        }
        self.fake(KEY_PRESS_EVENT, key, 0, 0);
        self.fake(KEY_RELEASE_EVENT, key, 0, 0);
        if let Some(modifier) = modifier {
            self.fake(KEY_RELEASE_EVENT, modifier, 0, 0);
        }
        self.done();
    }

    fn move_to(&self, across: f32, down: f32) {
        let (width, height) = self.size();
        let (x, y) = ((f32::from(width) * across) as i16, (f32::from(height) * down) as i16);
        self.fake(MOTION_NOTIFY_EVENT, 0, x, y);
    }

    fn fake(&self, kind: u8, detail: u8, x: i16, y: i16) {
        self.connection.xtest_fake_input(kind, detail, 0, self.root, x, y, 0).expect("sent");
    }

    fn done(&self) {
        // An answer means that everything before it has arrived.
        self.connection.get_input_focus().expect("sent").reply().expect("an answer");
        thread::sleep(self.pause.get());
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).expect("sent").reply().expect("an atom").atom
    }
}

fn keyboard(connection: &RustConnection) -> HashMap<u32, (u8, bool)> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let mapping = connection.get_keyboard_mapping(first, last - first + 1).expect("sent");
    let mapping = mapping.reply().expect("the keyboard");
    let mut keys = HashMap::new();
    for (key, symbols) in (first..=last).zip(mapping.keysyms.chunks(mapping.keysyms_per_keycode.into())) {
        for (&symbol, shifted) in symbols.iter().zip([false, true]).filter(|(symbol, _)| **symbol != 0) {
            keys.entry(symbol).or_insert((key, shifted));
        }
    }
    keys
}

/// The window that calls itself Tabuleiro, once it is to be seen.
fn find_window(connection: &RustConnection, root: Window) -> Option<Window> {
    let windows = connection.query_tree(root).ok()?.reply().ok()?.children;
    windows.into_iter().find(|&window| {
        let title = connection
            .get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
            .ok()
            .and_then(|cookie| cookie.reply().ok());
        let attributes = connection.get_window_attributes(window).ok().and_then(|cookie| cookie.reply().ok());
        title.is_some_and(|title| title.value == b"Tabuleiro")
            && attributes.is_some_and(|attributes| attributes.map_state == MapState::VIEWABLE)
    })
}
