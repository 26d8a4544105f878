//! A game as a tree: what clients do with it, held against a plain model.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use serde_json::{Value, json};
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::session::Session;
use tabuleiro_engine::table::record::{self, Record};
use tabuleiro_engine::table::{Steps, Table};
use tabuleiro_protocol::shape::Unknown;
use tabuleiro_protocol::{Mark, PerSeat, Seat};

use crate::engine_process::EngineProcess;

/// A small game, so that lines meet and end.
fn session() -> Session {
    let options = json!({"size": 5});
    Catalog::standard().open("zurero", options.as_object(), 1, None).expect("a game")
}

/// The game after some actions, played from the start.
fn replayed(path: &[String]) -> Session {
    let mut session = session();
    session.play_all(path).expect("legal actions");
    session
}

/// A node with all that comes after it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Plain {
    name: u32,
    action: String,
    comment: Option<String>,
    mark: Option<Mark>,
    resigned: Option<Seat>,
    children: Vec<Plain>,
}

impl Plain {
    /// The nodes on the way to one, and the one itself.
    fn way(&self, name: u32) -> Option<Vec<u32>> {
        if self.name == name {
            return Some(vec![name]);
        }
        let way = self.children.iter().find_map(|child| child.way(name))?;
        Some([vec![self.name], way].concat())
    }

    fn get(&mut self, name: u32) -> Option<&mut Plain> {
        if self.name == name {
            return Some(self);
        }
        self.children.iter_mut().find_map(|child| child.get(name))
    }

    fn names(&self) -> Vec<u32> {
        [vec![self.name], self.children.iter().flat_map(Plain::names).collect()].concat()
    }

    fn main_line(&self) -> Vec<u32> {
        self.children.first().map_or(Vec::new(), |child| [vec![child.name], child.main_line()].concat())
    }

    /// Takes a child in, or what it has more than the one that is there.
    fn merge(&mut self, place: usize, child: Plain) {
        match self.children.iter_mut().find(|other| other.action == child.action) {
            Some(same) => child.children.into_iter().for_each(|child| same.merge(usize::MAX, child)),
            None => {
                let Plain { children, .. } = &child;
                let place = place.min(self.children.len());
                let mut whole = Plain { children: Vec::new(), ..child.clone() };
                children.iter().for_each(|child| whole.merge(usize::MAX, child.clone()));
                self.children.insert(place, whole);
            }
        }
    }

    /// As the engine tells it.
    fn told(&self, parent: Option<u32>, ply: usize) -> Vec<Value> {
        let children: Vec<u32> = self.children.iter().map(|child| child.name).collect();
        let own = json!({
            "node": self.name, "parent": parent, "action": parent.map(|_| &self.action), "ply": ply,
            "children": children, "comment": self.comment, "mark": self.mark, "resigned": self.resigned,
        });
        let after = self.children.iter().flat_map(|child| child.told(Some(self.name), ply + 1));
        std::iter::once(own).chain(after).collect()
    }
}

#[derive(Clone, Debug, Default)]
struct Model {
    root: Plain,
    next: u32,
    /// Without the start.
    line: Vec<u32>,
    ply: usize,
    /// Where it was, by the actions that lead there, its place, and what was deleted.
    deleted: Vec<(Vec<String>, usize, Plain)>,
    is_done: bool,
}

