//! Scripted runs: steps from a file, one a line, carried out as a person would, and checked.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use tabuleiro_protocol::{Mark, OptionKind, OptionValue, Options, PerSeat, Player, Seat};

use crate::app::App;
use crate::board::Target;
use crate::command::{
    Command, Copied, EditCommand, NewGame, Panel, ReviewCommand, TreeCommand, Viewpoint, WindowCommand,
};
use crate::editor::{Hand, Verdict};
use crate::film::FilmOrder;
use crate::keys;
use crate::settings::Settings;
use crate::state::TableView;

/// How many seconds pass in every frame of a scripted run, so that pictures do not depend on the
/// machine.
pub const FRAME_SECONDS: f32 = 1.0 / 30.0;
/// A wait that lasts longer than this many frames has failed.
const LONGEST_WAIT: u32 = 60 * 60 * 5;
/// After so many frames panels that have just come are in their places.
const LAID_OUT: u32 = 4;
/// How wide and how high a window can be: X servers and graphics cards refuse what is beyond.
const WINDOW_SIZES: RangeInclusive<u32> = 32..=8192;

/// What a script does, line by line.
pub const HELP: &str = "\
new GAME [OPTION=VALUE …] [seed=N] [1=PLAYER] [2=PLAYER]   a game; a player is person, open, a level or bot:NAME
learn GAME            the lesson of a game, from the first step that is not done
puzzle NAME           a puzzle
load FILE             go on with a game that was saved
open FILE             open a game from outside; 'open readable' what can be read of a damaged one
paste TEXT            open a game that is one line of text
copy game | position  put it on the clipboard as text
film FILE [FROM TO]   write the game, or some of its turns, as an animated PNG
edit [STEP]           set up a position: empty, start, table, put CELL TOKEN, say NAME=VALUE, take TOKEN, play, analyse, leave
click CELL            click on a cell; 'click north c1' on the place before a cell of that edge
point CELL            only move the pointer there
choose WORDS          press the button that begins with these words
type MOVE …           type a move in the game's notation
key KEY               press a key, as Escape, Ctrl+Z or F1
play out              play on to the end of the game by clicking on whatever may be clicked
wait                  until the engine has answered and nothing moves
wait over             until the game is over
wait analysis N       until the position has been looked into so deep, or nothing more is found
seconds N             let so much time pass
view top | 1 | 2 | flip | reset
look NODE             look at a node of the game; 'play on' plays on from there
comment WORDS         say something about the position that is shown; 'comment -' takes it away
mark SIGN | none      mark the turn that is shown: ! ? !! ?? !? ?!
fold | promote | delete | restore     the variation or turn that is shown
review                look through the game
mistake next | previous
turn N                look at a turn of the review
line                  show the better line or hide it; 'step next' and 'step back' go along it
try                   find a better turn, or try once more; 'leave' goes back to the review
keep                  put what was tried into the game as a variation, and go back there
set NAME=VALUE        change a setting, as theme=Evening lamp
size WIDTHxHEIGHT     the size of the window, each from 32 to 8192
assert ply N | turn N | to_move N | phase WORD | outcome WORD | row N TOKENS… | prompt WORDS | message WORDS | screen WORD | copied WORDS | wrong WORDS | interrupted yes | unsaved yes | analysis WORDS | step N | verdict open | verdict done | verdict missed | node N | nodes N | rows N | comment WORDS | mark SIGN | judged N | judgement WORDS | along N | tried WORDS
picture FILE          write what is to be seen to a PNG file; right after 'seconds' also while something moves";

#[derive(Clone, Debug, PartialEq)]
enum ScriptStep {
    New { game: String, words: Vec<(String, String)> },
    Click(Target),
    Point(Target),
    Choose(String),
    Command(Box<Command>),
    PlayOut,
    Wait,
    WaitOver,
    WaitAnalysis(u32),
    Seconds(f32),
    Set(String, String),
    Size(u32, u32),
    Assert(Assertion),
    Picture(PathBuf),
}

