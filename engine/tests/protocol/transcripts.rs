//! Whole conversations, kept as text: `>` to the engine, `<` from it.

use std::fs;

use serde_json::Value;

use crate::engine_process::EngineProcess;

/// Sends every line of a file and writes down what was said. A line `wait METHOD` waits for such a
/// notification.
fn transcript(requests: &str) -> String {
    let mut engine = EngineProcess::start();
    let mut said = String::new();
    for line in requests.lines() {
        if line.starts_with('#') {
            said += &format!("{line}\n");
            continue;
        }
        let waits_for: Box<dyn Fn(&Value) -> bool> = match line.strip_prefix("wait ") {
            Some(method) => Box::new(move |message| message["method"] == method),
            None => {
                said += &format!("> {line}\n");
                engine.send(line);
                Box::new(|message| message.get("id").is_some())
            }
        };
        loop {
            let mut message = engine.receive();
            let last = waits_for(&message);
            redact(&mut message);
            said += &format!("< {message}\n");
            if last {
                break;
            }
        }
    }
    let (status, rest, _) = engine.finish();
    assert!(status.success());
    for mut message in rest {
        redact(&mut message);
        said += &format!("< {message}\n");
    }
    said
}

/// No two runs take the same time, and nobody reads more than three digits of a probability.
fn redact(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "time_ms" && member.is_number() {
                    *member = 0.into();
                } else {
                    redact(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Number(number) if number.is_f64() => {
            *value = number.as_f64().map(|number| (number * 1000.0).round() / 1000.0).into();
        }
        _ => {}
    }
}

fn check(name: &str) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/protocol/transcripts");
    let requests = fs::read_to_string(format!("{folder}/{name}.txt")).expect("the requests");
    insta::with_settings!({ snapshot_path => "transcripts", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, transcript(&requests));
    });
}

test_every_game!(check);

#[test]
fn lines_that_are_wrong() {
    check("wrong_lines");
}
