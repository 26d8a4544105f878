//! One process of a bot, at the end of two pipes.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::Value;
use tabuleiro_protocol::line::{LONGEST_LINE, Line, Lines};
use tabuleiro_protocol::message::request;
use tabuleiro_protocol::method::{Method, SayHello};
use tabuleiro_protocol::notice::BotFailure;
use tabuleiro_protocol::{Id, PROTOCOL_VERSION};

use super::answer::{Said, garbage, read_line};
use super::log::Log;
use super::pool::WaitGroup;
use super::process_tree::supervisor_ended;
use super::supervisor::STOPPED_READING;
use super::{Failed, STARTING_TIME, Spec, Supervisor};
use crate::threads;

/// How many lines of a bot's may wait to be looked at; one that says more waits as well.
const MOST_WAITING: usize = 4;

/// How often somebody who waits for a bot looks whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// How long the exit code and the last words of a bot are waited for once its output has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Longer than a supervisor takes to end its bot.
pub(super) const LONGEST_END: Duration = Duration::from_secs(5);

/// A bot that was started. When this is dropped the bot's input ends, and its supervisor sees to
/// the rest.
#[derive(Debug)]
pub(super) struct Process {
    input: ChildStdin,
    heard: Receiver<Line>,
    output_ended: Arc<AtomicBool>,
    /// What its supervisor has exited with.
    exit: Arc<OnceLock<ExitStatus>>,
    /// Gives the last line that it wrote for people.
    log: Option<JoinHandle<Option<String>>>,
    last_id: i64,
}

/// Why nothing came of a question.
#[derive(Debug)]
pub(super) enum Unanswered {
    Failed(Failed),
    /// The one who asked does not want to know any more. The answer is still to come.
    Stopped,
}

impl From<Failed> for Unanswered {
    fn from(failed: Failed) -> Unanswered {
        Unanswered::Failed(failed)
    }
}

impl Process {
    /// Starts it and says hello.
    pub(super) fn start(
        spec: &Spec,
        supervisor: &Supervisor,
        log: &Arc<Log>,
        supervisors: &Arc<WaitGroup>,
        stop: &AtomicBool,
    ) -> Result<Process, Unanswered> {
        let mut process = Process::launch(spec, supervisor, log, supervisors)?;
        let hello = SayHello {
            client: Some("Tabuleiro".into()),
            protocol: Some(PROTOCOL_VERSION),
            ..SayHello::default()
        };
        process.ask(&hello, Instant::now() + STARTING_TIME, stop).map_err(|unanswered| match unanswered {
            Unanswered::Failed(Failed { why, detail }) => {
                Unanswered::Failed(Failed::new(why, format!("asked for hello, {detail}")))
            }
            Unanswered::Stopped => Unanswered::Stopped,
        })?;
        Ok(process)
    }

    /// Starts it and says nothing yet.
    pub(super) fn launch(
        spec: &Spec,
        supervisor: &Supervisor,
        log: &Arc<Log>,
        supervisors: &Arc<WaitGroup>,
    ) -> Result<Process, Failed> {
        // First the threads, which wait for what they are to work on: with one of them missing
        // nothing is started that somebody would have to end.
        let no_thread = |error: io::Error| not_started(&format!("no thread can be made for it: {error}"));
        let exit = Arc::new(OnceLock::new());
        let (member, exited) = (WaitGroup::add(supervisors), Arc::clone(&exit));
        let (wait_for, its_child) = channel::<Child>();
        threads::spawn(move || {
            if let Ok(mut child) = its_child.recv() {
                if let Ok(status) = child.wait() {
                    // Nobody else sets it.
                    let _ = exited.set(status);
                }
                supervisor_ended(child.id());
            }
            drop(member);
        })
        .map_err(no_thread)?;
        let (log, name) = (Arc::clone(log), spec.name.clone());
        let (follow, its_errors) = channel();
        let log = threads::spawn(move || log.follow(&name, its_errors.recv().ok()?)).map_err(no_thread)?;
        let output_ended = Arc::new(AtomicBool::new(false));
        let (listen_to, its_output) = channel();
        let (say, heard) = sync_channel(MOST_WAITING);
        let ended = Arc::clone(&output_ended);
        threads::spawn(move || {
            if let Ok(output) = its_output.recv() {
                listen(output, &say, &ended);
            }
        })
        .map_err(no_thread)?;

        let mut child = supervisor.start(&spec.command).map_err(|error| not_started(&error.to_string()))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // They are there and wait.
        let _ = wait_for.send(child);
        let (Some(input), Some(output), Some(errors)) = (input, output, errors) else {
            return Err(not_started("it has no input or output"));
        };
        let _ = (follow.send(errors), listen_to.send(output));
        Ok(Process { input, heard, output_ended, exit, log: Some(log), last_id: 0 })
    }

    /// Whether it can still be asked something.
    pub(super) fn is_alive(&self) -> bool {
        self.exit.get().is_none() && !self.output_ended.load(Ordering::Acquire)
    }

