//! Reads documents with care. What lies in a folder may be no file at all: a pipe would never be
//! read to its end, and a huge file would fill the memory.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No document may be larger than this, in bytes. A saved game has 2 KiB as a rule, and one of
/// 200,000 actions 2 MiB.
pub const LARGEST: u64 = 16 << 20;

/// What becomes of a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// For a file that a person has named.
    Followed,
    /// For what is found in a folder.
    Refused,
}

/// A file that is not read, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", .path.display())]
pub struct ReadError {
    path: PathBuf,
    #[source]
    reason: io::Error,
}

impl ReadError {
    /// Whether there is nothing of this name.
    pub fn is_not_found(&self) -> bool {
        self.reason.kind() == io::ErrorKind::NotFound
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> io::Error {
        error.reason
    }
}

/// A document as it is: a file of at most [`LARGEST`] bytes. It never waits for anybody.
pub fn read(path: &Path, links: Links) -> Result<Vec<u8>, ReadError> {
    let read = || {
        let file = open_file(path, links)?;
        let length = file.metadata()?.len();
        if length > LARGEST {
            return Err(too_large(length));
        }
        let mut bytes = Vec::new();
        // It may be growing.
        file.take(LARGEST + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 {
            length if length > LARGEST => Err(too_large(length)),
            _ => Ok(bytes),
        }
    };
    read().map_err(|reason| ReadError { path: path.into(), reason })
}

/// The same for text.
pub fn read_text(path: &Path, links: Links) -> Result<String, ReadError> {
    let bytes = read(path, links)?;
    String::from_utf8(bytes).map_err(|error| {
        let reason = format!("this is not UTF-8 (at byte {})", error.utf8_error().valid_up_to());
        ReadError { path: path.into(), reason: io::Error::new(io::ErrorKind::InvalidData, reason) }
    })
}

/// A file of whatever size, for those who read it bit by bit.
pub fn open(path: &Path, links: Links) -> Result<File, ReadError> {
    open_file(path, links).map_err(|reason| ReadError { path: path.into(), reason })
}

fn open_file(path: &Path, links: Links) -> io::Result<File> {
    let metadata = match links {
        Links::Followed => fs::metadata(path)?,
        Links::Refused => fs::symlink_metadata(path)?,
    };
    expect_file(&metadata)?;
    let mut options = File::options();
    options.read(true);
    // It may have become something else meanwhile, which must not be waited for.
    #[cfg(unix)]
    {
        use nix::fcntl::OFlag;
        use std::os::unix::fs::OpenOptionsExt;

        let unless_link = if links == Links::Refused { OFlag::O_NOFOLLOW } else { OFlag::empty() };
        options.custom_flags((OFlag::O_NONBLOCK | unless_link).bits());
    }
    let file = options.open(path)?;
    expect_file(&file.metadata()?)?;
    Ok(file)
}

fn expect_file(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    let what = match () {
        () if kind.is_dir() => "a folder",
        () if kind.is_symlink() => "a link",
        () => "a pipe, a socket or a device",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("this is {what}, not a file")))
}

fn too_large(length: u64) -> io::Error {
    let reason = format!("this is too large to be read: {length} bytes, and {LARGEST} are the most");
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("text"), "ü").expect("a file");
        fs::write(at("bytes"), [b'a', 0xff]).expect("a file");
        assert_eq!(read_text(&at("text"), Links::Refused).expect("a text"), "ü");
        assert_eq!(read(&at("bytes"), Links::Refused).expect("bytes"), [b'a', 0xff]);
        let refusal = |name: &str, links| read_text(&at(name), links).expect_err(name).to_string();
        let expected = format!("{}: this is not UTF-8 (at byte 1)", at("bytes").display());
        assert_eq!(refusal("bytes", Links::Refused), expected);
        fs::create_dir(at("folder")).expect("a folder");
        assert!(refusal("folder", Links::Followed).ends_with("this is a folder, not a file"));
        assert!(read(&at("missing"), Links::Followed).expect_err("no file").is_not_found());
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large");
        let file = File::create(&path).expect("a file");
        // It takes no room on the disk.
        for (length, is_read) in [(LARGEST, true), (LARGEST + 1, false), (190_000_000, false)] {
            file.set_len(length).expect("a length");
            let read = read(&path, Links::Refused);
            assert_eq!(read.is_ok(), is_read, "{length}");
            if let Err(error) = read {
                assert!(error.to_string().contains(&format!("{length} bytes")), "{error}");
            }
        }
        open(&path, Links::Refused).expect("it can be read bit by bit");
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_not_waited_for_and_links_followed_only_where_that_is_asked_for() {
        use std::os::unix::fs::symlink;

        use nix::sys::stat::Mode;

        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("text"), "text").expect("a file");
        symlink(at("text"), at("link")).expect("a link");
        symlink(at("nowhere"), at("dangling")).expect("a link");
        nix::unistd::mkfifo(&at("pipe"), Mode::S_IRUSR | Mode::S_IWUSR).expect("a pipe");
        symlink(at("pipe"), at("link to a pipe")).expect("a link");
        assert_eq!(read_text(&at("link"), Links::Followed).expect("a text"), "text");
        let refusal = |name: &str, links| read_text(&at(name), links).expect_err(name).to_string();
        for name in ["link", "dangling", "link to a pipe"] {
            let refusal = refusal(name, Links::Refused);
            assert_eq!(refusal, format!("{}: this is a link, not a file", at(name).display()));
        }
        for name in ["pipe", "link to a pipe", "/dev/zero"] {
            let refusal = refusal(name, Links::Followed);
            assert!(refusal.ends_with("this is a pipe, a socket or a device, not a file"), "{refusal}");
        }
        assert!(open(&at("pipe"), Links::Refused).is_err());
    }
}
