//! Which command does what, and the commands that only open and close something.

use macroquad::math::Vec2;
use tabuleiro_protocol::method::{Hurry, Resign, Rules};

use super::Director;
use crate::app::Screen;
use crate::command::{Command, Panel, ReviewCommand};
use crate::state::TableView;

/// To somebody who wants to change a table of others.
pub(super) const ONLY_WATCHING: &str = "You are only watching this table.";

impl Director {
    /// Does what is asked. `pointer` is where in the window it was asked, for what is answered
    /// there.
    pub fn dispatch(&mut self, command: Command, pointer: Vec2) {
        if !matches!(command, Command::Hover(_) | Command::Consider(_)) {
            self.clear_refusal();
        }
        if self.app.engine_has_gone && command.needs_engine() {
            return self.problem("The engine has gone. Join it again first.");
        }
        let command = match self.app.screen == Screen::Editor {
            true => match self.dispatch_to_editor(command) {
                Some(command) => command,
                None => return,
            },
            false => command,
        };
        if command.is_about_now() && !self.coming.is_empty() {
            self.catch_up();
        }
        let screen = self.app.screen.clone();
        self.carry_out(command, pointer);
        // What was said about the position is not said about another page.
        if self.app.screen != screen {
            self.app.message.take_if(|message| message.is_of_position);
        }
    }

