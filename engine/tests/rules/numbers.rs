//! The numbers of actions and boards, which never change: people keep them in trained nets.

use serde_json::{Value, json};
use tabuleiro_engine::catalog::Catalog;
use tabuleiro_engine::session::Session;
use tabuleiro_protocol::{Seat, Start};

fn open(game: &str, options: Value, start: Option<Value>) -> Session {
    let start: Option<Start> = start.map(|start| serde_json::from_value(start).expect("a start"));
    Catalog::standard().open(game, options.as_object(), 1, start).expect("a game")
}

/// Compares the size of the space and some codes with what they have always been.
fn codes(game: &str, options: Value, size: u32, longest: usize, known: &[(&str, &[u32])]) {
    let session = open(game, options.clone(), None);
    let numbers = session.numbers().expect("a game with numbers");
    let space = numbers.space();
    assert_eq!((space.size, space.longest), (size, longest), "{game} {options}");
    assert_eq!(space.one_step, longest == 1);
    let mut next = 0;
    for range in &space.numbers {
        assert_eq!(range.from, next, "{game}: {}", range.meaning);
        next += range.count;
    }
    assert_eq!(next, size);
    for &(text, code) in known {
        assert_eq!(numbers.code(text), Ok((text.into(), code.to_vec())), "{game} {options}");
        assert_eq!(numbers.action(code), Ok(text.into()), "{game} {options}");
    }
}

#[test]
fn codes_are_what_they_have_always_been() {
    codes("zurero", json!({"size": 5}), 21, 1, &[("na", &[0]), ("e5", &[9]), ("w3", &[17]), ("@c3", &[20])]);
    codes(
        "zurero",
        json!({"size": 8}),
        36,
        1,
        &[
            ("nh", &[7]),
            ("e1", &[8]),
            ("sa", &[16]),
            ("w8", &[31]),
            ("@d4", &[32]),
            ("@e4", &[33]),
            ("@d5", &[34]),
        ],
    );
    codes("zurero", json!({}), 77, 1, &[("ns", &[18]), ("w19", &[75]), ("@j10", &[76])]);
    codes(
        "fabrik",
        json!({"size": 5}),
        77,
        2,
        &[("@b1", &[1]), ("a2-e5", &[30, 74]), ("w@c1", &[52]), ("black", &[75]), ("white", &[76])],
    );
    codes("fabrik", json!({}), 365, 2, &[("@k11", &[120]), ("a1-k11", &[121, 362]), ("w@a1", &[242])]);
    codes("fabrik", json!({"size": 15, "rules": "report"}), 677, 2, &[("o15-a1", &[449, 450])]);
    codes(
        "absorption",
        json!({}),
        322,
        4,
        &[
            ("c1/b2,c2,d2", &[2, 265, 266, 267]),
            ("c1/b2,b2,d2", &[2, 265, 265, 267]),
            ("h8/g8,h7", &[63, 318, 311]),
            ("e2+f2", &[76, 269, 321]),
            ("e2+f2,g2", &[76, 269, 270]),
            ("b2-b4", &[137, 281]),
            (".", &[320]),
            ("d4*e4", &[219, 284]),
            ("c3*b3,d3", &[210, 273, 275]),
        ],
    );
    codes(
        "syrtis",
        json!({}),
        4970,
        1,
        &[
            ("c3-e2", &[795]),
            ("b4~d4", &[2401 + 22 * 49 + 24]),
            ("xe1", &[4806]),
            ("L@c3", &[4867]),
            ("D@e4", &[4925]),
            ("11<>12", &[4954]),
            ("light", &[4967]),
            ("dark", &[4968]),
            ("pass", &[4969]),
        ],
    );
    codes(
        "syrtis",
        json!({"layout": "minor"}),
        1336,
        1,
        &[("a1-e5", &[24]), ("xa1", &[1250]), ("pass", &[1335])],
    );
}

