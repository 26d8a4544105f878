//! The folder of a tournament: what is played in `tournament.json`, and a folder for the match of
//! every pairing.

use std::path::{Path, PathBuf};

use super::Records;
use super::file::File;
use super::head::TOURNAMENT;
use crate::matches::{Pairing, Schedule, Tournament};
use crate::players::ComputerPlayer;

impl Tournament {
    /// The folders of the pairings inside the tournament's own, which is new or empty; or, to go on
    /// with it, holds this very tournament.
    pub fn open_records(
        &self,
        path: &Path,
        schedule: &Schedule,
        resume: bool,
    ) -> Result<Vec<Records>, String> {
        if File::is_name_of_one(path) {
            let shown = path.display();
            return Err(format!(
                "{shown}: one file holds the games of one match; name a folder for a tournament"
            ));
        }
        // From here on the locks of the pairings guard it.
        let _lock = TOURNAMENT.open(path, self, schedule, resume)?;
        let open =
            |pairing: Pairing| Records::open(&pairing.folder_in(path), &pairing.settings, schedule, resume);
        self.pairings().into_iter().map(open).collect()
    }
}

impl Pairing {
    /// A folder that says who plays, with a name that every file system takes.
    pub(super) fn folder_in(&self, tournament: &Path) -> PathBuf {
        const LONGEST: usize = 60;
        let safe = |player: &ComputerPlayer| -> String {
            let is_safe = |sign: char| sign.is_ascii_alphanumeric() || "-.@=,+".contains(sign);
            let name = player.to_string();
            name.chars().map(|sign| if is_safe(sign) { sign } else { '_' }).take(LONGEST).collect()
        };
        // The numbers tell apart what the rest of the name may not.
        let [one, other] = self.players.map(|player| player + 1);
        tournament.join(format!("{one}-{other}_{}_{}", safe(&self.settings.a), safe(&self.settings.b)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn the_folder_of_a_pairing_says_who_plays() {
        let players =
            ["greedy@nodes=200,depth=3", "random@clock=60+5"].map(|player| player.parse().expect("a player"));
        let tournament = Tournament {
            game: "zurero".into(),
            options: Map::new(),
            players: players.into(),
            gauntlet: false,
            seed: 4,
            opening: 6,
            bot_margin_ms: None,
        };
        let pairings = tournament.pairings();
        let folder = pairings[0].folder_in(Path::new("here"));
        assert_eq!(folder, Path::new("here/1-2_greedy@nodes=200,depth=3_random@clock=60+5"));
    }
}