#[derive(Clone, Debug, PartialEq)]
enum Assertion {
    Ply(usize),
    Turn(usize),
    ToMove(Seat),
    Phase(String),
    Outcome(String),
    Row(usize, String),
    Prompt(String),
    Message(String),
    Screen(String),
    Interrupted(bool),
    Unsaved(bool),
    Analysis(String),
    Copied(String),
    /// What the engine finds wrong with the position that is set up; `nothing` if it is none.
    Wrong(String),
    Step(usize),
    Verdict(String),
    Tree(TreeClaim, String),
}

/// Something that is so about the game as a tree, or about its review.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TreeClaim {
    /// The node that is shown.
    Node,
    /// How many nodes there are, the start included.
    Nodes,
    /// How many rows are listed.
    Rows,
    Comment,
    Mark,
    /// How many turns were judged.
    Judged,
    /// About the turn that is looked at.
    Judgement,
    /// How many actions of the better line were shown.
    Along,
    /// About the last try.
    Tried,
}

impl TreeClaim {
    fn found(self, table: &TableView, app: &App) -> Option<String> {
        let tree = table.tree.as_ref()?;
        let node = tree.get(table.shown().node);
        let review = table.review.as_ref();
        let found = match self {
            TreeClaim::Node => table.shown().node.to_string(),
            TreeClaim::Nodes => tree.len().to_string(),
            TreeClaim::Rows => tree.rows().len().to_string(),
            TreeClaim::Comment => node?.comment.clone()?,
            TreeClaim::Mark => node?.mark?.sign().to_string(),
            TreeClaim::Judged => review?.turns.len().to_string(),
            TreeClaim::Judgement => review?.looked_at()?.verdict.words().to_string(),
            TreeClaim::Along => review?.line.as_ref()?.step.to_string(),
            TreeClaim::Tried => app.trial.as_ref()?.verdict()?.verdict.words().to_string(),
        };
        Some(found)
    }
}

/// What the window has to do for a script in one frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    Nothing,
    Click(Target),
    Point(Target),
    Command(Box<Command>),
    /// Asks for a window of this size.
    Resize(u32, u32),
}

/// A script that cannot be read or did not hold, with the number of its line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {text}")]
pub struct ScriptError {
    pub line: usize,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Script {
    steps: Vec<(usize, ScriptStep)>,
    next: usize,
    /// Frames since the present step began.
    frames: u32,
    /// Whether the step before it let time pass.
    was_timed: bool,
    chance: u64,
}

impl Script {
    pub fn read(text: &str) -> Result<Script, ScriptError> {
        let mut steps = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let step = ScriptStep::from_str(line).map_err(|text| ScriptError { line: index + 1, text })?;
            steps.push((index + 1, step));
        }
        Ok(Script { steps, next: 0, frames: 0, was_timed: false, chance: 1 })
    }

