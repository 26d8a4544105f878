//! Both sides' chances in every position of the game, as a short search sees them.

use tabuleiro_protocol::method::Search;
use tabuleiro_protocol::{LevelRole, Limits};

use super::Director;
use crate::state::{Chance, chance_of_first};

/// How much is looked at to say how the chances are.
const NODES: u64 = 4000;

impl Director {
    /// One position at a time, the present one first, then the start and the ends of the turns
    /// before it.
    pub(super) fn ask_for_chances(&mut self) {
        let Some(table) = &self.app.table else { return };
        // Who tries to find a better turn is told only when it is done.
        let is_wanted = self.app.settings.evaluation && self.app.trial.is_none();
        if !is_wanted || self.is_under_way(self.pending.chance) {
            return;
        }
        let now = table.state.to_move.map(|seat| (table.state.ply, seat));
        let ends = std::iter::once(0).chain(table.turns.iter().map(|turn| turn.ply));
        let before_turns = ends.zip(table.turns.iter().map(|turn| turn.seat));
        let earlier = before_turns.filter(|&(ply, _)| ply < table.state.ply);
        let known = table.chances();
        let is_unknown = |&(ply, _): &(usize, _)| known.get(ply).is_some_and(Option::is_none);
        let Some((ply, seat)) = now.into_iter().chain(earlier).find(is_unknown) else { return };
        let Some(key) = table.key(ply) else { return };
        let name = table.state.table.clone();
        let search = Search {
            table: name.clone(),
            limits: Some(Limits { nodes: Some(NODES), ..Limits::default() }),
            level: self.level_for(LevelRole::Analysis),
            ply: Some(ply),
            ..Search::default()
        };
        self.pending.chance = self.ask_quietly(&search, move |director, choice| {
            let first = chance_of_first(&choice.score, seat);
            if let Some(table) = director.app.table.as_mut().filter(|table| table.state.table == name)
                && table.key(ply) == Some(key)
                && table.chance(key).is_none()
            {
                table.note_chance(key, Chance { first, is_rough: choice.score.proved.is_none() });
            }
            director.ask_for_chances();
        });
    }
}
