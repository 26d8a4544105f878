//! Bots by name and command, as the command line gives them.

use std::str::FromStr;

/// A bot as the command line names it: `NAME=COMMAND`. The command is split into words as a shell
/// would, but no shell is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Spec, String> {
        let (name, command) =
            text.split_once('=').ok_or("a bot is written NAME=COMMAND, as mine=\"python3 mine.py\"")?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!(
                "{name:?} cannot be the name of a bot: a name has letters, digits, -, _ and . and nothing else"
            ));
        }
        Ok(Spec { name: name.into(), command: split(command)? })
    }
}

/// A command as its words.
pub(crate) fn split(command: &str) -> Result<Vec<String>, String> {
    match shlex::split(command) {
        None => Err(format!("the command {command:?} has a quote that is not closed, or a \\ at its end")),
        Some(words) if words.first().is_none_or(String::is_empty) => {
            Err(format!("the command {command:?} names no program"))
        }
        Some(words) => Ok(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_a_name_and_a_command_of_words() {
        let spec: Spec = r#"my-bot_2.0=python3 "my bot.py" --depth=3"#.parse().expect("a bot");
        assert_eq!(spec.name, "my-bot_2.0");
        assert_eq!(spec.command, ["python3", "my bot.py", "--depth=3"]);
    }

    #[test]
    fn what_is_no_bot_is_refused_with_the_reason() {
        for (text, reason) in [
            ("mine", "a bot is written NAME=COMMAND"),
            ("=run", "\"\" cannot be the name of a bot"),
            ("my bot=run", "\"my bot\" cannot be the name of a bot: a name has letters"),
            ("größe=run", "\"größe\" cannot be"),
            ("mine=", "the command \"\" names no program"),
            ("mine=  ", "the command \"  \" names no program"),
            ("mine='' x", "the command \"'' x\" names no program"),
            ("mine=run 'it", "the command \"run 'it\" has a quote that is not closed"),
        ] {
            let refusal = text.parse::<Spec>().expect_err(text);
            assert!(refusal.starts_with(reason), "{text}: {refusal}");
        }
    }
}