    /// What is to be done in this frame. `settled`: everything asked is answered and nothing moves.
    /// `drawn`: the picture in the window is as good as it gets.
    pub fn frame(&mut self, app: &App, settled: bool, drawn: bool) -> Result<Act, ScriptError> {
        loop {
            let Some((line, step)) = self.steps.get(self.next).cloned() else {
                return Ok(act_of(Command::QUIT));
            };
            let failed = |text: String| ScriptError { line, text };
            self.frames += 1;
            if self.frames > LONGEST_WAIT {
                return Err(failed("this took too long".into()));
            }
            // Everything but waiting begins when the step before it has had its effect.
            // Computers that play each other would never let anything begin.
            let is_pause = step == step_of(Command::TogglePause);
            // Who lets time pass first wants to see what moves.
            let is_moment = self.was_timed && matches!(step, ScriptStep::Picture(_));
            let may_begin = settled
                || is_pause
                || is_moment
                || matches!(
                    step,
                    ScriptStep::WaitOver
                        | ScriptStep::WaitAnalysis(_)
                        | ScriptStep::Seconds(_)
                        | ScriptStep::PlayOut
                );
            if !may_begin {
                return Ok(Act::Nothing);
            }
            let act = match step {
                ScriptStep::New { game, words } => {
                    act_of(Command::StartGame(new_game(app, &game, &words).map_err(failed)?))
                }
                ScriptStep::Click(target) => Act::Click(target),
                ScriptStep::Point(target) => Act::Point(target),
                ScriptStep::Choose(words) => act_of(Command::Play(button(app, &words).map_err(failed)?)),
                ScriptStep::Command(command) => Act::Command(command),
                ScriptStep::Size(width, height) => Act::Resize(width, height),
                // What moves is never quite finished; what rests is soon.
                ScriptStep::Picture(_) if settled && (!drawn || self.frames < LAID_OUT) => {
                    return Ok(Act::Nothing);
                }
                ScriptStep::Picture(path) => {
                    act_of(Command::Window(WindowCommand::TakeScreenshot(Some(path))))
                }
                ScriptStep::Set(name, value) => {
                    act_of(Command::Change(Box::new(changed(&app.settings, &name, &value).map_err(failed)?)))
                }
                ScriptStep::Wait => Act::Nothing,
                ScriptStep::WaitOver if !(settled && is_over(app)) => return Ok(Act::Nothing),
                ScriptStep::WaitOver => Act::Nothing,
                ScriptStep::WaitAnalysis(depth) if !(settled && app.analysis.has_come_to(depth)) => {
                    return Ok(Act::Nothing);
                }
                ScriptStep::WaitAnalysis(_) => Act::Nothing,
                ScriptStep::Seconds(seconds) if self.frames as f32 * FRAME_SECONDS < seconds => {
                    return Ok(Act::Nothing);
                }
                ScriptStep::Seconds(_) => Act::Nothing,
                ScriptStep::PlayOut if settled && is_over(app) => Act::Nothing,
                ScriptStep::PlayOut if settled => return Ok(self.any_click(app)),
                ScriptStep::PlayOut => return Ok(Act::Nothing),
                ScriptStep::Assert(assertion) => {
                    assertion.check(app).map_err(failed)?;
                    self.advance();
                    continue;
                }
            };
            self.advance();
            return Ok(act);
        }
    }

    fn advance(&mut self) {
        self.was_timed = matches!(self.steps.get(self.next), Some((_, ScriptStep::Seconds(_))));
        self.next += 1;
        self.frames = 0;
    }

    /// Clicks on something that may be clicked, or presses one of the buttons.
    fn any_click(&mut self, app: &App) -> Act {
        if !app.table.as_ref().is_some_and(|table| table.is_ours_to_move()) {
            return Act::Nothing;
        }
        let (open, buttons) = (app.pick.open(), app.pick.complete());
        let count = open.len() + buttons.len();
        if count == 0 {
            return Act::Nothing;
        }
        self.chance =
            self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = (self.chance >> 33) as usize % count;
        match open.get(index) {
            Some(&target) => Act::Click(target),
            None => act_of(Command::Play(buttons[index - open.len()].action.clone())),
        }
    }
}

impl FromStr for ScriptStep {
    type Err = String;

