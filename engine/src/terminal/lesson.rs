//! Lessons in the terminal.

use std::io::{self, BufRead, Write};

use tabuleiro_protocol::lesson::{Attempt, Commentator, Goal, Lesson, Progress, Sight, Step};
use tabuleiro_protocol::progress::Note;
use tabuleiro_protocol::{Day, Event, LevelRole, Limits, PerSeat, Player, Seat};

use super::progress::ProgressKeeper;
use super::screen::Screen;
use super::{Hurry, Terminal, without_fences};
use crate::bots::Bots;
use crate::catalog::Catalog;
use crate::players::ComputerPlayer;
use crate::search::Level;
use crate::table::{self, Table};

/// How many positions are looked at to find out whether a turn wins, or fails to hold.
const NODES: u64 = 50_000;

const HELP: &str = "\
Type an action, or several of one turn with spaces between them. Besides that there is:
  hint        a hint
  moves       the legal actions, each with what it does
  board       the board once more
  rules       the rules of the game
  next, back  go to another step
  quit        leave
";

/// How many are looked at to comment on a game.
const GLANCE: u64 = 4_000;
/// Who learns in the game at the end.
const LEARNER: Seat = Seat::One;

/// Who finds out whether a turn wins.
fn prover() -> ComputerPlayer {
    thinker(NODES)
}

fn thinker(nodes: u64) -> ComputerPlayer {
    let level = Level::for_role(LevelRole::Analysis);
    let limits = Some(Limits { nodes: Some(nodes), ..Limits::default() });
    ComputerPlayer::of_seat(&Player::Ai { level: level.id().into(), limits })
        .unwrap_or_else(|| ComputerPlayer::level(level))
}

/// Who goes through a lesson with somebody.
pub(super) struct Teacher<'a, R, W> {
    pub(super) catalog: &'a Catalog,
    pub(super) lesson: &'a Lesson,
    pub(super) bots: &'a Bots,
    pub(super) hurry: &'a Hurry,
    pub(super) screen: Screen<'a, R, W>,
    /// Where the steps that are done are kept, if they are, and what day it is.
    pub(super) keeper: Option<&'a mut ProgressKeeper>,
    pub(super) today: Day,
}

/// Where to go from a step.
enum Next {
    /// It is done.
    Done,
    /// To the next one, though this one is not done.
    On,
    Back,
    Leave,
}

/// What was tried in a step so far.
struct Trial {
    table: Table,
    seat: Seat,
    /// The actions of the learner's last turn, and what happened in it.
    actions: Vec<String>,
    events: Vec<Event>,
    /// Turns of the learner's that are finished.
    turns: u32,
}

impl Trial {
    fn is_turn_over(&self) -> bool {
        self.table.to_move() != Some(self.seat)
    }

    fn judge(&self, goal: &Goal) -> Progress {
        goal.judge(&Attempt {
            seat: self.seat,
            actions: &self.actions,
            events: &self.events,
            is_turn_over: self.is_turn_over(),
            turns: self.turns,
            outcome: self.table.state().outcome.map(|outcome| outcome.winner),
        })
    }
}

