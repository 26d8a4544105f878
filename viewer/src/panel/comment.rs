//! What is said about a position, to be read and written.

use egui_macroquad::egui::{Context, Key, Margin, Modifiers, RichText, TextEdit};

use super::look::{self, FAINT, GRID, ask_first, note};
use crate::app::App;
use crate::command::{Command, TreeCommand};

/// The text that is being written, and the node that it is about.
#[derive(Debug, Default)]
pub(super) struct CommentDraft {
    text: String,
    node: Option<u32>,
}

impl CommentDraft {
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        app: &App,
        just_opened: bool,
        commands: &mut Vec<Command>,
    ) -> bool {
        let Some(table) = &app.table else { return true };
        let node = table.shown().node;
        if just_opened || self.node != Some(node) {
            let known = table.tree.as_ref().and_then(|tree| tree.get(node)?.comment.clone());
            *self = CommentDraft { text: known.unwrap_or_default(), node: Some(node) };
        }
        // Before the text takes the key for a new line.
        let is_kept = ctx.input_mut(|input| input.consume_key(Modifiers::CTRL, Key::Enter));
        let mut is_done = is_kept;
        let closed = look::sheet(ctx, "Comment", 520.0, true, |ui| {
            let text = TextEdit::multiline(&mut self.text)
                .hint_text(RichText::new("Your comment on this position").color(FAINT))
                .margin(Margin::symmetric(10, 8))
                .desired_rows(5)
                .desired_width(f32::INFINITY);
            let response = ui.add(text);
            if just_opened {
                response.request_focus();
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = GRID;
                let keep = Command::Tree(TreeCommand::Comment(self.text.clone()));
                let mut asked = Vec::new();
                ask_first(ui, "Keep", keep, &mut asked);
                is_done |= !asked.is_empty();
                note(ui, "Ctrl+Enter saves it; an empty text removes it.");
            });
        });
        if is_done {
            commands.push(Command::Tree(TreeCommand::Comment(self.text.clone())));
        }
        closed
    }
}
