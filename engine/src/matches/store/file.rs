//! The games of a match in one file: what is played in its first line, then a line for each game.
//! It only ever grows, so that a large match is one file that costs next to nothing to write.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::Deserialize;
use tabuleiro_files::reading::LARGEST;
use tabuleiro_files::{GrowingFile, Links};

use super::game;
use super::head::{Document, Head, MATCH, as_line};
use super::lock::Lock;
use super::records::{Damage, Storage, Written};
use crate::matches::{Schedule, Settings};

/// A file of games.
#[derive(Debug)]
pub(super) struct File {
    path: PathBuf,
    lines: Mutex<Lines>,
    /// Where games are added, once there are some.
    end: Mutex<Option<GrowingFile>>,
}

/// What is in a file, and where.
#[derive(Debug, Default)]
struct Lines {
    /// What stands at the head: the last one, for it is said anew when a match is made longer.
    head: Option<Document>,
    games: BTreeMap<u32, Vec<Line>>,
    unreadable: Vec<Damage>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Counted from 1.
    number: u64,
    offset: u64,
    length: usize,
}

/// What tells a game from a head.
#[derive(Deserialize)]
struct Either {
    format: String,
    r#match: Option<Number>,
}

#[derive(Deserialize)]
struct Number {
    number: u32,
}

impl File {
    pub(super) fn is_name_of_one(path: &Path) -> bool {
        path.extension().is_some_and(|extension| extension == "jsonl")
    }

    /// A new file; or, to go on with it, one that holds this very match.
    pub(super) fn open(
        path: &Path,
        settings: &Settings,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<(File, Lock), String> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        // Hidden, so that it is not taken for a part of a match by who names all files of a folder.
        let lock = Lock::take(&beside(path, ".", ".lock"), path)?;
        let here = MATCH.document(settings, schedule);
        if !path.exists() {
            tabuleiro_files::write(path, as_line(&here)?).map_err(|error| error.to_string())?;
            return Ok((File::at(path)?, lock));
        }
        let file = File::at(path)?;
        let there = file.head().ok_or_else(|| {
            format!("{} holds something else than a match: choose another name", path.display())
        })?;
        let document = MATCH.gone_on_with(path, &there, here, resume)?;
        if document != there {
            file.add(&as_line(&document)?)?;
            file.sync(&[])?;
        }
        Ok((file, lock))
    }

    /// A file of any match.
    pub(super) fn read(path: &Path) -> Result<(File, Head<Settings>), String> {
        let file = File::at(path)?;
        let document = file
            .head()
            .ok_or_else(|| format!("{} holds neither a match nor a tournament", path.display()))?;
        let head = MATCH.head(path, path, document)?;
        Ok((file, head))
    }

    fn at(path: &Path) -> Result<File, String> {
        let lines = Lines::of(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(File { path: path.to_owned(), lines: Mutex::new(lines), end: Mutex::default() })
    }

    fn head(&self) -> Option<Document> {
        self.lines.lock().head.clone()
    }

    /// For lines that are damaged.
    fn file_aside(&self) -> PathBuf {
        beside(&self.path, "", ".damaged")
    }

    /// A line is added whole or not at all.
    fn add(&self, line: &str) -> Result<(), String> {
        let mut end = self.end.lock();
        let added = match &mut *end {
            Some(file) => file.add(line),
            None => GrowingFile::open(&self.path).and_then(|file| end.insert(file).add(line)),
        };
        added.map_err(|error| error.to_string())
    }

    /// Moves lines to the end of the file beside it. A line that is on its way when the power goes
    /// may be in both.
    fn move_lines(&self, numbers: &BTreeSet<u64>) -> io::Result<()> {
        let mut aside = OpenOptions::new().create(true).append(true).open(self.file_aside())?;
        each_line(&self.path, |line, text| match numbers.contains(&line.number) {
            true => aside.write_all(text).and_then(|()| aside.write_all(b"\n")),
            false => Ok(()),
        })?;
        aside.sync_all()?;
        let rewritten = tabuleiro_files::write_with(&self.path, |file| {
            let mut file = BufWriter::new(file);
            each_line(&self.path, |line, text| match numbers.contains(&line.number) {
                true => Ok(()),
                false => file.write_all(text).and_then(|()| file.write_all(b"\n")),
            })?;
            file.flush()
        });
        rewritten.map_err(io::Error::other)
    }
}

impl Storage for File {
    fn path(&self) -> &Path {
        &self.path
    }

