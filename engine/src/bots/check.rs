//! Tries a bot against the protocol, step by step.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tabuleiro_protocol::message::request;
use tabuleiro_protocol::method::{Choose, Method, SayHello};
use tabuleiro_protocol::{
    Choice, Clock, ErrorCode, Id, Limits, OptionKind, PROTOCOL_VERSION, PerSeat, Player, Seat,
};

use super::answer::shown;
use super::log::Log;
use super::pool::WaitGroup;
use super::process::{Process, Unanswered};
use super::turn::{longest, whole_turn};
use super::{BotRequest, STARTING_TIME, Spec, Supervisor};
use crate::catalog::GameKind;
use crate::random::Random;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{Position, Session};
use crate::table::Table;

/// What a bot is called while it is tried.
const NAME: &str = "bot";

/// The time for a turn, where a step says nothing else.
const TIME_MS: u64 = 200;

/// A game that takes longer says nothing new.
const MOST_TURNS: usize = 300;

/// How many random turns a position in mid-game is away from the start.
const MID_GAME: usize = 8;

/// How many random games are looked through for a position of a kind.
const GAMES_LOOKED_THROUGH: u64 = 40;

/// More than this in answer to one line is a flood.
const MOST_LINES: usize = 8;

/// The id of a hello behind what may or may not be answered.
const NEXT: i64 = 1_000_000;

/// Decides all chance.
const SEED: u64 = 7;

/// Whether a bot can play without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Must,
    /// The engine does not depend on it, but others that talk to the bot may.
    Should,
}

/// Something that was tried.
#[derive(Clone, Debug)]
pub struct CheckStep {
    pub need: Need,
    pub name: String,
    pub asked: String,
    pub came: String,
    pub expected: String,
    pub held: bool,
}

/// Tries a bot in these games and tells every step as soon as it is done.
pub fn check(
    command: Vec<String>,
    supervisor: Supervisor,
    margin: Duration,
    games: &[GameKind],
    tell: &mut dyn FnMut(CheckStep),
) {
    let spec = Spec { name: NAME.into(), command };
    let mut check = Check {
        spec,
        supervisor,
        margin,
        log: Arc::default(),
        supervisors: Arc::default(),
        process: None,
        asked: 0,
        takes_text: true,
        tell,
    };
    if check.hello() {
        check.lines();
        games.iter().for_each(|game| check.game(game));
        check.end();
    }
    check.process = None;
    check.supervisors.wait();
}

struct Check<'a> {
    spec: Spec,
    supervisor: Supervisor,
    /// How much longer than its time a turn may take.
    margin: Duration,
    log: Arc<Log>,
    supervisors: Arc<WaitGroup>,
    /// None before it is started, and after it has failed.
    process: Option<Process>,
    /// How many turns were asked for.
    asked: i64,
    /// It can answer requests whose id is a string. If not, that was told and need not be told with
    /// every turn.
    takes_text: bool,
    tell: &'a mut dyn FnMut(CheckStep),
}

