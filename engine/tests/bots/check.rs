//! `check-bot`, tried on bots that are known.

use crate::naughty::{ENGINE, Naughty, engine};

/// Tries a bot; once more and again if it was only too slow, for so may be the machine.
fn check(command: &str, more: &[&str]) -> (i32, String) {
    let once = || {
        let output = engine(&[&["check-bot", command], more].concat()).output().expect("the engine starts");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code().expect("an end of its own"), String::from_utf8(said).expect("text"))
    };
    let mut checked = once();
    for _ in 0..2 {
        if checked.1.contains("came      timeout") {
            checked = once();
        }
    }
    checked
}

fn failures(report: &str) -> Vec<&str> {
    report.lines().filter_map(|line| line.split_once(" FAILED ")).map(|(_, step)| step).collect()
}

#[test]
fn our_own_engine_passes_entirely() {
    let (code, report) = check(ENGINE, &[]);
    assert_eq!((code, failures(&report)), (0, Vec::new()), "{report}");
    for step in [
        "hello, with a string for its id",
        "absorption: the rest of a turn",
        "fabrik: the rest of a turn",
        "syrtis: the rest of a turn",
        "syrtis: a turn in mid-game with {\"layout\":\"minor\"}",
        "syrtis: a position with one legal action",
        "zurero: a whole game",
        "ends when its input does",
    ] {
        assert!(report.contains(&format!(" ok     (must) {step}\n")), "{step}: {report}");
    }
}

#[test]
fn a_report_says_what_was_asked_what_came_and_what_should_have() {
    let bot = Naughty::new("is_illegal").command();
    let (code, report) = check(&bot, &["--game", "fabrik", "--bot-margin", "750"]);
    assert_eq!(code, 1, "{report}");
    assert!(report.contains("FAILED (must) fabrik: the first turn\n"), "{report}");
    assert!(report.contains("asked     {\"jsonrpc\":\"2.0\",\"id\":"), "{report}");
    assert!(report.contains("came      illegal: \"nowhere\" is not legal here: "), "{report}");
    assert!(report.contains("expected  legal actions until the turn is over, in 950 ms"), "{report}");
    assert!(report.contains("every turn may take its time and 750 ms more"), "{report}");
    assert!(!report.contains("zurero:"), "only one game was to be tried");
}

#[test]
fn what_a_bot_should_do_is_told_from_what_it_must() {
    // It answers whatever comes as if it were a turn, with an id that is a number or a string.
    let (code, report) = check(&Naughty::new("honest").command(), &["--game", "zurero"]);
    let failed = failures(&report);
    assert!(failed.iter().all(|step| step.starts_with("(should)")), "{report}");
    assert!(failed.contains(&"(should) refuses an unknown method and goes on"), "{report}");
    assert_eq!(code, 0, "{report}");
}

#[test]
fn one_mistake_is_told_once() {
    let (code, report) = check(&Naughty::new("knows_numbers_only").command(), &["--game", "zurero"]);
    let failed: Vec<&str> = failures(&report).into_iter().filter(|step| step.starts_with("(must)")).collect();
    let expected =
        ["(must) hello, with a string for its id", "(must) hello, with a number in a string for its id"];
    assert_eq!((code, failed.as_slice()), (1, &expected[..]), "{report}");
}

#[test]
fn a_bot_that_goes_on_after_the_end_of_its_input_is_none() {
    let bot = Naughty::new("chats");
    let (code, report) = check(&bot.command(), &["--game", "zurero"]);
    assert_eq!(code, 1, "{report}");
    assert!(failures(&report).contains(&"(must) ends when its input does"), "{report}");
    bot.wait_until_gone();
}

#[test]
fn bots_that_do_not_even_say_hello_are_tried_no_further() {
    for (habit, came) in [
        ("exits_at_once", "crashed: it ended with exit code 3"),
        ("refuses_hello", "garbage: it answered with an error: not today"),
    ] {
        let (code, report) = check(&Naughty::new(habit).command(), &[]);
        assert_eq!(code, 1, "{report}");
        assert!(report.contains(came) && report.contains("\nSteps: 1. "), "{report}");
    }
}

#[test]
fn a_wrong_command_line_is_told() {
    for (arguments, expected) in [
        (&["check-bot"][..], "required arguments"),
        (&["check-bot", "run 'it"][..], "has a quote that is not closed"),
        (&["check-bot", ""][..], "names no program"),
        (&["check-bot", "true", "--game", "chess"][..], "there is no game \"chess\""),
    ] {
        let output = engine(arguments).output().expect("the engine starts");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{output:?}");
    }
}
