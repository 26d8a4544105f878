//! What a player of one's own is made from: a function from a [`ChooseRequest`] to actions.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::line::Lines;
use crate::message::{ErrorCode, ErrorObject, Request, response};
use crate::method::{Choose, Method, SayHello};
use crate::shape::{self, Unknown};
use crate::{Hello, Limits, PROTOCOL_VERSION, Seat, Start, State};

/// A position, and the request to choose what to play in it.
#[derive(Clone, Debug)]
pub struct ChooseRequest {
    pub game: String,
    pub options: Map<String, Value>,
    /// Every action that is legal now, so that a bot needs no rules of its own.
    pub legal: Vec<String>,
    pub state: State,
    /// Every action since the start of the game.
    pub played: Vec<String>,
    /// The position at the start, if it was told.
    pub start: Option<Start>,
    pub limits: Limits,
    pub seed: Option<u64>,
    /// The seat that the bot plays.
    pub to_move: Seat,
    pub asked: Instant,
}

impl ChooseRequest {
    fn read(params: Value) -> Result<ChooseRequest, ErrorObject> {
        let asked = Instant::now();
        let choose: Choose = shape::read(params, Unknown::Ignored)?;
        let state = choose.state.ok_or_else(|| ErrorObject::params("state", "is missing"))?;
        Ok(ChooseRequest {
            game: choose.game,
            options: choose.options.unwrap_or_default(),
            legal: choose.legal.ok_or_else(|| ErrorObject::params("legal", "is missing"))?,
            to_move: state
                .to_move
                .ok_or_else(|| ErrorObject::params("state.to_move", "is null: the game is over"))?,
            state,
            played: choose.played,
            start: choose.start,
            limits: choose.limits.unwrap_or_default(),
            seed: choose.seed,
            asked,
        })
    }

    /// How much time is left to answer in; `None` if it is not limited. What the way to the engine
    /// takes is not in it.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.limits.time_for_turn()?.saturating_sub(self.asked.elapsed()))
    }
}

/// What a bot wants to play: one action, or several up to the whole turn. After a part of a turn it
/// is asked again.
pub type Chosen = Result<Vec<String>, Box<dyn Error>>;

/// Answers on standard input and output until the end of input.
///
/// What the bot prints goes to standard error, which the engine keeps for people: standard output
/// belongs to the protocol. (Where there is no Unix, a bot must not print.)
pub fn run(name: &str, choose: impl FnMut(&ChooseRequest) -> Chosen) -> io::Result<()> {
    serve(name, io::stdin().lock(), answers()?, choose)
}

/// Where the answers go, and nothing else from now on.
#[cfg(unix)]
fn answers() -> io::Result<impl Write> {
    use std::os::fd::AsFd as _;

    let answers = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
    nix::unistd::dup2_stdout(io::stderr())?;
    Ok(answers)
}

#[cfg(not(unix))]
fn answers() -> io::Result<impl Write> {
    Ok(io::stdout())
}

