//! Panels without a window: keys and clicks go in, commands come out.

mod analysis;
mod board;
mod editor;
mod home;
mod keyboard;
mod lessons;
mod person;
mod prepare;
mod puzzles;
mod review;
mod saving;
mod sharing;
mod sheets;
mod sizes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::SystemTime;

use egui_macroquad::egui::epaint::{ClippedShape, Shape};
use egui_macroquad::egui::{
    Color32, Context, Event, FontDefinitions, FontFamily, Id, Key, LayerId, Modifiers, MouseWheelUnit, Order,
    PointerButton, Pos2, RawInput, Rect, Stroke, TextEdit, Vec2, vec2,
};
use serde_json::json;
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::method::{Damage, Hinted, Opened, Problem, TableInfo};
use tabuleiro_protocol::notice::{BotFailed, BotFailure};
use tabuleiro_protocol::progress::{Attempt, LevelResult};
use tabuleiro_protocol::puzzle::Puzzle;
use tabuleiro_protocol::{
    Direction, Fact, GameInfo, Hello, Info, LevelInfo, LevelRole, MemberKind, OptionSpec, Options, Overlay,
    PerSeat, Piece, Player, Proof, Score, Seat, Start, StartMember, State, Turn, Variation, Wanted,
};

use super::{Panels, QUESTIONS, SHEETS, look};
use crate::analysis::{Analysis, Found, FoundLine};
use crate::app::{App, ConsoleLine, Message, Offered, PositionText, Preview, PuzzleFilter, Refusal, Screen};
use crate::board::Target;
use crate::command::{Command, Copied, EditCommand, Panel, WindowCommand};
use crate::editor::{Editor, Hand, Verdict};
use crate::exercise::{Exercise, Judgement, Task};
use crate::files::{GameResult, SavedGame};
use crate::film::{FilmOrder, FilmProgress};
use crate::keeper::Unsaved;
use crate::keys::keys_for;
use crate::pick::Pick;
use crate::settings::{Choices, Settings, TEXT_SIZES};
use crate::stage::theme::themes;
use crate::state::{Chance, Moving, TableView, Thought};
use person::{Person, button_at, with_long_words};

fn hello() -> Hello {
    let game = GameInfo::new;
    let size = OptionSpec::integer("size", 11, 5, 15, "Rows and columns of the board.");
    let rules = OptionSpec::choice("rules", &["official", "report"], "Which rules are played.");
    let level = |name: &str| LevelInfo {
        id: name.to_lowercase(),
        name: name.into(),
        help: format!("{name} plays."),
        roles: if name == "Club" { vec![LevelRole::Opponent] } else { Vec::new() },
    };
    Hello {
        engine: "engine".into(),
        version: "1".into(),
        protocol: 1,
        games: vec![
            game("zurero", "Zurero", vec![size.clone()]),
            game("fabrik", "Fabrik", vec![size, rules]),
            game("absorption", "Absorption", Vec::new()),
            game("syrtis", "Syrtis", Vec::new()),
        ],
        levels: ["Random", "Club", "Expert"].map(level).into(),
        bots: vec!["pusher".into()],
        strict: false,
    }
}

fn at_home() -> App {
    App { hello: Some(hello()), ..App::new(Settings::default()) }
}

/// The lessons as they are shipped.
fn with_lessons(app: App) -> App {
    let texts = [
        include_str!("../../../../assets/lessons/zurero.json"),
        include_str!("../../../../assets/lessons/fabrik.json"),
        include_str!("../../../../assets/lessons/absorption.json"),
        include_str!("../../../../assets/lessons/syrtis.json"),
    ];
    let lessons = texts.map(|text| serde_json::from_str::<Lesson>(text).expect("a lesson"));
    let lessons = lessons.into_iter().map(|lesson| (lesson.game.clone(), Some(lesson)));
    App { lessons: lessons.collect(), ..app }
}

/// A step of a lesson on the board.
fn in_lesson(game: &str, at: usize) -> App {
    let mut app = with_lessons(at_board());
    let lesson = app.lessons[game].clone().expect("a lesson");
    if let Some(table) = &mut app.table {
        table.learner = Some(Seat::One);
        table.state.ply = 0;
    }
    app.exercise = Some(Exercise::new(Task::Lesson { lesson, at }, Seat::One));
    app
}

