//! The list of turns as a tree, and the review.

use tabuleiro_protocol::method::Tree;
use tabuleiro_protocol::notice::TreeChanged;
use tabuleiro_protocol::{ReviewedTurn, Verdict};

use super::super::turns::Work;
use super::*;
use crate::command::{ReviewCommand, TreeCommand};
use crate::review::{GameReview, LineStep, ShownLine, Trial};
use crate::tree::GameTree;

const SIZES: [(f32, f32); 8] = [
    (420.0, 760.0),
    (640.0, 480.0),
    (800.0, 600.0),
    (1024.0, 768.0),
    (1280.0, 800.0),
    (1600.0, 500.0),
    (1920.0, 1080.0),
    (2560.0, 1440.0),
];

/// Three turns, and another answer to the first with a comment, where the game stands.
fn with_tree(mut app: App) -> App {
    let nodes = json!([
        {"node": 0, "ply": 0, "children": [1]},
        {"node": 1, "parent": 0, "seat": 1, "action": "@c3", "ply": 1, "children": [2, 4]},
        {"node": 2, "parent": 1, "seat": 2, "action": "w3", "ply": 2, "children": [3], "mark": "?!"},
        {"node": 3, "parent": 2, "seat": 1, "action": "nc", "ply": 3},
        {"node": 4, "parent": 1, "seat": 2, "action": "sc", "ply": 2, "children": [5],
         "comment": "This has been played since the first tournaments, and it is still not refuted."},
        {"node": 5, "parent": 4, "seat": 1, "action": "e3", "ply": 3}
    ]);
    let nodes = serde_json::from_value(nodes).expect("nodes");
    let table = app.table.as_mut().expect("a table");
    table.state.node = 5;
    table.state.undone = 0;
    table.tree = Some(GameTree::new(Tree { current: 5, end: 5, deleted: 1, nodes }));
    app
}

fn reviewed() -> GameReview {
    let turn = |number: usize, seat: u8, node: u32, end: u32, verdict: &str| -> ReviewedTurn {
        serde_json::from_value(json!({
            "turn": number, "seat": seat, "node": node, "end": end,
            "actions": ["a1/a2,b1,b2", "c3+d4+d5", "e5-e6", "f6-f7", "."],
            "before": {"win": 0.63}, "after": {"win": 0.41}, "cost": 0.22, "verdict": verdict,
            "best": [{"actions": ["b1/a2,b2,c2", "."], "score": {"win": 0.63},
                      "pv": ["b1/a2,b2,c2", ".", "g8-g7", "h8-h7", "a1-a2", "b2-b3", "."]}]
        }))
        .expect("a turn")
    };
    let turns = [turn(1, 1, 0, 1, "good"), turn(2, 2, 1, 4, "missed_win"), turn(3, 1, 4, 5, "blunder")];
    GameReview {
        turns: turns.into_iter().map(|turn| (turn.turn, turn)).collect(),
        total: Some(3),
        summary: Some(PerSeat::default()),
        end: 5,
        ..GameReview::default()
    }
}

pub(super) fn with_review(app: App) -> App {
    let mut app = with(with_tree(app), Panel::Review);
    app.table.as_mut().expect("a table").review = Some(reviewed());
    app
}

/// The turn before the last is looked at.
fn at_mistake() -> App {
    let mut app = with_review(at_board());
    let table = app.table.as_mut().expect("a table");
    table.looked_at = Some(State { node: 1, ply: 1, ..state() });
    table.review.as_mut().expect("a review").at = Some(2);
    app
}

/// A better line is shown there.
fn along_a_line() -> App {
    let mut app = at_mistake();
    let review = app.table.as_mut().and_then(|table| table.review.as_mut()).expect("a review");
    let actions = review.turns[&2].best[0].pv.clone();
    let known = vec![LineStep { state: state(), done: None, events: 0 }];
    review.line = Some(ShownLine { node: 1, actions, step: 3, known });
    app
}

/// Two turns were tried instead.
fn trying() -> App {
    let mut app = at_mistake();
    let home = Box::new(app.table.clone().expect("a table"));
    let turn = reviewed().turns[&2].clone();
    let actions = vec!["sc".to_string()];
    let better = ReviewedTurn { verdict: Verdict::Best, end: turn.end + 1, actions, ..turn.clone() };
    let end = Some(better.end);
    app.trial = Some(Trial { home, tried: vec![turn.clone(), better], turn, end });
    let table = app.table.as_mut().expect("a table");
    (table.looked_at, table.review) = (None, None);
    app
}

fn running() -> App {
    let mut app = with_review(at_board());
    let review = app.table.as_mut().and_then(|table| table.review.as_mut()).expect("a review");
    (review.is_running, review.summary, review.total) = (true, None, Some(60));
    app
}

