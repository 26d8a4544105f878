//! What was played in a game: the line at which it stands, and the tree to which that belongs.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use tabuleiro_protocol::{Event, Happening, LastTurn, RecordedNote, RecordedVariation, Seat, TreeNode, Turn};

use super::Position;
use super::tree::{Note, Ply, ROOT, Tree};
use crate::game::{Describe, Game, Outcome};
use crate::search::Evaluate;

/// The actions of a game, as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Shared with copies of the game, which mostly look and do not play.
    tree: Arc<Tree>,
    /// Nodes from the first action on: those played, and those that can be played again.
    line: Vec<u32>,
    ply: usize,
}

/// What there was before something was tried.
pub(super) struct Before {
    ply: usize,
    /// What could be played again.
    rest: Vec<u32>,
    next_name: u32,
}

impl History {
    /// The action, what its text takes, and its place in the tree and in the line.
    pub(super) const BYTES_PER_ACTION: usize = Tree::BYTES_PER_NODE + size_of::<u32>();

    /// Actions played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// About how many bytes all that was ever played takes in a record, notes included.
    pub fn record_bytes(&self) -> usize {
        self.tree.record_bytes()
    }

    /// How many nodes there are, those that were deleted and can come back included.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    pub(super) fn note_bytes(&self) -> usize {
        self.tree.note_bytes()
    }

    /// The name of the node at which the game stands.
    pub fn current(&self) -> u32 {
        self.name_at(self.ply)
    }

    /// The last node of the line.
    pub fn end(&self) -> u32 {
        self.name_at(self.line.len())
    }

    fn name_at(&self, ply: usize) -> u32 {
        ply.checked_sub(1).map_or(ROOT, |index| self.line[index])
    }

    /// The name of a node of the line.
    pub fn node_at(&self, ply: usize) -> Option<u32> {
        (ply <= self.line.len()).then(|| self.name_at(ply))
    }

    pub fn contains(&self, name: u32) -> bool {
        self.tree.get(name).is_some()
    }

    /// How many actions lead to a node.
    pub fn ply_of(&self, name: u32) -> Option<usize> {
        self.tree.get(name).map(|node| node.ply)
    }

    /// Whether a node lies on the way to where the game stands.
    pub fn is_played(&self, name: u32) -> bool {
        self.ply_of(name).is_some_and(|ply| ply <= self.ply && self.name_at(ply) == name)
    }

    pub fn note(&self, name: u32) -> Option<&Note> {
        self.tree.note(name)
    }

    pub fn describe(&self, name: u32) -> Option<TreeNode> {
        self.tree.describe(name)
    }

    /// A node and all that come after it, each behind its parent, the main continuation first.
    pub fn describe_from(&self, name: u32) -> Vec<TreeNode> {
        if !self.contains(name) {
            return Vec::new();
        }
        self.tree.walk(name).filter_map(|name| self.tree.describe(name)).collect()
    }

    /// How many deletions can be taken back.
    pub fn deletions(&self) -> usize {
        self.tree.deletions()
    }

    /// The names of the nodes from a node that is played to another one, which comes after it or
    /// not, as far as they differ: those to take back, the last one first, and those to play.
    pub fn way_to(&self, name: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.tree.get(name)?;
        let (mut ahead, mut at) = (Vec::new(), name);
        while !self.is_played(at) {
            ahead.push(at);
            at = self.tree.node(at).parent;
        }
        ahead.reverse();
        let common = self.tree.node(at).ply;
        let back = self.line[common..self.ply].iter().rev().copied().collect();
        Some((back, ahead))
    }

    pub fn seat_of(&self, name: u32) -> Option<Seat> {
        self.tree.get(name)?.seat()
    }

    fn texts(&self, names: &[u32]) -> Vec<String> {
        names.iter().map(|&name| self.tree.node(name).text().to_string()).collect()
    }

    /// Everything that was played, from the start.
    pub fn played(&self) -> Vec<String> {
        self.texts(&self.line[..self.ply])
    }

    /// Everything that was taken back and can be played again, the next one first.
    pub fn undone(&self) -> Vec<String> {
        self.texts(&self.line[self.ply..])
    }

    pub fn undone_count(&self) -> usize {
        self.line.len() - self.ply
    }

    /// Turns that were begun.
    pub(super) fn begun_turns(&self) -> usize {
        self.tree.node(self.current()).turns
    }

    pub fn last_seat(&self) -> Option<Seat> {
        self.seat_of(self.current())
    }

    /// How many actions the last so many turns took, a turn that is still being made included.
    /// `None` if there were fewer turns.
    pub fn actions_in_last_turns(&self, count: usize) -> Option<usize> {
        let mut lengths = self.turn_lengths(&self.line[..self.ply]);
        let first = lengths.len().checked_sub(count)?;
        Some(lengths.drain(first..).sum())
    }

    /// How long the runs of actions by one seat are.
    fn turn_lengths(&self, names: &[u32]) -> Vec<usize> {
        names.chunk_by(|&a, &b| self.seat_of(a) == self.seat_of(b)).map(<[_]>::len).collect()
    }

    /// The last turn, or the part of it made so far.
    pub fn last_turn(&self) -> Option<LastTurn> {
        let played = &self.line[..self.ply];
        let seat = self.last_seat()?;
        let length = played.iter().rev().take_while(|&&name| self.seat_of(name) == Some(seat)).count();
        Some(LastTurn { seat, actions: self.texts(&played[played.len() - length..]) })
    }

    /// Every turn from the start, those that were taken back and can be played again included.
    pub fn turns(&self) -> Vec<Turn> {
        let mut ply = 0;
        let turn = |names: &[u32]| {
            ply += names.len();
            Some(Turn { seat: self.seat_of(names[0])?, actions: self.texts(names), ply })
        };
        self.line.chunk_by(|&a, &b| self.seat_of(a) == self.seat_of(b)).filter_map(turn).collect()
    }

    // As a document.

    /// The names of the nodes of the line; nothing if they are 1, 2, 3 and so on.
    pub fn recorded_names(&self) -> Vec<[u32; 2]> {
        let names = ranges(&self.line);
        if matches!(names.as_slice(), [] | [[1, _]]) { Vec::new() } else { names }
    }

    /// All that is not in the line, in an order in which it can be played again.
    pub fn recorded_variations(&self) -> Vec<RecordedVariation> {
        let mut variations = Vec::new();
        // Nodes whose other continuations are still to be told, and the one that is told already.
        let mut ahead: Vec<(u32, Option<u32>)> = Vec::new();
        for ply in 0..=self.line.len() {
            ahead.push((self.name_at(ply), self.line.get(ply).copied()));
        }
        while let Some((name, told)) = ahead.pop() {
            let children = &self.tree.node(name).children;
            let mut there: Vec<u32> = told.into_iter().collect();
            let mut more = Vec::new();
            for (place, &child) in children.iter().enumerate().filter(|(_, child)| Some(**child) != told) {
                let nodes: Vec<u32> = std::iter::once(child).chain(self.tree.main_line(child)).collect();
                let place = (place < there.len()).then_some(place);
                there.push(child);
                let actions = self.texts(&nodes);
                variations.push(RecordedVariation { after: name, place, nodes: ranges(&nodes), actions });
                let next = nodes.iter().copied().skip(1).map(Some).chain([None]);
                more.extend(nodes.iter().copied().zip(next));
            }
            ahead.extend(more);
        }
        variations
    }

    /// All notes, but for the resignation at the node where the game stands.
    pub fn recorded_notes(&self) -> Vec<RecordedNote> {
        let current = self.current();
        let noted = self.tree.walk(ROOT).filter_map(|name| Some((name, self.tree.note(name)?)));
        let notes = noted.map(|(node, note)| RecordedNote {
            node,
            comment: note.comment.clone(),
            mark: note.mark,
            resigned: note.resigned.filter(|_| node != current),
            evaluation: note.evaluation.clone().map(Box::new),
        });
        let says_something = |note: &RecordedNote| {
            let RecordedNote { comment, mark, resigned, evaluation, .. } = note;
            comment.is_some() || mark.is_some() || resigned.is_some() || evaluation.is_some()
        };
        notes.filter(says_something).collect()
    }

    // What changes it. The game is to be changed in the same way.

    fn tree_mut(&mut self) -> &mut Tree {
        Arc::make_mut(&mut self.tree)
    }

    pub(super) fn before(&self) -> Before {
        let rest = self.line[self.ply..].to_vec();
        Before { ply: self.ply, rest, next_name: self.tree.next_name() }
    }

    /// Goes on by an action, which may have been played here before. Gives its node.
    pub(super) fn push(&mut self, action: Ply) -> u32 {
        let current = self.current();
        let known = self.next(&action.text);
        let name = known.unwrap_or_else(|| self.tree_mut().add(current, action));
        self.step_to(name);
        name
    }

    /// The same by a name and at a place, which a document gives.
    pub(super) fn push_as(&mut self, name: u32, place: Option<usize>, action: Ply) {
        let current = self.current();
        self.tree_mut().add_as(name, current, place, action);
        self.step_to(name);
    }

    fn step_to(&mut self, name: u32) {
        self.line.truncate(self.ply);
        self.line.push(name);
        self.ply += 1;
    }

    /// Goes back to what there was before. Gives the names of nodes that are gone.
    pub(super) fn roll_back(&mut self, before: Before) -> Vec<u32> {
        let Before { ply, rest, next_name } = before;
        let first_new = self.line[ply..].iter().copied().find(|&name| name >= next_name);
        let gone = first_new.map(|name| self.tree_mut().remove(name)).unwrap_or_default();
        if !gone.is_empty() {
            self.tree_mut().reuse_names(next_name);
        }
        self.line.truncate(ply);
        self.line.extend(rest);
        self.ply = ply;
        gone
    }

    /// Forgets the rest of the line, and all that hangs on it. Gives the names of nodes that are gone.
    pub(super) fn retract(&mut self) -> Vec<u32> {
        let Some(&first) = self.line.get(self.ply) else { return Vec::new() };
        self.line.truncate(self.ply);
        let gone = self.tree_mut().remove(first);
        // As if they had never been there, unless something was added since.
        if first as usize + gone.len() == self.tree.next_name() as usize {
            self.tree_mut().reuse_names(first);
        }
        gone
    }

    /// `false` if nothing was played.
    pub(super) fn undo(&mut self) -> bool {
        let is_undone = self.ply > 0;
        self.ply -= usize::from(is_undone);
        is_undone
    }

    /// The next node of the line, at which the game then stands.
    pub(super) fn redo(&mut self) -> Option<u32> {
        let next = self.line.get(self.ply).copied();
        self.ply += usize::from(next.is_some());
        next
    }

    /// Stands at a node whose way there was found by [`History::way_to`]. The line stays if the node
    /// is on it; otherwise it goes on as the main line does from there.
    pub(super) fn stand_at(&mut self, name: u32, ahead: &[u32], go_on: bool) {
        let ply = self.tree.node(name).ply;
        if self.node_at(ply) != Some(name) {
            self.line.truncate(ply - ahead.len());
            self.line.extend(ahead);
            if go_on {
                self.line.extend(self.tree.main_line(name));
            }
        }
        self.ply = ply;
    }

    /// Nothing can be played again.
    pub(super) fn end_line(&mut self) {
        self.line.truncate(self.ply);
    }

    /// The continuation of where the game stands that is spelt so.
    pub(super) fn next(&self, text: &str) -> Option<u32> {
        self.tree.child(self.current(), text)
    }

    /// Deletes a node that is not played. Gives the names of what cannot be restored any more.
    pub(super) fn delete(&mut self, name: u32) -> Vec<u32> {
        let ply = self.tree.node(name).ply;
        let forgotten = self.tree_mut().delete(name);
        if ply > 0 && self.line.get(ply - 1) == Some(&name) {
            self.line.truncate(ply - 1);
            let end = self.end();
            self.line.extend(self.tree.main_line(end));
        }
        forgotten
    }

    pub(super) fn can_restore(&self) -> bool {
        self.tree.can_restore()
    }

    /// About how many bytes of a record the last deletion would take.
    pub fn deleted_bytes(&self) -> usize {
        self.tree.deleted_bytes()
    }

    /// Gives the names of what is there already.
    pub(super) fn restore(&mut self) -> Vec<u32> {
        self.tree_mut().restore()
    }

    pub(super) fn promote(&mut self, name: u32, all_the_way: bool) -> bool {
        self.tree_mut().promote(name, all_the_way)
    }

    pub(super) fn annotate(&mut self, name: u32, change: impl FnOnce(&mut Note)) {
        self.tree_mut().annotate(name, change);
    }

    pub(super) fn follow(&mut self, follows: bool) {
        self.tree_mut().follow(follows);
    }

    pub(super) fn take_touched(&mut self) -> (Vec<u32>, Vec<u32>) {
        self.tree_mut().take_touched()
    }

    /// What [`History::forget`] could forget: bytes of a record, and nodes.
    pub(super) fn forgettable(&self) -> (usize, usize) {
        let variations = self.tree.forgettable(&self.line[..self.ply]);
        let sizes = variations.into_iter().map(|name| self.tree.size(name));
        let deleted = self.tree.len() - self.tree.walk(ROOT).skip(1).count();
        sizes.fold((0, deleted), |sum, size| (sum.0 + size.0, sum.1 + size.1))
    }

    /// Makes room: forgets what was deleted, and then variations in which nothing is noted, the
    /// oldest first, until that is enough. Gives the names of nodes that are gone.
    pub(super) fn forget(&mut self, enough: impl Fn(&History) -> bool) -> Vec<u32> {
        let mut gone = self.tree_mut().forget_deletions();
        for name in self.tree.forgettable(&self.line) {
            if enough(self) {
                break;
            }
            gone.extend(self.tree_mut().remove(name));
        }
        gone
    }

    /// A copy without variations and notes, for somebody who only plays on.
    pub(super) fn alone(&self) -> History {
        let mut alone = History::default();
        for &name in &self.line[..self.ply] {
            let node = self.tree.node(name);
            if let Some(action) = node.action.clone() {
                alone.push_as(name, None, action);
            }
        }
        alone
    }
}

