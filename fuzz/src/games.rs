//! The rules of a game, and a session of it.
//!
//! Boards in words and lists of actions take most of the time. They are looked at in some of the
//! positions, whichever they are. That what is played can be taken back is looked at in every one.

use std::fmt::Debug;

use tabuleiro_engine::game::Describe;
use tabuleiro_engine::random::Random;
use tabuleiro_engine::search::Evaluate;
use tabuleiro_engine::session::Session;
use tabuleiro_engine::testing::{action_holds, legal, position_holds};

use crate::bytes::Decisions;
use crate::damage::misspelt;

/// Every legal action is accepted and can be taken back, and whatever else is tried is refused and
/// changes nothing: in a game whose options, actions and mistakes come from the bytes. One time out of
/// four it begins with some random actions that nothing is asked about, so that few bytes come far.
pub fn legal_is_accepted_and_undone<G: Describe + Evaluate>(bytes: &[u8]) {
    let mut decisions = Decisions::new(bytes);
    let options = decisions.options(&G::options());
    let seed = u64::from(decisions.byte());
    let mut line = Line {
        session: Session::open::<G>(options.clone(), seed, None).expect("a game has a start"),
        played: vec![G::start(&options, seed)],
        undone: Vec::new(),
    };
    if decisions.one_in(4) {
        let count = decisions.byte();
        line.run_up(count.into(), seed);
    }
    while !decisions.is_at_end() {
        match decisions.below(16) {
            0 => line.undo(&mut decisions),
            1 => line.redo(),
            2 => line.try_word(&mut decisions),
            3 => line.try_code(&mut decisions),
            4 => line.try_several(&mut decisions),
            _ => line.play(&mut decisions),
        }
        line.counts_hold();
        if is_chosen(line.now(), 8) {
            line.holds();
        }
    }
    line.holds();
    if is_chosen(line.now(), 4) {
        position_holds(line.now());
        assert_eq!(line.session.position().actions(), legal(line.now()));
    }
}

/// Whether this position is one of those, one out of so many, in which it is looked at everything.
/// The lowest bits have been asked for by others.
pub(crate) fn is_chosen<G: Describe>(game: &G, one_in: u64) -> bool {
    (game.hash() >> 32).is_multiple_of(one_in)
}

/// The position after a legal action, which can be taken back.
pub(crate) fn after<G: Describe>(game: &G, action: G::Action) -> G {
    if is_chosen(game, 8) {
        return action_holds(game, action);
    }
    let mut after = game.clone();
    let undo = after.play(action);
    assert_eq!(after.hash(), after.hash_from_scratch(), "{action:?} in\n{game:?}");
    let mut back = after.clone();
    back.undo(action, undo);
    assert_eq!(back, *game, "{action:?} played and undone");
    after
}

/// A game as the engine keeps it, and the same once more: as all the positions that there were.
#[derive(Debug)]
struct Line<G> {
    session: Session,
    /// The last one is the position now; there is always one.
    played: Vec<G>,
    /// The next one comes last.
    undone: Vec<G>,
}

impl<G: Describe + Evaluate> Line<G> {
    fn now(&self) -> &G {
        self.played.last().expect("there is always a position")
    }

    /// Plays so many random actions, if the game is not over before.
    fn run_up(&mut self, count: usize, seed: u64) {
        let (mut random, mut scratch) = (Random::new(seed), Vec::new());
        for _ in 0..count {
            let mut game = self.now().clone();
            let Some(action) = game.random_action(&mut random, &mut scratch) else { break };
            self.session.play_unseen(&game.write(action)).expect("a legal action");
            game.play(action);
            self.played.push(game);
        }
    }

    /// Both are the same, as far as can be told without words.
    fn counts_hold(&self) {
        let (position, game) = (self.session.position(), self.now());
        assert_eq!(position.outcome(), game.outcome());
        assert_eq!(position.to_move(), game.outcome().is_none().then(|| game.to_move()));
        let history = self.session.history();
        assert_eq!((history.ply(), history.undone_count()), (self.played.len() - 1, self.undone.len()));
    }

    /// Both are the same.
    fn holds(&self) {
        self.counts_hold();
        let (position, game) = (self.session.position(), self.now());
        let snapshot = position.snapshot();
        assert_eq!((snapshot.rows, snapshot.counters), (game.rows(), game.counters()));
    }