    fn from_str(line: &str) -> Result<ScriptStep, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let words: Vec<&str> = rest.split_whitespace().collect();
        let step = match (word, words.as_slice()) {
            ("new", [game, settings @ ..]) => ScriptStep::New {
                game: game.to_string(),
                words: settings.iter().map(|word| pair(word)).collect::<Result<_, _>>()?,
            },
            ("load", [file]) => step_of(Command::LoadGame(file.into())),
            ("open", ["readable"]) => step_of(Command::OpenReadable),
            ("open", [_, ..]) => step_of(Command::OpenFile(rest.into())),
            ("paste", [_, ..]) => step_of(Command::OpenText(rest.to_string())),
            ("copy", ["game"]) => step_of(Command::Copy(Copied::Game)),
            ("copy", ["position"]) => step_of(Command::Copy(Copied::Position)),
            ("film", [file, turns @ ..]) => {
                let number = |word: &str| word.parse::<usize>().map_err(|_| format!("\"{word}\" is no turn"));
                let turns = match turns {
                    [] => None,
                    [from, to] => Some((number(from)?, number(to)?)),
                    _ => return Err("write: film FILE, or film FILE FROM TO".into()),
                };
                step_of(Command::MakeFilm(FilmOrder { turns, path: Some(file.into()) }))
            }
            ("edit", words) => step_of(Command::Edit(edit_step(words)?)),
            ("click", place) => ScriptStep::Click(target(place)?),
            ("point", place) => ScriptStep::Point(target(place)?),
            ("choose", [_, ..]) => ScriptStep::Choose(rest.to_string()),
            ("type", [_, ..]) => step_of(Command::TypeMove(rest.to_string())),
            ("key", [name]) => {
                let key = keys::bindings().into_iter().find(|key| key.name().eq_ignore_ascii_case(name));
                step_of(key.ok_or_else(|| format!("there is no key \"{name}\": F1 lists them"))?.command)
            }
            ("play", ["out"]) => ScriptStep::PlayOut,
            ("wait", []) => ScriptStep::Wait,
            ("wait", ["over"]) => ScriptStep::WaitOver,
            ("wait", ["analysis", depth]) => {
                ScriptStep::WaitAnalysis(depth.parse().map_err(|_| format!("\"{depth}\" is no depth"))?)
            }
            ("seconds", [seconds]) => ScriptStep::Seconds(
                seconds.parse().map_err(|_| format!("\"{seconds}\" is no number of seconds"))?,
            ),
            ("view", [view]) => step_of(Command::view(viewpoint(view)?)),
            ("show", [panel]) => step_of(Command::Show(named_panel(panel)?)),
            ("hide", [panel]) => step_of(Command::Hide(named_panel(panel)?)),
            ("look", [node]) => {
                let node = node.parse().map_err(|_| format!("\"{node}\" is no node"))?;
                step_of(Command::Tree(TreeCommand::LookAt(node)))
            }
            ("play", ["on"]) => step_of(Command::PlayOnFromHere),
            ("comment", ["-"]) => step_of(Command::Tree(TreeCommand::Comment(String::new()))),
            ("comment", [_, ..]) => step_of(Command::Tree(TreeCommand::Comment(rest.to_string()))),
            ("mark", ["none"]) => step_of(Command::Tree(TreeCommand::Mark(None))),
            ("mark", [sign]) => {
                let mark = Mark::from_sign(sign).ok_or_else(|| format!("\"{sign}\" is no mark"))?;
                step_of(Command::Tree(TreeCommand::Mark(Some(mark))))
            }
            ("fold", []) => step_of(Command::Tree(TreeCommand::Fold(None))),
            ("promote", []) => step_of(Command::Tree(TreeCommand::Promote)),
            ("delete", []) => step_of(Command::Tree(TreeCommand::Delete)),
            ("restore", []) => step_of(Command::Tree(TreeCommand::Restore)),
            ("review", []) => step_of(Command::Review(ReviewCommand::Start)),
            ("mistake", ["next"]) => step_of(Command::Review(ReviewCommand::Mistake { backwards: false })),
            ("mistake", ["previous"]) => step_of(Command::Review(ReviewCommand::Mistake { backwards: true })),
            ("turn", [number]) => {
                let number = number.parse().map_err(|_| format!("\"{number}\" is no number"))?;
                step_of(Command::Review(ReviewCommand::Turn(number)))
            }
            ("line", []) => step_of(Command::Review(ReviewCommand::Line)),
            ("step", ["next"]) => step_of(Command::Review(ReviewCommand::Step { backwards: false })),
            ("step", ["back"]) => step_of(Command::Review(ReviewCommand::Step { backwards: true })),
            ("try", []) => step_of(Command::Review(ReviewCommand::Try)),
            ("keep", []) => step_of(Command::Review(ReviewCommand::Keep)),
            ("leave", []) => step_of(Command::Review(ReviewCommand::Leave)),
            ("home", []) => step_of(Command::ShowHome),
            ("puzzle", [name]) => step_of(Command::StartPuzzle(name.to_string())),
            ("learn", [game]) => step_of(Command::Learn(game.to_string())),
            ("prepare", [game]) => step_of(Command::PrepareGame(game.to_string())),
            ("set", [_, ..]) => {
                let (name, value) = pair(rest)?;
                ScriptStep::Set(name, value)
            }
            ("size", [size]) => {
                let numbers = size
                    .split_once('x')
                    .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
                let (width, height) =
                    numbers.ok_or_else(|| format!("\"{size}\" is no size: write it as 1280x800"))?;
                if ![width, height].iter().all(|side| WINDOW_SIZES.contains(side)) {
                    let (least, most) = (WINDOW_SIZES.start(), WINDOW_SIZES.end());
                    return Err(format!("no window can be {size}: each side is from {least} to {most}"));
                }
                ScriptStep::Size(width, height)
            }
            ("assert", [_, ..]) => ScriptStep::Assert(rest.parse()?),
            ("picture", [file]) => ScriptStep::Picture(file.into()),
            _ => return Err(format!("\"{line}\" is no step. There is:\n{HELP}")),
        };
        Ok(step)
    }
}

