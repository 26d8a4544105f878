//! A game, or a part of it, as a film: which pictures it has, and how they become one file. Drawing
//! them is the window's part.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tabuleiro_protocol::Event;

use crate::board::{Cell, Tokens};
use crate::motion::Motion;
use crate::scene::{Figure, Ripple};
use crate::sets::Set;

/// Pictures in a second, while something moves; fewer if the film would have more than
/// [`MOST_FRAMES`].
const RATES: [f32; 4] = [12.0, 6.0, 3.0, 0.01];
const MOST_FRAMES: usize = 1500;
/// How long the board is shown as it is: at the beginning, between turns and at the end.
const FIRST_MS: u16 = 800;
const REST_MS: u16 = 500;
const LAST_MS: u16 = 2000;

/// Which part of the game, and where to write it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilmOrder {
    /// The first turn and the last, counted from 1; without them the whole game.
    pub turns: Option<(usize, usize)>,
    /// Left out: a place of the window's own choice.
    pub path: Option<PathBuf>,
}

/// How far a film is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilmProgress {
    pub done: usize,
    /// 0 as long as the engine is asked what happened.
    pub total: usize,
}

/// What happened in some turns.
#[derive(Clone, Debug)]
pub struct Reel {
    set: Set,
    scenes: Vec<(Tokens, Vec<Event>)>,
}

/// One picture, and how long it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub figures: Vec<Figure>,
    pub ripples: Vec<Ripple>,
    pub milliseconds: u16,
}

impl Reel {
    pub fn new(set: Set) -> Reel {
        Reel { set, scenes: Vec::new() }
    }

    /// Adds a turn: the board before it, and what happened.
    pub fn add(&mut self, before: Tokens, events: Vec<Event>) {
        self.scenes.push((before, events));
    }

    pub fn set(&self) -> &Set {
        &self.set
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> (u8, u8) {
        self.scenes.first().map_or((0, 0), |(tokens, _)| (tokens.columns(), tokens.rows()))
    }

    /// The pictures, as many as a file should have at most.
    pub fn frames(&self) -> impl Iterator<Item = Frame> + use<> {
        let rate = RATES.into_iter().find(|rate| self.at_rate(*rate).count() <= MOST_FRAMES);
        self.at_rate(rate.unwrap_or(RATES[RATES.len() - 1]))
    }

    fn at_rate(&self, rate: f32) -> Projector {
        let mut motion = Motion::default();
        let first = self.scenes.first().map(|(tokens, _)| tokens.clone()).unwrap_or_default();
        motion.lay_out(self.set.clone(), first);
        let scenes = self.scenes.clone().into_iter();
        Projector { motion, scenes, seconds: 1.0 / rate, is_begun: false }
    }
}

/// Runs through a reel.
struct Projector {
    motion: Motion,
    scenes: std::vec::IntoIter<(Tokens, Vec<Event>)>,
    /// Between two pictures.
    seconds: f32,
    is_begun: bool,
}

impl Projector {
    fn frame(&self, milliseconds: u16) -> Frame {
        let (figures, ripples) = (self.motion.figures(), self.motion.ripples().to_vec());
        Frame { figures, ripples, milliseconds }
    }
}

impl Iterator for Projector {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        if !std::mem::replace(&mut self.is_begun, true) {
            return Some(self.frame(FIRST_MS));
        }
        if self.motion.is_still() {
            let (before, events) = self.scenes.next()?;
            let after = applied(before.clone(), &events);
            self.motion.jump(before);
            self.motion.follow(&events, after);
        }
        self.motion.advance(self.seconds);
        let milliseconds = match (self.motion.is_still(), self.scenes.len()) {
            (false, _) => (self.seconds * 1000.0) as u16,
            (true, 0) => LAST_MS,
            (true, _) => REST_MS,
        };
        Some(self.frame(milliseconds))
    }
}

/// The board after what happened.
fn applied(mut tokens: Tokens, events: &[Event]) -> Tokens {
    for (cell, token) in events.iter().flat_map(|event| &event.set) {
        if let Ok(cell) = cell.parse::<Cell>() {
            tokens.set(cell, token);
        }
    }
    tokens
}

/// A picture as it is written: three bytes a pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub pixels: Vec<u8>,
    pub milliseconds: u16,
}

/// Writes pictures of one size as an animated PNG, which is played again and again. Of every picture
/// only what has changed is written. If `next` fails, nothing is.
pub fn write(
    path: &Path,
    size: (u32, u32),
    count: usize,
    mut next: impl FnMut() -> io::Result<Picture>,
) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let written = tabuleiro_files::write_with(path, |file| {
        let mut file = BufWriter::new(file);
        let mut encoder = png::Encoder::new(&mut file, size.0, size.1);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_animated(u32::try_from(count).unwrap_or(u32::MAX), 0)?;
        let mut writer = encoder.write_header()?;
        let mut before: Option<Vec<u8>> = None;
        for _ in 0..count {
            let Picture { pixels, milliseconds } = next()?;
            let part = match &before {
                Some(before) => Part::changed(before, &pixels, size),
                None => Part { left: 0, top: 0, width: size.0, height: size.1 },
            };
            writer.set_frame_delay(milliseconds, 1000)?;
            writer.reset_frame_position()?;
            writer.set_frame_dimension(part.width, part.height)?;
            writer.set_frame_position(part.left, part.top)?;
            writer.write_image_data(&part.cut(&pixels, size))?;
            before = Some(pixels);
        }
        writer.finish()?;
        file.flush()
    });
    written.map_err(io::Error::other)
}

