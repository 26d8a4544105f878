//! A computer player by its name, as command lines and records of matches write it.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use tabuleiro_protocol::{Clock, Limits, Player};

use super::{ComputerPlayer, Who};
use crate::search::Level;

/// What stands before the name of a bot.
const BOT: &str = "bot:";

impl ComputerPlayer {
    /// The one that plays a seat; `None` if a person does, or a level that there is not.
    pub fn of_seat(player: &Player) -> Option<ComputerPlayer> {
        let (who, limits) = match player {
            Player::Client { .. } => return None,
            Player::Ai { level, limits } => (Who::Level(Level::by_id(level)?), limits),
            Player::Bot { name, limits } => (Who::Bot(name.clone()), limits),
        };
        Some(ComputerPlayer { who, limits: limits.clone().unwrap_or_default() })
    }

    /// What a table says of a seat that it plays.
    pub fn player(&self) -> Player {
        let limits = (self.limits != Limits::default()).then(|| self.limits.clone());
        match &self.who {
            Who::Level(level) => Player::Ai { level: level.id().into(), limits },
            Who::Bot(name) => Player::Bot { name: name.clone(), limits },
        }
    }

    /// What it is called, without its limits: a level or `bot:NAME`.
    pub fn name(&self) -> String {
        match &self.who {
            Who::Level(level) => level.id().into(),
            Who::Bot(name) => format!("{BOT}{name}"),
        }
    }

    /// The bot that it is, if it is one.
    pub fn bot(&self) -> Option<&str> {
        match &self.who {
            Who::Level(_) => None,
            Who::Bot(name) => Some(name),
        }
    }

    /// Its clock at the start of a game.
    pub fn clock(&self) -> Option<Clock> {
        self.limits.clock
    }
}

impl FromStr for ComputerPlayer {
    type Err = String;

    fn from_str(text: &str) -> Result<ComputerPlayer, String> {
        let (name, limits) = match text.split_once('@') {
            Some((name, limits)) => (name, read_limits(limits)?),
            None => (text, Limits::default()),
        };
        let who =
            match name.strip_prefix(BOT) {
                Some(bot) => Who::Bot(bot.into()),
                None => Who::Level(Level::by_id(name).ok_or_else(|| {
                    format!("there is no level {name:?}; a player is {}", what_a_player_is())
                })?),
            };
        Ok(ComputerPlayer { who, limits })
    }
}

fn what_a_player_is() -> String {
    let levels: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
    let levels = levels.join(", ");
    format!("one of {levels} or bot:NAME, with limits behind an @ if you like, as greedy@nodes=200")
}

fn read_limits(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for part in text.split(',') {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("{part:?} is no limit; behind the @ stands one as nodes=200"))?;
        match name {
            "time_ms" => set(&mut limits.time_ms, name, value)?,
            "nodes" => set(&mut limits.nodes, name, value)?,
            "depth" => set(&mut limits.depth, name, value)?,
            "clock" => set_clock(&mut limits.clock, value)?,
            "threads" => set(&mut limits.threads, name, value)?,
            "book" if limits.book.is_some() => return Err("book is given twice".into()),
            "book" => {
                let book = value.parse().map_err(|_| format!("book must be true or false, not {value:?}"))?;
                limits.book = Some(book);
            }
            _ => {
                return Err(format!(
                    "there is no limit {name:?}; there is time_ms, nodes, depth, clock, threads, book"
                ));
            }
        }
    }
    Ok(limits)
}

fn set<T: FromStr + From<u8> + PartialOrd>(
    limit: &mut Option<T>,
    name: &str,
    value: &str,
) -> Result<(), String> {
    if limit.is_some() {
        return Err(format!("{name} is given twice"));
    }
    let number = value.parse().ok().filter(|number| *number >= T::from(1));
    *limit = Some(number.ok_or_else(|| format!("{name} must be a whole number from 1 up, not {value:?}"))?);
    Ok(())
}