impl FromStr for Assertion {
    type Err = String;

    fn from_str(text: &str) -> Result<Assertion, String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim().to_string();
        let number = |text: &str| text.parse::<usize>().map_err(|_| format!("\"{text}\" is no number"));
        Ok(match word {
            "ply" => Assertion::Ply(number(&rest)?),
            "turn" => Assertion::Turn(number(&rest)?),
            "to_move" => Assertion::ToMove(Seat::try_from(number(&rest)?.min(9) as u8)?),
            "phase" => Assertion::Phase(rest),
            "outcome" => Assertion::Outcome(rest),
            "row" => {
                let (row, tokens) =
                    rest.split_once(char::is_whitespace).ok_or("write: assert row NUMBER TOKENS")?;
                Assertion::Row(number(row)?, tokens.trim().to_string())
            }
            "prompt" => Assertion::Prompt(rest),
            "message" => Assertion::Message(rest),
            "screen" => Assertion::Screen(rest),
            "copied" => Assertion::Copied(rest),
            "wrong" => Assertion::Wrong(rest),
            "interrupted" => Assertion::Interrupted(yes_or_no(&rest)?),
            "unsaved" => Assertion::Unsaved(yes_or_no(&rest)?),
            "analysis" => Assertion::Analysis(rest),
            "step" => Assertion::Step(number(&rest)?),
            "verdict" => Assertion::Verdict(rest),
            "node" => Assertion::Tree(TreeClaim::Node, rest),
            "nodes" => Assertion::Tree(TreeClaim::Nodes, rest),
            "rows" => Assertion::Tree(TreeClaim::Rows, rest),
            "comment" => Assertion::Tree(TreeClaim::Comment, rest),
            "mark" => Assertion::Tree(TreeClaim::Mark, rest),
            "judged" => Assertion::Tree(TreeClaim::Judged, rest),
            "judgement" => Assertion::Tree(TreeClaim::Judgement, rest),
            "along" => Assertion::Tree(TreeClaim::Along, rest),
            "tried" => Assertion::Tree(TreeClaim::Tried, rest),
            other => return Err(format!("\"{other}\" cannot be asserted. There is:\n{HELP}")),
        })
    }
}