    fn carry_out(&mut self, command: Command, pointer: Vec2) {
        match command {
            // The window does these by itself.
            Command::Camera(_) | Command::Window(_) => {}

            Command::ShowHome => self.show_home(),
            Command::Back => self.leave_preparing(),
            Command::PrepareGame(game) => self.prepare(game),
            Command::PrepareAnother => {
                self.app.is_to_watch = false;
                self.prepare_another();
            }
            Command::ReadRules(game) => self.ask_for_rules(game),
            Command::StartGame(game) => self.start_game(game),
            Command::Rematch { seats_changed } => self.rematch(seats_changed),
            Command::ContinueGame => self.continue_game(),
            Command::LoadGame(path) => self.load_game(path),
            Command::ReviewGame(path) => {
                self.is_to_review = true;
                self.load_game(path);
            }
            Command::RenameGame(path, name) => self.rename_game(&path, name.trim()),
            Command::DeleteGame(path) => self.delete_game(&path),
            Command::RestoreGame => self.restore_game(),
            Command::ExportGame(path) => match self.files.export_game(&path) {
                Ok(to) => self.tell(format!("The game is saved in {}.", to.display())),
                Err(problem) => self.problem(problem),
            },
            Command::WatchComputers => {
                self.prepare_another();
                self.app.is_to_watch = true;
            }
            Command::ListTables => self.list_tables(),
            Command::Watch(table) => self.watch(table),
            Command::TakeSeat(table, seat) => self.take_seat(table, seat),
            Command::TakeFreeSeat => self.take_free_seat(),
            Command::LeaveTable => self.walk_away(),
            Command::JoinAgain => self.join_again(),
            Command::Learn(game) => self.learn(game),
            Command::DeclineLesson(game) => self.decline_lesson(&game),
            Command::GoToStep(at) => self.go_to_step(at),
            Command::NextStep => self.step_by(true),
            Command::PreviousStep => self.step_by(false),
            Command::TryAgain => self.try_again(),
            Command::LeaveLesson => self.leave_lesson(),
            Command::StartPuzzle(name) => self.start_puzzle(&name),
            Command::NextPuzzle => self.next_puzzle(),
            Command::PuzzleOfTheDay => self.puzzle_of_the_day(),
            Command::GiveUp => self.give_up(),
            Command::WantPuzzles(filter) => self.app.puzzle_filter = filter,
            Command::MakePuzzles => self.make_puzzles(),
            Command::ExportProgress => self.export_progress(),
            Command::DeleteProgress => self.delete_progress(),
            Command::Show(panel) => self.show_panel(panel),
            Command::Hide(panel) => self.hide_panel(panel),
            Command::Toggle(panel) if self.app.panels.contains(&panel) => self.hide_panel(panel),
            Command::Toggle(panel) => self.show_panel(panel),
            Command::Escape => self.escape(),

            Command::Hover(target) => self.hover(target),
            Command::Point(target) => self.point(target, pointer),
            Command::Play(action) => self.play(vec![action]),
            Command::TypeMove(text) => self.type_move(&text),
            Command::MoveCursor { right, down } => self.move_cursor(right, down),
            Command::PointAtCursor => self.point_at_cursor(pointer),
            Command::Consider(action) => self.consider(action.as_deref()),
            Command::Done => self.done(),
            Command::NextOpen { backwards } => self.next_open(backwards),
            Command::SkipMovement => self.app.motion.skip(),
            Command::ReplayTurn => self.replay_turn(),
            Command::ToggleReach => self.toggle_reach(),
            Command::Drag(from, to) => self.drag(from, to, pointer),
            Command::Hint if self.is_practising() => self.hint_in_exercise(),
            Command::Hint => self.hint(),
            Command::ToggleAnalysis => self.toggle_analysis(),
            Command::ToggleThreat => self.toggle_threat(),
            Command::PointAtLine(line) => self.point_at_line(line),
            Command::ChooseLine(line) => self.choose_line(line),
            Command::NextLine { backwards } => self.next_line(backwards),
            Command::ChangeLines { more } => self.change_lines(more),

            Command::Undo if self.is_exercise_closed() => self.try_again(),
            Command::Undo if self.app.trial.as_ref().is_some_and(|trial| trial.is_done()) => {
                self.review(ReviewCommand::Try)
            }
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Agree => self.agree(),
            Command::Resign(_) | Command::SetSeat(..) if self.app.trial.is_some() => {
                self.tell("This is only a try: the game is not touched.")
            }
            Command::Resign(seat) => {
                self.hide_panel(Panel::ConfirmResign);
                self.change(|table| Resign { table, seat });
            }
            Command::MoveNow if self.app.is_paused() => self.step(),
            Command::MoveNow => {
                if let Some(table) = self.table_name() {
                    self.order(&Hurry { table });
                }
            }
            Command::TogglePause if self.app.is_paused() => self.resume(),
            Command::Pause | Command::TogglePause => self.pause(),
            Command::Resume => self.resume(),
            Command::SetSeat(seat, to) => {
                self.app.paused = false;
                self.is_turn_awaited = false;
                self.set_seat(seat, to);
            }
            Command::LookAt(ply) => self.look_at(ply),
            Command::LookBack => self.look_by_turn(true),
            Command::LookAhead => self.look_by_turn(false),
            Command::LookAtNow => self.look_at_now(),
            Command::PlayOnFromHere => self.play_on_from_here(),

            Command::Tree(command) => self.change_tree(command),
            Command::Review(command) => self.review(command),

            Command::Change(settings) => self.change_settings(*settings),
            Command::SaveAgain => self.save_again(),
            Command::KeepGamesIn(folder) => self.keep_games_in(&folder),
            Command::DismissMessage => self.app.message = None,

            Command::OpenFile(path) => self.open_file(&path),
            Command::OpenText(text) => self.open_text(&text, "The text"),
            Command::OpenReadable => self.accept_offer(),
            // What is marked in a text that lies over the board is copied by the text itself.
            Command::Copy(_) if self.is_anything_over_board() => {}
            Command::Copy(what) => self.copy(what),
            Command::Edit(command) => self.do_edit(command),
            Command::MakeFilm(order) => self.make_film(order),
            Command::CancelFilm => self.cancel_film(),
        }
    }

    /// A game like the one that was played last; at first, the first one that there is.
    fn prepare_another(&mut self) {
        let last = self.app.table.as_ref().map(|table| &table.state.game);
        let last = last.or_else(|| self.app.saved.first().map(|saved| &saved.game));
        let first = || self.app.hello.as_ref()?.games.first().map(|game| &game.id);
        if let Some(game) = last.or_else(first).cloned() {
            self.prepare(game);
        }
    }

    pub(super) fn prepare(&mut self, game: String) {
        // Who only changes the game goes on with the same page.
        if !matches!(self.app.screen, Screen::Prepare(_)) {
            self.app.prepared_from = self.app.screen.clone();
            self.app.is_to_watch = false;
        }
        self.app.screen = Screen::Prepare(game);
    }

