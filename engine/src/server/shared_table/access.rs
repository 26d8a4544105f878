//! Who may do what at a table: the one place where it is decided.

use std::sync::Arc;

use tabuleiro_protocol::{Direction, PerSeat, Player, Seat};

use super::SharedTable;
use crate::server::client::Client;
use crate::table::NotYourSeat;

/// What a client wants to do at a table that not everybody may. What a client may play is said by
/// [`SharedTable::seats_of`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// Take back, play again, go to a node, change the tree, hold, resume and hurry: for all who sit
    /// at the table. Turns of others are another matter: see [`SharedTable::seats_of_others`].
    Steer,
    /// For the one who plays the seat.
    Resign(Seat),
    /// The maker can change every seat, others their own and those of computer players.
    SetSeat(Seat),
    /// For everybody, as long as the seat is open and nobody else has it.
    Claim(Seat),
    /// For the one who has claimed it.
    Release(Seat),
    /// For the maker; for all who sit at the table once the maker has gone away.
    Close,
}

/// Why a client may not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::server) enum Denied {
    #[error("you do not play at table {table}: claim a seat first")]
    OnlyWatches { table: String },
    #[error("only the one who opened table {table} can close it")]
    NotItsMaker { table: String },
    #[error("you have not claimed seat {seat}")]
    NotClaimed { seat: Seat },
    #[error(
        "seat {seat} is played by somebody else, whose turn this would {}: with \"ask\":true that one is asked",
        match .direction {
            Direction::Undo => "take back",
            Direction::Redo => "play again",
            Direction::Goto => "take back or play again",
        }
    )]
    OthersTurn { seat: Seat, direction: Direction },
    #[error(transparent)]
    NotYourSeat(#[from] NotYourSeat),
}

impl SharedTable {
    pub(super) fn check(&self, client: &Arc<Client>, deed: Deed) -> Result<(), Denied> {
        let plays = |seat: Seat| self.seats_of(client)[seat];
        let sits = self.is_maker(client) || Seat::BOTH.into_iter().any(plays);
        let has_claimed = |seat: Seat| is(self.claimers[seat].as_ref(), client);
        let table = || self.table.id().to_string();
        let not_your_seat = |seat| Denied::from(self.table.not_your_seat(seat));
        let (is_allowed, denied) = match deed {
            Deed::Close if self.maker.is_some() => {
                (self.is_maker(client), Denied::NotItsMaker { table: table() })
            }
            Deed::Steer | Deed::Close => (sits, Denied::OnlyWatches { table: table() }),
            Deed::SetSeat(_) if !sits => (false, Denied::OnlyWatches { table: table() }),
            Deed::SetSeat(seat) => {
                let is_of_computer = !matches!(self.table.seats()[seat], Player::Client { .. });
                (is_of_computer || self.is_maker(client) || plays(seat), not_your_seat(seat))
            }
            Deed::Resign(seat) => (plays(seat), not_your_seat(seat)),
            Deed::Claim(seat) => {
                let is_free = self.table.seats()[seat] == Player::Client { open: true, claimed: false };
                (is_free || has_claimed(seat), not_your_seat(seat))
            }
            Deed::Release(seat) => (has_claimed(seat), Denied::NotClaimed { seat }),
        };
        if is_allowed { Ok(()) } else { Err(denied) }
    }

    /// The seats for which a client plays: those that it has claimed, and as the maker all others
    /// that are played by clients.
    pub(super) fn seats_of(&self, client: &Arc<Client>) -> PerSeat<bool> {
        let plays = |seat| is(self.player_of(seat), client);
        PerSeat { one: plays(Seat::One), two: plays(Seat::Two) }
    }

    /// The seats for which other clients play.
    pub(super) fn seats_of_others(&self, client: &Arc<Client>) -> PerSeat<bool> {
        let plays = |seat| self.player_of(seat).is_some_and(|player| !Arc::ptr_eq(player, client));
        PerSeat { one: plays(Seat::One), two: plays(Seat::Two) }
    }

    /// The client that plays a seat, if one does.
    fn player_of(&self, seat: Seat) -> Option<&Arc<Client>> {
        match self.table.seats()[seat] {
            Player::Client { .. } => self.claimers[seat].as_ref().or(self.maker.as_ref()),
            Player::Ai { .. } | Player::Bot { .. } => None,
        }
    }

    pub(super) fn is_maker(&self, client: &Arc<Client>) -> bool {
        is(self.maker.as_ref(), client)
    }
}

fn is(one: Option<&Arc<Client>>, client: &Arc<Client>) -> bool {
    one.is_some_and(|one| Arc::ptr_eq(one, client))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::server::shared_table::Left;
    use crate::server::testing::client;
    use crate::table::Table;

    const DEEDS: [Deed; 8] = [
        Deed::Steer,
        Deed::Resign(Seat::One),
        Deed::Resign(Seat::Two),
        Deed::SetSeat(Seat::One),
        Deed::SetSeat(Seat::Two),
        Deed::Claim(Seat::Two),
        Deed::Release(Seat::Two),
        Deed::Close,
    ];

    /// One letter a deed: whether it is allowed.
    fn allowed(table: &SharedTable, client: &Arc<Client>) -> String {
        DEEDS.iter().map(|&deed| if table.check(client, deed).is_ok() { 'y' } else { '-' }).collect()
    }

    #[test]
    fn a_maker_a_player_and_a_watcher_may_do_different_things() {
        let [maker, player, watcher] = [client(), client(), client()];
        let session = Catalog::standard().open("zurero", None, 1, None).expect("a game");
        let open = Player::Client { open: true, claimed: false };
        let seats = PerSeat { one: Player::default(), two: open };
        let table = Table::new("t1".into(), session, seats).expect("a table");
        let mut table = SharedTable::new(table, &maker);
        assert_eq!(allowed(&table, &maker), "yyyyyy-y");
        assert_eq!(allowed(&table, &player), "-----y--");

        table.claim(&player, Seat::Two).expect("it is open");
        assert_eq!(allowed(&table, &maker), "yy-yy--y");
        assert_eq!(allowed(&table, &player), "y-y-yyy-");
        assert_eq!(allowed(&table, &watcher), "--------");
        assert_eq!(table.seats_of(&player), PerSeat { one: false, two: true });

        assert_eq!(table.leave(&maker), Left::Changed);
        assert_eq!(allowed(&table, &player), "y-y-yyyy");
        assert_eq!(allowed(&table, &watcher), "--------");
        assert!(table.check(&watcher, Deed::Claim(Seat::One)).is_ok());
        assert_eq!(table.leave(&player), Left::Empty);
        assert!(table.is_closed());
    }
}
