//! All that was played in a game, variations included, and what is noted about it.

use std::collections::BTreeMap;

use tabuleiro_protocol::{Evaluation, Mark, Seat, TreeNode};

/// The start of a game.
pub const ROOT: u32 = 0;

/// No node has a greater name.
pub const LAST_NAME: u32 = 4_000_000_000;

/// How many bytes a comment may have.
pub const LONGEST_COMMENT: usize = 8 << 10;

/// How many deletions are kept so that they can be taken back.
const KEPT_DELETIONS: usize = 32;

/// What a variation takes in a record besides its actions: where it begins, its place, its names.
const BYTES_PER_VARIATION: usize = 96;

/// What a name that does not follow its parent's takes in a record.
const BYTES_PER_RANGE: usize = 24;

/// What a note takes in a record besides its comment and its evaluation.
const BYTES_PER_NOTE: usize = 64;

/// One action of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ply {
    pub(super) seat: Seat,
    pub(super) text: String,
}

/// Positions by name, each with the action that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    nodes: BTreeMap<u32, Node>,
    /// The name of the next node.
    next: u32,
    /// About what all nodes take in a record.
    record_bytes: usize,
    /// What notes take, those of deleted nodes included.
    note_bytes: usize,
    /// The last deletion comes last.
    deletions: Vec<Deletion>,
    /// Nodes that are not as they were, if anybody wants to know.
    touched: Option<Vec<u32>>,
}

/// A node and what is noted about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Node {
    pub(super) parent: u32,
    /// `None` at the start.
    pub(super) action: Option<Ply>,
    /// Actions from the start to here.
    pub(super) ply: usize,
    /// Turns begun on the way.
    pub(super) turns: usize,
    pub(super) children: Vec<u32>,
    note: Option<Box<Note>>,
}

/// What is noted about a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    pub comment: Option<String>,
    pub mark: Option<Mark>,
    pub resigned: Option<Seat>,
    pub evaluation: Option<Evaluation>,
    /// What comment and evaluation take in a record.
    bytes: usize,
}

/// A part of the tree that was cut off.
#[derive(Clone, Debug, PartialEq)]
struct Deletion {
    /// Its first node among the children of its parent.
    place: usize,
    /// The first node comes first.
    nodes: Vec<(u32, Node)>,
}

impl Note {
    fn is_empty(&self) -> bool {
        let Note { comment, mark, resigned, evaluation, .. } = self;
        comment.is_none() && mark.is_none() && resigned.is_none() && evaluation.is_none()
    }

    fn measure(&mut self) {
        let json = |length: Result<String, serde_json::Error>| length.map_or(0, |text| text.len());
        let comment = self.comment.as_ref().map_or(0, |comment| json(serde_json::to_string(comment)));
        let evaluation = self.evaluation.as_ref().map_or(0, |found| json(serde_json::to_string(found)));
        self.bytes = BYTES_PER_NOTE + comment + evaluation;
    }
}

impl Node {
    pub(super) fn seat(&self) -> Option<Seat> {
        self.action.as_ref().map(|action| action.seat)
    }

    pub(super) fn text(&self) -> &str {
        self.action.as_ref().map_or("", |action| &action.text)
    }

    /// About what its note takes in memory.
    fn note_bytes(&self) -> usize {
        self.note.as_ref().map_or(0, |note| 2 * note.bytes + size_of::<Note>())
    }

    /// About what it takes in a record.
    fn record_bytes(&self, name: u32) -> usize {
        let action = self.action.as_ref().map_or(0, |action| super::bytes_in_record(&action.text));
        let range = if name == ROOT || name == self.parent + 1 { 0 } else { BYTES_PER_RANGE };
        let note = self.note.as_ref().map_or(0, |note| note.bytes);
        action + range + note + self.children.len().saturating_sub(1) * BYTES_PER_VARIATION
    }
}

impl Default for Tree {
    fn default() -> Tree {
        let nodes = BTreeMap::from([(ROOT, Node::default())]);
        Tree { nodes, next: ROOT + 1, record_bytes: 0, note_bytes: 0, deletions: Vec::new(), touched: None }
    }
}

impl Tree {
    /// What a node takes in memory, about.
    pub(super) const BYTES_PER_NODE: usize = size_of::<(u32, Node)>() + 48;

    pub(super) fn get(&self, name: u32) -> Option<&Node> {
        self.nodes.get(&name)
    }

    /// A node that is there.
    pub(super) fn node(&self, name: u32) -> &Node {
        self.nodes.get(&name).expect("whoever names a node of the line has looked it up")
    }

    pub(super) fn note(&self, name: u32) -> Option<&Note> {
        self.nodes.get(&name)?.note.as_deref()
    }

    pub(super) fn record_bytes(&self) -> usize {
        self.record_bytes
    }

    /// About what notes take in memory.
    pub(super) fn note_bytes(&self) -> usize {
        self.note_bytes
    }

