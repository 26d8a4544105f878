//! What the window shows, as plain data.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::f32::consts::FRAC_PI_2;
use std::path::PathBuf;

use macroquad::math::Vec2;
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::method::{Damage, Opened, TableInfo};
use tabuleiro_protocol::progress::Progress;
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleInfo};
use tabuleiro_protocol::{Day, Detail, Hello, Overlay};

use crate::analysis::Analysis;
use crate::board::{Cell, Target, Tokens};
use crate::command::Panel;
use crate::editor::Editor;
use crate::exercise::{Exercise, Judgement};
use crate::files::SavedGame;
use crate::film::FilmProgress;
use crate::ghosts::GhostLine;
use crate::keeper::Unsaved;
use crate::motion::Motion;
use crate::pick::Pick;
use crate::review::Trial;
use crate::sets::{self, Set};
use crate::settings::Settings;
use crate::state::TableView;

/// What panels and the stage show. They look and never touch: what they want done they say as
/// [`Command`](crate::command::Command)s.
#[derive(Debug)]
pub struct App {
    pub screen: Screen,
    /// Where one was before a game was prepared.
    pub prepared_from: Screen,
    /// Whether the game that is prepared is one between computers.
    pub is_to_watch: bool,
    pub panels: BTreeSet<Panel>,
    /// What the engine can do, once it has said so.
    pub hello: Option<Hello>,
    pub table: Option<TableView>,
    /// How often somebody has sat down here, to watch or to play. The camera goes home with each
    /// time.
    pub visits: u32,
    /// From where the board is seen: 0 is from the side of the last row, half a turn from that of
    /// row 1.
    pub yaw: f32,
    /// Whether the person wants computers to wait.
    pub paused: bool,
    pub pick: Pick,
    /// The board after actions that have been looked at, by action, for the present position.
    pub previews: HashMap<String, Option<Preview>>,
    /// What the next click means, once something was pointed at.
    pub next_step: Option<String>,
    pub motion: Motion,
    /// What the engine finds out about the position that is shown, if somebody wants to know.
    pub analysis: Analysis,
    /// A line of play that is shown as ghosts.
    pub ghosts: Option<GhostLine>,
    pub pointed: Option<Target>,
    pub settings: Settings,
    /// The games that are on disk, the last first.
    pub saved: Vec<SavedGame>,
    /// The game that was deleted last, and can be put back.
    pub deleted: Option<SavedGame>,
    /// Files that are called like games and are none, each in a sentence.
    pub left_out: Vec<String>,
    /// What could not be written, for as long as it cannot be.
    pub unsaved: Vec<Unsaved>,
    /// Where games are kept, and where else they could be.
    pub games_folder: PathBuf,
    pub other_folders: Vec<PathBuf>,
    /// The boards on which games begin that the viewer has no picture of.
    pub starts: BTreeMap<String, Tokens>,
    /// The position on the table as text, once it has been asked for.
    pub position_text: Option<PositionText>,
    /// The rules of games, in Markdown, by game, once they have been asked for.
    pub rules: BTreeMap<String, String>,
    /// The lessons of games, once they have been asked for; `None` for a game that has none.
    pub lessons: BTreeMap<String, Option<Lesson>>,
    /// What is to be done at the table, if it is not a game like any other.
    pub exercise: Option<Exercise>,
    /// What was learnt and played so far.
    pub progress: Progress,
    pub today: Day,
    /// The puzzles of the engine, once they have been asked for, and the name of the one of the day.
    pub puzzles: Vec<PuzzleInfo>,
    pub puzzle_of_the_day: Option<String>,
    /// Puzzles from mistakes in games that were played here.
    pub own_puzzles: Vec<Puzzle>,
    /// Which puzzles are listed, and which comes next.
    pub puzzle_filter: PuzzleFilter,
    /// Something to tell: the last of them is shown for a while.
    pub message: Option<Message>,
    /// The reason for a refused click, where it was made.
    pub refusal: Option<Refusal>,
    /// The lines that went to and fro, oldest first.
    pub console: Vec<ConsoleLine>,
    /// A game that was not finished when the program last ended without meaning to.
    pub interrupted: Option<SavedGame>,
    /// The socket of the engine that this window has joined, if it has not an engine of its own.
    pub socket: Option<String>,
    /// The tables at that engine.
    pub tables: Vec<TableInfo>,
    /// How often somebody has asked to see them. Each time they come in sight.
    pub calls_for_tables: u32,
    /// Whether that engine has gone away.
    pub engine_has_gone: bool,
    /// What bots have written for people, by their names.
    pub bot_logs: BTreeMap<String, Vec<String>>,
    /// The position that is being set up.
    pub editor: Option<Box<Editor>>,
    /// A damaged game of which something could be read.
    pub offered: Option<Box<Offered>>,
    /// The text that was copied last.
    pub copied: Option<String>,
    /// How far the film is that is being made.
    pub film: Option<FilmProgress>,
    /// Another try at a turn, while it lasts: the table that is shown is not that of the game.
    pub trial: Option<Trial>,
}

