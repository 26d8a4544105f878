//! What the engine last said about the table that is shown.

use tabuleiro_protocol::{Choice, Detail, Event, Happening, Info, Overlay, Player, Seat, State, Turn};

use crate::board::Cell;

#[derive(Clone, Debug)]
pub struct Table {
    pub state: State,
    /// Every turn from the start, those that can be played again included.
    pub turns: Vec<Turn>,
    /// What the seat to move may do, once the engine has said so for this position.
    pub details: Vec<Detail>,
    pub overlays: Vec<Overlay>,
    /// What won the game.
    pub won: Vec<Cell>,
    /// The cells that the last turn changed.
    pub touched: Vec<Cell>,
    /// The computer's thoughts while it thinks, and the seat it thinks for.
    pub thinking: Option<Thought>,
    pub hint: Option<Choice>,
    /// Whether a hint has been asked for and has not come yet.
    pub hint_wanted: bool,
    /// Seat 1's chance to win after so many actions, where it is known: an entry for each ply from 0.
    pub chances: Vec<Option<f64>>,
    /// An earlier or later position that is looked at instead of the present one.
    pub looked_at: Option<State>,
    /// Whether what happens next belongs to another turn than [`Table::touched`].
    turn_is_over: bool,
}

#[derive(Clone, Debug)]
pub struct Thought {
    pub seat: Seat,
    pub info: Option<Info>,
    /// Seconds since it began.
    pub seconds: f32,
}

impl Table {
    pub fn new(state: State) -> Table {
        Table {
            state,
            turns: Vec::new(),
            details: Vec::new(),
            overlays: Vec::new(),
            won: Vec::new(),
            touched: Vec::new(),
            thinking: None,
            hint: None,
            hint_wanted: false,
            chances: Vec::new(),
            looked_at: None,
            turn_is_over: true,
        }
    }

    /// Notes what a turn, or a part of it, changed on the board. A new turn begins behind every [`Happening::Turn`].
    pub fn touch(&mut self, events: &[Event]) {
        let mut turn_is_over = self.turn_is_over;
        for event in events {
            if let Happening::Turn { .. } | Happening::Over { .. } = event.what {
                turn_is_over = true;
                continue;
            }
            let cells: Vec<Cell> = event.set.keys().filter_map(|cell| cell.parse().ok()).collect();
            if cells.is_empty() {
                continue;
            }
            if std::mem::take(&mut turn_is_over) {
                self.touched.clear();
            }
            self.touched.extend(cells);
        }
        self.turn_is_over = turn_is_over;
    }

    /// The position that is shown.
    pub fn shown(&self) -> &State {
        self.looked_at.as_ref().unwrap_or(&self.state)
    }

    /// Whether a person at this window is to move in the position that is shown.
    pub fn is_ours_to_move(&self) -> bool {
        let ours = |seat: Seat| matches!(self.state.seats[seat], Player::Client { .. });
        self.looked_at.is_none() && self.state.outcome.is_none() && self.state.to_move.is_some_and(ours)
    }

    /// The seats that are played by people.
    pub fn person_seats(&self) -> Vec<Seat> {
        Seat::BOTH
            .into_iter()
            .filter(|&seat| matches!(self.state.seats[seat], Player::Client { .. }))
            .collect()
    }

    /// Whether both seats are played by the computer.
    pub fn is_computer_only(&self) -> bool {
        self.person_seats().is_empty()
    }

    /// What a seat is called: its side where it has one.
    pub fn name(&self, seat: Seat) -> String {
        match &self.state.sides[seat] {
            Some(side) => {
                let mut letters = side.chars();
                letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
            }
            None => format!("Seat {seat}"),
        }
    }
}