impl<R: BufRead, W: Write> Teacher<'_, R, W> {
    /// From a step on, counted from 0.
    pub(super) fn teach(mut self, from: usize) -> io::Result<()> {
        let steps = &self.lesson.steps;
        let mut at = from;
        self.screen.say(&format!("{}. \"help\" says what you can type.", self.lesson.title))?;
        while let Some(step) = steps.get(at) {
            let place = format!("{} of {}", at + 1, steps.len());
            self.screen.say(&format!("\n== {place}: {}\n{}", step.title, step.text))?;
            let next = match &step.goal {
                Goal::Game(level) => self.game(step, level)?,
                _ => self.practise(step)?,
            };
            if let Next::Done = next {
                self.note(at)?;
            }
            match next {
                Next::Done | Next::On => at += 1,
                Next::Back => at = at.saturating_sub(1),
                Next::Leave => return Ok(()),
            }
        }
        self.screen.say("That was the lesson. \"play\" is the command for a game of your own.")
    }

    /// Notes that a step is done.
    fn note(&mut self, at: usize) -> io::Result<()> {
        let Some(keeper) = &mut self.keeper else { return Ok(()) };
        let Lesson { game, steps, .. } = self.lesson;
        if keeper.note(Note::Step { game: game.clone(), step: at, of: steps.len(), day: self.today })
            && let Err(reason) = keeper.keep()
        {
            self.screen.say(&format!("This could not be kept: {reason}."))?;
        }
        Ok(())
    }

    fn open(&self, step: &Step, seats: PerSeat<Player>) -> Result<Table, String> {
        let options = step.options.as_ref().unwrap_or(&self.lesson.options);
        let session = self
            .catalog
            .open(&self.lesson.game, Some(options), 1, step.start.clone())
            .map_err(|error| error.to_string())?;
        Table::new(String::new(), session, seats).map_err(|error| error.to_string())
    }

    /// A game at the end, as any other.
    fn game(&mut self, step: &Step, level: &str) -> io::Result<Next> {
        let role = LevelRole::called(level).filter(|_| Level::by_id(level).is_none());
        let level = role.map_or(level, |role| Level::for_role(role).id());
        let enemy = Player::Ai { level: level.into(), limits: None };
        match self.open(step, PerSeat { one: Player::default(), two: enemy }) {
            Ok(table) => {
                let Teacher { catalog, bots, hurry, .. } = *self;
                let (screen, comments) = (self.screen.again(), Some(Comments::new(step)));
                let mut game = Terminal { catalog, table, bots, hurry, screen, comments, memory: None };
                game.play()?;
                Ok(if game.table.to_move().is_none() { Next::Done } else { Next::Leave })
            }
            Err(reason) => {
                self.screen.say(&format!("This step cannot be shown: {reason}."))?;
                Ok(Next::On)
            }
        }
    }

    fn practise(&mut self, step: &Step) -> io::Result<Next> {
        let mut trial = match self.begin(step) {
            Ok(trial) => trial,
            Err(reason) => {
                self.screen.say(&format!("This step cannot be shown: {reason}."))?;
                return Ok(Next::On);
            }
        };
        self.show(&trial.table)?;
        loop {
            self.screen.say(&trial.table.state().prompt)?;
            let Some(line) = self.screen.ask("> ")? else { return Ok(Next::Leave) };
            match line.to_lowercase().as_str() {
                "" => {}
                "help" | "?" => self.screen.say(HELP)?,
                "hint" => self.screen.say(step.hint.as_deref().unwrap_or("There is none."))?,
                "moves" => self.show_moves(&trial.table)?,
                "board" => self.show(&trial.table)?,
                "rules" => {
                    let rules = self.catalog.game(&self.lesson.game).map(|game| without_fences(game.rules));
                    self.screen.say(&rules.unwrap_or_else(|unknown| unknown.to_string()))?;
                }
                "next" => return Ok(Next::On),
                "back" => return Ok(Next::Back),
                "quit" | "exit" => return Ok(Next::Leave),
                _ => match self.attempt(step, &mut trial, &line)? {
                    Progress::Done => {
                        self.screen.say(step.well.as_deref().unwrap_or("Well done."))?;
                        return Ok(Next::Done);
                    }
                    Progress::Missed => {
                        self.screen.say(step.answer(&trial.actions))?;
                        if let Ok(again) = self.begin(step) {
                            trial = again;
                        }
                        self.show(&trial.table)?;
                    }
                    Progress::GoesOn | Progress::Unproved => {}
                },
            }
        }
    }

    fn begin(&self, step: &Step) -> Result<Trial, String> {
        let table = self.open(step, PerSeat::default())?;
        let seat = table.to_move().ok_or("its game is over")?;
        Ok(Trial { table, seat, actions: Vec::new(), events: Vec::new(), turns: 0 })
    }

    /// Plays what was typed, judges it, and answers it if the step goes on.
    fn attempt(&mut self, step: &Step, trial: &mut Trial, line: &str) -> io::Result<Progress> {
        let actions: Vec<String> = line.split_whitespace().map(String::from).collect();
        let seats = PerSeat { one: trial.seat == Seat::One, two: trial.seat == Seat::Two };
        match trial.table.play(&actions, None, seats) {
            Ok(events) => trial.events.extend(events),
            Err(error) => {
                let reason = match &error {
                    table::Error::Illegal { illegal, .. } => illegal.reason.clone(),
                    other => other.to_string(),
                };
                self.screen.say(&format!("Not possible: {reason}."))?;
                return Ok(Progress::GoesOn);
            }
        }
        trial.actions = trial.table.state().last.map(|last| last.actions).unwrap_or_default();
        trial.turns += u32::from(trial.is_turn_over());
        self.show(&trial.table)?;
        match trial.judge(&step.goal) {
            Progress::Unproved => self.prove(step, trial),
            judged => Ok(judged),
        }
    }

    /// Lets the enemy look for a way out, and play on if that is what the step is about.
    fn prove(&mut self, step: &Step, trial: &mut Trial) -> io::Result<Progress> {
        self.hurry.begin();
        let taken = self.hurry.take_turn(&prover(), &trial.table, 1, self.bots);
        let choice = taken.map_err(|no_turn| io::Error::other(no_turn.to_string()))?.choice;
        let progress = step.goal.proved(choice.score.proved);
        if progress != Progress::GoesOn {
            return Ok(progress);
        }
        self.screen.say(&format!("The answer is {}.", choice.actions.join(" ")))?;
        let seats = PerSeat { one: true, two: true };
        trial.table.play(&choice.actions, None, seats).map_err(io::Error::other)?;
        trial.events.clear();
        self.show(&trial.table)?;
        let lost = trial.table.state().outcome.is_some_and(|outcome| outcome.winner != Some(trial.seat));
        Ok(if lost { Progress::Missed } else { Progress::GoesOn })
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

/// What a lesson says while the game at its end is played.
pub(super) struct Comments<'a> {
    step: &'a Step,
    commentator: Commentator,
    /// What happened since it looked, and who did it.
    unseen: Vec<(Seat, Event)>,
    /// Where the game stood when it looked last, and whether it was over.
    looked_at: Option<(usize, bool)>,
}

