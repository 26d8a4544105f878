use std::path::Path;
use std::{fs, io};

/// Writes beside the file first, so that whatever happens there is a whole file.
pub(crate) fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut beside = file.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text).and_then(|()| fs::rename(&beside, file))
}
