//! Puzzles: which there are, how they are played against the engine, and what comes of it.

use std::collections::BTreeSet;

use tabuleiro_protocol::method::{
    FindMistakes, GetPuzzle, GetPuzzles, Hint, Judge, Judged, New, Play, PuzzleVerdict, Review,
};
use tabuleiro_protocol::progress::{Attempt, Note};
use tabuleiro_protocol::puzzle::{Puzzle, PuzzleInfo};
use tabuleiro_protocol::{Limits, PerSeat, Player, ReviewedTurn, Seat, Turn, Verdict};

use super::Director;
use crate::command::Panel;
use crate::exercise::{Exercise, Judgement, Task};
use crate::state::TableView;
use crate::text::{self, sentence};

/// How many nodes a turn is looked at to find mistakes.
const REVIEW: u64 = 10_000;

impl Director {
    /// Asks which puzzles there are, and which is the one of the day.
    pub(super) fn ask_for_puzzles(&mut self) {
        let day = Some(self.app.today);
        self.ask_quietly(&GetPuzzles { day, ..GetPuzzles::default() }, |director, list| {
            director.app.puzzles = list.puzzles;
            director.app.puzzle_of_the_day = list.of_the_day;
        });
    }

    pub(super) fn start_puzzle(&mut self, name: &str) {
        self.hide_panel(Panel::Puzzles);
        if let Some(puzzle) = self.app.own_puzzles.iter().find(|puzzle| puzzle.name == name) {
            return self.lay_out_puzzle(puzzle.clone());
        }
        self.ask(&GetPuzzle { name: name.into() }, |director, found| director.lay_out_puzzle(found.puzzle));
    }

    /// One that was failed and comes again today, or a new one about as hard as the person is strong.
    pub(super) fn next_puzzle(&mut self) {
        let listed = self.app.wanted_puzzles().into_iter();
        let mut wanted: Vec<PuzzleInfo> = listed.map(|listed| listed.info.into_owned()).collect();
        let here = self.app.exercise.as_ref().and_then(|exercise| exercise.task.puzzle());
        let here = here.map(|puzzle| puzzle.name.clone());
        if wanted.len() > 1 {
            wanted.retain(|puzzle| here.as_ref() != Some(&puzzle.name));
        }
        match self.app.progress.next(&wanted, self.app.today).map(|puzzle| puzzle.name.clone()) {
            Some(name) => self.start_puzzle(&name),
            None => self.tell("There are no such puzzles."),
        }
    }

    /// A puzzle that was begun and not solved counts as failed when it is left, for whatever else. It
    /// is begun by a hint or a whole turn that was right; a wrong one has been counted.
    pub(super) fn leave_puzzle(&mut self) {
        let Some(exercise) = &self.app.exercise else { return };
        let Task::Puzzle { puzzle, is_helped, turns_left, .. } = &exercise.task else { return };
        let is_begun = *is_helped || *turns_left < puzzle.turns;
        if is_begun && exercise.verdict != Judgement::Done {
            self.note_puzzle(false);
        }
    }

    /// Shows how the puzzle on the table goes. It counts as failed.
    pub(super) fn give_up(&mut self) {
        let Some(exercise) = &mut self.app.exercise else { return self.tell("There is no puzzle here.") };
        let Some(puzzle) = exercise.task.puzzle() else { return self.tell("There is no puzzle here.") };
        let turns: Vec<String> =
            puzzle.line.iter().map(|actions| text::turn(actions.iter().map(String::as_str))).collect();
        let words = format!("It goes like this: {}.", turns.join(", "));
        if exercise.verdict == Judgement::Done {
            return self.tell(words);
        }
        exercise.remarks.push(words);
        exercise.verdict = Judgement::Missed;
        self.note_puzzle(false);
    }

    pub(super) fn puzzle_of_the_day(&mut self) {
        match self.app.puzzle_of_the_day.clone() {
            Some(name) => self.start_puzzle(&name),
            None => {
                let day = Some(self.app.today);
                self.ask(&GetPuzzles { day, ..GetPuzzles::default() }, |director, list| {
                    match list.of_the_day {
                        Some(name) => director.start_puzzle(&name),
                        None => director.tell("There is no puzzle of the day."),
                    }
                });
            }
        }
    }

