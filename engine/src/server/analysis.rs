//! Searches without end. What they have found is kept for a while, so that the next one at the same
//! table goes on where the last one was.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parking_lot::Mutex;
use tabuleiro_protocol::notice::SearchInfo;
use tabuleiro_protocol::{Choice, Evaluation, Info, Score, Stopped};

use super::client::notice_line;
use super::jobs::Job;
use super::pool::Place;
use super::shared_table::SharedTable;
use super::wire_error;
use crate::review;
use crate::search::{self, Control, Cost, Crew, Level, Memory, SearchRequest};
use crate::session::Position;
use crate::threads::in_background;

/// How many memories of searches that do not go on now are kept, of 16 MiB and a little each.
const MOST_KEPT: usize = 4;

/// What has looked at fewer positions is not kept with the game before the search ends.
const WORTH_KEEPING: u64 = 20_000;

/// What was stopped before it had looked at so many is not kept at all.
const HARDLY_BEGUN: u64 = 1_000;

/// The memories of searches that may go on later.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// The last one used is the last.
    kept: Mutex<VecDeque<Kept>>,
}

#[derive(Debug)]
struct Kept {
    table: String,
    level: Level,
    memory: Memory,
}

impl Memories {
    /// The memory of a table and a level, for one search at a time: another one begins anew.
    fn take(&self, table: &str, level: Level) -> Memory {
        let mut kept = self.kept.lock();
        let place = kept.iter().position(|kept| kept.table == table && kept.level == level);
        let found = place.and_then(|place| kept.remove(place));
        drop(kept);
        found.map_or_else(Memory::new, |found| found.memory)
    }

    fn keep(&self, table: String, level: Level, memory: Memory) {
        let mut kept = self.kept.lock();
        kept.retain(|other| other.table != table || other.level != level);
        kept.push_back(Kept { table, level, memory });
        if kept.len() > MOST_KEPT {
            kept.pop_front();
        }
    }

    /// Nobody will search at this table any more.
    pub(super) fn forget(&self, table: &str) {
        self.kept.lock().retain(|kept| kept.table != table);
    }
}

/// Where a search without end takes place.
pub(super) struct Analysis {
    pub(super) table: Arc<Mutex<SharedTable>>,
    pub(super) name: String,
    /// Where what is found is kept, if it is.
    pub(super) node: Option<u32>,
    pub(super) position: Box<dyn Position>,
    /// What is kept of an earlier one.
    pub(super) known: Option<Choice>,
    pub(super) request: SearchRequest,
    pub(super) memories: Arc<Memories>,
}

impl Analysis {
    pub(super) fn cost(&self) -> Cost {
        Cost { brief: false, memory: search::memory(self.request.level, None) }
    }

    /// Searches until it is told to stop, and answers.
    pub(super) fn run(self, job: Job, place: Option<&Place>) {
        in_background(|| self.search(job, place));
    }

    fn search(self, job: Job, place: Option<&Place>) {
        let level = self.request.level;
        let mut memory = self.memories.take(&self.name, level);
        let send = |info: Info| {
            job.client().send_progress(&notice_line(SearchInfo { request: job.id().clone(), info }));
        };
        self.known.clone().map(info).into_iter().for_each(send);
        let mut kept_depth = 0;
        let report = &mut |info: Info| {
            if self.knows_more_than(info.depth, info.score) {
                return;
            }
            if info.depth > kept_depth && info.nodes >= WORTH_KEEPING && !info.lines.is_empty() {
                kept_depth = info.depth;
                self.keep(choice(&info));
            }
            send(info);
        };
        let crew = place.map(|place| place as &dyn Crew);
        let control = &mut Control::new(&job.stop, report).with_crew(crew).without_end(&mut memory);
        let found = catch_unwind(AssertUnwindSafe(|| self.position.choose(&self.request, control)));
        // What broke down left a memory that nobody knows.
        if let Ok(found) = &found {
            self.memories.keep(self.name.clone(), level, memory);
            let is_begun = found.stopped != Stopped::Cancelled || found.nodes >= HARDLY_BEGUN;
            if is_begun && !self.knows_more_than(found.depth, found.score) {
                self.keep(found.clone());
            }
        }
        let found = found.map(|found| match &self.known {
            Some(known) if self.knows_more_than(found.depth, found.score) => {
                Choice { stopped: found.stopped, ..known.clone() }
            }
            _ => found,
        });
        job.answer(found.map_err(|_| wire_error::internal()));
    }

