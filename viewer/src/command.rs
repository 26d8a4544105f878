//! Everything a person can ask of the window. Keys, buttons and scripts all end up here, so that
//! what one of them can do the others can.

use std::path::PathBuf;

use serde_json::Value;
use tabuleiro_protocol::{Mark, Options, PerSeat, Player, Seat};

use crate::app::PuzzleFilter;
use crate::board::{Cell, Target};
use crate::editor::Hand;
use crate::film::FilmOrder;
use crate::settings::Settings;

/// What the director does, except for [`Command::Camera`] and [`Command::Window`].
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// What the window does with its camera.
    Camera(CameraCommand),
    /// What else only a window can do.
    Window(WindowCommand),

    ShowHome,
    /// Leaves the page of a new game for what was there before.
    Back,
    /// Lets the person say who plays and with which options.
    PrepareGame(String),
    /// The same for a game like the one that was played last; at first, for the first one that
    /// there is.
    PrepareAnother,
    StartGame(NewGame),
    /// The same game between the same players once more.
    Rematch {
        seats_changed: bool,
    },
    /// Goes on with the game that was played last.
    ContinueGame,
    LoadGame(PathBuf),
    /// Opens a saved game and looks through it.
    ReviewGame(PathBuf),
    /// Gives a saved game a name; an empty one takes it away.
    RenameGame(PathBuf, String),
    DeleteGame(PathBuf),
    /// Puts the game back that was deleted last.
    RestoreGame,
    /// Writes the record of a game where other programs can take it.
    ExportGame(PathBuf),
    /// Lets computers play a game like the last one.
    WatchComputers,
    /// Shows the tables at the engine that was joined, as they are now.
    ListTables,
    /// Looks on at the table of somebody else.
    Watch(String),
    /// Plays a seat that its table's maker left open.
    TakeSeat(String, Seat),
    /// The same at the table that is shown, if a seat is free there.
    TakeFreeSeat,
    LeaveTable,
    /// Looks whether the engine that has gone away is there again.
    JoinAgain,
    /// Asks for the rules of a game, unless they are there.
    ReadRules(String),
    /// Begins the lesson of a game, or goes on with it.
    Learn(String),
    /// Says no to the lesson that is offered with the first game of a kind.
    DeclineLesson(String),
    /// Goes to a step of the lesson on the table, counted from 0.
    GoToStep(usize),
    NextStep,
    PreviousStep,
    /// Puts the pieces back as they were when the exercise began.
    TryAgain,
    /// Leaves a lesson or a puzzle.
    LeaveLesson,
    /// Lays out a puzzle.
    StartPuzzle(String),
    /// Lays out the puzzle that should come next of those that are wanted.
    NextPuzzle,
    PuzzleOfTheDay,
    /// Shows how the puzzle on the table goes.
    GiveUp,
    WantPuzzles(PuzzleFilter),
    /// Makes puzzles of the mistakes that a review has found in the game on the table.
    MakePuzzles,
    ExportProgress,
    DeleteProgress,
    Show(Panel),
    Hide(Panel),
    Toggle(Panel),
    /// Takes back the last pointing; if there is none, closes what is open.
    Escape,

    /// The pointer has come to this place, or to none.
    Hover(Option<Target>),
    Point(Target),
    Play(String),
    /// What was typed as a move: actions with spaces between them.
    TypeMove(String),
    /// Moves the cursor over the board, as it is seen.
    MoveCursor {
        right: i32,
        down: i32,
    },
    /// Chooses the marked place, or the one of several actions that is looked at.
    PointAtCursor,
    /// Looks at what an action would do that has a button, or at nothing any more.
    Consider(Option<String>),
    /// Plays the only action that needs no more pointing.
    Done,
    /// Puts the cursor on the next place that may be pointed at, or on the one before; where it is only
    /// left to say which action is meant, looks at the next one.
    NextOpen {
        backwards: bool,
    },
    SkipMovement,
    /// Shows the last turn before the position that is shown once more.
    ReplayTurn,
    /// Shows what could happen within a turn, or no longer does.
    ToggleReach,
    /// Something was taken from one place and put on another.
    Drag(Target, Target),

    Undo,
    Redo,
    /// Lets the other player take back or play again what it asks for.
    Agree,
    Resign(Seat),
    Hint,
    /// Looks into the position that is shown until somebody has seen enough, or ends that.
    ToggleAnalysis,
    /// What the other seat would do if it were its turn, or what is best after all.
    ToggleThreat,
    /// The pointer is on one of the best lines, or on none.
    PointAtLine(Option<usize>),
    /// Plays one of the best lines as ghosts, or none.
    ChooseLine(Option<usize>),
    NextLine {
        backwards: bool,
    },
    /// Looks for one more of the best turns, or for one less.
    ChangeLines {
        more: bool,
    },
    /// Lets the computer play the best it has found so far; in a pause, one turn.
    MoveNow,
    Pause,
    Resume,
    /// Pauses, or ends the pause.
    TogglePause,
    SetSeat(Seat, Player),
    /// Shows the game as it was after so many actions.
    LookAt(usize),
    LookBack,
    LookAhead,
    LookAtNow,
    /// Goes on from the position that is looked at. What was played from there stays, as a variation.
    PlayOnFromHere,

    /// About the game as a tree.
    Tree(TreeCommand),
    /// About what every turn was worth.
    Review(ReviewCommand),

    Change(Box<Settings>),
    /// Tries to write again what could not be written.
    SaveAgain,
    /// Keeps games in the folder that was typed, or in the usual one if nothing was.
    KeepGamesIn(String),
    DismissMessage,

    /// Opens a game in a file: a saved game, a record, a line of text.
    OpenFile(PathBuf),
    /// Opens a game that was written or copied somewhere.
    OpenText(String),
    /// Opens what could be read of a damaged game.
    OpenReadable,
    /// Puts the game or the position on the clipboard, as one line of text.
    Copy(Copied),
    /// Sets up a position.
    Edit(EditCommand),
    /// Writes the game, or a part of it, as moving pictures.
    MakeFilm(FilmOrder),
    CancelFilm,
}

