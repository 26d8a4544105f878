//! A table with its clients: who sits at it, who watches it, and the player that thinks at it.

mod access;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::notice::{Changed, TableClosed};
use tabuleiro_protocol::{Direction, ErrorObject, Event, PerSeat, Player, Seat, Wanted};

use self::access::Deed;
pub(super) use self::access::Denied;
use super::account::Held;
use super::client::{Client, notice_line};
use super::pool::{Owner, Ticket, Work};
use super::{table_number, wire_error};
use crate::table::{Reach, Steps, Table};

/// A table that clients share. They change it by these functions only, and each asks first whether
/// the client may do that.
#[derive(Debug)]
pub(super) struct SharedTable {
    table: Table,
    /// Plays every seat of clients that nobody has claimed. `None` once it has gone away.
    maker: Option<Arc<Client>>,
    claimers: PerSeat<Option<Arc<Client>>>,
    watchers: Vec<Arc<Client>>,
    /// Those who have asked for what is [wanted](Table::wanted).
    askers: Vec<Arc<Client>>,
    /// The computer player that thinks here or waits for that.
    thinking: Option<ThinkingPlayer>,
    /// What it takes of the memory for tables, and of how many there may be.
    held: Option<TableHeld>,
    is_closed: bool,
}

/// A computer player whose turn it is.
#[derive(Debug)]
struct ThinkingPlayer {
    stop: Arc<AtomicBool>,
    /// Its place in line, until it begins.
    ticket: Option<Ticket>,
}

/// What a table takes of what its maker and all together may have.
#[derive(Debug)]
pub(super) struct TableHeld {
    pub(super) bytes: Held,
    /// One of so many tables.
    pub(super) _one: Held,
}

/// What is left of a table when a client has gone away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    AsItWas,
    Changed,
    Empty,
}

/// Whom a `hurry` has hurried.
#[derive(Debug)]
pub(super) enum Hurried {
    Nobody,
    /// A level, and what it does if it had not begun yet.
    Level(Option<Work>),
}

impl Hurried {
    /// Lets one who had not begun yet play what it can without thinking. The table must not be
    /// locked.
    pub(super) fn end(self) {
        if let Hurried::Level(Some(work)) = self {
            work.end();
        }
    }
}

impl SharedTable {
    pub(super) fn new(table: Table, maker: &Arc<Client>) -> SharedTable {
        SharedTable {
            table,
            maker: Some(Arc::clone(maker)),
            claimers: PerSeat { one: None, two: None },
            watchers: vec![Arc::clone(maker)],
            askers: Vec::new(),
            thinking: None,
            held: None,
            is_closed: false,
        }
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn set_id(&mut self, id: String) {
        self.table.set_id(id);
    }

    // What clients do.

    pub(super) fn play(
        &mut self,
        client: &Arc<Client>,
        actions: &[String],
        ply: Option<usize>,
    ) -> Result<Vec<Event>, ErrorObject> {
        let seats = self.seats_of(client);
        self.grow(actions.len(), |table| Ok(table.play(actions, ply, seats)?))
    }

    /// Plays so many actions if there is memory for them.
    fn grow<T>(
        &mut self,
        actions: usize,
        play: impl FnOnce(&mut Table) -> Result<T, ErrorObject>,
    ) -> Result<T, ErrorObject> {
        let Some(held) = &mut self.held else { return play(&mut self.table) };
        let bytes = |table: &Table| table.session().bytes();
        let after = bytes(&self.table) + actions * self.table.session().bytes_per_action();
        held.bytes.resize(after).map_err(wire_error::tables_too_large)?;
        let played = play(&mut self.table);
        // It can only have become less.
        let _ = held.bytes.resize(bytes(&self.table));
        played
    }

    /// Counts the table among those that its maker and all together have.
    pub(super) fn set_account(&mut self, held: TableHeld) {
        self.held = Some(held);
    }

    /// Takes back, or plays again. Turns of somebody else's who plays here are only touched if
    /// that one wants the same; with `ask` the wish is kept until then.
    pub(super) fn go(
        &mut self,
        client: &Arc<Client>,
        direction: Direction,
        steps: Steps,
        ask: bool,
    ) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        if let Some((seat, actions)) = self.needs_consent(client, direction, steps)? {
            if !ask {
                return Err(Denied::OthersTurn { seat, direction }.into());
            }
            self.want(client, direction, actions);
            return Ok(());
        }
        self.table.go(direction, steps)?;
        self.askers.clear();
        self.interrupt();
        Ok(())
    }

