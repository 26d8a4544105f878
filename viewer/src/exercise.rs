//! Something to do on the board that is judged: a step of a lesson, or a puzzle.

use tabuleiro_protocol::lesson::{Attempt, Commentator, Goal, Lesson, Progress, Step};
use tabuleiro_protocol::method::Hinted;
use tabuleiro_protocol::puzzle::Puzzle;
use tabuleiro_protocol::{Event, PerSeat, Player, Seat, State};

/// An exercise at the table, and what has come of it so far.
#[derive(Clone, Debug)]
pub struct Exercise {
    pub task: Task,
    /// Who does it.
    pub seat: Seat,
    pub verdict: Judgement,
    /// What was said about it, the last at the end.
    pub remarks: Vec<String>,
    pub is_hint_shown: bool,
    /// What happened in the learner's turn, by the ply that it led to.
    happened: Vec<(usize, Vec<Event>)>,
    actions: Vec<String>,
    /// Turns of the learner's that are finished.
    turns: u32,
    /// For a game: what happened since the commentator looked, and the commentator.
    pub(crate) unseen: Vec<(Seat, Event)>,
    pub(crate) commentator: Commentator,
    /// What was commented on last: the ply, and whether the game was over.
    pub(crate) commented: Option<(usize, bool)>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    Lesson {
        lesson: Lesson,
        /// The step, counted from 0.
        at: usize,
    },
    Puzzle {
        puzzle: Box<Puzzle>,
        /// The hints that were asked for, for the turn that is to be found now.
        hints: Vec<Hinted>,
        /// Whether there were any, for this turn or another one.
        is_helped: bool,
        /// How many turns of one's own are left.
        turns_left: u32,
    },
}

/// What has come of an exercise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is to be done.
    Open,
    /// A search looks whether it is done.
    Judged,
    Done,
    Missed,
}

impl Task {
    /// The step that is to be done, if there is one of this number.
    pub fn step(&self) -> Option<&Step> {
        match self {
            Task::Lesson { lesson, at } => lesson.steps.get(*at),
            Task::Puzzle { .. } => None,
        }
    }

    /// The lesson and the number of the step, if it is one.
    pub fn lesson(&self) -> Option<(&Lesson, usize)> {
        match self {
            Task::Lesson { lesson, at } => Some((lesson, *at)),
            Task::Puzzle { .. } => None,
        }
    }

    /// A puzzle of which nothing was tried yet.
    pub fn new_puzzle(puzzle: Puzzle) -> Task {
        let turns_left = puzzle.turns;
        Task::Puzzle { puzzle: Box::new(puzzle), hints: Vec::new(), is_helped: false, turns_left }
    }

    /// Back to where it begins.
    fn reset(&mut self) {
        if let Task::Puzzle { puzzle, hints, turns_left, .. } = self {
            // Hints for a later turn say nothing about the first one.
            if *turns_left < puzzle.turns {
                hints.clear();
            }
            *turns_left = puzzle.turns;
        }
    }

    pub fn puzzle(&self) -> Option<&Puzzle> {
        match self {
            Task::Puzzle { puzzle, .. } => Some(puzzle),
            Task::Lesson { .. } => None,
        }
    }

    /// Cells to look at before anything is played.
    pub fn marks(&self) -> Vec<&str> {
        match self {
            Task::Lesson { .. } => {
                self.step().into_iter().flat_map(|step| &step.marks).map(String::as_str).collect()
            }
            Task::Puzzle { hints, .. } => {
                hints.last().into_iter().flat_map(|hint| &hint.cells).map(String::as_str).collect()
            }
        }
    }

    pub fn game(&self) -> &str {
        match self {
            Task::Lesson { lesson, .. } => &lesson.game,
            Task::Puzzle { puzzle, .. } => &puzzle.game,
        }
    }

    /// The level that is played against, if it is a whole game.
    pub fn enemy(&self) -> Option<&str> {
        match &self.step()?.goal {
            Goal::Game(level) => Some(level),
            _ => None,
        }
    }
}

impl Exercise {
    pub fn new(task: Task, seat: Seat) -> Exercise {
        Exercise {
            task,
            seat,
            verdict: Judgement::Open,
            remarks: Vec::new(),
            is_hint_shown: false,
            happened: Vec::new(),
            actions: Vec::new(),
            turns: 0,
            unseen: Vec::new(),
            commentator: Commentator::default(),
            commented: None,
        }
    }

    /// Whether it is a whole game, and not a position to find something in.
    pub fn is_game(&self) -> bool {
        self.task.enemy().is_some()
    }

    /// The seats of its table: what is not the computer's is played here.
    pub fn seats(enemy: Option<Player>) -> PerSeat<Player> {
        PerSeat { one: Player::default(), two: enemy.unwrap_or_default() }
    }

    /// What was said last.
    pub fn remark(&self) -> Option<&str> {
        self.remarks.last().map(String::as_str)
    }

    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Begins again.
    pub fn reset(&mut self) {
        self.task.reset();
        *self = Exercise { is_hint_shown: self.is_hint_shown, ..Exercise::new(self.task.clone(), self.seat) };
    }

    /// Notes what the learner played, and judges it.
    pub fn played(&mut self, events: &[Event], state: &State) -> Progress {
        self.happened.push((state.ply, events.to_vec()));
        self.actions = state.last.as_ref().map(|last| last.actions.clone()).unwrap_or_default();
        let is_turn_over = state.to_move != Some(self.seat);
        self.turns += u32::from(is_turn_over);
        let Some(step) = self.task.step() else { return Progress::GoesOn };
        let events: Vec<Event> = self.happened.iter().flat_map(|(_, events)| events.clone()).collect();
        step.goal.judge(&Attempt {
            seat: self.seat,
            actions: &self.actions,
            events: &events,
            is_turn_over,
            turns: self.turns,
            outcome: state.outcome.as_ref().map(|outcome| outcome.winner),
        })
    }

    /// Notes that the enemy has answered: what the learner does next is another turn.
    pub fn answered(&mut self) {
        self.happened.clear();
        self.actions.clear();
    }

    /// Notes that something was taken back: only what led to this ply has happened.
    pub fn taken_back_to(&mut self, ply: usize) {
        self.happened.retain(|(after, _)| *after <= ply);
    }

    /// What is said to the turn that was played and is not what was meant.
    pub fn answer(&self) -> String {
        self.task.step().map(|step| step.answer(&self.actions)).unwrap_or_default().to_string()
    }
}