/// What could be read of a damaged game, at a table that nobody has come to yet.
#[derive(Clone, Debug)]
pub struct Offered {
    /// What people call the text that it was read from.
    pub name: String,
    pub opened: Opened,
    /// What is wrong with it, at least one thing.
    pub damage: Vec<Damage>,
}

impl App {
    pub fn new(settings: Settings) -> App {
        App {
            screen: Screen::Home,
            prepared_from: Screen::Home,
            is_to_watch: false,
            panels: BTreeSet::from([Panel::Game]),
            hello: None,
            table: None,
            visits: 0,
            yaw: 0.0,
            paused: false,
            pick: Pick::default(),
            previews: HashMap::new(),
            next_step: None,
            motion: Motion::default(),
            analysis: Analysis::default(),
            ghosts: None,
            pointed: None,
            settings,
            saved: Vec::new(),
            deleted: None,
            left_out: Vec::new(),
            unsaved: Vec::new(),
            games_folder: PathBuf::new(),
            other_folders: Vec::new(),
            starts: BTreeMap::new(),
            position_text: None,
            rules: BTreeMap::new(),
            lessons: BTreeMap::new(),
            exercise: None,
            progress: Progress::default(),
            today: Day::from_unix(0),
            puzzles: Vec::new(),
            puzzle_of_the_day: None,
            own_puzzles: Vec::new(),
            puzzle_filter: PuzzleFilter::default(),
            message: None,
            refusal: None,
            console: Vec::new(),
            interrupted: None,
            socket: None,
            tables: Vec::new(),
            calls_for_tables: 0,
            engine_has_gone: false,
            bot_logs: BTreeMap::new(),
            editor: None,
            offered: None,
            copied: None,
            film: None,
            trial: None,
        }
    }

    /// What is on the board that is shown: that of the table, or the one that is set up.
    pub fn board(&self) -> &Motion {
        match &self.editor {
            Some(editor) if self.screen == Screen::Editor => &editor.motion,
            _ => &self.motion,
        }
    }

    /// The action whose ghost is wanted: the one that a click would be, or the one that is considered.
    pub fn action_in_view(&self) -> Option<&Detail> {
        let under_pointer = self.pointed.and_then(|target| self.pick.complete_with(target).first().copied());
        under_pointer.or_else(|| self.pick.considered())
    }

    /// What that action would do, once the engine has said so.
    pub fn preview(&self) -> Option<&Preview> {
        let action = self.action_in_view().filter(|_| self.motion.is_still())?;
        self.previews.get(&action.action)?.as_ref()
    }

    /// An action that begins with what was pointed at, if it is not clear yet which one is meant.
    pub fn action_begun(&self) -> Option<&Detail> {
        match self.action_in_view() {
            Some(_) => None,
            None => self.pick.beginning_with(self.pointed),
        }
    }

    /// What it would do in the places that were pointed at, once the engine has said so: the rest of
    /// it is still open.
    pub fn preview_begun(&self) -> Option<(&Preview, Vec<Cell>)> {
        let action = self.action_begun().filter(|_| self.motion.is_still())?;
        let preview = self.previews.get(&action.action)?.as_ref()?;
        let (from, to) = self.pick.chosen().split_first()?;
        let places = to.iter().chain(&self.pointed).filter(|place| *place != from);
        Some((preview, places.map(|place| place.cell()).collect()))
    }

    /// Whether row 1 is nearer than the last row, as the board is seen.
    pub fn is_turned(&self) -> bool {
        self.yaw.cos() < 0.0
    }

    /// A step to the right and down the screen, in columns and rows of the board.
    pub fn on_board(&self, right: i32, down: i32) -> (i32, i32) {
        let quarter = (self.yaw / FRAC_PI_2).round() * FRAC_PI_2;
        let (sin, cos) = (quarter.sin().round() as i32, quarter.cos().round() as i32);
        (right * cos + down * sin, down * cos - right * sin)
    }

    /// Whether there is a board on the screen.
    pub fn is_at_board(&self) -> bool {
        match self.screen {
            Screen::Board => self.table.is_some(),
            Screen::Editor => self.editor.is_some(),
            _ => false,
        }
    }

    /// Whether a move can be typed: the line under the board has room for it then.
    pub fn can_type_move(&self) -> bool {
        let Some(table) = &self.table else { return false };
        let is_judged = |exercise: &Exercise| !exercise.is_game() && exercise.verdict != Judgement::Open;
        let is_looking = table.looked_at.is_some() || table.state.outcome.is_some();
        self.screen == Screen::Board
            && !table.is_watched()
            && !self.exercise.as_ref().is_some_and(is_judged)
            && (self.trial.is_some() || !is_looking)
    }

