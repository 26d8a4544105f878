//! Which key asks for what. What the window listens to and what the list of keys shows are this one
//! table.

use macroquad::input::KeyCode;
use tabuleiro_protocol::Seat;

use crate::command::{
    CameraCommand, Command, Copied, EditCommand, Panel, ReviewCommand, TreeCommand, Viewpoint, WindowCommand,
};

/// A key that is pressed, and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPress {
    pub code: KeyCode,
    pub ctrl: bool,
    pub shift: bool,
}

/// A key and what it asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub press: KeyPress,
    pub command: Command,
    /// What it does, in a few words. Keys that do the same have the same words.
    pub text: &'static str,
    pub group: Group,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Playing,
    Game,
    Reviewing,
    Looking,
    Windows,
}

impl Group {
    pub const ALL: [Group; 5] =
        [Group::Playing, Group::Game, Group::Reviewing, Group::Looking, Group::Windows];

    pub fn title(self) -> &'static str {
        match self {
            Group::Playing => "Making a move",
            Group::Game => "The game",
            Group::Reviewing => "Where it went wrong",
            Group::Looking => "Looking around",
            Group::Windows => "Everything else",
        }
    }
}

impl Binding {
    /// How people call the key: `Ctrl+Z`.
    pub fn name(&self) -> String {
        let ctrl = if self.press.ctrl { "Ctrl+" } else { "" };
        let shift = if self.press.shift { "Shift+" } else { "" };
        format!("{ctrl}{shift}{}", code_name(self.press.code))
    }

    /// Whether it means anything now. Away from the board, what is done on the board could not be
    /// seen.
    pub fn is_heard(&self, at_board: bool, focus: Focus) -> bool {
        let name = format!("{:?}", self.press.code);
        let is_function_key = name.len() > 1 && name.starts_with('F');
        let is_heard_always = is_function_key || self.press.code == KeyCode::Escape;
        let passes_focus = match focus {
            Focus::Nothing => true,
            // What a key has opened it closes, whatever has the focus there.
            Focus::Button => is_heard_always || self.press.ctrl || matches!(self.command, Command::Toggle(_)),
            Focus::Text => is_heard_always,
        };
        passes_focus && (at_board || is_heard_always || self.group == Group::Windows)
    }
}

/// What has the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    Nothing,
    /// A button or something else that Enter presses.
    Button,
    /// Text that is being typed.
    Text,
}

/// The keys that ask for this, in words: `PageUp or [`.
pub fn keys_for(command: &Command) -> Option<String> {
    // A key that opens a panel closes it, too.
    let bound = match command {
        Command::Pause | Command::Resume => Command::TogglePause,
        Command::Show(panel) | Command::Hide(panel) => Command::Toggle(*panel),
        other => other.clone(),
    };
    let names: Vec<String> =
        bindings().iter().filter(|key| key.command == bound).map(Binding::name).collect();
    (!names.is_empty()).then(|| names.join(" or "))
}

/// How far one press turns the camera, in radians.
const TURN: f32 = 0.12;
/// How much nearer one press brings the camera.
pub const NEARER: f32 = 0.2;
/// How far one press moves the board, in heights of the window.
const ASIDE: f32 = 0.1;

