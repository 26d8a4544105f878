//! Processes as the kernel tells of them.

use std::fs;
use std::process::Command;

/// What `/proc/…/stat` has behind the name: the state, the parent and so on.
fn stat(process: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (_, behind_the_name) = text.rsplit_once(')')?;
    Some(behind_the_name.split_whitespace().map(str::to_string).collect())
}

pub(crate) fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").expect("/proc");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|&process| stat(process).is_some_and(|stat| stat[1] == parent.to_string()))
        .collect()
}

/// Whether it has ended. One that nobody has asked for its exit code yet has.
pub(crate) fn is_gone(process: u32) -> bool {
    stat(process).is_none_or(|stat| stat[0] == "Z")
}

/// How long it has worked, in hundredths of a second.
pub(crate) fn work(process: u32) -> u64 {
    stat(process).map_or(0, |stat| stat[11..13].iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum())
}

pub(crate) fn kill(process: u32) {
    let killed = Command::new("kill").args(["-9", &process.to_string()]).status().expect("kill");
    assert!(killed.success());
}
