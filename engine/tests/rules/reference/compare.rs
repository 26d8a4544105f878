//! The engine's games beside the plain ones, step by step.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use tabuleiro_engine::game::{Describe, GameOptions};
use tabuleiro_engine::random::Random;
use tabuleiro_engine::testing;
use tabuleiro_protocol::{Outcome, Start};

use super::{Reference, Restated, Whim};

/// Some games to compare.
pub(crate) struct Trial {
    pub(crate) options: Value,
    /// So many games from the start, and so many from odd positions.
    pub(crate) games: [u64; 2],
    /// After so many actions a game is left unfinished.
    pub(crate) most: usize,
}

/// What was compared.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) games: usize,
    pub(crate) steps: usize,
    pub(crate) reads: usize,
    pub(crate) reasons: BTreeMap<String, usize>,
}

/// Plays all the trials; every reason for which a game can end must come up in them.
pub(crate) fn compare<G: Restated>(trials: Vec<Trial>) {
    let mut tally = Tally::default();
    for trial in &trials {
        let options = testing::options::<G>(&trial.options);
        for seed in 0..trial.games[0] {
            let start = Start { rows: G::start(&options, seed).rows(), ..Start::default() };
            // Whatever the game draws by lot it draws by itself; all the rest must be the start of
            // the rules.
            let expected = G::Plain::beginning(options.values(), &mut Random::new(seed));
            let start = Start { to_move: expected.to_move, ..start };
            let mut pair = Pair::<G, G::Plain>::new(&options, start, seed);
            pair.fast = G::start(&options, seed);
            pair.play(trial.most, &mut tally);
        }
        for seed in 0..trial.games[1] {
            let start = G::Plain::odd_position(options.values(), &mut Random::new(seed));
            Pair::<G, G::Plain>::new(&options, start, seed).play(trial.most, &mut tally);
        }
    }
    println!("{}: {tally:?}", G::ID);
    for reason in G::Plain::REASONS {
        assert!(tally.reasons.contains_key(*reason), "no game ended by {reason}: {:?}", tally.reasons);
    }
}

/// One game, played twice.
struct Pair<'a, G, R> {
    options: &'a GameOptions,
    start: Start,
    played: Vec<String>,
    fast: G,
    plain: R,
    whim: Whim<R>,
    /// How often the whim decides, in a hundred choices.
    devotion: u32,
    random: Random,
    boards: HashSet<Vec<String>>,
}

impl<'a, G: Describe, R: Reference> Pair<'a, G, R> {
    fn new(options: &'a GameOptions, start: Start, seed: u64) -> Self {
        let fast = set_up::<G>(options, &start);
        let plain = R::set_up(options.values(), &start);
        let mut whims = R::whims();
        let whim = whims.swap_remove(seed as usize % whims.len());
        let mut random = Random::new(seed);
        let devotion = random.pick(&[60, 85, 100]).expect("one of three");
        Pair {
            options,
            start,
            played: Vec::new(),
            fast,
            plain,
            whim,
            devotion,
            random,
            boards: HashSet::new(),
        }
    }

    fn play(&mut self, most: usize, tally: &mut Tally) {
        tally.games += 1;
        for _ in 0..most {
            let legal = self.compare();
            tally.steps += 1;
            if self.random.below(if legal.is_empty() { 10 } else { 80 }) == 0 {
                tally.reads += self.compare_reading(&legal);
            }
            if legal.is_empty() {
                let outcome = self.plain.outcome().expect("over, since nothing is legal");
                *tally.reasons.entry(outcome.reason).or_default() += 1;
                return;
            }
            if self.random.below(20) == 0 {
                self.compare_set_up();
            }
            let chosen =
                choose(&self.plain, &legal, (&self.whim, self.devotion), &self.boards, &mut self.random);
            self.boards.insert(self.plain.rows());
            self.plain.play(&chosen);
            let Ok(action) = self.fast.read(&chosen) else { self.fail(&format!("{chosen} was refused")) };
            self.fast.play(action);
            self.played.push(chosen);
        }
    }

    /// Everything that can be seen of the two. Gives the legal actions.
    fn compare(&self) -> Vec<String> {
        match difference(&self.fast, &self.plain) {
            Ok(legal) => legal,
            Err(what) => self.fail(&what),
        }
    }

    /// Of all that could be written down, and of legal actions with something wrong about them,
    /// exactly the legal ones are read.
    fn compare_reading(&mut self, legal: &[String]) -> usize {
        let mut texts: Vec<String> = self.plain.every_action().keys().cloned().collect();
        let originals = if legal.is_empty() { texts.clone() } else { legal.to_vec() };
        for _ in 0..100 {
            let original = &originals[self.random.below(originals.len() as u32) as usize];
            texts.push(spoil(original, &mut self.random));
        }
        let by_lower_case: BTreeMap<String, &String> =
            legal.iter().map(|text| (text.to_ascii_lowercase(), text)).collect();
        for text in &texts {
            let expected = by_lower_case.get(&text.to_ascii_lowercase()).copied();
            let read = self.fast.read(text).ok().map(|action| self.fast.write(action));
            if read.as_ref() != expected {
                self.fail(&format!("{text:?} was read as {read:?}; by the rules it is {expected:?}"));
            }
        }
        texts.len()
    }

