//! What every turn was worth: the review, its mistakes, the better lines, and another try.

use serde_json::json;
use tabuleiro::app::App;
use tabuleiro::command::{Command, Panel, ReviewCommand, TreeCommand};
use tabuleiro::review::GameReview;
use tabuleiro::scene::MarkKind;
use tabuleiro::settings::Effort;
use tabuleiro_protocol::{Seat, Verdict};

use crate::room::{Room, person};

fn ask(room: &mut Room, command: ReviewCommand) {
    room.dispatch(Command::Review(command));
    room.settle();
}

fn review(room: &Room) -> &GameReview {
    room.table().review.as_ref().expect("a review")
}

fn is_whole(app: &App) -> bool {
    app.table.as_ref().and_then(|table| table.review.as_ref()).is_some_and(GameReview::is_whole)
}

fn requests(app: &App, method: &str) -> usize {
    let wanted = format!("\"method\":\"{method}\"");
    app.console.iter().filter(|line| line.sent && line.line.contains(&wanted)).count()
}

/// Black has four in a row, could make five with `e1` and plays `sb`; then White plays somewhere.
fn with_missed_win() -> Room {
    let mut room = Room::new();
    let rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."];
    let record = json!({
        "format": "tabuleiro-record", "version": 1, "game": "zurero", "options": {"size": 5}, "seed": 1,
        "start": {"rows": rows, "to_move": 1}, "seats": {"1": {"kind": "client"}, "2": {"kind": "client"}},
        "played": ["sb"]
    });
    let game = json!({"game": "zurero", "title": "A game", "finished": false, "record": record});
    let path = room.folder.path().join("games").join("1-zurero.json");
    std::fs::write(&path, game.to_string()).expect("a game");
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.is_some());
    room.settle();
    let action = room.table().details[0].action.clone();
    room.dispatch(Command::Play(action));
    room.settle();
    room
}

/// The same, looked through, at the missed win.
fn at_missed_win() -> Room {
    let mut room = with_missed_win();
    ask(&mut room, ReviewCommand::Start);
    room.dispatch(Command::LookAt(0));
    room.settle();
    ask(&mut room, ReviewCommand::Mistake { backwards: false });
    room
}

#[test]
fn a_game_is_reviewed_and_what_was_found_is_there_again() {
    let mut room = with_missed_win();
    ask(&mut room, ReviewCommand::Mistake { backwards: false });
    room.until_told("not looked through yet");
    ask(&mut room, ReviewCommand::Start);
    assert!(room.app().panels.contains(&Panel::Review));
    assert!(review(&room).is_whole());
    assert_eq!((review(&room).turns.len(), review(&room).total), (2, Some(2)));
    let summary = review(&room).summary.clone().expect("a summary");
    assert_eq!((summary[Seat::One].turns, summary[Seat::One].missed_wins), (1, 1));
    let found = review(&room).turns.clone();
    assert_eq!(found[&1].verdict, Verdict::MissedWin);
    // What was found is kept with the game, and a saved one can be looked through at once.
    let mut room = room.again();
    let path = room.app().saved[0].path.clone();
    room.dispatch(Command::ReviewGame(path));
    room.until(is_whole);
    assert_eq!(review(&room).turns, found);
    room.settle();
    ask(&mut room, ReviewCommand::Start);
    assert_eq!(requests(room.app(), "review"), 1, "what is known is not asked for again");
    ask(&mut room, ReviewCommand::Close);
    assert!(!room.app().panels.contains(&Panel::Review));
}

#[test]
fn mistakes_are_gone_to_with_what_was_played_and_what_was_better() {
    let mut room = at_missed_win();
    assert_eq!((review(&room).at, room.table().shown().node), (Some(1), 0), "the position before it");
    let marks = room.director.marks();
    let has = |wanted: fn(&MarkKind) -> bool| marks.iter().any(|mark| wanted(&mark.kind));
    // The way, and at its end the sign that the panel explains.
    assert!(has(|kind| matches!(kind, MarkKind::Played { to: Some(_), .. })), "{marks:?}");
    assert!(has(|kind| matches!(kind, MarkKind::Better { to: Some(_), .. })), "{marks:?}");
    assert!(has(|kind| matches!(kind, MarkKind::Played { to: None, .. })), "{marks:?}");
    assert!(has(|kind| matches!(kind, MarkKind::Better { to: None, .. })), "{marks:?}");
    assert!(!has(|kind| matches!(kind, MarkKind::Last | MarkKind::Trail { .. })), "{marks:?}");
    ask(&mut room, ReviewCommand::Mistake { backwards: true });
    room.until_told("no mistake before");
    room.dispatch(Command::LookAtNow);
    room.settle();
    assert_eq!(review(&room).at, None);
    assert!(!room.director.marks().iter().any(|mark| matches!(mark.kind, MarkKind::Better { .. })));
    ask(&mut room, ReviewCommand::Mistake { backwards: true });
    assert!(review(&room).looked_at().expect("a turn").verdict.is_bad());
    ask(&mut room, ReviewCommand::Turn(2));
    assert_eq!((review(&room).at, room.table().shown().node), (Some(2), 1));
    room.dispatch(Command::Escape);
    room.settle();
    assert_eq!((review(&room).at, &room.table().looked_at), (None, &None));
    room.dispatch(Command::Escape);
    room.settle();
    assert!(!room.app().panels.contains(&Panel::Review));
}

