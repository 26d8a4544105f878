//! What follows from a command and from what the engine says. It needs no window.

mod analysis;
mod bots;
mod chances;
mod dispatch;
mod editing;
mod engine;
mod figures;
mod filming;
mod games;
mod history;
mod in_and_out;
mod learning;
mod moves;
mod puzzles;
mod review;
mod saving;
mod sharing;
mod table;
mod tree;

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tabuleiro_protocol::Day;
use tabuleiro_protocol::notice::TreeChanged;

pub use self::filming::Shot;
use self::table::Arrival;
use crate::app::{App, Message, Screen};
use crate::command::Panel;
use crate::files::{Files, GameList};
use crate::link::{Launch, Link, Ticket};
use crate::sound::Noise;
use crate::state::TableView;

/// The console keeps so many lines.
const CONSOLE_LINES: usize = 2000;
/// How long a message is shown.
const MESSAGE_SECONDS: f32 = 6.0;
/// Lists of what others do are asked for anew so often.
const REFRESH_SECONDS: f32 = 3.0;
/// What is shown may be so far behind what others play: then it moves faster.
const MOST_LAG_SECONDS: f32 = 4.0;

/// The day that the clock says.
fn today() -> Day {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    Day::from_unix(i64::try_from(seconds).unwrap_or(0))
}

#[derive(Debug)]
pub struct Director {
    app: App,
    link: Link<Director>,
    launch: Launch,
    files: Files,
    restarts: Vec<Instant>,
    /// Where the game that is open is kept, and the last record of it.
    file: Option<PathBuf>,
    record: Option<Value>,
    /// Whether the game has gone on since it was opened, and its result was not counted yet.
    is_to_count: bool,
    /// Whether the game goes on elsewhere than where it was left, and so in a file of its own.
    is_to_branch: bool,
    /// What has happened at the table and is not shown yet: one thing moves after the other.
    coming: VecDeque<Arrival>,
    /// Whether one of the computers that play each other was asked for a turn that has not come.
    is_turn_awaited: bool,
    /// Seconds since nothing moved any more.
    at_rest: f32,
    /// Whether there is a position that the engine has not been asked about.
    is_position_new: bool,
    /// Seconds since lists of what others do were asked for.
    since_refresh: f32,
    /// What is to be put on the clipboard.
    for_clipboard: Option<String>,
    /// A film that the window has to draw, and how many were asked for.
    shot: Option<Shot>,
    films: u64,
    /// The day that is taken for the present one, if not that of the clock.
    fixed_day: Option<Day>,
    pending: Pending,
    /// Changes of the tree that lead to what is not shown yet.
    tree_news: Vec<TreeChanged>,
    /// Whether something was noted in the game that is in no record yet.
    is_record_old: bool,
    /// Seconds since the record was asked for.
    since_record: f32,
    /// Whether the game that is being opened is to be looked through.
    is_to_review: bool,
}

/// The last request of each kind that is not made again while one is under way.
#[derive(Debug, Default)]
struct Pending {
    opening: Option<Ticket>,
    change: Option<Ticket>,
    chance: Option<Ticket>,
    tables: Option<Ticket>,
    bot_logs: Option<Ticket>,
    analysis: Option<Ticket>,
    /// Whether that one was told to end.
    analysis_is_cancelled: bool,
    record: Option<Ticket>,
    review: Option<Ticket>,
    /// Whether the review is to begin anew once it has ended.
    review_begins_anew: bool,
}

