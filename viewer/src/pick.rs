//! From places that were pointed at to the action that is meant. Nothing here knows why an action
//! is legal: the engine gave the list.

use tabuleiro_protocol::Detail;

use crate::board::{Cell, Target};

/// What has been pointed at so far, and which of the legal actions it may be the beginning of.
#[derive(Clone, Debug, Default)]
pub struct Pick {
    candidates: Vec<Candidate>,
    chosen: Vec<Target>,
}

/// A legal action, and what a person points at for it: first the first target, then the others in
/// any order.
#[derive(Clone, Debug)]
struct Candidate {
    detail: Detail,
    targets: Vec<Target>,
}

/// What pointing somewhere led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pointed {
    /// No action goes on like this.
    Nothing,
    /// Some action is meant, but it is not yet clear which.
    Unclear,
    /// This action and no other.
    Action(String),
}

impl Pick {
    /// What may be done now; nothing is pointed at yet.
    pub fn new(details: Vec<Detail>) -> Pick {
        let candidates = details.into_iter().map(Candidate::new).collect();
        Pick { candidates, chosen: Vec::new() }
    }

    pub fn chosen(&self) -> &[Target] {
        &self.chosen
    }

    /// Whether there is anything to be done at all.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Whether some actions come in over an edge.
    pub fn has_edges(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.detail.edge.is_some())
    }

    /// Everything that may be pointed at next, in the order of the board.
    pub fn open(&self) -> Vec<Target> {
        let mut open: Vec<Target> = self.matching(&self.chosen).flat_map(|(_, rest)| rest).collect();
        open.sort_by_key(|target| (target.cell().row, target.cell().column, *target));
        open.dedup();
        open
    }

    /// Points at something. A second time at the last target means that it was enough.
    pub fn point(&mut self, target: Target) -> Pointed {
        if self.chosen.last() == Some(&target) && !self.open().contains(&target) {
            return match self.complete().as_slice() {
                [only] => Pointed::Action(only.action.clone()),
                _ => Pointed::Nothing,
            };
        }
        let mut chosen = self.chosen.clone();
        chosen.push(target);
        let mut matching = self
            .matching(&chosen)
            .map(|(candidate, rest)| (candidate.detail.action.clone(), rest.is_empty()));
        match (matching.next(), matching.next()) {
            (None, _) => Pointed::Nothing,
            (Some((action, true)), None) => Pointed::Action(action),
            _ => {
                drop(matching);
                self.chosen = chosen;
                Pointed::Unclear
            }
        }
    }

    /// Takes the last pointing back; `false` if there was none.
    pub fn back(&mut self) -> bool {
        self.chosen.pop().is_some()
    }

    /// The actions that need no more pointing: with nothing chosen, those that have no place on the
    /// board.
    pub fn complete(&self) -> Vec<&Detail> {
        self.matching(&self.chosen)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(candidate, _)| &candidate.detail)
            .collect()
    }

    /// The actions that would be complete if this were pointed at as well.
    pub fn complete_with(&self, target: Target) -> Vec<&Detail> {
        let mut chosen = self.chosen.clone();
        chosen.push(target);
        self.matching(&chosen)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(candidate, _)| &candidate.detail)
            .collect()
    }

    /// The actions that begin with these targets, and what is still to be pointed at for each.
    fn matching<'a, 'b>(
        &'a self,
        chosen: &'b [Target],
    ) -> impl Iterator<Item = (&'a Candidate, Vec<Target>)> + use<'a, 'b> {
        self.candidates.iter().filter_map(|candidate| Some((candidate, candidate.after(chosen)?)))
    }
}

impl Candidate {
    fn new(detail: Detail) -> Candidate {
        let cells = detail.cells.iter().filter_map(|cell| cell.parse::<Cell>().ok());
        let edge = detail.edge.as_ref().and_then(|edge| edge.parse().ok());
        let targets = match edge {
            // Where it comes in says all; the other cells only tell what will happen.
            Some(edge) => cells.take(1).map(|cell| Target::Edge(edge, cell)).collect(),
            None => cells.map(Target::Cell).collect(),
        };
        Candidate { detail, targets }
    }

