//! Tables that others play or watch at the same engine.

use tabuleiro_protocol::method::{
    Attach, Claim, Close, Detach, Method, Release, StateResult, TableInfo, Tables,
};
use tabuleiro_protocol::notice::TableClosed;
use tabuleiro_protocol::{Player, Seat, State};

use super::Director;
use crate::app::Screen;
use crate::command::{Command, Panel};
use crate::keys::keys_for;
use crate::pick::Pick;
use crate::state::{TableView, is_free};

impl Director {
    /// Who only watches leaves the table with that; who plays can come back to it.
    pub(super) fn show_home(&mut self) {
        if self.app.table.as_ref().is_some_and(TableView::is_watched) {
            self.leave_table();
        }
        self.app.screen = Screen::Home;
        self.ask_for_tables();
    }

    pub(super) fn list_tables(&mut self) {
        if self.app.socket.is_none() {
            return self.tell(
                "This window has an engine of its own. Started with --connect NAME it joins one that others use as well.",
            );
        }
        self.app.calls_for_tables += 1;
        self.show_home();
    }

    pub(super) fn ask_for_tables(&mut self) {
        if self.app.socket.is_some() && !self.is_under_way(self.pending.tables) {
            self.pending.tables = self.ask_quietly(&Tables {}, |director, list| {
                director.app.tables = in_order(list.tables);
            });
        }
    }

    pub(super) fn watch(&mut self, table: String) {
        if self.table_name().as_ref() == Some(&table) {
            self.app.screen = Screen::Board;
        } else {
            self.join(&Attach { table }, None);
        }
    }

    pub(super) fn take_seat(&mut self, table: String, seat: Seat) {
        self.join(&Claim { table, seat }, Some(seat));
    }

    pub(super) fn take_free_seat(&mut self) {
        let Some(table) = &self.app.table else { return };
        match table.free_seats().first() {
            Some(&seat) => self.take_seat(table.state.table.clone(), seat),
            None if table.is_maker => self.tell("You opened this table: its seats are yours to give."),
            None => self.tell("No seat is free here."),
        }
    }

    /// Asks to be let in to a table of somebody else's, to watch it or to play a seat.
    pub(super) fn join<M: Method<Result = StateResult> + 'static>(&mut self, params: &M, seat: Option<Seat>) {
        self.ask(params, move |director, joined| director.joined(joined.state, seat));
    }

    fn joined(&mut self, state: State, seat: Option<Seat>) {
        if self.table_name().as_ref() != Some(&state.table) {
            self.leave_table();
            self.sit_down(TableView::of_others(state), None);
        } else {
            self.set_state(state);
        }
        let Some(table) = self.app.table.as_mut().filter(|_| seat.is_some()) else { return };
        seat.into_iter().for_each(|seat| table.claim(seat));
        if self.file.is_none() && !table.is_watched() {
            let file = self.files.place_for(&table.state.game);
            self.keep_in(Some(file));
        }
        self.app.screen = Screen::Board;
        self.app.visits += 1;
        self.position_is_new();
    }

    /// The game stays in its file; the engine need not keep it for us.
    pub(super) fn leave_table(&mut self) {
        self.leave_puzzle();
        self.cancel_review();
        if let Some(trial) = self.app.trial.take() {
            let tried = self.app.table.replace(*trial.home);
            tried.into_iter().for_each(|tried| self.order(&Close { table: tried.state.table }));
        }
        if let Some(here) = &self.app.table {
            let (table, is_maker) = (here.state.table.clone(), here.is_maker);
            let ours = Seat::BOTH.into_iter().filter(|&seat| here.is_ours(seat));
            if is_maker {
                self.order(&Close { table });
            } else {
                for seat in ours.collect::<Vec<Seat>>() {
                    self.order(&Release { table: table.clone(), seat });
                }
                self.order(&Detach { table });
            }
        }
        self.clear_table();
    }

    /// Leaves the table because the person wants it.
    pub(super) fn walk_away(&mut self) {
        if self.app.table.is_none() {
            return self.tell("You are not at a table.");
        }
        if self.file.is_some() {
            self.tell("You have left the table. The game is among the saved ones.");
        }
        self.leave_table();
        self.show_home();
    }

    /// There is nothing more to be seen of the table.
    pub(super) fn clear_table(&mut self) {
        self.app.table = None;
        self.app.exercise = None;
        self.coming.clear();
        self.app.pick = Pick::default();
        self.app.trial = None;
        let of_table =
            [Panel::ConfirmResign, Panel::MoveEntry, Panel::BotFailed, Panel::Review, Panel::Comment];
        for panel in of_table {
            self.app.panels.remove(&panel);
        }
        self.keep_in(None);
    }

    pub(super) fn table_closed(&mut self, closed: &TableClosed) {
        if self.table_name().as_ref() != Some(&closed.table) {
            return;
        }
        self.catch_up();
        let closed = "The one who opened the table has closed it.";
        match (self.record.clone(), self.file.clone()) {
            // Whoever played there may want to look at it, or to play on.
            (Some(record), Some(file)) => {
                self.tell(format!("{closed} The game goes on at a table of your own."));
                self.load_table(record, file);
            }
            _ => {
                self.tell(closed);
                self.clear_table();
                self.show_home();
            }
        }
    }

    /// Tells what others have done to the table that is not to be seen on the board.
    pub(super) fn tell_news(&mut self, state: &State) {
        let Some(table) = &self.app.table else { return };
        let mut news: Vec<String> =
            Seat::BOTH.into_iter().filter_map(|seat| news_of_seat(table, seat, &state.seats[seat])).collect();
        if let Some(wanted) = state.wanted.as_ref().filter(|_| table.state.wanted != state.wanted) {
            let key = keys_for(&Command::Agree).unwrap_or_default();
            let agree = format!("{} {key} agrees; or play on.", table.request(wanted));
            news.extend((!table.is_watched()).then_some(agree));
        }
        let was_asked = table.asked_by_us().is_some();
        match table.state.ply.checked_sub(state.ply) {
            Some(0) | None => {}
            Some(_) if was_asked => news.push("It was agreed to take that back.".into()),
            Some(1) => news.push("Somebody else took back the last action.".into()),
            Some(actions) => news.push(format!("Somebody else took back the last {actions} actions.")),
        }
        if !news.is_empty() {
            self.tell(news.join(" "));
        }
    }
}

