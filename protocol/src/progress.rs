//! What a person has done so far: puzzles, lessons and games, as data that can be read and kept.
//!
//! Nothing here reads a file or a clock: whoever does says what the file says and what day it is.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Day;
use crate::puzzle::{PuzzleInfo, Spoilt, head};
use crate::shape::{self, Unknown};

/// What a person has done so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    pub format: &'static str,
    pub version: u32,
    /// How well puzzles are solved, by game.
    pub ratings: BTreeMap<String, Rating>,
    pub streak: Streak,
    /// By name.
    pub puzzles: BTreeMap<String, PuzzleProgress>,
    /// By game.
    pub lessons: BTreeMap<String, LessonProgress>,
    /// Results against levels, by game and level.
    pub games: BTreeMap<String, BTreeMap<String, Results>>,
    /// What was done on each day.
    pub days: BTreeMap<Day, DayTally>,
    /// What a newer program has added.
    #[serde(flatten)]
    extra: Map<String, Value>,
}

/// How well somebody solves puzzles, as an Elo rating.
///
/// Whoever has the rating of a puzzle solves it every second time; with 400 more, 10 times in 11.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    pub value: f64,
    /// How many results it comes from.
    pub results: u32,
}

impl Rating {
    /// Where everybody begins: between the easiest puzzles and the middle.
    pub const START: f64 = 1_000.0;
    /// So much at most is gained or lost by one of the first results, and by a later one.
    const FIRST_STEP: f64 = 48.0;
    const LATER_STEP: f64 = 16.0;
    /// The results until the step is the later one.
    const FIRST_RESULTS: u32 = 20;

    /// The chance to solve a puzzle with this rating.
    pub fn chance(self, puzzle: u32) -> f64 {
        1.0 / (1.0 + 10_f64.powf((f64::from(puzzle) - self.value) / 400.0))
    }

    /// The rating after a result, which is from 0 to 1.
    #[must_use]
    fn after(self, puzzle: u32, result: f64) -> Rating {
        let settled = f64::from(self.results.min(Rating::FIRST_RESULTS)) / f64::from(Rating::FIRST_RESULTS);
        let step = Rating::FIRST_STEP + (Rating::LATER_STEP - Rating::FIRST_STEP) * settled;
        let value = self.value + step * (result - self.chance(puzzle));
        Rating { value: (value.max(0.0) * 10.0).round() / 10.0, results: self.results + 1 }
    }
}

impl Default for Rating {
    fn default() -> Rating {
        Rating { value: Rating::START, results: 0 }
    }
}

/// Puzzles solved in a row without help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streak {
    pub now: u32,
    pub best: u32,
}

/// What somebody has done with a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleProgress {
    /// How often it was solved without help, with hints, and not.
    #[serde(default)]
    pub solved: u32,
    #[serde(default)]
    pub helped: u32,
    #[serde(default)]
    pub failed: u32,
    /// The day it was last tried.
    #[serde(default)]
    pub last: Option<Day>,
    /// The day from which on it comes again, if it was failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Day>,
    /// How often it was solved since it was failed last.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repeated: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl PuzzleProgress {
    /// The days after which a failed puzzle comes again: the first number after it was failed, the
    /// next ones each time it was solved. After that it comes no more.
    const REPETITIONS: [i64; 4] = [1, 3, 7, 21];

    pub fn is_solved(&self) -> bool {
        self.solved + self.helped > 0
    }

    fn is_due(&self, today: Day) -> bool {
        self.due.is_some_and(|due| due <= today)
    }

    fn note(&mut self, attempt: Attempt, today: Day) {
        match attempt {
            Attempt::Solved => self.solved += 1,
            Attempt::Helped => self.helped += 1,
            Attempt::Failed => self.failed += 1,
        }
        match attempt {
            // Whoever needs help has not learned it yet.
            Attempt::Failed | Attempt::Helped => {
                self.repeated = 0;
                self.due = Some(today.plus(PuzzleProgress::REPETITIONS[0]));
            }
            Attempt::Solved if self.is_due(today) => {
                self.repeated += 1;
                let days = PuzzleProgress::REPETITIONS.get(self.repeated as usize);
                self.due = days.map(|&days| today.plus(days));
            }
            Attempt::Solved => {}
        }
        self.last = Some(today);
    }
}

