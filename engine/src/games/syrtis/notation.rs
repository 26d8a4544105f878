//! Actions of Syrtis as text, and why a text is none.

use thiserror::Error;

use super::board::{Family, Side};
use super::cells::{Cells, NONE, beside, bit, first, flood, rectangle};
use super::choices::Choices;
use super::layout::Layout;
use super::{Action, Phase, Syrtis};
use tabuleiro_protocol::Cell;

/// Why an action is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("now swap the two tiles of a pair, the odd number first: 11<>12")]
    NoSwap,
    #[error("there is no such pair: the tiles are numbered from 1 to {last}")]
    NoSuchTile { last: u8 },
    #[error("tiles {one} and {other} are not a pair: {one} goes with {partner}, {right}")]
    NoPair { one: u8, other: u8, partner: u8, right: String },
    #[error("write the odd number first: {right}")]
    OddFirst { right: String },
    #[error("now place a tower: L@c3 puts a light one on c3, D@c3 a dark one")]
    NoTower,
    #[error("both {side} towers have been placed")]
    BothPlaced { side: Side },
    #[error("a {side} tower goes on {} or {}, and on {cell} there is a {kind}", .side.families()[0].tiles(), .side.families()[1].tiles())]
    ForeignTile { side: Side, cell: Cell, kind: &'static str },
    #[error("now take a side: light or dark")]
    NoSide,
    #[error(
        "now move a tower (c3-e2), sink a tile (xe1), slide a tile with its tower (b4~d4) or pass (pass)"
    )]
    NoTurn,
    #[error("{cell} is not on the board, which goes from a1 to {last}")]
    OffTheBoard { cell: Cell, last: Cell },
    #[error("there is no tile on {0}")]
    NoTile(Cell),
    #[error("there is a tower on {0} already")]
    TowerThere(Cell),
    #[error("there is no tower on {0}")]
    NoTowerThere(Cell),
    #[error("the tower on {cell} is not yours: you play {side}")]
    NotYourTower { cell: Cell, side: Side },
    #[error("{0} is where it stands: go to another cell, or pass")]
    SameCell(Cell),
    #[error("{to} is not on {islands} that {from} belongs to")]
    OtherIsland { from: Cell, to: Cell, islands: String },
    #[error("{0} is not next to a tile with a tower of yours")]
    NotNextToTower(Cell),
    #[error("a tile with a tower does not sink, and there is one on {0}")]
    TowerKeepsAfloat(Cell),
    #[error("{0} has tiles on all four sides: only a tile with an open side can sink")]
    Enclosed(Cell),
    #[error("without {0} the tiles would not be connected")]
    SinkParts(Cell),
    #[error("{to} is taken: a tile slides to an empty cell (a tower alone moves so: {from}-{to})")]
    Taken { from: Cell, to: Cell },
    #[error("{to} is outside the smallest rectangle around the tiles, {corner} to {opposite}")]
    OutsideRectangle { to: Cell, corner: Cell, opposite: Cell },
    #[error("no way leads from {from} to {to} through empty cells inside the rectangle around the tiles")]
    NoWay { from: Cell, to: Cell },
    #[error("with the tile of {from} on {to} the tiles would not be connected")]
    SlideParts { from: Cell, to: Cell },
}

pub(super) fn write(action: Action) -> String {
    match action {
        Action::Swap { pair } => format!("{}<>{}", 2 * pair + 1, 2 * pair + 2),
        Action::Tower { side, cell } => format!("{}@{cell}", side.tower()),
        Action::Take(side) => side.name().into(),
        Action::Move { from, to } => format!("{from}-{to}"),
        Action::Slide { from, to } => format!("{from}~{to}"),
        Action::Sink(cell) => format!("x{cell}"),
        Action::Pass => "pass".into(),
    }
}