/// First where a seat is free, then where others play, then what is over; the newest first.
fn in_order(mut tables: Vec<TableInfo>) -> Vec<TableInfo> {
    tables.reverse();
    tables.sort_by_key(|table| {
        let has_free_seat = Seat::BOTH.into_iter().any(|seat| is_free(&table.seats[seat]));
        (table.outcome.is_some(), !has_free_seat)
    });
    tables
}

/// What is new about who plays a seat, in a sentence.
fn news_of_seat(table: &TableView, seat: Seat, now: &Player) -> Option<String> {
    let (name, before) = (table.name(seat), &table.state.seats[seat]);
    if before == now {
        return None;
    }
    let whose = if table.is_ours(seat) && !table.is_maker { "your seat" } else { "the seat" };
    let news = match (before, now) {
        (_, Player::Client { claimed: true, .. }) => format!("Somebody has come to play {name}."),
        (Player::Client { .. }, free) if is_free(free) && table.is_maker => {
            format!("Whoever played {name} has left. Others can take the seat; until then you can play it.")
        }
        (Player::Client { .. }, free) if is_free(free) => {
            format!("Whoever played {name} has left. Anybody can take the seat.")
        }
        (_, free) if is_free(free) => format!("Anybody can play {name} now: the seat is free."),
        (_, Player::Client { .. }) => format!("The one who opened the table has taken {whose} of {name}."),
        (_, Player::Ai { .. }) => format!("The computer has been given {whose} of {name}."),
        (_, Player::Bot { name: bot, .. }) => format!("{bot} has been given {whose} of {name}."),
    };
    Some(news)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(one: serde_json::Value, two: serde_json::Value) -> State {
        serde_json::from_value(json!({
            "table": "t1", "game": "zurero", "options": {"size": 5}, "seed": 1, "seats": {"1": one, "2": two},
            "sides": {"1": "black", "2": "white"}, "ply": 3, "turn": 3, "to_move": 1, "phase": "play",
            "prompt": "", "rows": [], "counters": {}, "last": null, "outcome": null, "undone": 0, "held": false
        }))
        .expect("a state")
    }

    fn player(text: serde_json::Value) -> Player {
        serde_json::from_value(text).expect("a player")
    }

    #[test]
    fn what_becomes_of_seats_is_told_in_words() {
        let person = json!({"kind": "client"});
        let open = json!({"kind": "client", "open": true});
        let claimed = json!({"kind": "client", "open": true, "claimed": true});
        let mut guest = TableView::of_others(table(person.clone(), claimed.clone()));
        guest.claim(Seat::Two);
        let maker = TableView::new(table(person.clone(), claimed.clone()));
        let news = |table: &TableView, seat, now: &serde_json::Value| {
            news_of_seat(table, seat, &player(now.clone()))
        };
        assert_eq!(news(&guest, Seat::Two, &claimed), None);
        for (table, seat, now, words) in [
            (&maker, Seat::Two, &open, "until then you can play it"),
            (&guest, Seat::One, &open, "Whoever played Black has left. Anybody can take the seat."),
            (&guest, Seat::One, &claimed, "Somebody has come to play Black."),
            (&guest, Seat::Two, &person, "The one who opened the table has taken your seat of White."),
            (&guest, Seat::Two, &json!({"kind": "bot", "name": "pusher"}), "pusher has been given your seat"),
        ] {
            let told = news(table, seat, now).expect("news");
            assert!(told.contains(words), "{told}");
        }
    }

    #[test]
    fn a_seat_is_ours_as_long_as_nobody_else_is_given_it() {
        let claimed = json!({"kind": "client", "open": true, "claimed": true});
        let open = json!({"kind": "client", "open": true});
        let mut table = TableView::of_others(self::table(json!({"kind": "client"}), claimed.clone()));
        assert!(table.is_watched());
        table.claim(Seat::Two);
        assert!(table.is_ours(Seat::Two) && !table.is_ours(Seat::One));
        assert_eq!((table.own_seat(), table.resigning()), (Seat::Two, Some(Seat::Two)));
        table.set_state(self::table(json!({"kind": "client"}), open));
        assert!(table.is_watched());
        assert_eq!(table.free_seats(), [Seat::Two]);
        table.set_state(self::table(json!({"kind": "client"}), claimed));
        assert!(table.is_watched(), "somebody else came");
    }

    #[test]
    fn who_leaves_a_seat_open_sits_at_the_other() {
        let open = json!({"kind": "client", "open": true});
        let table = TableView::new(self::table(open.clone(), json!({"kind": "client"})));
        assert_eq!(table.own_seat(), Seat::Two);
        let table = TableView::new(self::table(open.clone(), json!({"kind": "ai", "level": "club"})));
        assert_eq!(table.own_seat(), Seat::One);
        let table = TableView::new(self::table(json!({"kind": "ai", "level": "club"}), open));
        assert_eq!(table.own_seat(), Seat::Two);
    }
}
