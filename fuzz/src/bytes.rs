//! Bytes as a source of decisions.

use serde_json::{Map, Value};
use tabuleiro_engine::game::GameOptions;
use tabuleiro_protocol::{OptionKind, OptionSpec, Seat};

/// Decisions, one after the other. When the bytes have come to their end, it is always the first
/// possibility.
#[derive(Debug)]
pub(crate) struct Decisions<'a> {
    bytes: &'a [u8],
}

impl<'a> Decisions<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Decisions<'a> {
        Decisions { bytes }
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        first
    }

    /// A number below `count`, which must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let mut number = usize::from(self.byte());
        if count > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        number % count
    }

    /// One of several; there must be at least one.
    pub(crate) fn pick<'b, T>(&mut self, several: &'b [T]) -> &'b T {
        &several[self.below(several.len())]
    }

    /// One time out of so many.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub(crate) fn seat(&mut self) -> Option<Seat> {
        *self.pick(&[None, Some(Seat::One), Some(Seat::Two)])
    }

    /// At most so many of the bytes, as they are.
    pub(crate) fn text(&mut self, longest: usize) -> String {
        let length = self.below(longest + 1).min(self.bytes.len());
        let (text, rest) = self.bytes.split_at(length);
        self.bytes = rest;
        String::from_utf8_lossy(text).into_owned()
    }

    /// Options of a game that it must accept. They are often those that it has by default.
    pub(crate) fn options(&mut self, specs: &[OptionSpec]) -> GameOptions {
        let mut given = Map::new();
        if !self.byte().is_multiple_of(4) {
            for spec in specs {
                given.insert(spec.name.clone(), self.option(&spec.kind));
            }
        }
        GameOptions::check(specs, &given).unwrap_or_else(|bad| panic!("{given:?}: {bad}"))
    }

    fn option(&mut self, kind: &OptionKind) -> Value {
        match kind {
            OptionKind::Integer { min, max, .. } => {
                let count = usize::try_from(max - min).map_or(usize::MAX, |most| most.saturating_add(1));
                let above = i64::try_from(self.below(count)).expect("below the highest value");
                (min + above).into()
            }
            OptionKind::Choice { choices, .. } => self.pick(choices).as_str().into(),
        }
    }
}
