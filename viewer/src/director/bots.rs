//! Programs of other people's that play: when one fails, and what they write.

use tabuleiro_protocol::method::GetBotLog;
use tabuleiro_protocol::notice::BotFailed;

use super::{Asked, Director, sentence};
use crate::command::Panel;

impl Director {
    /// The game waits until somebody says what is to be done.
    pub(super) fn bot_failed(&mut self, mut failed: BotFailed) {
        failed.detail = sentence(&failed.detail);
        let Some(table) = self.app.table.as_mut().filter(|table| table.state.table == failed.table) else {
            return;
        };
        table.thinking = None;
        table.failed = Some(failed);
        if !table.is_watched() {
            self.app.panels.insert(Panel::BotFailed);
        }
        self.paused = true;
        self.waiting_for_movement = false;
        self.ask_for_bot_logs();
    }

    pub(super) fn ask_for_bot_logs(&mut self) {
        let names: Vec<String> = self.app.hello.iter().flat_map(|hello| hello.bots.clone()).collect();
        for name in names {
            let asked = Asked::BotLog { name: name.clone() };
            if !self.is_asked(|waiting| *waiting == asked) {
                self.link.ask(asked, &GetBotLog { name });
            }
        }
    }
}
