//! Computer players take their turns by themselves, whenever it is one's turn: levels in the pool of
//! those who think, bots in a pool of their own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tabuleiro_protocol::notice::{BotFailed, Thinking, Waiting};

use super::Server;
use super::client::notice_line;
use super::pool::{Capacity, Pool, Turn, Work};
use super::shared_table::SharedTable;
use crate::bots::{Bots, Failed, MOST_PROCESSES};
use crate::players::{self, NoTurn};
use crate::search::{Control, Crew};

/// Everything that computer players at tables need.
#[derive(Debug)]
pub(super) struct Players {
    bots: Arc<Bots>,
    levels: Arc<Pool>,
    /// By the name of the bot: as many turns at once as there may be processes of it.
    turns_of_bots: BTreeMap<String, Arc<Pool>>,
}

type Handle = Arc<Mutex<SharedTable>>;

impl Server {
    /// Lets the computer player think whose turn it is, if there is one and it does not think yet.
    pub(super) fn autoplay(&self, handle: &Handle) {
        let mut shared = handle.lock();
        if let Some(stop) = players::to_act(shared.table()).and_then(|_| shared.begin_thinking()) {
            self.players.wait_in_line(handle, shared, stop);
        }
    }
}

impl Players {
    pub(super) fn new(bots: Arc<Bots>, levels: Arc<Pool>) -> Arc<Players> {
        let places = Capacity { places: MOST_PROCESSES, memory: 0, kept: 0 };
        let turns_of_bots = bots.names().into_iter().map(|name| (name, Pool::new(places))).collect();
        Arc::new(Players { bots, levels, turns_of_bots })
    }

    pub(super) fn bots(&self) -> &Bots {
        &self.bots
    }

    /// Lets the computer player whose turn it is wait until it may think. `stop` ends that.
    fn wait_in_line(
        self: &Arc<Players>,
        handle: &Handle,
        mut shared: MutexGuard<'_, SharedTable>,
        stop: Arc<AtomicBool>,
    ) {
        let Some((seat, player, _)) = players::to_act(shared.table()) else { return };
        // Only bots that are there may sit down.
        let pool = player.bot().and_then(|name| self.turns_of_bots.get(name)).unwrap_or(&self.levels);
        let (players, there, its_stop) = (Arc::clone(self), Arc::clone(handle), Arc::clone(&stop));
        let run = move |turn: Turn<'_>| players.take_turn(&there, &its_stop, &turn);
        let there = Arc::downgrade(handle);
        let tell = move |place| {
            let Some(there) = there.upgrade() else { return };
            let shared = there.lock();
            if shared.is_waiting(&stop) {
                let table = shared.table().id().into();
                let waiting = Waiting { request: None, table: Some(table), seat: Some(seat), place };
                shared.notify_progress(&notice_line(waiting));
            }
        };
        let ticket = pool.enter(shared.owner(), player.cost(shared.table()), Work::new(run, tell));
        shared.wait(ticket);
        drop(shared);
        pool.go_on();
    }

    /// Thinks about one turn and plays it.
    fn take_turn(self: &Arc<Players>, handle: &Handle, stop: &Arc<AtomicBool>, turn: &Turn<'_>) {
        let mut shared = handle.lock();
        if !shared.is_thinking(stop) {
            return;
        }
        if let Turn::NoThread(error) = turn {
            tracing::error!("nobody is free to think at table {}: {error}", shared.table().id());
            shared.end_thinking();
            return shared.hold();
        }
        let Some((seat, player, seed)) = players::to_act(shared.table()) else { return };
        shared.stop_waiting();
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
        let crew = if let Turn::Begins(place) = turn { Some(*place as &dyn Crew) } else { None };
        let mut control = Control::new(stop, &mut report).with_crew(crew);
        let taken = player.among_people().take_turn(&table, seed, &self.bots, &mut control);

        let mut shared = handle.lock();
        if !shared.is_thinking(stop) {
            return;
        }
        match taken {
            Ok(turn) => {
                if let Err(error) = shared.play_own(seat, turn.choice.actions) {
                    give_up(&mut shared, &error.message);
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
        if players::to_act(shared.table()).is_some() {
            // Who was hurried may take its time over the next turn.
            stop.store(false, Ordering::Relaxed);
            self.wait_in_line(handle, shared, Arc::clone(stop));
        } else {
            shared.end_thinking();
        }
    }
}

/// A turn cannot be played; the game is kept for the others.
fn give_up(shared: &mut SharedTable, reason: &str) {
    tracing::error!("a level failed at table {}, which is held: {reason}", shared.table().id());
    shared.hold();
}