#[derive(Clone, Debug)]
enum Step {
    /// The legal action of this number, beginning again behind the last.
    Play(usize),
    /// Two of them, of which the second is none.
    PlayWrongly(usize),
    Undo(usize),
    Redo(usize),
    Goto(usize),
    Delete(usize),
    Restore,
    Promote(usize, bool),
    Comment(usize, &'static str),
    Mark(usize, &'static str),
    /// Puts the action of the second number behind a node, and says something about it.
    Vary(usize, usize),
    /// The same with a second action, which is none.
    VaryWrongly(usize, usize),
    Resign(bool),
    SaveAndLoad,
}

impl Model {
    fn current(&self) -> u32 {
        if self.ply == 0 { 0 } else { self.line[self.ply - 1] }
    }

    fn path(&self, name: u32) -> Vec<String> {
        let mut root = self.root.clone();
        let way = self.root.way(name).expect("a node");
        way[1..].iter().map(|&name| root.get(name).expect("a node").action.clone()).collect()
    }

    /// One of the nodes.
    fn pick(&self, number: usize) -> u32 {
        let names = self.root.names();
        names[number % names.len()]
    }

    fn legal(&self) -> Vec<String> {
        let mut root = self.root.clone();
        if root.get(self.current()).expect("a node").resigned.is_some() {
            return Vec::new();
        }
        replayed(&self.path(self.current())).position().actions()
    }

    /// What can be played behind a node, whoever has resigned there.
    fn action_behind(&self, name: u32, number: usize) -> Option<String> {
        let legal = replayed(&self.path(name)).position().actions();
        legal.get(number % legal.len().max(1)).cloned()
    }

    /// The child of a node by an action, old or new.
    fn child(&mut self, name: u32, action: &str) -> u32 {
        let next = self.next + 1;
        let children = &mut self.root.get(name).expect("a node").children;
        if let Some(known) = children.iter().find(|child| child.action == action) {
            return known.name;
        }
        children.push(Plain { name: next, action: action.into(), ..Plain::default() });
        self.next = next;
        next
    }

    fn take(&mut self, step: &Step) {
        self.is_done = match *step {
            Step::Play(number) => self.play(number),
            Step::PlayWrongly(_) => false,
            Step::Undo(count) => self.undo(count),
            Step::Redo(count) => self.redo(count),
            Step::Goto(number) => {
                let way = self.root.way(self.pick(number)).expect("a node");
                let (name, ply) = (self.pick(number), way.len() - 1);
                if ply > 0 && self.line.get(ply - 1) != Some(&name) {
                    let ahead = self.root.get(name).expect("a node").main_line();
                    self.line = [way[1..].to_vec(), ahead].concat();
                }
                self.ply = ply;
                true
            }
            Step::Delete(number) => self.delete(self.pick(number)),
            Step::Restore => self.restore(),
            Step::Promote(number, main) => {
                let way = self.root.way(self.pick(number)).expect("a node");
                for pair in way.windows(2).rev() {
                    let children = &mut self.root.get(pair[0]).expect("a node").children;
                    let place = children.iter().position(|child| child.name == pair[1]).expect("a child");
                    if place > 0 {
                        let child = children.remove(place);
                        children.insert(if main { 0 } else { place - 1 }, child);
                        if !main {
                            break;
                        }
                    }
                }
                true
            }
            Step::Comment(number, text) => {
                let name = self.pick(number);
                self.root.get(name).expect("a node").comment = Some(text.into()).filter(|_| !text.is_empty());
                true
            }
            Step::Mark(number, sign) => {
                let name = self.pick(number);
                self.root.get(name).expect("a node").mark = Mark::from_sign(sign);
                true
            }
            Step::Vary(number, action) => {
                let name = self.pick(number);
                let action = self.action_behind(name, action);
                if let Some(action) = &action {
                    let child = self.child(name, action);
                    self.root.get(child).expect("a node").comment = Some("tried".into());
                }
                action.is_some()
            }
            Step::VaryWrongly(..) => false,
            Step::Resign(second) => {
                let goes_on = !self.legal().is_empty();
                if goes_on {
                    let seat = if second { Seat::Two } else { Seat::One };
                    let current = self.current();
                    self.root.get(current).expect("a node").resigned = Some(seat);
                }
                goes_on
            }
            Step::SaveAndLoad => {
                self.deleted.clear();
                self.next = self.root.names().into_iter().max().unwrap_or(0);
                true
            }
        }
    }

    fn play(&mut self, number: usize) -> bool {
        let legal = self.legal();
        if legal.is_empty() {
            return false;
        }
        let name = self.child(self.current(), &legal[number % legal.len()]);
        self.line.truncate(self.ply);
        self.line.push(name);
        self.ply += 1;
        true
    }

    fn undo(&mut self, count: usize) -> bool {
        let current = self.current();
        let resigned = &mut self.root.get(current).expect("a node").resigned;
        let steps = self.ply + usize::from(resigned.is_some());
        if count > steps {
            return false;
        }
        self.ply = (steps - count).min(self.ply);
        *resigned = None;
        true
    }

    fn redo(&mut self, count: usize) -> bool {
        let current = self.current();
        let is_resigned = self.root.get(current).expect("a node").resigned.is_some();
        let may = !is_resigned && count <= self.line.len() - self.ply;
        self.ply += if may { count } else { 0 };
        may
    }

    fn delete(&mut self, name: u32) -> bool {
        let way = self.root.way(name).expect("a node");
        let [.., parent, _] = way[..] else { return false };
        let path = self.path(parent);
        let children = &mut self.root.get(parent).expect("a node").children;
        let place = children.iter().position(|child| child.name == name).expect("a child");
        let deleted = children.remove(place);
        let ply = path.len();
        if self.line.get(ply) == Some(&name) {
            self.line.truncate(ply);
            let ahead = self.root.get(parent).expect("a node").main_line();
            self.line.extend(ahead);
            self.ply = self.ply.min(ply);
        }
        self.deleted.push((path, place, deleted));
        self.deleted.drain(..self.deleted.len().saturating_sub(32));
        true
    }

    fn restore(&mut self) -> bool {
        let Some((path, place, child)) = self.deleted.last().cloned() else { return false };
        let mut at = &mut self.root;
        for action in &path {
            match at.children.iter_mut().find(|child| child.action == *action) {
                Some(next) => at = next,
                None => return false,
            }
        }
        at.merge(place, child);
        self.deleted.pop();
        true
    }
}

impl ReferenceStateMachine for Model {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::default()).boxed()
    }

