//! Setting up a position: what is done to it, and what the engine says of it.

use tabuleiro_protocol::method::{Check, Checked, Close, GameText, GetText, New, Opened, Problem};
use tabuleiro_protocol::{ErrorObject, Options, PerSeat, Player, Start};

use super::Director;
use crate::app::Screen;
use crate::board::{Cell, EMPTY, Target};
use crate::command::{Command, Copied, EditCommand};
use crate::editor::{Editor, Verdict};
use crate::text::sentence;

impl Director {
    /// Does what a command means while a position is set up. Gives back what means the same there
    /// as everywhere.
    pub(super) fn dispatch_to_editor(&mut self, command: Command) -> Option<Command> {
        let cell = |target: Target| match target {
            Target::Cell(cell) => Some(cell),
            Target::Edge(..) => None,
        };
        match command {
            Command::Hover(target) => self.app.pointed = target,
            Command::Point(target) => self.touch(cell(target)),
            Command::PointAtCursor => match self.app.pointed.and_then(cell) {
                Some(cell) => self.touch(Some(cell)),
                None => self.move_editing_cursor(0, 0),
            },
            Command::Drag(from, to) => {
                if let (Some(from), Some(to)) = (cell(from), cell(to)) {
                    self.edit(|editor| editor.carry(from, to));
                }
            }
            Command::MoveCursor { right, down } => self.move_editing_cursor(right, down),
            Command::NextOpen { backwards } => {
                if let Some(editor) = &mut self.app.editor {
                    editor.next_hand(backwards);
                }
            }
            Command::Undo if !self.app.editor.as_ref().is_some_and(|editor| editor.can_undo()) => {
                self.tell("Nothing has been changed yet.");
            }
            Command::Redo if !self.app.editor.as_ref().is_some_and(|editor| editor.can_redo()) => {
                self.tell("There is nothing to redo.");
            }
            Command::Undo => self.edit(Editor::undo),
            Command::Redo => self.edit(Editor::redo),
            Command::Copy(_) => self.copy_edited(),
            Command::Escape if !self.is_anything_over_board() => self.leave_editor(),
            other if other.is_about_table() => {
                self.tell("You are setting up a position. Leave the editor first.");
            }
            other => return Some(other),
        }
        None
    }

    pub(super) fn do_edit(&mut self, command: EditCommand) {
        match command {
            EditCommand::Open if self.app.screen == Screen::Editor => self.leave_editor(),
            EditCommand::Open => self.open_editor(None),
            EditCommand::SetUp(game, options) => self.open_editor(Some((game, options))),
            _ if self.app.editor.is_none() => self.tell("No position is being set up."),
            EditCommand::Take(hand) => {
                if let Some(editor) = &mut self.app.editor {
                    editor.hand = hand;
                }
            }
            EditCommand::Put(cell, token) => self.edit(|editor| editor.put(cell, &token)),
            EditCommand::RemoveAtCursor => self.edit_at_cursor(|editor, cell| editor.put(cell, EMPTY)),
            EditCommand::CycleAtCursor => self.edit_at_cursor(|editor, cell| editor.cycle(cell, false)),
            EditCommand::Say(name, value) => {
                self.edit(|editor| editor.set_member(&name, value));
            }
            EditCommand::Empty => self.edit(Editor::clear),
            EditCommand::AtStart => self.ask_for_start(),
            EditCommand::AsOnTable => self.ask_for_position_on_table(),
            EditCommand::Play => self.play_edited(self.usual_seats(), false),
            EditCommand::Analyse => self.play_edited(PerSeat::default(), true),
            EditCommand::Leave => self.leave_editor(),
        }
    }

    // ── Opening and leaving ──

