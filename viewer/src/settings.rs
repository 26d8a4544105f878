//! What a person has chosen about the window.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tabuleiro_protocol::{Options, PerSeat, Player};

use crate::stage::theme::{Colour, MarkPalette, mark_colours, themes};

/// Text that is smaller cannot be read, and panels have no room for text that is larger.
pub const TEXT_SIZES: RangeInclusive<f32> = 0.8..=1.6;

/// So many of the best turns can be told apart on a board.
pub const ANALYSIS_LINES: RangeInclusive<usize> = 1..=9;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The name of a theme.
    pub theme: String,
    /// The colour of places that may be chosen: red, green, blue.
    pub mark_colour: [u8; 3],
    /// The colours of the last turn, of hints and of aids.
    pub last_colour: [u8; 3],
    pub hint_colour: [u8; 3],
    pub aid_colour: [u8; 3],
    pub quality: QualityChoice,
    pub speed: Speed,
    pub coordinates: bool,
    /// Heights of piles as numbers.
    pub counts: bool,
    /// What the engine says about the position, as light on the cells.
    pub overlays: bool,
    /// What could happen within a turn, too, where a game says that.
    pub reach: bool,
    /// A ghost of what the action under the pointer would do.
    pub ghosts: bool,
    /// The chances of both sides while playing.
    pub evaluation: bool,
    /// How many of the best turns an analysis looks for.
    pub analysis_lines: usize,
    /// How long a review looks at every turn.
    pub review_effort: Effort,
    /// How loud pieces are, from 0, which is off, to 1.
    pub volume: f32,
    /// How large text is: 1 is normal.
    pub text_size: f32,
    pub full_screen: bool,
    /// Where games are kept, if not in the usual folder.
    pub games_folder: Option<PathBuf>,
    /// What was chosen for the last game of each kind.
    pub new_games: BTreeMap<String, Choices>,
}

/// Who played a game, and how it was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    pub seats: PerSeat<Player>,
    pub options: Options,
}

