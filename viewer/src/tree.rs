//! A game as a tree, as the engine tells of it, and the rows in which its turns are listed.

use std::collections::{HashMap, HashSet};

use tabuleiro_protocol::method::Tree;
use tabuleiro_protocol::notice::TreeChanged;
use tabuleiro_protocol::{Seat, TreeNode, Turn};

/// The node at which every game begins.
pub const START: u32 = 0;

/// All that was played at a table.
#[derive(Clone, Debug, Default)]
pub struct GameTree {
    nodes: HashMap<u32, TreeNode>,
    /// The nodes from the start to the end of the line.
    line: HashSet<u32>,
    end: u32,
    deleted: usize,
    /// The first nodes of variations of which only the first turn is listed.
    folded: HashSet<u32>,
    rows: Vec<Row>,
    /// In which row a node is.
    places: HashMap<u32, usize>,
    /// How often what is listed has changed.
    version: u64,
}

/// A turn in the list, or the part of it that is another one than in the line it branches off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its nodes, one for each action. None if the engine knows no trees.
    pub nodes: Vec<u32>,
    /// Whose turn it is; the start is nobody's.
    pub seat: Option<Seat>,
    /// From 1; the start is 0.
    pub number: usize,
    /// How many actions were played once this turn was.
    pub ply: usize,
    /// How many variations it lies in.
    pub depth: usize,
    /// Whether a variation begins with it.
    pub opens: bool,
    /// Whether a part of its turn belongs to the line that it branches off.
    pub goes_on: bool,
    /// How many actions are folded away behind it.
    pub hidden: usize,
}

impl Row {
    /// A turn that an engine without trees has listed.
    pub fn of_turn(index: usize, turn: &Turn) -> Row {
        Row {
            nodes: Vec::new(),
            seat: Some(turn.seat),
            number: index + 1,
            ply: turn.ply,
            depth: 0,
            opens: false,
            goes_on: false,
            hidden: 0,
        }
    }

    /// The node to which it leads.
    pub fn last(&self) -> Option<u32> {
        self.nodes.last().copied()
    }
}

/// A line that is still to be listed.
struct Branch {
    first: u32,
    number: usize,
    depth: usize,
    opens: bool,
    goes_on: bool,
}

impl GameTree {
    pub fn new(tree: Tree) -> GameTree {
        let nodes = tree.nodes.into_iter().map(|node| (node.node, node)).collect();
        let mut tree = GameTree { nodes, end: tree.end, deleted: tree.deleted, ..GameTree::default() };
        tree.list();
        tree
    }

    /// Takes in what has changed.
    pub fn change(&mut self, changed: TreeChanged) {
        let mut is_listed_anew = !changed.removed.is_empty() || changed.end != self.end;
        let mut is_read_anew = is_listed_anew;
        for gone in changed.removed {
            self.nodes.remove(&gone);
            self.folded.remove(&gone);
        }
        for node in changed.nodes {
            let before = self.nodes.get(&node.node);
            let same = |one: &TreeNode| one.children == node.children && one.action == node.action;
            let reads = |one: &TreeNode| {
                one.comment == node.comment && one.mark == node.mark && one.resigned == node.resigned
            };
            // The start is listed only for what is said about it.
            let has_words = |one: &TreeNode| one.comment.is_some() || one.mark.is_some();
            let is_new_row = node.node == START && before.is_some_and(has_words) != has_words(&node);
            is_listed_anew |= is_new_row || !before.is_some_and(same);
            is_read_anew |= !before.is_some_and(reads);
            self.nodes.insert(node.node, node);
        }
        self.end = changed.end;
        self.deleted = changed.deleted;
        if is_listed_anew {
            self.list();
        } else if is_read_anew {
            self.version += 1;
        }
    }

    pub fn get(&self, node: u32) -> Option<&TreeNode> {
        self.nodes.get(&node)
    }

