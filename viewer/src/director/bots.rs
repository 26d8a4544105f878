//! Programs of other people's that play: when one fails, and what they write.

use tabuleiro_protocol::method::GetBotLog;
use tabuleiro_protocol::notice::BotFailed;

use super::Director;
use crate::command::Panel;
use crate::text::sentence;

impl Director {
    /// The game waits until somebody says what is to be done.
    pub(super) fn bot_failed(&mut self, mut failed: BotFailed) {
        self.catch_up();
        failed.detail = sentence(&failed.detail);
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == failed.table) else {
            return;
        };
        table.thinking = None;
        table.failed = Some(failed);
        if !table.is_watched() {
            self.app.panels.insert(Panel::BotFailed);
        }
        self.app.paused = true;
        self.is_turn_awaited = false;
        self.ask_for_bot_logs();
    }

    pub(super) fn ask_for_bot_logs(&mut self) {
        if self.is_under_way(self.pending.bot_logs) {
            return;
        }
        let names: Vec<String> = self.app.hello.iter().flat_map(|hello| hello.bots.clone()).collect();
        for name in names {
            self.pending.bot_logs = self.ask_quietly(&GetBotLog { name: name.clone() }, |director, log| {
                director.app.bot_logs.insert(name, log.lines);
            });
        }
    }
}
