//! How a match is getting on, on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Where nobody watches, a line is written so often at most.
const PAUSE: Duration = Duration::from_secs(10);

/// How a match is getting on.
#[derive(Clone, Copy, Debug)]
pub struct Status {
    /// Games of which the result is known, of how many.
    pub done: u32,
    pub games: u32,
    /// Those of them that were played just now.
    pub played: u32,
    pub score: Option<f64>,
    pub log_likelihood_ratio: Option<f64>,
    pub took: Duration,
}

/// Says on standard error how a match is getting on: in one line that is written over, or in a log
/// now and then.
#[derive(Debug)]
pub struct Progress {
    is_watched: bool,
    last_line: Instant,
    /// What of a larger whole is going on.
    about: Option<String>,
}

impl Progress {
    pub fn on_stderr() -> Progress {
        Progress { is_watched: io::stderr().is_terminal(), last_line: Instant::now(), about: None }
    }

    /// From now on it is about this.
    pub fn turn_to(&mut self, about: String) {
        self.about = Some(about);
    }

    pub fn show(&mut self, status: Status) {
        let about = self.about.as_ref().map(|about| format!("{about}: ")).unwrap_or_default();
        let line = about + &line(&status);
        let mut stderr = io::stderr().lock();
        // That nobody can read it is no reason to end a match.
        if self.is_watched {
            let _ = write!(stderr, "\r{line}\x1b[K").and_then(|()| stderr.flush());
        } else if self.last_line.elapsed() >= PAUSE {
            self.last_line = Instant::now();
            let _ = writeln!(stderr, "{line}");
        }
    }

    /// Leaves no half-written line.
    pub fn finish(self) {
        if self.is_watched {
            eprintln!();
        }
    }
}

fn line(status: &Status) -> String {
    let Status { done, games, played, .. } = status;
    let mut line = format!("{done} of {games} games");
    if let Some(score) = status.score {
        line += &format!(", a has {:.1} %", score * 100.0);
    }
    let seconds = status.took.as_secs_f64();
    if *played > 0 && seconds > 0.0 {
        let a_second = f64::from(*played) / seconds;
        line += &if a_second >= 1.0 {
            format!(", {a_second:.1} games a second")
        } else {
            format!(", {:.1} games a minute", a_second * 60.0)
        };
    }
    if let Some(ratio) = status.log_likelihood_ratio {
        line += &format!(", log likelihood ratio {ratio:.2}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_games_score_and_rate() {
        let mut status = Status {
            done: 30,
            games: 100,
            played: 20,
            score: Some(0.625),
            log_likelihood_ratio: None,
            took: Duration::from_secs(60),
        };
        assert_eq!(line(&status), "30 of 100 games, a has 62.5 %, 20.0 games a minute");
        status.took = Duration::from_secs(2);
        status.log_likelihood_ratio = Some(-1.234);
        assert_eq!(
            line(&status),
            "30 of 100 games, a has 62.5 %, 10.0 games a second, log likelihood ratio -1.23"
        );
        let nothing = Status { done: 0, played: 0, score: None, log_likelihood_ratio: None, ..status };
        assert_eq!(line(&nothing), "0 of 100 games");
    }
}
