//! What commands do.

use std::path::PathBuf;

use macroquad::math::Vec2;
use tabuleiro_protocol::method::{
    Explain, GetState, Hold, Hurry, Load, New, Play, Preview, Redo, Resign, Resume, Rules, Search, SetSeat,
    Undo,
};
use tabuleiro_protocol::{OptionValue, PerSeat, Player, Seat};

use super::{Asked, Director, MESSAGE_SECONDS};
use crate::app::{Message, Refusal, Screen};
use crate::board::{Cell, Edge, Target};
use crate::command::{Command, NewGame, Panel};
use crate::pick::Pointed;
use crate::table::Table;

/// To somebody who wants to change a table of others.
const ONLY_WATCHING: &str = "You are only watching this table.";

impl Director {
    /// Does what is asked. `pointer` is where in the window it was asked, for what is answered there.
    pub fn obey(&mut self, command: Command, pointer: Vec2) {
        self.app.refusal = None;
        if self.app.engine_has_gone && command.needs_engine() {
            return self.problem("The engine has gone. Join it again first.".into());
        }
        match command {
            Command::ShowHome => self.show_home(),
            Command::PrepareGame(game) => self.app.screen = Screen::Prepare(game),
            Command::PrepareAnother => {
                let last = self.app.table.as_ref().map(|table| table.state.game.clone());
                let last = last.or_else(|| self.app.saved.first().map(|saved| saved.game.clone()));
                let first = || {
                    self.app.hello.as_ref().and_then(|hello| hello.games.first()).map(|game| game.id.clone())
                };
                if let Some(game) = last.or_else(first) {
                    self.app.screen = Screen::Prepare(game);
                }
            }
            Command::ReadRules(game) => self.ask_for_rules(game),
            Command::StartGame(game) => self.start_game(game),
            Command::ContinueGame => self.continue_game(),
            Command::LoadGame(path) => self.load_game(path),
            Command::ListTables => self.list_tables(),
            Command::Watch(table) => self.watch(table),
            Command::TakeSeat(table, seat) => self.take_seat(table, seat),
            Command::TakeFreeSeat => self.take_free_seat(),
            Command::LeaveTable => self.walk_away(),
            Command::JoinAgain => self.join_again(),
            Command::Show(panel) => self.show_panel(panel),
            Command::Hide(panel) => self.hide_panel(panel),
            Command::Toggle(panel) if self.app.panels.contains(&panel) => self.hide_panel(panel),
            Command::Toggle(panel) => self.show_panel(panel),
            Command::Escape => self.escape(),

            Command::Point(target) => self.point(target, pointer),
            Command::Play(action) => self.play(vec![action]),
            Command::TypeMove(text) => {
                self.app.panels.remove(&Panel::MoveEntry);
                let actions: Vec<String> = text.split_whitespace().map(str::to_string).collect();
                if !actions.is_empty() {
                    self.play(actions);
                }
            }
            Command::MoveCursor { columns, rows } => self.move_cursor(columns, rows),
            Command::PointAtCursor => match self.app.pointed {
                Some(target) => self.point(target, pointer),
                None => self.move_cursor(0, 0),
            },
            Command::NextOpen { backwards } => self.next_open(backwards),
            Command::SkipMovement => self.app.motion.skip(),

            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::Resign(seat) => {
                self.app.panels.remove(&Panel::ConfirmResign);
                self.change(|table| Resign { table, seat });
            }
            Command::Hint => self.hint(),
            Command::MoveNow => {
                if let Some(table) = self.table_name() {
                    self.link.ask(Asked::Nothing, &Hurry { table });
                }
            }
            Command::Pause => {
                self.paused = true;
                self.change(|table| Hold { table });
            }
            Command::Resume => {
                self.paused = false;
                self.resume();
            }
            Command::SetSeat(seat, to) => {
                self.paused = false;
                self.set_seat(seat, to);
            }
            Command::LookAt(ply) => self.look_at(ply),
            Command::LookBack => {
                self.look_along(|turns, shown| turns.iter().rev().copied().find(|&ply| ply < shown))
            }
            Command::LookAhead => {
                self.look_along(|turns, shown| turns.iter().copied().find(|&ply| ply > shown))
            }
            Command::LookAtNow => {
                if let Some(ply) = self.ply() {
                    self.look_at(ply);
                }
            }
            Command::PlayOnFromHere => self.play_on_from_here(),

            Command::Change(settings) => {
                self.app.settings = *settings;
                self.files.keep_settings(&self.app.settings);
                self.ask_for_chances();
            }
            Command::DismissMessage => self.app.message = None,
            Command::View(_)
            | Command::Orbit { .. }
            | Command::Pan { .. }
            | Command::Zoom(_)
            | Command::TakePicture(_)
            | Command::ToggleFullScreen
            | Command::Quit => self.wishes.push(command),
        }
    }