#[test]
fn what_is_no_action_has_no_code() {
    for (game, texts, codes) in [
        ("zurero", &["", "w0", "w20", "nt", "w1 ", "w01", "@a1", "pass"][..], &[&[][..], &[77], &[0, 1]][..]),
        (
            "fabrik",
            &["@l1", "a1-a1", "w@", "red", "a1-b1-c1"],
            &[&[121], &[242, 121], &[121, 121], &[121, 0], &[121, 242], &[365], &[0, 0], &[u32::MAX]],
        ),
        (
            "absorption",
            &[
                "c1/d2,c2,b2",
                "c1/b2",
                "c1/b2,b2,b2",
                "c1/e5,d2",
                "c3+c3",
                "c3+h8",
                "a1-a4",
                "a1-a1",
                "c3*b3,b3,b3",
                "a1*b2",
                "..",
            ],
            &[
                &[2],
                &[2, 265],
                &[2, 267, 266],
                &[76, 269],
                &[76, 321],
                &[137, 281, 281],
                &[320, 320],
                &[256],
                &[322],
                &[2, 3, 4],
            ],
        ),
        (
            "syrtis",
            &["a1-a1", "xh1", "12<>11", "11<>13", "q@c3", "c3", "L@"],
            &[&[0], &[4970], &[2401], &[1, 1]],
        ),
    ] {
        let session = open(game, json!({}), None);
        let numbers = session.numbers().expect("a game with numbers");
        for text in texts {
            assert!(numbers.code(text).is_err(), "{game}: {text:?} is {:?}", numbers.code(text));
        }
        for code in codes {
            assert!(numbers.action(code).is_err(), "{game}: {code:?} is {:?}", numbers.action(code));
        }
    }
    let refused = |code: &[u32]| open("zurero", json!({}), None).numbers().unwrap().action(code).unwrap_err();
    assert_eq!(
        refused(&[77]).to_string(),
        "77 is no number of this game with these options: they go from 0 to 76"
    );
}

/// The planes of a position as text: a line for each that is not 0 everywhere.
fn planes(session: &Session, seat: Seat) -> Vec<String> {
    let numbers = session.numbers().expect("a game with numbers");
    let space = numbers.space().planes;
    let planes = numbers.planes(seat);
    assert_eq!(planes.shape, space.shape);
    let cells = space.shape[1] * space.shape[2];
    let lines = space.names.iter().zip(planes.data.chunks(cells)).map(|(name, plane)| {
        if plane.iter().all(|number| *number == plane[0]) {
            return format!("{name} {}", plane[0]);
        }
        let marked = (0..cells).filter(|&cell| plane[cell] == 1).map(|cell| {
            let column = (b'a' + (cell % space.shape[2]) as u8) as char;
            format!(" {column}{}", cell / space.shape[2] + 1)
        });
        format!("{name}{}", marked.collect::<String>())
    });
    lines.filter(|line| !line.ends_with(" 0")).collect()
}

#[test]
fn planes_are_what_they_have_always_been() {
    let rows = ["b b . . .", ". . w . .", ". . . . .", ". . . . .", ". . . . ."];
    let zurero = open("zurero", json!({"size": 5}), Some(json!({"rows": rows, "to_move": 2})));
    assert_eq!(planes(&zurero, Seat::Two), ["own c2", "enemy a1 b1", "turn 1"]);
    assert_eq!(planes(&zurero, Seat::One), ["own a1 b1", "enemy c2"]);

    let mut fabrik = open("fabrik", json!({"size": 5}), None);
    assert_eq!(planes(&fabrik, Seat::One), ["turn 1"]);
    let mut after = |action: &str, seat| {
        fabrik.play(action).expect("legal");
        planes(&fabrik, seat)
    };
    assert_eq!(after("w@b2", Seat::Two), ["worker b2", "turn 1"]);
    assert_eq!(after("w@d4", Seat::One), ["worker b2 d4", "turn 1", "choose 1"]);
    assert_eq!(after("white", Seat::Two), ["worker b2 d4", "turn 1", "first_stone 1"]);
    assert_eq!(after("@c3", Seat::One), ["enemy c3", "worker b2 d4", "turn 1"]);
    assert_eq!(after("b2-b4", Seat::One), ["enemy c3", "worker b4 d4", "turn 1", "place 1"]);

    let rows = [
        ". . . . . . . .",
        ". x3 . . . . . .",
        ". . . . . . . .",
        ". . . o1 . x2 . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        "o3 o2 o1 . . . . .",
    ];
    let mut absorption = open("absorption", json!({}), Some(json!({"rows": rows, "to_move": 1})));
    let mut after = |action: &str| {
        absorption.play(action).expect("legal");
        planes(&absorption, Seat::One)
    };
    assert_eq!(
        after("b2/b3,c3,c3"),
        [
            "own_small b3",
            "own_medium c3 f4",
            "enemy_small d4 c8",
            "enemy_medium b8",
            "enemy_large a8",
            "own_points 5",
            "enemy_points 7",
            "turn 1",
            "moves 1",
            "runner b3",
            "spent c3",
            "origin b2",
            "turns_left 200",
        ]
    );
    after("b3-b5");
    assert_eq!(
        after("f4-e4"),
        [
            "own_small b5",
            "own_medium c3 e4",
            "enemy_small d4 c8",
            "enemy_medium b8",
            "enemy_large a8",
            "own_points 5",
            "enemy_points 7",
            "turn 1",
            "absorb 1",
            "turns_left 200",
        ]
    );

    let rows = [". . . dsD .", ". lcL ls lc .", ". . . lsL dcD", ". ds dc ds dc", ". lc lc . ."];
    let start = json!({
        "rows": rows, "to_move": 1, "light": 2, "sinks": [1, 0], "passes": [0, 2], "streak": 1, "last_sinker": 1,
    });
    let syrtis = open("syrtis", json!({"layout": "minor"}), Some(start));
    assert_eq!(
        planes(&syrtis, Seat::One),
        [
            "own_both d1 b4 d4",
            "own_colour e3 c4 e4",
            "own_shape c2 d3",
            "own_neither b2 d2 b5 c5",
            "own_tower d1 e3",
            "enemy_tower b2 d3",
            "turn 1",
            "own_sinks 1",
            "enemy_passes 2",
            "streak 1",
            "own_last_sink 1",
            "turns_left 300",
        ]
    );
    assert_eq!(
        planes(&syrtis, Seat::Two),
        [
            "own_both b2 d2 b5 c5",
            "own_colour c2 d3",
            "own_shape e3 c4 e4",
            "own_neither d1 b4 d4",
            "own_tower b2 d3",
            "enemy_tower d1 e3",
            "light 1",
            "enemy_sinks 1",
            "own_passes 2",
            "streak 1",
            "enemy_last_sink 1",
            "turns_left 300",
        ]
    );
}

