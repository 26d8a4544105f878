use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use tabuleiro_protocol::{Clock, Limits, Player};

use crate::search::{Level, SearchRequest};

/// Who plays one side of a match: a level or a bot, and its limits. Written `greedy@nodes=200,depth=3`, `master@clock=60000+500` or
/// `bot:mine@time_ms=200`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contestant {
    who: Who,
    limits: Limits,
}

#[derive(Clone, Debug, PartialEq)]
enum Who {
    Level(Level),
    /// By its name.
    Bot(String),
}

/// What stands before the name of a bot.
const BOT: &str = "bot:";

impl Contestant {
    pub fn player(&self) -> Player {
        let limits = (self.limits != Limits::default()).then(|| self.limits.clone());
        match &self.who {
            Who::Level(level) => Player::Ai { level: level.id().into(), limits },
            Who::Bot(name) => Player::Bot { name: name.clone(), limits },
        }
    }

    /// The bot that it is, if it is one.
    pub fn bot(&self) -> Option<&str> {
        match &self.who {
            Who::Level(_) => None,
            Who::Bot(name) => Some(name),
        }
    }

    /// What it is asked outside a match, if it is a level.
    pub fn question(&self, seed: u64) -> Option<SearchRequest> {
        let Who::Level(level) = self.who else { return None };
        Some(SearchRequest { level, limits: self.limits.clone(), seed, lines: 1 })
    }

    /// Its clock at the start of a game.
    pub fn clock(&self) -> Option<Clock> {
        self.limits.clock
    }
}

impl FromStr for Contestant {
    type Err = String;

    fn from_str(text: &str) -> Result<Contestant, String> {
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
        Ok(Contestant { who, limits })
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
            _ => {
                return Err(format!(
                    "there is no limit {name:?}; there is time_ms, nodes, depth, clock, threads"
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

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { time_ms, nodes, depth, clock, threads } = &self.limits;
        let limits: Vec<String> = [
            time_ms.map(|time| format!("time_ms={time}")),
            nodes.map(|nodes| format!("nodes={nodes}")),
            depth.map(|depth| format!("depth={depth}")),
            clock.map(|Clock { left_ms, increment_ms }| match increment_ms {
                0 => format!("clock={left_ms}"),
                _ => format!("clock={left_ms}+{increment_ms}"),
            }),
            threads.map(|threads| format!("threads={threads}")),
        ]
        .into_iter()
        .flatten()
        .collect();
        let at = if limits.is_empty() { "" } else { "@" };
        match &self.who {
            Who::Level(level) => write!(f, "{}", level.id())?,
            Who::Bot(name) => write!(f, "{BOT}{name}")?,
        }
        write!(f, "{at}{}", limits.join(","))
    }
}

impl Serialize for Contestant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Contestant {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Contestant, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contestant_is_a_level_with_limits() {
        let contestant: Contestant = "greedy@depth=3,nodes=200".parse().expect("a contestant");
        assert_eq!(contestant.question(1).map(|question| question.level), Some(Level::Greedy));
        assert_eq!(contestant.to_string(), "greedy@nodes=200,depth=3");
        let limits = Limits { nodes: Some(200), depth: Some(3), ..Limits::default() };
        assert_eq!(contestant.player(), Player::Ai { level: "greedy".into(), limits: Some(limits) });
        for text in ["master@clock=60000+500,threads=2", "master@time_ms=9,clock=100"] {
            let contestant: Contestant = text.parse().expect("a contestant");
            assert_eq!(contestant.to_string(), text);
        }
        let plain: Contestant = "random".parse().expect("a contestant");
        assert_eq!(plain.player(), Player::Ai { level: "random".into(), limits: None });
        assert_eq!(plain.to_string(), "random");
    }

    #[test]
    fn a_contestant_may_be_a_bot() {
        let bot: Contestant = "bot:mine@time_ms=200".parse().expect("a contestant");
        assert_eq!((bot.bot(), bot.to_string().as_str()), (Some("mine"), "bot:mine@time_ms=200"));
        let limits = Limits { time_ms: Some(200), ..Limits::default() };
        assert_eq!(bot.player(), Player::Bot { name: "mine".into(), limits: Some(limits) });
        assert!(bot.question(1).is_none());
    }

    #[test]
    fn what_is_no_contestant_is_refused_with_the_reason() {
        for (text, reason) in [
            ("bot:mine@moves=3", "there is no limit \"moves\""),
            ("nobody", "there is no level \"nobody\"; a player is one of random"),
            ("", "there is no level \"\""),
            ("greedy@", "\"\" is no limit; behind the @ stands one as nodes=200"),
            ("greedy@200", "\"200\" is no limit"),
            ("greedy@moves=3", "there is no limit \"moves\"; there is time_ms, nodes, depth, clock, threads"),
            ("greedy@nodes=0", "nodes must be a whole number from 1 up, not \"0\""),
            ("greedy@depth=many", "depth must be a whole number from 1 up, not \"many\""),
            ("greedy@nodes=1,nodes=2", "nodes is given twice"),
            ("greedy@clock=0", "clock is written in milliseconds as 60000 or 60000+500, not \"0\""),
            ("greedy@clock=1+2+3", "clock is written in milliseconds as 60000 or 60000+500, not \"1+2+3\""),
            ("greedy@clock=1,clock=2", "clock is given twice"),
            ("master@threads=0", "threads must be a whole number from 1 up, not \"0\""),
        ] {
            let refusal = text.parse::<Contestant>().expect_err(text);
            assert!(refusal.starts_with(reason), "{text}: {refusal}");
        }
    }
}
