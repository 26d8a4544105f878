//! Games that come from outside as a file or as text, and games that leave as text. Whatever comes,
//! the game on the table stays as it is until another one has been read.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tabuleiro_files::Links;
use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::document::Document;
use tabuleiro_protocol::method::{Close, Damage, GetText, Load, Opened};

use super::Director;
use super::table::{hold_if_computers_only, unknown_bot, unseat};
use crate::app::Offered;
use crate::command::{Copied, Panel};
use crate::state::TableView;
use crate::text::sentence;

/// So many characters of what was copied are shown.
const SHOWN_TEXT: usize = 80;

impl Director {
    // ── In ──

    pub(super) fn open_file(&mut self, path: &Path) {
        if self.app.saved.iter().any(|saved| saved.path == path) {
            return self.load_game(path.to_path_buf());
        }
        match tabuleiro_files::read_text(path, Links::Followed) {
            Ok(text) => self.open_text(&text, &path.display().to_string()),
            Err(error) => self.problem(format!("It cannot be opened: {error}")),
        }
    }

    /// Opens a game that somebody has written or pasted. `name` is what people call the text.
    pub(super) fn open_text(&mut self, text: &str, name: &str) {
        let Document { record, damage, others } = match Document::read(text) {
            Ok(document) => document,
            Err(damage) => return self.problem(unreadable(name, &damage)),
        };
        match damage {
            Some(damage) => self.open_readable(record, name.into(), vec![damage]),
            None => self.open_record(record, name.into(), others),
        }
    }

    fn open_record(&mut self, mut record: Value, name: String, others: usize) {
        hold_if_computers_only(&mut record);
        let again = (record.clone(), name);
        let refused = move |director: &mut Director, error: ErrorObject| {
            let (mut record, name) = again;
            match unknown_bot(&error).filter(|bot| unseat(&mut record, bot)) {
                Some(_) => director.open_record(record, name, others),
                None => {
                    let damage = damage_of(&error);
                    director.open_readable(record, name, vec![damage]);
                }
            }
        };
        let then = move |director: &mut Director, opened| {
            director.come_to(opened);
            if others > 0 {
                director.tell(format!("This is the first of {} games in the file.", others + 1));
            }
        };
        self.pending.opening = self.ask_or(&Load { record, ..Load::default() }, then, refused);
    }

    /// Looks what can be read of a game that was refused, and offers it.
    pub(super) fn open_damaged(&mut self, record: Value, name: String, error: &ErrorObject) {
        self.open_readable(record, name, vec![damage_of(error)]);
    }

    /// Looks what can be read of a damaged game, and offers it.
    fn open_readable(&mut self, mut record: Value, name: String, damage: Vec<Damage>) {
        if record.is_object() {
            // Nobody goes on with it before it has been looked at.
            record["held"] = json!(true);
        }
        let first = damage.first().cloned();
        let told = name.clone();
        let refused = move |director: &mut Director, error: ErrorObject| {
            director.problem(unreadable(&told, &first.unwrap_or_else(|| damage_of(&error))));
        };
        let then = move |director: &mut Director, opened: Opened| {
            let mut all = damage;
            for found in &opened.damage {
                if !all.contains(found) {
                    all.push(found.clone());
                }
            }
            director.decline_offer();
            director.app.offered = Some(Box::new(Offered { name, opened, damage: all }));
            director.app.panels.insert(Panel::Damaged);
        };
        self.pending.opening = self.ask_or(&Load { record, partial: true }, then, refused);
    }

    /// Opens what could be read of a damaged game.
    pub(super) fn accept_offer(&mut self) {
        self.app.panels.remove(&Panel::Damaged);
        match self.app.offered.take() {
            Some(offered) => self.come_to(offered.opened),
            None => self.tell("There is no damaged game to be opened."),
        }
    }

    pub(super) fn decline_offer(&mut self) {
        self.app.panels.remove(&Panel::Damaged);
        if let Some(offered) = self.app.offered.take() {
            self.order(&Close { table: offered.opened.table });
        }
    }

    /// Leaves the game on the table, which is kept, for one that has been opened.
    pub(super) fn come_to(&mut self, opened: Opened) {
        self.leave_table();
        let file: PathBuf = self.files.place_for(&opened.state.game);
        self.app.interrupted = None;
        self.app.panels.remove(&Panel::SavedGames);
        self.sit_down(TableView::new(opened.state), Some(file));
    }

    // ── Out ──

    pub(super) fn copy(&mut self, what: Copied) {
        let Some(table) = &self.app.table else { return self.tell("There is no game to be copied.") };
        let (table, node) = (table.state.table.clone(), table.shown().node);
        let text = match what {
            Copied::Game => GetText { table, variations: true, ..GetText::default() },
            Copied::Position => GetText { table, node: Some(node), position: true, ..GetText::default() },
        };
        self.ask(&text, move |director, found| director.copied(found.text, what));
    }

    pub(super) fn copied(&mut self, text: String, what: Copied) {
        let mut shown: String = text.chars().take(SHOWN_TEXT).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        let what = match what {
            Copied::Game => "game",
            Copied::Position => "position",
        };
        self.tell(format!("The {what} is copied as text: {shown}"));
        self.app.copied = Some(text.clone());
        self.for_clipboard = Some(text);
    }

    /// What is to be put on the clipboard, once.
    pub fn take_for_clipboard(&mut self) -> Option<String> {
        self.for_clipboard.take()
    }
}

/// Why nothing is opened, in a sentence.
fn unreadable(name: &str, Damage { place, reason }: &Damage) -> String {
    let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
    format!("{name} cannot be read{place}: {}", sentence(reason))
}

/// What a refused record is refused for.
fn damage_of(error: &ErrorObject) -> Damage {
    let part = |name: &str| error.data.as_ref().and_then(|data| data[name].as_str()).map(String::from);
    Damage {
        place: part("place").or_else(|| part("field")).unwrap_or_default(),
        reason: part("reason").unwrap_or_else(|| error.message.clone()),
    }
}
