//! What follows from a command and from what the engine says. It needs no window.

mod bots;
mod commands;
mod picture;
mod sharing;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use macroquad::math::Vec2;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tabuleiro_protocol::client::Closed;
use tabuleiro_protocol::method::{
    Actions, BotLog, Explained, GetActions, GetHistory, GetOverlays, GetRecord, Hold, Load, Opened, Overlays,
    Played, Recorded, SayHello, Search, StateResult, TableList, Text, Turns,
};
use tabuleiro_protocol::notice::{BotFailed, Changed, Notice, TableClosed, Thinking};
use tabuleiro_protocol::{
    Choice, ErrorCode, ErrorObject, Event, Happening, Hello, Limits, PROTOCOL_VERSION, Player, Seat, State,
};

use crate::app::{App, Refusal, Screen};
use crate::board::{Cell, Tokens};
use crate::command::{Command, Panel, Viewpoint};
use crate::files::{Files, GameFile, SavedGame};
use crate::link::{Heard, Launch, Link};
use crate::pick::Pick;
use crate::table::{Table, Thought};
use sharing::in_order;

/// The console keeps so many lines.
const CONSOLE_LINES: usize = 2000;
/// How long a message is shown.
const MESSAGE_SECONDS: f32 = 6.0;
/// How much is looked at to say how the chances are.
const NODES_FOR_CHANCES: u64 = 4000;
/// Lists of what others do are asked for anew so often.
const REFRESH_SECONDS: f32 = 3.0;
/// What is shown may be so far behind what others play: then it moves faster.
const MOST_LAG_SECONDS: f32 = 4.0;
/// An engine that ended more often than this within [`PATIENCE`] is not started again.
const MOST_RESTARTS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(60);

/// What an answer of the engine will be for.
#[derive(Clone, Debug, PartialEq)]
enum Asked {
    Hello,
    Open {
        file: PathBuf,
    },
    Play,
    /// Something that changes the table and moves nothing.
    Change,
    Tables,
    /// To watch a table, or to play a seat at it.
    Join {
        seat: Option<Seat>,
    },
    BotLog {
        name: String,
    },
    Actions {
        ply: usize,
    },
    Overlays {
        ply: usize,
    },
    History,
    Preview {
        action: String,
        ply: usize,
    },
    Look,
    Hint {
        table: String,
        ply: usize,
    },
    Chance {
        table: String,
        ply: usize,
        seat: Seat,
    },
    Record {
        table: String,
    },
    Rules {
        game: String,
    },
    Explain {
        at: Vec2,
    },
    /// Nobody waits for it.
    Nothing,
}

#[derive(Debug)]
pub struct Director {
    app: App,
    link: Link<Asked>,
    launch: Launch,
    files: Files,
    restarts: Vec<Instant>,
    /// Where the game that is open is kept, and the last record of it.
    file: Option<PathBuf>,
    record: Option<Value>,
    /// The board after actions that have been pointed at, by action, for the present position.
    previews: HashMap<String, Option<Tokens>>,
    /// Whether the computer's players wait because movement has not caught up with them.
    waiting_for_movement: bool,
    /// Whether they wait because the person wants it so.
    paused: bool,
    /// Whether there is a position that the engine has not been asked about.
    is_curious: bool,
    /// Seconds since lists of what others do were asked for.
    since_refresh: f32,
    /// What only a window can do, for whoever has one.
    wishes: Vec<Command>,
}

impl Director {
    /// Starts an engine and says hello to it.
    pub fn new(launch: Launch, files: Files, interrupted: Option<PathBuf>) -> io::Result<Director> {
        let mut app = App::new(files.settings());
        if let Launch::Socket(name) = &launch {
            app.socket = Some(name.clone());
        }
        app.saved = files.games();
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
            previews: HashMap::new(),
            waiting_for_movement: false,
            paused: false,
            is_curious: false,
            since_refresh: 0.0,
            wishes: Vec::new(),
        };
        director.say_hello();
        director.ask_for_tables();
        Ok(director)
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// The process of the engine, if it is one that was started here.
    pub fn engine_process(&self) -> Option<u32> {
        self.link.process_id()
    }