impl Assertion {
    fn check(&self, app: &App) -> Result<(), String> {
        let agree = |name: &str, wanted: &dyn ToString, found: String| match wanted.to_string() == found {
            true => Ok(()),
            false => Err(format!("{name} should be {} and is {found}", wanted.to_string())),
        };
        let hold = |name: &str, wanted: &str, found: &str| match found.contains(wanted) {
            true => Ok(()),
            false => Err(format!("the {name} should hold \"{wanted}\" and is \"{found}\"")),
        };
        if let Assertion::Screen(wanted) = self {
            return hold("screen", wanted, &format!("{:?}", app.screen).to_lowercase());
        }
        if let Assertion::Interrupted(wanted) = self {
            return agree("interrupted", wanted, app.interrupted.is_some().to_string());
        }
        if let Assertion::Unsaved(wanted) = self {
            return agree("unsaved", wanted, (!app.unsaved.is_empty()).to_string());
        }
        if let Assertion::Analysis(wanted) = self {
            return hold("analysis", wanted, &app.analysis.in_words(app.ghosts.as_ref()));
        }
        if let Assertion::Copied(wanted) = self {
            return hold("copied text", wanted, app.copied.as_deref().unwrap_or_default());
        }
        if let Assertion::Wrong(wanted) = self {
            let found = match app.editor.as_ref().map(|editor| &editor.verdict) {
                None => return Err("no position is being set up".into()),
                Some(Verdict::Wrong(problem)) => problem.reason.as_str(),
                Some(Verdict::Asked) => "not known",
                Some(Verdict::Fine { .. }) => "nothing",
            };
            return hold("problem", wanted, found);
        }
        if let Assertion::Message(wanted) = self {
            let told = app.message.as_ref().map(|message| message.text.as_str());
            let refused = app.refusal.as_ref().map(|refusal| refusal.text.as_str());
            return hold("message", wanted, told.or(refused).unwrap_or_default());
        }
        if let Assertion::Step(_) | Assertion::Verdict(_) = self {
            let exercise = app.exercise.as_ref().ok_or("there is no lesson on the table")?;
            let at = exercise.task.lesson().map_or(0, |(_, at)| at + 1);
            return match self {
                Assertion::Step(step) => agree("step", step, at.to_string()),
                Assertion::Verdict(word) => {
                    agree("verdict", word, format!("{:?}", exercise.verdict).to_lowercase())
                }
                _ => Ok(()),
            };
        }
        let table = app.table.as_ref().ok_or("there is no game")?;
        if let Assertion::Tree(claim, wanted) = self {
            let found = claim.found(table, app).unwrap_or("none".into());
            return agree(&format!("{claim:?}").to_lowercase(), wanted, found);
        }
        let state = table.shown();
        match self {
            Assertion::Ply(ply) => agree("ply", ply, state.ply.to_string()),
            Assertion::Turn(turn) => agree("turn", turn, state.turn.to_string()),
            Assertion::ToMove(seat) => {
                agree("to_move", seat, state.to_move.map(|seat| seat.to_string()).unwrap_or("nobody".into()))
            }
            Assertion::Phase(phase) => agree("phase", phase, state.phase.clone()),
            Assertion::Outcome(reason) => {
                let found = state.outcome.as_ref().map_or("none", |ending| &ending.reason);
                agree("outcome", reason, found.to_string())
            }
            Assertion::Row(number, tokens) => {
                let row = number.checked_sub(1).and_then(|index| state.rows.get(index));
                agree(&format!("row {number}"), tokens, row.cloned().unwrap_or("not there".into()))
            }
            Assertion::Prompt(words) => hold("prompt", words, &state.prompt),
            Assertion::Message(_)
            | Assertion::Copied(_)
            | Assertion::Wrong(_)
            | Assertion::Screen(_)
            | Assertion::Interrupted(_)
            | Assertion::Unsaved(_)
            | Assertion::Analysis(_)
            | Assertion::Step(_)
            | Assertion::Verdict(_)
            | Assertion::Tree(..) => Ok(()),
        }
    }
}

fn edit_step(words: &[&str]) -> Result<EditCommand, String> {
    Ok(match words {
        [] => EditCommand::Open,
        ["empty"] => EditCommand::Empty,
        ["start"] => EditCommand::AtStart,
        ["table"] => EditCommand::AsOnTable,
        ["put", place, token] => match target(&[place])? {
            Target::Cell(cell) => EditCommand::Put(cell, token.to_string()),
            Target::Edge(..) => return Err(format!("\"{place}\" is no cell")),
        },
        ["take", token] => EditCommand::Take(Hand::Piece(token.to_string())),
        ["say", member] => {
            let (name, value) = pair(member)?;
            EditCommand::Say(name, serde_json::from_str(&value).unwrap_or_else(|_| value.into()))
        }
        ["play"] => EditCommand::Play,
        ["analyse"] => EditCommand::Analyse,
        ["leave"] => EditCommand::Leave,
        other => return Err(format!("\"{}\" is no step of the editor", other.join(" "))),
    })
}

