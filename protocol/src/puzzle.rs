//! Puzzles: positions in which one turn is right and the rest is proved to be wrong.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::shape::{self, Unknown};
use crate::{Day, Start};

/// A position, what is to be found in it, and all first turns that find it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// No other puzzle of an engine has this name, and it never changes.
    pub name: String,
    pub game: String,
    /// Those left out have their default.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub start: Start,
    pub kind: PuzzleKind,
    /// How many turns of one's own it takes: 2 to 5.
    #[schemars(range(min = Puzzle::FEWEST_TURNS, max = Puzzle::MOST_TURNS))]
    pub turns: u32,
    /// All first turns that solve it, but for turns that lead to the same position as one of these.
    pub solutions: Vec<Vec<String>>,
    /// What may follow: turns of both, beginning with a solution.
    pub line: Vec<Vec<String>>,
    /// How hard it is: 1 is the easiest, 5 the hardest.
    #[schemars(range(min = 1, max = Puzzle::HARDEST))]
    pub grade: u32,
    pub solved_by: SolvedBy,
    /// Where the position comes from, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
}

/// What is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PuzzleKind {
    /// A win within so many turns of one's own, whatever the enemy does.
    Win,
    /// The turns after which the enemy has no forced win within so many turns; it has one after every
    /// other turn.
    Defence,
}

impl PuzzleKind {
    pub const ALL: [PuzzleKind; 2] = [PuzzleKind::Win, PuzzleKind::Defence];
}

/// What finds a solution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvedBy {
    /// The id of the weakest level that does; `None` if none did that was tried.
    #[serde(default)]
    pub level: Option<String>,
    /// How many nodes a search needs, in powers of four; `None` if it found nothing with the most that
    /// were tried.
    #[serde(default)]
    pub nodes: Option<u64>,
}

impl Puzzle {
    pub const FEWEST_TURNS: u32 = 2;
    pub const MOST_TURNS: u32 = 5;
    pub const HARDEST: u32 = 5;

    /// What a puzzle of each grade counts against a person's rating.
    const RATINGS: [u32; Puzzle::HARDEST as usize] = [800, 1_000, 1_200, 1_400, 1_600];

    pub fn info(&self) -> PuzzleInfo {
        PuzzleInfo {
            name: self.name.clone(),
            game: self.game.clone(),
            options: self.options.clone(),
            kind: self.kind,
            turns: self.turns,
            grade: self.grade,
            rating: self.rating(),
            rows: self.start.rows.clone(),
        }
    }

    /// How strong somebody is who solves every second puzzle like this one.
    pub fn rating(&self) -> u32 {
        let place = self.grade.clamp(1, Puzzle::HARDEST) as usize - 1;
        Puzzle::RATINGS[place]
    }

    /// What there is to do, in one sentence.
    pub fn task(&self) -> String {
        task(self.kind, self.turns)
    }

    /// What is wrong with it that its shape does not show.
    fn problem(&self) -> Option<(&'static str, String)> {
        let turns = Puzzle::FEWEST_TURNS..=Puzzle::MOST_TURNS;
        if self.name.is_empty() {
            return Some(("name", "must not be empty".into()));
        }
        if !turns.contains(&self.turns) {
            return Some(("turns", format!("must be 2 to 5, not {}", self.turns)));
        }
        if !(1..=Puzzle::HARDEST).contains(&self.grade) {
            return Some(("grade", format!("must be 1 to 5, not {}", self.grade)));
        }
        if self.solutions.iter().any(Vec::is_empty) || self.solutions.is_empty() {
            return Some(("solutions", "there must be one at least, and none without an action".into()));
        }
        let begins_right = self.line.first().is_some_and(|first| self.solutions.contains(first));
        (!begins_right).then(|| ("line", "must begin with one of the solutions".into()))
    }
}

/// What there is to do in a puzzle, in one sentence.
pub fn task(kind: PuzzleKind, turns: u32) -> String {
    match kind {
        PuzzleKind::Win => format!("Win in {turns} turns, whatever the other side does."),
        PuzzleKind::Defence => {
            format!("Find the defence: hold out for {turns} turns. Every other turn loses by force.")
        }
    }
}

/// A puzzle as a list of them shows it, without its solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleInfo {
    pub name: String,
    pub game: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub kind: PuzzleKind,
    pub turns: u32,
    pub grade: u32,
    /// What it counts against a person's rating.
    pub rating: u32,
    /// The board that it begins with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<String>,
}

impl PuzzleInfo {
    /// What there is to do, in one sentence.
    pub fn task(&self) -> String {
        task(self.kind, self.turns)
    }
}

/// A file of puzzles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PuzzleFile {
    pub puzzles: Vec<Puzzle>,
    /// How far games were played for puzzles, so that somebody can go on.
    pub mined: Vec<Mined>,
}