    /// Says something for a while.
    pub fn tell(&mut self, text: String) {
        self.app.message = Some(Message { text, is_problem: false, seconds_left: MESSAGE_SECONDS });
    }

    /// Says that something went wrong.
    pub fn problem(&mut self, text: String) {
        self.app.message = Some(Message { text, is_problem: true, seconds_left: MESSAGE_SECONDS * 2.0 });
    }

    // ── Games ──

    fn start_game(&mut self, game: NewGame) {
        self.leave_table();
        let options = game.options.into_iter().map(|(name, value)| {
            let value = match value {
                OptionValue::Integer(number) => number.into(),
                OptionValue::Choice(word) => word.into(),
            };
            (name, value)
        });
        let seats = PerSeat { one: Some(game.seats.one), two: Some(game.seats.two) };
        let file = self.files.place_for(&game.game);
        let new = New {
            game: game.game,
            options: Some(options.collect()),
            seed: game.seed,
            start: None,
            seats: Some(seats),
        };
        self.link.ask(Asked::Open { file }, &new);
    }

    fn continue_game(&mut self) {
        if self.app.table.is_some() {
            self.app.screen = Screen::Board;
        } else if self.is_asked(|asked| matches!(asked, Asked::Open { .. })) {
            // It is coming. Another one would come after the first moves and take them away.
        } else if let Some(game) = self.app.saved.iter().find(|game| !game.finished) {
            self.load_game(game.path.clone());
        } else {
            self.tell("There is no game to go on with.".into());
        }
    }

    fn load_game(&mut self, path: PathBuf) {
        self.app.panels.remove(&Panel::SavedGames);
        match self.files.read_game(&path) {
            Ok(game) => {
                self.leave_table();
                self.link.ask(Asked::Open { file: path }, &Load { record: game.record });
            }
            Err(problem) => self.problem(problem),
        }
    }

    fn show_panel(&mut self, panel: Panel) {
        let table = self.app.table.as_ref();
        match panel {
            Panel::ConfirmResign if table.is_none_or(|table| table.resigning().is_none()) => {
                return self.tell("Nobody at this window plays a seat to resign for.".into());
            }
            Panel::MoveEntry if table.is_some_and(Table::is_watched) => {
                return self.tell(ONLY_WATCHING.into());
            }
            Panel::BotFailed if table.is_none_or(|table| table.failed.is_none()) => return,
            Panel::BotLog => self.ask_for_bot_logs(),
            _ => {}
        }
        self.app.panels.insert(panel);
        if panel == Panel::Rules {
            let games = self.app.hello.iter().flat_map(|hello| &hello.games).map(|game| game.id.clone());
            for game in games.collect::<Vec<String>>() {
                self.ask_for_rules(game);
            }
        }
    }

    fn ask_for_rules(&mut self, game: String) {
        if !self.app.rules.contains_key(&game) {
            self.link.ask(Asked::Rules { game: game.clone() }, &Rules { game });
        }
    }

    fn hide_panel(&mut self, panel: Panel) {
        self.app.panels.remove(&panel);
    }

    /// Takes back what was done last, the smallest thing first.
    fn escape(&mut self) {
        let over_the_board = self.app.panels.iter().rev().copied().find(|&panel| panel != Panel::Game);
        if let Some(panel) = over_the_board {
            self.app.panels.remove(&panel);
        } else if self.app.pick.back() {
        } else if let Screen::Prepare(_) = self.app.screen {
            self.show_home();
        } else if self.app.table.as_ref().is_some_and(|table| table.looked_at.is_some()) {
            self.obey(Command::LookAtNow, Vec2::ZERO);
        } else if let Some(table) = &mut self.app.table {
            table.hint = None;
        }
    }

    // ── Playing ──

    /// What is under the pointer, or under nothing.
    pub fn hover(&mut self, target: Option<Target>) {
        self.app.pointed = target;
        self.ask_for_preview();
    }