impl Check<'_> {
    fn tell(&mut self, need: Need, name: &str, asked: &str, expected: &str, outcome: Result<String, String>) {
        let held = outcome.is_ok();
        let came = outcome.unwrap_or_else(|came| came);
        (self.tell)(CheckStep {
            need,
            name: name.into(),
            asked: shown(asked.trim_end()),
            came: shown(&came),
            expected: expected.into(),
            held,
        });
    }

    /// The bot, started if it is not there.
    fn process(&mut self) -> Result<&mut Process, Unanswered> {
        if self.process.is_none() {
            let Check { spec, supervisor, log, supervisors, .. } = self;
            self.process = Some(Process::start(spec, supervisor, log, supervisors, never())?);
        }
        self.process.as_mut().ok_or(Unanswered::Stopped)
    }

    /// Whether it starts and says hello at all.
    fn hello(&mut self) -> bool {
        let launched = Process::launch(&self.spec, &self.supervisor, &self.log, &self.supervisors);
        match launched {
            Ok(process) => self.process = Some(process),
            Err(failed) => {
                let expected = "a program that can be started";
                self.tell(Need::Must, "starts", &self.spec.command.join(" "), expected, Err(failed.detail));
                return false;
            }
        }
        for (need, name, id) in [
            (Need::Must, "hello, with a number for its id", Id::Number(1)),
            (Need::Must, "hello, with a string for its id", Id::Text("two".into())),
            (Need::Must, "hello, with a number in a string for its id", Id::Text("3".into())),
            (Need::Should, "hello, with a number beyond 2^53 for its id", Id::Number(9_007_199_254_740_993)),
        ] {
            let line = request_line(
                &id,
                SayHello::NAME,
                json!({"client": "check-bot", "protocol": PROTOCOL_VERSION}),
            );
            let answer = self.exchange(&line, &id);
            let said_hello = answer.is_ok();
            let expected = format!("a response with the id {id}, and a result");
            self.tell(need, name, &line, &expected, answer.map(|(line, _)| line));
            if id == Id::Number(1) && !said_hello {
                return false;
            }
            if matches!(id, Id::Text(_)) {
                self.takes_text &= said_hello;
            }
        }
        let id = Id::Number(4);
        let line = request_line(&id, SayHello::NAME, json!({}));
        let outcome = self.exchange(&line, &id).and_then(|(line, result)| {
            match result["protocol"] == PROTOCOL_VERSION {
                true => Ok(line),
                false => Err(line),
            }
        });
        let expected = format!("\"protocol\":{PROTOCOL_VERSION} in the result");
        self.tell(Need::Should, "hello says which protocol it speaks", &line, &expected, outcome);
        true
    }

    /// Lines of all kinds that are no questions for a turn.
    fn lines(&mut self) {
        let members = request_line(&Id::Number(5), SayHello::NAME, json!({"colour": "blue"})).replacen(
            '{',
            "{\"more\":[1],",
            1,
        );
        let outcome = self.exchange(&members, &Id::Number(5)).map(|(line, _)| line);
        let expected = "a result, as without the unknown members";
        self.tell(Need::Must, "ignores members that it does not know", &members, expected, outcome);

        let spaced = format!(
            "\r\n\n{}",
            request_line(&Id::Number(6), SayHello::NAME, json!({})).replace('\n', "\r\n")
        );
        let outcome = self.exchange(&spaced, &Id::Number(6)).map(|(line, _)| line);
        let expected = "a response with the id 6, and no other line";
        self.tell(
            Need::Should,
            "takes blank lines, and lines that end with \\r\\n",
            &format!("{spaced:?}"),
            expected,
            outcome,
        );

        let notice = "{\"method\":\"hello\"}\n";
        let outcome = self.heard_before_hello(notice).and_then(|lines| match lines.as_slice() {
            [] => Ok("nothing".into()),
            [line, ..] => Err(line.clone()),
        });
        let expected = "nothing: without an id nobody waits for an answer";
        self.tell(Need::Should, "does not answer a notification", notice, expected, outcome);

        for (name, line, id, code) in [
            (
                "an unknown method",
                "{\"id\":8,\"method\":\"no_such_method\"}\n",
                json!(8),
                ErrorCode::UnknownMethod,
            ),
            ("a line that is not JSON", "{\"id\":9,\n", Value::Null, ErrorCode::Parse),
            ("a line that is no request", "[1,2]\n", Value::Null, ErrorCode::InvalidRequest),
        ] {
            let outcome = self.heard_before_hello(line).and_then(|lines| match lines.as_slice() {
                [] => Err("nothing".into()),
                [line, ..] => {
                    let heard: Value = serde_json::from_str(line).unwrap_or_default();
                    let is_right =
                        heard["error"]["code"] == code.number() && heard["id"] == id && lines.len() == 1;
                    if is_right { Ok(line.clone()) } else { Err(lines.join(" ")) }
                }
            });
            let expected = format!(
                "an error with the code {} and the id {id}, and hello answered afterwards",
                code.number()
            );
            self.tell(Need::Should, &format!("refuses {name} and goes on"), line, &expected, outcome);
        }
    }

    /// Says something and waits for the response with this id. Gives it as a line, and its result.
    fn exchange(&mut self, line: &str, id: &Id) -> Result<(String, Value), String> {
        let deadline = Instant::now() + STARTING_TIME;
        let mut talk = || -> Result<(String, Value), Unanswered> {
            let process = self.process()?;
            process.say(line)?;
            process.response(id, deadline, never())
        };
        let talked = talk();
        self.unless_failed(talked)
    }

    /// What it says to a line before it answers a hello behind it.
    fn heard_before_hello(&mut self, line: &str) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + STARTING_TIME;
        let mut talk = || -> Result<Vec<String>, Unanswered> {
            let process = self.process()?;
            process.say(line)?;
            process.say(&request_line(&Id::Number(NEXT), SayHello::NAME, json!({})))?;
            let mut lines = Vec::new();
            loop {
                let heard = process.hear(deadline, never())?;
                let message: Value = serde_json::from_str(&heard).unwrap_or_default();
                if message["id"] == NEXT {
                    return Ok(lines);
                }
                if message.get("method").is_none() {
                    lines.push(heard);
                }
                if lines.len() > MOST_LINES {
                    return Ok(lines);
                }
            }
        };
        let talked = talk();
        self.unless_failed(talked)
    }

    /// A bot that has failed is started anew for the next step.
    fn unless_failed<T>(&mut self, talked: Result<T, Unanswered>) -> Result<T, String> {
        talked.map_err(|unanswered| {
            let Unanswered::Failed(failed) = unanswered else { return "nothing".into() };
            if failed.is_of_process() {
                self.process = None;
            }
            failed.to_string()
        })
    }

    /// Turns of one game, in positions of many kinds, and the whole game.
    fn game(&mut self, game: &GameKind) {
        let usual = Map::new();
        for options in extremes(game) {
            let shown = if options.is_empty() {
                String::new()
            } else {
                format!(" with {}", Value::Object(options.clone()))
            };
            if let Some(session) = at_start(game, &options) {
                self.turn(&format!("{}: the first turn{shown}", game.id), session, timed(TIME_MS));
            }
            if let Some(session) = in_mid_game(game, &options) {
                self.turn(&format!("{}: a turn in mid-game{shown}", game.id), session, timed(TIME_MS));
            }
        }
        if let Some(session) = somewhere(game, |session| session.position().actions().len() == 1) {
            self.turn(&format!("{}: a position with one legal action", game.id), session, timed(TIME_MS));
        }
        let in_mid_turn = |session: &Session| {
            session.history().last_turn().map(|last| last.seat) == session.position().to_move()
        };
        if let Some(session) = somewhere(game, in_mid_turn) {
            self.turn(&format!("{}: the rest of a turn", game.id), session, timed(TIME_MS));
        }
        if let Some(session) = in_mid_game(game, &usual) {
            self.turn(&format!("{}: a turn in 50 ms", game.id), session.clone(), timed(50));
            let clock = Clock { left_ms: 1_000, increment_ms: 0 };
            let clock = Limits { clock: Some(clock), ..Limits::default() };
            self.turn(
                &format!("{}: a turn with a second left on the clock", game.id),
                session.clone(),
                clock,
            );
            self.turn(&format!("{}: a turn with no limits", game.id), session, Limits::default());
        }
        if let Some(session) = at_start(game, &usual) {
            self.whole_game(game, session);
        }
    }

    /// One turn from a position.
    fn turn(&mut self, name: &str, session: Session, limits: Limits) {
        let Some(table) = table(session, limits) else { return };
        let Some((seat, request)) = request_at(&table) else { return };
        let (asked, outcome) = self.take_turn(&table, seat, &request);
        let expected = format!(
            "legal actions until the turn is over, in {} ms",
            longest(&request.limits, self.margin).as_millis()
        );
        self.tell(Need::Must, name, &asked, &expected, outcome.map(|choice| choice.actions.join(" ")));
    }

    /// The bot has one seat and random play the other.
    fn whole_game(&mut self, game: &GameKind, session: Session) {
        let Some(mut table) = table(session, timed(TIME_MS)) else { return };
        let mut random = Random::new(SEED);
        let mut turns = 0;
        let (mut asked, mut outcome) = (String::new(), Ok(String::new()));
        while turns < MOST_TURNS && outcome.is_ok() {
            let Some((seat, request)) = request_at(&table) else { break };
            let actions = if seat == Seat::One {
                let answer;
                (asked, answer) = self.take_turn(&table, seat, &request);
                answer.map(|choice| choice.actions)
            } else {
                Ok(random_turn(table.position(), random.next_seed()))
            };
            outcome = actions.and_then(|actions| {
                table.play_own(&actions).map_err(|refusal| refusal.to_string())?;
                turns += 1;
                Ok(match table.ending() {
                    Some(ending) => format!("{turns} turns, then: {}", ending.text),
                    None => format!("{turns} turns, and the game goes on"),
                })
            });
        }
        let expected = format!("legal turns to the end of the game, or {MOST_TURNS} of them");
        self.tell(Need::Must, &format!("{}: a whole game", game.id), &asked, &expected, outcome);
    }

    /// Asks for a turn as the engine does, with ids of both kinds and members that nobody knows.
    /// Gives the last line and what came of it.
    fn take_turn(
        &mut self,
        table: &Table,
        seat: Seat,
        request: &BotRequest,
    ) -> (String, Result<Choice, String>) {
        // Starting it is not part of the turn.
        let started = self.process().map(drop);
        if let Err(reason) = self.unless_failed(started) {
            return (self.spec.command.join(" "), Err(reason));
        }
        let deadline = Instant::now() + longest(&request.limits, self.margin);
        let last_line = RefCell::new(String::new());
        let mut ask = |choose: &Choose| -> Result<Value, Unanswered> {
            self.asked += 1;
            let with_text = self.takes_text && self.asked % 2 == 1;
            let id = match with_text {
                true => Id::Text(format!("turn-{}", self.asked)),
                false => Id::Number(self.asked),
            };
            let mut params = json!(choose);
            params["weather"] = json!({"sunny": true});
            let line = request_line(&id, Choose::NAME, params);
            last_line.replace(line.clone());
            let process = self.process()?;
            process.say(&line)?;
            process.response(&id, deadline, never()).map(|(_, result)| result)
        };
        let choice = whole_turn(table.clone(), seat, request, &mut ask);
        let outcome = self.unless_failed(choice);
        (last_line.into_inner(), outcome)
    }

    fn end(&mut self) {
        let started = self.process().map(drop);
        let started = self.unless_failed(started);
        let code = self.process.take().map(Process::finish);
        let outcome = |is_right: fn(i32) -> bool| match (&started, code) {
            (Err(reason), _) => Err(reason.clone()),
            (_, Some(Some(code))) if is_right(code) => Ok(format!("it ended with exit code {code}")),
            (_, Some(Some(KILLED))) => Err("it went on, and was killed".into()),
            (_, Some(Some(code))) => Err(format!("it ended with exit code {code}")),
            _ => Err("it went on".to_string()),
        };
        let (by_itself, well) = (outcome(|code| code != KILLED), outcome(|code| code == 0));
        let asked = "the end of its input";
        self.tell(Need::Must, "ends when its input does", asked, "its end within a second", by_itself);
        self.tell(Need::Should, "ends well when its input does", asked, "exit code 0", well);
    }
}

