//! Playing in a terminal, or through a pipe.

mod lesson;
mod menu;
mod progress;
mod puzzles;
mod screen;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Map, Value};
use tabuleiro_files::Links;
use tabuleiro_protocol::lesson::Lesson;
use tabuleiro_protocol::{Day, LevelRole, Limits, PerSeat, Player, Seat, TreeNode};

use self::lesson::{Comments, Teacher};
pub use self::progress::ProgressKeeper;
pub use self::puzzles::{PuzzlePlan, solve};
use self::screen::Screen;
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::game::Charset;
use crate::players::{self, ComputerPlayer, NoTurn, TakenTurn};
use crate::random::fresh_seed;
use crate::review::report::{self, look_through};
use crate::review::{self, Review};
use crate::search::{Control, Level, Memory, SearchRequest};
use crate::session::ROOT;
use crate::table::record::{self, Record};
use crate::table::{self, Steps, Table, text, threat};

/// What is known before anybody is asked.
#[derive(Debug, Default)]
pub struct Preset {
    pub game: Option<String>,
    pub players: PerSeat<Option<Player>>,
    pub options: Option<Map<String, Value>>,
    pub seed: Option<u64>,
    pub ascii: bool,
}

/// How someone gets the computer to move that thinks for too long.
#[derive(Debug, Default)]
pub struct Hurry {
    thinking: AtomicBool,
    move_now: AtomicBool,
}

impl Hurry {
    /// Makes the computer move with what it has found. `false` if it is not thinking.
    pub fn move_now(&self) -> bool {
        let thinking = self.thinking.load(Ordering::Relaxed);
        self.move_now.store(thinking, Ordering::Relaxed);
        thinking
    }

    /// From now on the computer can be hurried, even if it is only about to think.
    fn begin(&self) {
        self.move_now.store(false, Ordering::Relaxed);
        self.thinking.store(true, Ordering::Relaxed);
    }

    /// Waits for a turn.
    fn take_turn(
        &self,
        player: &ComputerPlayer,
        table: &Table,
        seed: u64,
        bots: &Bots,
    ) -> Result<TakenTurn, NoTurn> {
        let control = &mut Control::until(&self.move_now);
        let turn = player.take_turn(table, seed, bots, control);
        self.thinking.store(false, Ordering::Relaxed);
        turn
    }
}

/// How many of the best turns an analysis lists.
const ANALYSED_LINES: usize = 3;

const HELP: &str = "\
Type an action in the notation of the game (\"moves\" lists them), or several of one turn with
spaces between them. Besides that there is:
  moves       the legal actions, each with what it does
  board       the board once more
  rules       the rules of the game
  hint        what the computer would play
  undo, redo  take back your last turn, play it again
  variations  all that was played, as a tree; the numbers are the names of its nodes
  goto NODE   go to a node; playing on from there adds a variation
  comment TEXT, mark !?   say something about where the game stands; without it, take it back
  analyse [SECONDS]   the three best turns with what may follow, after ten seconds or so many; asked
              again it goes on where it was
  threat [SECONDS]    the same for the other side, as if it were its turn
  review      what every turn was worth, and what would have been better
  text        the game as one line, with its variations
  save FILE   write the game to a file
  load FILE   go on with a game from a file, or from one line of text; of a damaged one, load
              readable FILE goes on with what can be read
  resign      give up the game
  quit        leave
While the computer thinks, Ctrl-C makes it move at once; otherwise Ctrl-C leaves.
";

/// Plays until someone leaves or the input ends.
pub fn run(
    catalog: &Catalog,
    preset: Preset,
    bots: &Bots,
    hurry: &Hurry,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let charset = if preset.ascii { Charset::Ascii } else { Charset::Unicode };
    let mut screen = Screen::new(input, output, charset);
    let Some(setup) = menu::ask(catalog, preset, &mut screen)? else { return Ok(()) };
    let seed = setup.seed.unwrap_or_else(fresh_seed);
    let session = setup.game.open(Some(&setup.options), seed, None).map_err(|error| error.to_string());
    let table = session.and_then(|session| {
        Table::new(String::new(), session, setup.players).map_err(|error| error.to_string())
    });
    match table {
        Ok(table) => Terminal { catalog, table, bots, hurry, screen, comments: None, memory: None }.play(),
        Err(reason) => screen.say(&reason),
    }
}

/// Teaches a game from a step of its lesson on, until someone leaves or the input ends.
pub fn learn(
    catalog: &Catalog,
    plan: LessonPlan<'_>,
    bots: &Bots,
    hurry: &Hurry,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let charset = if plan.ascii { Charset::Ascii } else { Charset::Unicode };
    let screen = Screen::new(input, output, charset);
    let LessonPlan { lesson, from, keeper, today, .. } = plan;
    Teacher { catalog, lesson, bots, hurry, screen, keeper, today }.teach(from)
}

