//! Reports of how a search is getting on.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use tabuleiro_protocol::Info;

/// How long a search goes on without a word.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// Tells whoever asked how a search is getting on: whenever there is news worth it, and every now
/// and then when there is none. It is both where the search finds something and where it looks at
/// the clock, so that it is shared.
pub(super) struct SearchProgress<'a> {
    began: Instant,
    /// What was done before, if it goes on where another search was.
    before: Spent,
    state: RefCell<State<'a>>,
}

/// What a search has taken.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

struct State<'a> {
    report: Option<&'a mut dyn FnMut(Info)>,
    last_report: Instant,
    latest: Option<Info>,
}

impl<'a> SearchProgress<'a> {
    pub(super) fn new(
        report: Option<&'a mut dyn FnMut(Info)>,
        began: Instant,
        before: Spent,
    ) -> SearchProgress<'a> {
        let state = State { report, last_report: began, latest: None };
        SearchProgress { began, before, state: RefCell::new(state) }
    }

    /// Remembers the best line so far, for the next report, which also says what it took.
    pub(super) fn note(&self, info: Info) {
        self.state.borrow_mut().latest = Some(info);
    }

    /// Tells the best line so far, if there is one.
    pub(super) fn report(&self, nodes: u64) {
        let State { report, last_report, latest } = &mut *self.state.borrow_mut();
        *last_report = Instant::now();
        if let (Some(report), Some(latest)) = (report, latest) {
            latest.nodes = self.before.nodes + nodes;
            latest.time_ms = (self.before.time + self.began.elapsed()).as_millis() as u64;
            report(latest.clone());
        }
    }

    /// Tells it again if that has not been done for long.
    pub(super) fn repeat(&self, nodes: u64) {
        if self.is_due() {
            self.report(nodes);
        }
    }

    pub(super) fn is_due(&self) -> bool {
        self.state.borrow().last_report.elapsed() >= REPORT_EVERY
    }
}