/// Two positions that differ in nothing but which seat is which look the same to those who are in
/// the same place.
#[test]
fn planes_know_no_seats() {
    for (game, options, one, two) in [
        (
            "zurero",
            json!({"size": 5}),
            json!({"rows": ["b w . . .", ". b . . .", ". . . . .", ". . . . .", ". . . . ."], "to_move": 1}),
            json!({"rows": ["w b . . .", ". w . . .", ". . . . .", ". . . . .", ". . . . ."], "to_move": 2}),
        ),
        (
            "fabrik",
            json!({"size": 5}),
            json!({"rows": ["b w * . .", ". b . . .", ". . . . *", ". . . . .", ". . . . ."], "to_move": 2}),
            json!({"rows": ["w b * . .", ". w . . .", ". . . . *", ". . . . .", ". . . . ."], "to_move": 1}),
        ),
        (
            "absorption",
            json!({}),
            json!({"rows": [
                "x3 x3 . . . . . .", ". . . . . . . .", ". . . . . . . .", ". . . o1 . x2 . .", ". . . . . . . .",
                ". . . . . . . .", ". . . . . . . .", "o3 o2 o1 . . . . ."], "to_move": 1}),
            json!({"rows": [
                "o3 o3 . . . . . .", ". . . . . . . .", ". . . . . . . .", ". . . x1 . o2 . .", ". . . . . . . .",
                ". . . . . . . .", ". . . . . . . .", "x3 x2 x1 . . . . ."], "to_move": 2}),
        ),
        (
            "syrtis",
            json!({"layout": "minor"}),
            json!({"rows": [". . . dsD .", ". lcL ls lc .", ". . . lsL dcD", ". ds dc ds dc", ". lc lc . ."],
                   "to_move": 1, "light": 2, "sinks": [1, 0], "passes": [0, 2], "last_sinker": 1}),
            json!({"rows": [". . . dsD .", ". lcL ls lc .", ". . . lsL dcD", ". ds dc ds dc", ". lc lc . ."],
                   "to_move": 2, "light": 1, "sinks": [0, 1], "passes": [2, 0], "last_sinker": 2}),
        ),
    ] {
        let [one, two] = [one, two].map(|start| open(game, options.clone(), Some(start)));
        for seat in Seat::BOTH {
            assert_eq!(planes(&one, seat), planes(&two, !seat), "{game}");
        }
        let codes = |session: &Session| session.numbers().expect("numbers").codes();
        assert_eq!(codes(&one), codes(&two), "{game}");
    }
}

/// The plane that tells how often a position was there before, which hashes do not.
#[test]
fn positions_that_come_again_say_so() {
    let mut syrtis = open("syrtis", json!({"layout": "minor"}), None);
    while syrtis.position().snapshot().phase != "play" {
        let action = syrtis.position().actions()[0].clone();
        syrtis.play(&action).expect("legal");
    }
    let repeated = |session: &Session| {
        let seat = session.position().to_move().expect("not over");
        planes(session, seat).into_iter().find(|line| line.starts_with("repeated"))
    };
    assert_eq!(repeated(&syrtis), None);
    syrtis.play("pass").expect("legal");
    assert_eq!(repeated(&syrtis), None);
    syrtis.play("pass").expect("legal");
    assert_eq!(repeated(&syrtis), Some("repeated 1".into()));
}
