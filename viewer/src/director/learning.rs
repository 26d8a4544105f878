//! Lessons: steps that are shown on the board and judged, and the game at their end with comments.

use tabuleiro_protocol::lesson::{Goal, Lesson, Progress, Sight};
use tabuleiro_protocol::method::{GetLesson, New, Play, Search, Undo};
use tabuleiro_protocol::progress::Note;
use tabuleiro_protocol::{Choice, Event, LevelRole, Limits, PerSeat, Player, Score, Seat, Turn};

use super::Director;
use crate::app::Screen;
use crate::command::Panel;
use crate::exercise::{Exercise, Judgement, Task};
use crate::state::TableView;
use crate::text::sentence;

/// How many positions are looked at to find out whether a turn wins, or fails to hold.
const NODES: u64 = 50_000;
/// How many are looked at to comment on a game.
const GLANCE: u64 = 4_000;

impl Director {
    /// Begins the lesson of a game, or goes on with it where it was left.
    pub(super) fn learn(&mut self, game: String) {
        self.hide_panel(Panel::Lessons);
        let is_on_the_table =
            |exercise: &Exercise| exercise.task.lesson().is_some_and(|(lesson, _)| lesson.game == game);
        if self.app.exercise.as_ref().is_some_and(is_on_the_table) {
            self.app.screen = Screen::Board;
            return;
        }
        self.with_lesson(game, |director, lesson| {
            let at = director.app.progress.next_step(&lesson.game, lesson.steps.len());
            director.begin_step(lesson, at);
        });
    }

    /// Asks for the lesson of a game unless it is there, and does something with it.
    fn with_lesson(&mut self, game: String, then: impl FnOnce(&mut Director, Lesson) + 'static) {
        if let Some(Some(lesson)) = self.app.lessons.get(&game) {
            let lesson = lesson.clone();
            return then(self, lesson);
        }
        self.ask(&GetLesson { game: game.clone() }, move |director, taught| {
            director.app.lessons.insert(game, taught.lesson.clone());
            match taught.lesson {
                Some(lesson) => then(director, lesson),
                None => director.tell("There is no lesson for this game. Its rules are there to be read."),
            }
        });
    }

    /// Asks for the lessons of all games, so that they can be offered.
    pub(super) fn ask_for_lessons(&mut self) {
        let games = self.app.hello.iter().flat_map(|hello| &hello.games).map(|game| game.id.clone());
        for game in games.collect::<Vec<String>>() {
            if !self.app.lessons.contains_key(&game) {
                self.ask_quietly(&GetLesson { game: game.clone() }, move |director, taught| {
                    director.app.lessons.insert(game, taught.lesson);
                });
            }
        }
    }

    /// Goes to a step of the lesson on the table.
    pub(super) fn go_to_step(&mut self, at: usize) {
        let Some(Exercise { task: Task::Lesson { lesson, .. }, .. }) = &self.app.exercise else {
            return self.tell("There is no lesson on the table.");
        };
        let lesson = lesson.clone();
        match at < lesson.steps.len() {
            true => self.begin_step(lesson, at),
            false => self.end_lesson(),
        }
    }

    pub(super) fn step_by(&mut self, forward: bool) {
        let at = match self.app.exercise.as_ref().map(|exercise| &exercise.task) {
            Some(Task::Lesson { at, .. }) => *at,
            Some(Task::Puzzle { .. }) if forward => return self.next_puzzle(),
            _ => return self.tell("There is no lesson on the table."),
        };
        match (forward, at) {
            (true, at) => self.go_to_step(at + 1),
            (false, 0) => self.tell("This is the first step."),
            (false, at) => self.go_to_step(at - 1),
        }
    }

    /// Nothing is left to be learnt: from here one plays.
    fn end_lesson(&mut self) {
        let Some(exercise) = &self.app.exercise else { return };
        let game = exercise.task.game().to_string();
        self.leave_table();
        self.app.screen = Screen::Home;
        self.tell("That was the lesson. From here you play games of your own.");
        self.prepare(game);
    }

    pub(super) fn leave_lesson(&mut self) {
        if self.app.exercise.is_none() {
            return self.tell("There is no lesson on the table.");
        }
        self.leave_table();
        self.show_home();
    }