    /// Asks something and waits for the result.
    pub(super) fn ask<M: Method>(
        &mut self,
        params: &M,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<Value, Unanswered> {
        self.last_id += 1;
        self.say(&format!("{}\n", request(&Id::Number(self.last_id), M::NAME, params)))?;
        self.answer(deadline, stop)
    }

    /// Waits for the result of what was asked last.
    pub(super) fn answer(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<Value, Unanswered> {
        self.response(&Id::Number(self.last_id), deadline, stop).map(|(_, result)| result)
    }

    /// Waits for the response with this id. Gives it as it came, and its result.
    pub(super) fn response(
        &mut self,
        id: &Id,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<(String, Value), Unanswered> {
        loop {
            let line = self.hear(deadline, stop)?;
            match read_line(&line, id)? {
                Said::Result(result) => return Ok((line, result)),
                Said::Notice => {}
            }
        }
    }

    /// Writes a text as it is. This does not wait for the bot, since its supervisor always reads.
    pub(super) fn say(&mut self, text: &str) -> Result<(), Failed> {
        let written = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        written.map_err(|_| self.crashed("it reads no longer"))
    }

    /// The next line that is not blank.
    pub(super) fn hear(&mut self, deadline: Instant, stop: &AtomicBool) -> Result<String, Unanswered> {
        loop {
            // Before every line, so that nobody can put off the end by talking.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failed::new(BotFailure::Timeout, "it has not answered in time").into());
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Unanswered::Stopped);
            }
            match self.heard.recv_timeout(left.min(LOOK)) {
                Ok(Line::Text(line) | Line::Unfinished(line)) => return Ok(line),
                Ok(Line::TooLong) => {
                    return Err(garbage(format!("it said a line of more than {LONGEST_LINE} bytes")).into());
                }
                Ok(Line::NotUtf8) => return Err(garbage("it said something that is not UTF-8").into()),
                // Its output may be held open by something that it has started and that has got
                // away.
                Err(RecvTimeoutError::Timeout) if self.exit.get().is_none() => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(self.crashed("it closed its output").into());
                }
            }
        }
    }

    /// Ends its input and waits until it is gone. Gives its exit code, which is that of a killed
    /// one if it did not go by itself.
    pub(super) fn finish(self) -> Option<i32> {
        let Process { input, exit, heard, .. } = self;
        drop(input);
        let patience = Instant::now() + LONGEST_END;
        while exit.get().is_none() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(2));
        }
        drop(heard);
        exit.get().and_then(ExitStatus::code)
    }

    /// Says how it ended, or what it did if it has not.
    fn crashed(&mut self, what_it_did: &str) -> Failed {
        let patience = Instant::now() + LAST_WORDS;
        let log_goes_on = |log: &Option<JoinHandle<_>>| log.as_ref().is_some_and(|log| !log.is_finished());
        while (self.exit.get().is_none() || log_goes_on(&self.log)) && Instant::now() < patience {
            thread::sleep(Duration::from_millis(2));
        }
        let mut detail = match self.exit.get().map(ExitStatus::code) {
            None => what_it_did.into(),
            Some(Some(code)) if code == i32::from(STOPPED_READING) => "it reads no longer".into(),
            Some(Some(code)) if code > 128 => {
                format!("it ended with exit code {code} (signal {})", code - 128)
            }
            Some(Some(code)) => format!("it ended with exit code {code}"),
            Some(None) => "its supervisor was ended by a signal".into(),
        };
        let last_words = self.log.take_if(|log| log.is_finished()).and_then(|log| log.join().ok().flatten());
        if let Some(words) = last_words {
            detail += &format!("; its last words: {}", super::answer::shown(&words));
        }
        Failed::new(BotFailure::Crashed, detail)
    }
}

fn not_started(reason: &str) -> Failed {
    Failed::new(BotFailure::Crashed, format!("it could not be started: {reason}"))
}

/// Reads lines until the output ends or nobody wants them any more.
fn listen(output: ChildStdout, say: &SyncSender<Line>, ended: &AtomicBool) {
    let mut output = Lines::new(BufReader::new(output));
    while let Ok(Some(line)) = output.next_line() {
        // Half a line is no answer: the bot has ended in the middle of it.
        if matches!(line, Line::Unfinished(_)) {
            break;
        }
        if say.send(line).is_err() {
            return;
        }
    }
    ended.store(true, Ordering::Release);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::supply;

    #[test]
    fn a_bot_for_which_no_thread_is_left_is_not_started_and_leaves_nothing() {
        let spec: Spec = "mine=run".parse().expect("a bot");
        let supervisor = Supervisor::new("/no/such/program".into(), &[]);
        let (log, supervisors) = (Arc::new(Log::default()), Arc::new(WaitGroup::default()));
        for (threads, reason) in [
            (0, "it could not be started: no thread can be made for it: "),
            (1, "it could not be started: no thread can be made for it: "),
            (2, "it could not be started: no thread can be made for it: "),
            // With all of them it is tried.
            (3, "it could not be started: No such file"),
        ] {
            let launched = supply::of(threads, || Process::launch(&spec, &supervisor, &log, &supervisors));
            let failed = launched.expect_err("it cannot be started");
            assert!(failed.detail.starts_with(reason), "{threads}: {failed}");
            // All that waited for a bot end.
            let patience = Instant::now() + LONGEST_END;
            while Arc::strong_count(&supervisors) > 1 || Arc::strong_count(&log) > 1 {
                assert!(Instant::now() < patience, "{threads}: somebody still waits");
                thread::yield_now();
            }
        }
    }
}
