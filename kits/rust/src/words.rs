//! Breakthrough in words and signs: how steps are written, read and shown.

use tabuleiro_engine::game::{Describe, Game, Outcome};
use tabuleiro_protocol::{Cell, Detail, Event, Form, Happening, OptionSpec, PieceSide, Seat, TokenLook};

use super::{Breakthrough, Refusal, Step};

fn token(seat: Seat) -> &'static str {
    if seat == Seat::One { "w" } else { "b" }
}

impl Describe for Breakthrough {
    const ID: &'static str = "breakthrough";
    const NAME: &'static str = "Breakthrough";
    const RULES: &'static str = include_str!("../rules.md");

    type Refusal = Refusal;

    fn options() -> Vec<OptionSpec> {
        vec![OptionSpec::integer("size", 8, 5, 8, "How many rows and columns the board has.")]
    }

    fn pitch() -> Option<&'static str> {
        Some("Pieces go forward only: be the first to reach the other side.")
    }

    fn look() -> Vec<TokenLook> {
        let sides = [(Seat::One, PieceSide::Light), (Seat::Two, PieceSide::Dark)];
        sides.map(|(seat, side)| TokenLook::new(token(seat), Form::Pawn, side)).into()
    }

    fn sides(&self) -> [Option<&'static str>; 2] {
        [Some("white"), Some("black")]
    }

    fn prompt(&self) -> String {
        let prompt = "Move a piece one step forward, straight or diagonally.";
        if self.outcome().is_some() { String::new() } else { prompt.into() }
    }

    fn rows(&self) -> Vec<String> {
        let sign = |cell| Seat::BOTH.into_iter().find(|&seat| self.has(seat, cell)).map_or(".", token);
        let signs: Vec<&str> = self.cells().map(sign).collect();
        signs.chunks(self.size.into()).map(|row| row.join(" ")).collect()
    }

    fn write(&self, Step { from, to }: Step) -> String {
        format!("{from}{}{to}", if self.has(!self.to_move, to) { 'x' } else { '-' })
    }

    fn read(&self, text: &str) -> Result<Step, Refusal> {
        let mut legal = Vec::new();
        self.actions(&mut legal);
        let example = legal.first().map(|&step| self.write(step)).ok_or(Refusal::Over)?;
        let on_board = |text: &str| text.parse().ok().filter(|cell| self.cells().any(|other| other == *cell));
        let lower_case = text.to_lowercase();
        let cells = lower_case.split_once(['-', 'x']).map(|(from, to)| (on_board(from), on_board(to)));
        let Some((Some(from), Some(to))) = cells else { return Err(Refusal::Spelling { example }) };
        let step = Step { from, to };
        match self.refusal(step) {
            Some(refusal) => Err(refusal),
            None if self.write(step) != lower_case => Err(Refusal::Spelling { example: self.write(step) }),
            None => Ok(step),
        }
    }

    fn detail(&self, step: Step) -> Detail {
        let Step { from, to } = step;
        let (kind, text) = match self.has(!self.to_move, to) {
            true => ("capture", format!("The piece on {from} captures the one on {to}.")),
            false => ("move", format!("The piece on {from} goes to {to}.")),
        };
        let cells = vec![from.to_string(), to.to_string()];
        Detail {
            action: self.write(step),
            kind: kind.into(),
            cells,
            edge: None,
            label: None,
            drag: None,
            text,
        }
    }

    fn explain(&self, cells: &[Cell], _edge: Option<&str>) -> String {
        let from = cells[0];
        let refusal = match cells.get(1) {
            Some(&to) => self.refusal(Step { from, to }),
            None => (!self.has(self.to_move, from)).then_some(Refusal::NotYours(from)),
        };
        refusal.map_or(format!("all that is ahead of {from} is taken"), |refusal| refusal.to_string())
    }

    fn events(&self, Step { from, to }: Step, _after: &Breakthrough) -> Vec<Event> {
        let (us, them) = (token(self.to_move), token(!self.to_move));
        let path = vec![from.to_string(), to.to_string()];
        let captured = self.has(!self.to_move, to).then(|| {
            let what = Happening::Taken { piece: them.into(), cell: to.to_string() };
            Event::new(what, [(to, ".")])
        });
        let moved = Event::new(Happening::Moved { piece: us.into(), path }, [(from, "."), (to, us)]);
        captured.into_iter().chain([moved]).collect()
    }

    fn ending(&self, outcome: Outcome) -> String {
        let winner = if outcome.winner == Some(Seat::One) { "White" } else { "Black" };
        match outcome.reason {
            "no_pieces" => format!("{winner} wins: the other side has no piece left."),
            _ => format!("{winner} wins: a piece has reached the furthest row."),
        }
    }
}
