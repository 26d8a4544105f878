//! Files that other programs let go over the window.
//!
//! The window's library takes nothing but paths as plain text, and file managers give addresses
//! (`text/uri-list`). X allows another window to stand in for one in such an exchange, its proxy:
//! this one belongs to a thread with a connection of its own, and takes both.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use x11rb::connection::Connection;
use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};
use x11rb::protocol::Event;
use x11rb::protocol::res::{ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, CreateWindowAux, EventMask, PropMode, Window,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// The version of the exchange (XDND) that is spoken.
const VERSION: u32 = 5;

/// A list of addresses is short; longer ones come in parts, which are not waited for.
const LONGEST: u32 = 1 << 18;

/// So deep the window is looked for: a window manager puts it into others.
const DEEPEST: u32 = 4;

x11rb::atom_manager! {
    /// The names of what is said.
    Atoms: AtomsCookie {
        XdndAware,
        XdndProxy,
        XdndEnter,
        XdndPosition,
        XdndStatus,
        XdndLeave,
        XdndDrop,
        XdndFinished,
        XdndSelection,
        XdndTypeList,
        XdndActionCopy,
        TABULEIRO_DROPPED,
        UTF8_STRING,
        UriList: b"text/uri-list",
        PlainText: b"text/plain;charset=utf-8",
    }
}

/// What was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dropped {
    /// Files, at least one.
    Files(Vec<PathBuf>),
    /// Something else that is text.
    Text(String),
}

#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    #[error(transparent)]
    Reply(#[from] ReplyError),
    #[error(transparent)]
    Id(#[from] ReplyOrIdError),
    #[error("the window of this program cannot be found")]
    NoWindow,
}

/// Begins to take what is dropped. Without it paths as text can still be dropped.
pub(super) fn begin() -> Receiver<Dropped> {
    let (sender, receiver) = channel();
    let listen = move || {
        if let Err(error) = Proxy::new().and_then(|proxy| proxy.listen(&sender)) {
            eprintln!("files can be dropped only as text: {error}");
        }
    };
    if let Err(error) = thread::Builder::new().name("dropping".into()).spawn(listen) {
        eprintln!("files can be dropped only as text: {error}");
    }
    receiver
}

/// Stands in for the window.
struct Proxy {
    connection: RustConnection,
    atoms: Atoms,
    window: Window,
    /// Whoever drags something over the window, and the best form in which that can be had.
    source: Option<(Window, Option<Atom>)>,
}

impl Proxy {
    fn new() -> Result<Proxy, Trouble> {
        let (connection, screen) = x11rb::connect(None)?;
        let atoms = Atoms::new(&connection)?.reply()?;
        let root = connection.setup().roots[screen].root;
        let ours = find(&connection, &atoms, root, DEEPEST)?.ok_or(Trouble::NoWindow)?;
        let window = connection.generate_id()?;
        let (class, aux) = (WindowClass::INPUT_ONLY, CreateWindowAux::new());
        connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, 0, &aux)?;
        let set = |of: Window, name: Atom, kind: AtomEnum, value: u32| {
            connection.change_property32(PropMode::REPLACE, of, name, kind, &[value])
        };
        set(window, atoms.XdndAware, AtomEnum::ATOM, VERSION)?;
        // A proxy that does not name itself is one that was forgotten.
        set(window, atoms.XdndProxy, AtomEnum::WINDOW, window)?;
        set(ours, atoms.XdndProxy, AtomEnum::WINDOW, window)?;
        connection.flush()?;
        Ok(Proxy { connection, atoms, window, source: None })
    }

    /// Goes on until the connection or the window has gone.
    fn listen(mut self, sender: &Sender<Dropped>) -> Result<(), Trouble> {
        loop {
            let dropped = match self.connection.wait_for_event()? {
                Event::ClientMessage(message) => {
                    self.hear(&message)?;
                    None
                }
                Event::SelectionNotify(given) => self.take(given.property, given.target)?,
                _ => None,
            };
            if dropped.is_some_and(|dropped| sender.send(dropped).is_err()) {
                return Ok(());
            }
        }
    }

    fn hear(&mut self, message: &ClientMessageEvent) -> Result<(), Trouble> {
        let data = message.data.as_data32();
        let kind = message.type_;
        let from = data[0];
        if kind == self.atoms.XdndEnter {
            let offered = match data[1] & 1 {
                0 => data[2..].to_vec(),
                _ => self.forms_of(from)?,
            };
            let liked = [self.atoms.UriList, self.atoms.UTF8_STRING, self.atoms.PlainText];
            self.source = Some((from, liked.into_iter().find(|form| offered.contains(form))));
        } else if kind == self.atoms.XdndLeave {
            self.source = None;
        }
        let Some((source, form)) = self.source.filter(|(source, _)| *source == from) else { return Ok(()) };
        if kind == self.atoms.XdndPosition {
            let (is_wanted, action) = match form {
                Some(_) => (1, self.atoms.XdndActionCopy),
                None => (0, x11rb::NONE),
            };
            self.tell(source, self.atoms.XdndStatus, [message.window, is_wanted, 0, 0, action])?;
        } else if kind == self.atoms.XdndDrop {
            let Some(form) = form else { return self.finish(false) };
            let (selection, place) = (self.atoms.XdndSelection, self.atoms.TABULEIRO_DROPPED);
            self.connection.convert_selection(self.window, selection, form, place, data[2])?;
            self.connection.flush()?;
        }
        Ok(())
    }

    /// All forms in which something can be had, if they are more than fit into a message.
    fn forms_of(&self, source: Window) -> Result<Vec<Atom>, Trouble> {
        let list = self.atoms.XdndTypeList;
        let list = self.connection.get_property(false, source, list, AtomEnum::ATOM, 0, LONGEST)?;
        // Whoever has gone meanwhile offers nothing.
        let list = list.reply().ok();
        Ok(list.and_then(|list| Some(list.value32()?.collect())).unwrap_or_default())
    }

    /// What was given, once it is there.
    fn take(&mut self, place: Atom, form: Atom) -> Result<Option<Dropped>, Trouble> {
        if place == x11rb::NONE {
            self.finish(false)?;
            return Ok(None);
        }
        let given = self.connection.get_property(true, self.window, place, AtomEnum::ANY, 0, LONGEST / 4)?;
        let given = given.reply()?;
        let dropped = read(&given.value, form == self.atoms.UriList).filter(|_| given.format == 8);
        self.finish(dropped.is_some())?;
        Ok(dropped)
    }

    fn finish(&mut self, is_taken: bool) -> Result<(), Trouble> {
        let Some((source, _)) = self.source.take() else { return Ok(()) };
        let action = if is_taken { self.atoms.XdndActionCopy } else { x11rb::NONE };
        self.tell(source, self.atoms.XdndFinished, [self.window, u32::from(is_taken), action, 0, 0])
    }

    fn tell(&self, to: Window, kind: Atom, data: [u32; 5]) -> Result<(), Trouble> {
        let message = ClientMessageEvent::new(32, to, kind, data);
        self.connection.send_event(false, to, EventMask::NO_EVENT, message)?;
        self.connection.flush()?;
        Ok(())
    }
}