    /// With the position that is shown, or with the start of a game.
    fn open_editor(&mut self, wanted: Option<(String, Options)>) {
        let shown = self.app.table.as_ref().filter(|_| self.app.screen == Screen::Board);
        let shown = shown.map(|table| (table.state.game.clone(), table.state.options.clone()));
        let is_from_table = wanted.is_none() && shown.is_some();
        let Some(hello) = &self.app.hello else { return };
        let last = self.app.saved.first().map(|saved| &saved.game);
        let other = || {
            let game = match &self.app.screen {
                Screen::Prepare(game) => Some(game),
                _ => last.or_else(|| hello.games.first().map(|game| &game.id)),
            };
            let game = game?.clone();
            let options = self.app.settings.new_games.get(&game).map(|choices| choices.options.clone());
            Some((game, options.unwrap_or_default()))
        };
        let Some((game, options)) = wanted.or(shown).or_else(other) else { return };
        let Some(info) = hello.games.iter().find(|known| known.id == game) else {
            return self.tell(format!("The engine has no game {game}."));
        };
        let mut all: Options =
            info.options.iter().map(|option| (option.name.clone(), option.default_value())).collect();
        all.extend(options);
        let before = self.app.editor.take().filter(|_| self.app.screen == Screen::Editor);
        let came_from = match &before {
            Some(before) => before.came_from.clone(),
            None => self.app.screen.clone(),
        };
        let mut editor = Editor::new(info, all, self.app.set_of(&game), came_from);
        // Whoever changes an option that changes no board goes on with the same position.
        if let Some(before) = before.as_ref().filter(|before| before.game == editor.game) {
            editor.hand = before.hand.clone();
        }
        let kept = before.filter(|before| before.game == editor.game).and_then(|before| before.start().ok());
        self.app.editor = Some(Box::new(editor));
        if self.app.screen != Screen::Editor {
            self.app.screen = Screen::Editor;
            self.app.visits += 1;
        }
        self.app.pointed = None;
        match is_from_table {
            true => self.ask_for_position_on_table(),
            false => self.ask_for_start_keeping(kept),
        }
    }

    pub(super) fn leave_editor(&mut self) {
        let Some(editor) = self.app.editor.take() else { return };
        self.app.pointed = None;
        match editor.came_from {
            Screen::Board if self.app.table.is_some() => self.app.screen = Screen::Board,
            Screen::Prepare(game) => self.app.screen = Screen::Prepare(game),
            _ => self.show_home(),
        }
        self.app.visits += 1;
    }

    fn ask_for_start(&mut self) {
        self.ask_for_start_keeping(None);
    }

    /// A table tells how the game begins, and is closed again. A position that fits the same board
    /// is kept.
    fn ask_for_start_keeping(&mut self, kept: Option<Start>) {
        let Some(editor) = &self.app.editor else { return };
        let (game, options) = (editor.game.clone(), editor.options());
        let new = New { game, options: Some(options), held: true, ..New::default() };
        self.ask(&new, move |director, opened: Opened| {
            let table = opened.table.clone();
            let begins = GetText { table: table.clone(), position: true, ..GetText::default() };
            let then = move |director: &mut Director, found: GameText| {
                let rows = opened.state.rows;
                let start = found.start.unwrap_or(Start { rows, ..Start::default() });
                let size =
                    |start: &Start| (start.rows.len(), start.rows.first().map(|row| row.split(' ').count()));
                let kept = kept.filter(|kept| size(kept) == size(&start));
                director.edit(|editor| editor.set_up(&kept.unwrap_or(start)));
            };
            director.ask(&begins, then);
            director.order(&Close { table });
        });
    }

    /// In the middle of a turn, and once the game is over, only the board and the seat are taken.
    fn ask_for_position_on_table(&mut self) {
        let Some(shown) = self.app.table.as_ref().map(|table| table.shown().clone()) else {
            return self.tell("There is no game on the table.");
        };
        let is_same = |editor: &Editor| editor.game == shown.game && editor.options == shown.options;
        if !self.app.editor.as_ref().is_some_and(|editor| is_same(editor)) {
            self.open_as_on_table(&shown.game, shown.options.clone());
        }
        let (rows, to_move) = (shown.rows.clone(), shown.to_move);
        let text =
            GetText { table: shown.table, node: Some(shown.node), position: true, ..GetText::default() };
        let then = |director: &mut Director, found: GameText| {
            if let Some(start) = found.start {
                director.edit(|editor| editor.set_up(&start));
            }
        };
        let refused = move |director: &mut Director, _: ErrorObject| {
            let start = Start { rows, to_move, ..Start::default() };
            director.edit(|editor| editor.set_up(&start));
        };
        self.ask_or(&text, then, refused);
    }

    /// The editor for another game or other options, with nothing on the board yet.
    fn open_as_on_table(&mut self, game: &str, options: Options) {
        let info = self.app.hello.iter().flat_map(|hello| &hello.games).find(|known| known.id == game);
        let (Some(info), Some(before)) = (info, &self.app.editor) else { return };
        let editor = Editor::new(info, options, self.app.set_of(game), before.came_from.clone());
        self.app.editor = Some(Box::new(editor));
        self.app.visits += 1;
    }

    // ── Changing ──

    /// Changes the position, and asks what the engine says of it.
    fn edit(&mut self, change: impl FnOnce(&mut Editor)) {
        let Some(editor) = &mut self.app.editor else { return };
        let before = editor.revision();
        change(editor);
        if editor.revision() != before {
            self.check_position();
        }
    }

