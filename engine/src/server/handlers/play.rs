//! Methods that open tables and change them.

use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tabuleiro_protocol::method::{
    Damage, Hold, Load, Method, New, Opened, Play, Played, Redo, Resign, Resume, SetSeat, StateResult, Undo,
};
use tabuleiro_protocol::{ErrorObject, PerSeat, Player, Seat};

use super::{Call, Handled};
use crate::random::fresh_seed;
use crate::server::client::Client;
use crate::server::shared_table::SharedTable;
use crate::server::{Server, wire_error};
use crate::table::{Steps, Table, Way, record};

impl Server {
    pub(super) fn new_table(&self, call: Call<'_, New>, params: New) -> Handled {
        let seed = params.seed.unwrap_or_else(fresh_seed);
        let session = self.catalog.open(&params.game, params.options.as_ref(), seed, params.start)?;
        let seats = params.seats.unwrap_or(PerSeat { one: None, two: None });
        let seats = PerSeat { one: seats.one.unwrap_or_default(), two: seats.two.unwrap_or_default() };
        self.check_players(&seats)?;
        let mut table = Table::new(String::new(), session, seats)?;
        table.set_held(params.held);
        self.share(call, table, Vec::new())
    }

    pub(super) fn load(&self, call: Call<'_, Load>, params: Load) -> Handled {
        let Load { record, partial } = params;
        let unknown = call.client().unknown();
        if !partial {
            let table = record::load(&self.catalog, String::new(), record, unknown)?;
            self.check_players(table.seats())?;
            return self.share(call, table, Vec::new());
        }
        let (mut table, damage) = record::load_readable(&self.catalog, String::new(), record, unknown)?;
        let mut damage: Vec<Damage> = damage.into_iter().map(Damage::from).collect();
        for seat in Seat::BOTH {
            if let Err(error) = self.check_player(&table.seats()[seat]) {
                table.set_seat(seat, Player::default())?;
                damage.push(Damage { place: format!("seats.{seat}"), reason: error.message });
            }
        }
        self.share(call, table, damage)
    }

    fn share<M: Method<Result = Opened>>(
        &self,
        call: Call<'_, M>,
        table: Table,
        damage: Vec<Damage>,
    ) -> Handled {
        let handle = Arc::new(Mutex::new(SharedTable::new(table, call.client())));
        // Nobody comes to it before its maker has heard of it.
        let mut shared = handle.lock();
        self.register(&handle, &mut shared, call.client())?;
        let state = shared.table().state();
        call.answer(Opened { table: state.table.clone(), state, damage })?;
        drop(shared);
        self.autoplay(&handle);
        Ok(())
    }

    pub(super) fn play(&self, call: Call<'_, Play>, params: Play) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = lock_open(&handle)?;
        let seat = shared.table().to_move();
        let events = shared.play(call.client(), &params.actions, params.ply)?;
        call.answer(Played { state: shared.table().state(), events: events.clone() })?;
        shared.notify_changed(call.informed(), seat, params.actions, events);
        drop(shared);
        self.autoplay(&handle);
        Ok(())
    }

    pub(super) fn undo(&self, call: Call<'_, Undo>, params: Undo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change(call, &params.table, None, |shared, client| {
            shared.go(client, Way::Undo(steps), params.ask)
        })
    }

    pub(super) fn redo(&self, call: Call<'_, Redo>, params: Redo) -> Handled {
        let steps = Steps::new(params.turns, params.actions)?;
        self.change(call, &params.table, None, |shared, client| {
            shared.go(client, Way::Redo(steps), params.ask)
        })
    }

    pub(super) fn hold(&self, call: Call<'_, Hold>, params: Hold) -> Handled {
        self.change(call, &params.table, None, |shared, client| shared.set_held(client, true))
    }

    pub(super) fn resume(&self, call: Call<'_, Resume>, params: Resume) -> Handled {
        self.change(call, &params.table, None, |shared, client| shared.resume(client, params.turns))
    }

    pub(super) fn resign(&self, call: Call<'_, Resign>, params: Resign) -> Handled {
        let Resign { table, seat } = params;
        self.change(call, &table, Some(seat), |shared, client| shared.resign(client, seat))
    }

    pub(super) fn set_seat(&self, call: Call<'_, SetSeat>, params: SetSeat) -> Handled {
        self.check_player(&params.to)?;
        self.change(call, &params.table, None, |shared, client| {
            shared.set_seat(client, params.seat, params.to)
        })
    }

    /// Changes a table, answers with what has become of it and tells the others. `by` is the seat
    /// that does it.
    pub(super) fn change<M: Method<Result = StateResult>>(
        &self,
        call: Call<'_, M>,
        table: &str,
        by: Option<Seat>,
        change: impl FnOnce(&mut SharedTable, &Arc<Client>) -> Result<(), ErrorObject>,
    ) -> Handled {
        let handle = self.find(table)?;
        let mut shared = lock_open(&handle)?;
        change(&mut shared, call.client())?;
        call.answer(StateResult { state: shared.table().state() })?;
        shared.notify_changed(call.informed(), by, Vec::new(), Vec::new());
        drop(shared);
        self.autoplay(&handle);
        Ok(())
    }

    fn check_players(&self, seats: &PerSeat<Player>) -> Handled {
        Seat::BOTH.into_iter().try_for_each(|seat| self.check_player(&seats[seat]))
    }

    /// Only bots that the engine was started with may sit down.
    fn check_player(&self, player: &Player) -> Handled {
        match player {
            Player::Bot { name, .. } => self.check_bot(name),
            Player::Client { .. } | Player::Ai { .. } => Ok(()),
        }
    }

    pub(super) fn check_bot(&self, name: &str) -> Handled {
        if self.bots().contains(name) {
            return Ok(());
        }
        Err(wire_error::unknown_bot(name, self.bots().unknown(name)))
    }
}

/// A table that nobody has closed while one waited for it.
pub(super) fn lock_open(handle: &Mutex<SharedTable>) -> Result<MutexGuard<'_, SharedTable>, ErrorObject> {
    let shared = handle.lock();
    if shared.is_closed() { Err(wire_error::unknown_table(shared.table().id())) } else { Ok(shared) }
}
