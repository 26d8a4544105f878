//! Puzzles in the terminal.

use std::io::{self, BufRead, Write};
use std::sync::atomic::AtomicBool;

use tabuleiro_protocol::method::PuzzleVerdict;
use tabuleiro_protocol::progress::{Attempt, Note};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleInfo};
use tabuleiro_protocol::{Day, PerSeat, Seat};

use super::progress::ProgressKeeper;
use super::screen::Screen;
use super::without_fences;
use crate::catalog::Catalog;
use crate::game::Charset;
use crate::puzzles::{self, BRIEF_EFFORT, within};
use crate::table::{self, Table};

const HELP: &str = "\
Type an action, or several of one turn with spaces between them. Besides that there is:
  hint        a hint; each one says more
  moves       the legal actions, each with what it does
  board       the board once more
  rules       the rules of the game
  again       begin the puzzle again
  solution    give up, and see how it goes
  next, quit  another puzzle, or none; one that was begun counts as failed
";

/// Which puzzles somebody solves.
#[derive(Debug)]
pub struct PuzzlePlan<'a> {
    pub puzzles: &'a [Puzzle],
    pub today: Day,
    pub ascii: bool,
}

/// Lets somebody solve puzzles until they leave or the input ends.
pub fn solve(
    catalog: &Catalog,
    plan: &PuzzlePlan<'_>,
    keeper: &mut ProgressKeeper,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> io::Result<()> {
    let charset = if plan.ascii { Charset::Ascii } else { Charset::Unicode };
    let screen = Screen::new(input, output, charset);
    Solving { catalog, plan, keeper, screen }.go()
}

struct Solving<'a, R, W> {
    catalog: &'a Catalog,
    plan: &'a PuzzlePlan<'a>,
    keeper: &'a mut ProgressKeeper,
    screen: Screen<'a, R, W>,
}

/// How far somebody is with a puzzle.
struct Trial {
    table: Table,
    seat: Seat,
    /// All actions since it began, of both.
    played: Vec<String>,
}

impl Trial {
    /// Whether a whole turn was right: then it was answered.
    fn is_begun(&self) -> bool {
        self.table.session().history().turns().iter().any(|turn| turn.seat != self.seat)
    }
}

enum Next {
    On,
    Leave,
}

