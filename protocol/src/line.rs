use std::io::{self, BufRead};

/// No line may be longer than this, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;

/// What came in as one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    Text(String),
    /// Longer than [`LONGEST_LINE`]; it was skipped.
    TooLong,
    NotUtf8,
}

/// Reads the next line that is not blank, without its end (`\n` or `\r\n`); `None` at the end of input.
/// Never holds more of a line than [`LONGEST_LINE`].
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    loop {
        let mut bytes = Vec::new();
        let mut too_long = false;
        let mut ended = false;
        while !ended {
            let chunk = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            if chunk.is_empty() {
                if bytes.is_empty() && !too_long {
                    return Ok(None);
                }
                break;
            }
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let text = &chunk[..end.unwrap_or(chunk.len())];
            // One byte more for the `\r` that may still go.
            if too_long || bytes.len() + text.len() > LONGEST_LINE + 1 {
                too_long = true;
                bytes.clear();
            } else {
                bytes.extend_from_slice(text);
            }
            ended = end.is_some();
            let taken = text.len() + usize::from(ended);
            input.consume(taken);
        }
        if bytes.last() == Some(&b'\r') {
            bytes.pop();
        }
        if too_long || bytes.len() > LONGEST_LINE {
            return Ok(Some(Line::TooLong));
        }
        match String::from_utf8(bytes) {
            Err(_) => return Ok(Some(Line::NotUtf8)),
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => return Ok(Some(Line::Text(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        // A tiny buffer, so that lines come in pieces.
        let mut input = BufReader::with_capacity(7, bytes);
        std::iter::from_fn(|| read_line(&mut input).expect("memory can be read")).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.into())
    }

    #[test]
    fn lines_come_without_their_ends_and_blank_ones_not_at_all() {
        assert_eq!(
            lines(b"one\r\n\n  \n\r\ntwo and more\nthree"),
            [text("one"), text("two and more"), text("three")]
        );
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n\n"), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let longest = "x".repeat(LONGEST_LINE);
        assert_eq!(lines(format!("{longest}\r\nnext\n").as_bytes()), [text(&longest), text("next")]);
        assert_eq!(lines(format!("{longest}x\nnext\n").as_bytes()), [Line::TooLong, text("next")]);
        assert_eq!(lines(format!("{longest}{longest}{longest}").as_bytes()), [Line::TooLong]);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_told_apart() {
        assert_eq!(lines(b"\xff\xfe\nnext"), [Line::NotUtf8, text("next")]);
    }
}
