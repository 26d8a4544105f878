//! What the engine last said about the table that is shown, and what follows from it for this
//! window.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use tabuleiro_protocol::method::Replayed;
use tabuleiro_protocol::notice::BotFailed;
use tabuleiro_protocol::{
    Choice, Detail, Direction, Event, Fact, Happening, Info, Overlay, PerSeat, Player, Score, Seat, State,
    Trace, Turn, Wanted,
};

use crate::aids::Forms;
use crate::board::Cell;
use crate::review::GameReview;
use crate::text::capitalised;
use crate::tree::GameTree;

/// A table as this window sees it.
#[derive(Clone, Debug)]
pub struct TableView {
    pub state: State,
    /// Whether this window opened the table: then it plays every seat of people's that nobody else
    /// has taken.
    pub is_maker: bool,
    /// In an exercise, the seat that is played here; the other one is the engine's.
    pub learner: Option<Seat>,
    /// The seats that this window has taken at the table of somebody else.
    claimed: PerSeat<bool>,
    /// Every turn from the start, those that can be played again included.
    pub turns: Vec<Turn>,
    /// What the seat to move may do, once the engine has said so for this position.
    pub details: Vec<Detail>,
    /// The same for the position that is looked at, once a hint was asked for there.
    pub looked_details: Vec<Detail>,
    pub overlays: Vec<Overlay>,
    /// Whether they are those of another position, because the engine has not told new ones yet. Panels
    /// that left them out for that moment would jump.
    pub are_overlays_old: bool,
    /// The forms that they have on the board, or had when they were last known.
    pub forms: Forms,
    /// What counts beside the board in the position that is shown, in words.
    pub facts: Vec<Fact>,
    /// What happened in the last turn before the position that is shown, once that is known.
    pub last_turn: Option<Replayed>,
    /// The computer's thoughts while it thinks, and the seat it thinks for.
    pub thinking: Option<Thought>,
    pub hint: Option<Choice>,
    /// What the hint does on the board, and which of its actions does it.
    pub hint_traces: Vec<(usize, Trace)>,
    /// Whether a hint has been asked for and has not come yet.
    pub hint_wanted: bool,
    /// Chances belong to a position, which is what was played since the start, whether it is still
    /// in the game or was taken back.
    chances: HashMap<PositionKey, Chance>,
    /// An earlier or later position that is looked at instead of the present one.
    pub looked_at: Option<State>,
    /// What still moves on the board, so that panels tell no more than is seen there.
    pub moving: Option<Moving>,
    /// The bot that did not play its turn, and what happened to it.
    pub failed: Option<BotFailed>,
    /// All that was played, once the engine has told it. One of another make may know no trees.
    pub tree: Option<GameTree>,
    /// What a review has found out about the game.
    pub review: Option<GameReview>,
}

/// A turn that is being shown: its actions are listed one after the other as their pieces begin to
/// move, and what follows from it is told when they lie still.
#[derive(Clone, Debug)]
pub struct Moving {
    /// The table before what moves, and what counted then.
    pub before: State,
    pub facts: Vec<Fact>,
    pub seat: Seat,
    /// How many actions of the turn have not begun yet.
    pub to_come: usize,
}

/// A position of a table's game, as the engine is asked about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub ply: usize,
    /// Unless the engine knows no trees.
    pub node: Option<u32>,
}

impl Spot {
    /// Whether both are the same position, as far as is known: the tree may have come between.
    pub fn is(self, other: Spot) -> bool {
        match (self.node, other.node) {
            (Some(one), Some(other)) => one == other,
            _ => self.ply == other.ply,
        }
    }

    /// How many actions lead there, if no node says more.
    pub fn ply_alone(self) -> Option<usize> {
        self.node.is_none().then_some(self.ply)
    }
}

/// A position of one table's game: a digest of all actions that lead to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey(u64);

/// Seat 1's chance to win.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    pub first: f64,
    /// Whether only a short search was made.
    pub is_rough: bool,
}