    fn play(&mut self, decisions: &mut Decisions<'_>) {
        let mut actions = Vec::new();
        self.now().actions(&mut actions);
        if actions.is_empty() {
            return self.undo(decisions);
        }
        let action = *decisions.pick(&actions);
        let (text, after) = (self.now().write(action), after(self.now(), action));
        let events = self.session.play(&text).unwrap_or_else(|error| panic!("{error}\n{:?}", self.now()));
        assert!(!events.is_empty(), "nothing happens when {text} is played");
        self.played.push(after);
        self.undone.clear();
    }

    fn undo(&mut self, decisions: &mut Decisions<'_>) {
        let count = decisions.below(self.played.len());
        self.session.undo(count);
        let left = self.played.len() - count;
        self.undone.extend(self.played.drain(left..).rev());
    }

    fn redo(&mut self) {
        assert_eq!(self.session.redo(), !self.undone.is_empty());
        self.played.extend(self.undone.pop());
    }

    /// A word that may be an action, or was one before, or nearly is one.
    fn word(&self, decisions: &mut Decisions<'_>) -> String {
        let of = &self.played[decisions.below(self.played.len())];
        let mut actions = Vec::new();
        of.actions(&mut actions);
        match decisions.below(4) {
            0 => decisions.text(12),
            _ if actions.is_empty() => decisions.text(12),
            1 => of.write(*decisions.pick(&actions)),
            _ => misspelt(&of.write(*decisions.pick(&actions)), decisions),
        }
    }

    fn try_word(&mut self, decisions: &mut Decisions<'_>) {
        let word = self.word(decisions);
        let mut actions = Vec::new();
        self.now().actions(&mut actions);
        let read = self.now().read(&word);
        let before = self.session.history().clone();
        match read {
            Ok(action) => {
                assert!(actions.contains(&action), "{word:?} is no legal action\n{:?}", self.now());
                self.now().comment(&word);
                self.session.play_unseen(&word).expect("it is legal");
                let mut after = self.now().clone();
                after.play(action);
                self.played.push(after);
                self.undone.clear();
            }
            Err(refusal) => {
                assert!(!refusal.to_string().is_empty(), "{word:?} is refused without a word");
                refused(self.session.play(&word), &word);
                refused(self.session.play_unseen(&word), &word);
                assert_eq!(*self.session.history(), before);
            }
        }
    }

    fn try_code(&mut self, decisions: &mut Decisions<'_>) {
        let code: Vec<u32> = (0..decisions.below(4)).map(|_| decisions.below(1 << 12) as u32).collect();
        let meant = self.now().encoding().and_then(|encoding| encoding.decode(&code));
        let mut actions = Vec::new();
        self.now().actions(&mut actions);
        match meant.filter(|action| actions.contains(action)) {
            Some(action) => {
                self.session.play_code(&code).expect("the code of a legal action");
                let after = after(self.now(), action);
                self.played.push(after);
                self.undone.clear();
            }
            None => refused(self.session.play_code(&code), &code),
        }
    }

    /// A legal action and then a word that mostly is none: both are played, or neither.
    fn try_several(&mut self, decisions: &mut Decisions<'_>) {
        let mut actions = Vec::new();
        self.now().actions(&mut actions);
        if actions.is_empty() {
            return;
        }
        let first = *decisions.pick(&actions);
        let second = self.word(decisions);
        let mut after = vec![self.now().clone()];
        after[0].play(first);
        if let (Ok(action), None) = (after[0].read(&second), after[0].outcome()) {
            let mut last = after[0].clone();
            last.play(action);
            after.push(last);
        }
        let both = [self.now().write(first), second];
        let before = self.session.history().clone();
        if after.len() == both.len() {
            self.session.play_all(&both).expect("both are legal");
            self.played.extend(after);
            self.undone.clear();
        } else {
            let error = self.session.play_all(&both).expect_err("the second one is not legal");
            assert_eq!(error.index, 1, "{error}");
            assert_eq!(*self.session.history(), before);
        }
    }
}

fn refused<T, E: ToString>(tried: Result<T, E>, what: &(impl Debug + ?Sized)) {
    match tried {
        Ok(_) => panic!("{what:?} was played, and is not legal"),
        Err(error) => assert!(!error.to_string().is_empty(), "{what:?} is refused without a word"),
    }
}
