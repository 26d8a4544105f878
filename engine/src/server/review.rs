//! `review`: a game looked through on all cores, told as it goes and kept with the game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::notice::TurnReviewed;

use super::client::notice_line;
use super::jobs::Job;
use super::pool::Place;
use super::shared_table::SharedTable;
use super::together::work_together;
use super::wire_error;
use crate::review::{News, Review};
use crate::search::{self, Cost, SearchRequest};
use crate::threads::in_background;

/// How many turns a review may have.
pub(super) const MAX_TURNS: usize = 5_000;

/// About what the results take, while they are found and once more as a line.
const RESULT_BYTES: usize = 16 << 20;

/// What it takes as long as nobody helps.
pub(super) fn cost(request: &SearchRequest) -> Cost {
    Cost { brief: false, memory: memory(request) + RESULT_BYTES }
}

/// How many bytes one thread takes.
fn memory(request: &SearchRequest) -> usize {
    search::memory(request.level, request.limits.nodes)
}

/// Looks through a game as it is by now, and answers. What was found is kept at the table, so that
/// the next one who asks for the same need not wait for it.
pub(super) fn run(
    handle: &Mutex<SharedTable>,
    node: Option<u32>,
    request: SearchRequest,
    most_threads: usize,
    job: Job,
    place: Option<&Place>,
) {
    let began = Instant::now();
    let memory = memory(&request);
    let review = Review::new(handle.lock().table(), node, request);
    let review = match review.map_err(ErrorObject::from) {
        Ok(review) if review.total() > MAX_TURNS => {
            let message = format!("a review may have {MAX_TURNS} turns: name the node of an earlier one");
            return job.answer(Err::<(), _>(wire_error::limit(message)));
        }
        Ok(review) => review,
        Err(error) => return job.answer(Err::<(), _>(error)),
    };
    let tell = |news: News<'_>| match news {
        News::Position { node, evaluation } => handle.lock().keep(node, *evaluation),
        News::Turn { turn, .. } => {
            let request = job.id().clone();
            let notice = TurnReviewed { request, total: review.total(), turn: turn.clone() };
            job.client().send_progress(&notice_line(notice));
        }
    };
    let is_broken = AtomicBool::new(false);
    let take_part = |goes_on: &dyn Fn() -> bool| {
        let part = catch_unwind(AssertUnwindSafe(|| review.take_part(&job.stop, goes_on, &tell)));
        if part.is_err() {
            is_broken.store(true, Ordering::Relaxed);
            job.stop.store(true, Ordering::Relaxed);
        }
    };
    in_background(|| work_together(place, most_threads, memory, take_part));
    if is_broken.into_inner() {
        return job.answer(Err::<(), _>(wire_error::internal()));
    }
    job.answer(Ok(review.result(began.elapsed())));
}
