//! How often a frame is drawn, and how well: as often as something moves, as well as the machine
//! can.

use std::thread;
use std::time::{Duration, Instant};

use crate::settings::QualityChoice;
use crate::stage::Quality;

/// Frames come at most so often.
const BUSY_FRAME: Duration = Duration::from_millis(16);
/// How often they come when only water moves or the computer thinks.
const CALM_FRAME: Duration = Duration::from_millis(50);
/// How often when nothing does. Only how soon the window wakes up depends on it.
const IDLE_FRAME: Duration = Duration::from_millis(220);
/// A window that nobody touches comes to rest after so much time, the water too.
const AWAKE: Duration = Duration::from_secs(12);
/// Behind the last input every frame counts for a moment: more may follow.
const ALERT: Duration = Duration::from_millis(700);
/// However long a frame took, no more seconds than these pass in it.
const LONGEST_STEP: f32 = 0.25;
/// So many frames are timed before something is concluded.
const TIMED_FRAMES: usize = 12;

#[derive(Debug)]
pub(super) struct Pace {
    frame_began: Instant,
    last_input: Instant,
    /// How long frames took in which the whole board was drawn.
    timed: Vec<Duration>,
    /// What this machine can draw smoothly, once that is known.
    found: Option<Quality>,
}

/// What goes on in the window without anybody touching it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    None,
    /// The computer thinks.
    Thinking,
    /// Something moves or is not yet drawn as well as it can be.
    Moving,
}

impl Default for Pace {
    fn default() -> Pace {
        let now = Instant::now();
        Pace { frame_began: now, last_input: now, timed: Vec::new(), found: None }
    }
}

impl Pace {
    /// Gives the seconds since the frame before.
    pub(super) fn begin_frame(&mut self) -> f32 {
        let before = std::mem::replace(&mut self.frame_began, Instant::now());
        self.frame_began.duration_since(before).as_secs_f32().min(LONGEST_STEP)
    }

    pub(super) fn since_frame_began(&self) -> Duration {
        self.frame_began.elapsed()
    }

    /// Somebody is there.
    pub(super) fn wake(&mut self) {
        self.last_input = Instant::now();
    }

    pub(super) fn is_awake(&self) -> bool {
        self.last_input.elapsed() < AWAKE
    }

    /// Sleeps until the next frame is due.
    pub(super) fn rest(&self, activity: Activity) {
        let is_alert = self.last_input.elapsed() < ALERT;
        let due = match activity {
            Activity::Moving => BUSY_FRAME,
            _ if is_alert => BUSY_FRAME,
            Activity::Thinking => CALM_FRAME,
            Activity::None if self.is_awake() => CALM_FRAME,
            Activity::None => IDLE_FRAME,
        };
        thread::sleep(due.saturating_sub(self.since_frame_began()));
    }

    pub(super) fn quality(&self, choice: QualityChoice, scripted: bool) -> Quality {
        match choice {
            QualityChoice::Low => Quality::Low,
            QualityChoice::Medium => Quality::Medium,
            QualityChoice::Full => Quality::Full,
            // Pictures of scripts must not depend on the machine.
            QualityChoice::Automatic if scripted => Quality::Full,
            QualityChoice::Automatic => self.found.unwrap_or(Quality::Medium),
        }
    }

    /// Counts how long this frame took among those that say what the machine can do.
    pub(super) fn note_frame(&mut self) {
        if self.found.is_some() {
            return;
        }
        self.timed.push(self.since_frame_began());
        if self.timed.len() == TIMED_FRAMES {
            self.timed.sort();
            let usual = self.timed[TIMED_FRAMES / 2];
            self.found = Some(match usual.as_millis() {
                0..22 => Quality::Full,
                22..70 => Quality::Medium,
                _ => Quality::Low,
            });
        }
    }
}