/// Something that a person has done. Several programs may keep the same progress, so that each adds
/// what was done in it to what the others have kept meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    Puzzle {
        puzzle: PuzzleInfo,
        attempt: Attempt,
        day: Day,
    },
    /// A step of a lesson, from 0, which has so many.
    Step {
        game: String,
        step: usize,
        of: usize,
        day: Day,
    },
    /// A finished game against a level.
    Game {
        game: String,
        level: String,
        result: LevelResult,
        day: Day,
    },
    /// The lesson of a game was offered.
    Offer {
        game: String,
    },
    /// Everything was deleted.
    Deletion,
}

/// How somebody did with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Attempt {
    /// At the first try, without help.
    Solved,
    /// With hints.
    Helped,
    /// With a wrong turn, or given up.
    Failed,
}

impl Attempt {
    fn result(self) -> f64 {
        match self {
            Attempt::Solved => 1.0,
            Attempt::Helped => 0.25,
            Attempt::Failed => 0.0,
        }
    }
}

/// How far somebody has got in a lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonProgress {
    /// The steps that are done, from 0.
    #[serde(default)]
    pub steps: BTreeSet<usize>,
    /// How many there are.
    #[serde(default)]
    pub of: usize,
    /// The day on which all were done for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished: Option<Day>,
}

/// How a person did in a game against a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelResult {
    Won,
    Lost,
    Drawn,
}

/// Games won, lost and drawn by a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    #[serde(default)]
    pub won: u32,
    #[serde(default)]
    pub lost: u32,
    #[serde(default)]
    pub drawn: u32,
}

impl Results {
    pub fn games(self) -> u32 {
        self.won + self.lost + self.drawn
    }

    fn add(&mut self, result: LevelResult) {
        match result {
            LevelResult::Won => self.won += 1,
            LevelResult::Lost => self.lost += 1,
            LevelResult::Drawn => self.drawn += 1,
        }
    }
}

/// What was done on one day: a point of the graph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DayTally {
    /// Puzzles solved, with help or without, and not.
    #[serde(default)]
    pub solved: u32,
    #[serde(default)]
    pub failed: u32,
    /// Steps of lessons.
    #[serde(default)]
    pub steps: u32,
    #[serde(default)]
    pub games: Results,
    /// The ratings at the end of the day, of the games in which it moved.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ratings: BTreeMap<String, f64>,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress {
            format: Progress::FORMAT,
            version: Progress::VERSION,
            ratings: BTreeMap::new(),
            streak: Streak::default(),
            puzzles: BTreeMap::new(),
            lessons: BTreeMap::new(),
            games: BTreeMap::new(),
            days: BTreeMap::new(),
            extra: Map::new(),
        }
    }
}

impl Progress {
    pub const FORMAT: &str = "tabuleiro-progress";
    pub const VERSION: u32 = 1;
    /// What the file is called, in the folder of settings and games.
    pub const FILE: &str = "progress.json";

    /// All that can be read of a document, and what cannot. Whoever writes it again has to keep what
    /// could not be read.
    pub fn read(text: &str) -> (Progress, Vec<Spoilt>) {
        let mut progress = Progress::default();
        let mut members = match head(text, Progress::FORMAT, Progress::VERSION) {
            Ok(members) => members,
            Err(spoilt) => return (progress, vec![spoilt]),
        };
        let mut reader = Reader { members: &mut members, spoilt: Vec::new() };
        progress.ratings = reader.map("ratings");
        progress.streak = reader.whole("streak");
        progress.puzzles = reader.map("puzzles");
        progress.lessons = reader.map("lessons");
        progress.games = reader.map("games");
        progress.days = reader.map("days");
        let spoilt = reader.spoilt;
        progress.extra = members;
        (progress, spoilt)
    }

