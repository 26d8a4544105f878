//! Several clients at one server: they come, open tables, watch, claim, play, take back, resign and
//! leave in any order, and a plain model says what each of them must hear.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use serde_json::{Value, json};
use tabuleiro_engine::bots::Bots;
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::server::Server;

/// How many may be there at once.
const CLIENTS: usize = 4;
/// How many tables are opened in one history.
const TABLES: usize = 3;
/// Longer than anything takes; a test that gets here has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The one game that is played at every table: its actions, and the rows before each of them.
struct Line {
    actions: Vec<String>,
    rows: Vec<Value>,
}

static LINE: LazyLock<Line> = LazyLock::new(|| {
    let client = Connection::to(&server());
    let opened = client.get("new", game());
    let mut line = Line { actions: Vec::new(), rows: vec![opened["state"]["rows"].clone()] };
    while line.actions.len() < 12 {
        let legal = client.get("actions", json!({"table": "t1"}));
        let legal = legal["actions"].as_array().expect("a list");
        let action = legal[line.actions.len() * 7 % legal.len()].clone();
        let played = client.get("play", json!({"table": "t1", "actions": [action]}));
        line.actions.push(action.as_str().expect("a text").into());
        line.rows.push(played["state"]["rows"].clone());
        assert_eq!(played["state"]["outcome"], Value::Null, "it goes on: {:?}", line.actions);
    }
    client.leave();
    line
});

/// One in which the seats take turns action by action.
fn game() -> Value {
    json!({"game": "zurero", "options": {"size": 9}, "seed": 1})
}

type Client = usize;
/// 0 or 1.
type Seat = usize;

#[derive(Clone, Debug)]
enum Step {
    Come(Client),
    Leave(Client),
    Open(Client, [bool; 2]),
    /// At the table of this number, which need not be there.
    Ask(Client, usize, Request),
}

#[derive(Clone, Debug)]
enum Request {
    Attach,
    Detach,
    Claim(Seat),
    Release(Seat),
    SetSeat {
        seat: Seat,
        open: bool,
    },
    /// With the number of an action that is not the next one, if it is stale.
    Play {
        stale: bool,
    },
    Go {
        method: Method,
        actions: usize,
        ask: bool,
    },
    Resign(Seat),
    Hold(bool),
    Close,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Undo,
    Redo,
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Undo => "undo",
            Method::Redo => "redo",
        }
    }
}

impl Request {
    fn method(&self) -> &'static str {
        match self {
            Request::Attach => "attach",
            Request::Detach => "detach",
            Request::Claim(_) => "claim",
            Request::Release(_) => "release",
            Request::SetSeat { .. } => "seat",
            Request::Play { .. } => "play",
            Request::Go { method, .. } => method.name(),
            Request::Resign(_) => "resign",
            Request::Hold(true) => "hold",
            Request::Hold(false) => "resume",
            Request::Close => "close",
        }
    }

    /// Who wants to play does so at this ply.
    fn params(&self, table: &str, ply: usize) -> Value {
        match self {
            Request::Attach | Request::Detach | Request::Hold(_) | Request::Close => json!({"table": table}),
            Request::Claim(seat) | Request::Release(seat) | Request::Resign(seat) => {
                json!({"table": table, "seat": seat + 1})
            }
            Request::SetSeat { seat, open } => {
                json!({"table": table, "seat": seat + 1, "to": {"kind": "client", "open": open}})
            }
            Request::Play { stale } => {
                json!({"table": table, "actions": [LINE.actions[ply]], "ply": ply + usize::from(*stale)})
            }
            Request::Go { actions, ask, .. } => json!({"table": table, "actions": actions, "ask": ask}),
        }
    }
}

