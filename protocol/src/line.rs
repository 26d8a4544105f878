//! Lines: how messages are told apart in a stream.

use std::io::{self, BufRead};

/// No line to an engine may be longer than this, in bytes. Nor may a line from a bot.
pub const LONGEST_LINE: usize = 1 << 20;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What came in as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Text(String),
    /// The input ended before the line did.
    Unfinished(String),
    /// Longer than it may be; the rest of it is skipped.
    TooLong,
    NotUtf8,
}

/// The lines of a stream that are not blank, without their ends (`\n` or `\r\n`) and without the
/// byte order mark that some programs begin with.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    longest: usize,
    is_first: bool,
    /// Whether the rest of a line that was too long is still to come.
    is_skipping: bool,
    has_more: bool,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most [`LONGEST_LINE`] bytes; no more than that is ever held of one.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, longest: LONGEST_LINE, is_first: true, is_skipping: false, has_more: false }
    }

    /// Lines of any length, for input that is trusted.
    pub fn unlimited(input: R) -> Lines<R> {
        Lines { longest: usize::MAX - 1, ..Lines::new(input) }
    }

    /// Whether more had come already when the last line was read.
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// The next line; `None` at the end of input. A line that is too long is told as soon as it is.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            let Some(ended) = self.read_into(&mut bytes)? else { return Ok(Some(Line::TooLong)) };
            if std::mem::take(&mut self.is_first) && bytes.starts_with(BYTE_ORDER_MARK) {
                bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if bytes.last() == Some(&b'\r') {
                bytes.pop();
            }
            if bytes.len() > self.longest {
                return Ok(Some(Line::TooLong));
            }
            match String::from_utf8(bytes) {
                Err(_) => return Ok(Some(Line::NotUtf8)),
                Ok(text) if text.trim().is_empty() && !ended => return Ok(None),
                Ok(text) if text.trim().is_empty() => {}
                Ok(text) if ended => return Ok(Some(Line::Text(text))),
                Ok(text) => return Ok(Some(Line::Unfinished(text))),
            }
        }
    }

    /// Reads up to the end of the line. Gives whether that came before the end of input; `None` as
    /// soon as the line is too long.
    fn read_into(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<bool>> {
        loop {
            let chunk = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                return Ok(Some(false));
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            let taken = text.len() + usize::from(end.is_some());
            // One byte more for the `\r` that may still go.
            let is_too_long = !self.is_skipping && bytes.len() + text.len() > self.longest + 1;
            if !self.is_skipping && !is_too_long {
                bytes.extend_from_slice(text);
            }
            self.has_more = taken < chunk.len();
            self.input.consume(taken);
            if is_too_long {
                self.is_skipping = end.is_none();
                return Ok(None);
            }
            if end.is_some() && !std::mem::take(&mut self.is_skipping) {
                return Ok(Some(true));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A tiny buffer, so that lines come in pieces.
        let mut lines = Lines::new(BufReader::with_capacity(7, bytes));
        std::iter::from_fn(|| lines.next_line().expect("memory can be read")).collect()
    }

    #[test]
    fn it_is_known_whether_more_has_come() {
        let mut lines = Lines::new(&b"one\ntwo\nthree"[..]);
        let mut seen = Vec::new();
        while let Ok(Some(_)) = lines.next_line() {
            seen.push(lines.has_more());
        }
        assert_eq!(seen, [true, true, false]);
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        assert_eq!(
            lines(b"one\r\n\n  \n\r\ntwo and more\nthree"),
            [text("one"), text("two and more"), Line::Unfinished("three".into())]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n\n  "), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let longest = "x".repeat(LONGEST_LINE);
        assert_eq!(lines(format!("{longest}\r\nnext\n").as_bytes()), [text(&longest), text("next")]);
        assert_eq!(lines(format!("{longest}x\nnext\n").as_bytes()), [Line::TooLong, text("next")]);
        assert_eq!(lines(format!("{longest}{longest}{longest}").as_bytes()), [Line::TooLong]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_at_the_start_and_nowhere_else() {
        assert_eq!(lines(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n"), [text("one"), text("\u{feff}two")]);
        assert_eq!(lines(b"\xef\xbb\xbf\r\none\n"), [text("one")]);
        assert_eq!(lines(b"\xef\xbb\xbf"), []);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_told_apart() {
        assert_eq!(lines(b"\xff\xfe\nnext"), [Line::NotUtf8, Line::Unfinished("next".into())]);
    }

    #[test]
    fn lines_of_any_length_are_read_where_that_is_asked_for() {
        let long = "x".repeat(LONGEST_LINE + 2);
        let input = format!("{long}\n");
        assert_eq!(Lines::unlimited(input.as_bytes()).next_line().unwrap(), Some(text(&long)));
    }
}