    /// What it is after some notes, by what is on disk; and what of that cannot be read.
    pub fn after(kept: Option<&[u8]>, notes: &[Note]) -> (Progress, Vec<Spoilt>) {
        let kept = kept.map(|bytes| Progress::read(&String::from_utf8_lossy(bytes)));
        let (mut progress, spoilt) = kept.unwrap_or_default();
        for note in notes {
            progress.note(note);
        }
        (progress, spoilt)
    }

    /// The document as people can read it.
    pub fn write(&self) -> String {
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        format!("{text}\n")
    }

    pub fn rating(&self, game: &str) -> Rating {
        self.ratings.get(game).copied().unwrap_or_default()
    }

    /// Whether an attempt at a puzzle would count today: each does once a day.
    pub fn counts(&self, puzzle: &str, today: Day) -> bool {
        self.puzzles.get(puzzle).is_none_or(|known| known.last != Some(today))
    }

    /// Notes something. `false` if it changes nothing.
    pub fn note(&mut self, note: &Note) -> bool {
        match note {
            Note::Puzzle { puzzle, attempt, day } => self.note_puzzle(puzzle, *attempt, *day),
            Note::Step { game, step, of, day } => self.note_step(game, *step, *of, *day),
            Note::Game { game, level, result, day } => {
                self.note_game(game, level, *result, *day);
                true
            }
            Note::Offer { game } => self.note_offer(game),
            Note::Deletion => {
                *self = Progress::default();
                true
            }
        }
    }

    /// Notes how somebody did with a puzzle. The first attempt of a day counts; says whether it was.
    pub fn note_puzzle(&mut self, puzzle: &PuzzleInfo, attempt: Attempt, today: Day) -> bool {
        if !self.counts(&puzzle.name, today) {
            return false;
        }
        self.puzzles.entry(puzzle.name.clone()).or_default().note(attempt, today);
        let rating = self.ratings.entry(puzzle.game.clone()).or_default();
        *rating = rating.after(puzzle.rating, attempt.result());
        let day = self.days.entry(today).or_default();
        day.ratings.insert(puzzle.game.clone(), rating.value);
        match attempt {
            Attempt::Failed => day.failed += 1,
            Attempt::Solved | Attempt::Helped => day.solved += 1,
        }
        let streak = &mut self.streak;
        streak.now = if attempt == Attempt::Solved { streak.now + 1 } else { 0 };
        streak.best = streak.best.max(streak.now);
        true
    }

    /// Notes a step of a lesson, from 0, which has so many. `false` if it was done before.
    pub fn note_step(&mut self, game: &str, step: usize, of: usize, today: Day) -> bool {
        let lesson = self.lessons.entry(game.into()).or_default();
        lesson.of = of;
        let is_new = lesson.steps.insert(step);
        if lesson.finished.is_none() && (0..of).all(|step| lesson.steps.contains(&step)) {
            lesson.finished = Some(today);
        }
        if is_new {
            self.days.entry(today).or_default().steps += 1;
        }
        is_new
    }

    /// Notes a finished game against a level.
    pub fn note_game(&mut self, game: &str, level: &str, result: LevelResult, today: Day) {
        self.games.entry(game.into()).or_default().entry(level.into()).or_default().add(result);
        self.days.entry(today).or_default().games.add(result);
    }

    /// The names of the puzzles that come again today, the longest overdue first.
    pub fn due(&self, today: Day) -> Vec<&str> {
        let mut due: Vec<(Day, &str)> = self
            .puzzles
            .iter()
            .filter(|(_, known)| known.is_due(today))
            .filter_map(|(name, known)| Some((known.due?, name.as_str())))
            .collect();
        due.sort();
        due.into_iter().map(|(_, name)| name).collect()
    }

