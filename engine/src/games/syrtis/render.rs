//! Syrtis' board in plain text.

use std::fmt::Write;

use super::board::Side;
use super::{Phase, Syrtis};
use crate::game::{Drawing, Game, Outcome};
use tabuleiro_protocol::Cell;

/// The board for people. The same signs do in any character set.
pub(super) fn text(game: &Syrtis, drawing: Drawing) -> String {
    let mut text = table(game, drawing, |cell| tile(game, cell));
    if game.position.phase == Phase::Swap {
        text.push_str("\nThe numbers of the tiles, to be swapped in pairs (1<>2, 3<>4, ...):\n\n");
        text += &table(game, drawing, |cell| {
            game.rules.layout.number(cell).map_or_else(String::new, |number| format!("{number:>3} "))
        });
    }
    text.push_str("\nL light tower, D dark tower | l light, d dark | c circle, s square\n");
    text.push_str("Light owns light tiles and circles, dark owns dark tiles and squares.\n");
    text += &standing(game);
    text
}

fn table(game: &Syrtis, drawing: Drawing, content: impl Fn(Cell) -> String) -> String {
    let size = game.rules.layout.size;
    let border = format!("    +{}\n", "-----+".repeat(size.into()));
    let mut text = String::from("    |");
    for column in drawing.order(size) {
        let letter = Cell::new(column, 0).letter();
        let _ = write!(text, "  {letter}  |");
    }
    text.push('\n');
    text += &border;
    for row in drawing.order(size) {
        let _ = write!(text, " {:>2} |", row + 1);
        for column in drawing.order(size) {
            let _ = write!(text, "{:^5}|", content(Cell::new(column, row)));
        }
        text.push('\n');
        text += &border;
    }
    text
}

/// Tower, colour and shape.
fn tile(game: &Syrtis, cell: Cell) -> String {
    let tower = game.board().tower(cell).map_or(' ', Side::tower);
    game.board().kind(cell).map_or_else(String::new, |kind| format!("{tower}{}", kind.code()))
}

/// Who is to move or has won, and what has been sunk.
fn standing(game: &Syrtis) -> String {
    let now = &game.position;
    let mut text = String::new();
    if now.phase == Phase::Play {
        for side in Side::BOTH {
            let seat = game.seat(side);
            let [sinks, passes] = [now.sinks, now.passes].map(|counts| counts[seat.index()]);
            let _ = writeln!(text, "Seat {seat}, {side}: {sinks} sunk in a row, {passes} passed in a row.");
        }
        let initiative = game.initiative();
        let _ = writeln!(text, "Seat {initiative}, {}, has the initiative.", game.side(initiative));
    }
    let _ = match (game.outcome(), now.phase) {
        (Some(Outcome { winner: Some(seat), reason }), _) => {
            writeln!(text, "Seat {seat}, {}, has won: {reason}.", game.side(seat))
        }
        (_, Phase::Play) => writeln!(text, "Seat {}, {}, to move.", now.to_move, game.side(now.to_move)),
        _ => writeln!(text, "Seat {} to move.", now.to_move),
    };
    text
}
