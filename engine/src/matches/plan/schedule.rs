//! Which games of a match are played, and where.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::pair_of;
use crate::statistics::Sprt;

/// Which games of a match are played, where [`Settings`](super::Settings) say how each of them
/// goes.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Schedule {
    /// Of the whole match.
    pub games: u32,
    /// The part of them that is played here, if it is not all of them.
    pub shard: Option<Shard>,
    pub sprt: Option<Sprt>,
}

impl Schedule {
    pub const MOST_GAMES: u32 = 1_000_000;

    pub(in crate::matches) fn has(&self, number: u32) -> bool {
        number <= self.games && self.shard.is_none_or(|shard| shard.has(pair_of(number)))
    }

    pub(in crate::matches) fn numbers(&self) -> impl Iterator<Item = u32> {
        (1..=self.games).filter(|&number| self.has(number))
    }
}

/// The second of three parts of a match is written `2/3`. Openings are dealt out in turn, so that
/// the parts are equally long, and so that a match which is made longer keeps its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// All parts into which this one's match is divided.
    pub(in crate::matches) fn all(&self) -> impl Iterator<Item = Shard> {
        let of = self.of;
        (1..=of).map(move |number| Shard { number, of })
    }

    /// Whether it has the opening of this number, or whatever else is counted from 1 on.
    pub fn has(&self, pair: u32) -> bool {
        (pair - 1) % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some(Shard { number: number.parse().ok()?, of: of.parse().ok()? }));
        match numbers {
            Some(Shard { of: 0, .. }) => Err("there must be at least one shard, as in 1/1".into()),
            Some(Shard { number, of }) if number == 0 || number > of => {
                Err(format!("shards are counted from 1/{of} to {of}/{of}"))
            }
            Some(shard) => Ok(shard),
            None => Err("must be which of how many, as 2/3".into()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shard, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(|reason| D::Error::custom(format!("shard: {reason}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(games: u32, shard: &str) -> Vec<u32> {
        let shard = Some(shard.parse().expect("a shard"));
        Schedule { games, shard, sprt: None }.numbers().collect()
    }

    #[test]
    fn shards_have_whole_openings_and_together_every_game_once() {
        assert_eq!(numbers(11, "1/3"), [1, 2, 7, 8]);
        assert_eq!(numbers(11, "2/3"), [3, 4, 9, 10]);
        assert_eq!(numbers(11, "3/3"), [5, 6, 11]);
        assert_eq!(numbers(3, "1/1"), [1, 2, 3]);
        assert_eq!(numbers(3, "3/9"), [0; 0]);
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for (text, reason) in [
            ("", "must be which of how many, as 2/3"),
            ("2", "must be which of how many"),
            ("2/x", "must be which of how many"),
            ("1/2/3", "must be which of how many"),
            ("-1/3", "must be which of how many"),
            ("0/3", "shards are counted from 1/3 to 3/3"),
            ("4/3", "shards are counted from 1/3 to 3/3"),
            ("1/0", "there must be at least one shard"),
        ] {
            let refusal = text.parse::<Shard>().expect_err(text);
            assert!(refusal.starts_with(reason), "{text}: {refusal}");
        }
        assert_eq!("2/3".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/3".into()));
    }
}