/// Milliseconds for the whole game, and behind a plus those that every turn adds.
fn set_clock(limit: &mut Option<Clock>, value: &str) -> Result<(), String> {
    if limit.is_some() {
        return Err("clock is given twice".into());
    }
    let (left, increment) = value.split_once('+').unwrap_or((value, "0"));
    *limit = match (left.parse(), increment.parse()) {
        (Ok(left_ms), Ok(increment_ms)) if left_ms > 0 => Some(Clock { left_ms, increment_ms }),
        _ => return Err(format!("clock is written in milliseconds as 60000 or 60000+500, not {value:?}")),
    };
    Ok(())
}

impl fmt::Display for ComputerPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { time_ms, nodes, depth, clock, threads, book } = &self.limits;
        let limits: Vec<String> = [
            time_ms.map(|time| format!("time_ms={time}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
            depth.map(|depth| format!("depth={depth}")),
            clock.map(|Clock { left_ms, increment_ms }| match increment_ms {
                0 => format!("clock={left_ms}"),
                _ => format!("clock={left_ms}+{increment_ms}"),
            }),
            threads.map(|threads| format!("threads={threads}")),
            book.map(|book| format!("book={book}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let at = if limits.is_empty() { "" } else { "@" };
        write!(f, "{}{at}{}", self.name(), limits.join(","))
    }
}

impl Serialize for ComputerPlayer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for ComputerPlayer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<ComputerPlayer, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_a_level_with_limits() {
        let player: ComputerPlayer = "greedy@depth=3,nodes=200".parse().expect("a player");
        assert_eq!(player.who, Who::Level(Level::Greedy));
        assert_eq!(player.to_string(), "greedy@nodes=200,depth=3");
        let limits = Limits { nodes: Some(200), depth: Some(3), ..Limits::default() };
        assert_eq!(player.player(), Player::Ai { level: "greedy".into(), limits: Some(limits) });
        for text in ["master@clock=60000+500,threads=2", "master@time_ms=9,clock=100", "expert@book=true"] {
            let player: ComputerPlayer = text.parse().expect("a player");
            assert_eq!(player.to_string(), text);
        }
        let plain: ComputerPlayer = "random".parse().expect("a player");
        assert_eq!(plain.player(), Player::Ai { level: "random".into(), limits: None });
        assert_eq!(plain.to_string(), "random");
    }

    #[test]
    fn a_player_may_be_a_bot() {
        let bot: ComputerPlayer = "bot:mine@time_ms=200".parse().expect("a player");
        assert_eq!((bot.bot(), bot.to_string().as_str()), (Some("mine"), "bot:mine@time_ms=200"));
        let limits = Limits { time_ms: Some(200), ..Limits::default() };
        assert_eq!(bot.player(), Player::Bot { name: "mine".into(), limits: Some(limits) });
        assert_eq!(ComputerPlayer::of_seat(&bot.player()), Some(bot));
    }

    #[test]
    fn what_is_no_player_is_refused_with_the_reason() {
        for (text, reason) in [
            ("bot:mine@moves=3", "there is no limit \"moves\""),
            ("nobody", "there is no level \"nobody\"; a player is one of random"),
            ("", "there is no level \"\""),
            ("greedy@", "\"\" is no limit; behind the @ stands one as nodes=200"),
            ("greedy@200", "\"200\" is no limit"),
            (
                "greedy@moves=3",
                "there is no limit \"moves\"; there is time_ms, nodes, depth, clock, threads, book",
            ),
            ("greedy@nodes=0", "nodes must be a whole number from 1 up, not \"0\""),
            ("greedy@depth=many", "depth must be a whole number from 1 up, not \"many\""),
            ("greedy@nodes=1,nodes=2", "nodes is given twice"),
            ("greedy@clock=0", "clock is written in milliseconds as 60000 or 60000+500, not \"0\""),
            ("greedy@clock=1+2+3", "clock is written in milliseconds as 60000 or 60000+500, not \"1+2+3\""),
            ("greedy@clock=1,clock=2", "clock is given twice"),
            ("master@book=yes", "book must be true or false, not \"yes\""),
            ("master@threads=0", "threads must be a whole number from 1 up, not \"0\""),
        ] {
            let refusal = text.parse::<ComputerPlayer>().expect_err(text);
            assert!(refusal.starts_with(reason), "{text}: {refusal}");
        }
    }
}
