//! The engine's own players: they move by themselves whenever it is their turn.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tabuleiro_protocol::notice::Thinking;

use super::client::notice_line;
use super::lock;
use super::place::Place;
use crate::player::Control;

/// Lets the engine's own player think, if it is its turn.
pub(super) fn wake(place: &Arc<Mutex<Place>>) {
    let mut here = lock(place);
    if here.table.question().is_none() {
        return;
    }
    let Some(stop) = here.begin_to_think() else { return };
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
    let game = here.table.game().fork();
    let table = here.table.id().to_string();
    let thinking = |info| notice_line(Thinking { table: table.clone(), seat, info });
    here.tell_in_passing(&thinking(None));
    drop(here);

    let mut report = |info| {
        let here = lock(place);
        if here.is_thinking(stop) {
            here.tell_in_passing(&thinking(Some(info)));
        }
    };
    let choice =
        catch_unwind(AssertUnwindSafe(|| game.choose(&question, &mut Control { stop, report: &mut report })));

    let mut here = lock(place);
    if !here.is_thinking(stop) {
        return false;
    }
    let played = choice.ok().and_then(|choice| {
        let events = here.table.play_own(&choice.actions).ok()?;
        here.tell_changed(None, Some(seat), choice.actions, events);
        Some(())
    });
    if played.is_none() {
        tracing::error!("the player of seat {seat} at table {table} broke down; the table is held");
        here.table.set_held(true);
    }
    let goes_on = here.table.question().is_some();
    if goes_on {
        // Who was hurried may take its time over the next turn.
        stop.store(false, Ordering::Relaxed);
    } else {
        here.end_thought();
    }
    goes_on
}
