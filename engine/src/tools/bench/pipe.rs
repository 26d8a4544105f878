//! Many positions through a pipe: what a program that studies positions gets out of an engine.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tabuleiro_protocol::Id;
use tabuleiro_protocol::line::LONGEST_LINE;
use tabuleiro_protocol::message::request;

use super::Start;
use crate::random::Random;
use crate::session::Session;

/// So many positions in a request.
const POSITIONS: usize = 10_000;

/// How many of them are searched, with how many nodes each.
const SEARCHED: usize = 500;
const NODES: u64 = 100;

/// How often random games are played from the start of the game, and how many at a time.
const PLAYED_OUT: usize = 100;
const PLAYOUTS: usize = 200;

/// Of the games, and so of all that is asked about them: it draws the tiles of those that have some.
const SEED: u64 = 1;

/// What comes back in a second, from the first byte of a request to the last of its answer.
#[derive(Clone, Debug, Serialize)]
pub struct Piped {
    pub positions: usize,
    /// Static evaluations of all positions along games.
    pub evaluations_along_games_per_s: f64,
    /// Static evaluations of positions that are told one by one in the same request.
    pub evaluations_per_s: f64,
    pub playouts_per_s: f64,
    pub searches_per_s: f64,
    /// The same searches, each in a request of its own that is sent when the last one is answered.
    pub single_searches_per_s: f64,
}

/// Asks an engine that is started for it about positions of random games.
pub fn piped(engine: &mut Command, game: &str, start: Start<'_>, time: Duration) -> io::Result<Piped> {
    let mut engine = PipedEngine::start(engine)?;
    let games = random_games(start);
    let whole: Vec<Value> = games.iter().map(|played| json!({"played": played})).collect();
    let along =
        json!({"game": game, "positions": whole, "every": true, "ask": {"evaluation": true}, "seed": SEED});
    let single: Vec<&[String]> = single_positions(&games);
    let positions = |count: usize| -> Vec<Value> {
        single.iter().cycle().take(count).map(|played| json!({"played": played})).collect()
    };
    let apart =
        json!({"game": game, "positions": positions(POSITIONS), "ask": {"evaluation": true}, "seed": SEED});
    let starts = vec![json!({}); PLAYED_OUT];
    let random = json!({"game": game, "positions": starts, "ask": {"playouts": PLAYOUTS}, "seed": SEED});
    let limits = json!({"nodes": NODES});
    let search = json!({"level": "master", "limits": limits});
    let searches =
        json!({"game": game, "positions": positions(SEARCHED), "ask": {"search": search}, "seed": SEED});
    let choices: Vec<Value> = single
        .iter()
        .take(SEARCHED)
        .map(|played| json!({"game": game, "played": played, "level": "master", "limits": limits, "seed": SEED}))
        .collect();
    let share = time / 5;
    let piped = Piped {
        positions: POSITIONS,
        evaluations_along_games_per_s: engine.rate(share, POSITIONS, "batch", &[along])?,
        evaluations_per_s: engine.rate(share, POSITIONS, "batch", &[apart])?,
        playouts_per_s: engine.rate(share, PLAYED_OUT * PLAYOUTS, "batch", &[random])?,
        searches_per_s: engine.rate(share, SEARCHED, "batch", &[searches])?,
        single_searches_per_s: engine.rate(share, choices.len(), "choose", &choices)?,
    };
    engine.finish()?;
    Ok(piped)
}

/// Random games with [`POSITIONS`] positions in all.
fn random_games(start: Start<'_>) -> Vec<Vec<String>> {
    let mut games = Vec::new();
    let mut left = POSITIONS;
    for seed in 0.. {
        if left == 0 {
            break;
        }
        // A game has one position more than actions.
        let played = random_game(start(SEED), seed, left - 1);
        left -= played.len() + 1;
        games.push(played);
    }
    games
}

fn random_game(mut session: Session, seed: u64, most: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    for _ in 0..most {
        let legal = session.position().actions();
        if legal.is_empty() || session.play_unseen(&legal[random.below(legal.len() as u32) as usize]).is_err()
        {
            break;
        }
    }
    session.history().played()
}

/// Positions of the games that fit into a line all together, and in which there is something to do.
fn single_positions(games: &[Vec<String>]) -> Vec<&[String]> {
    let room = (LONGEST_LINE - 1024) / POSITIONS - r#"{"played":[]},"#.len();
    let fits = |played: &[String]| played.iter().map(|action| action.len() + 3).sum::<usize>() <= room;
    let all = games.iter().flat_map(|game| (0..game.len()).map(|ply| &game[..ply]));
    all.filter(|played| fits(played)).collect()
}

struct PipedEngine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl PipedEngine {
    fn start(engine: &mut Command) -> io::Result<PipedEngine> {
        let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let gone = || io::Error::other("the engine has no pipe");
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = BufReader::with_capacity(1 << 16, child.stdout.take().ok_or_else(gone)?);
        Ok(PipedEngine { child, input, output })
    }

    /// How many things come in a second, if these requests, one after the other, bring so many.
    fn rate(&mut self, time: Duration, things: usize, method: &str, all: &[Value]) -> io::Result<f64> {
        let lines: Vec<String> =
            all.iter().map(|params| request(&Id::Number(1), method, params) + "\n").collect();
        let (mut rounds, mut took) = (0, Duration::ZERO);
        let began = Instant::now();
        // The first round is not counted: everything is new to it.
        while rounds < 2 || began.elapsed() < time {
            let asked = Instant::now();
            for line in &lines {
                self.ask(line)?;
            }
            took += if rounds == 0 { Duration::ZERO } else { asked.elapsed() };
            rounds += 1;
        }
        Ok((things * (rounds - 1)) as f64 / took.as_secs_f64())
    }

    fn ask(&mut self, line: &str) -> io::Result<()> {
        self.input.write_all(line.as_bytes())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        if answer.contains(r#""error""#) || answer.is_empty() {
            let answer: String = answer.chars().take(200).collect();
            return Err(io::Error::other(format!("the engine refused: {answer}")));
        }
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        let PipedEngine { mut child, input, output } = self;
        drop((input, output));
        child.wait().map(drop)
    }
}