    /// What to offer next of these puzzles: one that comes again today, else one that was not tried
    /// yet and is about as hard as the person is strong, else the one that was tried longest ago.
    pub fn next<'a>(&self, puzzles: &'a [PuzzleInfo], today: Day) -> Option<&'a PuzzleInfo> {
        let due = self.due(today);
        let again = due.iter().find_map(|name| puzzles.iter().find(|puzzle| puzzle.name == *name));
        let distance = |puzzle: &&PuzzleInfo| {
            let distance = (f64::from(puzzle.rating) - self.rating(&puzzle.game).value).abs();
            distance.round() as u64
        };
        let fresh = || {
            let fresh = puzzles.iter().filter(|puzzle| !self.puzzles.contains_key(&puzzle.name));
            fresh.min_by_key(distance)
        };
        let oldest = || {
            let last = |puzzle: &&PuzzleInfo| self.puzzles.get(&puzzle.name).and_then(|known| known.last);
            puzzles.iter().min_by_key(last)
        };
        again.or_else(fresh).or_else(oldest)
    }

    /// On how many days in a row something was done, up to today or yesterday.
    pub fn days_in_a_row(&self, today: Day) -> u32 {
        let last = if self.days.contains_key(&today) { today } else { today.plus(-1) };
        (0..).take_while(|&ago| self.days.contains_key(&last.plus(-ago))).count() as u32
    }
}

/// What lessons need to know.
impl Progress {
    /// Notes that the lesson of a game was offered, which is done once. `false` if it was before.
    pub fn note_offer(&mut self, game: &str) -> bool {
        let is_new = !self.lessons.contains_key(game);
        self.lessons.entry(game.into()).or_default();
        is_new
    }

    pub fn is_offered(&self, game: &str) -> bool {
        self.lessons.contains_key(game)
    }

    /// Whether a step of a lesson, from 0, is done.
    pub fn is_step_done(&self, game: &str, step: usize) -> bool {
        self.lessons.get(game).is_some_and(|lesson| lesson.steps.contains(&step))
    }

    /// How many of the steps that a lesson has are done.
    pub fn steps_done(&self, game: &str, of: usize) -> usize {
        (0..of).filter(|&step| self.is_step_done(game, step)).count()
    }

    /// The step to go on with: the first that is not done, or the first of all if all are.
    pub fn next_step(&self, game: &str, of: usize) -> usize {
        (0..of).find(|&step| !self.is_step_done(game, step)).unwrap_or(0)
    }
}

/// Reads what can be read of some members.
struct Reader<'a> {
    members: &'a mut Map<String, Value>,
    spoilt: Vec<Spoilt>,
}