#[derive(Clone, Debug)]
pub struct Thought {
    pub seat: Seat,
    pub info: Option<Info>,
    /// Seconds since it began.
    pub seconds: f32,
}

impl TableView {
    /// A table that this window opened.
    pub fn new(state: State) -> TableView {
        TableView {
            state,
            is_maker: true,
            learner: None,
            claimed: PerSeat::default(),
            turns: Vec::new(),
            details: Vec::new(),
            looked_details: Vec::new(),
            overlays: Vec::new(),
            are_overlays_old: false,
            forms: Forms::default(),
            facts: Vec::new(),
            last_turn: None,
            thinking: None,
            hint: None,
            hint_traces: Vec::new(),
            hint_wanted: false,
            chances: HashMap::new(),
            looked_at: None,
            moving: None,
            failed: None,
            tree: None,
            review: None,
        }
    }

    /// A table that somebody else opened.
    pub fn of_others(state: State) -> TableView {
        TableView { is_maker: false, ..TableView::new(state) }
    }

    /// Notes how the table stands. A seat that somebody else has been given is no longer ours.
    pub fn set_state(&mut self, state: State) {
        for seat in Seat::BOTH {
            self.claimed[seat] &= is_claimed(&state.seats[seat]);
        }
        let is_as_it_was = state.held && state.ply == self.state.ply;
        self.failed
            .take_if(|failed| !is_as_it_was || state.seats[failed.seat] != self.state.seats[failed.seat]);
        self.state = state;
    }

    /// Notes that this window has taken a seat.
    pub fn claim(&mut self, seat: Seat) {
        self.claimed[seat] = is_claimed(&self.state.seats[seat]);
    }

    /// Notes how the table stands after something was played there. The list of turns follows at
    /// once, so that it never disagrees with the board.
    pub fn played(&mut self, state: State) {
        let before = self.state.ply;
        self.set_state(state);
        let Some(last) = &self.state.last else { return };
        let begun = self.state.ply.saturating_sub(last.actions.len());
        self.turns.retain(|turn| turn.ply <= before.min(begun));
        let known = self.turns.last().map_or(0, |turn| turn.ply);
        // Whoever has just come knows only a part of the turns until the engine has told them all.
        if known == begun {
            let turn = Turn { seat: last.seat, actions: last.actions.clone(), ply: self.state.ply };
            self.turns.push(turn);
        }
    }

    /// Takes over the list of turns, unless it is that of another moment than the one shown.
    pub fn set_turns(&mut self, turns: Vec<Turn>) {
        if turns.last().map_or(0, |turn| turn.ply) == self.state.ply + self.state.undone {
            self.turns = turns;
            self.note_ending();
        }
    }

    /// How it has ended is known, once the list of turns says where.
    pub fn note_ending(&mut self) {
        if let (Some(ending), Some(key)) = (&self.state.outcome, self.key(self.state.ply)) {
            let first = ending.winner.map_or(0.5, |winner| if winner == Seat::One { 1.0 } else { 0.0 });
            self.note_chance(key, Chance { first, is_rough: false });
        }
    }

    /// What still moves on the board in the position that is shown.
    pub fn in_motion(&self) -> Option<&Moving> {
        self.moving.as_ref().filter(|_| self.looked_at.is_none())
    }

    /// How the table stands on the board at this moment: while pieces move, as before their turn.
    pub fn in_sight(&self) -> &State {
        self.in_motion().map_or(self.shown(), |moving| &moving.before)
    }

    /// What counts beside the board at this moment.
    pub fn facts_in_sight(&self) -> &[Fact] {
        self.in_motion().map_or(&self.facts, |moving| &moving.facts)
    }

    /// The actions of the last turn that have begun on the board.
    pub fn begun(&self) -> &[String] {
        let actions = self.state.last.as_ref().map_or(&[][..], |last| &last.actions);
        let to_come = self.in_motion().map_or(0, |moving| moving.to_come);
        &actions[..actions.len().saturating_sub(to_come)]
    }

