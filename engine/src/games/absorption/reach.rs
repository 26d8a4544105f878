//! What could be absorbed within a turn, found by trying every turn that might.

use tabuleiro_protocol::{Overlay, Seat};

use super::board::{Set, Square, squares};
use super::describe::{SIDES, listed, names};
use super::{Absorption, Action, Phase, Situation, generate};
use crate::game::{Game, capitalized};

impl Absorption {
    /// The piles of each seat that the other one could absorb first in a turn of its own: in the one
    /// that is being played, else in its next, if nothing changed until then.
    pub(super) fn within_reach(&self) -> Vec<Overlay> {
        if self.now.outcome.is_some() {
            return Vec::new();
        }
        let overlay = |seat: Seat| {
            let cells = names(self.prey_of(!seat));
            let piles = if cells.len() == 1 { "pile" } else { "piles" };
            (!cells.is_empty()).then(|| Overlay {
                name: "reach".into(),
                text: format!(
                    "{} could lose the {piles} on {} within a turn.",
                    capitalized(SIDES[seat.index()]),
                    listed(&cells)
                ),
                seat: Some(seat),
                cells,
            })
        };
        Seat::BOTH.into_iter().filter_map(overlay).collect()
    }

    /// The piles that a seat could absorb first in its turn.
    pub(super) fn prey_of(&self, hunter: Seat) -> Set {
        let mut game = self.clone();
        if game.now.seat != hunter {
            let now =
                Situation { seat: hunter, phase: Phase::Main, runners: 0, spent: 0, origin: 0, ..self.now };
            game.now = Situation { key: now.key_from_scratch(), ..now };
        }
        match game.now.phase {
            Phase::Main => {
                let mut actions = Vec::new();
                generate::splits_and_merges(&game.now, &mut actions);
                let mut found = 0;
                for action in actions {
                    let before = game.play(action);
                    found |= game.prey_after_moves(hunter, found);
                    game.undo(action, before);
                }
                found
            }
            _ => game.prey_after_moves(hunter, 0),
        }
    }

    /// The piles, but for those that are known, that can be absorbed after whatever moves are left.
    fn prey_after_moves(&mut self, hunter: Seat, known: Set) -> Set {
        if self.now.seat != hunter || self.now.outcome.is_some() {
            return 0;
        }
        let mut found = bits(self.now.victims(self.rules.captors)) & !known;
        if self.now.phase != Phase::Moves {
            return found;
        }
        let mut moves = Vec::new();
        generate::moves(&self.now, &mut moves);
        for target in squares(self.now.enemy().all() & !known & !found) {
            if self.reaches(hunter, target, &moves) {
                found |= target.bit();
            }
        }
        found
    }

    /// Whether a pile can be absorbed after some of these moves. Only those that end beside it count:
    /// a small that would have to get out of the way of another could go there in its place.
    fn reaches(&mut self, hunter: Seat, target: Square, moves: &[Action]) -> bool {
        moves
            .iter()
            .filter(|action| matches!(action, Action::Move { to, .. } if to.is_in(target.sides())))
            .any(|&action| {
                let before = self.play(action);
                let is_prey = self.now.seat == hunter
                    && self.now.outcome.is_none()
                    && (self.now.victims(self.rules.captors).any(|victim| victim == target)
                        || self.now.phase == Phase::Moves && {
                            let mut next = Vec::new();
                            generate::moves(&self.now, &mut next);
                            self.reaches(hunter, target, &next)
                        });
                self.undo(action, before);
                is_prey
            })
    }
}

fn bits(squares: impl Iterator<Item = Square>) -> Set {
    squares.fold(0, |set, square| set | square.bit())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::{Describe, GameOptions};
    use crate::random::Random;

    /// The same by trying everything that can be done in a turn.
    fn by_trying_all(game: &Absorption) -> Set {
        fn go_on(game: &mut Absorption, seat: Seat, seen: &mut HashSet<u64>, found: &mut Set) {
            if game.now.seat != seat || game.now.outcome.is_some() || !seen.insert(game.now.key) {
                return;
            }
            let mut actions = Vec::new();
            game.actions(&mut actions);
            for action in actions {
                if let Action::Absorb { from, .. } = action {
                    *found |= from.bit();
                    continue;
                }
                let before = game.play(action);
                go_on(game, seat, seen, found);
                game.undo(action, before);
            }
        }
        let mut found = 0;
        go_on(&mut game.clone(), game.now.seat, &mut HashSet::new(), &mut found);
        found
    }

    /// Plays at random up to some action.
    fn after(actions: usize, random: &mut Random) -> Absorption {
        let mut game = Absorption::start(&GameOptions::default_of(&Absorption::options()), 0);
        for _ in 0..actions {
            let mut legal = Vec::new();
            if game.now.outcome.is_none() {
                game.actions(&mut legal);
            }
            let Some(action) = random.pick(&legal) else { break };
            game.play(action);
        }
        game
    }

    #[test]
    fn what_is_in_reach_is_what_trying_everything_finds() {
        let mut random = Random::new(5);
        let mut with_prey = 0;
        for actions in 0..40 {
            let game = after(actions * 3, &mut random);
            if game.now.outcome.is_some() {
                continue;
            }
            let prey = game.prey_of(game.now.seat);
            assert_eq!(prey, by_trying_all(&game), "after {} actions", actions * 3);
            with_prey += usize::from(prey != 0);
        }
        assert!(with_prey > 5, "there is something to find: {with_prey}");
    }
}
