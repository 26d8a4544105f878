//! Matches with bots: failures are told apart, lose the game, and the match goes on.

use std::fs;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::naughty::{ENGINE, Naughty, engine, is_running, parent_of, wait_for};

fn output(arguments: &[&str]) -> (i32, String, String) {
    let output = engine(&[&["match"], arguments].concat()).output().expect("the engine starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("an end of its own"), text(output.stdout), text(output.stderr))
}

/// A match that is played to its end: what it came to, and what was said besides.
fn report(arguments: &[&str]) -> (Value, String) {
    let (code, stdout, stderr) = output(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{stderr}");
    let last = stdout.lines().last().expect("a report");
    (serde_json::from_str(last).expect("an object"), stderr)
}

const SMALL: [&str; 4] = ["--game", "zurero", "--options", r#"{"size":5}"#];

/// Two games in which the bot, whose limits are these, fails every time. Gives what was said about
/// it.
fn fails(habit: &'static str, limits: &str, why: &str) -> (Naughty, String) {
    let bot = Naughty::new(habit);
    let (named, a) = (bot.named(), format!("bot:x{limits}"));
    let (report, said) =
        report(&[&SMALL[..], &["--a", &a, "--b", "random", "--games", "2", "--bot", &named]].concat());
    assert_eq!(report["failures"], json!({"a": {why: 2}, "b": {}}), "{habit}: {said}");
    assert_eq!(report["reasons"], json!({why: 2}), "{habit}: {said}");
    assert_eq!((&report["games"], &report["losses"]), (&json!(2), &json!(2)), "{habit}");
    bot.wait_until_gone();
    (bot, said)
}

fn fails_saying(habit: &'static str, limits: &str, why: &str, detail: &str) {
    let (_, said) = fails(habit, limits, why);
    let count = said.matches(&format!("{why}: {detail}")).count();
    assert_eq!(count, 2, "{habit} should be told as {detail:?}: {said}");
}

#[test]
fn bots_that_end_have_crashed() {
    fails_saying("exits", "", "crashed", "it ended with exit code 4; its last words: I cannot go on");
    fails_saying("is_killed", "", "crashed", "it ended with exit code 137 (signal 9)");
    fails_saying("ends_in_mid_line", "", "crashed", "it ended with exit code 0");
}

#[test]
fn with_a_bot_that_cannot_be_started_nothing_is_played() {
    let missing = ("x=/no/such/program at all".to_owned(), "/no/such/program could not be started");
    let (ends, refuses) = (Naughty::new("exits_at_once"), Naughty::new("refuses_hello"));
    let ends = (ends.named(), "crashed: asked for hello, it ended with exit code 3");
    let refuses = (refuses.named(), "garbage: asked for hello, it answered with an error: not today");
    let folder = tempfile::tempdir().expect("a folder");
    let records = folder.path().join("games");
    let records = ["--records", records.to_str().expect("a plain name")];
    for (bot, reason) in [missing, ends, refuses] {
        for (flag, other) in [("--a", "--b"), ("--player", "--player")] {
            let arguments = [flag, "bot:x", other, "random", "--games", "2", "--bot", &bot];
            let (code, stdout, stderr) = output(&[&SMALL[..], &arguments, &records].concat());
            assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
            assert!(stderr.contains(&format!("{flag}: the bot \"x\" cannot be started: ")), "{stderr}");
            assert!(stderr.contains(reason), "{stderr}");
            assert!(
                stderr.contains("see to the command behind --bot x=; check-bot COMMAND tries it"),
                "{stderr}"
            );
            // So the same command can be given again.
            assert!(!folder.path().join("games").exists());
        }
    }
}

#[test]
fn bots_that_close_their_pipes_have_crashed() {
    fails("closes_input", "", "crashed");
    fails_saying("closes_output", "", "crashed", "it closed its output");
}

#[test]
fn bots_that_do_not_answer_in_time_are_not_waited_for() {
    for habit in ["hangs", "is_late", "says_half_a_line", "floods_with_notices", "ignores_the_end"] {
        fails_saying(habit, "@time_ms=10", "timeout", "it has not answered in time");
    }
    fails_saying("hangs", "@clock=10", "timeout", "it has not answered in time");
}

#[test]
fn the_margin_of_time_is_an_option() {
    let bot = Naughty::new("dawdles");
    let named = bot.named();
    let fails = |margin| {
        let arguments = ["--a", "bot:x@time_ms=10", "--b", "random", "--games", "2", "--bot", &named];
        report(&[&SMALL[..], &arguments, &["--bot-margin", margin]].concat()).0["failures"].clone()
    };
    assert_eq!(fails("0"), json!({"a": {"timeout": 2}, "b": {}}));
    let (code, _, stderr) =
        output(&[&SMALL[..], &["--a", "random", "--b", "random", "--bot-margin", "-1"]].concat());
    assert_eq!(code, 2, "{stderr}");
}

#[test]
fn a_match_is_gone_on_with_by_the_same_margin_of_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = Naughty::new("is_illegal").named();
    let records = folder.path().to_str().expect("a plain name");
    let arguments = ["--a", "bot:x", "--b", "random", "--games", "2", "--bot", &bot, "--records", records];
    let resumed = |margin| {
        let more = ["--resume", "--bot-margin", margin];
        let (code, _, stderr) = output(&[&SMALL[..], &arguments, &more].concat());
        (code == 0, stderr)
    };
    report(&[&SMALL[..], &arguments].concat());
    let (is_done, said) = resumed("20");
    assert!(!is_done && said.contains("bot_margin_ms was 500 there and is 20 here"), "{said}");
    // As it was written before it was written down.
    let head = folder.path().join("match.json");
    let text = fs::read_to_string(&head).expect("a file").replace(",\n  \"bot_margin_ms\": 500", "");
    assert!(!text.contains("bot_margin_ms"), "{text}");
    fs::write(&head, text).expect("a file");
    let (is_done, said) = resumed("20");
    assert!(!is_done && said.contains("bot_margin_ms was 500 there and is 20 here"), "{said}");
    let (is_done, said) = resumed("500");
    assert!(is_done, "{said}");
}

#[test]
fn bots_that_play_what_is_not_legal_are_told_so_and_kept() {
    for (habit, detail) in [
        ("is_illegal", "\"nowhere\" is not legal here: "),
        ("gives_no_actions", "it gave an empty list of actions"),
        ("gives_too_many", "its turn was over before "),
    ] {
        let (bot, said) = fails(habit, "", "illegal");
        assert_eq!(said.matches(&format!("illegal: {detail}")).count(), 2, "{said}");
        assert_eq!(bot.questions().len(), 2, "{habit} was asked in both games");
        // The second game is played by the process of the first.
        let hung = 1;
        assert_eq!(bot.pids().len(), 1 + hung, "{habit}");
    }
}

#[test]
fn bots_that_answer_something_else_talk_garbage() {
    for (habit, detail) in [
        ("says_no_json", "it said something that is not JSON"),
        ("says_no_utf8", "it said something that is not UTF-8"),
        ("floods", "it said something that is not JSON"),
        ("says_one_long_line", "it said a line of more than 1048576 bytes"),
        ("gives_a_wrong_id", "it answered request 3, and was asked request 2"),
        ("gives_no_list", "its result has no actions"),
        ("answers_with_an_error", "it answered with an error: I do not know this game"),
    ] {
        fails_saying(habit, "", "garbage", detail);
    }
}

#[test]
fn a_bot_that_died_is_started_again() {
    let (bot, _) = fails("exits", "", "crashed");
    assert_eq!(bot.pids().len(), 2);
}

/// A match in which nothing goes wrong.
fn goes_well(arguments: &[&str]) -> Value {
    let (report, said) = report(arguments);
    assert_eq!(report["failures"], json!({"a": {}, "b": {}}), "{said}");
    assert_eq!(report["ended"], "finished");
    report
}

#[test]
fn the_time_to_start_is_not_the_time_of_a_turn() {
    let bot = Naughty::new("starts_slowly");
    let named = bot.named();
    let arguments = ["--a", "bot:x@clock=1000+1000", "--b", "random", "--games", "1", "--bot", &named];
    goes_well(&[&SMALL[..], &arguments].concat());
    bot.wait_until_gone();
}

#[test]
fn a_bot_may_chat_and_send_blank_lines() {
    let bot = Naughty::new("chats");
    let named = bot.named();
    goes_well(&[&SMALL[..], &["--a", "bot:x", "--b", "random", "--games", "2", "--bot", &named]].concat());
}

#[test]
fn turns_of_several_actions_may_be_answered_one_by_one() {
    // With options, and whether a turn may have several actions.
    let games = every_game! {
        zurero: (r#"{"size":5}"#, false),
        fabrik: (r#"{"size":5}"#, true),
        absorption: ("{}", true),
        syrtis: (r#"{"layout":"minor"}"#, true),
    };
    for (game, (options, has_long_turns)) in games {
        let bot = Naughty::new("honest");
        let named = bot.named();
        goes_well(&[
            "--game",
            game,
            "--options",
            options,
            "--a",
            "bot:x@nodes=7",
            "--b",
            "greedy@nodes=50",
            "--opening",
            "0",
            "--games",
            "2",
            "--bot",
            &named,
        ]);
        bot.wait_until_gone();
        let questions = bot.questions();
        let in_mid_turn =
            questions.iter().filter(|asked| asked["state"]["last"]["seat"] == asked["state"]["to_move"]);
        assert_eq!(in_mid_turn.count() > 0, has_long_turns, "{game}");
    }
}

#[test]
fn a_bot_is_told_all_that_it_needs() {
    let bot = Naughty::new("honest");
    let (named, a) = (bot.named(), "bot:x@time_ms=60000,clock=600000");
    goes_well(&[
        "--game",
        "syrtis",
        "--options",
        r#"{"layout":"minor"}"#,
        "--a",
        a,
        "--b",
        "random",
        "--games",
        "1",
        "--bot",
        &named,
    ]);
    let questions = bot.questions();
    let mut clock = 600_000;
    for asked in &questions {
        assert_eq!((&asked["game"], &asked["options"]["layout"]), (&json!("syrtis"), &json!("minor")));
        assert_eq!(asked["start"]["rows"], questions[0]["start"]["rows"]);
        assert!(asked["seed"].is_u64());
        let (state, played) = (&asked["state"], asked["played"].as_array().expect("actions"));
        assert_eq!((&state["game"], &state["ply"]), (&json!("syrtis"), &json!(played.len())));
        assert_eq!(state["seats"][state["to_move"].to_string()]["name"], "x");
        assert!(asked["legal"].as_array().is_some_and(|legal| !legal.is_empty()));
        assert!(asked["limits"]["time_ms"].as_u64().is_some_and(|time| time <= 60_000));
        let left = asked["limits"]["clock"]["left_ms"].as_u64().expect("a clock");
        assert!(left <= clock, "a clock runs down");
        clock = left;
    }
}

#[test]
fn the_engine_is_a_bot_of_any_level() {
    let named = format!("g={ENGINE} --level greedy");
    let random = format!("r={ENGINE} --level random");
    for game in every_game!() {
        let report = goes_well(&[
            "--game",
            game,
            "--a",
            "bot:g@nodes=500",
            "--b",
            "bot:r",
            "--games",
            "4",
            "--concurrency",
            "2",
            "--bot",
            &named,
            "--bot",
            &random,
        ]);
        assert!(report["score"].as_f64() > Some(0.5), "{game}: {report}");
    }
}

#[test]
fn bots_and_levels_meet_in_tournaments() {
    let (naughty, random) = (Naughty::new("exits"), format!("r={ENGINE} --level random"));
    let named = naughty.named();
    let players = ["--player", "greedy", "--player", "bot:x", "--player", "bot:r", "--games", "2"];
    let (standings, _) = report(&[&SMALL[..], &players, &["--bot", &named, "--bot", &random]].concat());
    let rows = standings["players"].as_array().expect("players");
    let failures = |player: &str| {
        let row = rows.iter().find(|row| row["player"] == player);
        row.unwrap_or_else(|| panic!("{player}: {standings}"))["failures"].clone()
    };
    assert_eq!(failures("bot:x"), json!({"crashed": 4}));
    assert_eq!((failures("greedy"), failures("bot:r")), (json!({}), json!({})));
    naughty.wait_until_gone();
    let (code, _, stderr) = output(&[&SMALL[..], &players].concat());
    assert!(code == 2 && stderr.contains("--player: there is no bot \"x\""), "{stderr}");
}

#[test]
fn the_engine_as_a_bot_plays_as_the_level_does() {
    let named = format!("x={ENGINE} --level greedy");
    let results = |a: &str| {
        let report =
            goes_well(&[&SMALL[..], &["--a", a, "--b", "random", "--games", "6", "--bot", &named]].concat());
        (report["wins"].clone(), report["draws"].clone(), report["turns"].clone())
    };
    assert_eq!(results("bot:x@nodes=100"), results("greedy@nodes=100"));
}

#[test]
fn games_of_bots_are_records_and_can_be_gone_on_with() {
    let bot = Naughty::new("exits");
    let (named, records) = (bot.named(), bot.folder().join("records"));
    let records = records.to_str().expect("a plain name");
    let arguments = |games| {
        [
            &SMALL[..],
            &[
                "--a",
                "bot:x@nodes=3",
                "--b",
                "random",
                "--games",
                games,
                "--bot",
                &named,
                "--records",
                records,
            ],
        ]
        .concat()
    };
    report(&arguments("2"));
    let (report, _) = report(&[&arguments("4")[..], &["--resume"]].concat());
    assert_eq!(report["failures"], json!({"a": {"crashed": 4}, "b": {}}));
    assert_eq!(bot.pids().len(), 4, "games that are there are not played again");

    // What JSON readers cannot keep whole is nowhere in it.
    let record = std::fs::read_to_string(format!("{records}/1.json")).expect("a record");
    let record: Value = serde_json::from_str(&record).expect("a document");
    assert_eq!(record["seats"]["1"], json!({"kind": "bot", "name": "x", "limits": {"nodes": 3}}));
    let questions = bot.questions();
    assert_eq!(questions.len(), 4);
    for seed in questions.iter().map(|asked| &asked["seed"]).chain([&record["seed"]]) {
        assert!(seed.as_u64().expect("a seed") < 1 << 53, "{seed}");
    }
}

#[test]
fn wrong_names_are_told_before_anything_is_played() {
    let players = ["--a", "bot:x", "--b", "random", "--games", "2"];
    for (bots, expected) in [
        (&[][..], "--a: there is no bot \"x\"; this engine was started without bots"),
        (&["--bot", "y=true", "--bot", "z=true"][..], "--a: there is no bot \"x\"; there is y, z"),
        (&["--bot", "x=true", "--bot", "x=false"][..], "--bot: there are two bots of the name \"x\""),
        (&["--bot", "x"][..], "a bot is written NAME=COMMAND"),
        (&["--bot", "x="][..], "the command \"\" names no program"),
        (&["--bot", "my bot=true"][..], "\"my bot\" cannot be the name of a bot"),
    ] {
        let (code, stdout, stderr) = output(&[&SMALL[..], &players, bots].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    }
}

/// A match in which the bot is asked, and has started a process of its own.
fn playing_with_child(bot: &Naughty) -> Child {
    let named = bot.named();
    let players = ["--a", "bot:x", "--b", "random", "--games", "2", "--bot", &named];
    let mut engine = engine(&[&["match"], &SMALL[..], &players].concat());
    let engine = engine.stderr(Stdio::null()).spawn().expect("the engine starts");
    wait_for("the bot and its child", || bot.pids().len() == 2);
    engine
}

#[test]
fn no_bot_outlives_an_engine_that_is_killed() {
    let bot = Naughty::new("ignores_the_end");
    let mut engine = playing_with_child(&bot);
    engine.kill().expect("it can be killed");
    engine.wait().expect("it ends");
    bot.wait_until_gone();
}

#[test]
fn no_bot_outlives_its_guard_either() {
    let bot = Naughty::new("hangs");
    let mut engine = playing_with_child(&bot);
    let it = bot.pids()[0];
    for victim in [engine.id(), parent_of(it)] {
        let killed = Command::new("kill").args(["-9", &victim.to_string()]).status().expect("kill");
        assert!(killed.success());
    }
    engine.wait().expect("it ends");
    wait_for("the bot to end", || !is_running(it));
    // Nobody is left to end what it has started.
    let _ = Command::new("kill").args(["-9", &bot.pids()[1].to_string()]).status();
}

#[test]
fn what_a_bot_has_started_goes_with_it_even_out_of_its_group() {
    let bot = Naughty::new("leaves_its_group");
    let named = bot.named();
    report(&[&SMALL[..], &["--a", "bot:x", "--b", "random", "--games", "2", "--bot", &named]].concat());
    assert!(bot.pids().len() > 1);
    bot.wait_until_gone();
}
