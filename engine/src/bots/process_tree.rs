//! Keeps hold of a bot and of every process that it starts, also of those that leave its process
//! group. Only Linux offers the means: the parent-death signal, which kills the bot when its
//! supervisor is killed, and the subreaper, which makes the supervisor the parent of orphans.

use std::ffi::OsString;
use std::process::Command;

#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

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
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let deadline = Instant::now() + GRACE;
    loop {
        let children = living_children();
        if children.is_empty() || Instant::now() > deadline {
            return;
        }
        for child in children {
            let _ = kill(Pid::from_raw(child), Signal::SIGKILL);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(target_os = "linux")]
fn living_children() -> Vec<i32> {
    let us = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_living_child = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // Behind the name, which may be anything: the state and the parent.
        let mut rest = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
        rest.next().is_some_and(|state| state != "Z" && state != "X") && rest.next() == Some(&us)
    };
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(is_living_child).collect()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn become_subreaper() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_descendants() {}
