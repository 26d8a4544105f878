//! A batch that was looked through: what every result is about, within the limits that there are.

use tabuleiro_protocol::message::text;
use tabuleiro_protocol::method::{Ask, AskSearch, Batch, BatchPosition};
use tabuleiro_protocol::{ErrorObject, Limits};

use super::{MAX_EARLY, MAX_WHOLE};
use crate::random::fresh_seed;
use crate::search::{self, Cost, Level, SearchRequest};
use crate::server::parser::Parser;
use crate::server::together::most_threads;
use crate::server::wire_error;
use crate::table::level_by_id;

/// How many results a batch may have.
pub(in crate::server) const MAX_RESULTS: usize = 100_000;

/// How many random games, of all its positions together.
pub(in crate::server) const MAX_PLAYOUTS: u64 = 10_000_000;

/// How many nodes, of all its searches together.
pub(in crate::server) const MAX_NODES: u64 = 10_000_000_000;

/// Cheap results are worked out in portions of at most so many.
const MAX_PORTION: usize = 64;

/// A batch that was looked through and can be worked out.
pub(in crate::server) struct Plan {
    pub(super) batch: Batch,
    /// The search that is asked for, but for its seed.
    pub(super) search: Option<SearchRequest>,
    /// The seed of the batch.
    pub(super) seed: u64,
    /// What every result is about.
    pub(super) subjects: Vec<Subject>,
}

/// One of the positions, when so many of its actions were played.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub(super) position: usize,
    pub(super) ply: usize,
}

/// The actions that lead to a position, by their spelling or by their codes.
#[derive(Clone, Copy)]
pub(super) enum Way<'a> {
    Texts(&'a [String]),
    Codes(&'a [Vec<u32>]),
}

impl<'a> Way<'a> {
    /// Should a position have both, the codes are not looked at.
    pub(super) fn of(position: &'a BatchPosition) -> Way<'a> {
        match (&position.played, &position.codes) {
            (None, Some(codes)) => Way::Codes(codes),
            (played, _) => Way::Texts(played.as_deref().unwrap_or_default()),
        }
    }

    pub(super) fn len(self) -> usize {
        match self {
            Way::Texts(texts) => texts.len(),
            Way::Codes(codes) => codes.len(),
        }
    }

    /// The first so many of them.
    pub(super) fn first(self, count: usize) -> Way<'a> {
        match self {
            Way::Texts(texts) => Way::Texts(&texts[..count]),
            Way::Codes(codes) => Way::Codes(&codes[..count]),
        }
    }

    /// How many actions two ways begin with alike.
    pub(super) fn common(self, other: Way<'_>) -> usize {
        match (self, other) {
            (Way::Texts(one), Way::Texts(other)) => common(one, other),
            (Way::Codes(one), Way::Codes(other)) => common(one, other),
            _ => 0,
        }
    }
}

fn common<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    if std::ptr::eq(one.as_ptr(), other.as_ptr()) {
        return one.len().min(other.len());
    }
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

impl Plan {
    pub(in crate::server) fn new(batch: Batch, default_level: Level) -> Result<Plan, ErrorObject> {
        let mut subjects = Vec::new();
        for (index, position) in batch.positions.iter().enumerate() {
            if position.game.is_none() && batch.game.is_none() {
                let field = format!("positions[{index}].game");
                return Err(ErrorObject::params(&field, "is missing: say it here or for all positions"));
            }
            let last = Way::of(position).len();
            let every = position.every.or(batch.every).unwrap_or(false);
            let first = if every { 0 } else { last };
            subjects.extend((first..=last).map(|ply| Subject { position: index, ply }));
            if subjects.len() > MAX_RESULTS {
                let message = format!("a batch may have {MAX_RESULTS} results: send this one in parts");
                return Err(wire_error::limit(message));
            }
        }
        let Ask { search, playouts, .. } = &batch.ask;
        let search = search.as_ref().map(|search| search_request(search, default_level)).transpose()?;
        let nodes = search.as_ref().and_then(|search| search.limits.nodes);
        for (what, each, most) in [("playouts", *playouts, MAX_PLAYOUTS), ("nodes", nodes, MAX_NODES)] {
            let all = each.unwrap_or(0).saturating_mul(subjects.len() as u64);
            if all > most {
                let message =
                    format!("a batch may ask for {most} {what} in all, and this one asks for {all}");
                return Err(wire_error::limit(message));
            }
        }
        let seed = batch.seed.unwrap_or_else(fresh_seed);
        Ok(Plan { batch, search, seed, subjects })
    }

    /// What it is kept as while it waits in line: it takes many times as much when it is read.
    pub(in crate::server) fn into_text(self) -> Box<str> {
        text(&self.batch).into()
    }

    pub(in crate::server) fn from_text(
        text: Box<str>,
        default_level: Level,
        parser: &Parser,
    ) -> Result<Plan, ErrorObject> {
        let batch = parser.run(move || serde_json::from_str(&text)).map_err(|error| {
            tracing::error!("a batch that was read once cannot be read again: {error}");
            wire_error::internal()
        })?;
        Plan::new(batch, default_level)
    }

    pub(super) fn position(&self, subject: Subject) -> &BatchPosition {
        &self.batch.positions[subject.position]
    }

    /// The seed of the searches and playouts of a result.
    pub(super) fn seed_of(&self, index: usize) -> u64 {
        let own = self.position(self.subjects[index]).seed;
        own.unwrap_or_else(|| self.seed.wrapping_add(index as u64))
    }

    /// How many results are worked out at a time: few of what takes long, so that all cores have
    /// something to do until the end.
    pub(super) fn portion(&self, threads: usize) -> usize {
        match &self.batch.ask {
            Ask { search: None, playouts: None, .. } => {
                (self.subjects.len() / (16 * threads)).clamp(1, MAX_PORTION)
            }
            _ => 1,
        }
    }

    /// What it takes as long as nobody helps. However short its results are, there are many.
    pub(in crate::server) fn cost(&self) -> Cost {
        // The results as they are found and once more as a line.
        let results = if self.batch.stream { MAX_EARLY } else { 2 * MAX_WHOLE };
        Cost { brief: false, memory: self.memory() + results }
    }

    /// How many bytes one thread takes.
    pub(super) fn memory(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search::memory(search.level, search.limits.nodes))
    }

    pub(super) fn threads(&self) -> usize {
        most_threads(self.batch.threads)
    }
}