    /// Asks what the action under the pointer would do, once for each.
    fn ask_for_preview(&mut self) {
        let (Some(target), Some(table)) = (self.app.pointed, &self.app.table) else { return };
        if !self.app.settings.ghosts || !table.is_ours_to_move() {
            return;
        }
        let Some(action) = self.app.pick.complete_with(target).first().map(|detail| detail.action.clone())
        else {
            return;
        };
        let (name, ply) = (table.state.table.clone(), table.state.ply);
        if !self.previews.contains_key(&action) {
            self.previews.insert(action.clone(), None);
            let preview = Preview { table: name, actions: vec![action.clone()], ply: Some(ply) };
            self.link.ask(Asked::Preview { action, ply }, &preview);
        }
    }

    fn point(&mut self, target: Target, pointer: Vec2) {
        if !self.app.motion.is_still() {
            return self.app.motion.skip();
        }
        self.app.refusal = None;
        let Some(table) = &self.app.table else { return };
        if !table.is_ours_to_move() {
            let text = match (&table.looked_at, &table.state.outcome) {
                (Some(_), _) => "You are looking at another position of the game.",
                (_, Some(_)) => "The game is over.",
                _ if table.is_watched() => ONLY_WATCHING,
                _ if self.other_person_is_to_move(table) => "The other side is to move.",
                _ if table.state.held => "The computer waits: let it go on, or take its seat.",
                _ => "The computer is to move.",
            };
            self.app.refusal =
                Some(Refusal { text: text.into(), at: pointer, seconds_left: MESSAGE_SECONDS / 2.0 });
            return;
        }
        let name = table.state.table.clone();
        match self.app.pick.point(target) {
            Pointed::Action(action) => self.play(vec![action]),
            Pointed::Unclear => self.ask_for_preview(),
            Pointed::Nothing if self.app.pick.is_empty() => {}
            Pointed::Nothing => {
                let cells = self
                    .app
                    .pick
                    .chosen()
                    .iter()
                    .chain([&target])
                    .map(|target| target.cell().to_string())
                    .collect();
                let edge = match target {
                    Target::Edge(edge, _) => Some(edge.name().to_string()),
                    Target::Cell(_) => None,
                };
                self.link.ask(Asked::Explain { at: pointer }, &Explain { table: name, cells, edge });
            }
        }
    }

    fn play(&mut self, actions: Vec<String>) {
        let Some(table) = &self.app.table else { return };
        if table.looked_at.is_some() {
            return self.tell(
                "You are looking at another position of the game: go back to now, or play on from here."
                    .into(),
            );
        }
        self.paused = false;
        let play = Play { table: table.state.table.clone(), ply: Some(table.state.ply), actions };
        self.link.ask(Asked::Play, &play);
    }

    /// Cells and, where pieces come in over the edge, the places around them.
    fn move_cursor(&mut self, columns: i32, rows: i32) {
        let tokens = self.app.motion.final_tokens();
        let (width, height) = (i32::from(tokens.columns()), i32::from(tokens.rows()));
        if width == 0 {
            return;
        }
        let (mut column, mut row) = match self.app.pointed {
            Some(target) => grid_position(target),
            None => (width / 2, height / 2),
        };
        let margin = i32::from(self.app.pick.has_edges());
        column = (column + columns).clamp(-margin, width - 1 + margin);
        row = (row + rows).clamp(-margin, height - 1 + margin);
        let (on_board_column, on_board_row) = (column.clamp(0, width - 1), row.clamp(0, height - 1));
        // Beyond a corner there is nothing: stay beside the board.
        if column != on_board_column && row != on_board_row {
            if columns != 0 { row = on_board_row } else { column = on_board_column }
        }
        let cell = Cell { column: on_board_column as u8, row: on_board_row as u8 };
        let edge = Edge::ALL.into_iter().find(|edge| {
            let (x, y) = edge.outward();
            (column - on_board_column, row - on_board_row) == (x, y)
        });
        self.hover(Some(edge.map_or(Target::Cell(cell), |edge| Target::Edge(edge, cell))));
    }

    fn next_open(&mut self, backwards: bool) {
        let open = self.app.pick.open();
        if open.is_empty() {
            return;
        }
        let here = self.app.pointed.and_then(|pointed| open.iter().position(|&target| target == pointed));
        let next = match (here, backwards) {
            (Some(index), false) => (index + 1) % open.len(),
            (Some(index), true) => (index + open.len() - 1) % open.len(),
            (None, false) => 0,
            (None, true) => open.len() - 1,
        };
        self.hover(Some(open[next]));
    }

    // ── The course of the game ──