    pub(super) fn lay_out_puzzle(&mut self, puzzle: Puzzle) {
        let new = New {
            game: puzzle.game.clone(),
            options: Some(puzzle.options.clone()),
            seed: None,
            start: Some(puzzle.start.clone()),
            held: false,
            seats: Some(PerSeat { one: Some(Player::default()), two: Some(Player::default()) }),
        };
        let name = puzzle.name.clone();
        self.pending.opening = self.ask_or(
            &new,
            move |director, opened| {
                let seat = opened.state.to_move.unwrap_or(Seat::One);
                director.leave_table();
                let mut table = TableView::new(opened.state);
                table.learner = Some(seat);
                director.sit_down(table, None);
                director.app.exercise = Some(Exercise::new(Task::new_puzzle(puzzle), seat));
            },
            move |director, error| {
                let reason = error.data.as_ref().and_then(|data| data["reason"].as_str());
                let reason = reason.unwrap_or(&error.message).to_string();
                director.problem(format!("The puzzle {name} cannot be shown: {}", sentence(&reason)));
            },
        );
    }

    /// All actions that were played since the puzzle began.
    fn played_in_puzzle(&self) -> Vec<String> {
        let Some(table) = &self.app.table else { return Vec::new() };
        let is_played = |turn: &&Turn| turn.ply <= table.state.ply;
        table.turns.iter().filter(is_played).flat_map(|turn| turn.actions.clone()).collect()
    }

    /// Asks what the turn that was just played is worth.
    pub(super) fn judge_puzzle(&mut self) {
        let played = self.played_in_puzzle();
        let (Some(exercise), Some(table)) = (&self.app.exercise, &self.app.table) else { return };
        let Some(puzzle) = exercise.task.puzzle().cloned() else { return };
        let (name, ply) = (table.state.table.clone(), table.state.ply);
        let is_still_so = move |director: &Director| {
            director.table_name().as_ref() == Some(&name) && director.ply() == Some(ply)
        };
        let as_before = is_still_so.clone();
        self.ask_or(
            &Judge { puzzle, played },
            move |director, judged| {
                if is_still_so(director) {
                    director.judged(judged);
                }
            },
            move |director, error| {
                if as_before(director) {
                    director.problem(sentence(&error.message));
                    director.try_again();
                }
            },
        );
    }