    /// A seat whose turn would be touched although the one who plays it has not asked for that, and
    /// how many actions would be touched.
    fn needs_consent(
        &self,
        client: &Arc<Client>,
        direction: Direction,
        steps: Steps,
    ) -> Result<Option<(Seat, usize)>, ErrorObject> {
        let others = self.seats_of_others(client);
        if !others.one && !others.two {
            return Ok(None);
        }
        let Reach { actions, seats } = self.table.reach(direction, steps)?;
        let askers = if self.is_wanted(direction, actions) { self.askers.as_slice() } else { &[] };
        let has_asked = |seat| askers.iter().any(|asker| self.seats_of(asker)[seat]);
        let needed = Seat::BOTH.into_iter().find(|&seat| others[seat] && seats[seat] && !has_asked(seat));
        Ok(needed.map(|seat| (seat, actions)))
    }

    fn is_wanted(&self, direction: Direction, actions: usize) -> bool {
        self.table.wanted().is_some_and(|wanted| wanted.method == direction && wanted.actions == actions)
    }

    /// Keeps what a client asks for, beside what others have asked for if that is the same.
    fn want(&mut self, client: &Arc<Client>, direction: Direction, actions: usize) {
        if !self.is_wanted(direction, actions) {
            self.askers.clear();
            let seats = self.seats_of(client);
            let by = Seat::BOTH.into_iter().find(|&seat| seats[seat]);
            self.table.set_wanted(Some(Wanted { by, method: direction, actions }));
        }
        if !self.askers.iter().any(|asker| Arc::ptr_eq(asker, client)) {
            self.askers.push(Arc::clone(client));
        }
    }