    fn transitions(_: &Model) -> BoxedStrategy<Step> {
        let number = || 0..1000_usize;
        let comments = prop::sample::select(vec!["", "why?", "two\nlines \"and\" quotes \u{1f600}"]);
        let marks = prop::sample::select(vec!["", "!", "?", "!!", "??", "!?", "?!"]);
        prop_oneof![
            12 => (0..4_usize).prop_map(Step::Play),
            1 => (0..4_usize).prop_map(Step::PlayWrongly),
            4 => (1..5_usize).prop_map(Step::Undo),
            2 => (1..4_usize).prop_map(Step::Redo),
            5 => number().prop_map(Step::Goto),
            2 => number().prop_map(Step::Delete),
            2 => Just(Step::Restore),
            2 => (number(), any::<bool>()).prop_map(|(number, main)| Step::Promote(number, main)),
            1 => (number(), comments).prop_map(|(number, text)| Step::Comment(number, text)),
            1 => (number(), marks).prop_map(|(number, sign)| Step::Mark(number, sign)),
            2 => (number(), 0..4_usize).prop_map(|(number, action)| Step::Vary(number, action)),
            1 => (number(), 0..4_usize).prop_map(|(number, action)| Step::VaryWrongly(number, action)),
            1 => any::<bool>().prop_map(Step::Resign),
            1 => Just(Step::SaveAndLoad),
        ]
        .boxed()
    }

    fn apply(mut model: Model, step: &Step) -> Model {
        model.take(step);
        model
    }
}

/// The table, and what the model was before the last step.
struct Trees {
    table: Table,
    before: Model,
}

const EVERYONE: PerSeat<bool> = PerSeat { one: true, two: true };

impl StateMachineTest for Trees {
    type SystemUnderTest = Trees;
    type Reference = Model;

    fn init_test(model: &Model) -> Trees {
        let table = Table::new("t1".into(), session(), PerSeat::default()).expect("a table");
        Trees { table, before: model.clone() }
    }