impl Reader<'_> {
    fn whole<T: DeserializeOwned + Default>(&mut self, name: &str) -> T {
        let Some(value) = self.members.remove(name) else { return T::default() };
        shape::read(value, Unknown::Ignored).unwrap_or_else(|error| {
            self.spoilt.push(Spoilt::of(error, name));
            T::default()
        })
    }

    /// A map, of which every entry is read by itself.
    fn map<K: DeserializeOwned + Ord, V: DeserializeOwned>(&mut self, name: &str) -> BTreeMap<K, V> {
        let mut map = BTreeMap::new();
        match self.members.remove(name) {
            None => {}
            Some(Value::Object(entries)) => {
                for (key, value) in entries {
                    let place = format!("{name}.{key}");
                    let entry = shape::read(Value::String(key), Unknown::Ignored)
                        .and_then(|key| Ok((key, shape::read(value, Unknown::Ignored)?)));
                    match entry {
                        Ok((key, value)) => drop(map.insert(key, value)),
                        Err(error) => self.spoilt.push(Spoilt::of(error, &place)),
                    }
                }
            }
            Some(_) => self.spoilt.push(Spoilt::new(name, "must be an object")),
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::PuzzleKind;

    #[test]
    fn a_lesson_goes_on_with_the_first_step_that_is_not_done() {
        let (mut progress, today) = (Progress::default(), Day::from_unix(0));
        assert!(!progress.is_offered("zurero"));
        assert!(progress.note_offer("zurero") && !progress.note_offer("zurero"));
        assert!(progress.is_offered("zurero"));
        assert_eq!(progress.next_step("zurero", 3), 0);
        progress.note_step("zurero", 0, 3, today);
        progress.note_step("zurero", 2, 3, today);
        assert_eq!((progress.next_step("zurero", 3), progress.steps_done("zurero", 3)), (1, 2));
        progress.note_step("zurero", 1, 3, today);
        assert_eq!((progress.next_step("zurero", 3), progress.steps_done("zurero", 3)), (0, 3));
    }

    fn puzzle(name: &str, rating: u32) -> PuzzleInfo {
        PuzzleInfo {
            name: name.into(),
            game: "zurero".into(),
            options: Map::new(),
            kind: PuzzleKind::Win,
            turns: 2,
            grade: 1,
            rating,
            rows: Vec::new(),
        }
    }

    fn today() -> Day {
        "2026-11-17".parse().expect("a day")
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let mut progress = Progress::default();
        progress.note_puzzle(&puzzle("a", 800), Attempt::Solved, today());
        progress.note_puzzle(&puzzle("b", 1200), Attempt::Failed, today());
        progress.note_step("fabrik", 0, 2, today());
        progress.note_game("syrtis", "club", LevelResult::Won, today());
        assert_eq!(Progress::read(&progress.write()), (progress, Vec::new()));
        assert_eq!(Progress::read(&Progress::default().write()), (Progress::default(), Vec::new()));
    }

    #[test]
    fn what_a_newer_program_has_added_is_kept() {
        let text = r#"{"format":"tabuleiro-progress","version":1,"badges":["first"]}"#;
        let (progress, spoilt) = Progress::read(text);
        assert!(spoilt.is_empty(), "{spoilt:?}");
        assert!(progress.write().contains("badges"));
    }

    #[test]
    fn damage_is_named_and_the_rest_is_read() {
        let text = r#"{"format":"tabuleiro-progress","version":1,
            "puzzles":{"a":{"solved":2,"last":"2026-11-16"},"b":{"solved":"x"}},
            "days":{"2026-02-30":{},"2026-11-16":{"solved":2}},
            "streak":7,"games":[],"ratings":{"zurero":{"value":1100,"results":3}}}"#;
        let (progress, spoilt) = Progress::read(text);
        let places: Vec<&str> = spoilt.iter().map(|spoilt| spoilt.place.as_str()).collect();
        assert_eq!(places, ["streak", "puzzles.b.solved", "games", "days.2026-02-30"]);
        assert_eq!(progress.puzzles["a"].solved, 2);
        assert_eq!(progress.rating("zurero").value, 1100.0);
        assert_eq!(progress.days.len(), 1);
        let (_, spoilt) = Progress::read("{\"format\":");
        assert_eq!(spoilt[0].place, "line 1, column 10");
    }

    #[test]
    fn a_rating_moves_with_what_is_done_and_less_and_less() {
        let mut progress = Progress::default();
        progress.note_puzzle(&puzzle("a", 1_000), Attempt::Solved, today());
        assert_eq!(progress.rating("zurero").value, 1_024.0);
        progress.note_puzzle(&puzzle("b", 1_024), Attempt::Failed, today());
        assert_eq!(progress.rating("zurero").value, 1_000.8);
        // An attempt of the same day does not count.
        assert!(!progress.note_puzzle(&puzzle("b", 1_024), Attempt::Solved, today()));
        assert_eq!(progress.rating("zurero").results, 2);
        let settled = Rating { value: 1_000.0, results: 30 };
        assert_eq!(settled.after(1_000, 1.0).value, 1_008.0);
        assert_eq!(progress.days[&today()].ratings["zurero"], 1_000.8);
    }

    #[test]
    fn a_rating_comes_to_where_half_of_the_puzzles_are_solved() {
        let mut rating = Rating::default();
        for number in 0..400 {
            let result = if number % 2 == 0 { 1.0 } else { 0.0 };
            rating = rating.after(1_400, result);
        }
        assert!((1_380.0..1_420.0).contains(&rating.value), "{rating:?}");
    }

    #[test]
    fn failed_puzzles_come_again_and_later_each_time() {
        let mut progress = Progress::default();
        let puzzles = [puzzle("a", 1_000), puzzle("b", 1_300)];
        let mut day = today();
        progress.note_puzzle(&puzzles[0], Attempt::Failed, day);
        assert!(progress.due(day).is_empty());
        assert_eq!(progress.next(&puzzles, day).expect("one").name, "b");
        for days in [1, 3, 7, 21] {
            assert!(progress.due(day.plus(days - 1)).is_empty());
            day = day.plus(days);
            assert_eq!(progress.due(day), ["a"]);
            assert_eq!(progress.next(&puzzles, day).expect("one").name, "a");
            progress.note_puzzle(&puzzles[0], Attempt::Solved, day);
        }
        assert_eq!(progress.puzzles["a"].due, None);
        progress.note_puzzle(&puzzles[0], Attempt::Failed, day.plus(1));
        assert_eq!(progress.due(day.plus(2)), ["a"]);
    }

    #[test]
    fn the_next_puzzle_is_new_and_about_as_hard_as_the_person_is_strong() {
        let mut progress = Progress::default();
        let puzzles = [puzzle("a", 800), puzzle("b", 1_600), puzzle("c", 1_050)];
        let names = |progress: &Progress| progress.next(&puzzles, today()).map(|next| next.name.clone());
        assert_eq!(names(&progress).as_deref(), Some("c"));
        for (number, puzzle) in puzzles.iter().enumerate() {
            progress.note_puzzle(puzzle, Attempt::Solved, today().plus(-10 - number as i64));
        }
        assert_eq!(names(&progress).as_deref(), Some("c"));
        assert_eq!(progress.next(&[], today()), None);
    }

    #[test]
    fn help_and_failures_end_a_streak() {
        let mut progress = Progress::default();
        for (name, attempt, streak) in [
            ("a", Attempt::Solved, 1),
            ("b", Attempt::Solved, 2),
            ("c", Attempt::Helped, 0),
            ("d", Attempt::Solved, 1),
            ("e", Attempt::Failed, 0),
        ] {
            progress.note_puzzle(&puzzle(name, 1_000), attempt, today());
            assert_eq!(progress.streak.now, streak, "{name}");
        }
        assert_eq!(progress.streak.best, 2);
    }

    #[test]
    fn days_in_a_row_end_today_or_yesterday() {
        let mut progress = Progress::default();
        for ago in [1, 2, 3, 5] {
            progress.note_game("zurero", "club", LevelResult::Drawn, today().plus(-ago));
        }
        assert_eq!(progress.days_in_a_row(today()), 3);
        progress.note_step("zurero", 3, 12, today());
        assert_eq!(progress.days_in_a_row(today()), 4);
        assert_eq!(progress.days_in_a_row(today().plus(2)), 0);
    }

    #[test]
    fn a_lesson_is_finished_when_all_its_steps_are_done() {
        let mut progress = Progress::default();
        assert!(progress.note_step("zurero", 1, 2, today()));
        assert!(!progress.note_step("zurero", 1, 2, today()));
        assert_eq!(progress.lessons["zurero"].finished, None);
        progress.note_step("zurero", 0, 2, today());
        assert_eq!(progress.lessons["zurero"].finished, Some(today()));
        assert_eq!(progress.days[&today()].steps, 2);
    }
}