    /// The node to which actions lead from a node, if that is in the game.
    pub fn behind(&self, node: u32, actions: &[String]) -> Option<u32> {
        actions.iter().try_fold(node, |node, action| {
            let is_it =
                |child: &&u32| self.get(**child).is_some_and(|child| child.action.as_ref() == Some(action));
            self.get(node)?.children.iter().find(is_it).copied()
        })
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many deletions can be taken back.
    pub fn deleted(&self) -> usize {
        self.deleted
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Another number than before if anything that is listed has changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether a node is in the line: on the way to where the table stands, or what can be played
    /// again from there.
    pub fn is_in_line(&self, node: u32) -> bool {
        self.line.contains(&node)
    }

    /// The row that a node is listed in, unless it is folded away.
    pub fn row_of(&self, node: u32) -> Option<usize> {
        self.places.get(&node).copied()
    }

    /// The actions of a row.
    pub fn actions<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = &'a str> {
        row.nodes.iter().filter_map(|node| self.get(*node)?.action.as_deref())
    }

    fn seat(&self, node: u32) -> Option<Seat> {
        self.get(node)?.seat
    }

    fn parent(&self, node: u32) -> Option<u32> {
        self.get(node)?.parent
    }

    fn children(&self, node: u32) -> &[u32] {
        self.get(node).map_or(&[], |node| &node.children)
    }

    /// How it goes on: in the line if the node is in it, else by the main continuation.
    fn next(&self, node: u32) -> Option<u32> {
        let children = self.children(node);
        children.iter().copied().find(|&child| self.is_in_line(child)).or(children.first().copied())
    }

    /// The end of the turn before the one that leads here.
    pub fn turn_before(&self, node: u32) -> Option<u32> {
        let seat = self.seat(node)?;
        let mut before = self.parent(node)?;
        while self.seat(before) == Some(seat) {
            before = self.parent(before)?;
        }
        Some(before)
    }

    /// The end of the next turn, or of the rest of this one.
    pub fn turn_after(&self, node: u32) -> Option<u32> {
        let mut after = self.next(node)?;
        let seat = self.seat(after);
        while let Some(next) = self.next(after).filter(|&next| self.seat(next) == seat) {
            after = next;
        }
        Some(after)
    }

    /// The end of a line: the main continuation of every node after this one.
    pub fn end_after(&self, mut node: u32) -> u32 {
        while let Some(next) = self.next(node) {
            node = next;
        }
        node
    }

    /// The end of the turn with which another variation begins: of those that branch off nearest
    /// before this node, the next one after its own, or the one before.
    pub fn other_variation(&self, node: u32, backwards: bool) -> Option<u32> {
        let mut here = node;
        loop {
            let parent = self.parent(here)?;
            let children = self.children(parent);
            if children.len() > 1 {
                let own = children.iter().position(|&child| child == here)?;
                let step = if backwards { children.len() - 1 } else { 1 };
                return Some(self.whole_turn(children[(own + step) % children.len()]));
            }
            here = parent;
        }
    }

    /// The last node of the turn that a node belongs to, by the main continuation.
    fn whole_turn(&self, mut node: u32) -> u32 {
        let seat = self.seat(node);
        while let Some(&next) = self.children(node).first().filter(|&&next| self.seat(next) == seat) {
            node = next;
        }
        node
    }

    /// The first node of the innermost variation that a node lies in.
    pub fn variation_of(&self, mut node: u32) -> Option<u32> {
        loop {
            let parent = self.parent(node)?;
            if self.children(parent).first() != Some(&node) {
                return Some(node);
            }
            node = parent;
        }
    }

    pub fn is_folded(&self, node: u32) -> bool {
        self.folded.contains(&node)
    }

    /// Folds away a variation behind its first turn, or shows it again.
    pub fn fold(&mut self, first: u32) {
        if !self.folded.remove(&first) {
            self.folded.insert(first);
        }
        self.list();
    }

    /// Lets everything be seen that lies on the way to a node.
    pub fn unfold_to(&mut self, node: u32) {
        if self.row_of(node).is_some() || self.get(node).is_none() {
            return;
        }
        let mut here = Some(node);
        while let Some(node) = here {
            self.folded.remove(&node);
            here = self.parent(node);
        }
        self.list();
    }

    /// Lists everything anew. A tree can be deeper than a stack: what is still to be done is kept in
    /// a list.
    fn list(&mut self) {
        self.version += 1;
        self.line.clear();
        let mut here = Some(self.end);
        while let Some(node) = here.filter(|node| self.nodes.contains_key(node)) {
            self.line.insert(node);
            here = self.parent(node);
        }
        let mut rows = Vec::new();
        if self.get(START).is_some_and(|start| start.comment.is_some() || start.mark.is_some()) {
            let nodes = vec![START];
            let (seat, number, ply, depth, opens, goes_on, hidden) = (None, 0, 0, 0, false, false, 0);
            rows.push(Row { nodes, seat, number, ply, depth, opens, goes_on, hidden });
        }
        let first = self.children(START).first();
        let begin = |&first: &u32| Branch { first, number: 1, depth: 0, opens: false, goes_on: false };
        let mut branches: Vec<Branch> = first.map(begin).into_iter().collect();
        while let Some(branch) = branches.pop() {
            self.list_turn(&branch, &mut rows, &mut branches);
        }
        let places =
            rows.iter().enumerate().flat_map(|(index, row)| row.nodes.iter().map(move |node| (*node, index)));
        self.places = places.collect();
        self.rows = rows;
    }

    /// Lists the first turn of a branch, and notes how it goes on: with what could have been played
    /// instead, and then with the next turn.
    fn list_turn(&self, branch: &Branch, rows: &mut Vec<Row>, branches: &mut Vec<Branch>) {
        let Branch { first, number, depth, opens, goes_on } = *branch;
        let Some(node) = self.get(first) else { return };
        let seat = node.seat;
        let mut nodes = vec![first];
        let mut last = node;
        while let Some(next) = last.children.first().and_then(|next| self.get(*next)) {
            if next.seat != seat {
                break;
            }
            nodes.push(next.node);
            last = next;
        }
        let is_folded = opens && self.is_folded(first);
        let hidden = if is_folded { self.count_after(first) + 1 - nodes.len() } else { 0 };
        let next = last.children.first().copied().filter(|_| !is_folded);
        branches.extend(next.map(|first| Branch {
            first,
            number: number + 1,
            depth,
            opens: false,
            goes_on: false,
        }));
        if !is_folded {
            for (index, &node) in nodes.iter().enumerate().rev() {
                // The other ways than this variation's first action are listed by its neighbours.
                if index == 0 && opens {
                    continue;
                }
                let others = self.parent(node).map_or(&[] as &[u32], |parent| self.children(parent));
                let others = others.iter().skip(1).rev();
                branches.extend(others.map(|&first| Branch {
                    first,
                    number,
                    depth: depth + 1,
                    opens: true,
                    goes_on: goes_on || index > 0,
                }));
            }
        }
        let ply = last.ply;
        rows.push(Row { nodes, seat, number, ply, depth, opens, goes_on, hidden });
    }

    /// How many nodes come after one.
    fn count_after(&self, node: u32) -> usize {
        let mut count = 0;
        let mut left: Vec<u32> = self.children(node).to_vec();
        while let Some(node) = left.pop() {
            count += 1;
            left.extend(self.children(node));
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Nodes by name: parent, seat, action.
    fn tree(nodes: &[(u32, u32, u8, &str)], end: u32) -> GameTree {
        let mut all: Vec<TreeNode> =
            vec![serde_json::from_value(json!({"node": 0, "ply": 0})).expect("the start")];
        for &(node, parent, seat, action) in nodes {
            let ply = all.iter().find(|known| known.node == parent).expect("a parent").ply + 1;
            let value = json!({"node": node, "parent": parent, "seat": seat, "action": action, "ply": ply});
            all.push(serde_json::from_value(value).expect("a node"));
            all.iter_mut().find(|known| known.node == parent).expect("a parent").children.push(node);
        }
        GameTree::new(Tree { current: end, end, deleted: 0, nodes: all })
    }

    fn branched() -> GameTree {
        // Two turns of two actions; instead of the last action of the first another one, and instead
        // of the second turn another one, which goes on.
        tree(
            &[
                (1, 0, 1, "a"),
                (2, 1, 1, "b"),
                (3, 2, 2, "c"),
                (4, 3, 2, "d"),
                (5, 1, 1, "x"),
                (6, 2, 2, "y"),
                (7, 6, 1, "z"),
            ],
            4,
        )
    }

    fn listed(tree: &GameTree) -> Vec<String> {
        let row = |row: &Row| {
            let words: Vec<&str> = tree.actions(row).collect();
            let sign = if row.goes_on { "…" } else { "" };
            format!("{}{} {sign}{}", "  ".repeat(row.depth), row.number, words.join(" "))
        };
        tree.rows().iter().map(row).collect()
    }

    #[test]
    fn variations_stand_under_the_turn_that_they_replace() {
        let mut tree = branched();
        assert_eq!(listed(&tree), ["1 a b", "  1 …x", "2 c d", "  2 y", "  3 z"]);
        tree.fold(6);
        assert_eq!(listed(&tree), ["1 a b", "  1 …x", "2 c d", "  2 y"]);
        assert_eq!(tree.rows()[3].hidden, 1);
        tree.unfold_to(6);
        assert!(tree.is_folded(6), "its first turn is seen anyway");
        tree.unfold_to(7);
        assert_eq!(tree.rows().len(), 5);
    }

    #[test]
    fn one_goes_by_turns_and_from_variation_to_variation() {
        let tree = branched();
        assert_eq!((tree.turn_before(4), tree.turn_before(2), tree.turn_before(0)), (Some(2), Some(0), None));
        assert_eq!((tree.turn_after(0), tree.turn_after(2), tree.turn_after(4)), (Some(2), Some(4), None));
        assert_eq!(tree.turn_after(6), Some(7), "along the variation");
        assert_eq!((tree.other_variation(4, false), tree.other_variation(7, false)), (Some(6), Some(4)));
        assert_eq!(tree.other_variation(2, true), Some(5));
        assert_eq!((tree.variation_of(7), tree.variation_of(4)), (Some(6), None));
        assert_eq!((tree.end_after(6), tree.end_after(0)), (7, 4));
    }

    #[test]
    fn what_has_changed_is_listed() {
        let mut tree = branched();
        let change = |nodes: serde_json::Value, removed: Vec<u32>, end| TreeChanged {
            table: "t1".into(),
            current: end,
            end,
            deleted: 1,
            nodes: serde_json::from_value(nodes).expect("nodes"),
            removed,
        };
        let version = tree.version();
        let evaluated =
            json!([{"node": 3, "parent": 2, "seat": 2, "action": "c", "ply": 3, "children": [4]}]);
        tree.change(change(evaluated, vec![], 4));
        assert_eq!(tree.version(), version, "nothing is to be read anew");
        let said = json!([{"node": 3, "parent": 2, "seat": 2, "action": "c", "ply": 3, "children": [4], "comment": "hm"}]);
        tree.change(change(said, vec![], 4));
        assert_ne!(tree.version(), version);
        let shorter = json!([{"node": 2, "parent": 1, "seat": 1, "action": "b", "ply": 2, "children": [3]}]);
        tree.change(change(shorter, vec![6, 7], 3));
        assert_eq!(listed(&tree), ["1 a b", "  1 …x", "2 c d"]);
        assert!(tree.is_in_line(3) && !tree.is_in_line(4) && !tree.is_in_line(5));
        assert_eq!(tree.deleted(), 1);
        let start = json!([{"node": 0, "ply": 0, "children": [1], "comment": "The first game."}]);
        tree.change(change(start, vec![], 3));
        assert_eq!(tree.rows()[0].nodes, [START]);
    }

    #[test]
    fn a_tree_may_be_as_deep_as_a_game_is_long() {
        let deep: Vec<(u32, u32, u8, &str)> = (0..20_000)
            .flat_map(|step: u32| {
                let before = if step == 0 { 0 } else { step * 2 };
                [
                    (step * 2 + 1, before, (step % 2) as u8 + 1, "a"),
                    (step * 2 + 2, before, (step % 2) as u8 + 1, "b"),
                ]
            })
            .collect();
        let mut nodes: Vec<TreeNode> = vec![
            serde_json::from_value(json!({"node": 0, "ply": 0, "children": [1, 2]})).expect("the start"),
        ];
        for &(node, parent, seat, action) in &deep {
            let children = if node % 2 == 0 && node < 40_000 { vec![node + 1, node + 2] } else { vec![] };
            let seat = tabuleiro_protocol::Seat::try_from(seat).ok();
            nodes.push(TreeNode {
                node,
                parent: Some(parent),
                action: Some(action.into()),
                seat,
                ply: (node as usize).div_ceil(2),
                children,
                ..nodes[0].clone()
            });
        }
        let tree = GameTree::new(Tree { current: 0, end: 0, deleted: 0, nodes });
        assert_eq!(tree.rows().len(), 40_000, "every second action opens a variation in the one before");
        assert_eq!(tree.rows().last().expect("rows").depth, 20_000);
    }
}