pub fn bindings() -> Vec<Binding> {
    use Group::*;
    use KeyCode as Code;

    let binding = |code, ctrl, shift, group, command, text| Binding {
        press: KeyPress { code, ctrl, shift },
        command,
        text,
        group,
    };
    let key = |group, code, command, text| binding(code, false, false, group, command, text);
    let ctrl = |group, code, command, text| binding(code, true, false, group, command, text);
    let shift = |group, code, command, text| binding(code, false, true, group, command, text);
    let step = |right, down| Command::MoveCursor { right, down };
    let orbit = |yaw, pitch| Command::Camera(CameraCommand::Orbit { yaw, pitch });
    let pan = |x, y| Command::Camera(CameraCommand::Pan { x, y });
    let zoom = |by| Command::Camera(CameraCommand::Zoom(by));
    let (view, toggle) = (Command::view, Command::Toggle);
    let (tree, review) = (Command::Tree, Command::Review);
    let variation = |backwards| tree(TreeCommand::Variation { backwards });
    let mistake = |backwards| review(ReviewCommand::Mistake { backwards });
    let along = |backwards| review(ReviewCommand::Step { backwards });

    vec![
        key(Playing, Code::Up, step(0, -1), "Move the cursor"),
        key(Playing, Code::Down, step(0, 1), "Move the cursor"),
        key(Playing, Code::Left, step(-1, 0), "Move the cursor"),
        key(Playing, Code::Right, step(1, 0), "Move the cursor"),
        key(Playing, Code::Enter, Command::PointAtCursor, "Choose the marked place or action"),
        key(Playing, Code::KpEnter, Command::PointAtCursor, "Choose the marked place or action"),
        key(
            Playing,
            Code::Tab,
            Command::NextOpen { backwards: false },
            "Next place or action that can be chosen",
        ),
        shift(
            Playing,
            Code::Tab,
            Command::NextOpen { backwards: true },
            "Previous place or action that can be chosen",
        ),
        key(Playing, Code::Escape, Command::Escape, "Take the last step back, or close what is open"),
        key(Playing, Code::M, toggle(Panel::MoveEntry), "Type a move"),
        key(Playing, Code::Slash, toggle(Panel::MoveEntry), "Type a move"),
        key(Playing, Code::E, Command::Done, "Done: that is all, or end the turn"),
        key(Playing, Code::Space, Command::SkipMovement, "Skip the movement"),
        key(Playing, Code::L, Command::ReplayTurn, "Show the last turn again"),
        key(Playing, Code::X, Command::ToggleReach, "Absorption: what could be absorbed within a turn"),
        ctrl(Game, Code::Z, Command::Undo, "Undo"),
        ctrl(Game, Code::Y, Command::Redo, "Redo"),
        key(Game, Code::Y, Command::Agree, "Agree to what the other player asks for"),
        key(Game, Code::H, Command::Hint, "Ask for a hint"),
        key(Game, Code::I, Command::ToggleAnalysis, "Analyse the position, or stop"),
        key(Game, Code::U, Command::ToggleThreat, "What the other side threatens, or what is best for you"),
        key(Game, Code::Period, Command::NextLine { backwards: false }, "Show the next line"),
        key(Game, Code::Comma, Command::NextLine { backwards: true }, "Show the previous line"),
        key(Game, Code::N, Command::MoveNow, "Make the computer move now; when paused, play one turn"),
        key(Game, Code::P, Command::TogglePause, "Pause, or continue"),
        key(Game, Code::PageUp, Command::LookBack, "Look back"),
        key(Game, Code::LeftBracket, Command::LookBack, "Look back"),
        key(Game, Code::PageDown, Command::LookAhead, "Look ahead"),
        key(Game, Code::RightBracket, Command::LookAhead, "Look ahead"),
        key(Game, Code::Home, Command::LookAt(0), "Look at the start"),
        key(Game, Code::End, Command::LookAtNow, "Back to now"),
        ctrl(Game, Code::End, Command::PlayOnFromHere, "Play on from the position shown"),
        shift(Game, Code::PageUp, variation(true), "Look at another variation"),
        shift(Game, Code::PageDown, variation(false), "Look at another variation"),
        ctrl(Game, Code::PageUp, tree(TreeCommand::Promote), "Move the variation up"),
        ctrl(Game, Code::Delete, tree(TreeCommand::Delete), "Delete the turn shown and all that follows"),
        ctrl(Game, Code::Insert, tree(TreeCommand::Restore), "Put back what was deleted"),
        key(Game, Code::Z, tree(TreeCommand::Fold(None)), "Fold the variation away, or show it"),
        shift(Game, Code::X, tree(TreeCommand::NextMark), "Mark the turn: ! ? !! ?? !? ?! or nothing"),
        key(Game, Code::C, toggle(Panel::Comment), "Comment on the position shown"),
        key(Reviewing, Code::G, review(ReviewCommand::Start), "Review the game, or resume the review"),
        shift(Reviewing, Code::K, mistake(false), "The next mistake"),
        shift(Reviewing, Code::J, mistake(true), "The previous mistake"),
        key(Reviewing, Code::B, review(ReviewCommand::Line), "Show the better line, or hide it"),
        shift(Reviewing, Code::B, review(ReviewCommand::Try), "Try to find a better turn"),
        key(Reviewing, Code::K, review(ReviewCommand::Keep), "Keep what you tried, as a variation"),
        ctrl(Reviewing, Code::G, review(ReviewCommand::Cancel), "Stop the review; it can go on later"),
        shift(Reviewing, Code::G, review(ReviewCommand::Close), "Close the review"),
        binding(
            Code::G,
            true,
            true,
            Reviewing,
            review(ReviewCommand::NextEffort),
            "Review quickly, as usual or thoroughly",
        ),
        shift(Reviewing, Code::Period, along(false), "Along the better line; arrows do it, too"),
        shift(Reviewing, Code::Comma, along(true), "Along the better line; arrows do it, too"),
        ctrl(Game, Code::M, Command::Rematch { seats_changed: false }, "Rematch, when the game is over"),
        ctrl(Game, Code::R, toggle(Panel::ConfirmResign), "Resign (asks first)"),
        key(Game, Code::T, Command::TakeFreeSeat, "Take a free seat at a table you watch"),
        ctrl(Game, Code::W, Command::LeaveTable, "Leave the table"),
        key(Looking, Code::Key1, view(Viewpoint::Seat(Seat::One)), "From seat 1"),
        key(Looking, Code::Key2, view(Viewpoint::Seat(Seat::Two)), "From seat 2"),
        key(Looking, Code::Key3, view(Viewpoint::Top), "From above"),
        key(Looking, Code::F, view(Viewpoint::Flipped), "From the other side"),
        key(Looking, Code::R, view(Viewpoint::Reset), "Reset the view"),
        key(Looking, Code::A, orbit(-TURN, 0.0), "Walk around the table"),
        key(Looking, Code::D, orbit(TURN, 0.0), "Walk around the table"),
        ctrl(Looking, Code::Left, orbit(-TURN, 0.0), "Walk around the table"),
        ctrl(Looking, Code::Right, orbit(TURN, 0.0), "Walk around the table"),
        key(Looking, Code::W, orbit(0.0, TURN), "Look from higher or lower"),
        key(Looking, Code::S, orbit(0.0, -TURN), "Look from higher or lower"),
        ctrl(Looking, Code::Up, orbit(0.0, TURN), "Look from higher or lower"),
        ctrl(Looking, Code::Down, orbit(0.0, -TURN), "Look from higher or lower"),
        shift(Looking, Code::Left, pan(-ASIDE, 0.0), "Shift the view"),
        shift(Looking, Code::Right, pan(ASIDE, 0.0), "Shift the view"),
        shift(Looking, Code::Up, pan(0.0, -ASIDE), "Shift the view"),
        shift(Looking, Code::Down, pan(0.0, ASIDE), "Shift the view"),
        key(Looking, Code::Equal, zoom(NEARER), "Nearer"),
        shift(Looking, Code::Equal, zoom(NEARER), "Nearer"),
        key(Looking, Code::KpAdd, zoom(NEARER), "Nearer"),
        key(Looking, Code::Minus, zoom(-NEARER), "Further away"),
        key(Looking, Code::KpSubtract, zoom(-NEARER), "Further away"),
        key(Windows, Code::F1, toggle(Panel::Keys), "This list of keys"),
        key(Windows, Code::F2, toggle(Panel::Rules), "Rules"),
        key(Windows, Code::F3, toggle(Panel::Settings), "Settings"),
        key(Windows, Code::F4, toggle(Panel::Console), "Console: what window and engine say to each other"),
        key(Windows, Code::F5, toggle(Panel::Game), "The panel beside the board"),
        key(
            Windows,
            Code::F6,
            toggle(Panel::Buttons),
            "Use Tab, arrows and Enter for the buttons, not the board",
        ),
        key(Windows, Code::F7, toggle(Panel::BotLog), "What bots have written"),
        key(Windows, Code::F8, Command::ListTables, "Shared tables"),
        key(Windows, Code::F9, Command::JoinAgain, "Reconnect to the engine"),
        key(Windows, Code::F10, Command::ShowHome, "Home"),
        key(Windows, Code::F11, Command::Window(WindowCommand::ToggleFullScreen), "Full screen"),
        key(Windows, Code::F12, Command::Window(WindowCommand::TakeScreenshot(None)), "Take a picture"),
        key(
            Game,
            Code::V,
            toggle(Panel::Position),
            "The position, the last turn and what is expected, as text",
        ),
        ctrl(Windows, Code::N, Command::PrepareAnother, "New game"),
        ctrl(Windows, Code::L, Command::ContinueGame, "Continue the last game"),
        ctrl(Windows, Code::O, toggle(Panel::SavedGames), "Saved games"),
        ctrl(Windows, Code::S, Command::SaveAgain, "Try again to save what is not saved"),
        ctrl(Windows, Code::D, toggle(Panel::Folder), "Where games are kept"),
        ctrl(Windows, Code::F12, toggle(Panel::Film), "Make a film of the game"),
        ctrl(Windows, Code::E, Command::Edit(EditCommand::Open), "Set up a position"),
        ctrl(
            Windows,
            Code::V,
            Command::Window(WindowCommand::Paste),
            "Paste: open the game on the clipboard",
        ),
        ctrl(Game, Code::C, Command::Copy(Copied::Game), "Copy the game as text"),
        binding(Code::C, true, true, Game, Command::Copy(Copied::Position), "Copy the position as text"),
        key(
            Game,
            Code::Delete,
            Command::Edit(EditCommand::RemoveAtCursor),
            "In the editor: take the piece away",
        ),
        key(Game, Code::Insert, Command::Edit(EditCommand::CycleAtCursor), "In the editor: the next piece"),
        ctrl(Windows, Code::J, toggle(Panel::Lessons), "Lessons"),
        ctrl(Game, Code::I, Command::GiveUp, "Give a puzzle up, and see how it goes"),
        ctrl(Game, Code::B, Command::MakePuzzles, "Make puzzles of your mistakes in the game"),
        ctrl(Windows, Code::K, toggle(Panel::Puzzles), "Puzzles"),
        ctrl(Windows, Code::U, toggle(Panel::Progress), "What you have learnt and played"),
        ctrl(Game, Code::Period, Command::NextStep, "Next step of a lesson, or next puzzle"),
        ctrl(Game, Code::Comma, Command::PreviousStep, "Previous step of a lesson"),
        ctrl(Game, Code::T, Command::TryAgain, "Try a step of a lesson again"),
        ctrl(Windows, Code::Q, Command::QUIT, "Quit (games are saved automatically)"),
    ]
}

