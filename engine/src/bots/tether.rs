//! Ties a bot and all that it starts to its supervisor. What the bot's group of processes does not hold together, Linux can.

use std::ffi::OsString;
use std::process::Command;

#[cfg(target_os = "linux")]
use std::thread;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use super::supervisor::NOT_STARTED;
#[cfg(target_os = "linux")]
use super::supervisor::{BOT_GUARD, GRACE};

/// The word behind the supervisor's that makes us a bot which goes when its supervisor does.
#[cfg(target_os = "linux")]
const TIED: &str = "--tied";

/// The bot's command, begun by ourselves, so that it is tied to us before it becomes the bot: then it goes even if we are killed.
#[cfg(target_os = "linux")]
pub(super) fn tied(command: &[OsString]) -> Command {
    let words: Vec<OsString> = std::env::args_os().collect();
    let ours = words.iter().position(|word| word == BOT_GUARD);
    match (std::env::current_exe(), ours) {
        (Ok(ourselves), Some(at)) => {
            let mut tied = Command::new(ourselves);
            tied.args(&words[1..=at]).arg(TIED).arg("--").args(command);
            tied
        }
        _ => plain(command),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn tied(command: &[OsString]) -> Command {
    plain(command)
}

fn plain(command: &[OsString]) -> Command {
    let mut bot = Command::new(command.first().cloned().unwrap_or_default());
    bot.args(command.iter().skip(1));
    bot
}

/// Becomes the bot, tied to the supervisor that has started us. Gives what to exit with if that fails.
#[cfg(target_os = "linux")]
pub fn become_bot(command: &[OsString]) -> u8 {
    use std::os::unix::process::CommandExt;

    let supervisor = nix::unistd::getppid();
    let tied = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL);
    if tied.is_err() || nix::unistd::getppid() != supervisor || supervisor.as_raw() == 1 {
        return NOT_STARTED;
    }
    let error = plain(command).exec();
    eprintln!(
        "{} could not be started: {error}",
        command.first().cloned().unwrap_or_default().to_string_lossy()
    );
    NOT_STARTED
}

#[cfg(not(target_os = "linux"))]
pub fn become_bot(_: &[OsString]) -> u8 {
    NOT_STARTED
}

/// What the bot has started becomes ours when the bot is gone, even what has left its group.
#[cfg(target_os = "linux")]
pub(super) fn adopt_orphans() {
    // Where it cannot be done, only the bot's own group is ended.
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends what has become ours, and what then becomes ours, and so on.
#[cfg(target_os = "linux")]
pub(super) fn kill_orphans() {
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
pub(super) fn adopt_orphans() {}

#[cfg(not(target_os = "linux"))]
pub(super) fn kill_orphans() {}