/// How many games were played for puzzles with a seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mined {
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    pub seed: u64,
    pub games: u64,
}

/// Something in a document that cannot be read. The rest of it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoilt {
    /// Where, as `puzzles[3].kind`; a line and a column if nothing can be read.
    pub place: String,
    pub reason: String,
}

impl fmt::Display for Spoilt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.reason),
            place => write!(f, "{place}: {}", self.reason),
        }
    }
}

impl Spoilt {
    pub(crate) fn new(place: impl Into<String>, reason: impl Into<String>) -> Spoilt {
        Spoilt { place: place.into(), reason: reason.into() }
    }

    pub(crate) fn of(error: shape::WrongShape, place: &str) -> Spoilt {
        let error = error.inside(place);
        Spoilt { place: error.field, reason: error.reason }
    }
}

impl PuzzleFile {
    pub const FORMAT: &str = "tabuleiro-puzzles";
    pub const VERSION: u32 = 1;
    /// The file of puzzles that were made of a person's own mistakes, in the folder of settings and
    /// games.
    pub const OWN: &str = "puzzles.json";

    /// What is on disk, with these puzzles added that are not there yet; and what of it cannot be
    /// read.
    pub fn with(kept: Option<&[u8]>, puzzles: &[Puzzle]) -> (PuzzleFile, Vec<Spoilt>) {
        let kept = kept.map(|bytes| PuzzleFile::read(&String::from_utf8_lossy(bytes)));
        let (mut file, spoilt) = kept.unwrap_or_default();
        for puzzle in puzzles {
            if file.puzzles.iter().all(|known| known.name != puzzle.name) {
                file.puzzles.push(puzzle.clone());
            }
        }
        (file, spoilt)
    }

    /// All that can be read of a file, and what cannot.
    pub fn read(text: &str) -> (PuzzleFile, Vec<Spoilt>) {
        let mut file = PuzzleFile::default();
        let mut members = match head(text, PuzzleFile::FORMAT, PuzzleFile::VERSION) {
            Ok(members) => members,
            Err(spoilt) => return (file, vec![spoilt]),
        };
        let mut spoilt = Vec::new();
        match members.remove("puzzles") {
            Some(Value::Array(puzzles)) => {
                for (index, value) in puzzles.into_iter().enumerate() {
                    let place = format!("puzzles[{index}]");
                    match shape::read::<Puzzle>(value, Unknown::Refused) {
                        Err(error) => spoilt.push(Spoilt::of(error, &place)),
                        Ok(puzzle) => match puzzle.problem() {
                            Some((member, reason)) => {
                                spoilt.push(Spoilt::new(format!("{place}.{member}"), reason))
                            }
                            None if file.puzzles.iter().any(|other| other.name == puzzle.name) => {
                                let reason = format!("there is another puzzle {:?} before it", puzzle.name);
                                spoilt.push(Spoilt::new(format!("{place}.name"), reason));
                            }
                            None => file.puzzles.push(puzzle),
                        },
                    }
                }
            }
            Some(_) => spoilt.push(Spoilt::new("puzzles", "must be an array")),
            None => spoilt.push(Spoilt::new("puzzles", "is missing")),
        }
        if let Some(mined) = members.remove("mined") {
            match shape::read(mined, Unknown::Refused) {
                Ok(mined) => file.mined = mined,
                Err(error) => spoilt.push(Spoilt::of(error, "mined")),
            }
        }
        spoilt.extend(members.keys().map(|name| Spoilt::new(name, "there is no such member here")));
        (file, spoilt)
    }

    /// The file as text: a puzzle a line.
    pub fn write(&self) -> String {
        let lines = |values: Vec<String>| match values.is_empty() {
            true => "[]".to_string(),
            false => format!("[\n{}\n]", values.join(",\n")),
        };
        let text = |value: Result<String, serde_json::Error>| value.unwrap_or_default();
        let puzzles = lines(self.puzzles.iter().map(|puzzle| text(serde_json::to_string(puzzle))).collect());
        let mined = match self.mined.is_empty() {
            true => String::new(),
            false => format!(",\"mined\":{}", text(serde_json::to_string(&self.mined))),
        };
        let (format, version) = (PuzzleFile::FORMAT, PuzzleFile::VERSION);
        format!("{{\"format\":\"{format}\",\"version\":{version}{mined},\"puzzles\":{puzzles}}}\n")
    }
}