/// What is taught.
#[derive(Debug)]
pub struct LessonPlan<'a> {
    pub lesson: &'a Lesson,
    /// The first step, counted from 0.
    pub from: usize,
    /// Where the steps that are done are kept, if they are.
    pub keeper: Option<&'a mut ProgressKeeper>,
    pub today: Day,
    pub ascii: bool,
}

struct Terminal<'a, R, W> {
    catalog: &'a Catalog,
    table: Table,
    bots: &'a Bots,
    hurry: &'a Hurry,
    screen: Screen<'a, R, W>,
    /// What a lesson has to say about the game, if it is the end of one.
    comments: Option<Comments<'a>>,
    /// What analyses of this game have found.
    memory: Option<Memory>,
}

/// Whether the game goes on.
enum Next {
    /// The position or the players are not as they were: show the board.
    Changed,
    Same,
    Leave,
}

impl<R: BufRead, W: Write> Terminal<'_, R, W> {
    fn play(&mut self) -> io::Result<()> {
        self.show_board()?;
        loop {
            while let Some((seat, player, seed)) = players::to_act(&self.table) {
                self.let_computer_play(seat, &player, seed)?;
            }
            self.comment()?;
            self.show_state()?;
            let Some(line) = self.screen.ask("> ")? else { return Ok(()) };
            match self.dispatch(&line)? {
                Next::Changed => self.show_board()?,
                Next::Same => {}
                Next::Leave => return Ok(()),
            }
        }
    }

    fn dispatch(&mut self, line: &str) -> io::Result<Next> {
        let (word, rest) = match line.split_once(char::is_whitespace) {
            Some((word, rest)) => (word, rest.trim()),
            None => (line, ""),
        };
        match (word.to_lowercase().as_str(), rest) {
            ("", _) => {}
            ("help" | "?", "") => self.screen.say(HELP)?,
            ("moves", "") => self.show_moves()?,
            ("board", "") => return Ok(Next::Changed),
            ("rules", "") => self.show_rules()?,
            ("hint", "") => self.hint()?,
            ("undo", "") => return self.step_back(),
            ("redo", "") => return self.step_forward(),
            ("variations", "") => self.show_variations()?,
            ("goto", node) => return self.go_to(node),
            ("comment", text) => self.annotate(Some(text), None)?,
            ("mark", sign) => self.annotate(None, Some(sign))?,
            ("analyse" | "analyze", seconds) => self.analyse(seconds, false)?,
            ("threat", seconds) => self.analyse(seconds, true)?,
            ("review", "") => self.review()?,
            ("text", "") => self.screen.say(&text::of_tree(self.catalog, &self.table))?,
            ("resign", "") => return self.resign(),
            ("save" | "load", "") => self.screen.say("Say which file, for example: save game.json")?,
            ("save", file) => self.save(Path::new(file))?,
            ("load", file) => match file.strip_prefix("readable ") {
                Some(file) => return self.load(Path::new(file.trim()), true),
                None => return self.load(Path::new(file), false),
            },
            ("quit" | "exit", "") => return Ok(Next::Leave),
            _ => return self.play_actions(line),
        }
        Ok(Next::Same)
    }

    fn play_actions(&mut self, line: &str) -> io::Result<Next> {
        let actions: Vec<String> = line.split_whitespace().map(String::from).collect();
        let seat = self.table.to_move();
        match self.table.play(&actions, None, PerSeat { one: true, two: true }) {
            Ok(events) => {
                self.note_events(seat, events);
                Ok(Next::Changed)
            }
            Err(error) => {
                let action = error.index().and_then(|index| actions.get(index)).map_or(line, String::as_str);
                let reason = match &error {
                    table::Error::Illegal { illegal, .. } => illegal.reason.clone(),
                    other => other.to_string(),
                };
                self.screen.say(&format!("{action}: {reason}"))?;
                self.screen.say(
                    "Nothing was played. \"moves\" lists what is legal, \"help\" what else you can type.",
                )?;
                Ok(Next::Same)
            }
        }
    }

    /// A bot that fails, or is not waited for, leaves its seat to the person.
    fn let_computer_play(&mut self, seat: Seat, player: &ComputerPlayer, seed: u64) -> io::Result<()> {
        let (who, ctrl_c) = match player.bot() {
            None => (player.name(), "makes it move"),
            Some(name) => (format!("bot {name}"), "takes its seat"),
        };
        let who = format!("{} ({who})", self.name(seat));
        self.hurry.begin();
        self.screen.say(&format!("{who} is thinking; Ctrl-C {ctrl_c}."))?;
        let trouble = match self.hurry.take_turn(&player.among_people(), &self.table, seed, self.bots) {
            Ok(TakenTurn { choice, .. }) => {
                self.screen.say(&format!("{who} plays {}", choice.actions.join(" ")))?;
                match self.table.play_own(&choice.actions) {
                    Ok(events) => {
                        self.note_events(Some(seat), events);
                        return self.show_board();
                    }
                    Err(error) => error.to_string(),
                }
            }
            Err(no_turn) => no_turn.to_string(),
        };
        if player.bot().is_some() {
            self.screen.say(&format!("{who} does not play on: {trouble}. From now on you play its seat."))?;
            self.table.set_seat(seat, Player::default()).map_err(io::Error::other)
        } else {
            self.table.set_held(true);
            self.screen.say(&format!("The computer broke down: {trouble}"))
        }
    }

    fn show_board(&mut self) -> io::Result<()> {
        let board = self.table.render(self.screen.charset.into());
        self.screen.say("")?;
        // A drawing is nothing for whoever has the screen read aloud.
        self.screen.say(&self.table.position().in_words())?;
        self.screen.say(board.trim_end())
    }

    /// Whose turn it is and what is expected, or how it ended.
    fn show_state(&mut self) -> io::Result<()> {
        let state = self.table.state();
        let text = match (&state.outcome, state.to_move) {
            (Some(outcome), _) => {
                let result = match outcome.winner {
                    Some(winner) => format!("{} wins", self.name(winner)),
                    None => "A draw".into(),
                };
                let ends = if self.comments.is_some() { ", which ends the lesson" } else { "" };
                format!(
                    "{result} ({}). You can still undo, save FILE, load FILE or quit{ends}.",
                    outcome.reason
                )
            }
            (None, Some(seat)) => format!("Turn {}, {}: {}", state.turn + 1, self.name(seat), state.prompt),
            (None, None) => String::new(),
        };
        self.screen.say(&text)
    }

    /// "Black (seat 1)".
    fn name(&self, seat: Seat) -> String {
        match &self.table.position().snapshot().sides[seat] {
            Some(side) => {
                let first = side.chars().next().map(|letter| letter.to_ascii_uppercase());
                format!("{}{} (seat {seat})", first.unwrap_or_default(), side.get(1..).unwrap_or_default())
            }
            None => format!("Seat {seat}"),
        }
    }

    fn show_rules(&mut self) -> io::Result<()> {
        match self.catalog.game(self.table.session().setup().game) {
            Ok(game) => self.screen.say(&without_fences(game.rules)),
            Err(unknown) => self.screen.say(&unknown.to_string()),
        }
    }

    fn show_moves(&mut self) -> io::Result<()> {
        if self.table.to_move().is_none() {
            return self.screen.say("There are none: the game is over.");
        }
        let details = self.table.position().details();
        let widest = details.iter().map(|detail| detail.action.len()).max().unwrap_or(0);
        for detail in &details {
            self.screen.say(&format!("  {:widest$}  {}", detail.action, detail.text))?;
        }
        self.screen.say(&format!("{} in all.", details.len()))
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.table.to_move().is_none() {
            return self.screen.say("There is none: the game is over.");
        }
        self.hurry.begin();
        let computer = ComputerPlayer::level(Level::for_role(LevelRole::Hint));
        let text = match self.hurry.take_turn(&computer, &self.table, fresh_seed(), self.bots) {
            Ok(TakenTurn { choice, .. }) => {
                let (turn, chance) = (choice.actions.join(" "), choice.score.win * 100.0);
                format!("The computer would play {turn} and think its chances {chance:.0} %.")
            }
            Err(no_turn) => format!("There is none: {no_turn}."),
        };
        self.screen.say(&text)
    }

    /// The tree of the game, one line a turn or the part of it up to where the game branches or
    /// something is noted; variations are set in.
    fn show_variations(&mut self) -> io::Result<()> {
        let history = self.table.session().history();
        let current = history.current();
        let nodes: BTreeMap<u32, TreeNode> =
            history.describe_from(ROOT).into_iter().map(|node| (node.node, node)).collect();
        let mut lines = Vec::new();
        // Where a line begins, how far it is set in, and what else could have been played there.
        let mut ahead: Vec<(u32, usize, &[u32])> = vec![(ROOT, 0, &[])];
        while let Some((first, depth, others)) = ahead.pop() {
            let mut run = vec![&nodes[&first]];
            while let [.., last] = run[..]
                && let [next] = last.children[..]
                && last.comment.is_none()
                && last.node != current
                && last.seat == nodes[&next].seat
            {
                run.push(&nodes[&next]);
            }
            let Some(last) = run.last() else { continue };
            let actions: Vec<&str> = run.iter().filter_map(|node| node.action.as_deref()).collect();
            let place = if last.node == current { ">" } else { " " };
            let mark = last.mark.map_or(String::new(), |mark| format!(" {mark}"));
            let comment = last.comment.as_ref().map_or(String::new(), |text| format!("  {text}"));
            let words = if actions.is_empty() { "start".into() } else { actions.join(" ") };
            let inset = "  ".repeat(depth);
            lines.push(format!("{place}{:>5}  {inset}{words}{mark}{comment}", last.node));
            // What else could have been played stands below the first choice, set in.
            if let Some((&main, others)) = last.children.split_first() {
                ahead.push((main, depth, others));
            }
            ahead.extend(others.iter().rev().map(|&other| (other, depth + 1, &[][..])));
        }
        lines.iter().try_for_each(|line| self.screen.say(line))
    }

    fn go_to(&mut self, node: &str) -> io::Result<Next> {
        let Ok(name) = node.parse() else {
            self.screen.say("Say which node, for example: goto 12. \"variations\" shows them.")?;
            return Ok(Next::Same);
        };
        match self.table.go_to(name) {
            Ok(()) => Ok(Next::Changed),
            Err(_) => {
                self.screen.say(&format!("There is no node {name}. \"variations\" shows them."))?;
                Ok(Next::Same)
            }
        }
    }

    fn annotate(&mut self, comment: Option<&str>, mark: Option<&str>) -> io::Result<()> {
        let node = self.table.session().history().current();
        let said = match self.table.annotate(None, &[], comment, mark) {
            Ok(()) => format!("Noted at node {node}."),
            Err(error) => format!("Not noted: {error}."),
        };
        self.screen.say(&said)
    }

    /// The best turns. Ctrl-C ends it with what was found by then.
    fn analyse(&mut self, seconds: &str, threat: bool) -> io::Result<()> {
        let seconds = if seconds.is_empty() { "10" } else { seconds };
        let Some(seconds) = seconds.parse::<u64>().ok().filter(|seconds| (1..=86_400).contains(seconds))
        else {
            return self.screen.say("Say how many seconds, from 1 to 86400: analyse 30");
        };
        if self.table.check_can_be_looked_into().is_err() {
            return self.screen.say("There is nothing to analyse: the game is over.");
        }
        let position = match threat {
            true => match threat::of(self.catalog, &self.table) {
                Ok(other) => other.position().to_boxed(),
                Err(error) => return self.screen.say(&format!("There is no threat: {error}.")),
            },
            false => self.table.position().to_boxed(),
        };
        let time_ms = Some(1000 * seconds);
        let request = SearchRequest {
            level: Level::for_role(LevelRole::Analysis),
            limits: Limits { time_ms, ..Limits::default() },
            seed: 0,
            multi_pv: ANALYSED_LINES,
        };
        self.hurry.begin();
        let memory = self.memory.get_or_insert_with(Memory::new);
        let control = &mut Control::until(&self.hurry.move_now).without_end(memory);
        let found = position.choose(&request, control);
        self.hurry.thinking.store(false, Ordering::Relaxed);
        self.screen.say(&format!("{} deep, {} positions:", found.depth, found.nodes))?;
        for line in &found.lines {
            let turns: Vec<String> = line.whole_turns().map(|turn| turn.join(" ")).collect();
            let sign = if line.score.proved.is_some() { "!" } else { " " };
            self.screen.say(&format!("{:>4.0}{sign}%  {}", line.score.win * 100.0, turns.join(", ")))?;
        }
        Ok(())
    }

    /// Ctrl-C ends it with what was found by then.
    fn review(&mut self) -> io::Result<()> {
        let request = SearchRequest {
            level: Level::for_role(LevelRole::Analysis),
            limits: Limits { nodes: Some(review::NODES), ..Limits::default() },
            seed: 0,
            multi_pv: review::LINES,
        };
        let review = match Review::new(&self.table, None, request) {
            Ok(review) => review,
            Err(error) => return self.screen.say(&format!("Not reviewed: {error}.")),
        };
        self.screen.say(&format!("{} turns are looked through; Ctrl-C ends it.", review.total()))?;
        self.hurry.begin();
        let threads = thread::available_parallelism().map_or(1, NonZero::get);
        let reviewed = look_through(&review, threads, &self.hurry.move_now, &|_| {});
        self.hurry.thinking.store(false, Ordering::Relaxed);
        for turn in &reviewed.turns {
            self.screen.say(&report::line(turn))?;
        }
        self.screen.say(report::closing(&self.table, &reviewed).trim_end())
    }

    fn is_person(&self, seat: Seat) -> bool {
        matches!(self.table.seats()[seat], Player::Client { .. })
    }

    /// Back to the turn of a person before this one.
    fn step_back(&mut self) -> io::Result<Next> {
        self.step("undone", Table::undo)
    }

    /// On to the next turn of a person that was taken back.
    fn step_forward(&mut self) -> io::Result<Next> {
        let next = self.step("redone", Table::redo)?;
        if matches!(next, Next::Changed) && self.table.session().history().undone_count() == 0 {
            // The computer goes on where what was taken back ends.
            self.table.set_held(false);
        }
        Ok(next)
    }

    /// Turn by turn until a person is to move, or the game is over, or there is no turn left.
    fn step(
        &mut self,
        done: &str,
        step: fn(&mut Table, Steps) -> Result<(), table::Error>,
    ) -> io::Result<Next> {
        let mut next = Next::Same;
        loop {
            match step(&mut self.table, Steps::Turns(1)) {
                Ok(()) => next = Next::Changed,
                Err(error) => {
                    if let Next::Same = next {
                        self.screen.say(&format!("Not {done}: {error}."))?;
                    }
                    return Ok(next);
                }
            }
            if self.table.to_move().is_none_or(|seat| self.is_person(seat)) {
                return Ok(next);
            }
        }
    }

    fn resign(&mut self) -> io::Result<Next> {
        let resigned = match self.table.to_move() {
            Some(seat) => self.table.resign(seat),
            None => self.table.check_goes_on(),
        };
        match resigned {
            Ok(()) => Ok(Next::Changed),
            Err(error) => {
                self.screen.say(&format!("Not resigned: {error}."))?;
                Ok(Next::Same)
            }
        }
    }

    fn save(&mut self, file: &Path) -> io::Result<()> {
        let said = match save(self.catalog, &self.table, file) {
            Ok(()) => format!("Saved to {}.", file.display()),
            Err(reason) => format!("Not saved: {reason}."),
        };
        self.screen.say(&said)
    }

    /// From a file, or from what was typed if that begins with the name of a game and no file has it:
    /// all of it or nothing, or else whatever can be read.
    fn load(&mut self, file: &Path, readable: bool) -> io::Result<Next> {
        let typed = file.to_str().filter(|typed| text::is_text(self.catalog, typed));
        let text = match (tabuleiro_files::read_text(file, Links::Followed), typed) {
            (Err(_), Some(typed)) => Ok(typed.to_string()),
            (text, _) => text.map_err(|error| error.to_string()),
        };
        let shown = file.display();
        let part = text.and_then(|text| {
            record::load_saved_readable(self.catalog, String::new(), &text).map_err(|error| error.to_string())
        });
        let (table, damage) = match part {
            Ok(part) => part,
            Err(reason) => {
                self.screen.say(&format!("Not loaded: {reason}. The game goes on as it was."))?;
                return Ok(Next::Same);
            }
        };
        if let Some(error) = damage.first().filter(|_| !readable) {
            let actions = match table.session().history().played().len() {
                1 => "1 action".into(),
                many => format!("{many} actions"),
            };
            self.screen.say(&format!("Not loaded: {error}. The game goes on as it was."))?;
            self.screen
                .say(&format!("\"load readable {shown}\" goes on with {actions} that can be read of it."))?;
            return Ok(Next::Same);
        }
        for error in &damage {
            self.screen.say(&format!("Left out: {error}."))?;
        }
        (self.table, self.memory) = (table, None);
        self.screen.say(&format!("Loaded {shown}."))?;
        Ok(Next::Changed)
    }
}

/// Without the lines that tell a window what to draw.
fn without_fences(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("```")).collect();
    lines.join("\n")
}

/// Replaces records only.
fn save(catalog: &Catalog, table: &Table, file: &Path) -> Result<(), String> {
    let shown = file.display();
    match tabuleiro_files::read_text(file, Links::Followed) {
        Err(error) if error.is_not_found() => {}
        Err(error) => return Err(error.to_string()),
        Ok(old) if record::load_text(catalog, String::new(), &old).is_ok() => {}
        Ok(_) => {
            return Err(format!("{shown} is there already and is not a saved game: choose another name"));
        }
    }
    tabuleiro_files::write(file, Record::of(table).to_text()).map_err(|error| error.to_string())
}