    /// Lays out the position of a step.
    fn begin_step(&mut self, lesson: Lesson, at: usize) {
        self.decline_lesson(&lesson.game);
        let Some(step) = lesson.steps.get(at) else { return };
        let enemy = match &step.goal {
            Goal::Game(level) => Some(Player::Ai { level: self.level_called(level), limits: None }),
            _ => None,
        };
        let file = enemy.is_some().then(|| self.files.place_for(&lesson.game));
        let PerSeat { one, two } = Exercise::seats(enemy);
        let new = New {
            game: lesson.game.clone(),
            options: Some(step.options.clone().unwrap_or_else(|| lesson.options.clone())),
            seed: None,
            start: step.start.clone(),
            held: false,
            seats: Some(PerSeat { one: Some(one), two: Some(two) }),
        };
        let title = step.title.clone();
        let task = Task::Lesson { lesson, at };
        let again = task.clone();
        self.pending.opening = self.ask_or(
            &new,
            move |director, opened| {
                let seat = match task.enemy() {
                    Some(_) => Seat::One,
                    None => opened.state.to_move.unwrap_or(Seat::One),
                };
                director.leave_table();
                let mut table = TableView::new(opened.state);
                table.learner = Some(seat);
                director.sit_down(table, file);
                director.app.exercise = Some(Exercise::new(task, seat));
            },
            move |director, error| {
                let reason = error.data.as_ref().and_then(|data| data["reason"].as_str());
                let reason = reason.unwrap_or(&error.message).to_string();
                director.problem(format!("The step \"{title}\" cannot be shown: {}", sentence(&reason)));
                // The others can be.
                if let Task::Lesson { lesson, at } = again
                    && at + 1 < lesson.steps.len()
                {
                    director.begin_step(lesson, at + 1);
                }
            },
        );
    }

    /// The level that a lesson names: one that the engine has, or whoever has this role there.
    fn level_called(&self, word: &str) -> String {
        let level = self.app.hello.as_ref().and_then(|hello| hello.level_called(word));
        level.map_or_else(|| word.to_string(), |level| level.id.clone())
    }

    /// The step on the table once more, because its engine has ended.
    pub(super) fn begin_exercise_again(&mut self) -> bool {
        let Some(exercise) = self.app.exercise.take() else { return false };
        // The table went with the engine: there is nothing to close.
        self.clear_table();
        match exercise.task {
            Task::Lesson { lesson, at } => self.begin_step(lesson, at),
            Task::Puzzle { puzzle, .. } => self.lay_out_puzzle(*puzzle),
        }
        true
    }

    // ── Trying ──

