//! Days of the calendar, written `2026-11-17`. They know no clock: whoever has one says what day it
//! is.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Day(i64);

/// Not a day as `2026-11-17`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a day such as \"2026-11-17\", not {0:?}")]
pub struct NotADay(String);

const SECONDS: i64 = 86_400;

impl Day {
    /// The day of a time in seconds since 1970, where the day begins at midnight UTC.
    pub fn from_unix(seconds: i64) -> Day {
        Day(seconds.div_euclid(SECONDS))
    }

    /// Days since the first of January 1970.
    pub fn number(self) -> i64 {
        self.0
    }

    /// So many days later.
    #[must_use]
    pub fn plus(self, days: i64) -> Day {
        Day(self.0 + days)
    }

    /// The year, the month from 1 and the day from 1.
    pub fn date(self) -> (i64, i64, i64) {
        // Howard Hinnant's `civil_from_days`: years begin in March, so that the day that not every
        // year has is the last.
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (year_of_era + era * 400 + i64::from(month <= 2), month, day)
    }

    fn of_date(year: i64, month: i64, day: i64) -> Day {
        let year = year - i64::from(month <= 2);
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        Day(era * 146_097 + day_of_era - 719_468)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = NotADay;

    fn from_str(text: &str) -> Result<Day, NotADay> {
        let number = |part: &str| part.parse().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()));
        let parts: Vec<Option<i64>> = text.split('-').map(number).collect();
        let day = match parts[..] {
            [Some(year @ 0..=9999), Some(month @ 1..=12), Some(day @ 1..=31)] => {
                Day::of_date(year, month, day)
            }
            _ => return Err(NotADay(text.into())),
        };
        // There is no thirtieth of February.
        if day.to_string() == text { Ok(day) } else { Err(NotADay(text.into())) }
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Day {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A day of the calendar, as 2026-11-17.",
            "type": "string",
            "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
            "examples": ["2026-11-17"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_and_read() {
        for (number, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_774, "2026-11-17"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(Day(number).to_string(), text);
            assert_eq!(text.parse(), Ok(Day(number)));
        }
        for number in -200_000..200_000 {
            let day = Day(number);
            let (year, month, of_month) = day.date();
            assert_eq!(Day::of_date(year, month, of_month), day);
        }
        assert_eq!(Day::from_unix(20_774 * SECONDS + 5), Day(20_774));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in ["", "2026-02-30", "2026-13-01", "26-1-1", "2026-1-01", "+026-01-01", "2026-11-17 "] {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}