    /// The position as it stands, set up anew.
    fn compare_set_up(&self) {
        let Some(start) = self.plain.as_start() else { return };
        let fast = match G::set_up(self.options, &start) {
            Ok(fast) => fast,
            Err(error) => self.fail(&format!("{start:?} was refused: {error}")),
        };
        let plain = R::set_up(self.options.values(), &start);
        if let Err(what) = difference(&fast, &plain) {
            self.fail(&format!("set up from {start:?}: {what}"));
        }
    }

    fn fail(&self, what: &str) -> ! {
        panic!(
            "{}: {what}\noptions {:?}\nfrom {}\nplayed {:?}\nnow, by the rules:\n{}",
            G::ID,
            self.options.values(),
            serde_json::to_string_pretty(&self.start).expect("JSON"),
            self.played,
            self.plain.rows().join("\n"),
        )
    }
}

pub(crate) fn choose<R: Reference>(
    game: &R,
    legal: &[String],
    (whim, devotion): (&Whim<R>, u32),
    boards: &HashSet<Vec<String>>,
    random: &mut Random,
) -> String {
    let mut liked: Vec<&String> = Vec::new();
    if random.below(100) < devotion {
        match whim {
            Whim::None => {}
            Whim::Likes(likes) => liked.extend(legal.iter().filter(|text| likes(game, text))),
            Whim::Homesick => {
                // Not all of them: it takes long.
                for _ in 0..10 {
                    let text = &legal[random.below(legal.len() as u32) as usize];
                    let mut after = game.clone();
                    after.play(text);
                    if boards.contains(&after.rows()) {
                        liked.push(text);
                    }
                }
            }
        }
    }
    let among = if liked.is_empty() { legal.iter().collect() } else { liked };
    among[random.below(among.len() as u32) as usize].clone()
}

fn set_up<G: Describe>(options: &GameOptions, start: &Start) -> G {
    let refused = |error| panic!("{} refused {start:?} with {:?}: {error}", G::ID, options.values());
    G::set_up(options, start).unwrap_or_else(refused)
}

/// The legal actions if both are the same in everything, or where they differ.
fn difference<G: Describe, R: Reference>(fast: &G, plain: &R) -> Result<Vec<String>, String> {
    fn same<T: PartialEq + std::fmt::Debug>(what: &str, fast: T, plain: T) -> Result<(), String> {
        if fast == plain { Ok(()) } else { Err(format!("{what}: {fast:?}; by the rules {plain:?}")) }
    }
    same("rows", fast.rows(), plain.rows())?;
    same("outcome", fast.outcome().map(Outcome::from), plain.outcome())?;
    let to_move = fast.outcome().is_none().then(|| fast.to_move());
    same("to_move", to_move, plain.to_move())?;
    same("phase", fast.phase(), plain.phase())?;
    same("sides", fast.sides(), plain.sides())?;
    same("counters", fast.counters(), plain.counters())?;
    let (by_fast, legal) = (testing::legal(fast), plain.legal());
    if by_fast != legal {
        let too_many: Vec<&String> = by_fast.iter().filter(|text| !legal.contains(text)).collect();
        let missing: Vec<&String> = legal.iter().filter(|text| !by_fast.contains(text)).collect();
        return Err(format!("legal: not allowed by the rules {too_many:?}, missing {missing:?}"));
    }
    Ok(legal)
}

/// An action with something wrong about its spelling, its cells or its case; now and then it is
/// still right.
fn spoil(text: &str, random: &mut Random) -> String {
    const SIGNS: &[u8] = b"abcdefghijklmnopqrstuvwxyzLD0123456789@-~/+*,.<> ";
    let mut signs: Vec<char> = text.chars().collect();
    let place = random.below(signs.len() as u32) as usize;
    let sign = char::from(SIGNS[random.below(SIGNS.len() as u32) as usize]);
    match random.below(9) {
        0 => return text.to_uppercase(),
        1 => drop(signs.remove(place)),
        2 => signs.insert(place, sign),
        3 => signs.insert(place, signs[place]),
        4 => signs.push(sign),
        5 => {
            let other = random.below(signs.len() as u32) as usize;
            signs.swap(place, other);
        }
        6 => {
            // The list the other way round.
            let (head, list) = text.split_at(text.find(['/', '+', '*', '-', '~']).map_or(0, |at| at + 1));
            let list: Vec<&str> = list.split(',').rev().collect();
            return format!("{head}{}", list.join(","));
        }
        7 => {
            return format!(
                "{text},{}",
                text.split([',', '/', '+', '*', '-']).next_back().unwrap_or_default()
            );
        }
        _ => signs[place] = sign,
    }
    signs.into_iter().collect()
}
