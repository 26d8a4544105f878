use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::notice::Changed;
use tabuleiro_protocol::{ErrorCode, ErrorObject, Event, PerSeat, Player, Seat};

use super::client::{Client, notice_line};
use crate::players;
use crate::table::Table;

/// A table with those who sit at it, those who watch it and the one who thinks at it.
#[derive(Debug)]
pub(super) struct SharedTable {
    pub(super) table: Table,
    /// Plays every seat of clients that nobody has claimed. Gone when it has gone away.
    maker: Option<Arc<Client>>,
    claimers: PerSeat<Option<Arc<Client>>>,
    watchers: Vec<Arc<Client>>,
    thought: Option<Arc<AtomicBool>>,
    is_closed: bool,
}

/// What is left of a shared table when a client has gone away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    AsItWas,
    /// Seats are free now.
    Changed,
    /// Nobody is there any more.
    Empty,
}

impl SharedTable {
    pub(super) fn new(table: Table, maker: &Arc<Client>) -> SharedTable {
        SharedTable {
            table,
            maker: Some(Arc::clone(maker)),
            claimers: PerSeat { one: None, two: None },
            watchers: vec![Arc::clone(maker)],
            thought: None,
            is_closed: false,
        }
    }

    /// The one whose moves are those of a seat.
    fn player(&self, seat: Seat) -> Option<&Arc<Client>> {
        match self.table.seats()[seat] {
            Player::Client { .. } => self.claimers[seat].as_ref().or(self.maker.as_ref()),
            _ => None,
        }
    }

    pub(super) fn is_player(&self, client: &Arc<Client>, seat: Seat) -> bool {
        self.player(seat).is_some_and(|player| Arc::ptr_eq(player, client))
    }

    fn is_maker(&self, client: &Arc<Client>) -> bool {
        self.maker.as_ref().is_some_and(|maker| Arc::ptr_eq(maker, client))
    }

    /// Refuses those who only watch.
    pub(super) fn check_sits_here(&self, client: &Arc<Client>) -> Result<(), ErrorObject> {
        if self.is_maker(client) || Seat::BOTH.into_iter().any(|seat| self.is_player(client, seat)) {
            return Ok(());
        }
        let message = format!("you do not play at table {}: claim a seat first", self.table.id());
        Err(ErrorObject::new(ErrorCode::NotYourSeat, message))
    }

    pub(super) fn check_may_close(&self, client: &Arc<Client>) -> Result<(), ErrorObject> {
        if self.maker.is_none() {
            return self.check_sits_here(client);
        }
        if self.is_maker(client) {
            return Ok(());
        }
        let message = format!("only the one who opened table {} can close it", self.table.id());
        Err(ErrorObject::new(ErrorCode::NotYourSeat, message))
    }

    pub(super) fn check_is_player(&self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        if self.is_player(client, seat) { Ok(()) } else { Err(self.table.not_your_seat(seat)) }
    }

    /// Lets somebody else play a seat. The maker can do so with every seat, others with their own and with those of the engine's players.
    pub(super) fn set_seat(
        &mut self,
        client: &Arc<Client>,
        seat: Seat,
        to: Player,
    ) -> Result<(), ErrorObject> {
        self.check_sits_here(client)?;
        let is_of_a_client = matches!(self.table.seats()[seat], Player::Client { .. });
        if is_of_a_client && !self.is_maker(client) {
            self.check_is_player(client, seat)?;
        }
        let is_taken = matches!(to, Player::Client { open: false, .. }) && !self.is_maker(client);
        self.table.set_seat(seat, to)?;
        self.claimers[seat] = is_taken.then(|| Arc::clone(client));
        if is_taken {
            self.table.set_claim(seat, false, true);
        }
        Ok(())
    }

    pub(super) fn claim(&mut self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        let is_free = self.table.seats()[seat] == Player::Client { open: true, claimed: false };
        let is_claimed_already =
            self.claimers[seat].as_ref().is_some_and(|claimer| Arc::ptr_eq(claimer, client));
        if is_free {
            self.claimers[seat] = Some(Arc::clone(client));
            self.table.set_claim(seat, true, true);
        } else if !is_claimed_already {
            return Err(self.table.not_your_seat(seat));
        }
        self.watch(client);
        Ok(())
    }

