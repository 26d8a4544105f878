//! The game as a tree: what is listed of it, what is looked at, noted, promoted and deleted.

use tabuleiro_protocol::Mark;
use tabuleiro_protocol::method::{
    Annotate, Delete, GetState, GetTree, Method, Promote, Restore, StateResult,
};

use super::Director;
use super::dispatch::ONLY_WATCHING;
use crate::board::Tokens;
use crate::command::{Command, Panel, ReviewCommand, TreeCommand};
use crate::keys::keys_for;
use crate::state::TableView;
use crate::tree::GameTree;

/// While a review goes on, the game is kept so often.
const RECORD_SECONDS: f32 = 5.0;

impl Director {
    /// Asks for all that was played, and to be told of every change.
    pub(super) fn follow_tree(&mut self) {
        self.tree_news.clear();
        let Some(name) = self.table_name() else { return };
        let follow = GetTree { table: name.clone(), node: None, follow: Some(true) };
        self.ask_quietly(&follow, move |director, tree| {
            if let Some(table) = director.app.table.as_mut().filter(|table| table.state.table == name) {
                table.tree = Some(GameTree::new(tree));
                if std::mem::take(&mut director.is_to_review) {
                    director.review(ReviewCommand::Start);
                }
            }
        });
    }

    /// Takes in how the tree has changed, once everything is shown that has led to it.
    pub(super) fn take_in_tree(&mut self) {
        if !self.coming.is_empty() {
            return;
        }
        for changed in std::mem::take(&mut self.tree_news) {
            let is_here = |table: &&mut TableView| table.state.table == changed.table;
            let Some(table) = self.app.table.as_mut().filter(is_here) else { continue };
            let Some(tree) = &mut table.tree else { continue };
            tree.change(changed);
            self.is_record_old = true;
            let is_gone = |state: &&tabuleiro_protocol::State| tree.get(state.node).is_none();
            if table.looked_at.as_ref().filter(is_gone).is_some() {
                self.show_now();
            }
        }
        // A review notes something all the time: what it has found is kept now and then.
        let is_reviewing = self.is_under_way(self.pending.review);
        let is_time = !is_reviewing || self.since_record > RECORD_SECONDS;
        if self.is_record_old && is_time && !self.is_under_way(self.pending.record) {
            self.ask_for_record();
        }
    }

    /// What was looked at is no longer there.
    fn show_now(&mut self) {
        let Some(table) = &mut self.app.table else { return };
        table.looked_at = None;
        if let Some(review) = &mut table.review {
            review.leave_turn();
        }
        self.app.motion.jump(Tokens::read(&table.state.rows));
        self.position_is_new();
    }

    pub(super) fn look_at_node(&mut self, node: u32) {
        if let Some(table) = self.table_name() {
            self.ask(&GetState { table, ply: None, node: Some(node) }, Director::look);
        }
    }

    pub(super) fn change_tree(&mut self, command: TreeCommand) {
        let Some(table) = &mut self.app.table else { return };
        let name = table.state.table.clone();
        let (is_watched, is_line_shown) = (table.is_watched(), table.is_line_shown());
        let node = table.shown().node;
        let Some(tree) = &mut table.tree else {
            return self.tell("This engine does not keep games as trees.");
        };
        match command {
            TreeCommand::LookAt(node) => return self.look_at_node(node),
            TreeCommand::Variation { backwards } => {
                return match tree.other_variation(node, backwards) {
                    Some(node) => self.look_at_node(node),
                    None => self.tell("There are no variations here."),
                };
            }
            TreeCommand::Fold(first) => {
                return match first.or_else(|| tree.variation_of(node)) {
                    Some(first) => tree.fold(first),
                    None => self.tell("This is the main line: only variations can be folded."),
                };
            }
            _ if is_watched => return self.tell(ONLY_WATCHING),
            _ if is_line_shown => return self.tell("This was never played: it is not in the game."),
            _ => {}
        }
        let table = name;
        match command {
            TreeCommand::Comment(comment) => {
                self.hide_panel(Panel::Comment);
                self.note(&Annotate {
                    table,
                    node: Some(node),
                    comment: Some(comment),
                    ..Annotate::default()
                });
            }
            TreeCommand::Mark(mark) => self.mark(table, node, mark),
            TreeCommand::NextMark => {
                let mark = tree.get(node).and_then(|node| node.mark);
                self.mark(table, node, next_mark(mark));
            }
            TreeCommand::Promote if tree.variation_of(node).is_none() => {
                self.tell("This is the main line already.")
            }
            TreeCommand::Promote => self.note(&Promote { table, node, main: false }),
            TreeCommand::Delete => {
                let first = tree.row_of(node).and_then(|row| tree.rows()[row].nodes.first().copied());
                match first.filter(|_| tree.get(node).is_some_and(|node| node.parent.is_some())) {
                    Some(first) => self.delete(table, first),
                    None => self.tell("The start cannot be deleted."),
                }
            }
            TreeCommand::Restore if tree.deleted() == 0 => self.tell("Nothing was deleted."),
            TreeCommand::Restore => self.note(&Restore { table }),
            TreeCommand::LookAt(_) | TreeCommand::Variation { .. } | TreeCommand::Fold(_) => {}
        }
    }

    fn mark(&mut self, table: String, node: u32, mark: Option<Mark>) {
        let sign = mark.map_or("", Mark::sign).to_string();
        self.note(&Annotate { table, node: Some(node), mark: Some(sign), ..Annotate::default() });
    }

    fn delete(&mut self, table: String, first: u32) {
        self.ask(&Delete { table, node: first }, |director, changed| {
            director.changed_by_others(changed.state);
            let restore = keys_for(&Command::Tree(TreeCommand::Restore)).unwrap_or_default();
            director
                .tell(format!("The turn is deleted, with all that came after it. {restore} puts it back."));
        });
    }

    /// Asks for something that changes the tree and leaves the table where it stands.
    fn note<M: Method<Result = StateResult> + 'static>(&mut self, params: &M) {
        // What has changed comes right behind the answer, and is to be kept.
        self.ask(params, |director, _| director.is_record_old = true);
    }
}

/// All marks one after the other, and then none.
fn next_mark(mark: Option<Mark>) -> Option<Mark> {
    let place = mark.and_then(|mark| Mark::ALL.iter().position(|known| *known == mark));
    Mark::ALL.get(place.map_or(0, |place| place + 1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_one_after_the_other_and_then_none() {
        let mut mark = None;
        for expected in ["!", "?", "!!", "??", "!?", "?!"] {
            mark = next_mark(mark);
            assert_eq!(mark.map(Mark::sign), Some(expected));
        }
        assert_eq!(next_mark(mark), None);
    }
}
