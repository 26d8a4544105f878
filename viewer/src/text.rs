//! What the engine says, made fit for the place where people read it.

/// With a capital letter in front.
pub fn capitalised(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_sentences() {
        assert_eq!(capitalised("élan"), "Élan");
        assert_eq!(sentence("column j is empty"), "Column j is empty.");
        assert_eq!(sentence("Really?"), "Really?");
    }
}
