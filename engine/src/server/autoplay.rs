//! The engine's own players and its bots: they move by themselves whenever it is their turn.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tabuleiro_protocol::Seat;
use tabuleiro_protocol::notice::{BotFailed, Thinking};

use super::client::notice_line;
use super::shared_table::SharedTable;
use super::{Server, lock};
use crate::bots::{Bots, Failed};
use crate::players::{self, NoTurn};
use crate::search::Control;

impl Server {
    /// Lets the player think whose turn it is, if it plays by itself.
    pub(super) fn wake(&self, shared: &Arc<Mutex<SharedTable>>) {
        let mut here = lock(shared);
        if players::to_act(&here.table).is_none() {
            return;
        }
        let Some(stop) = here.begin_to_think() else { return };
        let (there, bots) = (Arc::clone(shared), Arc::clone(&self.bots));
        let thinking = thread::Builder::new().spawn(move || while take_turn(&there, &bots, &stop) {});
        if let Err(error) = thinking {
            tracing::error!("nobody is free to think at table {}: {error}", here.table.id());
            here.end_thought();
            here.table.set_held(true);
            here.tell_changed(None, None, Vec::new(), Vec::new());
        }
    }
}

/// Thinks about one turn and plays it. `true` if the next player plays by itself too.
fn take_turn(shared: &Mutex<SharedTable>, bots: &Bots, stop: &Arc<AtomicBool>) -> bool {
    let here = lock(shared);
    if !here.is_thinking(stop) {
        return false;
    }
    let Some((seat, player, seed)) = players::to_act(&here.table) else { return false };
    // What is thought about stays as it is, whatever happens to the table meanwhile.
    let table = here.table.clone();
    let thinking = |info| notice_line(Thinking { table: table.id().into(), seat, info });
    here.tell_in_passing(&thinking(None));
    drop(here);

    let mut report = |info| {
        let here = lock(shared);
        if here.is_thinking(stop) {
            here.tell_in_passing(&thinking(Some(info)));
        }
    };
    let turn = player.take_turn(&table, seed, bots, &mut Control::new(stop, &mut report));

    let mut here = lock(shared);
    if !here.is_thinking(stop) {
        return false;
    }
    match turn {
        Ok(turn) => match here.table.play_own(&turn.choice.actions) {
            Ok(events) => here.tell_changed(None, Some(seat), turn.choice.actions, events),
            Err(_) => broke_down(&mut here, seat),
        },
        Err(NoTurn::Stopped) => {}
        Err(NoTurn::BotFailed { name, failed: Failed { why, detail } }) => {
            here.table.set_held(true);
            here.tell_changed(None, None, Vec::new(), Vec::new());
            let table = table.id().into();
            here.tell_but(None, &notice_line(BotFailed { table, seat, name, why, detail }));
        }
        Err(NoTurn::LevelFailed(_)) => broke_down(&mut here, seat),
    }
    let goes_on = players::to_act(&here.table).is_some();
    if goes_on {
        // Who was hurried may take its time over the next turn.
        stop.store(false, Ordering::Relaxed);
    } else {
        here.end_thought();
    }
    goes_on
}

/// One of our own has done what must never happen; the game is kept for the others.
fn broke_down(here: &mut SharedTable, seat: Seat) {
    tracing::error!("the player of seat {seat} at table {} broke down; the table is held", here.table.id());
    here.table.set_held(true);
    here.tell_changed(None, None, Vec::new(), Vec::new());
}