/// Answers `hello` and `choose` until the end of input.
///
/// A bad line is answered with an error, and so is a request that `choose` fails or panics at;
/// then the next one is read.
pub fn serve(
    name: &str,
    requests: impl BufRead,
    mut answers: impl Write,
    mut choose: impl FnMut(&ChooseRequest) -> Chosen,
) -> io::Result<()> {
    let mut requests = Lines::new(requests);
    while let Some(line) = requests.next_line()? {
        let answer = match Request::read(&line) {
            Err(bad) if bad.is_response => continue,
            Err(bad) => response(bad.id.as_ref(), Err::<(), _>(*bad.error)),
            Ok(request) => {
                let answer = result(name, &request.method, request.params, &mut choose);
                // Nobody waits for an answer.
                let Some(id) = request.id else { continue };
                response(Some(&id), answer)
            }
        };
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

fn result(
    name: &str,
    method: &str,
    params: Value,
    choose: &mut impl FnMut(&ChooseRequest) -> Chosen,
) -> Result<Value, ErrorObject> {
    match method {
        SayHello::NAME => {
            let hello = Hello {
                engine: name.into(),
                version: env!("CARGO_PKG_VERSION").into(),
                protocol: PROTOCOL_VERSION,
                games: Vec::new(),
                levels: Vec::new(),
                bots: Vec::new(),
                strict: false,
            };
            Ok(json!(hello))
        }
        Choose::NAME => {
            let request = ChooseRequest::read(params)?;
            let failed = |why: String| {
                eprintln!("{name} failed: {why}");
                ErrorObject::new(ErrorCode::Internal, format!("the bot failed: {why}"))
            };
            // A bot that panics over one position may know what to do in the next.
            let chosen = catch_unwind(AssertUnwindSafe(|| choose(&request)))
                .map_err(|_| failed("it panicked".into()))?
                .map_err(|error| failed(error.to_string()))?;
            if chosen.is_empty() {
                return Err(failed("it chose no action".into()));
            }
            Ok(json!({"actions": chosen}))
        }
        other => {
            let message =
                format!("there is no method {other:?}; there is {}, {}", SayHello::NAME, Choose::NAME);
            Err(ErrorObject::new(ErrorCode::UnknownMethod, message).with("method", other))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::LONGEST_LINE;

    fn params(seed: u64) -> Value {
        let state = json!({
            "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1,
            "seats": {"1": {"kind": "client"}, "2": {"kind": "client"}}, "sides": {"1": "black", "2": "white"},
            "ply": 1, "turn": 1, "to_move": 2, "phase": "play", "prompt": "", "rows": [], "counters": {},
            "last": null, "outcome": null, "undone": 0, "held": false,
        });
        json!({"game": "zurero", "played": ["@c3"], "state": state, "legal": ["e3", "nc"], "seed": seed,
            "limits": {"time_ms": 600_000}})
    }

    fn ask(id: i64, params: &Value) -> String {
        json!({"id": id, "method": "choose", "params": params}).to_string()
    }

    /// What a bot answers to these lines.
    fn answers(lines: &[&[u8]], choose: impl FnMut(&ChooseRequest) -> Chosen) -> Vec<Value> {
        let mut said = Vec::new();
        serve("tried", lines.join(&b'\n').as_slice(), &mut said, choose).expect("memory can be read");
        let said = String::from_utf8(said).expect("UTF-8");
        said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    fn last(request: &ChooseRequest) -> Chosen {
        Ok(request.legal.last().cloned().into_iter().collect())
    }

    #[test]
    fn hello_and_choose_are_answered() {
        let asked = ask(2, &params(1));
        let answers = answers(&[br#"{"id":"one","method":"hello"}"#, b"", asked.as_bytes()], |request| {
            assert_eq!((request.to_move, request.seed), (Seat::Two, Some(1)));
            let left = request.time_left().expect("the time is limited");
            assert!(left <= Duration::from_secs(600) && left > Duration::from_secs(300));
            last(request)
        });
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0]["id"], "one");
        assert_eq!(answers[0]["result"]["engine"], "tried");
        assert_eq!(answers[0]["result"]["protocol"], 1);
        assert_eq!(answers[1], json!({"jsonrpc": "2.0", "id": 2, "result": {"actions": ["nc"]}}));
    }

    #[test]
    fn bad_lines_are_answered_and_the_next_one_is_read() {
        let long = vec![b'x'; LONGEST_LINE + 1];
        for (line, id, code) in [
            (&b"nonsense"[..], json!(null), -32700),
            (b"\xff", json!(null), -32700),
            (b"[]", json!(null), -32600),
            (&long, json!(null), -32600),
            (br#"{"id":5}"#, json!(5), -32600),
            (br#"{"id":5,"method":"fly"}"#, json!(5), -32601),
            (br#"{"id":5,"method":"choose"}"#, json!(5), -32602),
        ] {
            let answers = answers(&[line, br#"{"id":6,"method":"hello"}"#], last);
            assert_eq!((&answers[0]["id"], &answers[0]["error"]["code"]), (&id, &json!(code)));
            assert_eq!(answers[1]["id"], 6);
        }
        for (member, field) in [("state", "state"), ("legal", "legal")] {
            let mut params = params(1);
            params.as_object_mut().expect("an object").remove(member);
            let answers = answers(&[ask(1, &params).as_bytes()], last);
            assert_eq!(answers[0]["error"]["data"]["field"], field);
        }
        assert!(answers(&[br#"{"method":"hello"}"#], last).is_empty());
    }

    #[test]
    fn it_goes_on_after_a_failure() {
        let lines: Vec<String> = (1..=4).map(|seed| ask(seed, &params(seed as u64))).collect();
        let lines: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
        let answers = answers(&lines, |request| match request.seed {
            Some(1) => Err("no idea".into()),
            Some(2) => panic!("on purpose"),
            Some(3) => Ok(Vec::new()),
            _ => last(request),
        });
        let messages: Vec<&Value> = answers.iter().map(|answer| &answer["error"]["message"]).collect();
        assert_eq!(messages[0], "the bot failed: no idea");
        assert_eq!(messages[1], "the bot failed: it panicked");
        assert_eq!(messages[2], "the bot failed: it chose no action");
        assert_eq!(answers[3]["result"]["actions"][0], "nc");
    }

    #[test]
    fn the_share_of_a_clock_is_the_engines() {
        let left = |limits: Value| {
            let mut params = params(1);
            params["limits"] = limits;
            let mut request = ChooseRequest::read(params).expect("a request");
            // All of it is still left.
            request.asked = Instant::now() + Duration::from_secs(3600);
            request.time_left()
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(left(json!({"nodes": 5})), None);
        assert_eq!(left(json!({"clock": {"left_ms": 600_000}})), seconds(20));
        assert_eq!(left(json!({"clock": {"left_ms": 600_000, "increment_ms": 20_000}})), seconds(30));
        assert_eq!(left(json!({"clock": {"left_ms": 10_000, "increment_ms": 60_000}})), seconds(5));
        assert_eq!(left(json!({"clock": {"left_ms": 600_000}, "time_ms": 1000})), seconds(1));
    }
}