/// Neighbouring numbers in pairs: the first and the last.
fn ranges(names: &[u32]) -> Vec<[u32; 2]> {
    names.chunk_by(|a, b| a + 1 == *b).map(|run| [run[0], run[run.len() - 1]]).collect()
}

/// How many bytes an action takes in a record: with quotes and a comma.
pub fn bytes_in_record(action: &str) -> usize {
    action.len() + 3
}

/// A game that knows how to go back and forth; its typed side of a [`History`].
pub(super) trait Replay: Send + Sync + fmt::Debug {
    fn position(&self) -> &dyn Position;

    /// Plays a legal action, or says why it is none and leaves everything as it was.
    fn play(&mut self, text: &str) -> Result<(Ply, Vec<Event>), String>;

    /// The same for those who do not look at what happens on the board, which takes longer to tell
    /// than to do.
    fn play_unseen(&mut self, text: &str) -> Result<Ply, String>;

    /// The action that was played last is the one of this node.
    fn name(&mut self, node: u32);

    /// Plays the action of a node again, which must be legal.
    fn step(&mut self, node: u32);

    /// Takes back the last action; there must be one.
    fn undo(&mut self);

    /// Forgets the actions of nodes.
    fn forget(&mut self, nodes: &[u32]);

    /// About how many bytes every action adds.
    fn bytes_per_action(&self) -> usize;

