//! Wins that leave the enemy no choice.

use tabuleiro_protocol::Seat;

use super::{Action, Phase, Syrtis};
use crate::game::Game;

/// No forced win is looked for that takes more turns than this.
const MOST_TURNS: u32 = 12;

impl Syrtis {
    /// Looks for a win in which every turn but the last threatens to win at once, the shortest
    /// first.
    pub(super) fn find_forced_win(&self, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Action>> {
        if self.position.phase != Phase::Play {
            return None;
        }
        let mut attack = Attack { game: self.clone(), go_on, out_of_turns: false };
        for turns in 1..=MOST_TURNS {
            attack.out_of_turns = false;
            match attack.winning_turn(turns) {
                Verdict::Found(action) => return Some(vec![action]),
                Verdict::Stopped => return None,
                // Longer would be the same again.
                Verdict::Nothing if !attack.out_of_turns => return None,
                Verdict::Nothing => {}
            }
        }
        None
    }
}

enum Verdict {
    Found(Action),
    Nothing,
    Stopped,
}

struct Attack<'a> {
    game: Syrtis,
    go_on: &'a mut dyn FnMut() -> bool,
    /// Whether there were threats that could not be followed up for want of turns.
    out_of_turns: bool,
}

impl Attack<'_> {
    /// A turn of the seat to move that wins within so many turns of its own, whatever the enemy
    /// does.
    fn winning_turn(&mut self, turns: u32) -> Verdict {
        let seat = self.game.to_move();
        let mut actions = Vec::new();
        self.game.actions(&mut actions);
        if self.game.can_win_now() {
            return match actions.into_iter().find(|&action| self.wins(action)) {
                Some(action) => Verdict::Found(action),
                None => Verdict::Nothing,
            };
        }
        for action in actions {
            if !(self.go_on)() {
                return Verdict::Stopped;
            }
            let undo = self.game.play(action);
            let found = match self.game.outcome() {
                Some(outcome) => Some(outcome.winner == Some(seat)),
                None if !self.threatens(seat) => Some(false),
                None if turns < 2 => {
                    self.out_of_turns = true;
                    Some(false)
                }
                None => self.no_answer_helps(turns),
            };
            self.game.undo(action, undo);
            match found {
                Some(true) => return Verdict::Found(action),
                Some(false) => {}
                None => return Verdict::Stopped,
            }
        }
        Verdict::Nothing
    }

    /// Whether this seat, which is not to move, would win at once if the enemy passed, and the
    /// enemy does not win before.
    fn threatens(&mut self, seat: Seat) -> bool {
        let undo = self.game.play(Action::Pass);
        let threatens = match self.game.outcome() {
            Some(outcome) => outcome.winner == Some(seat),
            None => self.game.can_win_now(),
        };
        self.game.undo(Action::Pass, undo);
        threatens && !self.game.can_win_now()
    }

    /// Whether the enemy, who is to move, loses after every answer. `None` if nobody may look any
    /// longer.
    fn no_answer_helps(&mut self, turns: u32) -> Option<bool> {
        let enemy = self.game.to_move();
        let mut answers = Vec::new();
        self.game.actions(&mut answers);
        // First those that lose at once, which is what most do: the others are worth looking at
        // only if none of them is a way out.
        let mut parries = Vec::new();
        for answer in answers {
            let undo = self.game.play(answer);
            let won = match self.game.outcome() {
                Some(outcome) if outcome.winner == Some(enemy) => {
                    self.game.undo(answer, undo);
                    return Some(false);
                }
                Some(_) => true,
                None => self.game.can_win_now(),
            };
            self.game.undo(answer, undo);
            if !won {
                parries.push(answer);
            }
        }
        if !(self.go_on)() {
            return None;
        }
        if turns == 2 && !parries.is_empty() {
            self.out_of_turns = true;
            return Some(false);
        }
        for answer in parries {
            let undo = self.game.play(answer);
            let found = self.winning_turn(turns - 1);
            self.game.undo(answer, undo);
            match found {
                Verdict::Found(_) => {}
                Verdict::Nothing => return Some(false),
                Verdict::Stopped => return None,
            }
        }
        Some(true)
    }

    fn wins(&mut self, action: Action) -> bool {
        let seat = self.game.to_move();
        let undo = self.game.play(action);
        let wins = self.game.outcome().is_some_and(|outcome| outcome.winner == Some(seat));
        self.game.undo(action, undo);
        wins
    }
}
