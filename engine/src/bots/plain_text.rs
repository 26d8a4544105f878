//! What bots write, made fit to be shown: no terminal obeys it, and nobody is misled by it.

use std::iter::Peekable;
use std::str::Chars;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// The text without escape sequences. What else is not to be seen is written as `\u{7}`.
pub(super) fn plain_text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        match sign {
            ESCAPE => skip_sequence(&mut rest),
            // The same as an escape and a [, in one character.
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\t' => plain.push(' '),
            hidden if is_hidden(hidden) => plain.extend(hidden.escape_default()),
            seen => plain.push(seen),
        }
    }
    plain
}

/// Skips what follows an escape, by the forms of ECMA-48.
fn skip_sequence(rest: &mut Peekable<Chars<'_>>) {
    match rest.next_if(|sign| (' '..='~').contains(sign)) {
        Some('[') => skip_control_sequence(rest),
        // A string: it ends with a bell, or with an escape and a \.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(sign) = rest.next() {
                if sign == BELL || (sign == ESCAPE && rest.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        Some(' '..='/') => {
            while rest.next_if(|sign| (' '..='/').contains(sign)).is_some() {}
            rest.next_if(|sign| ('0'..='~').contains(sign));
        }
        Some(_) | None => {}
    }
}

/// Skips parameters and the letter behind them.
fn skip_control_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|sign| (' '..='?').contains(sign)).is_some() {}
    rest.next_if(|sign| ('@'..='~').contains(sign));
}

/// Control characters, and those that change the direction or the lines of what is around them.
fn is_hidden(sign: char) -> bool {
    let turns_around = matches!(sign, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    sign.is_control() || turns_around || matches!(sign, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_terminal_would_obey() {
        for (text, plain) in [
            ("depth 3, grün: 0.5 ✓", "depth 3, grün: 0.5 ✓"),
            ("\u{1b}[1;31mred\u{1b}[0m", "red"),
            ("\u{1b}[2J\u{1b}[H\u{9b}31mcleared", "cleared"),
            ("\u{1b}]0;a new title\u{7}text", "text"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(Bplain\u{1b}c\u{1b}7", "plain"),
            ("\u{1b}P never ended", ""),
            ("ends with \u{1b}", "ends with "),
            ("ends with \u{1b}[", "ends with "),
            ("\u{1b}\u{1b}[31mred", "red"),
            ("\u{1b}[3\u{1b}[1mred", "red"),
            ("10 %\r20 %\u{7}\u{8}", "10 %\\r20 %\\u{7}\\u{8}"),
            ("a\tb\u{0}", "a b\\u{0}"),
            ("evil\u{202e}txt.exe\u{2028}", "evil\\u{202e}txt.exe\\u{2028}"),
        ] {
            assert_eq!(plain_text(text), plain, "{text:?}");
            assert!(!plain_text(text).contains(char::is_control));
        }
    }
}