    fn judged(&mut self, judged: Judged) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        if let Task::Puzzle { turns_left, hints, .. } = &mut exercise.task {
            *turns_left = judged.turns;
            if judged.verdict == PuzzleVerdict::Right {
                // They were for the turn that was found.
                hints.clear();
            }
        }
        let is_finished = judged.verdict != PuzzleVerdict::Unfinished;
        if is_finished {
            exercise.remarks.push(judged.text.clone());
        }
        exercise.verdict = match judged.verdict {
            PuzzleVerdict::Unfinished | PuzzleVerdict::Right => Judgement::Open,
            PuzzleVerdict::Solved => Judgement::Done,
            PuzzleVerdict::Slow | PuzzleVerdict::Wrong | PuzzleVerdict::Unknown => Judgement::Missed,
        };
        // What the other side replies is shown; after a wrong turn it shows why.
        if !judged.reply.is_empty() && table.state.outcome.is_none() {
            let state = &table.state;
            let verdict = std::mem::replace(&mut exercise.verdict, Judgement::Judged);
            let reply = Play { table: state.table.clone(), ply: Some(state.ply), actions: judged.reply };
            self.ask(&reply, |director, played| {
                director.we_played(&played.events, played.state);
                if let Some(exercise) = &mut director.app.exercise {
                    exercise.verdict = verdict;
                }
            });
        }
        match judged.verdict {
            PuzzleVerdict::Solved => self.note_puzzle(true),
            PuzzleVerdict::Wrong => self.note_puzzle(false),
            _ => {}
        }
    }

    /// Notes how the puzzle on the table was solved, or that it was not. The first attempt of a day
    /// counts.
    fn note_puzzle(&mut self, is_solved: bool) {
        let Some(exercise) = &self.app.exercise else { return };
        let Task::Puzzle { puzzle, is_helped, .. } = &exercise.task else { return };
        let attempt = match (is_solved, is_helped) {
            (false, _) => Attempt::Failed,
            (true, true) => Attempt::Helped,
            (true, false) => Attempt::Solved,
        };
        self.note_progress(Note::Puzzle { puzzle: puzzle.info(), attempt, day: self.app.today });
    }

    /// The next hint for the puzzle on the table: each says more than the one before.
    pub(super) fn hint_in_puzzle(&mut self) {
        let played = self.played_in_puzzle();
        let Some(exercise) = &self.app.exercise else { return };
        let Task::Puzzle { puzzle, hints, .. } = &exercise.task else { return };
        if hints.last().is_some_and(|hint| hint.step >= hint.of) {
            return self.tell("There is no further hint.");
        }
        if exercise.verdict != Judgement::Open {
            return self.tell("There are hints while there is something to find.");
        }
        let step = hints.last().map_or(1, |hint| hint.step + 1);
        let (hint, name) = (Hint { puzzle: Puzzle::clone(puzzle), played, step }, puzzle.name.clone());
        self.ask(&hint, move |director, hinted| {
            if let Some(Exercise { task: Task::Puzzle { puzzle, hints, is_helped, .. }, .. }) =
                &mut director.app.exercise
                && puzzle.name == name
                && hints.last().is_none_or(|last| last.step < hinted.step)
            {
                *is_helped = true;
                hints.push(hinted);
            }
        });
    }

    // ── Mistakes of one's own ──

    /// Makes puzzles of what a review of the game on the table calls blunders and missed wins of
    /// whoever plays here, where the engine can prove that they were.
    pub(super) fn make_puzzles(&mut self) {
        let Some(table) = self.app.table.as_ref().filter(|_| self.app.exercise.is_none()) else {
            return self.tell("There is no game on the table.");
        };
        if table.turns.is_empty() {
            return self.tell("Nothing has been played yet.");
        }
        let review = Review {
            table: table.state.table.clone(),
            limits: Some(Limits { nodes: Some(REVIEW), ..Limits::default() }),
            lines: Some(1),
            ..Review::default()
        };
        self.tell("Looking for mistakes of yours that can be proved…");
        self.ask(&review, |director, reviewed| director.prove_mistakes(reviewed.turns));
    }

    fn prove_mistakes(&mut self, turns: Vec<ReviewedTurn>) {
        let Some(table) = &self.app.table else { return };
        let is_wanted = |turn: &ReviewedTurn| {
            table.is_ours(turn.seat) && matches!(turn.verdict, Verdict::Blunder | Verdict::MissedWin)
        };
        // A longer review that the person has seen may judge otherwise: what either calls one counts.
        let seen = table.review.iter().flat_map(|review| review.turns.values());
        let wanted = turns.iter().chain(seen).filter(|turn| is_wanted(turn));
        let nodes: BTreeSet<u32> = wanted.map(|turn| turn.node).collect();
        if nodes.is_empty() {
            return self.tell("The review found no blunder and no missed win of yours.");
        }
        let nodes = nodes.into_iter().collect();
        let find = FindMistakes { table: table.state.table.clone(), nodes };
        self.ask(&find, |director, mistakes| {
            let known = director.app.own_puzzles.len();
            for mistake in mistakes.puzzles {
                director.take_own_puzzle(mistake.puzzle);
            }
            let new = director.app.own_puzzles.len() - known;
            if new > 0 {
                director.files.keep_own_puzzles(&director.app.own_puzzles);
            }
            director.tell(match (new, mistakes.unproved.len()) {
                (0, 0) => "These mistakes are puzzles already.".to_string(),
                (0, _) => "None of your mistakes there can be proved to be one.".to_string(),
                (1, _) => "One of your mistakes is a puzzle now.".to_string(),
                (new, _) => format!("{new} of your mistakes are puzzles now."),
            });
        });
    }

    /// Takes a puzzle from a game of one's own, unless its position is there already. Its name must
    /// be its own.
    fn take_own_puzzle(&mut self, mut puzzle: Puzzle) {
        let own = &mut self.app.own_puzzles;
        if own.iter().any(|known| known.start == puzzle.start && known.game == puzzle.game) {
            return;
        }
        let is_taken = |name: &str| own.iter().any(|known| known.name == name);
        if is_taken(&puzzle.name) {
            let names = (2..).map(|number| format!("{}-{number}", puzzle.name));
            puzzle.name = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
        }
        own.push(puzzle);
    }

    // ── Progress ──

    pub(super) fn export_progress(&mut self) {
        match self.files.export_progress(&self.app.progress) {
            Ok(to) => self.tell(format!("Your progress is in {}.", to.display())),
            Err(problem) => self.problem(problem),
        }
    }

    /// Forgets everything that was learnt, after the question was answered.
    pub(super) fn delete_progress(&mut self) {
        self.hide_panel(Panel::ConfirmDeleteProgress);
        self.note_progress(Note::Deletion);
        self.tell("Your progress is deleted. Saved games are where they were.");
    }
}
