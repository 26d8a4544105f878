//! From places that were pointed at to the action that is meant. Nothing here knows why an action
//! is legal: the engine gave the list.

use tabuleiro_protocol::Detail;

use crate::board::{Cell, Target};

/// What has been pointed at so far, and which of the legal actions it may be the beginning of.
#[derive(Clone, Debug, Default)]
pub struct Pick {
    details: Vec<Detail>,
    chosen: Vec<Target>,
    /// The actions that fit: before anything was pointed at, and after each pointing.
    fitting: Vec<Vec<Fit>>,
    /// Which of the actions that need no more pointing is looked at.
    considered: Option<usize>,
}

/// A legal action that begins with what was pointed at.
#[derive(Clone, Debug)]
struct Fit {
    detail: usize,
    /// What is still to be pointed at: at the beginning the first one first, then any of them.
    left: Vec<Target>,
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
        let fit = |(index, detail)| Fit { detail: index, left: targets(detail) };
        let fitting = vec![details.iter().enumerate().map(fit).collect()];
        Pick { details, chosen: Vec::new(), fitting, considered: None }
    }

    pub fn chosen(&self) -> &[Target] {
        &self.chosen
    }

    /// Whether there is anything to be done at all.
    pub fn is_empty(&self) -> bool {
        self.details.is_empty()
    }

    /// Whether some actions come in over an edge.
    pub fn has_edges(&self) -> bool {
        self.details.iter().any(|detail| detail.edge.is_some())
    }

    /// Everything that may be pointed at next, in the order of the board.
    pub fn open(&self) -> Vec<Target> {
        let mut open: Vec<Target> = self.fitting().iter().flat_map(|fit| self.next(fit)).copied().collect();
        open.sort_by_key(|target| (target.cell().row, target.cell().column, *target));
        open.dedup();
        open
    }

    /// Points at something. A second time at the last target means that it was enough.
    pub fn point(&mut self, target: Target) -> Pointed {
        let fitting = self.after(target);
        match fitting.as_slice() {
            [] if self.chosen.last() == Some(&target) => match self.complete().as_slice() {
                [only] => Pointed::Action(only.action.clone()),
                _ => Pointed::Nothing,
            },
            [] => Pointed::Nothing,
            [only] if only.left.is_empty() => Pointed::Action(self.details[only.detail].action.clone()),
            _ => {
                self.chosen.push(target);
                self.fitting.push(fitting);
                self.considered = None;
                // Where it is only left to say which one, the first is as good a beginning as any.
                self.consider_next(false);
                Pointed::Unclear
            }
        }
    }

    /// Takes the last pointing back; `false` if there was none.
    pub fn back(&mut self) -> bool {
        let was_chosen = self.chosen.pop().is_some();
        if was_chosen {
            self.fitting.pop();
            self.considered = None;
        }
        was_chosen
    }

    /// The actions that need no more pointing: with nothing chosen, those that have no place on the
    /// board.
    pub fn complete(&self) -> Vec<&Detail> {
        self.complete_of(self.fitting())
    }

    /// The actions of which one is meant, when there is nothing left to point at.
    pub fn alternatives(&self) -> Vec<&Detail> {
        if self.open().is_empty() { self.complete() } else { Vec::new() }
    }

    /// The action that needs no more pointing and is looked at.
    pub fn considered(&self) -> Option<&Detail> {
        let at = self.considered?;
        self.fitting().iter().any(|fit| fit.detail == at && fit.left.is_empty()).then(|| &self.details[at])
    }

    /// Looks at an action that needs no more pointing, or at none.
    pub fn consider(&mut self, action: Option<&str>) {
        self.considered =
            action.and_then(|action| self.details.iter().position(|detail| detail.action == action));
    }

    /// Looks at the next of the alternatives, or at the one before; `false` if there are none.
    pub fn consider_next(&mut self, backwards: bool) -> bool {
        let actions: Vec<String> =
            self.alternatives().into_iter().map(|detail| detail.action.clone()).collect();
        let here = self.considered().and_then(|now| actions.iter().position(|action| *action == now.action));
        let count = actions.len();
        let next = match (here, backwards) {
            (Some(here), false) => (here + 1) % count,
            (Some(here), true) => (here + count - 1) % count,
            (None, false) => 0,
            (None, true) => count.saturating_sub(1),
        };
        self.consider(actions.get(next).map(String::as_str));
        count > 0
    }

    /// The actions that would be complete if this were pointed at as well.
    pub fn complete_with(&self, target: Target) -> Vec<&Detail> {
        self.complete_of(&self.after(target))
    }

    /// An action that goes on like this, where it is not clear yet which one is meant. One that comes
    /// to each place once says best what a pointing there does.
    pub fn beginning_with(&self, target: Option<Target>) -> Option<&Detail> {
        let pointed = target.map(|target| self.after(target)).filter(|fitting| !fitting.is_empty());
        let is_enough = self.chosen.len() + usize::from(pointed.is_some()) > 1;
        let fitting = pointed.as_deref().unwrap_or(self.fitting());
        let comes_again =
            |fit: &&Fit| fit.left.iter().filter(|left| !self.is_left_alone(left, target)).count();
        let fit = fitting.iter().filter(|fit| !fit.left.is_empty()).min_by_key(comes_again);
        fit.filter(|_| is_enough).map(|fit| &self.details[fit.detail])
    }

    /// Whether nothing was pointed at there so far.
    fn is_left_alone(&self, place: &Target, target: Option<Target>) -> bool {
        !self.chosen.contains(place) && target != Some(*place)
    }

    fn complete_of(&self, fitting: &[Fit]) -> Vec<&Detail> {
        let complete = fitting.iter().filter(|fit| fit.left.is_empty());
        complete.map(|fit| &self.details[fit.detail]).collect()
    }

    fn fitting(&self) -> &[Fit] {
        self.fitting.last().map_or(&[], Vec::as_slice)
    }

    /// What may be pointed at next for an action.
    fn next<'a>(&self, fit: &'a Fit) -> &'a [Target] {
        let many = if self.chosen.is_empty() { 1 } else { fit.left.len() };
        &fit.left[..many.min(fit.left.len())]
    }

    /// The actions that fit if this is pointed at as well.
    fn after(&self, target: Target) -> Vec<Fit> {
        let fits = self.fitting().iter().filter_map(|fit| {
            let place = self.next(fit).iter().position(|next| *next == target)?;
            let mut left = fit.left.clone();
            left.remove(place);
            Some(Fit { detail: fit.detail, left })
        });
        fits.collect()
    }
}

