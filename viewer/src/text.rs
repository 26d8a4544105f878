//! What the engine says, made fit for the place where people read it.

use crate::board::Cell;

/// With a capital letter in front, unless it begins with a cell: `b5` is what the board says.
pub fn capitalised(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if first.parse::<Cell>().is_ok() {
        return text.into();
    }
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// With a capital letter in front and a full stop behind.
pub fn sentence(text: &str) -> String {
    let mut sentence = capitalised(text);
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

/// The actions of a turn. One that is nothing but a sign ends the turn, which goes without saying
/// where others were played.
pub fn turn<'a>(actions: impl IntoIterator<Item = &'a str>) -> String {
    let says = |action: &&str| action.contains(char::is_alphanumeric);
    let words: Vec<&str> = actions.into_iter().filter(says).collect();
    if words.is_empty() { "nothing more".into() } else { words.join("  ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_sentences() {
        assert_eq!(capitalised("élan"), "Élan");
        assert_eq!(sentence("b5 is empty"), "b5 is empty.");
        assert_eq!(sentence("column j is empty"), "Column j is empty.");
        assert_eq!(sentence("Really?"), "Really?");
    }

    #[test]
    fn the_sign_that_ends_a_turn_is_no_word() {
        assert_eq!(turn(["a1/a2,b1,b2", "c3*d4", "."]), "a1/a2,b1,b2  c3*d4");
        assert_eq!(turn(["."]), "nothing more");
        assert_eq!(turn(["@e5"]), "@e5");
    }
}