    /// What has to be done by the window itself.
    pub fn take_wishes(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.wishes)
    }

    /// Whether everything asked has been answered, nobody thinks and nothing moves.
    pub fn is_settled(&self) -> bool {
        let thinking = self
            .app
            .table
            .as_ref()
            .is_some_and(|table| table.thinking.is_some() || self.computer_is_to_move(table));
        self.app.hello.is_some() && !self.link.is_waiting() && !thinking && self.app.motion.is_still()
    }

    fn computer_is_to_move(&self, table: &Table) -> bool {
        let of_computer = |seat: Seat| !matches!(table.state.seats[seat], Player::Client { .. });
        !table.state.held && table.state.outcome.is_none() && table.state.to_move.is_some_and(of_computer)
    }

    /// Where a picture goes that nobody named a file for.
    pub fn place_for_picture(&self) -> PathBuf {
        self.files.pictures()
    }

    // ── Time ──

    /// Lets time pass and takes in what the engine has said.
    pub fn update(&mut self, seconds: f32) {
        while !self.app.engine_has_gone {
            match self.link.listen() {
                Ok(Some(Heard::Answer(asked, answer))) => self.answered(asked, answer),
                Ok(Some(Heard::Notice(method, params))) => self.noticed(&method, params),
                Ok(None) => break,
                Err(Closed) if self.app.socket.is_some() => self.engine_has_gone(),
                Err(Closed) => {
                    self.restart_engine();
                    break;
                }
            }
        }
        // Others may play many moves between two pictures: only the last of them is asked about.
        if std::mem::take(&mut self.is_curious) {
            self.ask_about_position();
        }
        self.refresh(seconds);
        self.app.console.extend(self.link.take_lines());
        let surplus = self.app.console.len().saturating_sub(CONSOLE_LINES);
        self.app.console.drain(..surplus);

        match self.app.settings.speed.factor() {
            Some(factor) => self.app.motion.advance(seconds * factor * self.haste()),
            None => self.app.motion.skip(),
        }
        self.keep_pace();
        for left in [
            self.app.message.as_mut().map(|message| &mut message.seconds_left),
            self.app.refusal.as_mut().map(|refusal| &mut refusal.seconds_left),
        ]
        .into_iter()
        .flatten()
        {
            *left -= seconds;
        }
        self.app.message.take_if(|message| message.seconds_left <= 0.0);
        self.app.refusal.take_if(|refusal| refusal.seconds_left <= 0.0);
        if let Some(thought) = self.app.table.as_mut().and_then(|table| table.thinking.as_mut()) {
            thought.seconds += seconds;
        }
    }

    /// How much faster than usual movement has to be. Others who play do not wait for what is shown here.
    fn haste(&self) -> f32 {
        match self.app.socket {
            Some(_) => (self.app.motion.seconds_left() / MOST_LAG_SECONDS).max(1.0),
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

    /// Computers that play each other wait for what is shown: they may be a thousand times faster.
    fn keep_pace(&mut self) {
        let paces = |table: &&Table| !self.paused && !table.is_watched();
        let Some(table) = self.app.table.as_ref().filter(paces) else { return };
        let moving = !self.app.motion.is_still();
        if moving && table.is_computer_only() && !table.state.held && table.state.outcome.is_none() {
            self.waiting_for_movement = true;
            let table = table.state.table.clone();
            if !self.is_asked(|asked| *asked == Asked::Change) {
                self.link.ask(Asked::Change, &Hold { table });
            }
        } else if !moving && self.waiting_for_movement && table.state.held {
            self.waiting_for_movement = false;
            self.resume();
        }
    }

    fn is_asked(&self, wanted: impl Fn(&Asked) -> bool) -> bool {
        self.link.waiting().any(|(_, asked)| wanted(asked))
    }

    // ── The engine ──

    fn say_hello(&mut self) {
        let hello = SayHello { client: Some("Tabuleiro's window".into()), protocol: Some(PROTOCOL_VERSION) };
        self.link.ask(Asked::Hello, &hello);
    }

    fn restart_engine(&mut self) {
        let now = Instant::now();
        self.restarts.retain(|&then| now.duration_since(then) < PATIENCE);
        if self.restarts.len() >= MOST_RESTARTS {
            if self.app.hello.take().is_some() || self.app.message.is_none() {
                self.problem(
                    "The engine ends again and again. Your game is kept; start the program again to go on."
                        .into(),
                );
            }
            return;
        }
        self.restarts.push(now);
        if let Err(error) = self.link.restart(&self.launch.clone()) {
            self.problem(format!("The engine has ended, and another one cannot be started: {error}"));
            return;
        }
        self.say_hello();
        self.previews.clear();
        self.waiting_for_movement = false;
        if let (Some(record), Some(file)) = (self.record.clone(), self.file.clone()) {
            self.tell(
                "The engine had ended unexpectedly. Another one was started, and your game goes on.".into(),
            );
            self.link.ask(Asked::Open { file }, &Load { record });
        } else {
            self.tell("The engine had ended unexpectedly. Another one was started.".into());
        }
    }

    fn answered(&mut self, asked: Asked, answer: Result<Value, ErrorObject>) {
        let result = match answer {
            Ok(result) => result,
            Err(error) => return self.refused(&asked, &error),
        };
        let understood = match asked {
            Asked::Hello => read::<Hello>(result).map(|hello| self.app.hello = Some(hello)),
            Asked::Open { file } => read::<Opened>(result).map(|opened| self.opened(opened.state, file)),
            Asked::Play => read::<Played>(result).map(|played| self.happened(&played.events, played.state)),
            Asked::Change => read::<StateResult>(result).map(|changed| self.set_state(changed.state)),
            Asked::Tables => read::<TableList>(result).map(|list| self.app.tables = in_order(list.tables)),
            Asked::Join { seat } => read::<StateResult>(result).map(|joined| self.joined(joined.state, seat)),
            Asked::BotLog { name } => read::<BotLog>(result).map(|log| {
                self.app.bot_logs.insert(name, log.lines);
            }),
            Asked::Actions { ply } => read::<Actions>(result).map(|actions| self.may_do(ply, actions)),
            Asked::Overlays { ply } => read::<Overlays>(result).map(|overlays| {
                if let Some(table) = self.app.table.as_mut().filter(|table| table.shown().ply == ply) {
                    table.overlays = overlays.overlays;
                }
            }),
            Asked::History => read::<Turns>(result).map(|turns| {
                if let Some(table) = &mut self.app.table {
                    table.turns = turns.turns;
                }
                self.ask_for_chances();
            }),
            Asked::Preview { action, ply } => read::<Played>(result).map(|played| {
                if self.ply() == Some(ply) {
                    self.previews.insert(action, Some(Tokens::read(&played.state.rows)));
                }
            }),
            Asked::Look => read::<State>(result).map(|state| self.look(state)),
            Asked::Hint { table: name, ply } => read::<Choice>(result).map(|choice| {
                if let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == name) {
                    table.hint_wanted = false;
                    table.hint = (table.state.ply == ply).then_some(choice);
                }
            }),
            Asked::Chance { table, ply, seat } => read::<Choice>(result).map(|choice| {
                let chance = if seat == Seat::One { choice.score.win } else { 1.0 - choice.score.win };
                if self.table_name() == Some(table) {
                    self.note_chance(ply, chance);
                }
                self.ask_for_chances();
            }),
            Asked::Record { table } => read::<Recorded>(result).map(|recorded| {
                if self.table_name() == Some(table) {
                    self.keep(recorded.record);
                }
            }),
            Asked::Rules { game } => read::<Text>(result).map(|text| {
                self.app.rules.insert(game, text.text);
            }),
            Asked::Explain { at } => read::<Explained>(result).map(|explained| {
                if let Some(text) = explained.text {
                    self.app.refusal =
                        Some(Refusal { text: sentence(&text), at, seconds_left: MESSAGE_SECONDS });
                }
            }),
            Asked::Nothing => Ok(()),
        };
        if let Err(error) = understood {
            self.problem(format!("The engine's answer was not understood: {error}"));
        }
    }

    fn refused(&mut self, asked: &Asked, error: &ErrorObject) {
        match asked {
            // An engine of another make need not know these; one that was cancelled has nothing to say.
            Asked::Overlays { .. }
            | Asked::History
            | Asked::Preview { .. }
            | Asked::Chance { .. }
            | Asked::Explain { .. }
            | Asked::Tables
            | Asked::BotLog { .. }
            | Asked::Nothing => {}
            // It was closed in the meantime, of which the engine tells unasked.
            Asked::Actions { .. } | Asked::Record { .. }
                if error.code == ErrorCode::UnknownTable.number() => {}
            Asked::Hint { .. } => {
                if let Some(table) = &mut self.app.table {
                    table.hint_wanted = false;
                }
                self.problem(sentence(&error.message));
            }
            _ => {
                let reason = error.data.as_ref().and_then(|data| data["reason"].as_str());
                self.problem(sentence(reason.unwrap_or(&error.message)));
            }
        }
    }

    fn noticed(&mut self, method: &str, params: Value) {
        match method {
            Changed::NAME => {
                let Ok(changed) = serde_json::from_value::<Changed>(params) else { return };
                if self.table_name().as_ref() != Some(&changed.table) {
                } else if changed.events.is_empty() {
                    self.tell_news(&changed.state);
                    self.changed_by_others(changed.state);
                } else {
                    self.happened(&changed.events, changed.state);
                }
            }
            TableClosed::NAME => {
                let Ok(closed) = serde_json::from_value::<TableClosed>(params) else { return };
                self.table_closed(&closed);
            }
            BotFailed::NAME => {
                let Ok(failed) = serde_json::from_value::<BotFailed>(params) else { return };
                self.bot_failed(failed);
            }
            Thinking::NAME => {
                let Ok(thinking) = serde_json::from_value::<Thinking>(params) else { return };
                let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == thinking.table)
                else {
                    return;
                };
                let seconds = table.thinking.as_ref().map_or(0.0, |thought| thought.seconds);
                table.thinking = Some(Thought { seat: thinking.seat, info: thinking.info, seconds });
            }
            _ => {}
        }
    }

    // ── The table ──

    fn table_name(&self) -> Option<String> {
        self.app.table.as_ref().map(|table| table.state.table.clone())
    }

    fn ply(&self) -> Option<usize> {
        self.app.table.as_ref().map(|table| table.state.ply)
    }

    fn opened(&mut self, state: State, file: PathBuf) {
        self.app.interrupted = None;
        self.sit_down(Table::new(state), Some(file));
    }

    /// Shows another table, whose game is kept in a file or not at all.
    fn sit_down(&mut self, table: Table, file: Option<PathBuf>) {
        self.app.motion.jump(&table.state.game, Tokens::read(&table.state.rows));
        self.app.table = Some(table);
        self.app.screen = Screen::Board;
        self.keep_in(file);
        self.waiting_for_movement = false;
        self.paused = false;
        self.wishes.push(Command::View(Viewpoint::Reset));
        self.position_is_new();
    }

    /// Something happened on the board.
    fn happened(&mut self, events: &[Event], state: State) {
        let Some(table) = &mut self.app.table else { return };
        let tokens = Tokens::read(&state.rows);
        table.set_state(state);
        table.won.extend(events.iter().flat_map(won_cells));
        table.touch(events);
        if table.looked_at.is_none() {
            self.app.motion.follow(events, tokens);
        }
        self.position_is_new();
    }

    /// The table changed in a way that nothing moves for, because we wanted it so.
    fn set_state(&mut self, state: State) {
        let Some(table) = &mut self.app.table else { return };
        if table.looked_at.take().is_some() {
            self.app.motion.jump(&state.game, Tokens::read(&state.rows));
        }
        self.changed_by_others(state);
    }

    /// The same whoever wanted it. Who looks at another position goes on looking.
    fn changed_by_others(&mut self, state: State) {
        let Some(table) = &mut self.app.table else { return };
        let tokens = Tokens::read(&state.rows);
        let same_position = table.state.ply == state.ply;
        if !same_position {
            table.won.clear();
            table.touched.clear();
        }
        if table.looked_at.is_none() && *self.app.motion.final_tokens() != tokens {
            self.app.motion.jump(&state.game, tokens);
        }
        table.set_state(state);
        if table.is_watched() {
            self.keep_in(None);
        }
        self.position_is_new();
    }

    /// Everything that was known about the position before is out of date.
    fn position_is_new(&mut self) {
        self.is_curious = true;
        self.previews.clear();
        self.app.pick = Pick::default();
        self.app.refusal = None;
        let Some(table) = &mut self.app.table else { return };
        table.thinking = None;
        table.hint = None;
        table.details.clear();
        table.overlays.clear();
        if table.failed.is_none() {
            self.app.panels.remove(&Panel::BotFailed);
        }
        let (ply, ending) = (table.state.ply, table.state.outcome.clone());
        if let Some(ending) = ending {
            let chance = ending.winner.map_or(0.5, |winner| if winner == Seat::One { 1.0 } else { 0.0 });
            self.note_chance(ply, chance);
        }
    }

    /// Asks for everything that there is to know about the position.
    fn ask_about_position(&mut self) {
        let Some(table) = &self.app.table else { return };
        let (name, ply) = (table.state.table.clone(), table.state.ply);
        if table.is_ours_to_move() {
            self.link
                .ask(Asked::Actions { ply }, &GetActions { table: name.clone(), detail: true, ply: None });
        }
        self.link.ask(Asked::Overlays { ply }, &GetOverlays { table: name.clone(), ply: None });
        self.link.ask(Asked::History, &GetHistory { table: name.clone() });
        // Games that are only watched are not kept.
        if self.file.is_some() {
            self.link.ask(Asked::Record { table: name.clone() }, &GetRecord { table: name });
        }
    }

    fn may_do(&mut self, ply: usize, actions: Actions) {
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.ply == ply) else { return };
        table.details = actions.details.unwrap_or_default();
        if table.is_ours_to_move() {
            self.app.pick = Pick::new(table.details.clone());
        }
    }

    fn look(&mut self, state: State) {
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == state.table) else {
            return;
        };
        let now = state.ply == table.state.ply;
        self.app.motion.jump(&state.game, Tokens::read(&state.rows));
        let (name, ply) = (state.table.clone(), state.ply);
        table.looked_at = (!now).then_some(state);
        table.overlays.clear();
        self.link.ask(Asked::Overlays { ply }, &GetOverlays { table: name, ply: Some(ply) });
        let details = if table.is_ours_to_move() { table.details.clone() } else { Vec::new() };
        self.app.pick = Pick::new(details);
    }

    fn keep(&mut self, record: Value) {
        let (Some(table), Some(path)) = (&self.app.table, &self.file) else { return };
        let file = GameFile {
            game: table.state.game.clone(),
            title: title(table),
            finished: table.state.outcome.is_some(),
            record: record.clone(),
        };
        self.files.keep_game(path, &file);
        let GameFile { game, title, finished, .. } = file;
        let kept = SavedGame { path: path.clone(), game, title, finished, changed: SystemTime::now() };
        self.app.saved.retain(|saved| saved.path != kept.path);
        self.app.saved.insert(0, kept);
        self.record = Some(record);
    }

    fn note_chance(&mut self, ply: usize, chance: f64) {
        let Some(table) = &mut self.app.table else { return };
        if table.chances.len() <= ply {
            table.chances.resize(ply + 1, None);
        }
        table.chances[ply] = Some(chance);
    }

    /// One position at a time, the present one first, then the ends of the turns before it.
    fn ask_for_chances(&mut self) {
        let Some(table) = &self.app.table else { return };
        if !self.app.settings.evaluation || self.is_asked(|asked| matches!(asked, Asked::Chance { .. })) {
            return;
        }
        let known = |ply: usize| table.chances.get(ply).is_some_and(Option::is_some);
        let now = table.state.to_move.map(|seat| (table.state.ply, seat));
        let ends =
            table.turns.iter().zip(table.turns.iter().skip(1)).map(|(turn, next)| (turn.ply, next.seat));
        let earlier = ends.filter(|&(ply, _)| ply < table.state.ply);
        let Some((ply, seat)) = now.into_iter().chain(earlier).find(|&(ply, _)| !known(ply)) else { return };
        let limits = Limits { nodes: Some(NODES_FOR_CHANCES), ..Limits::default() };
        let search = Search {
            table: table.state.table.clone(),
            limits: Some(limits),
            level: Some("master".into()),
            ply: Some(ply),
            ..Search::default()
        };
        self.link.ask(Asked::Chance { table: search.table.clone(), ply, seat }, &search);
    }
}

/// A game in a few words, for a list of games.
fn title(table: &Table) -> String {
    let player = |seat: Seat| match &table.state.seats[seat] {
        Player::Client { .. } => "person".to_string(),
        Player::Ai { level, .. } => level.clone(),
        Player::Bot { name, .. } => name.clone(),
    };
    let turns = match table.state.turn {
        1 => "1 turn".to_string(),
        turns => format!("{turns} turns"),
    };
    let ending = table.state.outcome.as_ref().map(|ending| format!(". {}", ending.text)).unwrap_or_default();
    format!("{} against {}, {turns}{ending}", player(Seat::One), player(Seat::Two))
}

fn won_cells(event: &Event) -> Vec<Cell> {
    match &event.what {
        Happening::Line { cells, .. } | Happening::Island { cells, .. } => {
            cells.iter().filter_map(|cell| cell.parse().ok()).collect()
        }
        _ => Vec::new(),
    }
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value)
}

/// With a capital letter in front and a full stop behind.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let mut sentence: String =
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}