    fn touch(&mut self, cell: Option<Cell>) {
        if let Some(cell) = cell {
            self.edit(|editor| editor.touch(cell));
        }
    }

    fn edit_at_cursor(&mut self, change: impl FnOnce(&mut Editor, Cell)) {
        match self.app.pointed {
            Some(Target::Cell(cell)) => self.edit(|editor| change(editor, cell)),
            _ => self.move_editing_cursor(0, 0),
        }
    }

    fn move_editing_cursor(&mut self, right: i32, down: i32) {
        let (columns, rows) = self.app.on_board(right, down);
        let Some(editor) = &self.app.editor else { return };
        let (width, height) = (i32::from(editor.tokens().columns()), i32::from(editor.tokens().rows()));
        if width == 0 || height == 0 {
            return;
        }
        let (column, row) = match self.app.pointed.map(Target::cell) {
            Some(cell) => (i32::from(cell.column) + columns, i32::from(cell.row) + rows),
            None => (width / 2, height / 2),
        };
        let (column, row) = (column.clamp(0, width - 1), row.clamp(0, height - 1));
        self.app.pointed = Some(Target::Cell(Cell { column: column as u8, row: row as u8 }));
    }

    pub(super) fn check_position(&mut self) {
        let Some(editor) = &self.app.editor else { return };
        let (revision, game, options) = (editor.revision(), editor.game.clone(), editor.options());
        let start = match editor.start() {
            Ok(start) => start,
            Err(reason) => return self.judge(revision, Verdict::Wrong(problem(reason))),
        };
        let check = Check { game, options: Some(options), start };
        let then = move |director: &mut Director, checked: Checked| {
            let verdict = match checked {
                Checked { problem: Some(problem), .. } => Verdict::Wrong(problem),
                Checked { state, text, .. } => Verdict::Fine { text: text.unwrap_or_default(), state },
            };
            director.judge(revision, verdict);
        };
        self.ask_or(&check, then, move |director, error| {
            director.judge(revision, Verdict::Wrong(problem(error.message)));
        });
    }

    fn judge(&mut self, revision: u64, verdict: Verdict) {
        if let Some(editor) = self.app.editor.as_mut().filter(|editor| editor.revision() == revision) {
            editor.verdict = verdict;
        }
    }

    // ── What becomes of it ──

    /// Those who played the last game of this kind, as far as the engine still has them.
    fn usual_seats(&self) -> PerSeat<Player> {
        let game = self.app.editor.as_ref().map(|editor| &editor.game);
        let last = game.and_then(|game| self.app.settings.new_games.get(game));
        let is_there = |player: &Player| match (player, &self.app.hello) {
            (Player::Ai { level, .. }, Some(hello)) => hello.levels.iter().any(|known| known.id == *level),
            (Player::Bot { name, .. }, Some(hello)) => hello.bots.contains(name),
            _ => true,
        };
        let seats = last.map(|choices| choices.seats.clone()).unwrap_or_default();
        if is_there(&seats.one) && is_there(&seats.two) { seats } else { PerSeat::default() }
    }

    /// Opens a table with the position, and perhaps looks into it at once.
    fn play_edited(&mut self, seats: PerSeat<Player>, analyses: bool) {
        let Some(editor) = &self.app.editor else { return };
        let start = match (&editor.verdict, editor.start()) {
            (Verdict::Wrong(problem), _) => return self.problem(sentence(&problem.reason)),
            (_, Err(reason)) => return self.problem(sentence(&reason)),
            (_, Ok(start)) => start,
        };
        let is_person = |player: &Player| matches!(player, Player::Client { .. });
        let new = New {
            game: editor.game.clone(),
            options: Some(editor.options()),
            seed: None,
            start: Some(start),
            held: !is_person(&seats.one) && !is_person(&seats.two),
            seats: Some(PerSeat { one: Some(seats.one), two: Some(seats.two) }),
        };
        self.pending.opening = self.ask(&new, move |director, opened| {
            director.app.editor = None;
            director.app.pointed = None;
            director.come_to(opened);
            if analyses && !director.app.analysis.is_on {
                director.toggle_analysis();
            }
        });
    }

    fn copy_edited(&mut self) {
        let Some(editor) = &self.app.editor else { return };
        match &editor.verdict {
            Verdict::Fine { text, .. } => self.copied(text.clone(), Copied::Position),
            Verdict::Wrong(problem) => self.problem(sentence(&problem.reason)),
            Verdict::Asked => self.tell("The engine is still looking at the position."),
        }
    }
}

fn problem(reason: String) -> Problem {
    Problem { reason, cell: None, field: None }
}
