//! The board in plain text.

use std::fmt::Write;

use tabuleiro_protocol::Seat;

use super::Fabrik;
use super::spot::Spot;
use crate::game::{Drawing, Game};

impl Fabrik {
    /// The board as a table, what its signs mean, and who is to move or has won.
    pub(super) fn board_text(&self, drawing: Drawing) -> String {
        let letters: String =
            drawing.order(self.size).map(|column| format!(" {} |", (b'A' + column) as char)).collect();
        let rule = format!(" ---|{}\n", "---|".repeat(self.size.into()));
        let mut text = format!("    |{letters}\n{rule}");
        for row in drawing.order(self.size) {
            let cells: String =
                drawing.order(self.size).map(|column| format!(" {} |", self.sign(column, row))).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, " {:>2} |{cells}", row + 1);
            text.push_str(&rule);
        }
        text.push_str("\nX black   O white   * worker\n");
        text.push_str(&self.standing());
        text.push('\n');
        text
    }

    fn sign(&self, column: u8, row: u8) -> char {
        match self.token(Spot::new(column.into(), row.into())) {
            "b" => 'X',
            "w" => 'O',
            "*" => '*',
            _ => '.',
        }
    }

    fn standing(&self) -> String {
        match self.outcome() {
            None if self.to_move() == Seat::One => "Black to move.".into(),
            None => "White to move.".into(),
            Some(outcome) => match outcome.winner {
                Some(Seat::One) => "Black has won.".into(),
                Some(Seat::Two) => "White has won.".into(),
                None => "The game is a draw.".into(),
            },
        }
    }
}
