//! The start of Syrtis, and positions given from outside.

use tabuleiro_protocol::{Seat, Start};

use super::board::{Board, Family, Kind, Side};
use super::cells::{each, first, first_island};
use super::layout::Layout;
use super::{OWN_PASSES, Phase, QUICKSAND, Rules, Syrtis, SyrtisPosition};
use crate::game::{SetupError, required_to_move, tokens};
use crate::random::Random;
use tabuleiro_protocol::Cell;

/// A new game, with tiles drawn by lot.
pub(super) fn drawn(rules: Rules, random: &mut Random) -> Syrtis {
    let mut stock = [rules.layout.of_a_kind; 4];
    let mut board = Board::default();
    for [odd, even] in (0..rules.layout.pairs()).map(|pair| rules.layout.pair(pair)) {
        let kind = draw(&stock, random);
        for (cell, kind) in [(odd, kind), (even, kind.opposite())] {
            stock[kind.index()] -= 1;
            board.put_tile(cell, kind);
        }
    }
    before_towers(rules, board)
}

/// One of the tiles left, every tile equally likely.
fn draw(stock: &[u8; 4], random: &mut Random) -> Kind {
    let left: u32 = stock.iter().map(|&count| u32::from(count)).sum();
    let mut index = random.below(left);
    for kind in Kind::ALL {
        let count = u32::from(stock[kind.index()]);
        if index < count {
            return kind;
        }
        index -= count;
    }
    unreachable!("the index is below the number of tiles left")
}

fn before_towers(rules: Rules, board: Board) -> Syrtis {
    let complete = Family::ALL.iter().any(|&family| board.is_complete(family));
    let phase = if complete { Phase::Swap } else { Phase::Towers };
    Syrtis { rules, position: SyrtisPosition::new(board, phase, Seat::One), history: Vec::new() }
}

impl SyrtisPosition {
    fn new(board: Board, phase: Phase, to_move: Seat) -> SyrtisPosition {
        SyrtisPosition {
            board,
            phase,
            to_move,
            light: Seat::One,
            sinks: [0; 2],
            passes: [0; 2],
            streak: 0,
            last_sinker: None,
            turns: 0,
            turns_since_sink: 0,
            outcome: None,
        }
    }
}

/// A position from outside.
pub(super) fn given(rules: Rules, start: &Start) -> Result<Syrtis, SetupError> {
    let extras = Extras::read(&rules, start)?;
    check_sinks(start)?;
    let board = read_board(rules.layout, start)?;
    match board.all_towers().count_ones() {
        0 => {
            check_complete_layout(rules.layout, &board)?;
            Ok(before_towers(rules, board))
        }
        4 => {
            check_connected(&board)?;
            let to_move = required_to_move(start)?;
            check_passes(&rules, start, to_move)?;
            Ok(in_play(rules, board, to_move, &extras))
        }
        count => Err(SetupError::position(format!(
            "there are two light and two dark towers, or none as long as they have not been placed; here there are {count}"
        ))),
    }
}

fn in_play(rules: Rules, board: Board, to_move: Seat, extras: &Extras) -> Syrtis {
    let position = SyrtisPosition {
        light: extras.light,
        sinks: extras.sinks,
        passes: extras.passes,
        streak: extras.streak,
        last_sinker: extras.last_sinker,
        ..SyrtisPosition::new(board, Phase::Play, to_move)
    };
    let mut game = Syrtis { rules, history: vec![position.key()], position };
    game.position.outcome = game.end_by_islands(&Family::ALL);
    game
}

fn read_board(layout: &Layout, start: &Start) -> Result<Board, SetupError> {
    let size = usize::from(layout.size);
    let rows = tokens(start, size, size)?;
    let mut board = Board::default();
    let mut counts = [0; 4];
    for cell in layout.cells() {
        let token = rows[usize::from(cell.row)][usize::from(cell.column)];
        if token == "." {
            continue;
        }
        let (kind, tower) = read_token(token).ok_or_else(|| unknown_token(cell))?;
        board.put_tile(cell, kind);
        counts[kind.index()] += 1;
        if counts[kind.index()] > layout.of_a_kind {
            let reason =
                format!("there are only {} tiles with a {kind}, and this is one more", layout.of_a_kind);
            return Err(SetupError::at(cell, reason));
        }
        if let Some(side) = tower {
            check_tower(&board, cell, kind, side)?;
            board.put_tower(cell, side);
        }
    }
    Ok(board)
}

fn read_token(token: &str) -> Option<(Kind, Option<Side>)> {
    let kind = Kind::ALL.into_iter().find(|kind| token.starts_with(kind.code()))?;
    match &token[kind.code().len()..] {
        "" => Some((kind, None)),
        "L" => Some((kind, Some(Side::Light))),
        "D" => Some((kind, Some(Side::Dark))),
        _ => None,
    }
}

fn unknown_token(cell: Cell) -> SetupError {
    SetupError::at(
        cell,
        format!(
            "{cell} holds no known sign: a tile is lc, ls, dc or ds, with L or D behind it for a tower (lcL), and . is no tile"
        ),
    )
}