#[test]
fn the_game_stays_whole_in_the_list_while_something_else_is_tried() {
    let mut app = trying();
    app.table.as_mut().expect("a table").state.ply = 1;
    let mut person = Person::before(app);
    person.size = vec2(1280.0, 1200.0);
    person.wait();
    let texts = person.texts();
    assert!(texts.iter().any(|(text, _)| text == "e3"), "{texts:?}");
    assert!(texts.iter().all(|(text, _)| !text.contains("undone")), "{texts:?}");
}

#[test]
fn turns_are_listed_as_a_tree_and_looked_at() {
    let mut person = Person::before(with_tree(at_board()));
    person.size = vec2(1280.0, 1200.0);
    person.wait();
    let look = |node| [Command::Tree(TreeCommand::LookAt(node))];
    assert_eq!(person.click("w3  ?!"), look(2));
    assert_eq!(person.click("sc"), look(4));
    assert_eq!(person.click("nc"), look(3));
    let at = |person: &mut Person, text: &str| person.find(text).expect("it is listed");
    let (main, other) = (at(&mut person, "w3  ?!"), at(&mut person, "sc"));
    assert!(other.y > main.y && other.y < at(&mut person, "nc").y, "under the turn that it replaces");
    let begins = |person: &mut Person, text: &str| {
        let found = person.texts().into_iter().find(|(seen, _)| seen == text);
        found.expect("it is listed").1.left()
    };
    assert!(begins(&mut person, "sc") > begins(&mut person, "w3  ?!"), "and further to the right");
    let comment = |person: &mut Person| {
        person.texts().into_iter().any(|(text, _)| text.starts_with("This has been played"))
    };
    assert!(comment(&mut person));
    person.app.table.as_mut().and_then(|table| table.tree.as_mut()).expect("a tree").fold(4);
    person.wait();
    assert!(person.find("e3").is_none() && person.find("sc  + 1 more").is_some());
}

#[test]
fn a_turn_is_commented_marked_and_more() {
    let mut person = Person::before(with_tree(at_board()));
    assert_eq!(person.click("Comment"), [Command::Show(Panel::Comment)]);
    person.click("Mark");
    assert_eq!(
        person.click("!?   interesting"),
        [Command::Tree(TreeCommand::Mark(tabuleiro_protocol::Mark::from_sign("!?")))]
    );
    for (words, command) in [
        ("Move the variation up", TreeCommand::Promote),
        ("Delete from here on", TreeCommand::Delete),
        ("Put back what was deleted", TreeCommand::Restore),
        ("Fold the variation", TreeCommand::Fold(None)),
    ] {
        person.click("More");
        assert_eq!(person.click(words), [Command::Tree(command)]);
    }
}

#[test]
fn a_comment_is_written_and_kept() {
    let mut person = Person::before(with(with_tree(at_board()), Panel::Comment));
    person.write("Why not?");
    assert_eq!(person.click("Keep"), [Command::Tree(TreeCommand::Comment("Why not?".into()))]);
    let kept = person.press_with(Modifiers::CTRL, Key::Enter);
    assert_eq!(kept, [Command::Tree(TreeCommand::Comment("Why not?".into()))]);
    // What was said about another position takes its place.
    person.app.table.as_mut().expect("a table").looked_at = Some(State { node: 4, ..state() });
    person.wait();
    assert!(person.texts().iter().any(|(text, _)| text.starts_with("This has been played")));
}

#[test]
fn a_review_is_read_and_gone_through() {
    let asked = |command| [Command::Review(command)];
    let mut person = Person::before(with_review(at_board()));
    for words in ["Missed wins", "Blunders", "Lost per turn"] {
        assert!(person.find(words).is_some(), "{words}");
    }
    assert_eq!(person.click("Mistake >"), asked(ReviewCommand::Mistake { backwards: false }));
    assert_eq!(person.click("< Mistake"), asked(ReviewCommand::Mistake { backwards: true }));
    assert_eq!(person.click("Close"), asked(ReviewCommand::Close));
    assert_eq!(person.click("Usual"), asked(ReviewCommand::NextEffort));
    let mut person = Person::before(at_mistake());
    assert!(person.find("Turn 2: missed win").is_some());
    assert_eq!(person.click("Try again"), asked(ReviewCommand::Try));
    assert_eq!(person.click("Better line"), asked(ReviewCommand::Line));
    let mut person = Person::before(along_a_line());
    assert_eq!(person.click("Step >"), asked(ReviewCommand::Step { backwards: false }));
    assert_eq!(person.click("< Step"), asked(ReviewCommand::Step { backwards: true }));
    assert_eq!(person.click("Hide"), asked(ReviewCommand::Line));
    let mut person = Person::before(trying());
    assert!(person.find("Well done! Best: 41 %.").is_some());
    assert_eq!(person.click("Try another"), asked(ReviewCommand::Try));
    assert_eq!(person.click("Keep it"), asked(ReviewCommand::Keep));
    assert_eq!(person.click("Back to the review"), asked(ReviewCommand::Leave));
    let mut person = Person::before(running());
    assert!(person.find("3 of 60 turns").is_some());
    assert_eq!(person.click("Stop"), asked(ReviewCommand::Cancel));
    person.app.table.as_mut().and_then(|table| table.review.as_mut()).expect("a review").is_running = false;
    person.wait();
    assert_eq!(person.click("Continue"), asked(ReviewCommand::Start));
}

