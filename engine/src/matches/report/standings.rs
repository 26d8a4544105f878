//! What a tournament came to: ratings, and a cross table.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::match_report::{listed, played};
use super::ratings::{PairingScore, Zero, ratings};
use super::{Counts, Ended, Report};
use crate::matches::{Shard, Tournament};

/// What a tournament came to. As JSON it is the last line that `match --json` writes.
#[derive(Clone, Debug, Serialize)]
pub struct Standings {
    pub game: String,
    pub options: Map<String, Value>,
    pub gauntlet: bool,
    pub seed: u64,
    pub opening: usize,
    /// The part of a tournament that this is, if it is not all of it.
    pub shard: Option<Shard>,
    pub ended: Ended,
    /// The best first.
    pub players: Vec<Row>,
    /// In the order in which they were played.
    pub pairings: Vec<Report>,
    /// How long this run took; null where the games were played by others.
    pub seconds: Option<f64>,
}

/// A player and all its games.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub player: String,
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// Null without games.
    pub score: Option<f64>,
    /// The average player has 0; in a gauntlet, where everything was measured by the first player,
    /// that one has.
    pub elo: f64,
    pub elo_low: f64,
    pub elo_high: f64,
    pub failures: Counts,
}

impl Standings {
    /// With a report on every pairing, in their order.
    pub(in crate::matches) fn new(
        tournament: &Tournament,
        reports: Vec<Report>,
        took: Option<Duration>,
    ) -> Standings {
        let pairings = tournament.pairings();
        let mut players: Vec<Row> =
            tournament.players.iter().map(|player| Row::of(player.to_string())).collect();
        for (pairing, report) in pairings.iter().zip(&reports) {
            let [one, other] = pairing.players;
            players[one].add(report.wins, report.draws, report.losses, &report.failures.a);
            players[other].add(report.losses, report.draws, report.wins, &report.failures.b);
        }
        let scores: Vec<PairingScore> = pairings
            .iter()
            .zip(&reports)
            .map(|(pairing, report)| PairingScore { players: pairing.players, sample: report.sample })
            .collect();
        let zero = if tournament.gauntlet { Zero::Player(0) } else { Zero::Average };
        for (row, rating) in players.iter_mut().zip(ratings(tournament.players.len(), &scores, zero)) {
            (row.elo, row.elo_low, row.elo_high) = (rating.elo, rating.low, rating.high);
        }
        players.sort_by(|one, other| other.elo.total_cmp(&one.elo));
        let all = |ended| reports.iter().all(|report| report.ended == ended);
        let ended = match () {
            _ if reports.iter().any(|report| report.ended == Ended::Failed) => Ended::Failed,
            _ if all(Ended::Finished) => Ended::Finished,
            _ => Ended::Interrupted,
        };
        Standings {
            game: tournament.game.clone(),
            options: tournament.options.clone(),
            gauntlet: tournament.gauntlet,
            seed: tournament.seed,
            opening: tournament.opening,
            shard: reports.first().and_then(|report| report.shard),
            ended,
            players,
            pairings: reports,
            seconds: took.map(|took| took.as_secs_f64()),
        }
    }

    /// The share that a player had of the points against another.
    fn scores(&self) -> BTreeMap<(String, String), f64> {
        let mut scores = BTreeMap::new();
        for report in &self.pairings {
            let (a, b) = (report.settings.a.to_string(), report.settings.b.to_string());
            if let Some(score) = report.score {
                scores.insert((a.clone(), b.clone()), score);
                scores.insert((b, a), 1.0 - score);
            }
        }
        scores
    }

    fn table(&self) -> Vec<Vec<String>> {
        let titles = ["", "player", "Elo", "95 %", "score", "games", "won", "drawn", "lost", "failures"];
        let mut table = vec![titles.map(String::from).to_vec()];
        for (rank, row) in (1..).zip(&self.players) {
            // In a gauntlet everybody else is measured by the first player.
            let is_measure = self.gauntlet && row.elo_low == row.elo_high;
            let range = format!("{:+.0} to {:+.0}", row.elo_low, row.elo_high);
            let failures = if row.failures.is_empty() { "none".into() } else { listed(&row.failures) };
            table.push(vec![
                format!("{rank}"),
                row.player.clone(),
                if is_measure { "0".into() } else { format!("{:+.0}", row.elo) },
                if is_measure { "-".into() } else { range },
                percent(row.score),
                row.games.to_string(),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                failures,
            ]);
        }
        table
    }

    fn cross_table(&self) -> Vec<Vec<String>> {
        let scores = self.scores();
        let ranks = (1..=self.players.len()).map(|rank| rank.to_string());
        let mut table = vec![["", "against"].map(String::from).into_iter().chain(ranks).collect::<Vec<_>>()];
        for (rank, row) in (1..).zip(&self.players) {
            let score = |against: &Row| scores.get(&(row.player.clone(), against.player.clone())).copied();
            let mut line = vec![format!("{rank}"), row.player.clone()];
            line.extend(self.players.iter().map(|against| percent(score(against))));
            table.push(line);
        }
        table
    }
}