impl Default for Settings {
    fn default() -> Settings {
        let colour = |name: &str| {
            let colours = mark_colours();
            colours.iter().find(|mark| mark.name == name).unwrap_or(&colours[0]).colour.0
        };
        Settings {
            theme: themes()[0].name.clone(),
            mark_colour: colour("Sky"),
            last_colour: colour("Amber"),
            hint_colour: colour("Rose"),
            aid_colour: colour("Mint"),
            quality: QualityChoice::Automatic,
            speed: Speed::Normal,
            coordinates: true,
            counts: true,
            overlays: true,
            reach: false,
            ghosts: true,
            evaluation: true,
            analysis_lines: 3,
            review_effort: Effort::Usual,
            volume: 0.5,
            text_size: 1.0,
            full_screen: false,
            games_folder: None,
            new_games: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The colours of marks on the board.
    pub fn mark_palette(&self) -> MarkPalette {
        MarkPalette {
            open: Colour(self.mark_colour),
            last: Colour(self.last_colour),
            hint: Colour(self.hint_colour),
            aid: Colour(self.aid_colour),
        }
    }

    /// Reads the text of a file. A value that is wrong loses only itself: it is as usual, or as near
    /// to what was wanted as can be. Also gives what is wrong, in words.
    pub fn read(text: &str) -> (Settings, Vec<String>) {
        let members = match serde_json::from_str(text) {
            Ok(Value::Object(members)) => members,
            Ok(_) => {
                return (Settings::default(), vec!["these are no settings: an object is expected".into()]);
            }
            Err(error) => return (Settings::default(), vec![format!("these are no settings: {error}")]),
        };
        let (mut settings, mut complaints) = (Settings::default(), Vec::new());
        for (name, value) in members {
            // A later version may have left what this one does not know.
            let Some(changed) = settings.with(&name, value) else { continue };
            match changed {
                Ok(changed) => settings = changed,
                Err(Wrong { complaint, instead }) => {
                    complaints.push(complaint);
                    settings = instead.map_or(settings, |instead| *instead);
                }
            }
        }
        (settings, complaints)
    }

    /// The same with one of them changed, by the name that it has in its file; `None` if there is
    /// no setting of this name.
    pub(crate) fn with(&self, name: &str, value: Value) -> Option<Result<Settings, Wrong>> {
        let mut members = serde_json::to_value(self).ok()?;
        let was = members.get_mut(name)?;
        let shown = value.to_string();
        *was = value;
        Some(match serde_json::from_value::<Settings>(members) {
            Ok(settings) => settings.checked(name, &shown),
            Err(error) => {
                Err(Wrong { complaint: format!("{name} cannot be {shown}: {error}"), instead: None })
            }
        })
    }

    /// Whether what was just read as `shown` makes sense.
    fn checked(self, name: &str, shown: &str) -> Result<Settings, Wrong> {
        let wrong = |expected: String, instead: Option<Settings>| {
            let complaint = format!("{name} cannot be {shown}: {expected}");
            Err(Wrong { complaint, instead: instead.map(Box::new) })
        };
        let (least, most) = (*TEXT_SIZES.start(), *TEXT_SIZES.end());
        if !TEXT_SIZES.contains(&self.text_size) {
            let text_size = self.text_size.clamp(least, most);
            let expected = format!("it is from {least} to {most}, and {text_size} now");
            return wrong(expected, Some(Settings { text_size, ..self }));
        }
        if !ANALYSIS_LINES.contains(&self.analysis_lines) {
            let (least, most) = (*ANALYSIS_LINES.start(), *ANALYSIS_LINES.end());
            let analysis_lines = self.analysis_lines.clamp(least, most);
            let expected = format!("it is from {least} to {most}, and {analysis_lines} now");
            return wrong(expected, Some(Settings { analysis_lines, ..self }));
        }
        if !(0.0..=1.0).contains(&self.volume) {
            let volume = self.volume.clamp(0.0, 1.0);
            return wrong(format!("it is from 0 to 1, and {volume} now"), Some(Settings { volume, ..self }));
        }
        if !themes().iter().any(|theme| theme.name == self.theme) {
            let names: Vec<&str> = themes().iter().map(|theme| theme.name.as_str()).collect();
            return wrong(format!("there is {}", names.join(", ")), None);
        }
        match &self.games_folder {
            Some(folder) if !folder.is_absolute() => {
                wrong("write the folder out, from the root on".into(), None)
            }
            _ => Ok(self),
        }
    }
}

/// A value that a setting cannot have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    /// The setting, the value, and what is expected.
    pub(crate) complaint: String,
    /// The settings with what comes nearest to it, if anything does.
    pub(crate) instead: Option<Box<Settings>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityChoice {
    /// What this machine can draw smoothly.
    Automatic,
    Low,
    Medium,
    Full,
}

/// How long a review looks at every turn. By nodes, so that it finds the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    Quick,
    #[default]
    Usual,
    Thorough,
}

impl Effort {
    pub fn nodes(self) -> u64 {
        match self {
            Effort::Quick => 10_000,
            Effort::Usual => 50_000,
            Effort::Thorough => 500_000,
        }
    }

