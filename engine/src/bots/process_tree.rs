//! Keeps hold of a bot and of every process that it starts, also of those that leave its process
//! group. Only Linux offers the means: the parent-death signal, which kills the bot when its
//! supervisor is killed, and the subreaper, which makes the supervisor the parent of orphans. The
//! engine is one too: what a killed supervisor leaves comes to it.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command};

#[cfg(target_os = "linux")]
use std::collections::BTreeSet;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use nix::sys::signal::{Signal, kill};
#[cfg(target_os = "linux")]
use nix::sys::wait::{WaitPidFlag, waitpid};
#[cfg(target_os = "linux")]
use nix::unistd::Pid;
#[cfg(target_os = "linux")]
use parking_lot::Mutex;

use super::supervisor::NOT_STARTED;
#[cfg(target_os = "linux")]
use super::supervisor::{GRACE, SUPERVISOR};

/// The flag behind the supervisor's word that makes us [`exec_bot`].
#[cfg(target_os = "linux")]
const DIE_WITH_PARENT: &str = "--die-with-parent";

/// The bot's command, started through ourselves: the parent-death signal must be set in the child,
/// before it becomes the bot.
#[cfg(target_os = "linux")]
pub(super) fn die_with_parent(command: &[OsString]) -> Command {
    let words: Vec<OsString> = std::env::args_os().collect();
    let ours = words.iter().position(|word| word == SUPERVISOR);
    match (std::env::current_exe(), ours) {
        (Ok(ourselves), Some(at)) => {
            let mut bot = Command::new(ourselves);
            bot.args(&words[1..=at]).arg(DIE_WITH_PARENT).arg("--").args(command);
            bot
        }
        _ => plain(command),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn die_with_parent(command: &[OsString]) -> Command {
    plain(command)
}

fn plain(command: &[OsString]) -> Command {
    let mut bot = Command::new(command.first().cloned().unwrap_or_default());
    bot.args(command.iter().skip(1));
    bot
}

/// Sets the parent-death signal and becomes the bot. Gives the exit code if that fails.
#[cfg(target_os = "linux")]
pub fn exec_bot(command: &[OsString]) -> u8 {
    use std::os::unix::process::CommandExt;

    let supervisor = nix::unistd::getppid();
    let is_set = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL).is_ok();
    // A supervisor that was killed before the signal was set will never be the cause of one.
    if !is_set || nix::unistd::getppid() != supervisor || supervisor.as_raw() == 1 {
        return NOT_STARTED;
    }
    let error = plain(command).exec();
    let program = command.first().cloned().unwrap_or_default();
    eprintln!("{} could not be started: {error}", program.to_string_lossy());
    NOT_STARTED
}

#[cfg(not(target_os = "linux"))]
pub fn exec_bot(_: &[OsString]) -> u8 {
    NOT_STARTED
}

/// From now on orphans among our descendants become our children.
#[cfg(target_os = "linux")]
pub(super) fn become_subreaper() {
    // Where it cannot be done, only the bot's own process group is killed.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Kills our children, then the orphans whose parents these were, and so on.
#[cfg(target_os = "linux")]
pub(super) fn kill_descendants() {
    let deadline = Instant::now() + GRACE;
    loop {
        let living: Vec<i32> =
            children().into_iter().filter(|child| child.is_living).map(|child| child.process_id).collect();
        if living.is_empty() || Instant::now() > deadline {
            return;
        }
        for child in living {
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// The supervisors that this process has started and that have not ended.
#[cfg(target_os = "linux")]
static SUPERVISORS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Whether all other children of this process are orphans that a supervisor has left.
#[cfg(target_os = "linux")]
static LOOKS_AFTER_ORPHANS: AtomicBool = AtomicBool::new(false);

/// From now on what a killed supervisor leaves becomes a child of ours. Not if there are children
/// already, as when a shell has become this program: they and what they leave are not ours to kill.
#[cfg(target_os = "linux")]
pub(super) fn look_after_orphans() {
    if children().is_empty() && nix::sys::prctl::set_child_subreaper(true).is_ok() {
        LOOKS_AFTER_ORPHANS.store(true, Ordering::Relaxed);
    }
}

#[cfg(target_os = "linux")]
pub(super) fn start_supervisor(command: &mut Command) -> io::Result<Child> {
    // Under the lock, so that nobody takes it for an orphan.
    let mut supervisors = SUPERVISORS.lock();
    let child = command.spawn()?;
    supervisors.extend(i32::try_from(child.id()));
    Ok(child)
}

/// Kills what a supervisor has left that has just ended.
#[cfg(target_os = "linux")]
pub(super) fn supervisor_ended(process_id: u32) {
    if let Ok(ended) = i32::try_from(process_id) {
        SUPERVISORS.lock().remove(&ended);
    }
    if !LOOKS_AFTER_ORPHANS.load(Ordering::Relaxed) {
        return;
    }
    let deadline = Instant::now() + GRACE;
    loop {
        let supervisors = SUPERVISORS.lock();
        let mut orphans = children();
        orphans.retain(|child| !supervisors.contains(&child.process_id));
        if orphans.is_empty() || Instant::now() > deadline {
            return;
        }
        for orphan in orphans {
            let orphan = Pid::from_raw(orphan.process_id);
            let _ = kill(orphan, Signal::SIGKILL);
            // Nobody else asks how it ended.
            let _ = waitpid(orphan, Some(WaitPidFlag::WNOHANG));
        }
        drop(supervisors);
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(target_os = "linux")]
struct ChildProcess {
    process_id: i32,
    /// It has not ended, be it that nobody has asked how.
    is_living: bool,
}

#[cfg(target_os = "linux")]
fn children() -> Vec<ChildProcess> {
    let us = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let child = |process_id: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{process_id}/stat")).unwrap_or_default();
        // Behind the name, which may be anything: the state and the parent.
        let mut rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
        let is_living = rest.next().is_some_and(|state| state != "Z" && state != "X");
        (rest.next() == Some(&us)).then_some(ChildProcess { process_id, is_living })
    };
    numbers.filter_map(child).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn become_subreaper() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_descendants() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn look_after_orphans() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn start_supervisor(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn supervisor_ended(_: u32) {}