pub(super) fn read(game: &Syrtis, text: &str) -> Result<Action, Refusal> {
    if game.position.outcome.is_some() {
        return Err(Refusal::GameOver);
    }
    let text = text.to_ascii_lowercase();
    match game.position.phase {
        Phase::Swap => read_swap(game, &text),
        Phase::Towers => read_tower(game, &text),
        Phase::Choose => {
            let side = Side::BOTH.into_iter().find(|side| side.name() == text);
            side.map(Action::Take).ok_or(Refusal::NoSide)
        }
        Phase::Play => read_turn(game, &text),
    }
}

/// The action that a text in lower case spells on a board, legal or not.
pub(super) fn spelt(text: &str, layout: &Layout) -> Option<Action> {
    let cell = |text: &str| text.parse::<Cell>().ok().filter(|&cell| layout.has(cell));
    if let Some(side) = Side::BOTH.into_iter().find(|side| side.name() == text) {
        Some(Action::Take(side))
    } else if text == "pass" {
        Some(Action::Pass)
    } else if let Some((one, _)) = text.split_once("<>") {
        let one = read_number(one, layout.tiles()).ok()?;
        Some(Action::Swap { pair: (one - 1) / 2 })
    } else if let Some((tower, at)) = text.split_once('@') {
        let side = Side::BOTH.into_iter().find(|side| tower == side.tower().to_lowercase().to_string());
        Some(Action::Tower { side: side?, cell: cell(at)? })
    } else if let Some((from, to)) = text.split_once('-') {
        Some(Action::Move { from: cell(from)?, to: cell(to)? })
    } else if let Some((from, to)) = text.split_once('~') {
        Some(Action::Slide { from: cell(from)?, to: cell(to)? })
    } else {
        text.strip_prefix('x').and_then(cell).map(Action::Sink)
    }
}

fn read_swap(game: &Syrtis, text: &str) -> Result<Action, Refusal> {
    let (one, other) = text.split_once("<>").ok_or(Refusal::NoSwap)?;
    let last = game.rules.layout.tiles();
    let [one, other] = [read_number(one, last)?, read_number(other, last)?];
    // Numbers from 1: an odd one and the even one after it have the same half.
    let pair = (one - 1) / 2;
    let action = Action::Swap { pair };
    let right = write(action);
    let partner = if one % 2 == 1 { one + 1 } else { one - 1 };
    if other != partner {
        return Err(Refusal::NoPair { one, other, partner, right });
    }
    if one > other {
        return Err(Refusal::OddFirst { right });
    }
    Ok(action)
}

fn read_number(text: &str, last: u8) -> Result<u8, Refusal> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || text.starts_with('0') && text != "0" {
        return Err(Refusal::NoSwap);
    }
    text.parse().ok().filter(|number| (1..=last).contains(number)).ok_or(Refusal::NoSuchTile { last })
}

fn read_tower(game: &Syrtis, text: &str) -> Result<Action, Refusal> {
    let (tower, cell) = text.split_once('@').ok_or(Refusal::NoTower)?;
    let side = match tower {
        "l" => Side::Light,
        "d" => Side::Dark,
        _ => return Err(Refusal::NoTower),
    };
    let cell = read_cell(game, cell, Refusal::NoTower)?;
    if game.towers_left(side) == 0 {
        return Err(Refusal::BothPlaced { side });
    }
    let kind = game.board().kind(cell).ok_or(Refusal::NoTile(cell))?;
    if game.board().tower(cell).is_some() {
        return Err(Refusal::TowerThere(cell));
    }
    if !kind.carries(side) {
        return Err(Refusal::ForeignTile { side, cell, kind: kind.name() });
    }
    Ok(Action::Tower { side, cell })
}

fn read_turn(game: &Syrtis, text: &str) -> Result<Action, Refusal> {
    if text == "pass" {
        return Ok(Action::Pass);
    }
    let two_cells =
        |(from, to)| Ok((read_cell(game, from, Refusal::NoTurn)?, read_cell(game, to, Refusal::NoTurn)?));
    if let Some(cells) = text.split_once('-') {
        let (from, to) = two_cells(cells)?;
        check_move(game, from, to)
    } else if let Some(cells) = text.split_once('~') {
        let (from, to) = two_cells(cells)?;
        check_slide(game, from, to)
    } else if let Some(cell) = text.strip_prefix('x') {
        check_sink(game, read_cell(game, cell, Refusal::NoTurn)?)
    } else {
        Err(Refusal::NoTurn)
    }
}

