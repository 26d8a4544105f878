//! `batch`: the same questions about many positions, worked out on all cores and told in order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tabuleiro_protocol::message::response;
use tabuleiro_protocol::method::{Ask, AskSearch, Batch, BatchPosition, BatchResult, Batched, Found};
use tabuleiro_protocol::notice::StreamedResult;
use tabuleiro_protocol::{ErrorObject, Limits, PerSeat, Player, Seat};

use super::client::{line, notice_line};
use super::jobs::Job;
use super::wire_error;
use crate::catalog::Catalog;
use crate::random::fresh_seed;
use crate::search::{Control, Level, SearchRequest};
use crate::session::{PlayError, Session};
use crate::table::{Table, check_limits, level_by_id};

/// How many results a batch may have.
const MAX_RESULTS: usize = 100_000;

/// How many random games, of all its positions together.
const MAX_PLAYOUTS: u64 = 10_000_000;

/// How many nodes, of all its searches together.
const MAX_NODES: u64 = 10_000_000_000;

/// How long the results of a response may be, in bytes. Longer ones have to be streamed.
const MAX_WHOLE: usize = 32 << 20;

/// How many bytes of results may wait for an earlier one that takes longer.
const MAX_EARLY: usize = 8 << 20;

/// Cheap results are worked out in portions of at most so many.
const MAX_PORTION: usize = 64;

/// Who waits for others looks this often whether it was told to stop.
const SOON: Duration = Duration::from_millis(5);

/// A batch that was looked through and can be worked out.
pub(super) struct Plan {
    batch: Batch,
    /// The search that is asked for, but for its seed.
    search: Option<SearchRequest>,
    /// The seed of the batch.
    seed: u64,
    /// What every result is about.
    subjects: Vec<Subject>,
}

/// One of the positions, when so many of its actions were played.
#[derive(Clone, Copy)]
struct Subject {
    position: usize,
    ply: usize,
}

impl Plan {
    pub(super) fn new(batch: Batch, default_level: Level) -> Result<Plan, ErrorObject> {
        let mut subjects = Vec::new();
        for (index, position) in batch.positions.iter().enumerate() {
            if position.game.is_none() && batch.game.is_none() {
                let field = format!("positions[{index}].game");
                return Err(ErrorObject::params(&field, "is missing: say it here or for all positions"));
            }
            let last = position.played.as_ref().map_or(0, Vec::len);
            let every = position.every.or(batch.every).unwrap_or(false);
            let first = if every { 0 } else { last };
            subjects.extend((first..=last).map(|ply| Subject { position: index, ply }));
            if subjects.len() > MAX_RESULTS {
                let message = format!("a batch may have {MAX_RESULTS} results: send this one in parts");
                return Err(wire_error::limit(message));
            }
        }
        let Ask { search, playouts, .. } = &batch.ask;
        if batch.threads == Some(0) {
            return Err(ErrorObject::params("threads", "must be at least 1"));
        }
        if *playouts == Some(0) {
            return Err(ErrorObject::params("ask.playouts", "must be at least 1"));
        }
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

    fn position(&self, subject: Subject) -> &BatchPosition {
        &self.batch.positions[subject.position]
    }

    /// The seed of the searches and playouts of a result.
    fn seed_of(&self, index: usize) -> u64 {
        let own = self.position(self.subjects[index]).seed;
        own.unwrap_or_else(|| self.seed.wrapping_add(index as u64))
    }

    /// How many results are worked out at a time: few of what takes long, so that all cores have
    /// something to do until the end.
    fn portion(&self, threads: usize) -> usize {
        match &self.batch.ask {
            Ask { search: None, playouts: None, .. } => {
                (self.subjects.len() / (16 * threads)).clamp(1, MAX_PORTION)
            }
            _ => 1,
        }
    }

    fn threads(&self) -> usize {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        self.batch.threads.map_or(cores, |wanted| cores.min(wanted as usize))
    }
}

fn search_request(ask: &AskSearch, default_level: Level) -> Result<SearchRequest, ErrorObject> {
    check_limits(ask.limits.as_ref(), "ask.search.limits")?;
    if ask.lines == Some(0) {
        return Err(ErrorObject::params("ask.search.lines", "must be at least 1"));
    }
    let level =
        ask.level.as_deref().map_or(Ok(default_level), |level| level_by_id(level, "ask.search.level"))?;
    // The other cores have positions of their own.
    let limits = Limits { threads: Some(1), ..ask.limits.clone().unwrap_or_default() };
    Ok(SearchRequest { level, limits, seed: 0, multi_pv: ask.lines.unwrap_or(1) })
}

/// Works a batch out and answers it.
pub(super) fn run(catalog: &Catalog, plan: &Plan, job: Job) {
    let began = Instant::now();
    let threads = plan.threads();
    let work = Work {
        catalog,
        plan,
        job: &job,
        portion: plan.portion(threads),
        taken: AtomicUsize::new(0),
        told: Mutex::default(),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn_scoped(scope, || work.take_part());
        }
        work.take_part();
    });
    let Told { text, done, errors, failure, .. } = work.told.into_inner();
    if let Some(failure) = failure {
        let message = match failure {
            Failure::TooLong => wire_error::limit(format!(
                "the results are longer than {MAX_WHOLE} bytes: ask for less at a time, or with \"stream\""
            )),
            Failure::Panic => wire_error::internal(),
        };
        return job.answer(Err::<(), _>(message));
    }
    let summary = Batched {
        results: (!plan.batch.stream).then(Vec::new),
        total: plan.subjects.len(),
        done,
        errors,
        seed: plan.seed,
        time_ms: began.elapsed().as_millis() as u64,
    };
    // A long answer is not put on top of others that wait to be read.
    job.client().wait_unless(&job.stop);
    // The results were written by those who found them. An id cannot contain the place for them:
    // its quotes would be escaped.
    let answer = response(Some(job.id()), Ok(summary)).replacen(
        r#""results":[]"#,
        &format!(r#""results":[{text}]"#),
        1,
    );
    job.answer_with(&line(answer));
}