    fn leave_preparing(&mut self) {
        match self.app.prepared_from {
            Screen::Board if self.app.table.is_some() => self.app.screen = Screen::Board,
            _ => self.show_home(),
        }
    }

    fn show_panel(&mut self, panel: Panel) {
        let table = self.app.table.as_ref();
        match panel {
            Panel::ConfirmResign if table.is_none_or(|table| table.resigning().is_none()) => {
                return self.tell("You have no seat to resign.");
            }
            Panel::MoveEntry if table.is_some_and(TableView::is_watched) => {
                return self.tell(ONLY_WATCHING);
            }
            Panel::MoveEntry if !self.app.can_type_move() => {
                let is_over = table.is_some_and(|table| table.state.outcome.is_some());
                let is_past = table.is_some_and(|table| table.looked_at.is_some());
                return self.tell(match (is_past, is_over) {
                    (true, _) => "You are looking back. End leads back to now; then you can type a move.",
                    (false, true) => "The game is over: there is no move to type.",
                    (false, false) => "There is no move to type now.",
                });
            }
            Panel::ConfirmQuit if self.app.unsaved.is_empty() => return,
            Panel::Damaged if self.app.offered.is_none() => return,
            Panel::Film if table.is_none_or(|table| table.turns.is_empty()) => {
                return self.tell("There is no game to make a film of.");
            }
            Panel::Comment if table.is_none_or(|table| table.tree.is_none() || table.is_line_shown()) => {
                return self.tell("There is nothing to comment on here.");
            }
            Panel::Comment if table.is_some_and(TableView::is_watched) => return self.tell(ONLY_WATCHING),
            Panel::BotFailed if table.is_none_or(|table| table.failed.is_none()) => return,
            Panel::BotLog => self.ask_for_bot_logs(),
            Panel::Position => self.ask_for_text(),
            Panel::Lessons => self.ask_for_lessons(),
            Panel::Puzzles | Panel::Progress => self.ask_for_puzzles(),
            Panel::Rules => {
                let games = self.app.hello.iter().flat_map(|hello| &hello.games).map(|game| game.id.clone());
                games.collect::<Vec<String>>().into_iter().for_each(|game| self.ask_for_rules(game));
            }
            _ => {}
        }
        self.app.panels.insert(panel);
    }

    pub(super) fn hide_panel(&mut self, panel: Panel) {
        if panel == Panel::Damaged {
            self.decline_offer();
        }
        self.app.panels.remove(&panel);
    }

    fn ask_for_rules(&mut self, game: String) {
        if !self.app.rules.contains_key(&game) {
            self.ask(&Rules { game: game.clone() }, |director, rules| {
                director.app.rules.insert(game, rules.text);
            });
        }
    }

    /// What lies over the board, the uppermost first.
    fn over_board(&self) -> Option<Panel> {
        let beside = [Panel::Game, Panel::Review];
        self.app.panels.iter().rev().copied().find(|panel| !beside.contains(panel))
    }

    pub(super) fn is_anything_over_board(&self) -> bool {
        self.over_board().is_some()
    }

    /// Takes back what was done last, the smallest thing first.
    fn escape(&mut self) {
        if let Some(panel) = self.over_board() {
            self.hide_panel(panel);
        } else if self.app.pick.back() {
            self.ask_for_next_step();
            self.ask_for_preview();
        } else if self.app.screen == Screen::Board && self.is_in_mid_turn() {
            self.undo();
        } else if let Screen::Prepare(_) = self.app.screen {
            self.leave_preparing();
        } else if self.app.trial.is_some() {
            self.review(ReviewCommand::Leave);
        } else if self.app.table.as_ref().is_some_and(TableView::is_line_shown) {
            self.review(ReviewCommand::Line);
        } else if self.app.analysis.chosen.is_some() {
            self.choose_line(None);
        } else if self.app.table.as_ref().is_some_and(|table| table.looked_at.is_some()) {
            self.look_at_now();
        } else if self.app.analysis.is_on {
            self.end_analysis();
        } else if self.app.panels.contains(&Panel::Review) {
            self.review(ReviewCommand::Close);
        } else if let Some(table) = &mut self.app.table {
            table.hint = None;
        }
    }
}
