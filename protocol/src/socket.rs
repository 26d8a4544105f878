//! Local sockets: where an engine listens for clients of the same user.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::sync::Arc;

use interprocess::local_socket::traits::{Listener as _, Stream as _};
use interprocess::local_socket::{
    GenericFilePath, GenericNamespaced, Listener as LocalListener, ListenerOptions, Name, Stream, ToFsName,
    ToNsName,
};

/// One end of a connection. One thread can read from a copy of it while another writes.
#[derive(Clone, Debug)]
pub struct Socket(Arc<Stream>);

impl Socket {
    /// Joins whoever listens, if it is a program of the same user.
    pub fn connect(name: &str) -> io::Result<Socket> {
        let socket = Socket::new(Stream::connect(named(name)?)?);
        if !socket.is_of_same_user() {
            let message = "whoever is at the other end of the socket is another user";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        Ok(socket)
    }

    fn new(stream: Stream) -> Socket {
        Socket(Arc::new(stream))
    }

    /// Whether the program at the other end is one of the same user, as far as the system says.
    #[cfg(unix)]
    fn is_of_same_user(&self) -> bool {
        use interprocess::local_socket::traits::StreamCommon as _;
        let here = nix::unistd::geteuid().as_raw();
        self.0.peer_creds().is_ok_and(|there| there.euid() == Some(here))
    }

    #[cfg(not(unix))]
    fn is_of_same_user(&self) -> bool {
        true
    }

    /// Ends the connection for both sides, whoever reads or writes just now.
    pub fn hang_up(&self) {
        #[cfg(unix)]
        {
            let Stream::UdSocket(stream) = &*self.0;
            // It may be over already.
            let _ = stream.inner().shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self.0).read(buffer)
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}

/// Who has come to a listener.
#[derive(Debug)]
pub enum Arrival {
    Client(Socket),
    /// A program of another user, which is not to be served.
    OtherUser(Socket),
}

/// Where clients come in.
#[derive(Debug)]
pub struct Listener {
    listener: LocalListener,
    name: String,
}

impl Listener {
    /// Listens at a name. One that is left over from an engine that did not clean up is taken over;
    /// one where somebody listens is not.
    pub fn open(name: &str) -> io::Result<Listener> {
        if Stream::connect(named(name)?).is_ok() {
            let message = "somebody is listening there already";
            return Err(io::Error::new(io::ErrorKind::AddrInUse, message));
        }
        if is_something_else(name) {
            let message = "there is something there that is no socket";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(Listener { listener: listen(name)?, name: name.into() })
    }

    /// Waits for the next one who comes.
    pub fn next(&self) -> io::Result<Arrival> {
        let socket = Socket::new(self.listener.accept()?);
        Ok(if socket.is_of_same_user() { Arrival::Client(socket) } else { Arrival::OtherUser(socket) })
    }

    /// What removes the door's traces from the disk, for whoever ends without closing it. What
    /// somebody else has put there since stays.
    pub fn sweeper(&self) -> impl Fn() + Send + Sync + 'static {
        let name = self.name.clone();
        let ours = file_number(&name);
        move || {
            if ours.is_some() && file_number(&name) == ours {
                // It may be gone already.
                let _ = file_of(&name).map(|file| std::fs::remove_file(&*file));
            }
        }
    }
}

fn options(name: &str) -> io::Result<ListenerOptions<'_>> {
    Ok(ListenerOptions::new().name(named(name)?).try_overwrite(true))
}

/// A file is for its owner only, where the system can do that (macOS cannot); whoever comes is asked
/// who it is in any case.
#[cfg(unix)]
fn listen(name: &str) -> io::Result<LocalListener> {
    use interprocess::os::unix::local_socket::ListenerOptionsExt as _;
    if file_of(name).is_none() {
        return options(name)?.create_sync();
    }
    match options(name)?.mode(0o600).create_sync() {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => options(name)?.create_sync(),
        listener => listener,
    }
}

#[cfg(not(unix))]
fn listen(name: &str) -> io::Result<LocalListener> {
    options(name)?.create_sync()
}

/// What tells one file from all others.
#[cfg(unix)]
fn file_number(name: &str) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let found = std::fs::symlink_metadata(&*file_of(name)?).ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn file_number(_: &str) -> Option<(u64, u64)> {
    None
}

/// The file that a socket of this name is, if it is one: with a slash the name itself. Without one
/// Linux and Windows have other places for names, and the rest has a folder for them.
fn file_of(name: &str) -> Option<Cow<'_, str>> {
    if name.contains(['/', '\\']) {
        Some(name.into())
    } else if cfg!(any(target_os = "linux", target_os = "android", windows)) {
        None
    } else {
        Some(format!("/tmp/{name}").into())
    }
}