#[test]
fn a_better_line_is_played_through_and_the_game_stays() {
    let mut room = at_missed_win();
    let before = room.app().motion.final_tokens().clone();
    let (node, nodes) = (room.table().state.node, room.table().tree.as_ref().expect("a tree").len());
    room.dispatch(Command::Review(ReviewCommand::Line));
    room.until(|app| !app.motion.is_still());
    room.settle();
    let step = |room: &Room| review(room).line.as_ref().expect("a line").step;
    assert_eq!(step(&room), 1);
    assert_eq!(room.table().shown().rows[0], "b b b b b", "what the better turn leads to");
    assert_ne!(*room.app().motion.final_tokens(), before);
    assert!(!room.director.marks().iter().any(|mark| matches!(mark.kind, MarkKind::Played { .. })));
    // Arrows go along it.
    room.dispatch(Command::MoveCursor { right: -1, down: 0 });
    room.settle();
    assert_eq!((step(&room), room.app().motion.final_tokens()), (0, &before));
    room.dispatch(Command::MoveCursor { right: 1, down: 0 });
    room.settle();
    assert_eq!(step(&room), 1);
    let length = review(&room).line.as_ref().expect("a line").actions.len();
    for _ in 0..length {
        ask(&mut room, ReviewCommand::Step { backwards: false });
    }
    room.until_told("line ends here");
    room.dispatch(Command::Tree(TreeCommand::Comment("Here?".into())));
    room.until_told("not in the game");
    room.dispatch(Command::Escape);
    room.settle();
    assert!(review(&room).line.is_none());
    assert_eq!((review(&room).at, room.app().motion.final_tokens()), (Some(1), &before));
    let table = room.table();
    assert_eq!((table.state.node, table.tree.as_ref().expect("a tree").len()), (node, nodes));
}

#[test]
fn a_turn_is_tried_again_and_judged_and_nothing_of_the_game_is_lost() {
    let mut room = at_missed_win();
    let (home, played) = (room.table().state.clone(), room.table().turns.clone());
    let on_disk = std::fs::read_to_string(&room.app().saved[0].path).expect("the game");
    ask(&mut room, ReviewCommand::Try);
    let trial = room.app().trial.as_ref().expect("a try");
    assert_eq!((trial.seat(), room.table().state.to_move, room.ply()), (Seat::One, Some(Seat::One), 0));
    room.dispatch(Command::Resign(Seat::One));
    room.until_told("only a try");
    room.dispatch(Command::Play("sb".into()));
    room.settle();
    let tried = |room: &Room| room.app().trial.as_ref().and_then(|trial| trial.verdict().cloned());
    assert_eq!(tried(&room).expect("a verdict").verdict, Verdict::MissedWin);
    assert!(!room.director.marks().iter().any(|mark| mark.kind == MarkKind::Open), "nothing is to be chosen");
    let action = room.table().details.first().map(|detail| detail.action.clone());
    room.dispatch(Command::Play(action.unwrap_or("e1".into())));
    room.until_told("You have tried this turn");
    ask(&mut room, ReviewCommand::Try);
    assert_eq!((room.ply(), tried(&room)), (0, None));
    room.dispatch(Command::Play("e1".into()));
    room.settle();
    let verdict = tried(&room).expect("a verdict");
    assert!(verdict.verdict < Verdict::Good && verdict.after.proved.is_some(), "{verdict:?}");
    room.dispatch(Command::Escape);
    room.settle();
    assert!(room.app().trial.is_none());
    assert_eq!(review(&room).at, Some(1), "back at the mistake");
    assert_eq!((&room.table().state, &room.table().turns), (&home, &played));
    assert_eq!(room.app().saved.len(), 1);
    assert_eq!(std::fs::read_to_string(&room.app().saved[0].path).expect("the game"), on_disk);
    // Whoever begins another game in the middle of a try has lost nothing either.
    ask(&mut room, ReviewCommand::Try);
    room.start("fabrik", &[("size", 7)], person(), person());
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.game == "fabrik"));
    room.settle();
    assert!(room.app().trial.is_none());
    assert_eq!(room.app().saved.len(), 2);
}

#[test]
fn a_review_is_stopped_and_goes_on_where_it_was() {
    let mut room = Room::new();
    room.start("zurero", &[("size", 7)], person(), person());
    for turn in 0..14 {
        let details = &room.table().details;
        if details.is_empty() {
            break;
        }
        let action = details[(turn * 5) % details.len()].action.clone();
        room.dispatch(Command::Play(action));
        room.settle();
    }
    room.dispatch(Command::Review(ReviewCommand::Start));
    assert!(review(&room).is_running);
    room.dispatch(Command::Review(ReviewCommand::Cancel));
    room.settle();
    assert!(!review(&room).is_running && !review(&room).is_whole());
    ask(&mut room, ReviewCommand::Start);
    assert!(review(&room).is_whole());
    assert_eq!(requests(room.app(), "cancel"), 1);
    // Who plays on can have the rest looked at.
    let known = review(&room).turns.len();
    if let Some(action) = room.table().details.first().map(|detail| detail.action.clone()) {
        room.dispatch(Command::Play(action));
        room.settle();
        ask(&mut room, ReviewCommand::Start);
        assert_eq!(review(&room).turns.len(), known + 1);
    }
}