fn search_request(ask: &AskSearch, default_level: Level) -> Result<SearchRequest, ErrorObject> {
    let level =
        ask.level.as_deref().map_or(Ok(default_level), |level| level_by_id(level, "ask.search.level"))?;
    // The other cores have positions of their own.
    let limits = Limits { threads: Some(1), ..ask.limits.clone().unwrap_or_default() };
    Ok(SearchRequest { level, limits, seed: 0, multi_pv: ask.lines.unwrap_or(1) })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn plan(batch: Value) -> Result<Plan, ErrorObject> {
        Plan::new(serde_json::from_value(batch).expect("a batch"), Level::Novice)
    }

    fn of_positions(count: usize, ask: Value) -> Result<Plan, ErrorObject> {
        plan(json!({"game": "zurero", "positions": vec![json!({}); count], "ask": ask, "seed": 7}))
    }

    #[test]
    fn a_batch_may_be_just_so_large() {
        assert!(of_positions(MAX_RESULTS, json!({})).is_ok());
        let refused = of_positions(MAX_RESULTS + 1, json!({})).err().expect("too many results");
        assert_eq!(refused.message, "a batch may have 100000 results: send this one in parts");
        for (what, most) in [("playouts", MAX_PLAYOUTS), ("nodes", MAX_NODES)] {
            let ask = |each: u64| match what {
                "playouts" => json!({"playouts": each}),
                _ => json!({"search": {"limits": {"nodes": each}}}),
            };
            assert!(of_positions(2, ask(most / 2)).is_ok());
            let refused = of_positions(2, ask(most / 2 + 1)).err().expect("too much work");
            assert!(refused.message.contains(&format!("{most} {what} in all")), "{}", refused.message);
        }
    }

    #[test]
    fn what_is_cheap_is_worked_out_in_portions_of_which_there_are_enough_for_all_threads() {
        let cheap = |count| of_positions(count, json!({"legal": true})).expect("a plan");
        assert_eq!([1, 31, 32, 33].map(|count| cheap(count).portion(1)), [1, 1, 2, 2]);
        assert_eq!([1, 63, 64].map(|count| cheap(count).portion(2)), [1, 1, 2]);
        assert_eq!(cheap(MAX_RESULTS).portion(2), MAX_PORTION);
        for ask in [json!({"playouts": 1}), json!({"search": {"limits": {"nodes": 1}}})] {
            assert_eq!(of_positions(1000, ask).expect("a plan").portion(1), 1);
        }
    }

    #[test]
    fn every_result_has_the_seed_of_its_place_or_of_its_position() {
        let given =
            json!({"game": "zurero", "positions": [{}, {"seed": 3}, {}], "ask": {}, "seed": u64::MAX});
        let plan = plan(given).expect("a plan");
        assert_eq!([0, 1, 2].map(|index| plan.seed_of(index)), [u64::MAX, 3, 1]);
    }

    #[test]
    fn it_takes_the_memory_of_its_results_and_of_its_searches() {
        let whole = of_positions(1, json!({})).expect("a plan");
        assert_eq!((whole.memory(), whole.cost().memory), (0, 2 * MAX_WHOLE));
        let search = of_positions(1, json!({"search": {"level": "master", "limits": {"nodes": 1 << 20}}}));
        let search = search.expect("a plan");
        assert_eq!(search.memory(), search::memory(Level::Master, Some(1 << 20)));
        assert_eq!(search.cost().memory, search.memory() + 2 * MAX_WHOLE);
        let streamed = plan(json!({"game": "zurero", "positions": [], "ask": {}, "stream": true}));
        assert_eq!(streamed.expect("a plan").cost().memory, MAX_EARLY);
    }

    #[test]
    fn ways_are_alike_as_far_as_they_begin_with_the_same() {
        let texts = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let (one, other) = (texts(&["a", "b", "c"]), texts(&["a", "b", "d", "e"]));
        let codes = vec![vec![1], vec![2]];
        assert_eq!(Way::Texts(&one).common(Way::Texts(&other)), 2);
        assert_eq!(Way::Texts(&one).common(Way::Texts(&one).first(1)), 1);
        assert_eq!(Way::Codes(&codes).common(Way::Codes(&[vec![1], vec![3]])), 1);
        assert_eq!(Way::Codes(&codes).common(Way::Texts(&one)), 0);
        assert_eq!((Way::Codes(&codes).len(), Way::Texts(&other).first(3).len()), (2, 3));
    }
}