    pub(super) fn set_held(&mut self, client: &Arc<Client>, held: bool) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        self.table.set_held(held);
        self.interrupt();
        Ok(())
    }

    /// Makes the level that thinks play the best it has found, if one does; bots are not
    /// hurried. What is given is to be ended once the table is unlocked.
    pub(super) fn hurry(&mut self, client: &Arc<Client>) -> Result<Hurried, ErrorObject> {
        self.check(client, Deed::Steer)?;
        let is_bot = self.table.to_act().is_some_and(|(_, player, _)| matches!(player, Player::Bot { .. }));
        let Some(thinking) = self.thinking.as_mut().filter(|_| !is_bot) else { return Ok(Hurried::Nobody) };
        thinking.stop.store(true, Ordering::Relaxed);
        let ticket = thinking.ticket.take();
        Ok(Hurried::Level(ticket.and_then(|ticket| ticket.leave())))
    }

    pub(super) fn resign(&mut self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        self.table.check_goes_on()?;
        self.check(client, Deed::Resign(seat))?;
        self.table.resign(seat)?;
        self.interrupt();
        Ok(())
    }

    /// Lets somebody else play a seat.
    pub(super) fn set_seat(
        &mut self,
        client: &Arc<Client>,
        seat: Seat,
        to: Player,
    ) -> Result<(), ErrorObject> {
        self.check(client, Deed::SetSeat(seat))?;
        let is_taken = matches!(to, Player::Client { open: false, .. }) && !self.is_maker(client);
        self.table.set_seat(seat, to)?;
        self.claimers[seat] = is_taken.then(|| Arc::clone(client));
        if is_taken {
            self.table.set_claim(seat, false, true);
        }
        self.interrupt();
        Ok(())
    }

    pub(super) fn claim(&mut self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        self.check(client, Deed::Claim(seat))?;
        if self.claimers[seat].is_none() {
            self.claimers[seat] = Some(Arc::clone(client));
            self.table.set_claim(seat, true, true);
        }
        self.watch(client);
        Ok(())
    }

    pub(super) fn release(&mut self, client: &Arc<Client>, seat: Seat) -> Result<(), ErrorObject> {
        self.check(client, Deed::Release(seat))?;
        self.free(seat);
        Ok(())
    }

    pub(super) fn close(&mut self, client: &Arc<Client>) -> Result<(), ErrorObject> {
        self.check(client, Deed::Close)?;
        self.shut();
        Ok(())
    }

    pub(super) fn watch(&mut self, client: &Arc<Client>) {
        if !self.watchers.iter().any(|watcher| Arc::ptr_eq(watcher, client)) {
            self.watchers.push(Arc::clone(client));
        }
    }

    pub(super) fn unwatch(&mut self, client: &Arc<Client>) {
        self.watchers.retain(|watcher| !Arc::ptr_eq(watcher, client));
    }

    /// A client has gone away: its seats are free, and a table at which nobody is left is closed.
    pub(super) fn leave(&mut self, client: &Arc<Client>) -> Left {
        self.unwatch(client);
        // A wish may have lapsed since.
        let is_asker = self.askers.iter().any(|asker| Arc::ptr_eq(asker, client));
        let has_asked = is_asker && self.table.wanted().is_some();
        if has_asked {
            self.askers.clear();
            self.table.set_wanted(None);
        }
        let seats = self.seats_of(client);
        if self.is_maker(client) {
            self.maker = None;
        }
        for seat in Seat::BOTH {
            if seats[seat] {
                self.free(seat);
            }
        }
        let is_claimed = self.claimers.one.is_some() || self.claimers.two.is_some();
        if self.maker.is_none() && self.watchers.is_empty() && !is_claimed {
            self.shut();
            Left::Empty
        } else if seats.one || seats.two || has_asked {
            Left::Changed
        } else {
            Left::AsItWas
        }
    }

    /// Anybody may take the seat.
    fn free(&mut self, seat: Seat) {
        self.claimers[seat] = None;
        self.table.set_claim(seat, true, false);
    }

    fn shut(&mut self) {
        self.is_closed = true;
        self.held = None;
        self.interrupt();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.is_closed
    }

    // What computer players do.

    /// Somebody begins to think, unless somebody is thinking already. Gives what stops it.
    pub(super) fn begin_thinking(&mut self) -> Option<Arc<AtomicBool>> {
        if self.thinking.is_some() || self.is_closed {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.thinking = Some(ThinkingPlayer { stop: Arc::clone(&stop), ticket: None });
        Some(stop)
    }

    /// The one who is about to think waits for that.
    pub(super) fn wait(&mut self, ticket: Ticket) {
        if let Some(thinking) = &mut self.thinking {
            thinking.ticket = Some(ticket);
        }
    }

    /// Whether the one that this stops still waits for its turn to think.
    pub(super) fn is_waiting(&self, stop: &Arc<AtomicBool>) -> bool {
        self.is_thinking(stop) && self.thinking.as_ref().is_some_and(|thinking| thinking.ticket.is_some())
    }

    /// The one who waited begins to think.
    pub(super) fn stop_waiting(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.ticket = None;
        }
    }

    /// Whose turn it is to have something thought about: the maker, for all its tables together.
    pub(super) fn owner(&self) -> Owner {
        match &self.maker {
            Some(maker) => Owner::Client(maker.number()),
            None => Owner::Table(table_number(self.table.id()).unwrap_or_default()),
        }
    }

    /// Whether the one that this stops still thinks here, and was not interrupted.
    pub(super) fn is_thinking(&self, stop: &Arc<AtomicBool>) -> bool {
        self.thinking.as_ref().is_some_and(|thinking| Arc::ptr_eq(&thinking.stop, stop))
    }

    pub(super) fn end_thinking(&mut self) {
        self.thinking = None;
    }

    /// Stops the one who thinks, if there is one; nothing comes of it any more.
    fn interrupt(&mut self) {
        if let Some(ThinkingPlayer { stop, ticket }) = self.thinking.take() {
            stop.store(true, Ordering::Relaxed);
            // Nothing comes of it: it need not even be ended.
            drop(ticket.and_then(|ticket| ticket.leave()));
        }
    }

    /// Plays the turn of a computer player.
    pub(super) fn play_own(&mut self, seat: Seat, actions: Vec<String>) -> Result<(), ErrorObject> {
        let events = self.grow(actions.len(), |table| Ok(table.play_own(&actions)?))?;
        self.notify_changed(None, Some(seat), actions, events);
        Ok(())
    }

    /// Computer players wait from now on, because one of them cannot go on.
    pub(super) fn hold(&mut self) {
        self.table.set_held(true);
        self.notify_changed(None, None, Vec::new(), Vec::new());
    }

    // What those who watch are told.

    /// Sends a line to all who watch, but for one who knows already.
    pub(super) fn notify(&self, except: Option<&Arc<Client>>, line: &Arc<str>) {
        for watcher in self.watchers_but(except) {
            watcher.send(line);
        }
    }

    /// Sends a line that will soon be out of date to those who keep up with what they are told.
    pub(super) fn notify_progress(&self, line: &Arc<str>) {
        self.watchers.iter().for_each(|watcher| watcher.send_progress(line));
    }

    /// The table is not as it was; `by` is the seat that did it.
    pub(super) fn notify_changed(
        &self,
        except: Option<&Arc<Client>>,
        by: Option<Seat>,
        actions: Vec<String>,
        events: Vec<Event>,
    ) {
        if self.watchers_but(except).next().is_some() {
            let state = self.table.state();
            let changed = Changed { table: state.table.clone(), ply: state.ply, by, actions, events, state };
            self.notify(except, &notice_line(changed));
        }
    }

    pub(super) fn notify_closed(&self, except: Option<&Arc<Client>>) {
        self.notify(except, &notice_line(TableClosed { table: self.table.id().into() }));
    }

    fn watchers_but<'a>(&'a self, except: Option<&Arc<Client>>) -> impl Iterator<Item = &'a Arc<Client>> {
        let except = except.map(Arc::as_ptr);
        self.watchers.iter().filter(move |watcher| except != Some(Arc::as_ptr(watcher)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::server::account::Account;
    use crate::server::testing;

    #[test]
    fn a_game_grows_no_further_than_its_memory() {
        let maker = testing::client();
        let session = Catalog::standard().open("zurero", None, 1, None).expect("a game");
        let bytes = session.bytes();
        let account = Account::new(bytes + 2 * session.bytes_per_action());
        let table = Table::new("t1".into(), session, PerSeat::default()).expect("a table");
        let mut table = SharedTable::new(table, &maker);
        let hold = |amount| account.hold(amount).expect("there is room");
        table.set_account(TableHeld { bytes: hold(bytes), _one: Account::new(1).hold(1).expect("one") });
        let mut play = |actions: &[&str]| {
            let actions: Vec<String> = actions.iter().copied().map(String::from).collect();
            table.play(&maker, &actions, None).map_err(|error| error.code)
        };
        play(&["@j10"]).expect("there is room");
        assert_eq!(play(&["w10", "e10"]).err(), Some(9));
        play(&["w10"]).expect("there is room");
        assert_eq!(play(&["e10"]).err(), Some(9));
        assert_eq!(table.table().ply(), 2);
        table.shut();
        assert_eq!(account.used(), 0);
    }
}