    /// The positions of the game as it is listed, from the start.
    fn keys(&self) -> impl Iterator<Item = PositionKey> {
        let mut digest = DefaultHasher::new();
        let start = PositionKey(digest.finish());
        let actions = self.turns.iter().flat_map(|turn| &turn.actions);
        std::iter::once(start).chain(actions.map(move |action| {
            action.hash(&mut digest);
            PositionKey(digest.finish())
        }))
    }

    /// The position after so many actions of the game as it is listed.
    pub fn key(&self, ply: usize) -> Option<PositionKey> {
        self.keys().nth(ply)
    }

    pub fn note_chance(&mut self, key: PositionKey, chance: Chance) {
        self.chances.insert(key, chance);
    }

    /// The chance in a position, once it is known.
    pub fn chance(&self, key: PositionKey) -> Option<Chance> {
        self.chances.get(&key).copied()
    }

    /// The chances in every position of the game as it is listed, where they are known.
    pub fn chances(&self) -> Vec<Option<Chance>> {
        self.keys().map(|key| self.chance(key)).collect()
    }

    /// The same up to what is seen on the board: while pieces move, without what comes of it.
    pub fn chances_in_sight(&self) -> Vec<Option<Chance>> {
        let mut chances = self.chances();
        chances.truncate(self.in_motion().map_or(usize::MAX, |moving| moving.before.ply + 1));
        chances
    }

    /// What helps to read the position that is shown, once it is known.
    pub fn known_overlays(&self) -> &[Overlay] {
        if self.are_overlays_old { &[] } else { &self.overlays }
    }

    /// The last turn before the position that is shown.
    pub fn shown_turn(&self) -> Option<&Replayed> {
        self.last_turn.as_ref().filter(|turn| turn.ply == self.shown().ply)
    }

    /// What the last turn did on the board: ways from one place to another, and places where
    /// something came or went. With each, which action of the turn it was.
    pub fn traces(&self) -> Vec<(usize, Trace)> {
        let steps = self.shown_turn().into_iter().flat_map(|turn| turn.steps.iter().enumerate());
        let traces = steps.flat_map(|(index, step)| {
            step.events.iter().flat_map(Event::traces).map(move |trace| (index, trace)).collect::<Vec<_>>()
        });
        traces.collect()
    }

    /// What won the game in the position that is shown.
    pub fn won(&self) -> Vec<Cell> {
        let steps = self.shown_turn().into_iter().flat_map(|turn| &turn.steps);
        steps.flat_map(|step| &step.events).flat_map(winning_cells).collect()
    }

    /// The turn that a position is the end of, or lies in, from 1.
    pub fn turn_at(&self, state: &State) -> usize {
        let is_in_turn = state.last.as_ref().is_some_and(|last| Some(last.seat) == state.to_move);
        state.turn + usize::from(is_in_turn)
    }

    /// When so many actions of the game as it is listed were played, in words.
    pub fn moment(&self, ply: usize) -> String {
        match self.turns.iter().position(|turn| turn.ply >= ply) {
            _ if ply == 0 => "At the start".into(),
            Some(index) if self.turns[index].ply == ply => format!("After turn {}", index + 1),
            Some(index) => format!("In turn {}", index + 1),
            None => "Now".into(),
        }
    }

    /// The position that is shown.
    pub fn shown(&self) -> &State {
        self.looked_at.as_ref().unwrap_or(&self.state)
    }

    /// Whether a line is shown that was never played.
    pub fn is_line_shown(&self) -> bool {
        self.review.as_ref().is_some_and(|review| review.line.is_some())
    }

    /// The node that stands out in the list: that of the turn which a review looks at, or of the
    /// position that is shown.
    pub fn listed_node(&self) -> u32 {
        let turn = self.review.as_ref().and_then(|review| review.looked_at());
        turn.map_or(self.shown().node, |turn| turn.end)
    }

    /// Where in the game a position is.
    pub fn spot(&self, state: &State) -> Spot {
        Spot { ply: state.ply, node: self.tree.is_some().then_some(state.node) }
    }

