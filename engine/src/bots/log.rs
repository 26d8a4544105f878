//! What bots write to their standard error.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

use parking_lot::Mutex;

use super::plain_text::plain_text;

const MOST_LINES: usize = 1_000;

/// In characters.
const LONGEST_LINE: usize = 2_000;

/// As much of a line as is read: enough for so many characters of any kind.
const MOST_BYTES: u64 = 4 * LONGEST_LINE as u64;

/// The last lines that a bot has written to its standard error.
#[derive(Debug, Default)]
pub(super) struct Log(Mutex<VecDeque<String>>);

impl Log {
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().iter().cloned().collect()
    }

    fn push(&self, line: String) {
        let mut lines = self.0.lock();
        if lines.len() == MOST_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    /// Takes down everything until the end. Gives the last line that was not blank.
    pub(super) fn follow(&self, name: &str, stream: impl Read) -> Option<String> {
        let mut input = BufReader::new(stream);
        let mut bytes = Vec::new();
        let mut was_cut = false;
        let mut last = None;
        loop {
            bytes.clear();
            match input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return last,
                Ok(_) => {}
            }
            let is_rest = was_cut;
            was_cut = bytes.last() != Some(&b'\n');
            if is_rest {
                continue;
            }
            let text = String::from_utf8_lossy(&bytes);
            let line: String = plain_text(text.trim_end()).chars().take(LONGEST_LINE).collect();
            tracing::debug!("{name}: {line}");
            if !line.trim().is_empty() {
                last = Some(line.clone());
            }
            self.push(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_keeps_the_last_lines_and_cuts_long_ones() {
        let log = Log::default();
        let long = "ä".repeat(30_000);
        let text: String = (1..=1_100).map(|number| format!("line {number}\r\n")).collect();
        let last = log.follow("mine", format!("{text}{long}\nthe last\n\n").as_bytes());
        assert_eq!(last.as_deref(), Some("the last"));
        let lines = log.lines();
        assert_eq!((lines.len(), lines[0].as_str()), (1_000, "line 104"));
        assert_eq!(lines[997], "ä".repeat(2_000));
        assert_eq!(lines[998..], ["the last", ""]);
    }

    #[test]
    fn a_log_can_be_shown_in_a_terminal() {
        let log = Log::default();
        let last = log.follow("mine", &b"\x1b[31mred\x1b[0m\n\xff\x07done\r\n"[..]);
        assert_eq!(last.as_deref(), Some("\u{fffd}\\u{7}done"));
        assert_eq!(log.lines(), ["red", "\u{fffd}\\u{7}done"]);
    }
}