    fn to_boxed(&self) -> Box<dyn Replay>;
}

impl Clone for Box<dyn Replay> {
    fn clone(&self) -> Self {
        self.to_boxed()
    }
}

#[derive(Clone, Debug)]
pub(super) struct GameReplay<G: Game> {
    game: G,
    played: Vec<(G::Action, G::Undo)>,
    /// By node. Shared with copies, which mostly look and do not play.
    actions: Arc<HashMap<u32, G::Action>>,
}

impl<G: Game> GameReplay<G> {
    pub(super) fn new(game: G) -> GameReplay<G> {
        GameReplay { game, played: Vec::new(), actions: Arc::default() }
    }

    fn play_legal(&mut self, action: G::Action) {
        let undo = self.game.play(action);
        self.played.push((action, undo));
    }
}

impl<G: Describe + Evaluate> Replay for GameReplay<G> {
    fn position(&self) -> &dyn Position {
        &self.game
    }

    fn play(&mut self, text: &str) -> Result<(Ply, Vec<Event>), String> {
        let action = self.game.read(text).map_err(|refusal| refusal.to_string())?;
        let before = self.game.clone();
        let seat = Game::to_move(&before);
        self.play_legal(action);
        let mut events = before.events(action, &self.game);
        match Game::outcome(&self.game) {
            Some(Outcome { winner, reason }) => {
                events.push(Happening::Over { winner, reason: reason.into() }.into());
            }
            None => {
                let next = Game::to_move(&self.game);
                if next != seat {
                    events.push(Happening::Turn { seat: next }.into());
                }
            }
        }
        Ok((Ply { seat, text: before.write(action) }, events))
    }

    fn play_unseen(&mut self, text: &str) -> Result<Ply, String> {
        let action = self.game.read(text).map_err(|refusal| refusal.to_string())?;
        let ply = Ply { seat: Game::to_move(&self.game), text: self.game.write(action) };
        self.play_legal(action);
        Ok(ply)
    }

    fn name(&mut self, node: u32) {
        let Some(&(action, _)) = self.played.last() else { return };
        if self.actions.get(&node) != Some(&action) {
            Arc::make_mut(&mut self.actions).insert(node, action);
        }
    }

    fn step(&mut self, node: u32) {
        let action = self.actions[&node];
        self.play_legal(action);
    }

    fn undo(&mut self) {
        if let Some((action, undo)) = self.played.pop() {
            self.game.undo(action, undo);
        }
    }

    fn forget(&mut self, nodes: &[u32]) {
        if !nodes.is_empty() {
            let actions = Arc::make_mut(&mut self.actions);
            for node in nodes {
                actions.remove(node);
            }
        }
    }

    fn bytes_per_action(&self) -> usize {
        size_of::<(G::Action, G::Undo)>() + size_of::<(u32, G::Action)>()
    }

    fn to_boxed(&self) -> Box<dyn Replay> {
        Box::new(self.clone())
    }
}