/// What a process exits with, as its supervisor says it, that the supervisor had to kill.
const KILLED: i32 = 128 + 9;

/// Nobody stops a check.
fn never() -> &'static AtomicBool {
    Control::silent().stop
}

fn request_line(id: &Id, method: &str, params: Value) -> String {
    request(id, method, params) + "\n"
}

fn timed(time_ms: u64) -> Limits {
    Limits { time_ms: Some(time_ms), ..Limits::default() }
}

fn table(session: Session, limits: Limits) -> Option<Table> {
    let player = Player::Bot { name: NAME.into(), limits: Some(limits) };
    Table::new(String::new(), session, PerSeat { one: player.clone(), two: player }).ok()
}

/// The bot plays both seats of a table of [`table`].
fn request_at(table: &Table) -> Option<(Seat, BotRequest)> {
    let (seat, player, seed) = table.to_act()?;
    let Player::Bot { name, limits } = player else { return None };
    Some((seat, BotRequest { name: name.clone(), limits: limits.clone().unwrap_or_default(), seed }))
}

/// The usual options, and each option at the ends of its range, or as each of its choices, as far
/// as they can be had.
fn extremes(game: &GameKind) -> Vec<Map<String, Value>> {
    let mut all = vec![Map::new()];
    for option in game.info().options {
        let values: Vec<Value> = match &option.kind {
            OptionKind::Integer { min, max, .. } => vec![json!(min), json!(max)],
            OptionKind::Choice { choices, .. } => choices.iter().map(|choice| json!(choice)).collect(),
        };
        let others = values.into_iter().filter(|value| *value != json!(option.default_value()));
        all.extend(others.map(|value| Map::from_iter([(option.name.clone(), value)])));
    }
    all
}