/// A batch under way.
struct Work<'a> {
    catalog: &'a Catalog,
    plan: &'a Plan,
    job: &'a Job,
    /// How many results are worked out at a time.
    portion: usize,
    /// How many portions were begun.
    taken: AtomicUsize,
    told: Mutex<Told>,
    changed: Condvar,
}

/// What was told to the client, or will be in the response.
#[derive(Default)]
struct Told {
    /// How many portions.
    portions: usize,
    /// The results, with commas between them, unless they are streamed.
    text: String,
    done: usize,
    errors: usize,
    /// What was found before its turn.
    early: BTreeMap<usize, Portion>,
    early_bytes: usize,
    /// One portion was not finished: nothing more is told.
    ended: bool,
    failure: Option<Failure>,
}

/// Neighbouring results, as text.
#[derive(Default)]
struct Portion {
    text: String,
    done: usize,
    errors: usize,
    /// Whether all of them are there.
    whole: bool,
}

/// Why there is no result at all.
#[derive(Clone, Copy)]
enum Failure {
    TooLong,
    Panic,
}

impl Work<'_> {
    /// Works out portions until there are none left or it is told to stop.
    fn take_part(&self) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut board = Board { work: self, loaded: None };
            while self.may_go_on() {
                let number = self.taken.fetch_add(1, Ordering::Relaxed);
                let first = number * self.portion;
                if first >= self.plan.subjects.len() {
                    break;
                }
                let last = (first + self.portion).min(self.plan.subjects.len());
                self.tell(number, board.portion(first..last));
            }
        }));
        if done.is_err() {
            self.fail(&mut self.told.lock(), Failure::Panic);
        }
    }

    fn is_stopped(&self) -> bool {
        self.job.stop.load(Ordering::Relaxed)
    }

    fn fail(&self, told: &mut Told, failure: Failure) {
        told.failure = Some(failure);
        self.job.stop.store(true, Ordering::Relaxed);
    }

    /// Waits while too much has been found that cannot be told yet.
    fn may_go_on(&self) -> bool {
        let mut told = self.told.lock();
        while told.early_bytes > MAX_EARLY && !self.is_stopped() {
            self.changed.wait_for(&mut told, SOON);
        }
        drop(told);
        if self.plan.batch.stream {
            self.job.client().wait_unless(&self.job.stop)
        } else {
            !self.is_stopped()
        }
    }

    /// Tells a portion, and those behind it that are there already; or keeps it until its turn.
    fn tell(&self, number: usize, portion: Portion) {
        let mut told = self.told.lock();
        told.early_bytes += portion.text.len();
        told.early.insert(number, portion);
        loop {
            let next = told.portions;
            if told.ended {
                return;
            }
            let Some(portion) = told.early.remove(&next) else { return };
            told.portions += 1;
            told.early_bytes -= portion.text.len();
            told.done += portion.done;
            told.errors += portion.errors;
            told.ended = !portion.whole;
            self.changed.notify_all();
            if portion.done == 0 {
                continue;
            }
            if self.plan.batch.stream {
                self.job.client().send(&portion.text.into());
                continue;
            }
            if !told.text.is_empty() {
                told.text.push(',');
            }
            told.text.push_str(&portion.text);
            if told.text.len() > MAX_WHOLE {
                return self.fail(&mut told, Failure::TooLong);
            }
        }
    }
}

/// Where one thread goes from position to position.
struct Board<'a> {
    work: &'a Work<'a>,
    loaded: Option<Loaded<'a>>,
}

/// A game, and which of the positions it was played for.
struct Loaded<'a> {
    session: Session,
    position: usize,
    /// What was played.
    played: &'a [String],
}

/// It was told to stop.
struct Stopped;

