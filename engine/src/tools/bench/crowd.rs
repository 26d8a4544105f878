//! Many clients at one socket: how long a move takes there and back, and whether everybody sees
//! everything.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabuleiro_protocol::Id;
use tabuleiro_protocol::message::request;
use tabuleiro_protocol::socket::Socket;

use crate::random::Random;
use crate::threads;

/// So many open tables, shared out among the clients.
const TABLES: usize = 1000;

/// What a crowd of clients noticed.
#[derive(Debug, Default, Serialize)]
pub struct Crowd {
    pub clients: usize,
    pub tables: usize,
    pub plays: u64,
    pub plays_per_s: f64,
    /// From asking for a move to being told that it was played.
    pub median_ms: f64,
    pub percentile_99_ms: f64,
    /// Moves of others that clients were told about.
    pub watched: u64,
    /// Those that did not come, came twice or came in the wrong order.
    pub wrong: u64,
}

/// Lets clients play random games of Zurero at tables of their own, each watched by another client,
/// with a pause between moves.
pub fn crowd(engine: &mut Command, clients: usize, time: Duration, pause: Duration) -> io::Result<Crowd> {
    let name = format!("tabuleiro-crowd-{}", std::process::id());
    let mut engine = start(engine, &name)?;
    let seen = meet(&name, clients, time, pause);
    // It has nothing to keep.
    let _ = engine.kill();
    engine.wait()?;
    let mut times = Vec::new();
    let mut crowd = Crowd { clients, tables: TABLES, ..Crowd::default() };
    for seen in seen {
        let seen = seen?;
        times.extend(seen.times);
        crowd.watched += seen.watched;
        crowd.wrong += seen.wrong;
    }
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    crowd.plays = times.len() as u64;
    crowd.plays_per_s = crowd.plays as f64 / time.as_secs_f64();
    crowd.median_ms = at(0.5).as_secs_f64() * 1e3;
    crowd.percentile_99_ms = at(0.99).as_secs_f64() * 1e3;
    Ok(crowd)
}

/// Starts an engine and waits until it is ready.
fn start(engine: &mut Command, name: &str) -> io::Result<Child> {
    let mut engine = engine
        .args(["--socket", name])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(said) = engine.stderr.take() {
        BufReader::new(said).read_line(&mut String::new())?;
    }
    Ok(engine)
}

/// What one client noticed.
#[derive(Default)]
struct Seen {
    times: Vec<Duration>,
    watched: u64,
    wrong: u64,
}

fn meet(name: &str, clients: usize, time: Duration, pause: Duration) -> Vec<io::Result<Seen>> {
    let together = Barrier::new(clients);
    // Each client's tables with how many actions were played there in all.
    let tables: Vec<Mutex<HashMap<String, u64>>> = (0..clients).map(|_| Mutex::default()).collect();
    thread::scope(|scope| {
        // Nobody waits for one who has no thread.
        let mut gates = Vec::new();
        let visits = (0..clients)
            .map(|number| {
                let (together, tables) = (&together, &tables);
                let (gate, opens) = channel::<()>();
                gates.push(gate);
                threads::spawn_scoped(scope, move || -> io::Result<Seen> {
                    opens.recv().map_err(io::Error::other)?;
                    let neighbour = (number + 1) % clients;
                    let mut client = CrowdClient::come_to(name)?;
                    for table in (number..TABLES).step_by(clients) {
                        let params = json!({"game": "zurero", "options": {"size": 9}, "seed": table});
                        let opened = client.ask("new", params)?;
                        tables[number].lock().insert(opened.table, 0);
                    }
                    together.wait();
                    let watched = tables[neighbour].lock().clone();
                    for table in watched.keys() {
                        client.ask("attach", json!({"table": table}))?;
                    }
                    let mut mine: Vec<String> = tables[number].lock().keys().cloned().collect();
                    mine.sort_unstable();
                    together.wait();
                    let played = client.play_for(&mine, number as u64, time, pause)?;
                    *tables[number].lock() = played;
                    together.wait();
                    // What was said before is heard by then.
                    client.ask("tables", json!({}))?;
                    let watched = tables[neighbour].lock().clone();
                    Ok(client.report(&watched))
                })
            })
            .collect::<io::Result<Vec<_>>>();
        let visits = match visits {
            Ok(visits) => visits,
            Err(error) => return vec![Err(error)],
        };
        for gate in &gates {
            // It is there as long as its thread is.
            let _ = gate.send(());
        }
        let gone = || Err(io::Error::other("a client broke down"));
        visits.into_iter().map(|visit| visit.join().unwrap_or_else(|_| gone())).collect()
    })
}