/// What must be so.
#[derive(Clone, Debug, Default)]
struct Model {
    here: BTreeSet<Client>,
    /// How many were opened so far.
    opened: usize,
    tables: BTreeMap<usize, Table>,
    /// What came of the last step.
    answer: Option<Answer>,
    /// Who hears of it unasked, what, and of which table.
    hears: Vec<(Client, &'static str, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    /// With the state of this table.
    Done(usize),
    Closed,
    Refused(&'static str),
}

#[derive(Clone, Debug)]
struct Table {
    maker: Option<Client>,
    seats: [SeatOf; 2],
    watchers: BTreeSet<Client>,
    ply: usize,
    undone: usize,
    resigned: Option<Seat>,
    held: bool,
    wish: Option<Wish>,
}

#[derive(Clone, Copy, Debug)]
struct SeatOf {
    open: bool,
    claimer: Option<Client>,
}

/// An undo or redo that needs somebody else's consent.
#[derive(Clone, Debug)]
struct Wish {
    by: Option<Seat>,
    method: Method,
    actions: usize,
    askers: BTreeSet<Client>,
}

const FREE: SeatOf = SeatOf { open: true, claimer: None };

impl Table {
    fn player_of(&self, seat: Seat) -> Option<Client> {
        self.seats[seat].claimer.or(self.maker)
    }

    fn plays(&self, client: Client, seat: Seat) -> bool {
        self.player_of(seat) == Some(client)
    }

    fn sits(&self, client: Client) -> bool {
        self.maker == Some(client) || self.plays(client, 0) || self.plays(client, 1)
    }

    /// Carries a request out, or says why not.
    fn take(&mut self, client: Client, request: &Request) -> Result<(), &'static str> {
        let check = |is_allowed: bool| if is_allowed { Ok(()) } else { Err("not_your_seat") };
        match *request {
            Request::Attach => {
                self.watchers.insert(client);
            }
            Request::Detach => {
                self.watchers.remove(&client);
            }
            Request::Claim(seat) => {
                let SeatOf { open, claimer } = self.seats[seat];
                check(claimer.map_or(open, |claimer| claimer == client))?;
                if claimer.is_none() {
                    self.seats[seat] = SeatOf { open: true, claimer: Some(client) };
                    self.wish = None;
                }
                self.watchers.insert(client);
            }
            Request::Release(seat) => {
                check(self.seats[seat].claimer == Some(client))?;
                self.seats[seat] = FREE;
                self.wish = None;
            }
            Request::SetSeat { seat, open } => {
                let is_maker = self.maker == Some(client);
                check(is_maker || self.plays(client, seat))?;
                self.seats[seat] = SeatOf { open, claimer: (!open && !is_maker).then_some(client) };
                self.held = false;
                self.wish = None;
            }
            Request::Play { stale: true } => return Err("stale"),
            Request::Play { stale: false } => {
                if self.resigned.is_some() {
                    return Err("game_over");
                }
                check(self.plays(client, self.ply % 2))?;
                self.ply += 1;
                self.undone = 0;
                self.held = false;
                self.wish = None;
            }
            Request::Go { method, actions, ask } => {
                check(self.sits(client))?;
                self.go(client, method, actions, ask)?;
            }
            Request::Resign(seat) => {
                if self.resigned.is_some() {
                    return Err("game_over");
                }
                check(self.plays(client, seat))?;
                self.resigned = Some(seat);
                self.wish = None;
            }
            Request::Hold(held) => {
                check(self.sits(client))?;
                self.held = held;
            }
            Request::Close => match self.maker {
                Some(maker) => check(maker == client)?,
                None => check(self.sits(client))?,
            },
        }
        Ok(())
    }

    fn go(&mut self, client: Client, method: Method, actions: usize, ask: bool) -> Result<(), &'static str> {
        let resigned = usize::from(self.resigned.is_some());
        let plies = match method {
            Method::Undo if actions > self.ply + resigned => return Err("nothing_to_undo"),
            Method::Undo => self.ply + resigned - actions..self.ply,
            Method::Redo if resigned == 1 || actions > self.undone => return Err("nothing_to_undo"),
            Method::Redo => self.ply..self.ply + actions,
        };
        let is_same = |wish: &Wish| (wish.method, wish.actions) == (method, actions);
        let askers = self.wish.as_ref().filter(|wish| is_same(wish)).map(|wish| wish.askers.clone());
        let agrees = |player: Client| {
            player == client || askers.as_ref().is_some_and(|askers| askers.contains(&player))
        };
        let touched = plies.clone().map(|ply| ply % 2).chain(self.resigned);
        if touched.into_iter().any(|seat| self.player_of(seat).is_some_and(|player| !agrees(player))) {
            if !ask {
                return Err("not_your_seat");
            }
            let by = (0..2).find(|&seat| self.plays(client, seat));
            let wish = self.wish.take().filter(is_same);
            let mut wish = wish.unwrap_or(Wish { by, method, actions, askers: BTreeSet::new() });
            wish.askers.insert(client);
            self.wish = Some(wish);
            return Ok(());
        }
        let count = plies.len();
        match method {
            Method::Undo => (self.ply, self.undone) = (plies.start, self.undone + count),
            Method::Redo => (self.ply, self.undone) = (plies.end, self.undone - count),
        }
        self.resigned = None;
        self.held = true;
        self.wish = None;
        Ok(())
    }

