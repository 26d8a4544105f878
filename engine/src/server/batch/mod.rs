//! `batch`: the same questions about many positions, worked out on all cores and told in order.

mod board;
mod plan;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tabuleiro_protocol::message::{response, text};
use tabuleiro_protocol::method::{BatchResult, Batched};
use tabuleiro_protocol::notice::StreamedResult;

use self::board::Board;
pub(super) use self::plan::{MAX_NODES, MAX_PLAYOUTS, MAX_RESULTS, Plan};
use super::client::{line, notice_line};
use super::jobs::Job;
use super::pool::Place;
use super::together::work_together;
use super::wire_error;
use crate::catalog::Catalog;

/// How long the results of a response may be, in bytes. Longer ones have to be streamed.
pub(super) const MAX_WHOLE: usize = 32 << 20;

/// How many bytes of results may wait for an earlier one that takes longer.
const MAX_EARLY: usize = 8 << 20;

/// Who waits for others looks this often whether it was told to stop.
const SOON: Duration = Duration::from_millis(5);

/// Where the results of a response go, before its last sign.
const NO_RESULTS: &str = r#""results":[]"#;

/// Works a batch out and answers it. Other threads help as long as they find a place beside this
/// one's.
pub(super) fn run(catalog: &Catalog, plan: &Plan, job: Job, place: Option<&Place>) {
    let began = Instant::now();
    let most_threads = plan.threads();
    let work = Work {
        catalog,
        plan,
        job: &job,
        portion: plan.portion(most_threads),
        taken: AtomicUsize::new(0),
        told: Mutex::default(),
        changed: Condvar::new(),
    };
    work_together(place, most_threads, plan.memory(), |goes_on| work.take_part(goes_on));
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
    let mut answer = response(Some(job.id()), Ok(summary));
    if let Some(place) = answer.find(NO_RESULTS) {
        answer.insert_str(place + NO_RESULTS.len() - 1, &text);
    }
    drop(text);
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
    /// Nothing more is told: a portion was not finished, or nobody reads.
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
    /// Works out portions until there are none left, it is told to stop, or `goes_on` says no.
    fn take_part(&self, goes_on: impl Fn() -> bool) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let mut board = Board::new(self.catalog, self.plan, &self.job.stop);
            while goes_on() && self.may_go_on() {
                let number = self.taken.fetch_add(1, Ordering::Relaxed);
                let first = number * self.portion;
                if first >= self.plan.subjects.len() {
                    break;
                }
                let last = (first + self.portion).min(self.plan.subjects.len());
                self.tell(number, self.portion(&mut board, first..last));
            }
        }));
        if done.is_err() {
            self.fail(&mut self.told.lock(), Failure::Panic);
        }
    }

    /// As many results as there are until it is told to stop.
    fn portion(&self, board: &mut Board<'_>, indices: Range<usize>) -> Portion {
        let mut portion = Portion::default();
        for index in indices {
            let Ok(result) = board.result(index) else { return portion };
            portion.done += 1;
            portion.errors += usize::from(matches!(result, BatchResult::Failed { .. }));
            if self.plan.batch.stream {
                let request = self.job.id().clone();
                portion.text.push_str(&notice_line(StreamedResult { request, index, result }));
            } else {
                if !portion.text.is_empty() {
                    portion.text.push(',');
                }
                portion.text.push_str(&text(&result));
            }
        }
        portion.whole = true;
        portion
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
        !told.ended && !self.is_stopped()
    }

    /// Tells a portion, and those behind it that are there already; or keeps it until its turn. If
    /// the client does not read, all wait here until it does.
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
            if self.plan.batch.stream && !self.job.client().wait_unless(&self.job.stop) {
                told.ended = true;
                return;
            }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use tabuleiro_protocol::Id;

    use super::super::{client::Client, testing};
    use super::*;
    use crate::search::Level;

    /// Does something with a batch of ten positions that nobody works on yet.
    fn with_work(stream: bool, client: &Arc<Client>, test: impl FnOnce(&Work<'_>)) {
        let batch = json!({"game": "zurero", "positions": vec![json!({}); 10], "ask": {}, "stream": stream});
        let plan = Plan::new(serde_json::from_value(batch).expect("a batch"), Level::Novice).expect("a plan");
        let job = Job::begin(client, &Id::Number(1)).expect("a job");
        test(&Work {
            catalog: &Catalog::standard(),
            plan: &plan,
            job: &job,
            portion: 1,
            taken: AtomicUsize::new(0),
            told: Mutex::default(),
            changed: Condvar::new(),
        });
    }

    fn portion(text: &str) -> Portion {
        Portion { text: text.into(), done: 1, errors: usize::from(text == "error"), whole: true }
    }

    #[test]
    fn results_are_told_in_order_whenever_they_are_found() {
        with_work(false, &testing::client(), |work| {
            work.tell(1, portion("b"));
            work.tell(2, portion("error"));
            let told = work.told.lock();
            assert_eq!((told.text.as_str(), told.done, told.early_bytes), ("", 0, 6));
            drop(told);
            work.tell(0, portion("a"));
            let told = work.told.lock();
            assert_eq!((told.text.as_str(), told.early_bytes), ("a,b,error", 0));
            assert_eq!((told.portions, told.done, told.errors), (3, 3, 1));
        });
    }

    #[test]
    fn nothing_is_told_behind_a_portion_that_was_not_finished() {
        with_work(false, &testing::client(), |work| {
            work.tell(0, Portion { whole: false, ..portion("a") });
            assert!(!work.may_go_on());
            work.tell(1, portion("b"));
            let told = work.told.lock();
            assert_eq!((told.text.as_str(), told.done), ("a", 1));
        });
    }

    #[test]
    fn results_of_one_response_may_be_just_so_long() {
        with_work(false, &testing::client(), |work| {
            work.tell(0, portion(&"x".repeat(MAX_WHOLE)));
            assert!(work.told.lock().failure.is_none() && !work.is_stopped());
            work.tell(1, portion("y"));
            assert!(matches!(work.told.lock().failure, Some(Failure::TooLong)));
            assert!(work.is_stopped() && !work.may_go_on());
        });
    }

    #[test]
    fn who_finds_much_before_its_turn_waits_until_it_is_told_or_stopped() {
        with_work(false, &testing::client(), |work| {
            work.tell(1, portion(&"x".repeat(MAX_EARLY)));
            assert!(work.may_go_on(), "there is room for just so much");
            work.tell(2, portion("y"));
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| work.may_go_on());
                std::thread::sleep(3 * SOON);
                assert!(!waits.is_finished(), "it waits");
                work.tell(0, portion("a"));
                assert!(waits.join().expect("no panic"));
            });
            work.tell(4, portion(&"x".repeat(MAX_EARLY + 1)));
            work.job.stop.store(true, Ordering::Relaxed);
            assert!(!work.may_go_on());
        });
    }

    #[test]
    fn nothing_is_streamed_to_a_client_that_is_gone() {
        let client = testing::client();
        with_work(true, &client, |work| {
            work.tell(0, portion("a"));
            assert_eq!(work.told.lock().portions, 1);
            client.disconnect();
            work.tell(1, portion("b"));
            assert_eq!(work.told.lock().portions, 1);
            assert!(!work.may_go_on());
        });
    }
}