impl<'a> Board<'a> {
    /// As many results as there are until it is told to stop.
    fn portion(&mut self, indices: std::ops::Range<usize>) -> Portion {
        let mut portion = Portion::default();
        for index in indices {
            let Ok(found) = self.result(index) else { return portion };
            let result = match found {
                Ok(found) => BatchResult::Found(Box::new(found)),
                Err(error) => {
                    portion.errors += 1;
                    BatchResult::Failed { error }
                }
            };
            portion.done += 1;
            if self.work.plan.batch.stream {
                let request = self.work.job.id().clone();
                portion.text.push_str(&notice_line(StreamedResult { request, index, result }));
            } else {
                if !portion.text.is_empty() {
                    portion.text.push(',');
                }
                portion.text.push_str(&serde_json::to_string(&result).unwrap_or_default());
            }
        }
        portion.whole = true;
        portion
    }

    fn result(&mut self, index: usize) -> Result<Result<Found, ErrorObject>, Stopped> {
        let work = self.work;
        if work.is_stopped() {
            return Err(Stopped);
        }
        match self.go_to(work.plan.subjects[index])? {
            Ok(session) => work.found(session, index),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Plays what is left to play, from the last position if the way leads on from there.
    fn go_to(&mut self, subject: Subject) -> Result<Result<&Session, ErrorObject>, Stopped> {
        let Work { plan, catalog, .. } = *self.work;
        let wanted = plan.position(subject);
        let actions = &wanted.played.as_deref().unwrap_or_default()[..subject.ply];
        let loaded = match self.loaded.take() {
            Some(mut loaded) if same_start(plan, loaded.position, subject.position) => {
                let common = common_prefix(loaded.played, actions);
                loaded.session.undo(loaded.played.len() - common);
                Loaded { position: subject.position, played: &actions[..common], ..loaded }
            }
            _ => {
                let game = wanted.game.as_ref().or(plan.batch.game.as_ref()).map_or("", String::as_str);
                let options = wanted.options.as_ref().or(plan.batch.options.as_ref());
                let seed = wanted.seed.or(plan.batch.seed).unwrap_or(0);
                let start = wanted.start.as_ref().or(plan.batch.start.as_ref());
                match catalog.open(game, options, seed, start.cloned()) {
                    Ok(session) => Loaded { session, position: subject.position, played: &[] },
                    Err(error) => return Ok(Err(error.into())),
                }
            }
        };
        let loaded = self.loaded.insert(loaded);
        for (index, action) in actions.iter().enumerate().skip(loaded.played.len()) {
            if self.work.is_stopped() {
                return Err(Stopped);
            }
            if let Err(why) = loaded.session.play_unseen(action) {
                return Ok(Err(PlayError { index, why }.into()));
            }
            loaded.played = &actions[..=index];
        }
        Ok(Ok(&loaded.session))
    }
}

/// Whether two positions begin in the same way.
fn same_start(plan: &Plan, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|position| &plan.batch.positions[position]);
    std::ptr::eq(one, other)
        || one.game == other.game
            && one.options == other.options
            && one.seed == other.seed
            && one.start == other.start
}

/// How many actions two lists begin with alike.
fn common_prefix(one: &[String], other: &[String]) -> usize {
    if std::ptr::eq(one.as_ptr(), other.as_ptr()) {
        return one.len().min(other.len());
    }
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

impl Work<'_> {
    /// What was asked for about a position.
    fn found(&self, session: &Session, index: usize) -> Result<Result<Found, ErrorObject>, Stopped> {
        let Plan { batch, search, .. } = self.plan;
        let position = session.position();
        let to_move = position.to_move();
        let seed = self.plan.seed_of(index);
        let mut found = Found {
            ply: session.history().ply(),
            to_move,
            outcome: position.outcome().map(Into::into),
            legal: batch.ask.legal.then(|| position.actions()),
            state: batch.ask.state.then(|| state(session)).flatten(),
            ..Found::default()
        };
        if batch.ask.codes || batch.ask.planes {
            let numbers = match session.numbers() {
                Ok(numbers) => numbers,
                Err(error) => return Ok(Err(error.into())),
            };
            found.codes = batch.ask.codes.then(|| numbers.codes());
            found.planes = batch.ask.planes.then(|| numbers.planes(to_move.unwrap_or(Seat::One)));
        }
        if to_move.is_none() {
            return Ok(Ok(found));
        }
        found.evaluation = batch.ask.evaluation.then(|| position.evaluation());
        if let Some(search) = search {
            let request = SearchRequest { seed, ..search.clone() };
            found.search = Some(position.choose(&request, &mut Control::until(&self.job.stop)));
        }
        if let Some(count) = batch.ask.playouts {
            found.playouts = Some(position.playouts(count, seed, &self.job.stop).ok_or(Stopped)?);
        }
        // A search that was told to stop would have found more.
        if search.is_some() && self.is_stopped() { Err(Stopped) } else { Ok(Ok(found)) }
    }
}

/// The state of a table with this game at which nobody sits.
fn state(session: &Session) -> Option<tabuleiro_protocol::State> {
    let seats = PerSeat { one: Player::default(), two: Player::default() };
    Table::new(String::new(), session.clone(), seats).ok().map(|table| table.state())
}
