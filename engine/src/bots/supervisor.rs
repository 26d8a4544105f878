use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::pool::lock;
use super::tether::{adopt_orphans, kill_orphans, tied};

/// The word on our own command line that makes us a supervisor.
pub(crate) const BOT_GUARD: &str = "bot-supervisor";

/// How long a bot may still run when its input has ended.
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// How long a bot that reads no longer may take to end by itself, so that it is known with which code.
const LAST_BREATH: Duration = Duration::from_millis(100);

/// What a supervisor exits with whose bot could not be started, as shells do.
pub(super) const NOT_STARTED: u8 = 127;

/// What a supervisor exits with whose bot was ended because it reads no longer. No signal has such a number.
pub(super) const READS_NO_LONGER: u8 = 255;

/// How to start a bot so that it cannot outlive us: with a second process of our own in between, which sees its input end when we are gone,
/// however that came about, and then ends the bot and all that the bot has started.
#[derive(Clone, Debug)]
pub struct Supervisor {
    program: PathBuf,
    words: Vec<OsString>,
}

impl Supervisor {
    /// `words` are those that come before every command of the program's: none for `tabuleiro-engine`.
    pub fn new(program: PathBuf, words: &[&str]) -> Supervisor {
        Supervisor { program, words: words.iter().map(OsString::from).collect() }
    }

    /// This program itself.
    pub fn ourselves(words: &[&str]) -> io::Result<Supervisor> {
        Ok(Supervisor::new(std::env::current_exe()?, words))
    }

    pub(super) fn start(&self, command: &[String]) -> io::Result<Child> {
        let mut supervisor = Command::new(&self.program);
        supervisor.args(&self.words).arg(BOT_GUARD).arg("--").args(command);
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A Ctrl-C is meant for us; bots go when we do.
        in_group_of_its_own(&mut supervisor);
        supervisor.spawn()
    }
}

/// What a supervisor waits for.
enum Happened {
    InputEnded,
    BotStoppedReading,
    BotEnded(io::Result<ExitStatus>),
}

/// Guards a bot until it ends or the input does. Gives what to exit with.
pub fn supervisor(command: &[OsString]) -> u8 {
    let Some(program) = command.first() else { return NOT_STARTED };
    let mut bot = tied(command);
    bot.stdin(Stdio::piped());
    in_group_of_its_own(&mut bot);
    adopt_orphans();
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
    // Otherwise nobody would notice that the bot has closed its own.
    let_go_of_stdout();
    let (happened, happenings) = channel();
    if let Some(input) = input {
        pass_on_input(input, &happened);
    }
    let waited_for = Arc::clone(&bot);
    thread::spawn(move || happened.send(Happened::BotEnded(waited_for.wait())));

    let mut reads_no_longer = false;
    let ended = match happenings.recv() {
        Ok(Happened::BotEnded(status)) => Some(status),
        Ok(Happened::InputEnded) => end_within(GRACE, &happenings),
        Ok(Happened::BotStoppedReading) => {
            let ended = end_within(LAST_BREATH, &happenings);
            reads_no_longer = ended.is_none();
            ended
        }
        Err(_) => None,
    };
    // In any case, since what the bot has started may still be there.
    bot.kill_group();
    kill_orphans();
    let status = ended.or_else(|| end_within(GRACE, &happenings));
    if reads_no_longer {
        return READS_NO_LONGER;
    }
    status.and_then(Result::ok).map_or(NOT_STARTED, exit_code)
}

/// Copies our input to the bot's. Reading goes on whether the bot reads or not: the end of the input must be seen in any case.
/// No more than one question at a time is on its way, so that little has to be kept.
fn pass_on_input(mut input: ChildStdin, happened: &Sender<Happened>) {
    let (sender, pieces) = channel::<Vec<u8>>();
    let read = happened.clone();
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match stdin.read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => break,
                // A bot that reads no longer is noticed by whoever writes.
                Ok(length) => drop(sender.send(buffer[..length].to_vec())),
            }
        }
        drop(sender);
        let _ = read.send(Happened::InputEnded);
    });
    let wrote = happened.clone();
    thread::spawn(move || {
        for piece in pieces {
            if input.write_all(&piece).and_then(|()| input.flush()).is_err() {
                let _ = wrote.send(Happened::BotStoppedReading);
                return;
            }
        }
    });
}

fn end_within(grace: Duration, happenings: &Receiver<Happened>) -> Option<io::Result<ExitStatus>> {
    let deadline = std::time::Instant::now() + grace;
    loop {
        let left = deadline.saturating_duration_since(std::time::Instant::now());
        match happenings.recv_timeout(left) {
            Ok(Happened::BotEnded(status)) => return Some(status),
            Ok(Happened::InputEnded | Happened::BotStoppedReading) => {}
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
        lock(&self.child).wait()
    }

    /// Ends the bot and everything that it has started.
    fn kill_group(&self) {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;

        if let Ok(group) = i32::try_from(self.process_id) {
            // If there is nobody left it is as it should be.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
}

#[cfg(not(unix))]
impl Bot {
    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = lock(&self.child).try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends the bot; there are no groups here to be ended with it.
    fn kill_group(&self) {
        tracing::debug!("ending process {}", self.process_id);
        let _ = lock(&self.child).kill();
    }
}

#[cfg(unix)]
fn in_group_of_its_own(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
}

#[cfg(not(unix))]
fn in_group_of_its_own(_: &mut Command) {}

#[cfg(unix)]
fn let_go_of_stdout() {
    let nowhere = std::fs::OpenOptions::new().write(true).open("/dev/null");
    if let Ok(nowhere) = nowhere {
        let _ = nix::unistd::dup2_stdout(nowhere);
    }
}

#[cfg(not(unix))]
fn let_go_of_stdout() {}

/// As shells give it: that of the bot, or 128 and the number of the signal that ended it.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX)
}
