//! What comes into the window from other programs and what leaves it: pasted and dropped games, and
//! films.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::Child;

use serde_json::Value;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode,
    SELECTION_NOTIFY_EVENT, SelectionNotifyEvent, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::display::{Display, run_script};
use crate::hands::Hands;
use crate::wait_for;

/// Another program on the same display, which has a text to give.
struct Giver {
    connection: RustConnection,
    window: Window,
}

impl Giver {
    fn on(display: &str) -> Giver {
        let (connection, screen) = x11rb::connect(Some(display)).expect("the display");
        let (root, window) =
            (connection.setup().roots[screen].root, connection.generate_id().expect("an id"));
        let (class, aux) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &aux).expect("a window");
        Giver { connection, window }
    }

    fn atom(&self, name: &str) -> u32 {
        self.connection.intern_atom(false, name.as_bytes()).expect("sent").reply().expect("an atom").atom
    }

    fn own(&self, selection: &str) {
        let selection = self.atom(selection);
        self.connection.set_selection_owner(self.window, selection, x11rb::CURRENT_TIME).expect("sent");
        self.connection.flush().expect("sent");
    }

    /// Gives the text to whoever asks for it, for now.
    fn serve(&self, text: &str) {
        while let Ok(Some(event)) = self.connection.poll_for_event() {
            let Event::SelectionRequest(asked) = event else { continue };
            let kind = self.atom("UTF8_STRING");
            self.connection
                .change_property8(PropMode::REPLACE, asked.requestor, asked.property, kind, text.as_bytes())
                .expect("sent");
            let answer = SelectionNotifyEvent {
                response_type: SELECTION_NOTIFY_EVENT,
                sequence: 0,
                time: asked.time,
                requestor: asked.requestor,
                selection: asked.selection,
                target: asked.target,
                property: asked.property,
            };
            self.connection.send_event(false, asked.requestor, EventMask::NO_EVENT, answer).expect("sent");
            self.connection.flush().expect("sent");
        }
    }

    /// Drags something over a window and lets it go there, in this form. What stands in for the
    /// window is told of it, if there is such a proxy and this program knows of proxies.
    fn drop_on(&self, window: Window, form: &str, knows_proxies: bool) {
        let form = self.atom(form);
        self.own("XdndSelection");
        let messages = [
            ("XdndEnter", [self.window, 5 << 24, form, u32::from(AtomEnum::NONE), 0]),
            ("XdndPosition", [self.window, 0, 0, 0, self.atom("XdndActionCopy")]),
            ("XdndDrop", [self.window, 0, x11rb::CURRENT_TIME, 0, 0]),
        ];
        let to = self.proxy_of(window).filter(|_| knows_proxies).unwrap_or(window);
        for (name, data) in messages {
            let message = ClientMessageEvent::new(32, window, self.atom(name), data);
            self.connection.send_event(false, to, EventMask::NO_EVENT, message).expect("sent");
        }
        self.connection.flush().expect("sent");
    }

    /// The window that stands in for another one: it has to name itself.
    fn proxy_of(&self, window: Window) -> Option<Window> {
        let named = |window: Window| {
            let name = self.atom("XdndProxy");
            let proxy = self.connection.get_property(false, window, name, AtomEnum::WINDOW, 0, 1);
            proxy.expect("sent").reply().ok()?.value32()?.next()
        };
        named(window).filter(|&proxy| named(proxy) == Some(proxy))
    }
}

/// The actions of a game that the window has kept.
fn kept(data: &Path) -> Option<Vec<String>> {
    let file = fs::read_dir(data.join("games")).ok()?.flatten().next()?.path();
    let game: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    serde_json::from_value(game["record"]["played"].clone()).ok()
}

/// A window that ends with the test.
struct Opened(Child);

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_game_is_pasted_from_another_program() {
    let (display, data) = (Display::new(), tempfile::tempdir().unwrap());
    let _window = Opened(display.tabuleiro(data.path()).spawn().expect("the program"));
    let (hands, giver) = (Hands::on(display.name()), Giver::on(display.name()));
    giver.own("CLIPBOARD");
    wait_for("the game", || {
        if kept(data.path()).is_none() {
            hands.press("Ctrl+V");
        }
        giver.serve("zurero size=5 : @c3 w3");
        kept(data.path()).filter(|played| played == &["@c3", "w3"])
    });
}