    fn apply(mut trees: Trees, model: &Model, step: Step) -> Trees {
        let Trees { table, before } = &mut trees;
        let told = tree(table);
        let legal = table.actions();
        let action = |number: usize| legal.get(number % legal.len().max(1)).cloned().unwrap_or_default();
        let is_done = match step {
            Step::Play(number) => table.play(&[action(number)], None, EVERYONE).is_ok(),
            Step::PlayWrongly(number) => {
                table.play(&[action(number), "nowhere".into()], None, EVERYONE).is_ok()
            }
            Step::Undo(count) => table.undo(Steps::Actions(count)).is_ok(),
            Step::Redo(count) => table.redo(Steps::Actions(count)).is_ok(),
            Step::Goto(number) => table.go_to(before.pick(number)).is_ok(),
            Step::Delete(number) => table.delete(before.pick(number)).is_ok(),
            Step::Restore => table.restore().is_ok(),
            Step::Promote(number, main) => table.promote(before.pick(number), main).is_ok(),
            Step::Comment(number, text) => {
                table.annotate(Some(before.pick(number)), &[], Some(text), None).is_ok()
            }
            Step::Mark(number, sign) => {
                table.annotate(Some(before.pick(number)), &[], None, Some(sign)).is_ok()
            }
            Step::Vary(number, action) => {
                let node = before.pick(number);
                let action = before.action_behind(node, action).unwrap_or_default();
                table.annotate(Some(node), &[action], Some("tried"), None).is_ok()
            }
            Step::VaryWrongly(number, action) => {
                let node = before.pick(number);
                let action = before.action_behind(node, action).unwrap_or_default();
                table.annotate(Some(node), &[action, "nowhere".into()], Some("tried"), None).is_ok()
            }
            Step::Resign(second) => table.resign(if second { Seat::Two } else { Seat::One }).is_ok(),
            Step::SaveAndLoad => {
                let document = Record::of(table).to_json();
                let loaded =
                    record::load(&Catalog::standard(), "t1".into(), document.clone(), Unknown::Refused);
                let loaded = loaded.unwrap_or_else(|error| panic!("{error}: {document}"));
                assert_eq!(Record::of(&loaded).to_json(), document);
                assert_eq!(loaded.state(), table.state());
                *table = loaded;
                true
            }
        };
        assert_eq!(is_done, model.is_done, "{step:?}");
        if !is_done {
            assert_eq!(tree(table), told, "what is refused changes nothing");
        }
        trees.before = model.clone();
        trees
    }

    fn check_invariants(trees: &Trees, model: &Model) {
        let table = &trees.table;
        let history = table.session().history();
        assert_eq!(tree(table), model.root.told(None, 0));
        assert_eq!((history.current(), history.ply()), (model.current(), model.ply));
        assert_eq!(history.end(), model.line.last().copied().unwrap_or(0));
        assert_eq!(history.undone_count(), model.line.len() - model.ply);
        assert_eq!(history.deletions(), model.deleted.len());
        let path = model.path(model.current());
        assert_eq!(history.played(), path);
        let fresh = replayed(&path);
        assert_eq!(table.position().snapshot(), fresh.position().snapshot());
        assert_eq!(history.last_turn(), fresh.history().last_turn());
        // What is counted as the length of its record is not less than what it takes.
        let written = Record::of(table).to_json();
        let lists = ["played", "undone", "nodes", "variations", "notes"];
        let bytes: usize = lists.iter().map(|name| written[name].to_string().len()).sum();
        assert!(bytes <= history.record_bytes() + 100, "{bytes} {}: {written}", history.record_bytes());
        let version = if lists[2..].iter().all(|name| written[name].is_null()) { 1 } else { 2 };
        assert_eq!(written["version"], version);
    }
}

/// All nodes, without what the model does not know.
fn tree(table: &Table) -> Vec<Value> {
    let nodes = table.session().history().describe_from(0);
    let names: BTreeSet<u32> = nodes.iter().map(|node| node.node).collect();
    assert_eq!(names.len(), nodes.len(), "a name is there twice");
    let plain = |node: tabuleiro_protocol::TreeNode| {
        json!({
            "node": node.node, "parent": node.parent, "action": node.action, "ply": node.ply,
            "children": node.children, "comment": node.comment, "mark": node.mark, "resigned": node.resigned,
        })
    };
    nodes.into_iter().map(plain).collect()
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases()) })]

    #[test]
    fn a_tree_is_what_the_model_says(sequential 1..80 => Trees);
}

/// `CASES=100000` tries more.
fn cases() -> u32 {
    std::env::var("CASES").ok().map_or(60, |cases| cases.parse().expect("CASES is a number"))
}