/// The window of this program: the one of this process onto which something can be dropped.
fn find(
    connection: &RustConnection,
    atoms: &Atoms,
    within: Window,
    deepest: u32,
) -> Result<Option<Window>, Trouble> {
    // Windows come and go: one that has gone is not the one.
    let Ok(tree) = connection.query_tree(within)?.reply() else { return Ok(None) };
    for window in tree.children {
        let aware = connection.get_property(false, window, atoms.XdndAware, AtomEnum::ANY, 0, 1)?;
        let is_aware = aware.reply().is_ok_and(|aware| !aware.value.is_empty());
        if is_aware && process_of(connection, window)? == Some(std::process::id()) {
            return Ok(Some(window));
        }
        if deepest > 0
            && let Some(found) = find(connection, atoms, window, deepest - 1)?
        {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whose a window is, if the display knows.
fn process_of(connection: &RustConnection, window: Window) -> Result<Option<u32>, Trouble> {
    let wanted = ClientIdSpec { client: window, mask: ClientIdMask::LOCAL_CLIENT_PID };
    let Ok(ids) = connection.res_query_client_ids(&[wanted])?.reply() else { return Ok(None) };
    Ok(ids.ids.first().and_then(|id| id.value.first().copied()))
}

/// Addresses one a line, or text: the paths of files, or something else.
fn read(bytes: &[u8], is_list: bool) -> Option<Dropped> {
    let text = std::str::from_utf8(bytes).ok()?.trim_matches(['\0', '\r', '\n']);
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let files: Vec<PathBuf> = lines().filter_map(file_of).collect();
    if !files.is_empty() {
        return Some(Dropped::Files(files));
    }
    if is_list {
        return None;
    }
    let paths: Vec<PathBuf> = lines().map(PathBuf::from).collect();
    if paths.first().is_some_and(|path| path.is_absolute()) {
        return Some(Dropped::Files(paths));
    }
    (!text.is_empty()).then(|| Dropped::Text(text.into()))
}

/// The file of an address such as `file:///home/me/a%20game.json`, on this machine.
fn file_of(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    // Which machine it is stands before the path. Which name this one has nobody here knows.
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    Some(OsString::from_vec(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Option<Dropped> {
        Some(Dropped::Files(names.iter().map(PathBuf::from).collect()))
    }

    #[test]
    fn addresses_are_files() {
        let list = b"# a remark\r\nfile:///home/me/a%20game.json\r\nfile://here/b%C3%A4.txt\r\n";
        assert_eq!(read(list, true), files(&["/home/me/a game.json", "/b\u{e4}.txt"]));
        for wrong in ["", "https://example.org/", "file://", "file:///a%2", "file:///a%zz", "\u{0}"] {
            assert_eq!(read(wrong.as_bytes(), true), None, "{wrong}");
        }
        assert_eq!(read(b"\xff\xfe", true), None);
    }

    #[test]
    fn text_is_a_path_or_a_game() {
        assert_eq!(read(b"/home/me/game.json\n/other\n", false), files(&["/home/me/game.json", "/other"]));
        assert_eq!(read(b"file:///x", false), files(&["/x"]));
        assert_eq!(read(b"zurero : @j10\n", false), Some(Dropped::Text("zurero : @j10".into())));
        assert_eq!(read(b"\n", false), None);
    }
}