/// A rectangle of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Part {
    /// The smallest that holds all that differs; one pixel if nothing does.
    fn changed(before: &[u8], after: &[u8], size: (u32, u32)) -> Part {
        let row = size.0 as usize * 3;
        let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
        for (y, (old, new)) in before.chunks_exact(row).zip(after.chunks_exact(row)).enumerate() {
            if old == new {
                continue;
            }
            let differs = |x: &usize| old[x * 3..x * 3 + 3] != new[x * 3..x * 3 + 3];
            let across = 0..size.0 as usize;
            left = left.min(across.clone().find(differs).unwrap_or(0));
            right = right.max(across.rev().find(differs).unwrap_or(0));
            top = top.min(y);
            bottom = y;
        }
        if top == usize::MAX {
            return Part { left: 0, top: 0, width: 1, height: 1 };
        }
        Part {
            left: left as u32,
            top: top as u32,
            width: (right - left + 1) as u32,
            height: (bottom - top + 1) as u32,
        }
    }

    fn cut(self, pixels: &[u8], size: (u32, u32)) -> Vec<u8> {
        let rows = pixels.chunks_exact(size.0 as usize * 3);
        let rows = rows.skip(self.top as usize).take(self.height as usize);
        let (from, to) = (self.left as usize * 3, (self.left + self.width) as usize * 3);
        rows.flat_map(|row| &row[from..to]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::sets;

    fn reel(turns: usize) -> Reel {
        let mut reel = Reel::new(sets::find("zurero", None));
        let mut before = Tokens::read(&[". . b . .".into()]);
        for turn in 0..turns {
            let (cell, token) = (format!("{}1", if turn % 2 == 0 { "a" } else { "e" }), "w");
            let events: Vec<Event> = serde_json::from_value(json!([
                {"kind": "placed", "piece": token, "cell": cell, "set": {cell.clone(): token}}
            ]))
            .expect("events");
            let after = applied(before.clone(), &events);
            reel.add(before, events);
            before = after;
        }
        reel
    }

    #[test]
    fn a_film_begins_as_the_game_did_and_ends_at_rest() {
        let reel = reel(2);
        let frames: Vec<Frame> = reel.frames().collect();
        assert!(frames.len() > 4, "something moves: {}", frames.len());
        assert_eq!(frames[0].figures.len(), 1);
        let last = frames.last().expect("a frame");
        assert_eq!((last.figures.len(), last.milliseconds), (3, LAST_MS));
        assert_eq!(frames.iter().filter(|frame| frame.milliseconds == REST_MS).count(), 1);
        assert_eq!(reel.size(), (5, 1));
    }

    #[test]
    fn a_long_game_has_fewer_pictures_of_every_turn() {
        assert!(reel(1000).frames().count() <= MOST_FRAMES);
        assert!(reel(3000).frames().count() >= 3000, "one for every turn there must be");
    }

    #[test]
    fn what_is_written_is_read_again_picture_by_picture() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("films/one.png");
        let size = (4, 3);
        let plain = vec![10u8; 36];
        let mut dotted = plain.clone();
        dotted[(4 + 2) * 3] = 200;
        let pictures = [plain.clone(), dotted.clone(), dotted.clone(), plain];
        let mut left = pictures.clone().into_iter();
        write(&path, size, 4, || Ok(Picture { pixels: left.next().expect("four"), milliseconds: 40 }))
            .expect("a film");

        let file = io::BufReader::new(std::fs::File::open(&path).expect("the film"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
        assert_eq!(reader.info().animation_control.expect("animated").num_frames, 4);
        let mut shown = vec![0u8; 36];
        for picture in &pictures {
            let mut part = vec![0u8; 36];
            let info = reader.next_frame(&mut part).expect("a frame");
            let control = *reader.info().frame_control().expect("its place");
            assert_eq!((control.delay_num, control.delay_den), (40, 1000));
            for y in 0..info.height as usize {
                let width = info.width as usize * 3;
                let at = ((y + control.y_offset as usize) * 4 + control.x_offset as usize) * 3;
                shown[at..at + width].copy_from_slice(&part[y * width..(y + 1) * width]);
            }
            assert_eq!(shown, *picture);
        }
    }

    #[test]
    fn a_film_that_is_given_up_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("none.png");
        let mut left = 1;
        let written = write(&path, (2, 2), 3, || {
            left -= 1;
            match left {
                0 => Ok(Picture { pixels: vec![0; 12], milliseconds: 40 }),
                _ => Err(io::Error::other("given up")),
            }
        });
        assert!(written.is_err());
        assert_eq!(std::fs::read_dir(folder.path()).expect("the folder").count(), 0);
    }
}
