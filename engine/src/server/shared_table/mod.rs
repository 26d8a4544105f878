//! A table with its clients: who sits at it, who watches it, and the player that thinks at it.

mod access;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::notice::{Changed, TableClosed, TreeChanged};
use tabuleiro_protocol::{ErrorObject, Evaluation, Event, PerSeat, Player, Seat, Wanted};

use self::access::Deed;
pub(super) use self::access::Denied;
use super::account::Held;
use super::client::{Client, notice_line};
use super::pool::{Owner, Ticket, Work};
use super::{table_number, wire_error};
use crate::table::{Reach, Table, Way};

/// About what a note takes, without its comment.
const NOTE_BYTES: usize = 512;

/// What a sign of a comment takes at most: there may be six in its record, and room for as many.
const BYTES_PER_SIGN: usize = 12;

/// A table that clients share. They change it by these functions only, and each asks first whether
/// the client may do that.
#[derive(Debug)]
pub(super) struct SharedTable {
    table: Table,
    /// Plays every seat of clients that nobody has claimed. `None` once it has gone away.
    maker: Option<Arc<Client>>,
    claimers: PerSeat<Option<Arc<Client>>>,
    watchers: Vec<Arc<Client>>,
    /// Those who hear of every change of the tree.
    followers: Vec<Arc<Client>>,
    /// Where they think that the table stands, and where its line ends.
    told: (u32, u32),
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
            followers: Vec::new(),
            told: (0, 0),
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
        let more = actions.len() * self.table.session().bytes_per_action();
        self.grow(more, |table| Ok(table.play(actions, ply, seats)?))
    }

    /// Changes the game if there is memory for so many bytes more. If need be, what may be forgotten
    /// of it makes room.
    fn grow<T>(
        &mut self,
        more: usize,
        change: impl FnOnce(&mut Table) -> Result<T, ErrorObject>,
    ) -> Result<T, ErrorObject> {
        let Some(held) = &mut self.held else { return change(&mut self.table) };
        let before = self.table.session().bytes();
        let mut most = before + more;
        if let Err(full) = held.bytes.resize(most) {
            most = most.saturating_sub(self.table.session().forgettable().1).max(before);
            held.bytes.resize(most).map_err(|_| wire_error::tables_too_large(full))?;
        }
        let changed = change(&mut self.table);
        if changed.is_ok() {
            self.table.shrink_to(most);
        }
        // It can only have become less.
        let _ = held.bytes.resize(self.table.session().bytes());
        changed
    }

    /// Counts the table among those that its maker and all together have.
    pub(super) fn set_account(&mut self, held: TableHeld) {
        self.held = Some(held);
    }

    /// Takes back, plays again, or goes to a node. Turns of somebody else's who plays here are only
    /// touched if that one wants the same; with `ask` the wish is kept until then.
    pub(super) fn go(&mut self, client: &Arc<Client>, way: Way, ask: bool) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        if let Some((seat, actions)) = self.needs_consent(client, way)? {
            if !ask {
                return Err(Denied::OthersTurn { seat, direction: way.method() }.into());
            }
            self.want(client, way, actions);
            return Ok(());
        }
        self.table.go(way)?;
        self.askers.clear();
        self.interrupt();
        Ok(())
    }

    /// A seat whose turn would be touched although the one who plays it has not asked for that, and
    /// how many actions would be touched.
    fn needs_consent(&self, client: &Arc<Client>, way: Way) -> Result<Option<(Seat, usize)>, ErrorObject> {
        let others = self.seats_of_others(client);
        if !others.one && !others.two {
            return Ok(None);
        }
        let Reach { actions, seats } = self.table.reach(way)?;
        let askers = if self.is_wanted(way, actions) { self.askers.as_slice() } else { &[] };
        let has_asked = |seat| askers.iter().any(|asker| self.seats_of(asker)[seat]);
        let needed = Seat::BOTH.into_iter().find(|&seat| others[seat] && seats[seat] && !has_asked(seat));
        Ok(needed.map(|seat| (seat, actions)))
    }

    fn is_wanted(&self, way: Way, actions: usize) -> bool {
        let is_same = |wanted: &Wanted| {
            (wanted.method, wanted.actions, wanted.node) == (way.method(), actions, way.node())
        };
        self.table.wanted().is_some_and(is_same)
    }

    /// Keeps what a client asks for, beside what others have asked for if that is the same.
    fn want(&mut self, client: &Arc<Client>, way: Way, actions: usize) {
        if !self.is_wanted(way, actions) {
            self.askers.clear();
            let seats = self.seats_of(client);
            let by = Seat::BOTH.into_iter().find(|&seat| seats[seat]);
            let wanted = Wanted { by, method: way.method(), actions, node: way.node() };
            self.table.set_wanted(Some(wanted));
        }
        if !self.askers.iter().any(|asker| Arc::ptr_eq(asker, client)) {
            self.askers.push(Arc::clone(client));
        }
    }

    /// Says something about a node, or about one that comes of it by these actions.
    pub(super) fn annotate(
        &mut self,
        client: &Arc<Client>,
        node: Option<u32>,
        actions: &[String],
        comment: Option<&str>,
        mark: Option<&str>,
    ) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        let note = NOTE_BYTES + comment.map_or(0, |comment| comment.len() * BYTES_PER_SIGN);
        let more = note + actions.len() * self.table.session().bytes_per_action();
        self.grow(more, |table| Ok(table.annotate(node, actions, comment, mark)?))
    }

    pub(super) fn promote(
        &mut self,
        client: &Arc<Client>,
        node: u32,
        all_the_way: bool,
    ) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        Ok(self.table.promote(node, all_the_way)?)
    }

    /// Deletes a part of the tree. What another client has played is taken back first, which needs
    /// its consent.
    pub(super) fn delete(&mut self, client: &Arc<Client>, node: u32) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        let history = self.table.session().history();
        if history.is_played(node)
            && let Some(before) = history.ply_of(node).and_then(|ply| history.node_at(ply.saturating_sub(1)))
        {
            let way = Way::To(before);
            if let Some((seat, _)) = self.needs_consent(client, way)? {
                return Err(Denied::OthersTurn { seat, direction: way.method() }.into());
            }
        }
        let current = self.stand().0;
        self.table.delete(node)?;
        if self.stand().0 != current {
            self.interrupt();
        }
        Ok(())
    }

    pub(super) fn restore(&mut self, client: &Arc<Client>) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        Ok(self.table.restore()?)
    }

    /// Keeps what a search has found at a node, if there is room for it and the node is still there.
    pub(super) fn keep(&mut self, node: u32, evaluation: Evaluation) {
        if self.is_closed {
            return;
        }
        let length = serde_json::to_string(&evaluation).map_or(0, |text| text.len());
        let kept = self.grow(NOTE_BYTES + 2 * length, |table| Ok(table.evaluate(node, evaluation)?));
        if let Err(error) = kept {
            tracing::debug!("an evaluation was not kept: {}", error.message);
        }
        self.notify_tree();
    }

    /// Tells a client of every change of the tree from now on, or no longer.
    pub(super) fn follow(&mut self, client: &Arc<Client>, follows: bool) {
        let were_followers = !self.followers.is_empty();
        self.followers.retain(|follower| !Arc::ptr_eq(follower, client));
        if follows {
            self.followers.push(Arc::clone(client));
        }
        let are_followers = !self.followers.is_empty();
        if are_followers != were_followers {
            self.table.follow(are_followers);
            self.told = self.stand();
        }
    }

    /// The node at which the table stands, and the last one of its line.
    fn stand(&self) -> (u32, u32) {
        let history = self.table.session().history();
        (history.current(), history.end())
    }

    pub(super) fn set_held(&mut self, client: &Arc<Client>, held: bool) -> Result<(), ErrorObject> {
        self.check(client, Deed::Steer)?;
        self.table.set_held(held);
        self.interrupt();
        Ok(())
    }

    /// Lets computer players go on, perhaps only for so many of their turns.
    pub(super) fn resume(&mut self, client: &Arc<Client>, turns: Option<usize>) -> Result<(), ErrorObject> {
        self.set_held(client, false)?;
        self.table.resume(turns);
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
        self.follow(client, false);
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
        let more = actions.len() * self.table.session().bytes_per_action();
        let events = self.grow(more, |table| Ok(table.play_own(&actions)?))?;
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
        &mut self,
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
        self.notify_tree();
    }

    /// Tells those who follow the tree what has become of it, if anything has. Whoever has done it
    /// hears of it as well: a response does not say it.
    pub(super) fn notify_tree(&mut self) {
        if self.followers.is_empty() {
            return;
        }
        let (changed, removed) = self.table.take_touched();
        let stand = self.stand();
        if changed.is_empty() && removed.is_empty() && stand == self.told {
            return;
        }
        self.told = stand;
        let history = self.table.session().history();
        let line = notice_line(TreeChanged {
            table: self.table.id().into(),
            current: stand.0,
            end: stand.1,
            deleted: history.deletions(),
            nodes: changed.into_iter().filter_map(|node| history.describe(node)).collect(),
            removed,
        });
        self.followers.iter().for_each(|follower| follower.send(&line));
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

    #[test]
    fn turns_of_another_client_are_left_or_deleted_only_if_both_want_it() {
        let [maker, player] = [testing::client(), testing::client()];
        let session = Catalog::standard().open("zurero", None, 1, None).expect("a game");
        let open = Player::Client { open: true, claimed: false };
        let seats = PerSeat { one: Player::default(), two: open };
        let table = Table::new("t1".into(), session, seats).expect("a table");
        let mut table = SharedTable::new(table, &maker);
        table.claim(&player, Seat::Two).expect("it is open");
        for (client, action) in [(&maker, "@j10"), (&player, "w10")] {
            table.play(client, &[action.into()], None).expect("its turn");
        }
        let refused = |done: Result<(), ErrorObject>| done.expect_err("this is somebody else's").code;
        // Its own turn the player may leave, but not the maker's.
        assert_eq!(refused(table.go(&player, Way::To(0), false)), 4);
        assert_eq!(refused(table.delete(&player, 1)), 4);
        table.go(&player, Way::To(1), false).expect("its own turn");
        table.go(&player, Way::To(2), false).expect("its own turn");
        table.go(&player, Way::To(0), true).expect("it asks");
        let wanted = table.table().wanted().expect("a wish");
        assert_eq!((wanted.by, wanted.node, wanted.actions), (Some(Seat::Two), Some(0), 2));
        // Another node is another wish.
        assert_eq!(refused(table.go(&maker, Way::To(1), false)), 4);
        table.go(&maker, Way::To(0), false).expect("both want it");
        assert_eq!((table.table().ply(), table.table().wanted()), (0, None));
        // What is not played may go.
        table.delete(&player, 2).expect("it is a variation");
        table.restore(&maker).expect("one was deleted");
        let watcher = testing::client();
        assert_eq!(refused(table.annotate(&watcher, Some(1), &[], Some("no"), None)), 4);
    }
}