impl Comments<'_> {
    fn new(step: &Step) -> Comments<'_> {
        Comments { step, commentator: Commentator::default(), unseen: Vec::new(), looked_at: None }
    }
}

impl<R: BufRead, W: Write> Terminal<'_, R, W> {
    pub(super) fn note_events(&mut self, seat: Option<Seat>, events: Vec<Event>) {
        if let (Some(comments), Some(seat)) = (&mut self.comments, seat) {
            comments.unseen.extend(events.into_iter().map(|event| (seat, event)));
        }
    }

    /// Says what the lesson has to say, when the learner begins a turn and when the game is over.
    pub(super) fn comment(&mut self) -> io::Result<()> {
        let state = self.table.state();
        let is_turn_begun = state.last.as_ref().is_some_and(|last| Some(last.seat) == state.to_move);
        let is_time = state.outcome.is_some() || (state.to_move == Some(LEARNER) && !is_turn_begun);
        let now = (state.ply, state.outcome.is_some());
        let Some(comments) =
            self.comments.as_mut().filter(|comments| is_time && comments.looked_at != Some(now))
        else {
            return Ok(());
        };
        let score = match state.to_move {
            Some(_) => {
                self.hurry.begin();
                let taken = self.hurry.take_turn(&thinker(GLANCE), &self.table, 1, self.bots);
                taken.ok().map(|taken| taken.choice.score)
            }
            None => None,
        };
        let overlays = self.table.position().overlays();
        let turns = self.table.session().history().turns();
        let said = comments.commentator.look(
            &comments.step.comments,
            &Sight {
                seat: LEARNER,
                turns: turns.iter().filter(|turn| turn.seat == LEARNER && turn.ply <= state.ply).count()
                    as u32,
                events: &comments.unseen,
                overlays: &overlays,
                score,
                outcome: state.outcome.as_ref().map(|outcome| outcome.winner),
            },
        );
        comments.unseen.clear();
        comments.looked_at = Some(now);
        said.iter().try_for_each(|words| self.screen.say(&format!("* {words}")))
    }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use tabuleiro_protocol::{Cell, Choice};

    use super::*;
    use crate::search::Control;

    fn choice(table: &Table) -> Choice {
        let found = prover().take_turn(table, 1, &Bots::default(), &mut Control::silent());
        found.expect("a turn").choice
    }

    /// Plays a turn of the learner's and says what comes of it.
    fn tried(step: &Step, trial: &mut Trial, mut next: impl FnMut(&Table) -> String) -> Progress {
        trial.actions.clear();
        trial.events.clear();
        while trial.table.to_move() == Some(trial.seat) {
            let action = next(&trial.table);
            let events = trial.table.play(slice::from_ref(&action), None, PerSeat { one: true, two: true });
            trial.events.extend(events.expect("a legal action"));
            trial.actions.push(action);
        }
        trial.turns += 1;
        match trial.judge(&step.goal) {
            Progress::Unproved => step.goal.proved(choice(&trial.table).score.proved),
            judged => judged,
        }
    }

    #[test]
    fn every_step_can_be_done_and_can_be_missed() {
        let catalog = Catalog::standard();
        for game in catalog.games() {
            let lesson = game.lesson().expect("each of our games has a lesson");
            assert_eq!(lesson.game, game.id);
            let (mut input, mut output) = (io::empty(), io::sink());
            let screen = Screen::new(&mut input, &mut output, crate::game::Charset::Ascii);
            let (bots, hurry) = (Bots::default(), Hurry::default());
            let teacher = Teacher {
                catalog: &catalog,
                lesson: &lesson,
                bots: &bots,
                hurry: &hurry,
                screen,
                keeper: None,
                today: Day::from_unix(0),
            };
            for step in &lesson.steps {
                let said = format!("{}, {}", game.name, step.title);
                if let Goal::Game(level) = &step.goal {
                    let is_known = Level::by_id(level).is_some() || LevelRole::called(level).is_some();
                    assert!(is_known, "{said}: {level}");
                    assert!(step.comments.len() >= 5, "{said}: hardly a word");
                    continue;
                }
                let begin = || teacher.begin(step).unwrap_or_else(|reason| panic!("{said}: {reason}"));
                let rows = begin().table.state().rows;
                for mark in &step.marks {
                    let Cell { column, row } = mark.parse().expect("a cell");
                    let cells = rows.get(usize::from(row)).map_or(0, |row| row.split(' ').count());
                    assert!(usize::from(column) < cells, "{said}: {mark} is not on the board");
                }
                if let Goal::Win(_) | Goal::Hold = step.goal {
                    let mut trial = begin();
                    loop {
                        let mut turn = choice(&trial.table).actions.into_iter();
                        match tried(step, &mut trial, |_| turn.next().expect("a whole turn")) {
                            Progress::Done => break,
                            Progress::GoesOn => {
                                let answer = choice(&trial.table).actions;
                                let everybody = PerSeat { one: true, two: true };
                                trial.table.play(&answer, None, everybody).expect("a legal turn");
                            }
                            other => panic!("{said}: {other:?} after {:?}", trial.actions),
                        }
                    }
                }
                // By chance, what remains to be seen: a turn that does it, and one that does not.
                let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
                let mut done = matches!(step.goal, Goal::Win(_) | Goal::Hold);
                let mut missed = step.goal == Goal::Any;
                for _ in 0..5_000 {
                    if done && missed {
                        break;
                    }
                    let random_action = |table: &Table| {
                        let actions = table.position().actions();
                        actions.choose(&mut random).expect("somebody is to move").clone()
                    };
                    match tried(step, &mut begin(), random_action) {
                        Progress::Done => done = true,
                        Progress::Missed => missed = true,
                        Progress::GoesOn | Progress::Unproved => {}
                    }
                }
                // In the first step there may be nothing else to play.
                let only_one = begin().table.position().actions().len() == 1;
                assert!(done && (missed || only_one), "{said}: done {done}, missed {missed}");
                let is_answered = step.otherwise.is_some() || only_one || step.goal == Goal::Any;
                assert!(is_answered, "{said}: a turn that misses it is not answered with the rule");
            }
        }
    }
}
