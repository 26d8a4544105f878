//! The start of a game, and positions given from outside.

use tabuleiro_protocol::{Seat, Start};

use super::lines::Lines;
use super::prospects::Prospects;
use super::spot::{Spot, Spots};
use super::{Fabrik, LINE, Now, Rules, Stage, keys};
use crate::game::{Game, GameOptions, Outcome, SetupError, required_to_move, tokens};

impl Fabrik {
    /// The empty board.
    pub(super) fn empty(options: &GameOptions) -> Fabrik {
        let size = options.integer("size") as u8;
        let mut blocked = Lines::ALL;
        for row in 0..size {
            for column in 0..size {
                blocked.remove(Spot::new(column.into(), row.into()));
            }
        }
        let rules = match options.choice("rules") {
            "report" => Rules::Report,
            _ => Rules::Official,
        };
        let (to_move, stage) = (Seat::One, Stage::FirstWorker);
        let now = Now {
            to_move,
            stage,
            workers: [Spot::NOWHERE; 2],
            seen: [Spots::NONE; 2],
            prospects: [Prospects::NONE; 2],
            hash: keys::turn(to_move, stage),
        };
        Fabrik { size, goal: options.integer("goal") as u8, rules, stones: [Lines::NONE; 2], blocked, now }
    }

    pub(super) fn loaded(options: &GameOptions, start: &Start) -> Result<Fabrik, SetupError> {
        let mut game = Fabrik::empty(options);
        let mut first_stone = None;
        for (row, tokens) in tokens(start, game.size.into(), game.size.into())?.into_iter().enumerate() {
            for (column, token) in tokens.into_iter().enumerate() {
                let spot = Spot::new(column, row);
                match token {
                    "." => {}
                    "b" | "w" => {
                        let seat = if token == "b" { Seat::One } else { Seat::Two };
                        game.put_stone(seat, spot);
                        first_stone.get_or_insert(spot);
                    }
                    "*" if game.workers().count() < 2 => game.put_worker(spot),
                    "*" => {
                        return Err(SetupError::at(
                            spot.cell(),
                            "this would be a third worker: there are two",
                        ));
                    }
                    _ => {
                        let reason =
                            "a cell is \".\" (empty), \"b\" (black), \"w\" (white) or \"*\" (a worker)";
                        return Err(SetupError::at(spot.cell(), reason));
                    }
                }
            }
        }
        match (game.workers().count(), first_stone) {
            (2, _) => game.begin_loaded_turn(required_to_move(start)?, first_stone.is_some()),
            (_, Some(stone)) => {
                let reason = "there can be no stone before both workers are on the board";
                return Err(SetupError::at(stone.cell(), reason));
            }
            (1, None) => (game.now.to_move, game.now.stage) = (Seat::Two, Stage::SecondWorker),
            (_, None) => (game.now.to_move, game.now.stage) = (Seat::One, Stage::FirstWorker),
        }
        game.now.hash = game.hash_from_scratch();
        Ok(game)
    }

    fn begin_loaded_turn(&mut self, to_move: Seat, any_stones: bool) {
        let has_line = |seat: Seat| self.stones[seat.index()].has_run(self.goal);
        if let Some(winner) = [!to_move, to_move].into_iter().find(|&seat| has_line(seat)) {
            self.now.to_move = to_move;
            self.now.stage = Stage::Over(Outcome::won(winner, LINE));
        } else {
            self.now.stage = if any_stones { Stage::Turn } else { Stage::Choice };
            self.begin_turn(to_move);
        }
    }
}