struct CrowdClient {
    input: BufReader<Socket>,
    output: Socket,
    next_id: i64,
    times: Vec<Duration>,
    /// By watched table: how many actions it has, and how many were played there in all.
    watched: HashMap<String, (u64, u64)>,
    wrong: u64,
}

#[derive(Deserialize)]
struct Message {
    id: Option<i64>,
    result: Option<TableAnswer>,
    params: Option<Changed>,
}

/// What of an answer is looked at.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TableAnswer {
    table: String,
    ply: u64,
    actions: Vec<String>,
}

/// What of a change is looked at.
#[derive(Deserialize)]
struct Changed {
    table: String,
    ply: u64,
    actions: Vec<String>,
}

impl CrowdClient {
    fn come_to(name: &str) -> io::Result<CrowdClient> {
        let output = Socket::connect(name)?;
        let input = BufReader::new(output.clone());
        Ok(CrowdClient { input, output, next_id: 1, times: Vec::new(), watched: HashMap::new(), wrong: 0 })
    }

    fn ask(&mut self, method: &str, params: Value) -> io::Result<TableAnswer> {
        let id = self.next_id;
        self.next_id += 1;
        let line = request(&Id::Number(id), method, params) + "\n";
        self.output.write_all(line.as_bytes())?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.input.read_line(&mut line)? == 0 {
                return Err(io::Error::other("the engine has gone"));
            }
            let message: Message = serde_json::from_str(&line)?;
            if let Some(changed) = message.params {
                self.note(changed);
            } else if message.id == Some(id) {
                return message.result.ok_or_else(|| io::Error::other(format!("refused: {line}")));
            }
        }
    }

    fn note(&mut self, changed: Changed) {
        let (ply, played) = self.watched.entry(changed.table).or_default();
        // Without actions it was taken back, or a seat is free.
        if !changed.actions.is_empty() && changed.ply != *ply + 1 {
            self.wrong += 1;
        }
        *ply = changed.ply;
        *played += changed.actions.len() as u64;
    }

    /// Plays random moves at one table after the other; a game that is over is taken back to its
    /// start. Gives how many were played where.
    fn play_for(
        &mut self,
        tables: &[String],
        seed: u64,
        time: Duration,
        pause: Duration,
    ) -> io::Result<HashMap<String, u64>> {
        let mut random = Random::new(seed);
        let mut played: HashMap<String, u64> = tables.iter().map(|table| (table.clone(), 0)).collect();
        let began = Instant::now();
        for table in tables.iter().cycle().take_while(|_| began.elapsed() < time) {
            let legal = self.ask("actions", json!({"table": table}))?.actions;
            let Some(action) = legal.get(random.below(legal.len().max(1) as u32) as usize) else {
                let ply = self.ask("state", json!({"table": table}))?.ply;
                self.ask("undo", json!({"table": table, "actions": ply}))?;
                continue;
            };
            let asked = Instant::now();
            self.ask("play", json!({"table": table, "actions": [action]}))?;
            self.times.push(asked.elapsed());
            *played.entry(table.clone()).or_default() += 1;
            thread::sleep(pause);
        }
        Ok(played)
    }

    fn report(self, watched: &HashMap<String, u64>) -> Seen {
        let seen_at = |table: &String| self.watched.get(table).map_or(0, |&(_, played)| played);
        let missing: u64 = watched.iter().map(|(table, &played)| played.abs_diff(seen_at(table))).sum();
        Seen { times: self.times, watched: watched.values().sum(), wrong: self.wrong + missing }
    }
}