    /// Where in the game the position is that is shown.
    pub fn shown_spot(&self) -> Spot {
        self.spot(self.shown())
    }

    /// Whether the position that is shown lies in the line: what has led to where the table stands,
    /// and what can be played again from there.
    pub fn is_shown_in_line(&self) -> bool {
        self.tree.as_ref().is_none_or(|tree| tree.is_in_line(self.shown().node))
    }

    /// The position that is shown, if it lies in the game as it is listed.
    pub fn shown_key(&self) -> Option<PositionKey> {
        self.is_shown_in_line().then(|| self.key(self.shown().ply)).flatten()
    }

    /// Whether a person at this window is to move in the position that is shown.
    pub fn is_ours_to_move(&self) -> bool {
        let ours = |seat: Seat| self.is_ours(seat);
        self.looked_at.is_none() && self.state.outcome.is_none() && self.state.to_move.is_some_and(ours)
    }

    /// What is left of the hint in the position that comes, if its first action was played and its
    /// turn goes on.
    pub fn rest_of_hint(&self, next: &State) -> Option<(Choice, Vec<(usize, Trace)>)> {
        let mut hint = self.hint.clone().filter(|_| self.looked_at.is_none())?;
        let played = next.last.as_ref().filter(|last| Some(last.seat) == next.to_move)?.actions.last()?;
        if next.ply != self.state.ply + 1 || hint.actions.first() != Some(played) || hint.actions.len() < 2 {
            return None;
        }
        hint.actions.remove(0);
        hint.pv.drain(..1.min(hint.pv.len()));
        let later =
            self.hint_traces.iter().filter_map(|(action, trace)| Some((action.checked_sub(1)?, *trace)));
        Some((hint, later.collect()))
    }

    /// Whether a person at this window has played a part of a turn.
    pub fn is_in_own_turn(&self) -> bool {
        let last = self.state.last.as_ref().filter(|_| self.is_ours_to_move());
        last.is_some_and(|last| Some(last.seat) == self.state.to_move)
    }

    /// Whether a seat is played at this window.
    pub fn is_ours(&self, seat: Seat) -> bool {
        match self.state.seats[seat] {
            Player::Client { claimed: false, .. } => {
                self.is_maker && self.learner.is_none_or(|learner| learner == seat)
            }
            Player::Client { claimed: true, .. } => self.claimed[seat],
            _ => false,
        }
    }

    /// Whether the engine is going to move by itself.
    pub fn is_computer_to_move(&self) -> bool {
        let is_computer = |seat: Seat| !matches!(self.state.seats[seat], Player::Client { .. });
        !self.state.held && self.state.outcome.is_none() && self.state.to_move.is_some_and(is_computer)
    }

    /// Whether a person at another window is to move.
    pub fn is_other_person_to_move(&self) -> bool {
        let is_person = |seat: Seat| matches!(self.state.seats[seat], Player::Client { .. });
        self.state.to_move.is_some_and(|seat| is_person(seat) && !self.is_ours(seat))
    }

    /// Whether this window can only look on.
    pub fn is_watched(&self) -> bool {
        !self.is_maker && !Seat::BOTH.into_iter().any(|seat| self.is_ours(seat))
    }

    /// What another player asks this window to agree to.
    pub fn asked_of_us(&self) -> Option<&Wanted> {
        self.state.wanted.as_ref().filter(|wanted| !self.is_ours_to_want(wanted) && !self.is_watched())
    }

    /// What this window has asked another player to agree to.
    pub fn asked_by_us(&self) -> Option<&Wanted> {
        self.state.wanted.as_ref().filter(|wanted| self.is_ours_to_want(wanted))
    }

    /// What is asked for, in a sentence.
    pub fn request(&self, wanted: &Wanted) -> String {
        let who = wanted.by.map_or("Whoever opened the table".into(), |seat| self.name(seat));
        let what = match (wanted.method, wanted.actions) {
            (Direction::Undo, 1) => "take back the last action".into(),
            (Direction::Undo, actions) => format!("take back the last {actions} actions"),
            (Direction::Redo, 1) => "play the next action again".into(),
            (Direction::Redo, actions) => format!("play the next {actions} actions again"),
            (Direction::Goto, _) => "go to another position of the game".into(),
        };
        format!("{who} asks to {what}.")
    }