impl Director {
    /// Starts an engine and says hello to it.
    pub fn new(launch: Launch, mut files: Files, interrupted: Option<PathBuf>) -> io::Result<Director> {
        let (settings, mut complaints) = files.settings();
        files.keep_games_in(settings.games_folder.as_deref());
        let mut app = App::new(settings);
        let (progress, spoilt) = files.progress();
        app.progress = progress;
        app.today = today();
        complaints.extend(spoilt);
        let (own_puzzles, spoilt) = files.own_puzzles();
        app.own_puzzles = own_puzzles;
        complaints.extend(spoilt);
        if let Launch::Socket(name) = &launch {
            app.socket = Some(name.clone());
        }
        GameList { games: app.saved, left_out: app.left_out } = files.games();
        complaints.extend(app.left_out.iter().cloned());
        app.games_folder = files.games_folder().into();
        app.other_folders = saving::other_folders(&files);
        app.interrupted = interrupted
            .and_then(|path| app.saved.iter().find(|game| game.path == path && !game.finished).cloned());
        let mut director = Director {
            app,
            link: Link::new(&launch)?,
            launch,
            files,
            restarts: Vec::new(),
            file: None,
            record: None,
            is_to_count: false,
            is_to_branch: false,
            coming: VecDeque::new(),
            is_turn_awaited: false,
            at_rest: 0.0,
            is_position_new: false,
            since_refresh: 0.0,
            for_clipboard: None,
            shot: None,
            films: 0,
            fixed_day: None,
            pending: Pending::default(),
            tree_news: Vec::new(),
            is_record_old: false,
            since_record: 0.0,
            is_to_review: false,
        };
        director.complain(&complaints);
        director.say_hello();
        director.ask_for_tables();
        Ok(director)
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// What was to be heard since this was last called.
    pub fn take_heard(&mut self) -> Vec<Noise> {
        self.app.motion.take_heard()
    }

    /// The process of the engine, if it is one that was started here.
    pub fn engine_process(&self) -> Option<u32> {
        self.link.process_id()
    }

    /// Where a screenshot goes that nobody named a file for.
    pub fn new_screenshot_path(&self) -> PathBuf {
        self.files.pictures()
    }

    /// Whether everything asked has been answered, nobody thinks, nothing is being written and
    /// nothing moves.
    pub fn is_settled(&self) -> bool {
        let thinks = |table: &TableView| {
            table.thinking.is_some() || table.is_computer_to_move() || self.are_computers_playing(table)
        };
        self.app.hello.is_some()
            && !self.link.is_waiting_but_for(self.pending.analysis)
            && !self.is_position_new
            && !self.is_record_old
            && self.tree_news.is_empty()
            && !self.files.is_writing()
            && !self.app.table.as_ref().is_some_and(thinks)
            && self.app.motion.is_still()
            && self.coming.is_empty()
    }

    /// Says something for a while.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.app.message = Some(Message {
            text: text.into(),
            is_problem: false,
            is_of_position: false,
            seconds_left: MESSAGE_SECONDS,
        });
    }

    /// Says that something went wrong.
    pub fn problem(&mut self, text: impl Into<String>) {
        self.app.message = Some(Message {
            text: text.into(),
            is_problem: true,
            is_of_position: false,
            seconds_left: MESSAGE_SECONDS * 2.0,
        });
    }

    /// What was said just now is about the position on the board.
    fn said_of_position(&mut self) {
        if let Some(message) = &mut self.app.message {
            message.is_of_position = true;
        }
    }

    /// Whoever goes on has read why the last click was refused.
    pub fn clear_refusal(&mut self) {
        self.app.refusal = None;
    }

    /// Takes this for the present day, whatever the clock says.
    pub fn set_day(&mut self, day: Day) {
        self.fixed_day = Some(day);
        self.app.today = day;
    }

    /// Lets time pass and takes in what the engine has said.
    pub fn update(&mut self, seconds: f32) {
        self.app.today = self.fixed_day.unwrap_or_else(today);
        self.listen();
        // Others may play many moves between two pictures: only the last of them is asked about.
        if std::mem::take(&mut self.is_position_new) {
            self.ask_about_position();
        }
        self.note_saving();
        self.refresh(seconds);
        self.app.console.extend(self.link.take_lines());
        let surplus = self.app.console.len().saturating_sub(CONSOLE_LINES);
        self.app.console.drain(..surplus);

        match self.app.settings.speed.factor() {
            Some(factor) => self.app.motion.advance(seconds * factor * self.catching_up()),
            None => self.app.motion.skip(),
        }
        self.show_coming();
        self.note_moment();
        self.since_record += seconds;
        self.take_in_tree();
        self.analyse(seconds);
        self.pace_computers(seconds);
        self.fade_messages(seconds);
        // A line that is not to be seen would take the keys of the board.
        if !self.app.can_type_move() {
            self.app.panels.remove(&Panel::MoveEntry);
        }
        if let Some(thought) = self.app.table.as_mut().and_then(|table| table.thinking.as_mut()) {
            thought.seconds += seconds;
        }
    }

    /// How much faster than usual movement has to be. Others who play do not wait for what is shown
    /// here.
    fn catching_up(&self) -> f32 {
        match self.app.socket {
            Some(_) => {
                let seconds = self.app.motion.seconds_left() * (1 + self.coming.len()) as f32;
                (seconds / MOST_LAG_SECONDS).max(1.0)
            }
            None => 1.0,
        }
    }

    fn refresh(&mut self, seconds: f32) {
        self.since_refresh += seconds;
        if self.since_refresh < REFRESH_SECONDS {
            return;
        }
        self.since_refresh = 0.0;
        if self.app.screen == Screen::Home {
            self.ask_for_tables();
        }
        if self.app.panels.contains(&Panel::BotLog) {
            self.ask_for_bot_logs();
        }
    }

    fn fade_messages(&mut self, seconds: f32) {
        if let Some(message) = &mut self.app.message {
            message.seconds_left -= seconds;
        }
        if let Some(refusal) = &mut self.app.refusal {
            refusal.seconds_left -= seconds;
        }
        self.app.message.take_if(|message| message.seconds_left <= 0.0);
        self.app.refusal.take_if(|refusal| refusal.seconds_left <= 0.0);
    }
}
