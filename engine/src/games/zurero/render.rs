//! Zurero's board in plain text.

use std::fmt::Write;

use tabuleiro_protocol::Seat;

use super::Zurero;
use crate::game::{Charset, Drawing, Outcome};
use tabuleiro_protocol::Cell;

impl Zurero {
    pub(super) fn text_board(&self, drawing: Drawing) -> String {
        let (black, white) = match drawing.charset {
            Charset::Ascii => ('X', 'O'),
            Charset::Unicode => ('●', '○'),
        };
        let sign = |cell| match self.seat_on(cell) {
            None => '.',
            Some(Seat::One) => black,
            Some(Seat::Two) => white,
        };
        let letters: String =
            drawing.order(self.size).flat_map(|column| [' ', Cell::new(column, 0).letter()]).collect();
        let mut rows = String::new();
        for row in drawing.order(self.size) {
            let signs: String =
                drawing.order(self.size).flat_map(|column| [sign(Cell::new(column, row)), '|']).collect();
            let _ = writeln!(rows, "{number:2}|{signs}{number:2}", number = row + 1);
        }
        let state = self.state_in_words();
        format!("  {letters}\n{rows}  {letters}\n\n{black} black   {white} white   . empty\n{state}\n")
    }

    fn state_in_words(&self) -> &'static str {
        match (self.outcome, self.to_move) {
            (None, Seat::One) => "Black is to move.",
            (None, Seat::Two) => "White is to move.",
            (Some(Outcome { winner: Some(Seat::One), .. }), _) => "Black has won with five in a row.",
            (Some(Outcome { winner: Some(Seat::Two), .. }), _) => "White has won with five in a row.",
            (Some(Outcome { winner: None, .. }), _) => "A draw: no stone can be slid in.",
        }
    }
}
