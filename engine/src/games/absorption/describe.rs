//! Absorption in words and signs.

use serde_json::{Map, Value, json};
use tabuleiro_protocol::{Detail, Event, Fact, Happening, OptionSpec, Overlay, Part, Piece, Seat, Start};

use super::board::{SIZE, Set, Square, squares};
use super::{Absorption, Action, NO_MOVES, Phase, REPETITION, Refusal, Trio, endgame, notation, render};
use crate::game::{Describe, Drawing, Encode, GameOptions, Outcome, capitalized};
use crate::random::Random;
use tabuleiro_protocol::Cell;

/// What the seats play.
pub(super) const SIDES: [&str; 2] = ["x", "o"];

/// A pile as `rows` have it.
fn token(seat: Seat, height: u8) -> String {
    match height {
        0 => ".".into(),
        height => format!("{}{height}", SIDES[seat.index()]),
    }
}

/// A pile's height in words.
pub(super) fn size(height: u8) -> &'static str {
    match height {
        1 => "small",
        2 => "medium",
        _ => "large",
    }
}

/// `b2`, `b2 and c2`, or `b2, c2 and d2`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub(super) fn names(set: Set) -> Vec<String> {
    squares(set).map(|square| square.to_string()).collect()
}

/// `one piece each to b2 and c2`, or `two pieces to b2 and one to c2`.
fn shared_out(pieces: Trio) -> String {
    let squares: Vec<Square> = squares(pieces.set()).collect();
    if squares.iter().all(|&square| pieces.count(square) == 1) {
        let each = if squares.len() > 1 { " each" } else { "" };
        return format!("one piece{each} to {}", listed(&names(pieces.set())));
    }
    let mut shares: Vec<String> = Vec::new();
    for square in squares {
        let pieces = match (pieces.count(square), shares.is_empty()) {
            (1, true) => "one piece",
            (1, false) => "one",
            (_, true) => "two pieces",
            (_, false) => "two",
        };
        shares.push(format!("{pieces} to {square}"));
    }
    listed(&shares)
}

impl Absorption {
    fn token_at(&self, square: Square) -> String {
        let [x, o] = self.now.piles.map(|piles| piles.height(square));
        if x > 0 { token(Seat::One, x) } else { token(Seat::Two, o) }
    }

    fn kind(&self, action: Action) -> &'static str {
        match action {
            Action::Split { .. } => "split",
            Action::Merge { .. } => "merge",
            Action::Move { from, .. } if from.is_in(self.now.runners) => "run",
            Action::Move { .. } => "move",
            Action::End => "end",
            Action::Absorb { .. } => "absorb",
        }
    }

    fn sentence(&self, action: Action) -> String {
        let own = self.now.own();
        match action {
            Action::Split { from, to } => {
                format!("Split the {} pile on {from}: {}.", size(own.height(from)), shared_out(to))
            }
            Action::Merge { onto, others } => {
                let height =
                    own.height(onto) + others.squares().iter().map(|&other| own.height(other)).sum::<u8>();
                let others = names(others.set());
                let piles = if others.len() > 1 { "piles" } else { "pile" };
                format!(
                    "Merge the {piles} on {} into the one on {onto}, which becomes {}.",
                    listed(&others),
                    size(height)
                )
            }
            Action::Move { from, to } if from.is_in(self.now.runners) => {
                format!("Run with the new small pile from {from} to {to}.")
            }
            Action::Move { from, to } => {
                format!("Move the {} pile from {from} to {to}, which ends the moves.", size(own.height(from)))
            }
            Action::End => "End the moves.".into(),
            Action::Absorb { from, into } => {
                format!(
                    "Absorb the {} pile on {from}: {}.",
                    size(self.now.enemy().height(from)),
                    shared_out(into)
                )
            }
        }
    }
}

impl Describe for Absorption {
    const ID: &'static str = "absorption";
    const NAME: &'static str = "Absorption";
    const RULES: &'static str = include_str!("../../../../assets/rules/absorption.md");
    const LESSON: Option<&'static str> = Some(include_str!("../../../../assets/lessons/absorption.json"));
    const PUZZLES: Option<&'static str> = Some(include_str!("../../../../assets/puzzles/absorption.json"));
    const SYMMETRIC: bool = true;

    type Refusal = Refusal;

    fn endgame(options: &GameOptions, random: &mut Random) -> Option<Start> {
        let endgame = endgame::draw(options, random);
        Some(Start { rows: endgame.rows(), to_move: Some(endgame.now.seat), ..Start::default() })
    }

