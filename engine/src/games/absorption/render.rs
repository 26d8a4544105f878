//! The board in plain text.

use tabuleiro_protocol::Seat;

use super::board::{SIZE, Square};
use super::{Absorption, Phase};
use crate::game::Drawing;
use tabuleiro_protocol::Cell;

/// What the seats' pieces look like.
const SIGNS: [char; 2] = ['X', 'O'];

pub(super) fn render(game: &Absorption, drawing: Drawing) -> String {
    let mut lines = vec![letters(drawing), ruled("-------")];
    for row in drawing.order(SIZE) {
        let piles: Vec<String> = drawing
            .order(SIZE)
            .filter_map(|column| Square::at(Cell::new(column, row)))
            .map(|square| format!("  {}  ", pile(game, square)))
            .collect();
        let number = row + 1;
        lines.push(ruled("       "));
        lines.push(format!("{number}|{}|{number}", piles.join("|")));
        lines.push(ruled("       "));
        lines.push(ruled("-------"));
    }
    lines.push(letters(drawing));
    lines.push(String::new());
    let [x, o] = game.now.piles.map(|piles| piles.pieces());
    lines.push(format!("X (seat 1) has {x}, O (seat 2) has {o}. {}", standing(game)));
    lines.push("One piece is  X , two are X X, three are XXX.".into());
    lines.join("\n") + "\n"
}

fn letters(drawing: Drawing) -> String {
    let letters: Vec<String> =
        drawing.order(SIZE).map(|column| format!("   {}", Cell::new(column, 0).letter())).collect();
    format!("  {}", letters.join("    "))
}

/// A line without numbers: the same in all cells.
fn ruled(cell: &str) -> String {
    format!(" |{}|", [cell; SIZE as usize].join("|"))
}

fn pile(game: &Absorption, square: Square) -> String {
    for seat in Seat::BOTH {
        let sign = SIGNS[seat.index()];
        match game.now.piles[seat.index()].height(square) {
            0 => {}
            1 => return format!(" {sign} "),
            2 => return format!("{sign} {sign}"),
            _ => return format!("{sign}{sign}{sign}"),
        }
    }
    "   ".into()
}

fn standing(game: &Absorption) -> String {
    let sign = SIGNS[game.now.seat.index()];
    match (game.now.outcome, game.now.phase) {
        (Some(outcome), _) => match outcome.winner {
            Some(winner) => format!("{} has won.", SIGNS[winner.index()]),
            None => "The game is a draw.".into(),
        },
        (None, Phase::Main) => format!("{sign} is to split or merge."),
        (None, Phase::Moves) => format!("{sign} is to move piles."),
        (None, Phase::Absorb) => format!("{sign} is to absorb."),
    }
}
