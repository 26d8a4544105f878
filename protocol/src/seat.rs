//! The two seats, and what there is one of for each.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut, Not};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::shape::whole_of;

/// One of the two places at a table. Written `1` and `2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "u8")]
pub enum Seat {
    One,
    Two,
}

impl Seat {
    pub const BOTH: [Seat; 2] = [Seat::One, Seat::Two];

    pub fn index(self) -> usize {
        self as usize
    }

    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// The other seat.
impl Not for Seat {
    type Output = Seat;

    fn not(self) -> Seat {
        match self {
            Seat::One => Seat::Two,
            Seat::Two => Seat::One,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.number()
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Seat, String> {
        match number {
            1 => Ok(Seat::One),
            2 => Ok(Seat::Two),
            other => Err(format!("a seat is 1 or 2, not {other}")),
        }
    }
}

// By hand, so that whatever comes is told what a seat is.
impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        struct Number;

        impl Visitor<'_> for Number {
            type Value = Seat;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("1 or 2")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Seat, E> {
                let seat = u8::try_from(number).ok().and_then(|number| Seat::try_from(number).ok());
                seat.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }

            fn visit_f64<E: Error>(self, number: f64) -> Result<Seat, E> {
                match whole_of(number, &self)? {
                    1 => Ok(Seat::One),
                    2 => Ok(Seat::Two),
                    _ => Err(E::invalid_value(Unexpected::Float(number), &self)),
                }
            }
        }

        deserializer.deserialize_any(Number)
    }
}

impl JsonSchema for Seat {
    fn schema_name() -> Cow<'static, str> {
        "Seat".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "One of the two places at a table.", "type": "integer", "enum": [1, 2]})
    }
}

/// Something that each seat has one of. Written `{"1":…,"2":…}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PerSeatOf{T}")]
pub struct PerSeat<T> {
    #[serde(rename = "1")]
    pub one: T,
    #[serde(rename = "2")]
    pub two: T,
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        match seat {
            Seat::One => &self.one,
            Seat::Two => &self.two,
        }
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        match seat {
            Seat::One => &mut self.one,
            Seat::Two => &mut self.two,
        }
    }
}