    fn pieces() -> Vec<Piece> {
        let piles = |side: &'static str| {
            ["small", "medium", "large"].into_iter().zip(1..).map(move |(size, height)| {
                Piece::new(&format!("{side}{height}"), &format!("a {size} pile of {}", side.to_uppercase()))
            })
        };
        SIDES.into_iter().flat_map(piles).collect()
    }

    fn options() -> Vec<OptionSpec> {
        vec![
            OptionSpec::integer(
                "captors",
                1,
                1,
                2,
                "How many of your piles must be next to an enemy pile to absorb it.",
            ),
            OptionSpec::integer(
                "turn_limit",
                200,
                0,
                1000,
                "After this many turns, both players' together, the game is a draw. 0 means no limit.",
            ),
        ]
    }

    fn phase(&self) -> &'static str {
        if self.now.outcome.is_some() {
            return "over";
        }
        match self.now.phase {
            Phase::Main => "main",
            Phase::Moves => "moves",
            Phase::Absorb => "absorb",
        }
    }

    fn prompt(&self) -> String {
        if self.now.outcome.is_some() {
            return String::new();
        }
        match self.now.phase {
            Phase::Main => "Split one of your piles, or merge two or three.",
            Phase::Moves if self.now.runners != 0 => {
                "Run with the new small piles, move one other pile, or end the moves."
            }
            Phase::Moves => "Move one other pile, or end the moves.",
            Phase::Absorb => "Absorb an enemy pile: choose it and the piles that take its pieces.",
        }
        .into()
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        SIDES.map(Some)
    }

    fn rows(&self) -> Vec<String> {
        let row = |row| {
            let tokens: Vec<String> = (0..SIZE)
                .filter_map(|column| Square::at(Cell::new(column, row)))
                .map(|square| self.token_at(square))
                .collect();
            tokens.join(" ")
        };
        (0..SIZE).map(row).collect()
    }

    fn counters(&self) -> Map<String, Value> {
        let points = self.now.piles.map(|piles| piles.pieces());
        Map::from_iter([("points".into(), json!(points))])
    }

    fn write(&self, action: Action) -> String {
        notation::write(action)
    }

    fn read(&self, text: &str) -> Result<Action, Refusal> {
        notation::read(self, text)
    }

    fn detail(&self, action: Action) -> Detail {
        let cells: Vec<Square> = match action {
            Action::Split { from: first, to: others }
            | Action::Merge { onto: first, others }
            | Action::Absorb { from: first, into: others } => [&[first], others.squares()].concat(),
            Action::Move { from, to } => vec![from, to],
            Action::End => Vec::new(),
        };
        Detail {
            action: notation::write(action),
            kind: self.kind(action).into(),
            cells: cells.iter().map(Square::to_string).collect(),
            edge: None,
            label: (action == Action::End).then(|| "Done".into()),
            drag: match action {
                // The pile that comes is dragged to the one that stays.
                Action::Merge { onto, others } if others.squares().len() == 1 => {
                    Some([others.squares()[0], onto].map(|square| square.to_string()))
                }
                _ => None,
            },
            text: self.sentence(action),
        }
    }

    fn things(token: &str) -> String {
        let (side, height) = token.split_at(1);
        format!("{}, {} piles", capitalized(side), size(height.parse().unwrap_or(1)))
    }

    fn ending(&self, Outcome { winner, reason }: Outcome) -> String {
        let Some(winner) = winner else {
            return match reason {
                REPETITION => "A draw: the same position has come up for the third time.".into(),
                _ => format!("A draw: the limit of {} turns has been reached.", self.rules.turn_limit),
            };
        };
        let (winning, losing) = (capitalized(SIDES[winner.index()]), SIDES[(!winner).index()]);
        match (reason, self.now.piles[(!winner).index()].pieces()) {
            (NO_MOVES, _) => format!("{winning} wins: {losing} can neither split nor merge."),
            (_, 0) => format!("{winning} wins: {losing} has no piece left."),
            (_, 1) => format!("{winning} wins: {losing} has only one piece left."),
            (_, pieces) => format!("{winning} wins: {losing} has only {pieces} pieces left."),
        }
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |seat: Seat| Fact {
            name: "Pieces".into(),
            text: self.now.piles[seat.index()].pieces().to_string(),
            seat: Some(seat),
        };
        Seat::BOTH.map(fact).into()
    }

    fn overlays(&self) -> Vec<Overlay> {
        self.sights()
    }

    fn reach(&self) -> Vec<Overlay> {
        self.within_reach()
    }

    fn next_step(&self, cells: &[Cell]) -> Option<String> {
        self.next_place(cells)
    }

    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        self.why_not(cells)
    }

    fn events(&self, action: Action, after: &Absorption) -> Vec<Event> {
        let set = |changed: Set| squares(changed).map(|square| (square, after.token_at(square)));
        // The piles that are on these cells afterwards, and how many pieces came to each.
        let receivers = |pieces: Trio| {
            let part = |square: Square| Part {
                cell: square.to_string(),
                piece: after.token_at(square),
                count: pieces.count(square),
            };
            squares(pieces.set()).map(part).collect()
        };
        let event = match action {
            Action::Split { from, to } => {
                let (piece, parts) = (self.token_at(from), receivers(to));
                Event::new(
                    Happening::Split { piece, from: from.to_string(), parts },
                    set(from.bit() | to.set()),
                )
            }
            Action::Merge { onto, others } => {
                let part = |&square: &Square| Part {
                    cell: square.to_string(),
                    piece: self.token_at(square),
                    count: self.now.own().height(square),
                };
                let (piece, parts) = (after.token_at(onto), others.squares().iter().map(part).collect());
                Event::new(
                    Happening::Merged { piece, cell: onto.to_string(), parts },
                    set(onto.bit() | others.set()),
                )
            }
            Action::Move { from, to } => {
                let mut path = vec![from.to_string(), to.to_string()];
                if to.is_in(from.two_steps()) {
                    path.insert(1, from.halfway(to).to_string());
                }
                let piece = self.token_at(from);
                Event::new(Happening::Moved { piece, path }, set(from.bit() | to.bit()))
            }
            Action::End => {
                let text = "No more moves this turn.".into();
                Happening::Said { seat: self.now.seat, word: notation::write(action), text }.into()
            }
            Action::Absorb { from, into } => {
                let (piece, parts) = (self.token_at(from), receivers(into));
                Event::new(
                    Happening::Absorbed { piece, from: from.to_string(), parts },
                    set(from.bit() | into.set()),
                )
            }
        };
        vec![event]
    }

    fn encoding(&self) -> Option<&dyn Encode<Action>> {
        Some(self)
    }

    fn render(&self, drawing: Drawing) -> String {
        render::render(self, drawing)
    }
}