    /// Asks for something that changes the table.
    fn change<M: tabuleiro_protocol::method::Method>(&mut self, params: impl FnOnce(String) -> M) {
        match &self.app.table {
            Some(table) if table.is_watched() => self.tell(ONLY_WATCHING.into()),
            Some(table) => {
                let params = params(table.state.table.clone());
                self.link.ask(Asked::Change, &params);
            }
            None => {}
        }
    }

    fn set_seat(&mut self, seat: Seat, to: Player) {
        let Some(table) = &self.app.table else { return };
        let is_taken_by_guest = !table.is_maker && to == Player::default();
        match table.state.table.clone() {
            table if is_taken_by_guest => {
                self.link.ask(Asked::Join { seat: Some(seat) }, &SetSeat { table, seat, to })
            }
            _ => self.change(|table| SetSeat { table, seat, to }),
        }
    }

    fn other_person_is_to_move(&self, table: &Table) -> bool {
        let is_person = |seat: Seat| matches!(table.state.seats[seat], Player::Client { .. });
        table.state.to_move.is_some_and(|seat| is_person(seat) && !table.is_ours(seat))
    }

    pub(super) fn resume(&mut self) {
        self.change(|table| Resume { table });
    }

    /// Back to where a person was to move: the part of a turn that was played, or a turn with the computer's answer.
    fn undo(&mut self) {
        self.paused = true;
        let Some(table) = &self.app.table else { return };
        let state = &table.state;
        if state.ply == 0 {
            return self.tell("Nothing has been played yet.".into());
        }
        let in_mid_turn = state.outcome.is_none()
            && state.last.as_ref().is_some_and(|last| Some(last.seat) == state.to_move);
        if in_mid_turn {
            return self.change(|table| Undo { table, turns: None, actions: Some(1) });
        }
        let played: Vec<Seat> =
            table.turns.iter().filter(|turn| turn.ply <= state.ply).map(|turn| turn.seat).collect();
        let turns = played.iter().rev().position(|&seat| table.is_ours(seat)).map_or(1, |index| index + 1);
        self.change(|table| Undo { table, turns: Some(turns), actions: None });
    }

    fn redo(&mut self) {
        self.paused = true;
        let Some(table) = &self.app.table else { return };
        let state = &table.state;
        if state.undone == 0 {
            return self.tell("Nothing was taken back.".into());
        }
        let ahead: Vec<Seat> =
            table.turns.iter().filter(|turn| turn.ply > state.ply).map(|turn| turn.seat).collect();
        let turns = ahead
            .iter()
            .skip(1)
            .position(|&seat| table.is_ours(seat))
            .map_or(ahead.len(), |index| index + 1)
            .max(1);
        self.change(|table| Redo { table, turns: Some(turns), actions: None });
    }

    fn hint(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        if table.state.outcome.is_some() || table.hint_wanted {
            return;
        }
        if !table.state.to_move.is_some_and(|seat| table.is_ours(seat)) {
            return self.tell("There are hints for your own turns.".into());
        }
        table.hint_wanted = true;
        let search =
            Search { table: table.state.table.clone(), level: Some("expert".into()), ..Search::default() };
        let ply = table.state.ply;
        self.link.ask(Asked::Hint { table: search.table.clone(), ply }, &search);
    }

    fn look_at(&mut self, ply: usize) {
        if let Some(table) = self.table_name() {
            self.link.ask(Asked::Look, &GetState { table, ply: Some(ply) });
        }
    }

    /// Looks at the end of another turn: `choose` is given all of them, the start included, and where we are.
    fn look_along(&mut self, choose: impl Fn(&[usize], usize) -> Option<usize>) {
        let Some(table) = &self.app.table else { return };
        let mut plies = vec![0];
        plies.extend(table.turns.iter().map(|turn| turn.ply));
        if let Some(ply) = choose(&plies, table.shown().ply) {
            self.look_at(ply);
        }
    }

    fn play_on_from_here(&mut self) {
        self.paused = true;
        let Some(table) = &self.app.table else { return };
        let (shown, now) = (table.shown().ply, table.state.ply);
        if shown < now {
            self.change(|table| Undo { table, turns: None, actions: Some(now - shown) });
        } else if shown > now {
            self.change(|table| Redo { table, turns: None, actions: Some(shown - now) });
        }
    }
}

/// Where a target is in columns and rows; outside the board is one beyond.
fn grid_position(target: Target) -> (i32, i32) {
    let cell = target.cell();
    let (column, row) = (i32::from(cell.column), i32::from(cell.row));
    match target {
        Target::Cell(_) => (column, row),
        Target::Edge(edge, _) => {
            let (x, y) = edge.outward();
            (column + x, row + y)
        }
    }
}