#[cfg(unix)]
fn is_something_else(name: &str) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let found = file_of(name).and_then(|file| std::fs::symlink_metadata(&*file).ok());
    found.is_some_and(|found| !found.file_type().is_socket())
}

#[cfg(not(unix))]
fn is_something_else(_: &str) -> bool {
    false
}

/// The local socket that is called so.
fn named(name: &str) -> io::Result<Name<'_>> {
    if name.is_empty() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a socket needs a name"));
    }
    match file_of(name) {
        Some(file) => file.into_owned().to_fs_name::<GenericFilePath>(),
        None => name.to_ns_name::<GenericNamespaced>(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::thread;

    use super::*;

    fn free_name(purpose: &str) -> String {
        format!("tabuleiro-{purpose}-{}", std::process::id())
    }

    #[test]
    fn both_ends_hear_each_other_until_one_hangs_up() {
        let name = free_name("ends");
        let door = Listener::open(&name).expect("the name is free");
        let echo = thread::spawn(move || {
            let Ok(Arrival::Client(mut socket)) = door.next() else { panic!("a client comes") };
            let mut line = String::new();
            let mut lines = BufReader::new(socket.clone());
            while lines.read_line(&mut line).expect("it can be read") > 0 {
                socket.write_all(line.as_bytes()).expect("it can be written");
                line.clear();
            }
        });
        let mut socket = Socket::connect(&name).expect("somebody listens");
        socket.write_all(b"hello\n").expect("it can be written");
        let mut heard = String::new();
        BufReader::new(socket.clone()).read_line(&mut heard).expect("an answer");
        assert_eq!(heard, "hello\n");
        socket.hang_up();
        echo.join().expect("the other end saw the end");
    }

    #[test]
    fn a_name_in_use_is_refused_and_a_stale_one_taken_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("door");
        let name = file.to_str().expect("a plain path");
        let door = Listener::open(name).expect("nothing is there");
        let refused = Listener::open(name).expect_err("somebody listens");
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse);
        drop(door);
        assert!(!file.exists(), "a door cleans up behind itself");

        // A listener that was killed leaves its file.
        #[cfg(unix)]
        drop(std::os::unix::net::UnixListener::bind(&file).expect("a socket"));
        drop(Listener::open(name).expect("nobody listens any more"));

        std::fs::write(&file, "a letter").expect("a file");
        let refused = Listener::open(name).expect_err("this is no socket");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read_to_string(&file).expect("it is still there"), "a letter");
    }

    #[cfg(unix)]
    #[test]
    fn a_door_is_swept_away_but_not_its_successor() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("door");
        let name = file.to_str().expect("a plain path");
        let door = Listener::open(name).expect("nothing is there");
        let sweep = door.sweeper();
        std::fs::rename(&file, folder.path().join("elsewhere")).expect("it is a file");
        let successor = Listener::open(name).expect("nothing is there");
        sweep();
        assert!(file.exists());
        successor.sweeper()();
        assert!(!file.exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_use_a_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("door");
        let _door = Listener::open(file.to_str().expect("a plain path")).expect("nothing is there");
        let mode = std::fs::metadata(&file).expect("the socket").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