#[test]
fn what_was_tried_is_kept_as_a_variation_with_what_the_engine_says() {
    let mut room = at_missed_win();
    let (home, nodes) = (room.table().state.clone(), room.table().tree.as_ref().expect("a tree").len());
    ask(&mut room, ReviewCommand::Keep);
    room.until_told("Nothing was tried");
    ask(&mut room, ReviewCommand::Try);
    ask(&mut room, ReviewCommand::Keep);
    room.until_told("Find a turn first");
    // The turn that was to be done better is none to keep.
    room.dispatch(Command::Play("sb".into()));
    room.settle();
    ask(&mut room, ReviewCommand::Keep);
    room.until_told("only another one is kept");
    // Nor is it kept while the engine still looks at the next one.
    ask(&mut room, ReviewCommand::Try);
    let action = room.table().details.iter().map(|detail| detail.action.clone());
    let action = action.into_iter().find(|action| action != "e1" && action != "sb").expect("another turn");
    room.dispatch(Command::Play(action.clone()));
    room.settle();
    ask(&mut room, ReviewCommand::Keep);
    assert!(room.app().trial.is_none(), "back at the game");
    let table = room.table();
    assert_eq!(table.state, home, "where the game stands nothing has changed");
    let tree = table.tree.as_ref().expect("a tree");
    assert_eq!(tree.len(), nodes + 1);
    let kept = tree.behind(0, &[action]).expect("the variation");
    assert_eq!((table.shown().node, review(&room).at), (kept, None), "it is looked at");
    let node = tree.get(kept).expect("a node");
    let comment = node.comment.as_deref().expect("a comment");
    assert!(comment.contains("Another try. ") && comment.contains(" before, "), "{comment}");
    assert!(node.evaluation.is_some(), "{node:?}");
    // A turn that ends the game can be kept as well, and all of it is on disk.
    ask(&mut room, ReviewCommand::Turn(1));
    ask(&mut room, ReviewCommand::Try);
    room.dispatch(Command::Play("e1".into()));
    room.settle();
    ask(&mut room, ReviewCommand::Keep);
    assert_eq!(room.table().shown().outcome.as_ref().and_then(|outcome| outcome.winner), Some(Seat::One));
    let path = room.app().saved[0].path.clone();
    room.until(move |_| {
        std::fs::read_to_string(&path).is_ok_and(|text| text.matches("Another try").count() == 2)
    });
}

#[test]
fn a_review_is_as_thorough_as_is_wanted() {
    let asked_with = |room: &Room| -> Vec<u64> {
        let sent = room.app().console.iter().filter(|line| line.sent);
        let asked = sent.filter_map(|line| serde_json::from_str::<serde_json::Value>(&line.line).ok());
        asked
            .filter_map(|asked| {
                asked["params"]["limits"]["nodes"].as_u64().filter(|_| asked["method"] == "review")
            })
            .collect()
    };
    let mut room = with_missed_win();
    ask(&mut room, ReviewCommand::NextEffort);
    room.until_told("thorough");
    assert!(room.table().review.is_none(), "nobody has asked for one");
    ask(&mut room, ReviewCommand::NextEffort);
    ask(&mut room, ReviewCommand::Start);
    assert_eq!((review(&room).effort, asked_with(&room)), (Effort::Quick, vec![10_000]));
    // What was judged is judged anew.
    ask(&mut room, ReviewCommand::NextEffort);
    assert!(review(&room).is_whole());
    assert_eq!((review(&room).effort, asked_with(&room)), (Effort::Usual, vec![10_000, 50_000]));
    // It is remembered. One that is under way ends, and begins anew.
    let mut room = room.again();
    assert_eq!(room.app().settings.review_effort, Effort::Usual);
    for _ in 0..2 {
        room.dispatch(Command::Review(ReviewCommand::NextEffort));
    }
    let path = room.app().saved[0].path.clone();
    room.dispatch(Command::LoadGame(path));
    room.until(|app| app.table.as_ref().is_some_and(|table| table.tree.is_some()));
    room.settle();
    room.dispatch(Command::Review(ReviewCommand::Start));
    assert!(review(&room).is_running);
    room.dispatch(Command::Review(ReviewCommand::NextEffort));
    room.until(|app| {
        is_whole(app)
            && app
                .table
                .as_ref()
                .and_then(|table| table.review.as_ref())
                .is_some_and(|review| review.effort == Effort::Usual)
    });
    assert_eq!(asked_with(&room), [10_000, 50_000]);
}
