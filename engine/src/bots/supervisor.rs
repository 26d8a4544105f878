//! The process between the engine and a bot. It sees its input end when the engine is gone, however
//! that came about, and then kills the bot and all that the bot has started. So no bot outlives its
//! engine.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
#[cfg(not(unix))]
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use super::process_tree::{
    become_subreaper, die_with_parent, kill_descendants, look_after_orphans, start_supervisor,
};
use crate::threads;

/// The word on our own command line that makes us a supervisor.
pub(crate) const SUPERVISOR: &str = "bot-supervisor";

/// How long a bot may still run when its input has ended.
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// How long a bot that has stopped reading may take to end by itself, so that its exit code is
/// known.
const EXIT_GRACE: Duration = Duration::from_millis(100);

/// What a supervisor exits with whose bot could not be started, as shells do.
pub(super) const NOT_STARTED: u8 = 127;

/// What a supervisor exits with whose bot was killed because it had stopped reading. No signal has
/// such a number.
pub(super) const STOPPED_READING: u8 = 255;

/// How to start bots: through our own program, as a supervisor.
#[derive(Clone, Debug)]
pub struct Supervisor {
    program: PathBuf,
    words: Vec<OsString>,
}

impl Supervisor {
    /// `words` come before every command of the program's: none for `tabuleiro-engine`.
    pub fn new(program: PathBuf, words: &[&str]) -> Supervisor {
        Supervisor { program, words: words.iter().map(OsString::from).collect() }
    }

    /// This program itself, all of whose children are supervisors. Should one be killed, whatever
    /// its bot has started becomes a child of ours, and is killed.
    pub fn ourselves(words: &[&str]) -> io::Result<Supervisor> {
        look_after_orphans();
        Ok(Supervisor::new(std::env::current_exe()?, words))
    }

    pub(super) fn start(&self, command: &[String]) -> io::Result<Child> {
        let mut supervisor = Command::new(&self.program);
        supervisor.args(&self.words).arg(SUPERVISOR).arg("--").args(command);
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A Ctrl-C is meant for us; bots end when we do.
        in_own_process_group(&mut supervisor);
        start_supervisor(&mut supervisor)
    }
}

/// What a supervisor waits for.
enum Event {
    InputEnded,
    BotStoppedReading,
    BotEnded(io::Result<ExitStatus>),
}

/// Runs a bot until it ends or the input does. Gives the exit code.
pub fn supervise(command: &[OsString]) -> u8 {
    let Some(program) = command.first() else { return NOT_STARTED };
    let mut bot = die_with_parent(command);
    bot.stdin(Stdio::piped());
    in_own_process_group(&mut bot);
    become_subreaper();
    let (sender, events) = channel();
    // First the threads, so that no bot is left without them.
    let threads = match Threads::make(&sender) {
        Ok(threads) => threads,
        Err(error) => {
            eprintln!(
                "{} could not be started: no thread can be made for it: {error}",
                program.to_string_lossy()
            );
            return NOT_STARTED;
        }
    };
    let (bot, input) = match bot.spawn() {
        Ok(mut bot) => {
            let input = bot.stdin.take();
            (Arc::new(Bot { process_id: bot.id(), child: Mutex::new(bot) }), input)
        }
        Err(error) => {
            eprintln!("{} could not be started: {error}", program.to_string_lossy());
            return NOT_STARTED;
        }
    };
    // While we hold it too, the engine cannot notice that the bot has closed it.
    close_stdout();
    // They are there and wait.
    let _ = threads.wait_for.send(Arc::clone(&bot));
    let _ = input.map(|input| threads.write_to.send(input));
    drop((sender, threads));

    let mut stopped_reading = false;
    let ended = match events.recv() {
        Ok(Event::BotEnded(status)) => Some(status),
        Ok(Event::InputEnded) => end_within(GRACE, &events),
        Ok(Event::BotStoppedReading) => {
            let ended = end_within(EXIT_GRACE, &events);
            stopped_reading = ended.is_none();
            ended
        }
        Err(_) => None,
    };
    // In any case: what the bot has started may still be there.
    bot.kill_group();
    kill_descendants();
    let status = ended.or_else(|| end_within(GRACE, &events));
    if stopped_reading {
        return STOPPED_READING;
    }
    status.and_then(Result::ok).map_or(NOT_STARTED, exit_code)
}

/// The threads of a supervisor, and what they wait for.
struct Threads {
    wait_for: Sender<Arc<Bot>>,
    write_to: Sender<ChildStdin>,
}

impl Threads {
    /// They copy our input to the bot's and wait for its end. Reading goes on whether the bot reads
    /// or not: the end of the input must be seen in any case. Only one request at a time is under
    /// way, so little has to be kept.
    fn make(sender: &Sender<Event>) -> io::Result<Threads> {
        let (wait_for, its_bot) = channel::<Arc<Bot>>();
        let ended = sender.clone();
        threads::spawn(move || {
            if let Ok(bot) = its_bot.recv() {
                let _ = ended.send(Event::BotEnded(bot.wait()));
            }
        })?;
        let (write_to, its_input) = channel::<ChildStdin>();
        let (to_bot, pieces) = channel::<Vec<u8>>();
        let wrote = sender.clone();
        threads::spawn(move || {
            let Ok(mut input) = its_input.recv() else { return };
            for piece in pieces {
                if input.write_all(&piece).and_then(|()| input.flush()).is_err() {
                    let _ = wrote.send(Event::BotStoppedReading);
                    return;
                }
            }
        })?;
        let read = sender.clone();
        threads::spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut buffer = vec![0; 1 << 16];
            loop {
                match stdin.read(&mut buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => break,
                    // That the bot has stopped reading is noticed by whoever writes.
                    Ok(length) => drop(to_bot.send(buffer[..length].to_vec())),
                }
            }
            drop(to_bot);
            let _ = read.send(Event::InputEnded);
        })?;
        Ok(Threads { wait_for, write_to })
    }
}

fn end_within(grace: Duration, events: &Receiver<Event>) -> Option<io::Result<ExitStatus>> {
    let deadline = std::time::Instant::now() + grace;
    loop {
        let left = deadline.saturating_duration_since(std::time::Instant::now());
        match events.recv_timeout(left) {
            Ok(Event::BotEnded(status)) => return Some(status),
            Ok(Event::InputEnded | Event::BotStoppedReading) => {}
            Err(_) => return None,
        }
    }
}

struct Bot {
    process_id: u32,
    child: Mutex<Child>,
}

#[cfg(unix)]
impl Bot {
    fn wait(&self) -> io::Result<ExitStatus> {
        self.child.lock().wait()
    }

    /// Kills the bot and whatever it has started, unless that has left the process group.
    fn kill_group(&self) {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;

        if let Ok(group) = i32::try_from(self.process_id) {
            // Nobody may be left in it.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
}

#[cfg(not(unix))]
impl Bot {
    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.child.lock().try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Kills the bot alone: here there are no process groups.
    fn kill_group(&self) {
        tracing::debug!("ending process {}", self.process_id);
        let _ = self.child.lock().kill();
    }
}

#[cfg(unix)]
fn in_own_process_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_process_group(_: &mut Command) {}

#[cfg(unix)]
fn close_stdout() {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null");
    if let Ok(nowhere) = nowhere {
        let _ = nix::unistd::dup2_stdout(nowhere);
    }
}

#[cfg(not(unix))]
fn close_stdout() {}

/// As shells give it: that of the bot, or 128 and the number of the signal that killed it.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}