fn puzzle(name: &str, game: &str) -> Puzzle {
    serde_json::from_value(json!({
        "name": name, "game": game, "start": {"rows": [". ."], "to_move": 1}, "kind": "win", "turns": 2,
        "solutions": [["w3"]], "line": [["w3"]], "grade": 2, "solved_by": {}, "source": "your game, turn 7"
    }))
    .expect("a puzzle")
}

/// Somebody who has learnt for a while.
fn with_progress(app: App) -> App {
    let mut app = with_lessons(app);
    app.today = "2026-11-17".parse().expect("a day");
    app.puzzles =
        vec![puzzle("z1", "zurero").info(), puzzle("z2", "zurero").info(), puzzle("f1", "fabrik").info()];
    app.own_puzzles = vec![puzzle("own-1", "syrtis")];
    app.puzzle_of_the_day = Some("f1".into());
    for ago in 0..20 {
        let day = app.today.plus(-ago);
        app.progress.note_step("zurero", ago as usize % 14, 14, day);
        let (which, attempt) = if ago % 3 == 0 { (0, Attempt::Failed) } else { (2, Attempt::Solved) };
        app.progress.note_puzzle(&app.puzzles[which].clone(), attempt, day);
        app.progress.note_game("fabrik", "club", LevelResult::Lost, day);
        app.progress.note_game("zurero", "expert", LevelResult::Won, day);
    }
    app
}

fn in_puzzle() -> App {
    let mut app = with_progress(at_board());
    let hint = Hinted {
        step: 1,
        of: 3,
        text: "Look at the row in the middle.".into(),
        cells: vec!["a1".into()],
        actions: Vec::new(),
    };
    let mut task = Task::new_puzzle(puzzle("z1", "zurero"));
    if let Task::Puzzle { hints, is_helped, .. } = &mut task {
        (*hints, *is_helped) = (vec![hint], true);
    }
    app.exercise = Some(Exercise::new(task, Seat::One));
    app
}

fn state() -> State {
    serde_json::from_value(json!({
        "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1,
        "seats": {"1": {"kind": "client"}, "2": {"kind": "ai", "level": "club"}},
        "sides": {"1": "black", "2": "white"}, "ply": 3, "turn": 3, "to_move": 1, "phase": "play",
        "prompt": "Slide a stone in.", "rows": [], "counters": {"points": [3, 4], "streak": 1}, "last": null,
        "outcome": null, "undone": 1, "held": false
    }))
    .expect("a state")
}

fn at_board() -> App {
    let turn = |seat, action: &str, ply| Turn { seat, actions: vec![action.into()], ply };
    let mut table = TableView::new(state());
    table.turns = vec![
        turn(Seat::One, "@c3", 1),
        turn(Seat::Two, "w3", 2),
        turn(Seat::One, "nc", 3),
        turn(Seat::Two, "e3", 4),
    ];
    for (ply, first) in [(0, 0.5), (2, 0.6), (3, 0.4)] {
        table.note_chance(table.key(ply).expect("a position"), Chance { first, is_rough: ply == 3 });
    }
    let cells = vec!["a1".into()];
    table.overlays =
        vec![Overlay { name: "o".into(), text: "Four in a row".into(), seat: Some(Seat::One), cells }];
    App { screen: Screen::Board, table: Some(table), ..at_home() }
}

/// A window that has joined an engine at which others have tables.
fn among_others(app: App) -> App {
    let table = |name: &str, seats| TableInfo {
        table: name.into(),
        game: "zurero".into(),
        ply: 12,
        seats: serde_json::from_value(seats).expect("seats"),
        outcome: None,
    };
    let person = json!({"kind": "client"});
    let open = json!({"kind": "client", "open": true});
    let tables =
        vec![table("t2", json!({"1": person, "2": open})), table("t3", json!({"1": person, "2": person}))];
    App { socket: Some("club".into()), tables, ..app }
}

