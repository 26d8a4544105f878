//! Actions as text, and why some text is no action.

use super::board::{Set, Square, first, squares};
use super::{Absorption, Action, Hunt, MOST_IN_A_PILE, Phase, Trio};
use tabuleiro_protocol::Cell;

/// Why an action is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over")]
    Over,
    #[error("an action here splits a pile, such as c1/b2,c2,d2, or merges piles, such as c3+d3,e4")]
    NeitherSplitNorMerge,
    #[error("an action here moves a pile, such as b2-b4, or is . to end the moves")]
    NoMove,
    #[error("an action here absorbs an enemy pile, such as c3*b3,d3")]
    NoAbsorption,
    #[error("“{0}” is no cell of this board: its cells are a1 to h8")]
    NoCell(String),

    #[error("split or merge a pile first: piles move after that")]
    MoveTooEarly,
    #[error("split or merge a pile first: enemy piles are absorbed at the end of the turn")]
    AbsorbTooEarly,
    #[error("a turn begins with a split or a merge: there are no moves to end yet")]
    EndTooEarly,
    #[error("this turn’s split or merge has been made: move a pile, or end the moves with .")]
    SecondSplitOrMerge,
    #[error("the moves come first: end them with . before you absorb")]
    AbsorbBeforeEnd,
    #[error("the moves are over: now an enemy pile must be absorbed")]
    MustAbsorb,
    #[error("absorbing is compulsory: an enemy pile can be absorbed, so one must be")]
    MayNotDecline,

    #[error("{0} is empty")]
    Empty(Square),
    #[error("the pile on {0} is not yours")]
    NotYours(Square),
    #[error("the pile on {0} is your own: only enemy piles are absorbed")]
    Yours(Square),
    #[error("{0} is taken")]
    Taken(Square),
    #[error("write the cells in order: {0}")]
    Order(String),

    #[error("the pile on {0} is small: one piece cannot be split")]
    SmallSplit(Square),
    #[error(
        "the pile on {from} has {height} pieces: name {height} cells, one for each (a cell twice for two pieces)"
    )]
    SplitCount { from: Square, height: u8 },
    #[error("a split needs two cells at least: the whole pile cannot go to {0}")]
    SplitToOne(Square),
    #[error("{to} is not next to {from}: the pieces of a split go to neighbouring cells")]
    SplitTooFar { from: Square, to: Square },

    #[error("a merge joins two or three piles: name the one that they become and one or two others")]
    MergeCount,
    #[error("{0} is named twice: a pile can be merged only once")]
    MergeTwice(Square),
    #[error("these piles have {0} pieces together: a pile never has more than three")]
    MergeTooHigh(u8),
    #[error("the pile on {0} is next to none of the others: piles that merge must be connected")]
    MergeApart(Square),

    #[error("a move has one cell to start from and one to go to, such as b2-b4")]
    MoveCount,
    #[error("the pile on {0} is large: a large pile never moves")]
    LargeMove(Square),
    #[error("the small pile on {0} has run already this turn")]
    HasRun(Square),
    #[error("the pile on {0} had a part in this turn’s split or merge: it stays")]
    HadPart(Square),
    #[error("the way from {from} to {to} is not straight: piles move along a row, a column or a diagonal")]
    Crooked { from: Square, to: Square },
    #[error("{to} is too far from {from}: a small pile moves one or two cells")]
    SmallTooFar { from: Square, to: Square },
    #[error("{to} is too far from {from}: a medium pile moves one cell")]
    MediumTooFar { from: Square, to: Square },
    #[error("the pile on {0} is in the way")]
    InTheWay(Square),
    #[error("a small made by the split goes neither onto nor across {0}, the cell that was split")]
    AcrossTheSplit(Square),

    #[error("none of your piles is orthogonally next to {0}")]
    NoHunter(Square),
    #[error("only one of your piles is orthogonally next to {0}: here it takes two to absorb")]
    OneHunter(Square),
    #[error(
        "the pile on {from} has {height} and your piles next to it {pieces} in all: it takes more than {height}"
    )]
    TooWeak { from: Square, height: u8, pieces: u32 },
    #[error(
        "your piles next to {from} have room for {room} more in all, and the pile has {height}: no pile may have more than three pieces"
    )]
    NoRoom { from: Square, height: u8, room: u32 },
    #[error("the pile on {from} has {height}: name one of your piles next to it for every piece")]
    AbsorbCount { from: Square, height: u8 },
    #[error("{into} is not orthogonally next to {from}: only piles next to it receive its pieces")]
    NotBeside { from: Square, into: Square },
    #[error("the pile on {0} would have more than three pieces")]
    TooHigh(Square),
}

pub(super) fn write(action: Action) -> String {
    match action {
        Action::Split { from, to } => format!("{from}/{}", list(to)),
        Action::Merge { onto, others } => format!("{onto}+{}", list(others)),
        Action::Move { from, to } => format!("{from}-{to}"),
        Action::End => ".".into(),
        Action::Absorb { from, into } => format!("{from}*{}", list(into)),
    }
}