    /// A client goes away. Gives whether those who stay are told.
    fn lose(&mut self, client: Client) -> bool {
        self.watchers.remove(&client);
        let had_asked = self.wish.as_ref().is_some_and(|wish| wish.askers.contains(&client));
        let played = [0, 1].map(|seat| self.plays(client, seat));
        for (seat, is_free) in self.seats.iter_mut().zip(played) {
            if is_free {
                *seat = FREE;
            }
        }
        if self.maker == Some(client) {
            self.maker = None;
        }
        if had_asked || played != [false; 2] {
            self.wish = None;
        }
        had_asked || played != [false; 2]
    }

    fn is_left_alone(&self) -> bool {
        let is_claimed = self.seats.iter().any(|seat| seat.claimer.is_some());
        self.maker.is_none() && self.watchers.is_empty() && !is_claimed
    }

    fn seats(&self) -> Value {
        let seat = |seat: SeatOf| {
            let mut value = json!({"kind": "client"});
            for (name, is_so) in [("open", seat.open), ("claimed", seat.claimer.is_some())] {
                if is_so {
                    value[name] = true.into();
                }
            }
            value
        };
        json!({"1": seat(self.seats[0]), "2": seat(self.seats[1])})
    }

    /// What a client may know of it.
    fn state(&self) -> Value {
        let to_move = if self.resigned.is_some() { Value::Null } else { json!(self.ply % 2 + 1) };
        let outcome = self.resigned.map(|seat| json!({"winner": 2 - seat, "reason": "resign"}));
        let wanted = self.wish.as_ref().map(
            |wish| json!({"by": wish.by.map(|seat| seat + 1), "method": wish.method.name(), "actions": wish.actions}),
        );
        json!({
            "seats": self.seats(),
            "ply": self.ply,
            "undone": self.undone,
            "held": self.held,
            "to_move": to_move,
            "outcome": outcome,
            "wanted": wanted,
            "rows": LINE.rows[self.ply],
        })
    }
}

/// The members of a state that the model knows of.
fn known(state: &Value) -> Value {
    let names = ["seats", "ply", "undone", "held", "to_move", "outcome", "wanted", "rows"];
    let mut known: Value = names.into_iter().map(|name| (name.to_string(), state[name].clone())).collect();
    if let Some(outcome) = known["outcome"].as_object_mut() {
        outcome.remove("text");
    }
    known
}

impl Model {
    fn take(&mut self, step: &Step) {
        self.hears.clear();
        self.answer = None;
        match *step {
            Step::Come(client) => {
                self.here.insert(client);
            }
            Step::Leave(client) => {
                self.here.remove(&client);
                for (&number, table) in &mut self.tables {
                    if table.lose(client) {
                        self.hears.extend(table.watchers.iter().map(|&watcher| (watcher, "changed", number)));
                    }
                }
                self.tables.retain(|_, table| !table.is_left_alone());
            }
            Step::Open(client, open) => {
                self.opened += 1;
                let table = Table {
                    maker: Some(client),
                    seats: open.map(|open| SeatOf { open, claimer: None }),
                    watchers: BTreeSet::from([client]),
                    ply: 0,
                    undone: 0,
                    resigned: None,
                    held: false,
                    wish: None,
                };
                self.tables.insert(self.opened, table);
                self.answer = Some(Answer::Done(self.opened));
            }
            Step::Ask(client, number, ref request) => self.answer = Some(self.ask(client, number, request)),
        }
    }

    fn ask(&mut self, client: Client, number: usize, request: &Request) -> Answer {
        let Some(table) = self.tables.get_mut(&number) else { return Answer::Refused("unknown_table") };
        if let Err(kind) = table.take(client, request) {
            return Answer::Refused(kind);
        }
        let others = table.watchers.iter().filter(|&&watcher| watcher != client);
        let news = match request {
            Request::Attach | Request::Detach => return Answer::Done(number),
            Request::Close => "closed",
            _ => "changed",
        };
        self.hears.extend(others.map(|&watcher| (watcher, news, number)));
        if news == "closed" {
            self.tables.remove(&number);
            return Answer::Closed;
        }
        Answer::Done(number)
    }
}

