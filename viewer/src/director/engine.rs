//! The engine: what is asked of it, what it refuses, what it says unasked, and what is done when it
//! ends.

use std::time::{Duration, Instant};

use serde_json::Value;
use tabuleiro_protocol::client::{CallError, Disconnected};
use tabuleiro_protocol::method::{Close, Method, New, SayHello};
use tabuleiro_protocol::notice::{
    BotFailed, Changed, Notice, SearchInfo, TableClosed, Thinking, TreeChanged, TurnReviewed,
};
use tabuleiro_protocol::{ErrorObject, LevelRole, PROTOCOL_VERSION};

use super::Director;
use crate::board::Tokens;
use crate::command::Panel;
use crate::link::{Heard, Ticket};
use crate::pick::Pick;
use crate::text::sentence;

/// An engine that ended more often than this within [`PATIENCE`] is not started again.
const MOST_RESTARTS: usize = 3;
const PATIENCE: Duration = Duration::from_secs(60);

impl Director {
    // ── Asking ──

    /// Asks something, and does `then` with the result. If the engine refuses, the person is told
    /// why.
    pub(super) fn ask<M: Method + 'static>(
        &mut self,
        params: &M,
        then: impl FnOnce(&mut Director, M::Result) + 'static,
    ) -> Option<Ticket> {
        self.ask_or(params, then, |director, error| director.tell_refusal(&error))
    }

    /// The same for what may be refused without anybody missing it: an engine of another make need
    /// not know everything, and a search that was cancelled has nothing to say.
    pub(super) fn ask_quietly<M: Method + 'static>(
        &mut self,
        params: &M,
        then: impl FnOnce(&mut Director, M::Result) + 'static,
    ) -> Option<Ticket> {
        self.ask_or(params, then, |_, _| {})
    }

    /// Asks for something whose result nobody waits for.
    pub(super) fn order<M: Method + 'static>(&mut self, params: &M) {
        self.ask_quietly(params, |_, _| {});
    }

    /// Asks something, and does one thing with the result and another if it is refused.
    pub(super) fn ask_or<M: Method + 'static>(
        &mut self,
        params: &M,
        then: impl FnOnce(&mut Director, M::Result) + 'static,
        refused: impl FnOnce(&mut Director, ErrorObject) + 'static,
    ) -> Option<Ticket> {
        self.link.ask(params, |director: &mut Director, answer| match answer {
            Ok(result) => then(director, result),
            Err(CallError::Refused(error)) => refused(director, error),
            Err(CallError::Strange { error, .. }) => {
                director.problem(format!("The engine's answer was not understood: {error}"))
            }
            // The end is noticed while listening.
            Err(CallError::Disconnected(Disconnected)) => {}
        })
    }

    pub(super) fn tell_refusal(&mut self, error: &ErrorObject) {
        let reason = error.data.as_ref().and_then(|data| data["reason"].as_str());
        self.problem(sentence(reason.unwrap_or(&error.message)));
        self.said_of_position();
    }

    pub(super) fn is_under_way(&self, request: Option<Ticket>) -> bool {
        request.is_some_and(|ticket| self.link.is_waiting_for(ticket))
    }

    /// The level that the engine has for this; without one, whatever it takes if nobody says.
    pub(super) fn level_for(&self, role: LevelRole) -> Option<String> {
        Some(self.app.hello.as_ref()?.level_for(role)?.id.clone())
    }

    // ── Listening ──

    /// Takes in everything that the engine has said.
    pub(super) fn listen(&mut self) {
        while !self.app.engine_has_gone {
            match self.link.listen() {
                Ok(Some(Heard::Answer(then))) => then(self),
                Ok(Some(Heard::Notice(method, params))) => self.noticed(&method, params),
                Ok(Some(Heard::Complaint(error))) => {
                    self.problem(format!("The engine did not understand: {}", sentence(&error.message)));
                }
                Ok(None) => break,
                Err(Disconnected) if self.app.socket.is_some() => self.engine_has_gone(),
                Err(Disconnected) => {
                    self.restart_engine();
                    break;
                }
            }
        }
    }

    fn noticed(&mut self, method: &str, params: Value) {
        match method {
            Changed::NAME => {
                let Ok(changed) = serde_json::from_value::<Changed>(params) else { return };
                self.comes(changed);
            }
            SearchInfo::NAME => {
                let Ok(told) = serde_json::from_value::<SearchInfo>(params) else { return };
                self.heard_info(told);
            }
            TableClosed::NAME => {
                let Ok(closed) = serde_json::from_value::<TableClosed>(params) else { return };
                self.table_closed(&closed);
            }
            BotFailed::NAME => {
                let Ok(failed) = serde_json::from_value::<BotFailed>(params) else { return };
                self.bot_failed(failed);
            }
            Thinking::NAME => {
                let Ok(thinking) = serde_json::from_value::<Thinking>(params) else { return };
                self.note_thinking(thinking);
            }
            TreeChanged::NAME => {
                let Ok(changed) = serde_json::from_value::<TreeChanged>(params) else { return };
                self.tree_news.push(changed);
            }
            TurnReviewed::NAME => {
                let Ok(reviewed) = serde_json::from_value::<TurnReviewed>(params) else { return };
                self.turn_reviewed(reviewed);
            }
            _ => {}
        }
    }

    // ── Beginning and end ──

    pub(super) fn say_hello(&mut self) {
        let hello = SayHello {
            client: Some("Tabuleiro's window".into()),
            protocol: Some(PROTOCOL_VERSION),
            ..SayHello::default()
        };
        self.ask(&hello, |director, hello| {
            director.app.hello = Some(hello);
            director.ask_for_starts();
            director.ask_for_lessons();
        });
    }

    /// Games without a picture are shown as they begin. A table tells how, and is closed again.
    fn ask_for_starts(&mut self) {
        let games = self.app.hello.iter().flat_map(|hello| &hello.games).map(|game| game.id.clone());
        let unknown: Vec<String> = games.filter(|game| self.app.sample_of(game).is_none()).collect();
        for game in unknown {
            let new = New { game: game.clone(), ..New::default() };
            self.ask_quietly(&new, |director, opened| {
                director.app.starts.insert(game, Tokens::read(&opened.state.rows));
                director.order(&Close { table: opened.table });
            });
        }
    }

    fn restart_engine(&mut self) {
        let now = Instant::now();
        self.restarts.retain(|&then| now.duration_since(then) < PATIENCE);
        if self.restarts.len() >= MOST_RESTARTS {
            if self.app.hello.take().is_some() || self.app.message.is_none() {
                self.problem(
                    "The engine ends again and again. Your game is kept; start the program again to go on.",
                );
            }
            return;
        }
        self.restarts.push(now);
        if let Err(error) = self.link.restart(&self.launch) {
            return self.problem(format!("The engine has ended, and another one cannot be started: {error}"));
        }
        self.begin_anew();
        if let (Some(record), Some(file)) = (self.record.clone(), self.file.clone()) {
            self.tell("The engine had ended unexpectedly. Another one was started, and your game goes on.");
            self.load_table(record, file);
        } else {
            self.tell("The engine had ended unexpectedly. Another one was started.");
            self.begin_exercise_again();
        }
    }

    /// An engine that others use, too, is not ours to start again.
    fn engine_has_gone(&mut self) {
        self.link.end();
        self.app.tables.clear();
        self.app.engine_has_gone = true;
        self.app.pick = Pick::default();
        if let Some(table) = &mut self.app.table {
            table.thinking = None;
            table.hint_wanted = false;
        }
    }

    /// Joins the engine again. A game that was played at an own table is laid out anew there.
    pub(super) fn join_again(&mut self) {
        if !self.app.engine_has_gone {
            return self.tell("The engine is there.");
        }
        if let Err(error) = self.link.restart(&self.launch) {
            return self.problem(format!("The engine is not there: {error}."));
        }
        self.app.engine_has_gone = false;
        self.begin_anew();
        let is_maker = self.app.table.as_ref().is_some_and(|table| table.is_maker);
        match (self.record.clone(), self.file.clone()) {
            (Some(record), Some(file)) if is_maker => {
                self.tell("The engine is there again, and your game goes on at a new table.");
                self.load_table(record, file);
            }
            _ => {
                self.tell("The engine is there again.");
                self.clear_table();
                self.show_home();
            }
        }
    }

    /// Another engine knows nothing of what was asked before.
    fn begin_anew(&mut self) {
        self.say_hello();
        self.app.previews.clear();
        self.coming.clear();
        self.is_turn_awaited = false;
        self.app.offered = None;
        self.hide_panel(Panel::Damaged);
        self.app.film.take_if(|film| film.total == 0);
        self.check_position();
    }
}