fn check_tower(board: &Board, cell: Cell, kind: Kind, side: Side) -> Result<(), SetupError> {
    if !kind.carries(side) {
        let [colour, shape] = side.families().map(Family::tiles);
        let reason = format!("a {side} tower stands on {colour} or {shape}, not on a {kind} as on {cell}");
        return Err(SetupError::at(cell, reason));
    }
    if board.towers(side).count_ones() == 2 {
        return Err(SetupError::at(
            cell,
            format!("there are only two {side} towers, and this is a third one"),
        ));
    }
    Ok(())
}

/// Before the towers are placed nothing has sunk or moved.
fn check_complete_layout(layout: &Layout, board: &Board) -> Result<(), SetupError> {
    for cell in layout.cells() {
        match (layout.number(cell), board.kind(cell)) {
            (Some(number), None) => {
                let reason =
                    format!("without towers all tiles are in place, but tile {number} is missing on {cell}");
                return Err(SetupError::at(cell, reason));
            }
            (None, Some(_)) => {
                let reason =
                    format!("without towers all tiles are in place, and no tile has its place on {cell}");
                return Err(SetupError::at(cell, reason));
            }
            _ => {}
        }
    }
    for pair in 0..layout.pairs() {
        let [odd, even] = layout.pair(pair);
        let [one, other] = [odd, even].map(|cell| board.kind_of_tile(cell));
        if other != one.opposite() {
            let reason = format!(
                "tiles {} and {} on {odd} and {even} are a pair: they must differ in colour and in shape",
                2 * pair + 1,
                2 * pair + 2
            );
            return Err(SetupError::at(even, reason));
        }
    }
    Ok(())
}

fn check_connected(board: &Board) -> Result<(), SetupError> {
    let stray = board.tiles & !first_island(board.tiles);
    match each(stray).next() {
        None => Ok(()),
        Some(cell) => Err(SetupError::at(
            cell,
            format!("the tiles are not connected: there is no way from {} to {cell}", first(board.tiles)),
        )),
    }
}

/// What a position may have beside rows and the seat to move.
struct Extras {
    light: Seat,
    sinks: [u8; 2],
    passes: [u8; 2],
    streak: u8,
    last_sinker: Option<Seat>,
}

impl Extras {
    fn read(rules: &Rules, start: &Start) -> Result<Extras, SetupError> {
        let of_both = |field, counts: Option<[u8; 2]>, bound| {
            let [one, two] = counts.unwrap_or_default();
            Ok([check_count(field, one, bound)?, check_count(field, two, bound)?])
        };
        Ok(Extras {
            light: start.light.unwrap_or(Seat::One),
            sinks: of_both("sinks", start.sinks, QUICKSAND)?,
            passes: of_both("passes", start.passes, OWN_PASSES)?,
            streak: check_count("streak", start.streak.unwrap_or(0), rules.passes_in_succession())?,
            last_sinker: start.last_sinker,
        })
    }
}

/// A count that has not reached its bound: there the game would have been over before.
fn check_count(field: &str, count: u8, bound: u8) -> Result<u8, SetupError> {
    if count < bound {
        return Ok(count);
    }
    let most = bound - 1;
    Err(SetupError::position(format!("{field}: from 0 to {most} while the game goes on, and not {count}")))
}

// Only members that are given can contradict each other: one that is left out (or null) has the
// start's value, whatever the others say. Nor are they compared with the tiles that lie there: who
// composes a position need not say how it came about.

/// A sink sets the other's count to 0, and makes the sinker the last one.
fn check_sinks(start: &Start) -> Result<(), SetupError> {
    let Some(sinks) = start.sinks else { return Ok(()) };
    let [one, two] = sinks;
    if one > 0 && two > 0 {
        return Err(SetupError::position(format!(
            "sinks: each counts the tiles since the other's last one, so one of the two is 0, and not [{one},{two}]"
        )));
    }
    match start.last_sinker {
        Some(last) if sinks[last.index()] == 0 => Err(SetupError::position(format!(
            "last_sinker: seat {last} sank the last tile, so its count in sinks is 1 at least, and not [{one},{two}]"
        ))),
        _ => Ok(()),
    }
}

/// Turns alternate, so the passes of each say how many came in succession.
fn check_passes(rules: &Rules, start: &Start, to_move: Seat) -> Result<(), SetupError> {
    let Some(passes) = start.passes else { return Ok(()) };
    let [one, two] = passes;
    // Back from the last turn, which was the other seat's, to the first that was no pass.
    let (others, own) = (passes[(!to_move).index()], passes[to_move.index()]);
    let streak = (2 * others).min(2 * own + 1);
    if streak >= rules.passes_in_succession() {
        return Err(SetupError::position(format!(
            "passes: with [{one},{two}] and seat {to_move} to move the last {streak} turns were passes, and the game was over"
        )));
    }
    match start.streak {
        Some(given) if given != streak => Err(SetupError::position(format!(
            "streak: with passes [{one},{two}] and seat {to_move} to move it is {streak}, and not {given}"
        ))),
        _ => Ok(()),
    }
}