fn list(squares: Trio) -> String {
    let names: Vec<String> = squares.squares().iter().map(Square::to_string).collect();
    names.join(",")
}

/// The beginning of some text from outside, for a message.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 12;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// What some text looks like, whatever the position.
enum Spelling {
    End,
    Cells { sign: Sign, first: Square, others: Vec<Square> },
}

#[derive(Clone, Copy)]
enum Sign {
    Split,
    Merge,
    Move,
    Absorb,
}

/// `None` if it does not look like an action at all.
fn spelling(text: &str) -> Option<Result<Spelling, Refusal>> {
    if text == "." {
        return Some(Ok(Spelling::End));
    }
    let (at, sign) = text.char_indices().find_map(|(at, character)| match character {
        '/' => Some((at, Sign::Split)),
        '+' => Some((at, Sign::Merge)),
        '-' => Some((at, Sign::Move)),
        '*' => Some((at, Sign::Absorb)),
        _ => None,
    })?;
    // No action has more than three cells behind the sign; a fourth is enough to see that this one
    // has.
    let (first, others) = (&text[..at], text[at + 1..].split(',').take(4));
    if first.is_empty() || others.clone().any(str::is_empty) {
        return None;
    }
    Some(square(first).and_then(|first| {
        let others = others.map(square).collect::<Result<_, _>>()?;
        Ok(Spelling::Cells { sign, first, others })
    }))
}

fn square(text: &str) -> Result<Square, Refusal> {
    text.parse::<Cell>().ok().and_then(Square::at).ok_or_else(|| Refusal::NoCell(shortened(text)))
}

/// The action that a text spells, legal or not.
pub(super) fn spelt(text: &str) -> Option<Action> {
    let Spelling::Cells { sign, first, others } = spelling(text)?.ok()? else { return Some(Action::End) };
    Some(match sign {
        Sign::Split => Action::Split { from: first, to: Trio::sorted(&others)? },
        Sign::Merge => Action::Merge { onto: first, others: Trio::sorted(&others)? },
        Sign::Move => Action::Move { from: first, to: *others.first()? },
        Sign::Absorb => Action::Absorb { from: first, into: Trio::sorted(&others)? },
    })
}

pub(super) fn read(game: &Absorption, text: &str) -> Result<Action, Refusal> {
    let now = &game.now;
    if now.outcome.is_some() {
        return Err(Refusal::Over);
    }
    let Some(spelling) = spelling(text) else {
        return Err(match now.phase {
            Phase::Main => Refusal::NeitherSplitNorMerge,
            Phase::Moves => Refusal::NoMove,
            Phase::Absorb => Refusal::NoAbsorption,
        });
    };
    match (now.phase, spelling?) {
        (Phase::Main, Spelling::Cells { sign: Sign::Split, first, others }) => split(game, first, &others),
        (Phase::Main, Spelling::Cells { sign: Sign::Merge, first, others }) => merge(game, first, &others),
        (Phase::Main, Spelling::Cells { sign: Sign::Move, .. }) => Err(Refusal::MoveTooEarly),
        (Phase::Main, Spelling::Cells { sign: Sign::Absorb, .. }) => Err(Refusal::AbsorbTooEarly),
        (Phase::Main, Spelling::End) => Err(Refusal::EndTooEarly),
        (Phase::Moves, Spelling::Cells { sign: Sign::Split | Sign::Merge, .. }) => {
            Err(Refusal::SecondSplitOrMerge)
        }
        (Phase::Moves, Spelling::Cells { sign: Sign::Move, first, others }) => {
            move_pile(game, first, &others)
        }
        (Phase::Moves, Spelling::Cells { sign: Sign::Absorb, .. }) => Err(Refusal::AbsorbBeforeEnd),
        (Phase::Moves, Spelling::End) => Ok(Action::End),
        (Phase::Absorb, Spelling::Cells { sign: Sign::Absorb, first, others }) => {
            absorb(game, first, &others)
        }
        (Phase::Absorb, Spelling::Cells { .. }) => Err(Refusal::MustAbsorb),
        (Phase::Absorb, Spelling::End) => Err(Refusal::MayNotDecline),
    }
}

/// The height of the pile of the seat to move on this square.
fn own_height(game: &Absorption, square: Square) -> Result<u8, Refusal> {
    match game.now.own().height(square) {
        0 if square.is_in(game.now.empty()) => Err(Refusal::Empty(square)),
        0 => Err(Refusal::NotYours(square)),
        height => Ok(height),
    }
}

fn free(game: &Absorption, square: Square) -> Result<(), Refusal> {
    if square.is_in(game.now.empty()) { Ok(()) } else { Err(Refusal::Taken(square)) }
}