/// What is copied as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// With its variations.
    Game,
    /// The one that is shown.
    Position,
}

/// What is done in the position editor besides pointing at cells.
#[derive(Clone, Debug, PartialEq)]
pub enum EditCommand {
    /// Begins with the position that is shown, if one is.
    Open,
    /// Begins with another game, or with other options.
    SetUp(String, Options),
    /// Takes something into the hand.
    Take(Hand),
    Put(Cell, String),
    RemoveAtCursor,
    CycleAtCursor,
    /// Sets a member of the start by its name; null takes it away.
    Say(String, Value),
    Empty,
    AtStart,
    AsOnTable,
    /// Begins a game there, with the players of the last one.
    Play,
    /// Begins a game there in which the person plays both sides.
    Analyse,
    Leave,
}

impl Command {
    pub const QUIT: Command = Command::Window(WindowCommand::Quit);

    pub fn view(from: Viewpoint) -> Command {
        Command::Camera(CameraCommand::View(from))
    }

    /// Whether it is about the table as it is now, and not about what is still moving there.
    pub fn is_about_now(&self) -> bool {
        use Command::*;
        let is_for_game = matches!(self, Undo | Redo | Agree | Resign(_) | SetSeat(..) | PlayOnFromHere);
        let is_look = matches!(self, LookAt(_) | LookBack | LookAhead | LookAtNow | Tree(_) | Review(_));
        is_for_game || is_look || matches!(self, Play(_) | TypeMove(_))
    }

    /// Whether it is about the game on the table, whatever else is on the screen.
    pub fn is_about_table(&self) -> bool {
        use Command::*;
        let is_asked = matches!(self, Hint | MoveNow | Pause | Resume | TogglePause | Done | ReplayTurn);
        let is_left = matches!(self, Rematch { .. } | TakeFreeSeat | LeaveTable);
        self.is_about_now() || is_asked || is_left
    }