impl ReferenceStateMachine for Model {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::default()).boxed()
    }

    fn transitions(model: &Model) -> BoxedStrategy<Step> {
        let away: Vec<Client> = (0..CLIENTS).filter(|client| !model.here.contains(client)).collect();
        let here: Vec<Client> = model.here.iter().copied().collect();
        if here.is_empty() {
            return select(away).prop_map(Step::Come).boxed();
        }
        let mut steps = vec![(1, select(here.clone()).prop_map(Step::Leave).boxed())];
        if !away.is_empty() {
            steps.push((3, select(away).prop_map(Step::Come).boxed()));
        }
        if model.opened < TABLES {
            let open = (select(here.clone()), any::<[bool; 2]>());
            steps.push((3, open.prop_map(|(client, open)| Step::Open(client, open)).boxed()));
        }
        let ask = (select(here), 1..=model.opened.max(1), requests());
        steps.push((24, ask.prop_map(|(client, table, request)| Step::Ask(client, table, request)).boxed()));
        prop::strategy::Union::new_weighted(steps).boxed()
    }

    fn preconditions(model: &Model, step: &Step) -> bool {
        match step {
            Step::Come(client) => !model.here.contains(client),
            Step::Leave(client) => model.here.contains(client),
            Step::Open(client, _) => model.here.contains(client) && model.opened < TABLES,
            Step::Ask(client, number, request) => {
                // The line comes to its end.
                let ply = model.tables.get(number).map_or(0, |table| table.ply);
                let has_next = !matches!(request, Request::Play { .. }) || ply < LINE.actions.len();
                model.here.contains(client) && has_next
            }
        }
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.take(step);
        model
    }
}

fn requests() -> impl Strategy<Value = Request> {
    let go = |method| {
        (1..4_usize, any::<bool>()).prop_map(move |(actions, ask)| Request::Go { method, actions, ask })
    };
    prop_oneof![
        2 => Just(Request::Attach),
        1 => Just(Request::Detach),
        4 => (0..2_usize).prop_map(Request::Claim),
        1 => (0..2_usize).prop_map(Request::Release),
        2 => (0..2_usize, any::<bool>()).prop_map(|(seat, open)| Request::SetSeat { seat, open }),
        10 => prop::bool::weighted(0.1).prop_map(|stale| Request::Play { stale }),
        5 => go(Method::Undo),
        4 => go(Method::Redo),
        1 => (0..2_usize).prop_map(Request::Resign),
        2 => any::<bool>().prop_map(Request::Hold),
        1 => Just(Request::Close),
    ]
}

/// The server, and the clients that are there.
struct Room {
    server: Arc<Server>,
    clients: BTreeMap<Client, Connection>,
}

impl StateMachineTest for Room {
    type SystemUnderTest = Room;
    type Reference = Model;

    fn init_test(_: &Model) -> Room {
        Room { server: server(), clients: BTreeMap::new() }
    }

    fn apply(mut room: Room, model: &Model, step: Step) -> Room {
        // All who hear of it must hear of the same state.
        let mut states = BTreeMap::new();
        match step {
            Step::Come(client) => {
                room.clients.insert(client, Connection::to(&room.server));
            }
            Step::Leave(client) => room.clients.remove(&client).expect("it is here").leave(),
            Step::Open(client, open) => {
                let mut params = game();
                let seat = |open: bool| json!({"kind": "client", "open": open});
                params["seats"] = json!({"1": seat(open[0]), "2": seat(open[1])});
                let answer = room.client(client).ask("new", params);
                room.compare(model, &answer, &mut states);
            }
            Step::Ask(client, number, request) => {
                let ply = model.tables.get(&number).map_or(0, |table| table.ply);
                // The model has played already, if it could.
                let is_played = matches!(request, Request::Play { .. })
                    && !matches!(model.answer, Some(Answer::Refused(_)));
                let ply = ply - usize::from(is_played);
                let answer = room.client(client).ask(request.method(), request.params(&name(number), ply));
                room.compare(model, &answer, &mut states);
            }
        }
        for &(client, news, number) in &model.hears {
            let (method, params) = room.client(client).notice();
            assert_eq!((method.as_str(), &params["table"]), (news, &json!(name(number))), "{params}");
            if news == "changed" {
                let state = states.entry(number).or_insert_with(|| params["state"].clone());
                assert_eq!(*state, params["state"]);
                assert_eq!(known(state), model.tables[&number].state());
            }
        }
        room
    }