/// The action, if these cells of it were in order.
fn in_order(action: Action, cells: &[Square]) -> Result<Action, Refusal> {
    if cells.is_sorted() { Ok(action) } else { Err(Refusal::Order(write(action))) }
}

fn split(game: &Absorption, from: Square, to: &[Square]) -> Result<Action, Refusal> {
    let height = own_height(game, from)?;
    if height == 1 {
        return Err(Refusal::SmallSplit(from));
    }
    for &to in to {
        if !to.is_in(from.neighbours()) {
            return Err(Refusal::SplitTooFar { from, to });
        }
        free(game, to)?;
    }
    match Trio::sorted(to) {
        Some(sorted) if to.len() == usize::from(height) => {
            if to.iter().all(|&square| square == to[0]) {
                return Err(Refusal::SplitToOne(to[0]));
            }
            in_order(Action::Split { from, to: sorted }, to)
        }
        _ => Err(Refusal::SplitCount { from, height }),
    }
}

fn merge(game: &Absorption, onto: Square, others: &[Square]) -> Result<Action, Refusal> {
    let Some(sorted) = Trio::sorted(others).filter(|_| others.len() <= 2) else {
        return Err(Refusal::MergeCount);
    };
    let mut height = own_height(game, onto)?;
    let mut piles = onto.bit();
    for &other in others {
        height += own_height(game, other)?;
        if other.is_in(piles) {
            return Err(Refusal::MergeTwice(other));
        }
        piles |= other.bit();
    }
    if height > MOST_IN_A_PILE {
        return Err(Refusal::MergeTooHigh(height));
    }
    // Two or three piles hang together if none of them is alone.
    if let Some(alone) = squares(piles).find(|square| square.neighbours() & piles == 0) {
        return Err(Refusal::MergeApart(alone));
    }
    in_order(Action::Merge { onto, others: sorted }, others)
}

fn move_pile(game: &Absorption, from: Square, to: &[Square]) -> Result<Action, Refusal> {
    let now = &game.now;
    let &[to] = to else { return Err(Refusal::MoveCount) };
    let height = own_height(game, from)?;
    if height == 3 {
        return Err(Refusal::LargeMove(from));
    }
    if from.is_in(now.spent) {
        return Err(if height == 1 { Refusal::HasRun(from) } else { Refusal::HadPart(from) });
    }
    let (cell, target) = (from.cell(), to.cell());
    let (columns, rows) = (cell.column.abs_diff(target.column), cell.row.abs_diff(target.row));
    let straight = columns == 0 || rows == 0 || columns == rows;
    let steps = columns.max(rows);
    if !straight || steps == 0 {
        return Err(Refusal::Crooked { from, to });
    }
    if height == 1 && steps > 2 {
        return Err(Refusal::SmallTooFar { from, to });
    }
    if height == 2 && steps > 1 {
        return Err(Refusal::MediumTooFar { from, to });
    }
    let way: Set = if steps == 2 { from.halfway(to).bit() } else { 0 };
    let forbidden = if from.is_in(now.runners) { now.origin } else { 0 };
    if let Some(origin) = first((way | to.bit()) & forbidden) {
        return Err(Refusal::AcrossTheSplit(origin));
    }
    if let Some(obstacle) = first(way & !now.empty()) {
        return Err(Refusal::InTheWay(obstacle));
    }
    free(game, to)?;
    Ok(Action::Move { from, to })
}

fn absorb(game: &Absorption, from: Square, into: &[Square]) -> Result<Action, Refusal> {
    let now = &game.now;
    let height = match now.enemy().height(from) {
        0 if from.is_in(now.empty()) => return Err(Refusal::Empty(from)),
        0 => return Err(Refusal::Yours(from)),
        height => height,
    };
    can_be_absorbed(game, from, height)?;
    for &receiver in into {
        own_height(game, receiver)?;
        if !receiver.is_in(from.sides()) {
            return Err(Refusal::NotBeside { from, into: receiver });
        }
    }
    match Trio::sorted(into) {
        Some(sorted) if into.len() == usize::from(height) => {
            let own = now.own();
            let too_high = |&&square: &&Square| own.height(square) + sorted.count(square) > MOST_IN_A_PILE;
            match into.iter().find(too_high) {
                Some(&square) => Err(Refusal::TooHigh(square)),
                None => in_order(Action::Absorb { from, into: sorted }, into),
            }
        }
        _ => Err(Refusal::AbsorbCount { from, height }),
    }
}

fn can_be_absorbed(game: &Absorption, from: Square, height: u8) -> Result<(), Refusal> {
    let Hunt { number, pieces, room } = game.now.hunt(from);
    if number == 0 {
        Err(Refusal::NoHunter(from))
    } else if number < game.rules.captors {
        Err(Refusal::OneHunter(from))
    } else if pieces <= u32::from(height) {
        Err(Refusal::TooWeak { from, height, pieces })
    } else if room < u32::from(height) {
        Err(Refusal::NoRoom { from, height, room })
    } else {
        Ok(())
    }
}
