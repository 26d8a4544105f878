//! The real program in a real window, on a display that nobody sees.

#[macro_use]
#[path = "../support/every_game.rs"]
mod every_game;

mod display;
mod ends;
mod exchange;
mod golden;
mod hands;
mod headless;
mod input;
mod outside;
mod picture;
mod processes;
mod reading;
mod scale;
mod scripts;
mod sitting;
mod watching;

use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(240);

/// Asks again and again until there is an answer.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}
