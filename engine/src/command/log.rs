//! The log, on standard error. Nobody waits for whoever should read it: what comes too fast is left
//! out, and how much that was is said.

use std::env;
use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::threads;

/// How many entries may wait to be written.
const MOST_WAITING: usize = 1000;

/// How long the end of the program waits for them.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Entries that are not written yet.
static WAITING: AtomicUsize = AtomicUsize::new(0);
/// Entries that were left out since this was last said.
static LEFT_OUT: AtomicUsize = AtomicUsize::new(0);

/// Begins the log. A second start in one process keeps that of the first.
pub(super) fn begin() {
    let filter = env::var("TABULEIRO_LOG").ok().and_then(|filter| filter.parse::<Targets>().ok());
    let filter = filter.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(|| Entry).with_filter(filter);
    let _ = tracing_subscriber::registry().with(to_stderr).try_init();
}

/// Makes the thread that writes, before clients may have taken all that there are.
pub(super) fn prepare() {
    LazyLock::force(&WRITER);
}

/// Waits until all is written, but not for long.
pub(super) fn end() {
    let began = Instant::now();
    while WAITING.load(Ordering::Acquire) > 0 && began.elapsed() < LAST_WORDS {
        threads::sleep(Duration::from_millis(1));
    }
}

fn write_all(entries: Receiver<Vec<u8>>) {
    for entry in entries {
        // There is nobody else to be told.
        let _ = io::stderr().write_all(&entry);
        let left_out = LEFT_OUT.swap(0, Ordering::Relaxed);
        if left_out > 0 {
            let _ = writeln!(io::stderr(), "{left_out} entries of the log were left out: nobody read them");
        }
        WAITING.fetch_sub(1, Ordering::Release);
    }
}

/// Who writes, from the first entry on; nobody, if there was no thread for it then.
static WRITER: LazyLock<Option<SyncSender<Vec<u8>>>> = LazyLock::new(|| {
    let (sender, entries) = sync_channel(MOST_WAITING);
    threads::spawn(move || write_all(entries)).ok().map(|_| sender)
});

/// Each comes in one piece.
struct Entry;

impl Write for Entry {
    fn write(&mut self, entry: &[u8]) -> io::Result<usize> {
        let Some(writer) = &*WRITER else { return io::stderr().write(entry) };
        WAITING.fetch_add(1, Ordering::Relaxed);
        if writer.try_send(entry.to_vec()).is_err() {
            WAITING.fetch_sub(1, Ordering::Relaxed);
            LEFT_OUT.fetch_add(1, Ordering::Relaxed);
        }
        Ok(entry.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