#[test]
fn after_a_game_the_review_is_one_click_away() {
    let mut app = with_tree(at_board());
    let state = &mut app.table.as_mut().expect("a table").state;
    let outcome = json!({"winner": 1, "reason": "five", "text": "Black wins."});
    (state.outcome, state.to_move) = (Some(serde_json::from_value(outcome).expect("an outcome")), None);
    let mut person = Person::before(app);
    assert_eq!(person.click("Review"), [Command::Review(ReviewCommand::Start)]);
    // Once that is done, what is asked for next is where it went wrong.
    person.app.table.as_mut().expect("a table").review = Some(reviewed());
    person.wait();
    let mistake = Command::Review(ReviewCommand::Mistake { backwards: false });
    assert_eq!(person.click("Next mistake"), [mistake]);
    let mut app = with(at_home(), Panel::SavedGames);
    app.saved = unsaved_game("/data/games/7-zurero.json").game.into_iter().collect();
    let path = app.saved[0].path.clone();
    assert_eq!(Person::before(app).click("Review"), [Command::ReviewGame(path)]);
}

/// Every state of a review at every size that people have, also with larger text.
#[test]
fn no_text_of_a_review_lies_on_another() {
    let mut wrong: Vec<String> = Vec::new();
    let states = || {
        [
            ("tree", with_tree(at_board())),
            ("review", with_review(at_board())),
            ("mistake", at_mistake()),
            ("line", along_a_line()),
            ("try", trying()),
            ("running", running()),
        ]
    };
    for (width, height) in SIZES {
        for text_size in [1.0, 1.6] {
            for (name, mut app) in states() {
                app.settings.text_size = text_size;
                let mut person = Person::before(app);
                person.size = vec2(width, height);
                if person.wait().contains(&Command::Hide(Panel::Game)) {
                    person.app.panels.remove(&Panel::Game);
                    person.wait();
                }
                let place = format!("{name}, {width} by {height}, text {text_size}");
                wrong.extend(person.overlap().map(|texts| format!("{place}: {texts}")));
                let part = person.board_part();
                wrong.extend((part < 0.25).then(|| format!("{place}: the board has {part:.2}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The work of a frame is that of the rows in sight, however many there are: a long list scrolls as
/// a short one does.
#[test]
fn of_ten_thousand_nodes_only_what_is_in_sight_is_drawn() {
    let mut nodes = vec![json!({"node": 0, "ply": 0, "children": [1]})];
    let length = 10_000;
    for node in 1..=length {
        let mut value = json!({"node": node, "parent": node - 1, "seat": node % 2 + 1, "ply": node,
            "action": format!("a{node}"), "comment": (node % 7 == 0).then_some("So it goes.")});
        if node < length {
            value["children"] = json!([node + 1]);
        }
        nodes.push(value);
    }
    let nodes = serde_json::from_value(json!(nodes)).expect("nodes");
    let mut app = at_board();
    let table = app.table.as_mut().expect("a table");
    (table.state.node, table.state.ply) = (5_000, 5_000);
    table.tree = Some(GameTree::new(Tree { current: 5_000, end: length, deleted: 0, nodes }));
    let mut person = Person::before(app);
    let work = |person: &mut Person| {
        person.frame(Vec::new());
        person.panels.turn_list.work
    };
    let Work { measured, drawn } = work(&mut person);
    assert_eq!(measured, 0, "nothing is measured twice");
    assert!((3..60).contains(&drawn), "{drawn} rows are drawn");
    let texts: Vec<String> = person.texts().into_iter().map(|(text, _)| text).collect();
    assert!(texts.contains(&"a5000".to_string()), "the one that is shown is in sight: {texts:?}");
    // The wheel goes through it: no frame does more.
    let at = person.find("a5000").expect("a row");
    person.frame(vec![Event::PointerMoved(at)]);
    for _ in 0..50 {
        let wheel = Event::MouseWheel {
            unit: egui_macroquad::egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -3_000.0),
            modifiers: Modifiers::NONE,
        };
        person.frame(vec![wheel]);
        let Work { measured, drawn } = person.panels.turn_list.work;
        assert!(measured == 0 && drawn < 60, "{measured} and {drawn}");
    }
    assert!(person.find("a5000").is_none(), "it has scrolled");
    // One more turn is one more row to measure.
    let last: serde_json::Value = json!({"node": length, "parent": length - 1, "seat": length % 2 + 1, "ply": length,
        "action": format!("a{length}"), "children": [length + 1]});
    let new = json!({"node": length + 1, "parent": length, "seat": (length + 1) % 2 + 1, "ply": length + 1,
        "action": "z1"});
    let changed = TreeChanged {
        table: "t1".into(),
        current: 5_000,
        end: length,
        deleted: 0,
        nodes: serde_json::from_value(json!([last, new])).expect("nodes"),
        removed: Vec::new(),
    };
    person.app.table.as_mut().and_then(|table| table.tree.as_mut()).expect("a tree").change(changed);
    assert!(work(&mut person).measured <= 2);
}

/// In a small window the list is more than the summary, which can be scrolled to.
#[test]
fn turns_are_in_sight_in_a_review_in_a_small_window() {
    let finished_review = || with_review(finished());
    let reviews: [fn() -> App; 3] = [|| with_review(at_board()), at_mistake, finished_review];
    for (size, text_size) in
        [(vec2(640.0, 480.0), 1.0), (vec2(800.0, 600.0), 1.6), (vec2(1600.0, 500.0), 1.0)]
    {
        for app in reviews {
            let mut app = app();
            app.settings.text_size = text_size;
            let mut person = Person::before(app);
            person.size = size;
            person.wait();
            person.app.panels.insert(Panel::Game);
            person.wait();
            let rows = ["@c3", "sc", "e3"].into_iter().filter(|row| person.find(row).is_some()).count();
            assert!(rows >= 1, "{size}, text {text_size}: {rows} rows");
            let free = person.panels.free_area();
            let bar = (1.0 - free.bottom) * size.y / text_size;
            assert!(bar < 130.0, "{size}, text {text_size}: the bar has {bar} points");
        }
    }
}

/// What cannot be done better is not called so, and nobody is asked to try it again.
#[test]
fn of_a_best_turn_nothing_better_is_offered() {
    let mut app = at_mistake();
    let review = app.table.as_mut().and_then(|table| table.review.as_mut()).expect("a review");
    review.turns.get_mut(&2).expect("a turn").verdict = Verdict::Best;
    let mut person = Person::before(app);
    assert!(person.find("Better line").is_none() && person.click("Try again").is_empty());
    assert_eq!(person.click("Best line"), [Command::Review(ReviewCommand::Line)]);
    let texts: Vec<String> = person.texts().into_iter().map(|(text, _)| text).collect();
    assert!(texts.iter().any(|text| text.contains("Best: 41 %.")), "{texts:?}");
}

/// Where there is nothing worse, inaccuracies can be gone through.
#[test]
fn inaccuracies_are_gone_through_when_there_is_nothing_worse() {
    let mut app = with_review(at_board());
    let review = app.table.as_mut().and_then(|table| table.review.as_mut()).expect("a review");
    for turn in review.turns.values_mut() {
        turn.verdict = if turn.turn == 2 { Verdict::Inaccuracy } else { Verdict::Good };
    }
    assert_eq!(review.mistake(0, false).map(|turn| turn.turn), Some(2));
    let mut person = Person::before(app);
    let next = Command::Review(ReviewCommand::Mistake { backwards: false });
    assert_eq!(person.click("Inaccuracy >"), [next]);
}

/// The sign that ends a turn of Absorption goes without saying, and looks like a second full stop.
#[test]
fn sentences_leave_out_the_sign_that_ends_a_turn() {
    let mut analysed = analysing(at_board());
    let found = analysed.analysis.found.as_mut().expect("lines");
    found.lines[0].variation.pv = ["a1-b2", ".", "c3-d4", "."].map(String::from).into();
    found.lines[0].variation.turns = vec![2; 2];
    let mut begun = trying();
    begun.trial.as_mut().expect("a try").end = None;
    for app in [at_mistake(), trying(), begun, analysed] {
        let texts = Person::before(app).texts();
        let odd: Vec<_> = texts.iter().filter(|(text, _)| text.contains(" .")).collect();
        assert!(odd.is_empty(), "{odd:?}");
    }
}
