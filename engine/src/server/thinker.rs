//! The engine's own players: they move by themselves whenever it is their turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tabuleiro_protocol::Seat;
use tabuleiro_protocol::notice::{Changed, Thinking};

use super::client::Client;
use super::lock;
use crate::player::Control;
use crate::table::Table;

/// A table with those who watch it and the one who thinks at it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) table: Table,
    watcher: Arc<Client>,
    thought: Option<Arc<AtomicBool>>,
}

impl Place {
    pub(super) fn new(table: Table, watcher: Arc<Client>) -> Place {
        Place { table, watcher, thought: None }
    }

    /// Ends the thought under way, if there is one; nothing comes of it any more.
    pub(super) fn interrupt(&mut self) {
        if let Some(stop) = self.thought.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Makes the thought under way end with the best it has. `false` if there is none.
    pub(super) fn hurry(&self) -> bool {
        self.thought.as_ref().inspect(|stop| stop.store(true, Ordering::Relaxed)).is_some()
    }

    /// Whether this is the thought under way, and was not interrupted.
    fn is_thinking(&self, stop: &Arc<AtomicBool>) -> bool {
        self.thought.as_ref().is_some_and(|thought| Arc::ptr_eq(thought, stop))
    }
}

/// Lets the engine's own player think, if it is its turn.
pub(super) fn wake(place: &Arc<Mutex<Place>>) {
    let mut here = lock(place);
    if here.thought.is_some() || here.table.question().is_none() {
        return;
    }
    let stop = Arc::new(AtomicBool::new(false));
    here.thought = Some(Arc::clone(&stop));
    let place = Arc::clone(place);
    thread::spawn(move || while take_turn(&place, &stop) {});
}

/// Thinks about one turn and plays it. `true` if the next turn is the engine's too.
fn take_turn(place: &Mutex<Place>, stop: &Arc<AtomicBool>) -> bool {
    let here = lock(place);
    if !here.is_thinking(stop) {
        return false;
    }
    let Some((seat, question)) = here.table.question() else { return false };
    let (game, watcher) = (here.table.game().fork(), Arc::clone(&here.watcher));
    let table = here.table.id().to_string();
    drop(here);

    watcher.notify(Thinking { table: table.clone(), seat, info: None });
    let mut report = |info| watcher.notify(Thinking { table: table.clone(), seat, info: Some(info) });
    let choice =
        catch_unwind(AssertUnwindSafe(|| game.choose(&question, &mut Control { stop, report: &mut report })));

    let mut here = lock(place);
    if !here.is_thinking(stop) {
        return false;
    }
    match choice.map(|choice| play(&mut here.table, seat, choice.actions)) {
        Ok(Some(changed)) => {
            here.watcher.notify(changed);
            let goes_on = here.table.question().is_some();
            if goes_on {
                // Who was hurried may take its time over the next turn.
                stop.store(false, Ordering::Relaxed);
            } else {
                here.thought = None;
            }
            goes_on
        }
        Ok(None) | Err(_) => {
            tracing::error!("the player of seat {seat} at table {table} broke down; the table is held");
            here.table.set_held(true);
            here.thought = None;
            false
        }
    }
}

fn play(table: &mut Table, seat: Seat, actions: Vec<String>) -> Option<Changed> {
    let events = table.play_own(&actions).ok()?;
    let state = table.state();
    Some(Changed { table: state.table.clone(), ply: state.ply, by: Some(seat), actions, events, state })
}