/// Somebody else's table, with a seat that is free.
fn watching() -> App {
    let seats = json!({"1": {"kind": "client"}, "2": {"kind": "client", "open": true}});
    let seats = serde_json::from_value(seats).expect("seats");
    let table = TableView::of_others(State { seats, to_move: Some(Seat::Two), ..state() });
    App { table: Some(table), ..among_others(at_board()) }
}

fn with_failed_bot(mut app: App) -> App {
    if let Some(table) = &mut app.table {
        table.state.held = true;
        table.state.to_move = Some(Seat::Two);
        table.failed = Some(BotFailed {
            table: "t1".into(),
            seat: Seat::Two,
            name: "pusher".into(),
            why: BotFailure::Timeout,
            detail: "no answer within 2 s".into(),
        });
    }
    with(app, Panel::BotFailed)
}

/// A game that the person has won.
fn finished() -> App {
    let mut app = at_board();
    let outcome = json!({"winner": 1, "reason": "five", "text": "Black wins with five in a row."});
    let state = &mut app.table.as_mut().expect("a table").state;
    state.outcome = Some(serde_json::from_value(outcome).expect("an outcome"));
    state.to_move = None;
    app
}

fn with(mut app: App, panel: Panel) -> App {
    app.panels.insert(panel);
    app
}

fn analysing(mut app: App) -> App {
    let line = |win, proved| FoundLine {
        variation: Variation {
            actions: vec!["a1/a2,b1,b2".into(); 2],
            score: Score { win, proved },
            pv: vec!["a1/a2,b1,b2".into(); 14],
            turns: vec![2; 7],
        },
        line: None,
        is_past: false,
    };
    let lines = vec![line(1.0, Some(Proof::Win)), line(0.62, None), line(0.5, None)];
    app.analysis = Analysis {
        is_on: true,
        is_searching: true,
        found: Some(Found { depth: 12, nodes: 154_000_000, lines }),
        ..Analysis::default()
    };
    app
}

fn unsaved_game(path: &str) -> Unsaved {
    let game = SavedGame {
        path: path.into(),
        game: "zurero".into(),
        title: "Black and White, 3 turns".into(),
        finished: false,
        name: None,
        rows: vec![". b".into(), "w .".into()],
        result: None,
        is_watched: false,
        is_begun: true,
        changed: SystemTime::UNIX_EPOCH,
    };
    let reason = format!("{path}: No space left on device (os error 28)");
    Unsaved { path: path.into(), game: Some(game), reason }
}

/// A game that is on no disk, and settings that are not either.
fn with_full_disk(app: App) -> App {
    let settings = Unsaved { game: None, ..unsaved_game("/data/settings.json") };
    let folders = vec!["/data/games".into(), "/mnt/stick".into()];
    App {
        unsaved: vec![unsaved_game("/data/games/7-zurero.json"), settings],
        games_folder: "/data/games".into(),
        other_folders: folders,
        ..app
    }
}

/// A position of Syrtis is being set up, which has the most to say.
fn in_editor(verdict: Verdict) -> App {
    let start = |name: &str, kind, help: &str| StartMember::new(name, kind, help);
    let pieces = ["lc", "ls", "dc", "ds", "lcL", "lsL", "dcL", "lsD", "dcD", "dsD"];
    let game = GameInfo {
        pieces: pieces.map(|token| Piece::new(token, &format!("a tile called {token}"))).into(),
        start: vec![
            StartMember::to_move(),
            start("sinks", MemberKind::PerSeat { min: 0, max: 3 }, "Tiles that each has sunk."),
            start("streak", MemberKind::Integer { min: 0, max: 3 }, "Passes in succession."),
            start("last_sinker", MemberKind::Seat { optional: true }, "Who sank the last tile."),
        ],
        ..GameInfo::new("syrtis", "Syrtis", Vec::new())
    };
    let set = crate::sets::find("syrtis", None);
    let mut editor = Editor::new(&game, Options::new(), set, Screen::Home);
    editor.set_up(&Start { rows: vec![". lc".into(), "ds .".into()], ..Start::default() });
    editor.verdict = verdict;
    App { screen: Screen::Editor, editor: Some(Box::new(editor)), ..at_home() }
}
