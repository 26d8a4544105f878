//! Where people read and type: a terminal, or two pipes.

use std::io::{self, BufRead, Write};

use crate::game::Charset;

/// Where people read and type.
pub(super) struct Screen<'a, R, W> {
    input: &'a mut R,
    output: &'a mut W,
    pub(super) charset: Charset,
}

impl<'a, R: BufRead, W: Write> Screen<'a, R, W> {
    pub(super) fn new(input: &'a mut R, output: &'a mut W, charset: Charset) -> Screen<'a, R, W> {
        Screen { input, output, charset }
    }

    /// The same once more, for somebody else to use meanwhile.
    pub(super) fn again(&mut self) -> Screen<'_, R, W> {
        Screen { input: self.input, output: self.output, charset: self.charset }
    }

    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// What is typed in answer, without spaces around it; `None` at the end of input.
    pub(super) fn ask(&mut self, question: &str) -> io::Result<Option<String>> {
        write!(self.output, "{question}")?;
        self.output.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.output)?;
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).trim().to_string()))
    }
}