    /// Whether the computer's players wait because somebody wants it so. Those that play each other
    /// are held between turns, too, which is no pause.
    pub fn is_paused(&self) -> bool {
        let Some(table) = self.table.as_ref().filter(|table| table.state.outcome.is_none()) else {
            return false;
        };
        if table.is_paced() { self.paused } else { table.state.held && !table.is_ours_to_move() }
    }

    /// The game to continue: the one on the table, unless it is over or an exercise, or the last that
    /// was not finished. One's own comes before those that computers play, and one in which nothing
    /// was played comes last.
    pub fn unfinished(&self) -> Option<Unfinished<'_>> {
        let is_open = |table: &&TableView| table.state.outcome.is_none() && self.exercise.is_none();
        let on_table = self.table.as_ref().filter(is_open);
        let unfinished = self.saved.iter().filter(|saved| !saved.finished);
        let saved = unfinished.min_by_key(|saved| (!saved.is_begun, saved.is_watched));
        let is_own = |saved: &&SavedGame| saved.is_begun && !saved.is_watched;
        match on_table {
            Some(table) if !table.is_computer_only() => Some(Unfinished::OnTheTable(table)),
            Some(table) => {
                Some(saved.filter(is_own).map_or(Unfinished::OnTheTable(table), Unfinished::Saved))
            }
            None => saved.map(Unfinished::Saved),
        }
    }

    /// The puzzles that are wanted, in their order, those of one's own last.
    pub fn wanted_puzzles(&self) -> Vec<ListedPuzzle<'_>> {
        let PuzzleFilter { game, grade, is_own } = &self.puzzle_filter;
        let all = self.all_puzzles().filter(|listed| listed.is_own || !is_own);
        all.filter(|ListedPuzzle { info, .. }| {
            game.as_ref().is_none_or(|game| info.game == *game)
                && grade.is_none_or(|grade| info.grade == grade)
        })
        .collect()
    }

    /// All puzzles, whichever are wanted.
    pub fn all_puzzles(&self) -> impl Iterator<Item = ListedPuzzle<'_>> {
        let shipped = numbered(self.puzzles.iter().map(Cow::Borrowed), false);
        let own = numbered(self.own_puzzles.iter().map(|puzzle| Cow::Owned(puzzle.info())), true);
        shipped.into_iter().chain(own)
    }

    /// What a game is played with, after what the engine has said about it.
    pub fn set_of(&self, game: &str) -> Set {
        let games = self.hello.iter().flat_map(|hello| &hello.games);
        sets::find(game, games.into_iter().find(|known| known.id == game))
    }

    /// A board of a game, to show what it looks like.
    pub fn sample_of(&self, game: &str) -> Option<Tokens> {
        self.set_of(game).sample_board().or_else(|| self.starts.get(game).cloned())
    }
}

/// The board after an action, and what helps to read it then.
#[derive(Clone, Debug)]
pub struct Preview {
    pub tokens: Tokens,
    pub overlays: Vec<Overlay>,
}

/// A position for whoever reads rather than looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionText {
    /// The board in signs.
    pub drawing: String,
    /// What is where, what was played last and what is expected.
    pub words: String,
}

/// A puzzle in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPuzzle<'a> {
    /// The how manieth of its game it is, from 1, whatever is listed.
    pub number: usize,
    /// Whether it comes from a mistake of one's own.
    pub is_own: bool,
    pub info: Cow<'a, PuzzleInfo>,
}

fn numbered<'a>(puzzles: impl Iterator<Item = Cow<'a, PuzzleInfo>>, is_own: bool) -> Vec<ListedPuzzle<'a>> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut numbered = Vec::new();
    for info in puzzles {
        let number = numbers.entry(info.game.clone()).or_default();
        *number += 1;
        numbered.push(ListedPuzzle { number: *number, is_own, info });
    }
    numbered
}

/// Which puzzles are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleFilter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only of this grade.
    pub grade: Option<u32>,
    /// Only those from mistakes of one's own.
    pub is_own: bool,
}

/// A game that can be continued.
#[derive(Clone, Copy, Debug)]
pub enum Unfinished<'a> {
    OnTheTable(&'a TableView),
    Saved(&'a SavedGame),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Screen {
    Home,
    /// Preparing a game of this kind.
    Prepare(String),
    Board,
    /// Setting up a position.
    Editor,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub text: String,
    /// Whether something went wrong.
    pub is_problem: bool,
    /// Whether it is about the position on the board, and says nothing about the next one.
    pub is_of_position: bool,
    pub seconds_left: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    pub text: String,
    /// In the window.
    pub at: Vec2,
    pub seconds_left: f32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleLine {
    pub sent: bool,
    pub line: String,
}