fn code_name(code: KeyCode) -> String {
    match code {
        KeyCode::Key1 => "1".into(),
        KeyCode::Key2 => "2".into(),
        KeyCode::Key3 => "3".into(),
        KeyCode::Slash => "/".into(),
        KeyCode::Period => ".".into(),
        KeyCode::Comma => ",".into(),
        KeyCode::LeftBracket => "[".into(),
        KeyCode::RightBracket => "]".into(),
        KeyCode::Equal => "=".into(),
        KeyCode::Minus => "-".into(),
        KeyCode::KpAdd => "Keypad +".into(),
        KeyCode::KpSubtract => "Keypad -".into(),
        KeyCode::KpEnter => "Keypad Enter".into(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let bindings = bindings();
        for (index, key) in bindings.iter().enumerate() {
            for other in &bindings[index + 1..] {
                assert!(key.press != other.press, "{} is bound twice", key.name());
            }
        }
    }

    #[test]
    fn every_key_says_what_it_does_and_every_group_has_keys() {
        let bindings = bindings();
        assert!(bindings.iter().all(|key| !key.text.trim().is_empty()));
        assert!(Group::ALL.iter().all(|group| bindings.iter().any(|key| key.group == *group)));
    }

    #[test]
    fn no_single_key_loses_anything() {
        let loses = |command: &Command| {
            matches!(command, Command::Resign(_) | Command::StartGame(_) | Command::LoadGame(_))
        };
        assert!(!bindings().iter().any(|key| loses(&key.command)));
    }

    #[test]
    fn keys_have_names() {
        assert_eq!(keys_for(&Command::Undo).as_deref(), Some("Ctrl+Z"));
        assert_eq!(keys_for(&Command::LookBack).as_deref(), Some("PageUp or ["));
        assert_eq!(keys_for(&Command::Show(Panel::Rules)).as_deref(), Some("F2"));
        assert_eq!(keys_for(&Command::DismissMessage), None);
    }

    #[test]
    fn what_is_typed_or_pressed_elsewhere_does_nothing_to_the_board() {
        let heard = |at_board, focus| -> Vec<String> {
            bindings().iter().filter(|key| key.is_heard(at_board, focus)).map(Binding::name).collect()
        };
        let has = |keys: Vec<String>, name: &str| keys.contains(&name.to_string());
        assert_eq!(heard(true, Focus::Nothing).len(), bindings().len());
        for key in ["F1", "Escape"] {
            assert!(has(heard(true, Focus::Text), key) && has(heard(false, Focus::Text), key));
        }
        for key in ["F", "Enter", "Ctrl+Z"] {
            assert!(!has(heard(true, Focus::Text), key) && !has(heard(false, Focus::Nothing), key));
        }
        assert!(has(heard(false, Focus::Button), "Ctrl+L"));
        assert!(has(heard(true, Focus::Button), "V"), "it closes what it has opened");
        assert!(!has(heard(true, Focus::Button), "Tab"));
    }
}
