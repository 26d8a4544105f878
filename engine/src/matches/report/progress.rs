use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::Standing;

/// Where nobody watches, a line is written so often at most.
const PAUSE: Duration = Duration::from_secs(10);

/// Says on standard error how a match is getting on: in one line that is written over, or in a log now and then.
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

    pub fn show(&mut self, standing: Standing) {
        let about = self.about.as_ref().map(|about| format!("{about}: ")).unwrap_or_default();
        let line = about + &line(&standing);
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

fn line(standing: &Standing) -> String {
    let Standing { done, games, played, .. } = standing;
    let mut line = format!("{done} of {games} games");
    if let Some(score) = standing.score {
        line += &format!(", a has {:.1} %", score * 100.0);
    }
    let seconds = standing.took.as_secs_f64();
    if *played > 0 && seconds > 0.0 {
        let a_second = f64::from(*played) / seconds;
        line += &if a_second >= 1.0 {
            format!(", {a_second:.1} games a second")
        } else {
            format!(", {:.1} games a minute", a_second * 60.0)
        };
    }
    if let Some(ratio) = standing.log_likelihood_ratio {
        line += &format!(", log likelihood ratio {ratio:.2}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_games_score_and_rate() {
        let mut standing = Standing {
            done: 30,
            games: 100,
            played: 20,
            score: Some(0.625),
            log_likelihood_ratio: None,
            took: Duration::from_secs(60),
        };
        assert_eq!(line(&standing), "30 of 100 games, a has 62.5 %, 20.0 games a minute");
        standing.took = Duration::from_secs(2);
        standing.log_likelihood_ratio = Some(-1.234);
        assert_eq!(
            line(&standing),
            "30 of 100 games, a has 62.5 %, 10.0 games a second, log likelihood ratio -1.23"
        );
        let nothing = Standing { done: 0, played: 0, score: None, log_likelihood_ratio: None, ..standing };
        assert_eq!(line(&nothing), "0 of 100 games");
    }
}