/// A record with a variation, a variation of that, and notes.
fn record() -> Value {
    let mut table = Table::new("t1".into(), session(), PerSeat::default()).expect("a table");
    let mut play = |from: u32, actions: &[&str]| {
        table.go_to(from).expect("a node");
        let actions: Vec<String> = actions.iter().copied().map(String::from).collect();
        table.play(&actions, None, EVERYONE).expect("legal actions");
    };
    play(0, &["@c3", "w3", "nc"]);
    play(1, &["nc", "w3"]);
    play(4, &["sc"]);
    table.annotate(Some(4), &[], Some("better"), Some("!")).expect("a node");
    table.go_to(3).expect("a node");
    Record::of(&table).to_json()
}

#[test]
fn a_record_of_a_tree_is_loaded_or_says_where_it_is_damaged() {
    let mut engine = EngineProcess::start();
    let whole = record();
    assert_eq!((&whole["version"], &whole["played"]), (&json!(2), &json!(["@c3", "w3", "nc"])));
    assert_eq!(whole["variations"][0], json!({"after": 1, "nodes": [[4, 5]], "actions": ["nc", "w3"]}));
    engine.get("load", json!({"record": whole}));
    let tree = engine.get("tree", json!({"table": "t1"}));
    assert_eq!(engine.get("record", json!({"table": "t1"}))["record"], whole);

    type Break = fn(&mut Value);
    // Where it is damaged, how, and the nodes that can be read all the same.
    let damages: [(&str, Break, &[u32]); 12] = [
        ("played[1]", |record| record["played"][1] = json!("w1"), &[0, 1, 4, 5, 6]),
        ("played[1]", |record| record["played"][1] = json!(1), &[0, 1, 4, 5, 6]),
        ("nodes", |record| record["nodes"] = json!([[1, 9]]), &[0, 1, 2, 3, 4, 5, 6]),
        ("nodes", |record| record["nodes"] = json!([[1, 4294967295_u32]]), &[0, 1, 2, 3, 4, 5, 6]),
        (
            "variations[0].actions[1]",
            |record| record["variations"][0]["actions"][1] = json!("z"),
            &[0, 1, 2, 3, 4, 6],
        ),
        (
            "variations[0].actions[0]",
            |record| record["variations"][0]["actions"][0] = json!("w3"),
            &[0, 1, 2, 3],
        ),
        ("variations[0].nodes", |record| record["variations"][0]["nodes"] = json!([[3, 4]]), &[0, 1, 2, 3]),
        ("variations[1].after", |record| record["variations"][1]["after"] = json!(77), &[0, 1, 2, 3, 4, 5]),
        ("variations[1].after", |record| record["variations"][1]["after"] = json!("x"), &[0, 1, 2, 3, 4, 5]),
        ("notes[0].node", |record| record["notes"][0]["node"] = json!(77), &[0, 1, 2, 3, 4, 5, 6]),
        ("notes[0].mark", |record| record["notes"][0]["mark"] = json!("#"), &[0, 1, 2, 3, 4, 5, 6]),
        (
            "outcome",
            |record| record["outcome"] = json!({"winner": 1, "reason": "five"}),
            &[0, 1, 2, 3, 4, 5, 6],
        ),
    ];
    for (place, damage, readable) in damages {
        let mut damaged = whole.clone();
        damage(&mut damaged);
        let (code, data) = engine.refused("load", json!({"record": damaged}));
        assert_eq!((code, &data["place"]), (10, &json!(place)));
        let mut loaded = engine.get("load", json!({"record": damaged, "partial": true}));
        assert_eq!(loaded["damage"][0]["place"], place, "{loaded}");
        let tree = engine.get("tree", json!({"table": loaded["table"].take()}));
        let nodes = tree["nodes"].as_array().expect("nodes");
        let mut names: Vec<u64> = nodes.iter().filter_map(|node| node["node"].as_u64()).collect();
        names.sort_unstable();
        assert_eq!(json!(names), json!(readable), "{place}");
    }
    // Where there is no game, nothing can be read.
    let (code, _) =
        engine.refused("load", json!({"record": {"format": "tabuleiro-record"}, "partial": true}));
    assert_eq!(code, 10);
    assert_eq!(engine.get("tree", json!({"table": "t1"})), tree, "the open game is untouched");
}