    /// How many nodes there are, those that were deleted and can come back included.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - 1 + self.deletions.iter().map(|deletion| deletion.nodes.len()).sum::<usize>()
    }

    pub(super) fn deletions(&self) -> usize {
        self.deletions.len()
    }

    /// The continuation of a node that is spelt so.
    pub(super) fn child(&self, name: u32, text: &str) -> Option<u32> {
        let children = &self.nodes.get(&name)?.children;
        children.iter().copied().find(|&child| self.node(child).text() == text)
    }

    /// Where the main continuations lead from here.
    pub(super) fn main_line(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |name: &u32| self.nodes.get(name).and_then(|node| node.children.first().copied());
        std::iter::successors(next(&name), next)
    }

    /// Every node from here on behind its parent, the main continuation first.
    pub(super) fn walk(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        let mut ahead = vec![name];
        std::iter::from_fn(move || {
            let name = ahead.pop()?;
            ahead.extend(self.node(name).children.iter().rev());
            Some(name)
        })
    }

    pub(super) fn describe(&self, name: u32) -> Option<TreeNode> {
        let node = self.nodes.get(&name)?;
        let note = node.note.as_deref();
        Some(TreeNode {
            node: name,
            parent: node.action.as_ref().map(|_| node.parent),
            action: node.action.as_ref().map(|action| action.text.clone()),
            seat: node.seat(),
            ply: node.ply,
            children: node.children.clone(),
            comment: note.and_then(|note| note.comment.clone()),
            mark: note.and_then(|note| note.mark),
            resigned: note.and_then(|note| note.resigned),
            evaluation: note.and_then(|note| note.evaluation.clone()).map(Box::new),
        })
    }

    fn touch(&mut self, name: u32) {
        if let Some(touched) = &mut self.touched {
            touched.push(name);
        }
    }

    /// Whether it is noted from now on which nodes change.
    pub(super) fn follow(&mut self, follows: bool) {
        self.touched = follows.then(|| self.touched.take().unwrap_or_default());
    }

    /// Nodes that changed since this was last asked for, and nodes that are gone.
    pub(super) fn take_touched(&mut self) -> (Vec<u32>, Vec<u32>) {
        let mut touched = self.touched.as_mut().map(std::mem::take).unwrap_or_default();
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().partition(|name| self.nodes.contains_key(name))
    }

    /// Changes a node, and keeps count of what all take.
    fn change<T>(&mut self, name: u32, change: impl FnOnce(&mut Node) -> T) -> Option<T> {
        let node = self.nodes.get_mut(&name)?;
        let before = node.record_bytes(name);
        let changed = change(node);
        self.record_bytes = self.record_bytes + node.record_bytes(name) - before;
        self.touch(name);
        Some(changed)
    }

    /// Adds a continuation as the last one. The parent must be there.
    pub(super) fn add(&mut self, parent: u32, action: Ply) -> u32 {
        let name = self.next;
        self.add_as(name, parent, None, action);
        name
    }

    /// Adds a continuation by a name that nobody has, at a place among the others.
    pub(super) fn add_as(&mut self, name: u32, parent: u32, place: Option<usize>, action: Ply) {
        let before = self.node(parent);
        let (ply, turns) = (before.ply + 1, before.turns + usize::from(before.seat() != Some(action.seat)));
        let node = Node { parent, action: Some(action), ply, turns, ..Node::default() };
        self.put(name, node, place);
        self.next = self.next.max(name + 1);
    }

    fn put(&mut self, name: u32, node: Node, place: Option<usize>) {
        self.change(node.parent, |parent| {
            let last = parent.children.len();
            parent.children.insert(place.unwrap_or(last).min(last), name);
        });
        self.record_bytes += node.record_bytes(name);
        self.nodes.insert(name, node);
        self.touch(name);
    }

    /// Cuts off a node that is not the start, and all that comes after it.
    fn cut(&mut self, name: u32) -> Deletion {
        let names: Vec<u32> = self.walk(name).collect();
        let parent = self.node(name).parent;
        let place = self.node(parent).children.iter().position(|&child| child == name).unwrap_or(0);
        self.change(parent, |parent| parent.children.retain(|&child| child != name));
        let nodes: Vec<(u32, Node)> =
            names.into_iter().filter_map(|name| Some((name, self.nodes.remove(&name)?))).collect();
        for (name, node) in &nodes {
            self.record_bytes -= node.record_bytes(*name);
            self.touch(*name);
        }
        Deletion { place, nodes }
    }

    /// Removes a node and all that comes after it for good. Gives the names that are gone.
    pub(super) fn remove(&mut self, name: u32) -> Vec<u32> {
        let deletion = self.cut(name);
        self.forget(vec![deletion])
    }

    /// The name of the next node.
    pub(super) fn next_name(&self) -> u32 {
        self.next
    }

    /// Names from here on are given again: nobody has heard of the nodes that had them.
    pub(super) fn reuse_names(&mut self, next: u32) {
        self.next = next;
    }

    /// Removes a node and all that comes after it, so that it can be restored. Gives the names of
    /// what cannot be restored any more.
    pub(super) fn delete(&mut self, name: u32) -> Vec<u32> {
        let deletion = self.cut(name);
        self.deletions.push(deletion);
        if self.deletions.len() <= KEPT_DELETIONS {
            return Vec::new();
        }
        let oldest = self.deletions.remove(0);
        self.forget(vec![oldest])
    }

    /// Puts back what was deleted last. What was played again meanwhile is there already, and stays;
    /// gives the names that are not needed for that reason.
    pub(super) fn restore(&mut self) -> Vec<u32> {
        let Some(Deletion { place, nodes }) = self.deletions.pop() else { return Vec::new() };
        // By their old names, those that are there by another one.
        let mut others: BTreeMap<u32, u32> = BTreeMap::new();
        for (index, (name, mut node)) in nodes.into_iter().enumerate() {
            node.parent = *others.get(&node.parent).unwrap_or(&node.parent);
            node.children.clear();
            match self.child(node.parent, node.text()) {
                Some(other) => {
                    self.note_bytes -= node.note_bytes();
                    others.insert(name, other);
                }
                None => self.put(name, node, (index == 0).then_some(place)),
            }
        }
        for first in self.deletions.iter_mut().filter_map(|deletion| deletion.nodes.first_mut()) {
            first.1.parent = *others.get(&first.1.parent).unwrap_or(&first.1.parent);
        }
        others.into_keys().collect()
    }

    /// Whether what was deleted last can come back.
    pub(super) fn can_restore(&self) -> bool {
        let first = self.deletions.last().and_then(|deletion| deletion.nodes.first());
        first.is_some_and(|(_, node)| self.nodes.contains_key(&node.parent))
    }

    /// How many bytes of a record the last deletion would take.
    pub(super) fn deleted_bytes(&self) -> usize {
        let nodes = self.deletions.last().map(|deletion| &deletion.nodes);
        let bytes = nodes.into_iter().flatten().map(|(name, node)| node.record_bytes(*name));
        bytes.sum::<usize>() + BYTES_PER_VARIATION
    }

    /// Moves the variation to which a node belongs one place forward, or all the way. `false` if it
    /// is in front already.
    pub(super) fn promote(&mut self, name: u32, all_the_way: bool) -> bool {
        let mut is_moved = false;
        let mut name = name;
        while name != ROOT {
            let parent = self.node(name).parent;
            let place = self.node(parent).children.iter().position(|&child| child == name).unwrap_or(0);
            if place > 0 {
                let to = if all_the_way { 0 } else { place - 1 };
                self.change(parent, |parent| parent.children[to..=place].rotate_right(1));
                is_moved = true;
                if !all_the_way {
                    break;
                }
            }
            name = parent;
        }
        is_moved
    }

    /// Changes what is noted about a node.
    pub(super) fn annotate(&mut self, name: u32, change: impl FnOnce(&mut Note)) {
        let bytes = self.change(name, |node| {
            let before = node.note_bytes();
            let mut note = node.note.take().unwrap_or_default();
            change(&mut note);
            note.measure();
            node.note = (!note.is_empty()).then_some(note);
            (before, node.note_bytes())
        });
        let (before, after) = bytes.unwrap_or_default();
        self.note_bytes = self.note_bytes + after - before;
    }

    /// The first nodes of variations that may be forgotten when room is needed, the oldest first:
    /// nothing is noted in them, and none of `kept` is among them.
    pub(super) fn forgettable(&self, kept: &[u32]) -> Vec<u32> {
        let mut is_kept: BTreeMap<u32, ()> = kept.iter().map(|&name| (name, ())).collect();
        is_kept.insert(ROOT, ());
        for (&name, node) in self.nodes.iter().filter(|(_, node)| node.note.is_some()) {
            let (mut name, mut node) = (name, node);
            while is_kept.insert(name, ()).is_none() {
                name = node.parent;
                node = self.node(name);
            }
        }
        let is_first =
            |(name, node): &(&u32, &Node)| !is_kept.contains_key(name) && is_kept.contains_key(&node.parent);
        self.nodes.iter().filter(is_first).map(|(&name, _)| name).collect()
    }

    /// What a variation takes in a record at least, and how many nodes it has.
    pub(super) fn size(&self, name: u32) -> (usize, usize) {
        self.walk(name)
            .fold((0, 0), |(bytes, count), name| (bytes + self.node(name).record_bytes(name), count + 1))
    }

    /// Forgets what was deleted. Gives the names that are gone.
    pub(super) fn forget_deletions(&mut self) -> Vec<u32> {
        let deletions = std::mem::take(&mut self.deletions);
        self.forget(deletions)
    }

    fn forget(&mut self, deletions: Vec<Deletion>) -> Vec<u32> {
        let nodes = deletions.into_iter().flat_map(|deletion| deletion.nodes);
        let gone = nodes.inspect(|(_, node)| self.note_bytes -= node.note_bytes());
        gone.map(|(name, _)| name).collect()
    }
}