fn at_start(game: &GameKind, options: &Map<String, Value>) -> Option<Session> {
    game.open(Some(options), SEED, None).ok()
}

fn in_mid_game(game: &GameKind, options: &Map<String, Value>) -> Option<Session> {
    let mut session = at_start(game, options)?;
    let mut random = Random::new(SEED);
    for _ in 0..MID_GAME {
        let mut next = session.clone();
        let turn = random_turn(next.position(), random.next_seed());
        next.play_all(&turn).ok()?;
        if next.position().to_move().is_none() {
            break;
        }
        session = next;
    }
    Some(session)
}

/// A position of a kind, from random games with the usual options; `None` if there is none in them.
fn somewhere(game: &GameKind, is_right: impl Fn(&Session) -> bool) -> Option<Session> {
    let mut random = Random::new(SEED);
    for _ in 0..GAMES_LOOKED_THROUGH {
        let mut session = game.open(None, random.next_seed(), None).ok()?;
        while session.position().to_move().is_some() && session.history().ply() < 2 * MOST_TURNS {
            if session.history().ply() > 0 && is_right(&session) {
                return Some(session);
            }
            let actions = session.position().actions();
            let action = &actions[random.below(actions.len() as u32) as usize];
            session.play(action).ok()?;
        }
    }
    None
}

fn random_turn(position: &dyn Position, seed: u64) -> Vec<String> {
    position.choose(&SearchRequest::new(Level::Random, seed), &mut Control::silent()).actions
}