    /// Who opened the table may ask without a seat of its own.
    fn is_ours_to_want(&self, wanted: &Wanted) -> bool {
        wanted.by.map_or(self.is_maker, |seat| self.is_ours(seat))
    }

    /// Whether this window may say who plays a seat.
    pub fn may_change(&self, seat: Seat) -> bool {
        let is_of_a_client = matches!(self.state.seats[seat], Player::Client { .. });
        self.is_maker || self.is_ours(seat) || (!is_of_a_client && !self.is_watched())
    }

    /// The seats at the table of somebody else that this window could take.
    pub fn free_seats(&self) -> Vec<Seat> {
        let is_free = |&seat: &Seat| !self.is_maker && is_free(&self.state.seats[seat]);
        Seat::BOTH.into_iter().filter(is_free).collect()
    }

    /// Where the person sits: at the only seat that is played here, those left open apart; else at
    /// the first.
    pub fn own_seat(&self) -> Seat {
        let seats = |kept_open: bool| -> Vec<Seat> {
            let is_wanted =
                |&seat: &Seat| self.is_ours(seat) && (kept_open || !is_free(&self.state.seats[seat]));
            Seat::BOTH.into_iter().filter(is_wanted).collect()
        };
        match (seats(false).as_slice(), seats(true).as_slice()) {
            ([only], _) | ([], [only]) => *only,
            _ => Seat::One,
        }
    }

    /// The seat that the person would resign for: the one to move, or else the own one.
    pub fn resigning(&self) -> Option<Seat> {
        let ours = |seat: &Seat| self.is_ours(*seat);
        self.state.to_move.filter(ours).or_else(|| Some(self.own_seat()).filter(ours))
    }

    /// Whether computers play each other here, and this window sets the pace.
    pub fn is_paced(&self) -> bool {
        self.is_computer_only() && !self.is_watched() && self.state.outcome.is_none()
    }

    /// Whether nobody but the engine's own players and bots sits there.
    pub fn is_computer_only(&self) -> bool {
        !Seat::BOTH.into_iter().any(|seat| matches!(self.state.seats[seat], Player::Client { .. }))
    }

    /// What a seat is called: its side where it has one.
    pub fn name(&self, seat: Seat) -> String {
        match &self.state.sides[seat] {
            Some(side) => capitalised(side),
            None => format!("Seat {seat}"),
        }
    }

    /// The game in a few words, for a list of games.
    pub fn title(&self) -> String {
        let player = |seat: Seat| match &self.state.seats[seat] {
            Player::Client { .. } => "person",
            Player::Ai { level, .. } => level,
            Player::Bot { name, .. } => name,
        };
        let turns = match self.state.turn {
            1 => "1 turn".to_string(),
            turns => format!("{turns} turns"),
        };
        let ending =
            self.state.outcome.as_ref().map(|ending| format!(". {}", ending.text)).unwrap_or_default();
        format!("{} against {}, {turns}{ending}", player(Seat::One), player(Seat::Two))
    }
}

/// Seat 1's chance, from what a search says for the seat that it thought for.
pub fn chance_of_first(score: &Score, seat: Seat) -> f64 {
    match seat {
        Seat::One => score.win,
        Seat::Two => 1.0 - score.win,
    }
}

/// Whether anybody may take a seat.
pub fn is_free(player: &Player) -> bool {
    *player == Player::Client { open: true, claimed: false }
}

fn winning_cells(event: &Event) -> Vec<Cell> {
    match &event.what {
        Happening::Line { cells, .. } | Happening::Island { cells, .. } => {
            cells.iter().filter_map(|cell| cell.parse().ok()).collect()
        }
        _ => Vec::new(),
    }
}

fn is_claimed(player: &Player) -> bool {
    matches!(player, Player::Client { claimed: true, .. })
}