fn yes_or_no(word: &str) -> Result<bool, String> {
    match word {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("\"{other}\" is neither yes nor no")),
    }
}

fn step_of(command: Command) -> ScriptStep {
    ScriptStep::Command(Box::new(command))
}

fn act_of(command: Command) -> Act {
    Act::Command(Box::new(command))
}

fn is_over(app: &App) -> bool {
    app.table.as_ref().is_some_and(|table| table.state.outcome.is_some())
}

fn target(words: &[&str]) -> Result<Target, String> {
    match words {
        [cell] => {
            Ok(Target::Cell(cell.parse().map_err(|error: tabuleiro_protocol::NotACell| error.to_string())?))
        }
        [edge, cell] => Ok(Target::Edge(
            edge.parse().map_err(|error: tabuleiro_protocol::NotAnEdge| error.to_string())?,
            cell.parse().map_err(|error: tabuleiro_protocol::NotACell| error.to_string())?,
        )),
        _ => Err("write a cell, as c5, or an edge and a cell of it, as north c1".into()),
    }
}

fn pair(word: &str) -> Result<(String, String), String> {
    let (name, value) =
        word.split_once('=').ok_or_else(|| format!("\"{word}\" should be written NAME=VALUE"))?;
    Ok((name.to_string(), value.to_string()))
}

fn viewpoint(word: &str) -> Result<Viewpoint, String> {
    match word {
        "top" => Ok(Viewpoint::Top),
        "1" => Ok(Viewpoint::Seat(Seat::One)),
        "2" => Ok(Viewpoint::Seat(Seat::Two)),
        "flip" => Ok(Viewpoint::Flipped),
        "reset" => Ok(Viewpoint::Reset),
        other => Err(format!("\"{other}\" is no view: top, 1, 2, flip or reset")),
    }
}

fn named_panel(word: &str) -> Result<Panel, String> {
    match word {
        "settings" => Ok(Panel::Settings),
        "rules" => Ok(Panel::Rules),
        "keys" => Ok(Panel::Keys),
        "console" => Ok(Panel::Console),
        "game" => Ok(Panel::Game),
        "saved" => Ok(Panel::SavedGames),
        "bots" => Ok(Panel::BotLog),
        "folder" => Ok(Panel::Folder),
        "lessons" => Ok(Panel::Lessons),
        "puzzles" => Ok(Panel::Puzzles),
        "progress" => Ok(Panel::Progress),
        other => Err(format!(
            "\"{other}\" is no panel: settings, rules, keys, console, game, saved, bots, folder, lessons, puzzles or progress"
        )),
    }
}

/// The action of the button that begins with these words.
fn button(app: &App, words: &str) -> Result<String, String> {
    let wanted = words.to_lowercase();
    let buttons = app.pick.complete();
    let fits = |text: &str| text.to_lowercase().starts_with(&wanted);
    let found = buttons.iter().find(|detail| {
        detail.label.as_deref().is_some_and(fits) || fits(&detail.text) || detail.action == words
    });
    found.map(|detail| detail.action.clone()).ok_or_else(|| format!("there is no button \"{words}\" now"))
}