    fn numbers(&self) -> Result<Vec<u32>, String> {
        Ok(self.lines.lock().games.keys().copied().collect())
    }

    fn copies(&self, number: u32) -> Result<Vec<Written>, String> {
        let lines = self.lines.lock().games.get(&number).cloned().unwrap_or_default();
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let read = |file: &mut fs::File, line: &Line| {
            let mut text = vec![0; line.length];
            file.seek(SeekFrom::Start(line.offset))?;
            file.read_exact(&mut text)?;
            Ok(Written { place: line.number, text: Ok(text) })
        };
        fs::File::open(&self.path)
            .and_then(|mut file| lines.iter().map(|line| read(&mut file, line)).collect())
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }

    fn unreadable(&self) -> Vec<Damage> {
        self.lines.lock().unreadable.clone()
    }

    fn shown(&self, place: u64) -> String {
        format!("{}, line {place}", self.path.display())
    }

    fn set_aside(&self, places: &[u64]) -> Result<Vec<PathBuf>, String> {
        let error = |error: io::Error| format!("{}: {error}", self.path.display());
        *self.end.lock() = None;
        self.move_lines(&places.iter().copied().collect()).map_err(error)?;
        *self.lines.lock() = Lines::of(&self.path).map_err(error)?;
        Ok(vec![self.file_aside(); places.len()])
    }

    fn write(&self, game: &game::Document<'_>) -> Result<(), String> {
        self.add(&as_line(game)?)
    }

    /// All that was written.
    fn sync(&self, _: &[u32]) -> Result<(), String> {
        let end = self.end.lock().as_ref().map(GrowingFile::try_clone).transpose();
        // Those who play do not wait for the disk.
        let synced = end.and_then(|end| end.map_or(Ok(()), |end| end.sync()));
        synced.map_err(|error| error.to_string())
    }
}

impl Lines {
    fn of(path: &Path) -> io::Result<Lines> {
        let mut lines = Lines::default();
        each_line(path, |line, text| {
            lines.add(line, text);
            Ok(())
        })?;
        Ok(lines)
    }

    fn add(&mut self, line: Line, text: &[u8]) {
        let damage = |reason: String| Damage { place: line.number, reason };
        match serde_json::from_slice(text) {
            Ok(Either { format, .. }) if format == MATCH.format => match serde_json::from_slice(text) {
                Ok(head) => self.head = Some(head),
                Err(error) => self.unreadable.push(damage(error.to_string())),
            },
            Ok(Either { r#match: Some(Number { number }), .. })
                if (1..=Schedule::MOST_GAMES).contains(&number) =>
            {
                self.games.entry(number).or_default().push(line)
            }
            Ok(_) => self.unreadable.push(damage("this is no game of a match".into())),
            Err(error) if text.is_empty() => drop(error),
            Err(error) => self.unreadable.push(damage(format!("the record is damaged: {error}"))),
        }
    }
}

/// Goes through a file, with the lines' ends left out.
fn each_line(path: &Path, mut look: impl FnMut(Line, &[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufReader::new(tabuleiro_files::open(path, Links::Followed)?);
    let (mut number, mut offset, mut text) = (1, 0, Vec::new());
    loop {
        text.clear();
        let mut read = file.by_ref().take(LARGEST + 1).read_until(b'\n', &mut text)? as u64;
        if read == 0 {
            return Ok(());
        }
        // No record is so long: the rest is passed over, and what there is will be found damaged.
        if read > LARGEST && !text.ends_with(b"\n") {
            read += file.skip_until(b'\n')? as u64;
        }
        let text = text.strip_suffix(b"\n").unwrap_or(&text);
        look(Line { number, offset, length: text.len() }, text)?;
        number += 1;
        offset += read;
    }
}

/// A file in the same folder, with something before and something behind the name.
fn beside(path: &Path, before: &str, behind: &str) -> PathBuf {
    let mut name = OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(behind);
    path.with_file_name(name)
}
