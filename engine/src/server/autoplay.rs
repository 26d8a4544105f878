//! Computer players take their turns by themselves, whenever it is one's turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use tabuleiro_protocol::notice::{BotFailed, Thinking};

use super::Server;
use super::client::notice_line;
use super::shared_table::SharedTable;
use crate::bots::{Bots, Failed};
use crate::players::{self, NoTurn};
use crate::search::Control;

impl Server {
    /// Lets the computer player think whose turn it is, if there is one and it does not think yet.
    pub(super) fn autoplay(&self, handle: &Arc<Mutex<SharedTable>>) {
        let mut shared = handle.lock();
        if players::to_act(shared.table()).is_none() {
            return;
        }
        let Some(stop) = shared.begin_thinking() else { return };
        let (there, bots) = (Arc::clone(handle), Arc::clone(&self.bots));
        let thinking = thread::Builder::new().spawn(move || while take_turn(&there, &bots, &stop) {});
        if let Err(error) = thinking {
            tracing::error!("nobody is free to think at table {}: {error}", shared.table().id());
            shared.end_thinking();
            shared.hold();
        }
    }
}

/// Thinks about one turn and plays it. `true` if the next turn is a computer player's too.
fn take_turn(handle: &Mutex<SharedTable>, bots: &Bots, stop: &Arc<AtomicBool>) -> bool {
    let shared = handle.lock();
    if !shared.is_thinking(stop) {
        return false;
    }
    let Some((seat, player, seed)) = players::to_act(shared.table()) else { return false };
    // What is thought about stays as it is, whatever happens to the table meanwhile.
    let table = shared.table().clone();
    let progress = |info| notice_line(Thinking { table: table.id().into(), seat, info });
    shared.notify_progress(&progress(None));
    drop(shared);

    let mut report = |info| {
        let shared = handle.lock();
        if shared.is_thinking(stop) {
            shared.notify_progress(&progress(Some(info)));
        }
    };
    let turn = player.take_turn(&table, seed, bots, &mut Control::new(stop, &mut report));

    let mut shared = handle.lock();
    if !shared.is_thinking(stop) {
        return false;
    }
    match turn {
        Ok(turn) => {
            if let Err(error) = shared.play_own(seat, turn.choice.actions) {
                give_up(&mut shared, &error.to_string());
            }
        }
        Err(NoTurn::Stopped) => {}
        Err(NoTurn::BotFailed { name, failed: Failed { why, detail } }) => {
            shared.hold();
            let table = table.id().into();
            shared.notify(None, &notice_line(BotFailed { table, seat, name, why, detail }));
        }
        Err(NoTurn::LevelFailed(failed)) => give_up(&mut shared, &failed.to_string()),
    }
    let goes_on = players::to_act(shared.table()).is_some();
    if goes_on {
        // Who was hurried may take its time over the next turn.
        stop.store(false, Ordering::Relaxed);
    } else {
        shared.end_thinking();
    }
    goes_on
}

/// One of our own has done what must never happen; the game is kept for the others.
fn give_up(shared: &mut SharedTable, reason: &str) {
    tracing::error!("a level failed at table {}, which is held: {reason}", shared.table().id());
    shared.hold();
}