    fn check_invariants(room: &Room, model: &Model) {
        let expected: Vec<Value> = model
            .tables
            .iter()
            .map(|(&number, table)| {
                let is_over = table.resigned.is_some();
                json!({"table": name(number), "ply": table.ply, "seats": table.seats(), "over": is_over})
            })
            .collect();
        for client in room.clients.values() {
            // Nothing more was said before this is answered.
            let tables = client.get("tables", json!({}));
            let heard = client.heard.take();
            assert!(heard.is_empty(), "{heard:?}");
            let seen: Vec<Value> = tables["tables"].as_array().expect("a list").iter().map(seen).collect();
            assert_eq!(seen, expected);
        }
    }

    fn teardown(room: Room, _: Model) {
        for client in room.clients.into_values() {
            client.leave();
        }
        // Nobody is left, and so is no table.
        let witness = Connection::to(&room.server);
        assert_eq!(witness.get("tables", json!({})), json!({"tables": []}));
        witness.leave();
    }
}

/// What a list of tables says of one.
fn seen(table: &Value) -> Value {
    let is_over = !table["outcome"].is_null();
    json!({"table": table["table"], "ply": table["ply"], "seats": table["seats"], "over": is_over})
}

impl Room {
    fn client(&self, client: Client) -> &Connection {
        &self.clients[&client]
    }

    fn compare(&self, model: &Model, answer: &Result<Value, Value>, states: &mut BTreeMap<usize, Value>) {
        match (model.answer.as_ref().expect("it was asked"), answer) {
            (&Answer::Done(number), Ok(result)) => {
                let state = &result["state"];
                assert_eq!(known(state), model.tables[&number].state());
                states.insert(number, state.clone());
            }
            (Answer::Closed, Ok(result)) => assert_eq!(*result, json!({})),
            (Answer::Refused(kind), Err(error)) => assert_eq!(error["data"]["kind"], *kind, "{error}"),
            (expected, answer) => panic!("expected {expected:?}, and it was {answer:?}"),
        }
    }
}

fn name(number: usize) -> String {
    format!("t{number}")
}

fn server() -> Arc<Server> {
    Arc::new(Server::new(Catalog::standard(), Arc::new(Bots::default()), None))
}

/// A client of a server in this process.
struct Connection {
    input: PipeWriter,
    lines: Receiver<String>,
    serving: JoinHandle<()>,
    last_id: Cell<i64>,
    /// What was heard while something else was waited for.
    heard: RefCell<VecDeque<Value>>,
}

impl Connection {
    fn to(server: &Arc<Server>) -> Connection {
        let (reader, input) = io::pipe().expect("a pipe");
        let (sender, lines) = channel();
        let server = Arc::clone(server);
        let output = Output { line: Vec::new(), sender };
        let serving = thread::spawn(move || server.serve(BufReader::new(reader), output, || {}));
        Connection { input, lines, serving, last_id: Cell::new(0), heard: RefCell::default() }
    }

    /// The server has noticed once this is done.
    fn leave(self) {
        drop(self.input);
        self.serving.join().expect("a server does not panic");
    }

    fn ask(&self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        writeln!(&self.input, "{}", json!({"id": id, "method": method, "params": params})).expect("it reads");
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error),
                };
            }
            self.heard.borrow_mut().push_back(message);
        }
    }

    fn get(&self, method: &str, params: Value) -> Value {
        self.ask(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    fn notice(&self) -> (String, Value) {
        let heard = self.heard.borrow_mut().pop_front();
        let mut message = heard.unwrap_or_else(|| self.receive());
        let method = message["method"].as_str().unwrap_or_else(|| panic!("{message}")).to_string();
        (method, message["params"].take())
    }

    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("the server says something");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }
}

/// Gives on what is written, line by line.
struct Output {
    line: Vec<u8>,
    sender: Sender<String>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.line)).expect("UTF-8");
                // Whoever has left does not listen any more.
                let _ = self.sender.send(line);
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn everybody_hears_what_the_model_says(sequential 1..60 => Room);
}

/// `CASES=100000` tries more.
fn cases() -> u32 {
    std::env::var("CASES").ok().map_or(200, |cases| cases.parse().expect("CASES is a number"))
}