    /// Whether what is kept says more than what was found at this depth.
    fn knows_more_than(&self, depth: u32, score: Score) -> bool {
        self.known.as_ref().is_some_and(|known| known.depth > depth) && score.proved.is_none()
    }

    fn keep(&self, choice: Choice) {
        if let Some(node) = self.node {
            self.table.lock().keep(node, review::evaluation(&self.request, choice));
        }
    }
}

/// What an evaluation says, if it answers what is asked now.
pub(super) fn known(evaluation: &Evaluation, request: &SearchRequest) -> Option<Choice> {
    let Evaluation { level, choice, .. } = evaluation;
    let has_lines = choice.lines.len() >= request.multi_pv || choice.score.proved.is_some();
    let is_known = level == request.level.id() && has_lines && !choice.lines.is_empty();
    is_known.then(|| choice.clone())
}

fn info(choice: Choice) -> Info {
    let Choice { score, pv, depth, nodes, time_ms, lines, .. } = choice;
    Info { depth, nodes, time_ms, score, pv, lines }
}

/// What is known by now, as if the search had been stopped.
fn choice(info: &Info) -> Choice {
    let Info { depth, nodes, time_ms, score, pv, lines } = info.clone();
    let actions = lines.first().map(|line| line.actions.clone()).unwrap_or_default();
    Choice { actions, score, pv, depth, nodes, time_ms, stopped: Stopped::Cancelled, lines }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tabuleiro_protocol::Limits;

    use super::*;

    fn tables(memories: &Memories) -> Vec<String> {
        memories.kept.lock().iter().map(|kept| kept.table.clone()).collect()
    }

    #[test]
    fn the_memories_that_were_used_last_are_kept() {
        let memories = Memories::default();
        let keep = |table: &str, level| memories.keep(table.into(), level, Memory::new());
        for table in ["t1", "t2", "t3", "t4", "t5"] {
            keep(table, Level::Club);
        }
        assert_eq!(tables(&memories), ["t2", "t3", "t4", "t5"]);
        keep("t2", Level::Club);
        assert_eq!(tables(&memories), ["t3", "t4", "t5", "t2"], "one for each table and level");
        keep("t2", Level::Master);
        assert_eq!(tables(&memories), ["t4", "t5", "t2", "t2"]);
        memories.take("t4", Level::Master);
        memories.take("t1", Level::Club);
        assert_eq!(tables(&memories).len(), 4, "those are of another level, or of no table");
        memories.take("t2", Level::Club);
        assert_eq!(tables(&memories), ["t4", "t5", "t2"]);
        memories.forget("t5");
        assert_eq!(tables(&memories), ["t4", "t2"]);
    }

    #[test]
    fn what_is_kept_answers_only_what_was_asked() {
        let request =
            |multi_pv| SearchRequest { level: Level::Club, limits: Limits::default(), seed: 0, multi_pv };
        let evaluation = |lines: usize, proved: Value| -> Evaluation {
            let score = json!({"win": 0.5, "proved": proved});
            let line = json!({"actions": ["a"], "score": score, "pv": ["a"]});
            let choice = json!({
                "actions": ["a"], "score": score, "pv": ["a"], "depth": 3, "nodes": 9, "time_ms": 1,
                "stopped": "cancelled", "lines": vec![line; lines],
            });
            let evaluation =
                json!({"level": "club", "limits": {}, "seed": 0, "lines": lines, "choice": choice});
            serde_json::from_value(evaluation).expect("an evaluation")
        };
        assert!(known(&evaluation(2, Value::Null), &request(2)).is_some());
        assert!(known(&evaluation(2, Value::Null), &request(3)).is_none(), "too few lines");
        assert!(known(&evaluation(2, json!("win")), &request(3)).is_some(), "there is nothing more to find");
        assert!(known(&evaluation(0, json!("win")), &request(1)).is_none(), "no line at all");
        let other = SearchRequest { level: Level::Master, ..request(2) };
        assert!(known(&evaluation(2, Value::Null), &other).is_none(), "another level");
    }
}