    /// What is still to be pointed at after these targets: first the first one, then the rest.
    /// `None` if the action does not begin so.
    fn after(&self, chosen: &[Target]) -> Option<Vec<Target>> {
        let Some((first, others)) = chosen.split_first() else {
            return Some(self.targets.iter().take(1).copied().collect());
        };
        let (begins, rest) = self.targets.split_first()?;
        if begins != first {
            return None;
        }
        let mut rest = rest.to_vec();
        for target in others {
            let index = rest.iter().position(|other| other == target)?;
            rest.remove(index);
        }
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detail(action: &str, cells: &[&str], edge: Option<&str>) -> Detail {
        serde_json::from_value(serde_json::json!({
            "action": action, "kind": "kind", "cells": cells, "edge": edge, "text": action
        }))
        .expect("a detail")
    }

    fn cell(text: &str) -> Target {
        Target::Cell(text.parse().expect("a cell"))
    }

    fn edge(edge: &str, at: &str) -> Target {
        Target::Edge(edge.parse().expect("an edge"), at.parse().expect("a cell"))
    }

    #[test]
    fn one_place_can_be_enough() {
        let mut pick = Pick::new(vec![detail("e5", &["e5"], None), detail("d4", &["d4"], None)]);
        assert_eq!(pick.open(), [cell("d4"), cell("e5")]);
        assert_eq!(pick.point(cell("a1")), Pointed::Nothing);
        assert_eq!(pick.point(cell("e5")), Pointed::Action("e5".into()));
        assert!(pick.chosen().is_empty(), "nothing stays chosen behind an action");
    }

    #[test]
    fn a_corner_has_two_doorsteps() {
        let mut pick = Pick::new(vec![
            detail("w1", &["a1", "c1"], Some("west")),
            detail("na", &["a1", "a4"], Some("north")),
        ]);
        assert_eq!(pick.open(), [edge("north", "a1"), edge("west", "a1")]);
        assert_eq!(pick.point(cell("a1")), Pointed::Nothing);
        assert_eq!(pick.point(edge("west", "a1")), Pointed::Action("w1".into()));
    }

    #[test]
    fn the_first_cell_comes_first_and_the_others_in_any_order() {
        let split = || {
            Pick::new(vec![
                detail("a1/a2,a2,b2", &["a1", "a2", "a2", "b2"], None),
                detail("a1/a2,b1,b2", &["a1", "a2", "b1", "b2"], None),
            ])
        };
        let mut pick = split();
        assert_eq!(pick.point(cell("b2")), Pointed::Nothing);
        assert_eq!(pick.point(cell("a1")), Pointed::Unclear);
        assert_eq!(pick.open(), [cell("b1"), cell("a2"), cell("b2")]);
        assert_eq!(pick.point(cell("b2")), Pointed::Unclear);
        assert_eq!(pick.point(cell("a2")), Pointed::Unclear);
        assert_eq!(pick.point(cell("a2")), Pointed::Action("a1/a2,a2,b2".into()));
        let mut pick = split();
        for target in ["a1", "b1", "a2"] {
            assert_eq!(pick.point(cell(target)), Pointed::Unclear);
        }
        assert_eq!(pick.point(cell("b2")), Pointed::Action("a1/a2,b1,b2".into()));
    }

    #[test]
    fn what_may_be_enough_is_confirmed_by_pointing_again() {
        let mut pick = Pick::new(vec![
            detail("c3+d4", &["c3", "d4"], None),
            detail("c3+d4+d5", &["c3", "d4", "d5"], None),
            detail(".", &[], None),
        ]);
        assert_eq!(pick.complete().iter().map(|detail| detail.action.as_str()).collect::<Vec<_>>(), ["."]);
        assert_eq!(pick.point(cell("c3")), Pointed::Unclear);
        assert!(pick.complete().is_empty());
        assert_eq!(pick.complete_with(cell("d4"))[0].action, "c3+d4");
        assert_eq!(pick.point(cell("d4")), Pointed::Unclear);
        assert_eq!(pick.open(), [cell("d5")]);
        assert_eq!(pick.complete()[0].action, "c3+d4");
        assert_eq!(pick.point(cell("d4")), Pointed::Action("c3+d4".into()));
        assert!(pick.back());
        assert_eq!(pick.chosen(), [cell("c3")]);
        assert!(pick.back());
        assert!(!pick.back());
    }

    #[test]
    fn two_actions_with_the_same_cells_stay_unclear() {
        let mut pick = Pick::new(vec![detail("L@a3", &["a3"], None), detail("D@a3", &["a3"], None)]);
        assert_eq!(pick.point(cell("a3")), Pointed::Unclear);
        assert_eq!(pick.complete().len(), 2);
        assert_eq!(pick.point(cell("a3")), Pointed::Nothing);
    }
}