fn new_game(app: &App, game: &str, words: &[(String, String)]) -> Result<NewGame, String> {
    let hello = app.hello.as_ref().ok_or("the engine is not ready")?;
    let info = hello
        .games
        .iter()
        .find(|info| info.id == game)
        .ok_or_else(|| format!("there is no game \"{game}\""))?;
    let mut new =
        NewGame { game: game.to_string(), options: Options::new(), seats: PerSeat::default(), seed: Some(1) };
    for (name, value) in words {
        let player = || match value.as_str() {
            "person" => Player::default(),
            "open" => Player::Client { open: true, claimed: false },
            word => match word.strip_prefix("bot:") {
                Some(name) => Player::Bot { name: name.to_string(), limits: None },
                None => Player::Ai { level: word.to_string(), limits: None },
            },
        };
        let number = || value.parse::<u64>().map_err(|_| format!("\"{value}\" is no number"));
        match name.as_str() {
            "1" => new.seats.one = player(),
            "2" => new.seats.two = player(),
            "seed" => new.seed = Some(number()?),
            name => {
                let option = info
                    .options
                    .iter()
                    .find(|option| option.name == name)
                    .ok_or_else(|| format!("{game} has no option \"{name}\""))?;
                let value = match option.kind {
                    OptionKind::Integer { .. } => OptionValue::Integer(number()? as i64),
                    OptionKind::Choice { .. } => OptionValue::Choice(value.clone()),
                };
                new.options.insert(name.to_string(), value);
            }
        }
    }
    Ok(new)
}

/// Settings with one of them changed, by the name and the spelling that their file has.
fn changed(settings: &Settings, name: &str, value: &str) -> Result<Settings, String> {
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    let changed = settings.with(name, value).ok_or_else(|| format!("there is no setting \"{name}\""))?;
    changed.map_err(|wrong| wrong.complaint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_is_named() {
        let error = Script::read("# a script\nnew zurero size=9\nclick z\n").unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.to_string().contains("\"z\" is no cell"), "{error}");
        for line in [
            "fly",
            "click",
            "click up c1",
            "key Nothing",
            "view sideways",
            "set theme",
            "assert colour red",
            "assert interrupted perhaps",
            "size 7",
            "size 0x0",
            "size 99999x99999",
            "size -1x600",
            "size 4294967296x600",
            "size 800x31",
            "wait long",
        ] {
            assert!(Script::read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn settings_are_changed_by_name() {
        let settings = Settings::default();
        assert_eq!(changed(&settings, "theme", "Evening lamp").unwrap().theme, "Evening lamp");
        assert!(changed(&settings, "theme", "night").unwrap_err().contains("Evening lamp"));
        assert!(changed(&settings, "text_size", "60").is_err());
        assert!(!changed(&settings, "coordinates", "false").unwrap().coordinates);
        assert_eq!(changed(&settings, "speed", "off").unwrap().speed, crate::settings::Speed::Off);
        assert!(changed(&settings, "speed", "quick").is_err());
        assert!(changed(&settings, "colour", "red").is_err());
    }

    #[test]
    fn a_picture_waits_until_nothing_moves_unless_a_moment_was_chosen() {
        let app = App::new(Settings::default());
        let takes =
            |act: Act| act == act_of(Command::Window(WindowCommand::TakeScreenshot(Some("a.png".into()))));
        let mut script = Script::read("wait\npicture a.png").unwrap();
        assert_eq!(script.frame(&app, true, true), Ok(Act::Nothing));
        assert_eq!(script.frame(&app, false, true), Ok(Act::Nothing), "something moves");
        for _ in 0..=LAID_OUT {
            assert_eq!(script.frame(&app, true, false), Ok(Act::Nothing), "not all is drawn");
        }
        assert!(takes(script.frame(&app, true, true).unwrap()));
        let mut script = Script::read("picture a.png").unwrap();
        assert_eq!(script.frame(&app, true, true), Ok(Act::Nothing), "a panel may have just come");
        let mut script = Script::read("seconds 0\npicture a.png").unwrap();
        assert_eq!(script.frame(&app, false, true), Ok(Act::Nothing));
        assert!(takes(script.frame(&app, false, false).unwrap()));
    }

    #[test]
    fn an_assertion_that_does_not_hold_says_what_is() {
        let app = App::new(Settings::default());
        let mut script = Script::read("assert screen home\nassert ply 3").unwrap();
        let error = script.frame(&app, true, true).unwrap_err();
        assert_eq!(error, ScriptError { line: 2, text: "there is no game".into() });
    }
}