/// What a person points at for an action: first the first one, then the others in any order.
fn targets(detail: &Detail) -> Vec<Target> {
    let cells = detail.cells.iter().filter_map(|cell| cell.parse::<Cell>().ok());
    match detail.edge.as_ref().and_then(|edge| edge.parse().ok()) {
        // Where it comes in says all; the other cells only tell what will happen.
        Some(edge) => cells.take(1).map(|cell| Target::Edge(edge, cell)).collect(),
        None => cells.map(Target::Cell).collect(),
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

    #[test]
    fn what_is_left_to_say_is_gone_through_one_by_one() {
        let mut pick = Pick::new(vec![
            detail("L@a3", &["a3"], None),
            detail("D@a3", &["a3"], None),
            detail("L@b3", &["b3"], None),
        ]);
        let considered = |pick: &Pick| pick.considered().map(|detail| detail.action.clone());
        assert!(!pick.consider_next(false), "there is something to point at");
        assert_eq!(pick.point(cell("a3")), Pointed::Unclear);
        assert_eq!(considered(&pick).as_deref(), Some("L@a3"), "the first is looked at");
        assert!(pick.consider_next(false));
        assert_eq!(considered(&pick).as_deref(), Some("D@a3"));
        assert!(pick.consider_next(false) && pick.consider_next(true));
        assert_eq!(considered(&pick).as_deref(), Some("D@a3"), "they go round");
        pick.consider(Some("L@b3"));
        assert_eq!(considered(&pick), None, "it is no longer among them");
        pick.back();
        assert_eq!(considered(&pick), None);
    }
}
