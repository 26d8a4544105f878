//! Draws films, one picture in a frame of the window, and lets a thread write them.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, channel, sync_channel};
use std::thread;
use std::time::Duration;

use macroquad::math::Rect;

use super::{Window, theme_of};
use crate::director::Shot;
use crate::film::{self, Frame, Picture, Reel};
use crate::settings::Settings;
use crate::stage::camera::Camera;
use crate::stage::{Quality, View};

/// The size of a film's pictures.
const SIZE: (u32, u32) = (640, 480);
/// So many pictures may wait to be written.
const MOST_WAITING: usize = 4;

/// Nobody who closes the window waits longer for the writer.
const LONGEST_FAREWELL: Duration = Duration::from_secs(2);

/// A film in the making.
pub(super) struct Filming {
    reel: Reel,
    path: PathBuf,
    frames: Box<dyn Iterator<Item = Frame>>,
    done: usize,
    total: usize,
    /// Drawn, and not taken by the writer yet.
    waiting: Option<Picture>,
    /// To the thread that writes; without it there is nothing more to be drawn.
    pictures: Option<SyncSender<Picture>>,
    written: Receiver<io::Result<()>>,
}

impl Filming {
    /// An error says that there is no thread to write it.
    fn new(Shot { reel, path }: Shot) -> io::Result<Filming> {
        let total = reel.frames().count();
        let (pictures, drawn) = sync_channel::<Picture>(MOST_WAITING);
        let (report, written) = channel();
        let to = path.clone();
        thread::Builder::new().name("film".into()).spawn(move || {
            let next = || drawn.recv().map_err(|_| io::Error::other("it was given up"));
            // Nobody may be left to hear of it.
            let _ = report.send(film::write(&to, SIZE, total, next));
        })?;
        let frames = Box::new(reel.frames());
        let pictures = Some(pictures);
        Ok(Filming { reel, path, frames, done: 0, total, waiting: None, pictures, written })
    }
}

impl Window {
    pub(super) fn is_filming(&self) -> bool {
        self.filming.is_some() || self.director.app().film.is_some()
    }

    /// Draws the next picture of the film that is being made, if there is one.
    pub(super) fn film(&mut self) {
        if let Some(shot) = self.director.take_shot() {
            match Filming::new(shot) {
                Ok(filming) => self.filming = Some(filming),
                Err(error) => return self.director.film_ended(Err(error.to_string())),
            }
        }
        let Some(mut filming) = self.filming.take() else { return };
        if !self.director.note_film(filming.done, filming.total) {
            // Without its pictures the writer gives up, and leaves no file.
            return;
        }
        match filming.written.try_recv() {
            Ok(Ok(())) => return self.director.film_ended(Ok(filming.path)),
            Ok(Err(error)) => return self.director.film_ended(Err(error.to_string())),
            Err(TryRecvError::Disconnected) => {
                return self.director.film_ended(Err("nobody writes it any more".into()));
            }
            Err(TryRecvError::Empty) => {}
        }
        if filming.waiting.is_none() && filming.pictures.is_some() {
            match filming.frames.next() {
                Some(frame) => filming.waiting = Some(self.draw_for_film(&filming.reel, &frame)),
                None => filming.pictures = None,
            }
        }
        if let (Some(picture), Some(pictures)) = (filming.waiting.take(), &filming.pictures) {
            match pictures.try_send(picture) {
                Ok(()) => filming.done += 1,
                Err(TrySendError::Full(picture)) => filming.waiting = Some(picture),
                // Why is told by what it reports.
                Err(TrySendError::Disconnected(_)) => {}
            }
        }
        self.filming = Some(filming);
    }

    /// Leaves nothing behind of a film that nobody will see.
    pub(super) fn give_up_film(&mut self) {
        if let Some(Filming { pictures, waiting, written, .. }) = self.filming.take() {
            drop((pictures, waiting));
            // The writer takes its file away, once it has written the few pictures that it has.
            let _ = written.recv_timeout(LONGEST_FAREWELL);
        }
    }

    fn draw_for_film(&mut self, reel: &Reel, frame: &Frame) -> Picture {
        let (seat, app) = (self.own_seat(), self.director.app());
        let (columns, rows) = reel.size();
        // As the window draws, so that models need not be made anew; but a film is kept.
        let quality = match self.pace.quality(app.settings.quality, self.script.is_some()) {
            Quality::Low => Quality::Medium,
            quality => quality,
        };
        let aspect = SIZE.0 as f32 / SIZE.1 as f32;
        let layout = reel.set().layout();
        let camera = Camera::seat(layout, columns, rows, seat, aspect, Rect::new(0.0, 0.0, 1.0, 1.0));
        let view = View {
            set: &**reel.set(),
            columns,
            rows,
            figures: &frame.figures,
            marks: &[],
            ripples: &frame.ripples,
            camera: &camera,
            theme: theme_of(app),
            marks_in: Settings::default().mark_palette(),
            quality,
            time: 0.0,
            coordinates: app.settings.coordinates,
            counts: app.settings.counts,
        };
        let image = self.stage.pixels(&view, SIZE.0, SIZE.1);
        let pixels = image.bytes.chunks_exact(4).flat_map(|pixel| &pixel[..3]).copied().collect();
        Picture { pixels, milliseconds: frame.milliseconds }
    }
}
