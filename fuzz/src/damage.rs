//! Documents and words that are nearly right.

use serde_json::{Value, json};

use crate::bytes::Decisions;

/// Changes one place in a document: something else stands there, or nothing, or the same twice.
pub(crate) fn damage(document: &mut Value, decisions: &mut Decisions<'_>) {
    let stray = stray(document, decisions);
    let how = decisions.below(6);
    match (how, descend(document, decisions)) {
        (0, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(decisions.below(members.len())).cloned();
            members.shift_remove(&name.unwrap_or_default());
        }
        (1, Value::Object(members)) => {
            let name = decisions.pick(&["extra", "table", "level", "limits", "rows", "ply", "held"]);
            members.insert((*name).into(), stray);
        }
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(decisions.below(items.len()));
        }
        (1, Value::Array(items)) => items.push(stray),
        (2, Value::Array(items)) if !items.is_empty() => {
            let again = decisions.pick(items).clone();
            items.insert(decisions.below(items.len()), again);
        }
        (3, Value::Array(items)) => items.reverse(),
        (4, Value::String(text)) => *text = misspelt(text, decisions),
        (5, Value::Number(number)) => {
            let near = number.as_i64().unwrap_or_default().wrapping_add(i64::from(decisions.byte()) - 128);
            *number = near.into();
        }
        (_, place) => *place = stray,
    }
}

/// A place in a document.
fn descend<'a>(place: &'a mut Value, decisions: &mut Decisions<'_>) -> &'a mut Value {
    let inside = match place {
        Value::Object(members) if !decisions.one_in(8) => members.len(),
        Value::Array(items) if !decisions.one_in(4) => items.len(),
        _ => 0,
    };
    if inside == 0 {
        return place;
    }
    let index = decisions.below(inside);
    let member = match place {
        Value::Object(members) => members.values_mut().nth(index),
        Value::Array(items) => items.get_mut(index),
        _ => None,
    };
    descend(member.expect("the index is below the number of members"), decisions)
}

/// What does not belong where it will stand, or does so by chance.
fn stray(document: &mut Value, decisions: &mut Decisions<'_>) -> Value {
    match decisions.below(16) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(false),
        3 => json!(0),
        4 => json!(1),
        5 => json!(2),
        6 => json!(-1),
        7 => json!(u64::MAX),
        8 => json!(1.5),
        9 => json!(1e300),
        10 => json!(""),
        11 => json!([]),
        12 => json!({}),
        13 => json!(decisions.text(8)),
        // Something from elsewhere in the document.
        _ => descend(document, decisions).clone(),
    }
}

/// A word that is one letter away, or of another case.
pub(crate) fn misspelt(word: &str, decisions: &mut Decisions<'_>) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    if letters.is_empty() {
        return decisions.text(4);
    }
    let index = decisions.below(letters.len());
    let other = *decisions.pick(&['a', '1', '9', 'A', ' ', '.', '-', '@', '+', 'x', 'z', '0', 'é', '\u{0}']);
    match decisions.below(5) {
        0 => letters[index] = other,
        1 => letters.insert(index, other),
        2 => drop(letters.remove(index)),
        3 => letters.swap(0, index),
        _ => return word.to_uppercase(),
    }
    letters.into_iter().collect()
}