    pub(super) fn release(&mut self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        if self.claimers[seat].as_ref().is_none_or(|claimer| !Arc::ptr_eq(claimer, client)) {
            let message = format!("you have not claimed seat {seat}");
            let error = ErrorObject::new(ErrorCode::NotYourSeat, message);
            return Err(error.with("seat", seat.number()));
        }
        self.free(seat);
        Ok(())
    }

    /// Anybody may take the seat.
    fn free(&mut self, seat: Seat) {
        self.claimers[seat] = None;
        self.table.set_claim(seat, true, false);
    }

    pub(super) fn watch(&mut self, client: &Arc<Client>) {
        if !self.watchers.iter().any(|watcher| Arc::ptr_eq(watcher, client)) {
            self.watchers.push(Arc::clone(client));
        }
    }

    pub(super) fn unwatch(&mut self, client: &Arc<Client>) {
        self.watchers.retain(|watcher| !Arc::ptr_eq(watcher, client));
    }

    /// A client has gone away: its seats are free.
    pub(super) fn leave(&mut self, client: &Arc<Client>) -> Left {
        self.unwatch(client);
        let freed: Vec<Seat> = Seat::BOTH.into_iter().filter(|&seat| self.is_player(client, seat)).collect();
        if self.is_maker(client) {
            self.maker = None;
        }
        for &seat in &freed {
            self.free(seat);
        }
        let is_claimed = self.claimers.one.is_some() || self.claimers.two.is_some();
        if self.maker.is_none() && self.watchers.is_empty() && !is_claimed {
            Left::Empty
        } else if freed.is_empty() {
            Left::AsItWas
        } else {
            Left::Changed
        }
    }

    /// Tells all who watch but the one who knows already.
    pub(super) fn tell_but(&self, knows: Option<&Arc<Client>>, line: &Arc<str>) {
        for watcher in &self.watchers {
            if knows.is_none_or(|knows| !Arc::ptr_eq(knows, watcher)) {
                watcher.send_line(line);
            }
        }
    }

    /// Tells those who watch and keep up with it.
    pub(super) fn tell_in_passing(&self, line: &Arc<str>) {
        self.watchers.iter().for_each(|watcher| watcher.send_passing(line));
    }

    /// Tells that the table is not as it was, and by whose doing.
    pub(super) fn tell_changed(
        &self,
        knows: Option<&Arc<Client>>,
        by: Option<Seat>,
        actions: Vec<String>,
        events: Vec<Event>,
    ) {
        let is_told_to_somebody =
            self.watchers.iter().any(|watcher| knows.is_none_or(|knows| !Arc::ptr_eq(knows, watcher)));
        if is_told_to_somebody {
            let state = self.table.state();
            let changed = Changed { table: state.table.clone(), ply: state.ply, by, actions, events, state };
            self.tell_but(knows, &notice_line(changed));
        }
    }

    pub(super) fn close(&mut self) {
        self.is_closed = true;
        self.interrupt();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Somebody begins to think, unless somebody is thinking already. Gives what ends the thought.
    pub(super) fn begin_to_think(&mut self) -> Option<Arc<AtomicBool>> {
        if self.thought.is_some() || self.is_closed {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.thought = Some(Arc::clone(&stop));
        Some(stop)
    }

    /// Ends the thought under way, if there is one; nothing comes of it any more.
    pub(super) fn interrupt(&mut self) {
        if let Some(stop) = self.thought.take() {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// The thought under way has come to its end.
    pub(super) fn end_thought(&mut self) {
        self.thought = None;
    }

    /// Makes the thought under way end with the best it has. `false` if there is none, or none that listens: bots are not interrupted.
    pub(super) fn hurry(&self) -> bool {
        if players::to_act(&self.table).is_some_and(|(_, player, _)| player.bot().is_some()) {
            return false;
        }
        self.thought.as_ref().inspect(|stop| stop.store(true, Ordering::Relaxed)).is_some()
    }

    /// Whether this is the thought under way, and was not interrupted.
    pub(super) fn is_thinking(&self, stop: &Arc<AtomicBool>) -> bool {
        self.thought.as_ref().is_some_and(|thought| Arc::ptr_eq(thought, stop))
    }
}