/// A cell of the board; `otherwise` if it is no cell at all.
fn read_cell(game: &Syrtis, text: &str, otherwise: Refusal) -> Result<Cell, Refusal> {
    let layout = game.rules.layout;
    let cell = text.parse::<Cell>().ok().ok_or(otherwise)?;
    if layout.has(cell) {
        return Ok(cell);
    }
    Err(Refusal::OffTheBoard { cell, last: Cell::new(layout.size - 1, layout.size - 1) })
}

fn check_move(game: &Syrtis, from: Cell, to: Cell) -> Result<Action, Refusal> {
    let (choices, tower) = own_tower(game, from)?;
    let board = game.board();
    if from == to {
        return Err(Refusal::SameCell(to));
    }
    if board.kind(to).is_none() {
        return Err(Refusal::NoTile(to));
    }
    if board.tower(to).is_some() {
        return Err(Refusal::TowerThere(to));
    }
    if choices.moves[tower] & bit(to) == NONE {
        let side = game.side(game.position.to_move);
        let owned = board.kind_of_tile(from).families().into_iter().filter(|family| family.owner() == side);
        let names: Vec<&str> = owned.map(Family::name).collect();
        let islands = match names[..] {
            [one, other] => format!("the {one} or the {other} island"),
            _ => format!("the {} island", names.concat()),
        };
        return Err(Refusal::OtherIsland { from, to, islands });
    }
    Ok(Action::Move { from, to })
}

fn check_slide(game: &Syrtis, from: Cell, to: Cell) -> Result<Action, Refusal> {
    let (choices, tower) = own_tower(game, from)?;
    let tiles = game.board().tiles;
    let rectangle = rectangle(tiles);
    if from == to {
        return Err(Refusal::SameCell(to));
    }
    if tiles & bit(to) != NONE {
        return Err(Refusal::Taken { from, to });
    }
    if rectangle & bit(to) == NONE {
        return Err(Refusal::OutsideRectangle { to, corner: first(rectangle), opposite: last(rectangle) });
    }
    if flood(beside(bit(from)), rectangle & !tiles) & bit(to) == NONE {
        return Err(Refusal::NoWay { from, to });
    }
    if choices.slides[tower] & bit(to) == NONE {
        return Err(Refusal::SlideParts { from, to });
    }
    Ok(Action::Slide { from, to })
}

fn last(cells: Cells) -> Cell {
    let index = 63 - cells.leading_zeros() as u8;
    Cell::new(index & 7, index >> 3)
}

/// What the seat to move can do, and which of its towers stands there.
fn own_tower(game: &Syrtis, cell: Cell) -> Result<(Choices, usize), Refusal> {
    let board = game.board();
    if board.kind(cell).is_none() {
        return Err(Refusal::NoTile(cell));
    }
    if board.tower(cell).is_none() {
        return Err(Refusal::NoTowerThere(cell));
    }
    let choices = game.choices();
    match choices.towers.iter().position(|&tower| tower == cell) {
        Some(tower) => Ok((choices, tower)),
        None => Err(Refusal::NotYourTower { cell, side: game.side(game.position.to_move) }),
    }
}

fn check_sink(game: &Syrtis, cell: Cell) -> Result<Action, Refusal> {
    let board = game.board();
    if board.kind(cell).is_none() {
        return Err(Refusal::NoTile(cell));
    }
    if board.tower(cell).is_some() {
        return Err(Refusal::TowerKeepsAfloat(cell));
    }
    if beside(board.towers(game.side(game.position.to_move))) & bit(cell) == NONE {
        return Err(Refusal::NotNextToTower(cell));
    }
    if (beside(bit(cell)) & board.tiles).count_ones() == 4 {
        return Err(Refusal::Enclosed(cell));
    }
    if game.choices().sinks & bit(cell) == NONE {
        return Err(Refusal::SinkParts(cell));
    }
    Ok(Action::Sink(cell))
}
