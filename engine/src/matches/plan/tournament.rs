//! A tournament as matches of every pairing.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Settings;
use crate::players::ComputerPlayer;
use crate::random::Random;

/// Everything that decides how the games of a tournament go. Each of its pairings is a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tournament {
    pub game: String,
    /// Every option of the game, those at their default included.
    pub options: Map<String, Value>,
    pub players: Vec<ComputerPlayer>,
    /// The first player meets every other one. Otherwise everybody meets everybody.
    pub gauntlet: bool,
    pub seed: u64,
    /// How many random turns every game begins with.
    pub opening: usize,
    /// How much longer than its time a bot may take, if one plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot_margin_ms: Option<u32>,
}

/// Two of a tournament's players, by number, and their match.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub players: [usize; 2],
    pub settings: Settings,
}

impl Tournament {
    pub fn check(&self) -> Result<(), String> {
        if self.players.len() < 2 {
            return Err(
                "a tournament needs at least two players: name each with a --player of its own".into()
            );
        }
        for (index, player) in self.players.iter().enumerate() {
            if self.players[..index].contains(player) {
                return Err(format!("the player {player} is named twice, and nobody plays against itself"));
            }
        }
        Ok(())
    }

    /// In the order in which they are played.
    pub fn pairings(&self) -> Vec<Pairing> {
        let firsts = if self.gauntlet { 1 } else { self.players.len() };
        let pairs = (0..firsts).flat_map(|one| (one + 1..self.players.len()).map(move |other| [one, other]));
        pairs.map(|players| Pairing { players, settings: self.settings_of(players) }).collect()
    }

    fn settings_of(&self, [one, other]: [usize; 2]) -> Settings {
        let (a, b) = (self.players[one].clone(), self.players[other].clone());
        Settings {
            game: self.game.clone(),
            options: self.options.clone(),
            seed: seed_of_pairing(self.seed, &a, &b),
            opening: self.opening,
            bot_margin_ms: self
                .bot_margin_ms
                .filter(|_| [&a, &b].iter().any(|player| player.bot().is_some())),
            a,
            b,
        }
    }
}

/// By the names of the two, so that it depends neither on the order of play nor on who else takes
/// part. Of 32 bits, which people can copy and every reader of JSON can read.
fn seed_of_pairing(seed: u64, a: &ComputerPlayer, b: &ComputerPlayer) -> u64 {
    let names = format!("{a}\n{b}");
    names.bytes().fold(seed, |hash, byte| Random::new(hash ^ u64::from(byte)).next_u64()) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(players: &[&str], gauntlet: bool) -> Tournament {
        let players = players.iter().map(|player| player.parse().expect("a player")).collect();
        Tournament {
            game: "zurero".into(),
            options: Map::new(),
            players,
            gauntlet,
            seed: 4,
            opening: 6,
            bot_margin_ms: None,
        }
    }

    fn who(tournament: &Tournament) -> Vec<[usize; 2]> {
        tournament.pairings().iter().map(|pairing| pairing.players).collect()
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_meets_all() {
        let players = ["random", "greedy", "master"];
        assert_eq!(who(&tournament(&players, false)), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(who(&tournament(&players, true)), [[0, 1], [0, 2]]);
    }

    #[test]
    fn the_seed_of_a_pairing_is_its_own_and_depends_on_nobody_else() {
        let seeds = |players: &[&str]| -> Vec<u64> {
            let tournament = tournament(players, false);
            tournament.pairings().iter().map(|pairing| pairing.settings.seed).collect()
        };
        let three = seeds(&["random", "greedy", "master"]);
        assert!(three[0] != three[1] && three[1] != three[2] && three[0] != three[2]);
        assert_eq!(seeds(&["greedy", "master"]), [three[2]]);
        assert_eq!(seeds(&["random", "master", "greedy"])[..2], [three[1], three[0]]);
        let other = Tournament { seed: 5, ..tournament(&["greedy", "master"], false) };
        assert_ne!(other.pairings()[0].settings.seed, three[2]);
    }

    #[test]
    fn nobody_plays_alone_or_against_itself() {
        assert!(tournament(&["random", "greedy"], false).check().is_ok());
        let alone = tournament(&["random"], false).check().expect_err("one player");
        assert!(alone.starts_with("a tournament needs at least two players"), "{alone}");
        let twice = tournament(&["greedy@nodes=9,depth=2", "random", "greedy@depth=2,nodes=9"], true).check();
        assert_eq!(
            twice.expect_err("twins"),
            "the player greedy@nodes=9,depth=2 is named twice, and nobody plays against itself"
        );
    }
}