impl<R: BufRead, W: Write> Solving<'_, R, W> {
    fn go(mut self) -> io::Result<()> {
        let mut left: Vec<PuzzleInfo> = self.plan.puzzles.iter().map(Puzzle::info).collect();
        let count = if left.len() == 1 { "1 puzzle".into() } else { format!("{} puzzles", left.len()) };
        self.screen.say(&format!("{count}. \"help\" says what you can type."))?;
        while let Some(name) =
            self.keeper.progress().next(&left, self.plan.today).map(|next| next.name.clone())
        {
            left.retain(|puzzle| puzzle.name != name);
            let Some(puzzle) = self.plan.puzzles.iter().find(|puzzle| puzzle.name == name) else { continue };
            if let Next::Leave = self.puzzle(puzzle)? {
                return Ok(());
            }
        }
        self.screen.say("These were all.")
    }

    fn begin(&self, puzzle: &Puzzle) -> Result<Trial, String> {
        let session = puzzles::open(self.catalog, puzzle).map_err(|error| error.to_string())?;
        let table =
            Table::new(String::new(), session, PerSeat::default()).map_err(|error| error.to_string())?;
        let seat = table.to_move().ok_or("its game is over")?;
        Ok(Trial { table, seat, played: Vec::new() })
    }

    fn puzzle(&mut self, puzzle: &Puzzle) -> io::Result<Next> {
        let mut trial = match self.begin(puzzle) {
            Ok(trial) => trial,
            Err(reason) => {
                self.screen.say(&format!("Puzzle {} cannot be shown: {reason}.", puzzle.name))?;
                return Ok(Next::On);
            }
        };
        let side = trial.table.state().sides[trial.seat].clone();
        let side = side
            .map_or_else(|| format!("seat {}", trial.seat), |side| format!("{side} (seat {})", trial.seat));
        let game = self.catalog.game(&puzzle.game).map_or(puzzle.game.clone(), |game| game.name.into());
        self.screen.say(&format!("\n== {game}, grade {}: {}", puzzle.grade, puzzle.name))?;
        self.screen.say(&format!("{} You are {side}.", puzzle.task()))?;
        self.show(&trial.table)?;
        // Only the first try counts, and one with hints counts less.
        let (mut is_helped, mut is_noted) = (false, false);
        // Every turn has hints of its own.
        let mut hints = 0;
        loop {
            // Where the input ends somebody leaves.
            let line = self.screen.ask("> ")?.unwrap_or_else(|| "quit".into());
            match line.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.screen.say(HELP)?,
                "moves" => self.show_moves(&trial.table)?,
                "board" => self.show(&trial.table)?,
                "rules" => {
                    let rules = self.catalog.game(&puzzle.game).map(|game| without_fences(game.rules));
                    self.screen.say(&rules.unwrap_or_else(|unknown| unknown.to_string()))?;
                }
                "hint" => {
                    hints += 1;
                    is_helped = true;
                    self.hint(puzzle, &trial, hints)?;
                }
                "again" => self.begin_again(puzzle, &mut trial, &mut hints)?,
                "solution" => {
                    self.note(puzzle, Attempt::Failed, &mut is_noted)?;
                    let turns: Vec<String> = puzzle.line.iter().map(|turn| turn.join(" ")).collect();
                    self.screen.say(&format!("It goes like this: {}.", turns.join(", ")))?;
                    return Ok(Next::On);
                }
                word @ ("next" | "quit" | "exit") => {
                    if is_helped || trial.is_begun() {
                        self.note(puzzle, Attempt::Failed, &mut is_noted)?;
                    }
                    return Ok(if word == "next" { Next::On } else { Next::Leave });
                }
                _ => match self.attempt(puzzle, &mut trial, &line)? {
                    PuzzleVerdict::Solved => {
                        let attempt = if is_helped { Attempt::Helped } else { Attempt::Solved };
                        self.note(puzzle, attempt, &mut is_noted)?;
                        return Ok(Next::On);
                    }
                    verdict @ (PuzzleVerdict::Wrong | PuzzleVerdict::Slow) => {
                        if verdict == PuzzleVerdict::Wrong {
                            self.note(puzzle, Attempt::Failed, &mut is_noted)?;
                        }
                        self.screen.say("Try again.")?;
                        self.begin_again(puzzle, &mut trial, &mut hints)?;
                    }
                    PuzzleVerdict::Right => hints = 0,
                    PuzzleVerdict::Unfinished | PuzzleVerdict::Unknown => {}
                },
            }
        }
    }

    fn begin_again(&mut self, puzzle: &Puzzle, trial: &mut Trial, hints: &mut u32) -> io::Result<()> {
        if let Ok(again) = self.begin(puzzle) {
            // Hints for a later turn say nothing about the first one.
            if trial.is_begun() {
                *hints = 0;
            }
            *trial = again;
        }
        self.show(&trial.table)
    }

    /// Plays what was typed, judges it, and lets the other side reply.
    fn attempt(&mut self, puzzle: &Puzzle, trial: &mut Trial, line: &str) -> io::Result<PuzzleVerdict> {
        let actions: Vec<String> = line.split_whitespace().map(String::from).collect();
        let seats = PerSeat { one: trial.seat == Seat::One, two: trial.seat == Seat::Two };
        if let Err(error) = trial.table.play(&actions, None, seats) {
            let reason = match &error {
                table::Error::Illegal { illegal, .. } => illegal.reason.clone(),
                other => other.to_string(),
            };
            self.screen.say(&format!("Not possible: {reason}."))?;
            return Ok(PuzzleVerdict::Unfinished);
        }
        trial.played = trial.table.session().history().played();
        if trial.table.to_move() == Some(trial.seat) {
            self.screen.say(&trial.table.state().prompt)?;
            return Ok(PuzzleVerdict::Unfinished);
        }
        self.show(&trial.table)?;
        let never = AtomicBool::new(false);
        let go_on = &mut within(BRIEF_EFFORT, &never);
        let judged = puzzles::judge(self.catalog, puzzle, &trial.played, go_on).map_err(io::Error::other)?;
        self.screen.say(&judged.text)?;
        if !judged.reply.is_empty() {
            self.screen.say(&format!("The answer is {}.", judged.reply.join(" ")))?;
            let both = PerSeat { one: true, two: true };
            trial.table.play(&judged.reply, None, both).map_err(io::Error::other)?;
            trial.played = trial.table.session().history().played();
            self.show(&trial.table)?;
        }
        Ok(judged.verdict)
    }

    fn hint(&mut self, puzzle: &Puzzle, trial: &Trial, step: u32) -> io::Result<()> {
        let never = AtomicBool::new(false);
        let go_on = &mut within(BRIEF_EFFORT, &never);
        match puzzles::hint(self.catalog, puzzle, &trial.played, step, go_on) {
            Ok(hint) => self.screen.say(&format!("Hint {} of {}: {}", hint.step, hint.of, hint.text)),
            Err(error) => self.screen.say(&error.to_string()),
        }
    }

    /// Notes how it went, once, and says what that means.
    fn note(&mut self, puzzle: &Puzzle, attempt: Attempt, is_noted: &mut bool) -> io::Result<()> {
        if std::mem::replace(is_noted, true) {
            return Ok(());
        }
        let today = self.plan.today;
        let before = self.keeper.progress().rating(&puzzle.game).value;
        if !self.keeper.note(Note::Puzzle { puzzle: puzzle.info(), attempt, day: today }) {
            return self.screen.say("It was tried today already, so it does not count again.");
        }
        if let Err(reason) = self.keeper.keep() {
            self.screen.say(&format!("This could not be kept: {reason}."))?;
        }
        let progress = self.keeper.progress();
        let rating = progress.rating(&puzzle.game).value;
        self.screen.say(&format!(
            "Your rating is {rating:.0} ({:+.0}). In a row: {}. Days in a row: {}.",
            rating - before,
            progress.streak.now,
            progress.days_in_a_row(today)
        ))
    }

    fn show(&mut self, table: &Table) -> io::Result<()> {
        let board = table.render(self.screen.charset.into());
        self.screen.say(&format!("\n{}", board.trim_end()))
    }

    fn show_moves(&mut self, table: &Table) -> io::Result<()> {
        for detail in table.position().details() {
            self.screen.say(&format!("  {}  {}", detail.action, detail.text))?;
        }
        Ok(())
    }
}