impl Row {
    fn of(player: String) -> Row {
        Row {
            player,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            score: None,
            elo: 0.0,
            elo_low: 0.0,
            elo_high: 0.0,
            failures: Counts::new(),
        }
    }

    fn add(&mut self, wins: u32, draws: u32, losses: u32, failures: &Counts) {
        self.wins += wins;
        self.draws += draws;
        self.losses += losses;
        self.games += wins + draws + losses;
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        self.score = (self.games > 0).then(|| points / f64::from(self.games));
        for (reason, count) in failures {
            *self.failures.entry(reason.clone()).or_default() += count;
        }
    }
}

/// For people.
impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Standings { game, seed, opening, players, .. } = self;
        let (kind, zero) = if self.gauntlet {
            let first = self.pairings.first().map(|report| report.settings.a.to_string());
            ("a gauntlet", format!("{} has 0", first.unwrap_or_default()))
        } else {
            ("a round robin", "their average is 0".into())
        };
        let count = players.len();
        writeln!(f, "{game}: {kind} of {count} players, seed {seed}, openings of {opening} random turns")?;
        let games = self.pairings.iter().map(|report| report.games).sum();
        writeln!(f, "games      {}", played(games, self.seconds, self.ended))?;
        if let Some(shard) = self.shard {
            writeln!(f, "shard      {shard}, a part of the tournament: match merge adds the parts up")?;
        }
        writeln!(f, "Elo        {zero}; a draw against an average player is added for each")?;
        writeln!(f)?;
        write_table(f, &self.table())?;
        writeln!(f)?;
        write_table(f, &self.cross_table())
    }
}

/// Players, in the second column, stand to the left of it; all else stands to the right.
fn write_table(f: &mut fmt::Formatter<'_>, table: &[Vec<String>]) -> fmt::Result {
    let columns = table.first().map_or(0, Vec::len);
    let width = |column: usize| table.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for line in table {
        let cells: Vec<String> = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, &width))| match column {
                1 => format!("{cell:width$}"),
                _ => format!("{cell:>width$}"),
            })
            .collect();
        writeln!(f, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

fn percent(share: Option<f64>) -> String {
    share.map_or("-".into(), |share| format!("{:.1} %", share * 100.0))
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::{Outcome, Seat};

    use super::*;
    use crate::matches::plan::seat_of_a;
    use crate::matches::report::Results;
    use crate::matches::{Effort, GameResult, Pairing, PerContender, Schedule};

    fn result(number: u32, winner: Option<Seat>, reason: &str) -> GameResult {
        GameResult {
            number,
            seat_of_a: seat_of_a(number),
            outcome: Outcome { winner, reason: reason.into() },
            turns: 20,
            effort: PerContender { a: Effort::default(), b: Effort::default() },
        }
    }

    #[test]
    fn failures_of_a_player_are_added_up_over_its_pairings() {
        let players = ["random", "greedy", "master"].map(|player| player.parse().expect("a player")).into();
        let tournament = Tournament {
            game: "zurero".into(),
            options: Map::new(),
            players,
            gauntlet: false,
            seed: 1,
            opening: 6,
            bot_margin_ms: None,
        };
        let (one, two) = (Some(Seat::One), Some(Seat::Two));
        // Player a has seat 1 in the first game and seat 2 in the second.
        let games = [
            [result(1, two, "crashed"), result(2, one, "illegal")], // random fails against greedy
            [result(1, two, "crashed"), result(2, None, "no_moves")], // and against master
            [result(1, one, "time"), result(2, one, "five")],       // master fails against greedy
        ];
        let schedule = Schedule { games: 2, ..Schedule::default() };
        let report = |(pairing, games): (&Pairing, &[GameResult; 2])| {
            let mut results = Results::new(None);
            games.iter().for_each(|game| results.add(game.clone()));
            Report::new(&pairing.settings, &schedule, results, false, None)
        };
        let reports = tournament.pairings().iter().zip(&games).map(report).collect();
        let standings = Standings::new(&tournament, reports, None);
        let rows: Vec<_> = standings.players.iter().map(|row| (row.player.as_str(), row)).collect();
        let (_, random) = rows.iter().find(|(player, _)| *player == "random").expect("random");
        assert_eq!((random.games, random.wins, random.draws, random.losses), (4, 0, 1, 3));
        assert_eq!((random.score, listed(&random.failures)), (Some(0.125), "crashed 2, illegal 1".into()));
        let (_, master) = rows.iter().find(|(player, _)| *player == "master").expect("master");
        assert_eq!((master.games, listed(&master.failures)), (4, "time 1".into()));
        let text = standings.to_string();
        assert!(text.contains("  crashed 2, illegal 1\n") && text.contains("  time 1\n"), "{text}");
        assert!(text.contains("3  random    0.0 %  25.0 %"), "{text}");
    }
}
