//! Endgames drawn by lot: few pieces close together, and few turns for both seats.
//!
//! Usual positions have a hundred thousand turns, each of which most of the other seat's would have
//! to be tried against to list all that win.

use tabuleiro_protocol::{Cell, Seat};

use super::board::{Piles, SIZE, Square};
use super::proof::count_turns;
use super::{Absorption, MOST_IN_A_PILE, Phase, TOO_FEW_PIECES, setup};
use crate::game::GameOptions;
use crate::random::Random;

/// Pieces of the seat to move, and of the other one: at least, and how many more at most.
const OWN: (u32, u32) = (TOO_FEW_PIECES + 1, 4);
const ENEMY: (u32, u32) = (TOO_FEW_PIECES + 2, 2);

/// All stand within a square of so many rows and columns.
const WIDTH: u32 = 4;

/// Neither seat has more turns than these, and both have some to choose from.
const MOST_TURNS: usize = 3_000;
const MOST_REPLIES: usize = 1_000;
const FEWEST_TURNS: usize = 30;
const FEWEST_REPLIES: usize = 6;

/// An endgame, drawn by lot.
pub(super) fn draw(options: &GameOptions, random: &mut Random) -> Absorption {
    loop {
        let endgame = draw_any(options, random);
        let replying = setup::begin(options, endgame.now.piles, !endgame.now.seat);
        if has_turns(&replying, FEWEST_REPLIES, MOST_REPLIES) && has_turns(&endgame, FEWEST_TURNS, MOST_TURNS)
        {
            return endgame;
        }
    }
}

fn has_turns(game: &Absorption, fewest: usize, most: usize) -> bool {
    debug_assert_eq!(game.now.phase, Phase::Main);
    game.now.outcome.is_none() && (fewest..=most).contains(&count_turns(game, most + 1))
}

fn draw_any(options: &GameOptions, random: &mut Random) -> Absorption {
    let seat = if random.below(2) == 0 { Seat::One } else { Seat::Two };
    let room = u32::from(SIZE) - WIDTH + 1;
    let (left, bottom) = (random.below(room), random.below(room));
    let mut piles = [Piles::default(); 2];
    for (owner, (fewest, more)) in [(seat, OWN), (!seat, ENEMY)] {
        let mut pieces = fewest + random.below(more + 1);
        while pieces > 0 {
            let height = match random.below(5) {
                0 => u32::from(MOST_IN_A_PILE),
                1 => 2,
                _ => 1,
            };
            let height = height.min(pieces);
            let (column, row) = (left + random.below(WIDTH), bottom + random.below(WIDTH));
            if let Some(square) = Square::at(Cell::new(column as u8, row as u8))
                && !square.is_in(piles[0].all() | piles[1].all())
            {
                piles[owner.index()].set_height(square, height as u8);
                pieces -= height;
            }
        }
    }
    setup::begin(options, piles, seat)
}