    /// All of them one after the other, and then from the beginning.
    pub fn next(self) -> Effort {
        match self {
            Effort::Quick => Effort::Usual,
            Effort::Usual => Effort::Thorough,
            Effort::Thorough => Effort::Quick,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Usual => "usual",
            Effort::Thorough => "thorough",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    Off,
    Slow,
    Normal,
    Fast,
}

impl Speed {
    pub const ALL: [Speed; 4] = [Speed::Off, Speed::Slow, Speed::Normal, Speed::Fast];

    /// How many times faster than normal things move; `None` is not at all.
    pub fn factor(self) -> Option<f32> {
        match self {
            Speed::Off => None,
            Speed::Slow => Some(0.5),
            Speed::Normal => Some(1.0),
            Speed::Fast => Some(2.5),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    /// Everything that JSON can say, and more than settings can bear.
    fn strange_values() -> Vec<Value> {
        let texts = ["", "off", "Evening lamp", "/", "..", "\u{0}", &"x".repeat(100_000)];
        let numbers = ["-1", "0", "60", "1.2", "1e99", "-1e99", "1e-99", "18446744073709551615", "256"];
        let numbers = numbers.iter().map(|text| serde_json::from_str(text).unwrap());
        let others =
            [json!(null), json!(true), json!([]), json!([0, 0, 0]), json!([300, -1, 0.5]), json!({"a": 1})];
        texts.iter().map(|text| json!(text)).chain(numbers).chain(others).collect()
    }

    fn names() -> Vec<String> {
        let members = serde_json::to_value(Settings::default()).unwrap();
        members.as_object().unwrap().keys().cloned().collect()
    }

    /// Reads it, and checks that the settings are ones that the program could have written.
    fn read(members: &Map<String, Value>) -> (Settings, Vec<String>) {
        let text = Value::Object(members.clone()).to_string();
        let (settings, complaints) = Settings::read(&text);
        let again = Settings::read(&serde_json::to_string(&settings).unwrap());
        assert_eq!(again, (settings.clone(), Vec::new()), "{:.200}", text);
        (settings, complaints)
    }

    #[test]
    fn whatever_one_value_is_it_is_taken_or_named_and_the_others_are_kept() {
        let others = json!({"counts": false, "speed": "fast", "mark_colour": [1, 2, 3]});
        let others = others.as_object().unwrap();
        for name in names() {
            for value in strange_values() {
                let mut members = others.clone();
                members.insert(name.clone(), value.clone());
                let (settings, complaints) = read(&members);
                let written = serde_json::to_value(&settings).unwrap();
                for (other, kept) in others.iter().filter(|(other, _)| **other != name) {
                    assert_eq!(written[other], *kept, "{name}: {value:.80}");
                }
                match complaints.as_slice() {
                    [] => {
                        let is_number = value.is_number()
                            && (written[&name].as_f64().unwrap() - value.as_f64().unwrap()).abs() < 1e-6;
                        assert!(written[&name] == value || is_number, "{name}: {value:.80}");
                    }
                    [complaint] => {
                        assert!(complaint.starts_with(&format!("{name} cannot be ")), "{complaint}")
                    }
                    more => panic!("{more:?}"),
                }
            }
        }
    }

    #[test]
    fn values_that_are_wrong_together_are_all_named() {
        let (names, values) = (names(), strange_values());
        for seed in 0..300 {
            let mut members = Map::new();
            for (index, name) in names.iter().enumerate() {
                members.insert(name.clone(), values[(seed * 7 + index * (seed + 3)) % values.len()].clone());
            }
            read(&members);
        }
    }

    #[test]
    fn a_size_of_text_is_what_comes_nearest() {
        for (text, size) in
            [("60", 1.6), ("-1", 0.8), ("1e99", 1.6), ("0", 0.8), ("1.25", 1.25), ("null", 1.0)]
        {
            let (settings, complaints) = Settings::read(&format!("{{\"text_size\":{text}}}"));
            assert_eq!(settings, Settings { text_size: size, ..Settings::default() });
            assert_eq!(complaints.is_empty(), text == "1.25", "{complaints:?}");
        }
        let (_, complaints) = Settings::read("{\"text_size\":60}");
        assert_eq!(complaints, ["text_size cannot be 60: it is from 0.8 to 1.6, and 1.6 now"]);
    }

    #[test]
    fn what_are_no_settings_are_the_usual_ones() {
        let deep = "[".repeat(100_000);
        for text in ["", "{", "null", "[]", "7", "\u{0}", "{\"theme\":", deep.as_str()] {
            let (settings, complaints) = Settings::read(text);
            assert_eq!(settings, Settings::default());
            assert!(complaints[0].starts_with("these are no settings"), "{complaints:?}");
        }
        let later = "{\"colour_of_the_sky\":\"blue\"}";
        assert_eq!(Settings::read(later), (Settings::default(), Vec::new()), "a later version's");
    }
}