/// The members of a document of this format, but for what says so.
pub(crate) fn head(text: &str, format: &str, version: u32) -> Result<Map<String, Value>, Spoilt> {
    let value = serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let reason = error.to_string();
        // It says the place at its end.
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Spoilt::new(place, reason)
    })?;
    let Value::Object(mut members) = value else { return Err(Spoilt::new("", "must be an object")) };
    match members.remove("format") {
        Some(Value::String(found)) if found == format => {}
        found => {
            let found = found.map_or("nothing".into(), |found| found.to_string());
            return Err(Spoilt::new("format", format!("must be \"{format}\", not {found}")));
        }
    }
    match members.remove("version") {
        Some(found) if found == version => Ok(members),
        found => {
            let found = found.map_or("nothing".into(), |found| found.to_string());
            Err(Spoilt::new("version", format!("must be {version}, not {found}")))
        }
    }
}

/// The puzzle of a day among these, which are in an order that does not change.
pub fn of_the_day<T>(puzzles: &[T], day: Day) -> Option<&T> {
    // No puzzle comes again before all others have come, if their number stays the same: the step is
    // a prime that is greater than any number of them.
    const STEP: u64 = 1_000_003;
    let count = u64::try_from(puzzles.len()).ok().filter(|&count| count > 0)?;
    let number = u64::try_from(day.number().rem_euclid(1 << 40)).unwrap_or_default();
    puzzles.get((number * STEP % count) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzle(name: &str) -> Puzzle {
        Puzzle {
            name: name.into(),
            game: "zurero".into(),
            options: Map::new(),
            start: Start { rows: vec![". .".into()], ..Start::default() },
            kind: PuzzleKind::Win,
            turns: 2,
            solutions: vec![vec!["w1".into()]],
            line: vec![vec!["w1".into()], vec!["e1".into()]],
            grade: 3,
            solved_by: SolvedBy { level: Some("club".into()), nodes: Some(256) },
            source: String::new(),
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let mined = vec![Mined { options: Map::new(), seed: 7, games: 12 }];
        let file = PuzzleFile { puzzles: vec![puzzle("a"), puzzle("b")], mined };
        assert_eq!(PuzzleFile::read(&file.write()), (file, Vec::new()));
        let empty = PuzzleFile::default();
        assert_eq!(PuzzleFile::read(&empty.write()), (empty, Vec::new()));
    }

    #[test]
    fn a_damaged_puzzle_is_named_and_the_others_are_read() {
        let wrong = [
            ("\"kind\":\"win\"", "\"kind\":\"winn\"", "puzzles[1].kind"),
            ("\"turns\":2", "\"turns\":9", "puzzles[1].turns"),
            ("\"grade\":3", "\"grade\":0", "puzzles[1].grade"),
            ("\"solutions\":[[\"w1\"]]", "\"solutions\":[]", "puzzles[1].solutions"),
            ("\"line\":[[\"w1\"]", "\"line\":[[\"w2\"]", "puzzles[1].line"),
            ("\"name\":\"b\"", "\"name\":\"a\"", "puzzles[1].name"),
            ("\"game\":", "\"gane\":", "puzzles[1].gane"),
        ];
        let file = PuzzleFile { puzzles: vec![puzzle("a"), puzzle("b"), puzzle("c")], mined: Vec::new() };
        for (right, wrong, place) in wrong {
            let text: Vec<String> = file.write().lines().map(String::from).collect();
            let damaged: Vec<String> = text
                .iter()
                .enumerate()
                .map(|(line, text)| if line == 2 { text.replace(right, wrong) } else { text.clone() })
                .collect();
            let (read, spoilt) = PuzzleFile::read(&damaged.join("\n"));
            assert_eq!(read.puzzles, [puzzle("a"), puzzle("c")], "{wrong}");
            assert_eq!(spoilt.len(), 1, "{spoilt:?}");
            assert_eq!(spoilt[0].place, place, "{spoilt:?}");
        }
    }

    #[test]
    fn what_is_no_file_of_puzzles_says_where() {
        let place = |text: &str| PuzzleFile::read(text).1[0].to_string();
        assert_eq!(place("{\n\"format\": "), "line 2, column 10: EOF while parsing a value");
        assert_eq!(place("[]"), "must be an object");
        assert_eq!(place("{}"), "format: must be \"tabuleiro-puzzles\", not nothing");
        let newer = r#"{"format":"tabuleiro-puzzles","version":2,"puzzles":[]}"#;
        assert_eq!(place(newer), "version: must be 1, not 2");
    }

    #[test]
    fn every_puzzle_has_its_day() {
        let puzzles: Vec<u32> = (0..200).collect();
        let first = Day::from_unix(1_800_000_000);
        let mut drawn: Vec<u32> =
            (0..200).filter_map(|days| of_the_day(&puzzles, first.plus(days))).copied().collect();
        assert_ne!(drawn[0] + 1, drawn[1]);
        drawn.sort_unstable();
        assert_eq!(drawn, puzzles);
        assert_eq!(of_the_day::<u32>(&[], first), None);
    }
}