    /// Whether nothing can come of it without an engine.
    pub fn needs_engine(&self) -> bool {
        use Command::*;
        let is_for_table = matches!(self, Watch(_) | TakeSeat(..) | TakeFreeSeat | SetSeat(..) | LeaveTable);
        let is_for_game =
            matches!(self, Undo | Redo | Agree | Resign(_) | Hint | MoveNow | Pause | Resume | TogglePause);
        let is_for_look = matches!(self, LookAt(_) | LookBack | LookAhead | LookAtNow | PlayOnFromHere);
        let is_move = matches!(self, Play(_) | TypeMove(_) | ToggleAnalysis | ToggleThreat);
        let is_new =
            matches!(self, StartGame(_) | LoadGame(_) | ReviewGame(_) | Rematch { .. } | WatchComputers);
        let is_new = is_new
            || matches!(self, OpenFile(_) | OpenText(_) | OpenReadable | Copy(_) | Edit(_) | MakeFilm(_));
        let is_lesson = matches!(self, Learn(_) | GoToStep(_) | NextStep | PreviousStep | TryAgain)
            || matches!(self, StartPuzzle(_) | NextPuzzle | PuzzleOfTheDay | MakePuzzles);
        let is_for_tree = is_lesson || matches!(self, Tree(_) | Review(_));
        is_for_table || is_for_game || is_for_look || is_for_tree || is_move || is_new
    }
}

/// What is done with the game as a tree. All but the first are about the position that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeCommand {
    /// Shows the game as it is at this node.
    LookAt(u32),
    /// Looks at what else was played instead, one variation after the other.
    Variation { backwards: bool },
    /// Says something about the position; an empty text takes it away.
    Comment(String),
    /// Says what to think of the turn.
    Mark(Option<Mark>),
    /// The next one of all marks, and then none.
    NextMark,
    /// Moves the variation one place forward.
    Promote,
    /// Removes the turn and all that comes after it.
    Delete,
    /// Puts back what was deleted last.
    Restore,
    /// Folds the variation that begins with this node away, or the one that is shown; or shows it
    /// again.
    Fold(Option<u32>),
}

/// What is done with the review of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewCommand {
    /// Looks through the game, or goes on where it was; if that is done, shows what was found.
    Start,
    Cancel,
    /// Closes the review: the game is listed as before.
    Close,
    /// Goes to the next mistake, or to the one before.
    Mistake {
        backwards: bool,
    },
    /// Looks at the turn of this number.
    Turn(usize),
    /// Shows the better line, or hides it.
    Line,
    /// Plays one action of that line, or takes one back.
    Step {
        backwards: bool,
    },
    /// Lets the person find a better turn; once more, if one was tried.
    Try,
    /// Puts what was tried into the game as a variation, and goes back there.
    Keep,
    /// Looks longer at every turn from now on, or after the longest the shortest. What was judged
    /// is judged anew.
    NextEffort,
    /// Back from the tries to the review.
    Leave,
}

/// Turns, moves or draws near the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraCommand {
    View(Viewpoint),
    Orbit { yaw: f32, pitch: f32 },
    Pan { x: f32, y: f32 },
    Zoom(f32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WindowCommand {
    /// To a file, or to one of the window's own choice.
    TakeScreenshot(Option<PathBuf>),
    ToggleFullScreen,
    /// Opens the game on the clipboard.
    Paste,
    /// Closes the window, unless something is not saved: then it asks.
    Quit,
    QuitUnsaved,
}

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewpoint {
    Seat(Seat),
    Top,
    /// From the other side.
    Flipped,
    /// As it was at the start.
    Reset,
}

/// What can be opened beside or over the board, what lies over something else after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Panel {
    /// The list of turns, the evaluation and who plays.
    Game,
    /// What every turn was worth, in the place of the panel of the game.
    Review,
    /// Nothing to be seen: while it is open, Tab, arrows and Enter are for the buttons instead of
    /// the board.
    Buttons,
    /// The line to type a move in.
    MoveEntry,
    Settings,
    Rules,
    Keys,
    Console,
    SavedGames,
    /// Where games are kept.
    Folder,
    /// What bots have written for people.
    BotLog,
    /// The position, the last turn and what is expected, as text.
    Position,
    /// The lessons of all games.
    Lessons,
    /// What is said about the position that is shown.
    Comment,
    Puzzles,
    /// What was learnt and played.
    Progress,
    ConfirmResign,
    /// Whether to quit although something is not saved.
    ConfirmQuit,
    /// Which part of the game a film shows.
    Film,
    /// Whether to open what can be read of a damaged game.
    Damaged,
    /// What to do about a bot that did not play its turn.
    BotFailed,
    /// Whether to delete what was learnt and played.
    ConfirmDeleteProgress,
}

/// A game that is to be started.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGame {
    pub game: String,
    pub options: Options,
    pub seats: PerSeat<Player>,
    pub seed: Option<u64>,
}