    /// Something was played at the table of an exercise.
    pub(super) fn note_attempt(&mut self, events: &[Event]) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        let state = &table.state;
        let by = state.last.as_ref().map(|last| last.seat);
        if exercise.is_game() {
            exercise.unseen.extend(
                by.into_iter().flat_map(|seat| events.iter().map(move |event| (seat, event.clone()))),
            );
            return self.note_change_of_exercise();
        }
        if by != Some(exercise.seat) {
            exercise.answered();
            return;
        }
        if exercise.verdict != Judgement::Open {
            return;
        }
        if exercise.task.puzzle().is_some() {
            exercise.verdict = Judgement::Judged;
            return self.judge_puzzle();
        }
        match exercise.played(events, state) {
            Progress::GoesOn => {}
            Progress::Done => self.done_with_step(),
            Progress::Missed => self.missed(),
            Progress::Unproved => self.look_for_proof(),
        }
    }

    /// The table of an exercise is not as it was: something was taken back, or its game is over.
    pub(super) fn note_change_of_exercise(&mut self) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        exercise.taken_back_to(table.state.ply);
        let is_over = table.state.outcome.is_some();
        if exercise.is_game() && is_over && exercise.verdict == Judgement::Open {
            self.done_with_step();
        }
    }

    fn done_with_step(&mut self) {
        let Some(exercise) = &mut self.app.exercise else { return };
        exercise.verdict = Judgement::Done;
        let Some((lesson, at)) = exercise.task.lesson() else { return };
        let Some(step) = lesson.steps.get(at) else { return };
        let words = step.well.clone().unwrap_or_else(|| "Well done.".into());
        if !exercise.is_game() {
            exercise.remarks.push(words);
        }
        let (game, of) = (lesson.game.clone(), lesson.steps.len());
        self.note_progress(Note::Step { game, step: at, of, day: self.app.today });
    }

    fn missed(&mut self) {
        let Some(exercise) = &mut self.app.exercise else { return };
        exercise.verdict = Judgement::Missed;
        let answer = exercise.answer();
        exercise.remarks.push(answer);
    }

    /// Lets the enemy look for a way out, and play on if that is what the step is about.
    fn look_for_proof(&mut self) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        exercise.verdict = Judgement::Judged;
        let (name, ply) = (table.state.table.clone(), table.state.ply);
        let search = Search {
            table: name.clone(),
            limits: Some(Limits { nodes: Some(NODES), ..Limits::default() }),
            level: self.level_for(LevelRole::Analysis),
            ply: Some(ply),
            ..Search::default()
        };
        let is_still_so = move |director: &Director| {
            let is_judged = |exercise: &Exercise| exercise.verdict == Judgement::Judged;
            director.table_name().as_ref() == Some(&name)
                && director.ply() == Some(ply)
                && director.app.exercise.as_ref().is_some_and(is_judged)
        };
        let as_before = is_still_so.clone();
        self.ask_or(
            &search,
            move |director, choice| {
                if is_still_so(director) {
                    director.proved(choice);
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

    fn proved(&mut self, choice: Choice) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        let Some(step) = exercise.task.step() else { return };
        match step.goal.proved(choice.score.proved) {
            Progress::Done => self.done_with_step(),
            Progress::Missed => self.missed(),
            Progress::GoesOn | Progress::Unproved => {
                let state = &table.state;
                let answer =
                    Play { table: state.table.clone(), ply: Some(state.ply), actions: choice.actions };
                self.ask(&answer, |director, played| {
                    director.we_played(&played.events, played.state);
                    director.go_on_after_answer();
                });
            }
        }
    }

    fn go_on_after_answer(&mut self) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        exercise.verdict = Judgement::Open;
        if table.state.outcome.as_ref().is_some_and(|outcome| outcome.winner != Some(exercise.seat)) {
            self.missed();
        }
    }

    /// Puts the pieces back as they were when the step began.
    pub(super) fn try_again(&mut self) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else {
            return self.tell("There is nothing to try again.");
        };
        if exercise.is_game() {
            return self.undo();
        }
        let ply = table.state.ply;
        exercise.reset();
        if ply > 0 {
            self.change(|table| Undo { table, turns: None, actions: Some(ply), ask: false });
        }
    }

    /// Whether something is to be found on the board, and no whole game played.
    pub(super) fn is_practising(&self) -> bool {
        self.app.exercise.as_ref().is_some_and(|exercise| !exercise.is_game())
    }

    /// Whether what was tried is judged already, or being judged: then nothing is played.
    pub(super) fn is_exercise_closed(&self) -> bool {
        self.is_practising()
            && self.app.exercise.as_ref().is_some_and(|exercise| exercise.verdict != Judgement::Open)
    }

    /// A click or a move where nothing is to be played: after a miss everything is put back.
    pub(super) fn play_in_closed_exercise(&mut self) {
        match self.app.exercise.as_ref().map(|exercise| exercise.verdict.clone()) {
            Some(Judgement::Missed) => self.try_again(),
            Some(Judgement::Done) => self.tell("This is done. Go on with the next one."),
            _ => self.tell("The computer looks at your turn."),
        }
    }

    /// What the lesson says to those who ask.
    pub(super) fn hint_in_exercise(&mut self) {
        let Some(exercise) = &mut self.app.exercise else { return };
        if exercise.task.puzzle().is_some() {
            return self.hint_in_puzzle();
        }
        match exercise.task.step().is_some_and(|step| step.hint.is_some()) {
            true => exercise.is_hint_shown = true,
            false => self.tell("There is no hint for this step: its text says it all."),
        }
    }

    pub(super) fn decline_lesson(&mut self, game: &str) {
        self.note_progress(Note::Offer { game: game.into() });
    }

    // ── The game at the end ──

    /// Asks what there is to say about the game of a lesson, whenever the learner is to begin a turn
    /// and when it is over.
    pub(super) fn ask_for_comments(&mut self) {
        let (Some(exercise), Some(table)) = (&self.app.exercise, &self.app.table) else { return };
        let state = &table.state;
        let is_turn_begun = state.last.as_ref().is_some_and(|last| Some(last.seat) == state.to_move);
        let is_our_time = state.to_move == Some(exercise.seat) && !is_turn_begun;
        if !exercise.is_game() || exercise.commented == Some((state.ply, state.outcome.is_some())) {
        } else if state.outcome.is_some() {
            self.comment(None);
        } else if is_our_time {
            let (name, ply) = (state.table.clone(), state.ply);
            // What helps to read the position was asked for before, and is answered at once.
            let search = Search {
                table: name.clone(),
                limits: Some(Limits { nodes: Some(GLANCE), ..Limits::default() }),
                level: self.level_for(LevelRole::Analysis),
                ply: Some(ply),
                ..Search::default()
            };
            self.ask_quietly(&search, move |director, choice| {
                if director.table_name() == Some(name) && director.ply() == Some(ply) {
                    director.comment(Some(choice.score));
                }
            });
        }
    }

    fn comment(&mut self, score: Option<Score>) {
        let (Some(exercise), Some(table)) = (&mut self.app.exercise, &self.app.table) else { return };
        let Some(step) = exercise.task.step() else { return };
        let state = &table.state;
        let is_ours = |turn: &&Turn| turn.seat == exercise.seat && turn.ply <= state.ply;
        let sight = Sight {
            seat: exercise.seat,
            turns: table.turns.iter().filter(is_ours).count() as u32,
            events: &exercise.unseen,
            overlays: table.known_overlays(),
            score,
            outcome: state.outcome.as_ref().map(|outcome| outcome.winner),
        };
        let comments = exercise.commentator.look(&step.comments, &sight);
        exercise.remarks.extend(comments);
        exercise.unseen.clear();
        exercise.commented = Some((state.ply, state.outcome.is_some()));
    }
}
