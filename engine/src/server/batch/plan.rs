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