/// Drops a file on the window until its game is there.
fn drop_file(form: &str, knows_proxies: bool, given: impl Fn(&Path) -> String) {
    let (display, data) = (Display::new(), tempfile::tempdir().unwrap());
    let file = data.path().join("a game.txt");
    fs::write(&file, "fabrik goal=4 size=5 : w@b2 w@d4 white\n").unwrap();
    let _window = Opened(display.tabuleiro(data.path()).spawn().expect("the program"));
    let (hands, giver) = (Hands::on(display.name()), Giver::on(display.name()));
    let mut rounds = 0;
    wait_for("the game", || {
        // What was dropped before the engine was there is lost.
        if rounds % 100 == 0 && kept(data.path()).is_none() {
            giver.drop_on(hands.window(), form, knows_proxies);
        }
        rounds += 1;
        giver.serve(&given(&file));
        kept(data.path()).filter(|played| played.len() == 3)
    });
}

#[test]
fn a_file_is_dropped_on_the_window_as_text() {
    drop_file("UTF8_STRING", false, |file| file.display().to_string());
}

/// As file managers do it.
#[test]
fn a_file_is_dropped_on_the_window_by_its_address() {
    let address = |file: &Path| format!("file://{}\r\n", file.display()).replace(' ', "%20");
    drop_file("text/uri-list", true, address);
}

#[test]
fn a_file_is_opened_by_its_name() {
    let (display, data) = (Display::new(), tempfile::tempdir().unwrap());
    let file = data.path().join("game.txt");
    fs::write(&file, "zurero size=5 : @c3\n").unwrap();
    let window = display.tabuleiro(data.path()).arg(&file).spawn().expect("the program");
    let _window = Opened(window);
    wait_for("the game", || kept(data.path()).filter(|played| played == &["@c3"]));
}

/// The pictures of a film, each as it is shown, with the milliseconds that it is.
fn read_film(path: &Path) -> (u32, u32, Vec<(Vec<u8>, u16)>) {
    let file = BufReader::new(fs::File::open(path).expect("a film"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let (width, height) = (reader.info().width, reader.info().height);
    let count = reader.info().animation_control.expect("it is animated").num_frames;
    let mut shown = vec![0u8; (width * height * 3) as usize];
    let mut part = shown.clone();
    let mut frames = Vec::new();
    for _ in 0..count {
        let info = reader.next_frame(&mut part).expect("a picture");
        let control = *reader.info().frame_control().expect("its place");
        for y in 0..info.height {
            let row = (info.width * 3) as usize;
            let at = (((y + control.y_offset) * width + control.x_offset) * 3) as usize;
            shown[at..at + row].copy_from_slice(&part[y as usize * row..][..row]);
        }
        frames.push((shown.clone(), control.delay_num));
    }
    (width, height, frames)
}

#[test]
fn texts_go_out_and_come_in_and_films_can_be_read() {
    let data = tempfile::tempdir().unwrap();
    let output = run_script(&Display::new(), data.path(), "in_and_out.script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (width, height, whole) = read_film(&data.path().join("whole.png"));
    assert_eq!((width, height), (640, 480));
    let (_, _, part) = read_film(&data.path().join("part.png"));
    let (_, _, last) = read_film(&data.path().join("last.png"));
    assert!(!last.is_empty(), "a script waits for its film before it ends");
    assert!(part.len() < whole.len(), "{} of {}", part.len(), whole.len());
    for film in [&whole, &part] {
        let changed = film.windows(2).filter(|pair| pair[0].0 != pair[1].0).count();
        assert!(changed * 2 > film.len(), "{changed} of {} pictures differ", film.len());
        assert!(film.first().map(|(pixels, _)| pixels) != film.last().map(|(pixels, _)| pixels));
        assert!(film.iter().all(|(_, milliseconds)| *milliseconds > 0));
    }
    assert!(!data.path().join("none.png").exists());
}

#[test]
fn positions_are_set_up_in_every_game() {
    let data = tempfile::tempdir().unwrap();
    let output = run_script(&Display::new(), data.path(), "editor.script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