#[test]
fn whoever_follows_a_tree_can_keep_a_copy_of_it() {
    let mut engine = EngineProcess::start();
    engine.get("new", json!({"game": "zurero", "options": {"size": 5}, "seed": 1}));
    let mut copy = engine.get("tree", json!({"table": "t1", "follow": true}));
    let steps = [
        ("play", json!({"actions": ["@c3", "w3", "nc"]})),
        ("undo", json!({"turns": 2})),
        ("play", json!({"actions": ["nc"]})),
        ("annotate", json!({"comment": " why not ", "mark": "!?"})),
        ("annotate", json!({"node": 2, "mark": "?"})),
        ("promote", json!({"node": 4})),
        ("goto", json!({"node": 3})),
        ("delete", json!({"node": 2})),
        ("restore", json!({})),
        ("annotate", json!({"node": 2, "mark": ""})),
    ];
    for (method, mut params) in steps {
        params["table"] = json!("t1");
        engine.get(method, params);
        let told = engine.notification("tree_changed");
        for name in ["current", "end", "deleted"] {
            copy[name] = told[name].clone();
        }
        let nodes = copy["nodes"].as_array_mut().expect("nodes");
        let is_told = |node: &Value| {
            let changed = told["nodes"].as_array().expect("nodes").iter().map(|node| &node["node"]);
            changed.chain(told["removed"].as_array().expect("names")).any(|name| *name == node["node"])
        };
        nodes.retain(|node| !is_told(node));
        nodes.extend(told["nodes"].as_array().expect("nodes").iter().cloned());
        nodes.sort_by_key(|node| node["node"].as_u64());
        let mut tree = engine.get("tree", json!({"table": "t1"}));
        tree["nodes"].as_array_mut().expect("nodes").sort_by_key(|node| node["node"].as_u64());
        assert_eq!(copy, tree, "{method}");
    }
    assert_eq!(copy["nodes"][4]["comment"], "why not");
    engine.get("tree", json!({"table": "t1", "follow": false}));
    engine.get("goto", json!({"table": "t1", "node": 0}));
    assert!(engine.is_silent(), "nobody follows it any more");
}

/// How long this thread has had a processor, where the system says so; a busy machine then measures
/// the same as a quiet one.
fn processor_time() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let time = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    time.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// What docs/measurements.md says of a tree of 10,000 nodes; `--nocapture` shows it.
#[test]
#[ignore = "it measures and asserts nothing about time: docs/measurements.md says how"]
fn ten_thousand_nodes() {
    for game in every_game!() {
        let catalog = Catalog::standard();
        let session = catalog.open(game, None, 1, None).expect("a game");
        let mut table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
        let mut number: u64 = 1;
        let mut random = |below: usize| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (number >> 33) as usize % below
        };
        while table.session().history().nodes() < 10_000 {
            let legal = table.actions();
            if legal.is_empty() || random(12) == 0 {
                let nodes = table.session().history().nodes();
                table.go_to(random(nodes + 1) as u32).expect("a node");
                continue;
            }
            table.play(&legal[random(legal.len())..][..1], None, EVERYONE).expect("a legal action");
        }
        let text = Record::of(&table).to_json().to_string();
        let began = processor_time();
        let document: Value = serde_json::from_str(&text).expect("JSON");
        let loaded = record::load(&catalog, "t2".into(), document, Unknown::Ignored).expect("a record");
        let load = processor_time() - began;
        assert_eq!(Record::of(&loaded).to_json().to_string(), text);
        let (mut gone, mut looked) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..2000 {
            let node = random(10_001) as u32;
            let began = processor_time();
            table.at_node(node).expect("a node").state();
            looked += (processor_time() - began) / 2000;
            let began = processor_time();
            table.go_to(node).expect("a node");
            table.state();
            gone += (processor_time() - began) / 2000;
        }
        let deepest = table.session().history().describe_from(0).iter().map(|node| node.ply).max();
        println!(
            "{game}: {} KiB, {} deep, loads in {load:?}; a node in {gone:?}, looked at in {looked:?}",
            text.len() >> 10,
            deepest.unwrap_or_default()
        );
    }
}
