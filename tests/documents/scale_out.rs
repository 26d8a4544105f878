//! docs/scale-out.md says what is so: every command in it that plays or merges is run, and what it
//! reports is compared with the whole match.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::match_reports::lines_without_times;

/// Other machines are folders here: all that is left to a test of the commands that reach them. GNU
/// parallel and rsync, which it copies with, are the real ones. Like a real login, it says which
/// shell the user has: GNU parallel starts its commands with that one.
const SSH: &str = r#"#!/bin/sh
while :; do
    case $1 in
        -l) shift 2 ;;
        -n | --) shift ;;
        *) break ;;
    esac
done
machine=$MACHINES/$1
shift
[ "$1" = -- ] && shift
mkdir -p "$machine" && cd "$machine" && SHELL=/bin/sh exec sh -c "$*"
"#;
const SCP: &str = r#"#!/bin/sh
shift
place() { case $1 in *:*) mkdir -p "$MACHINES/${1%%:*}"; echo "$MACHINES/${1%%:*}/${1#*:}";; *) echo "$1";; esac; }
exec cp -r "$(place "$1")" "$(place "$2")"
"#;
/// The jobs of an array, one after the other.
const SBATCH: &str = r#"#!/bin/sh
tasks=
while :; do
    case $1 in
        --wait) ;;
        --array=*-*) tasks=$(seq $(echo "${1#*=}" | tr - ' ')) ;;
        --array=*) tasks=$(echo "${1#*=}" | tr , ' ') ;;
        -*) echo "what is $1?" >&2; exit 1 ;;
        *) break ;;
    esac
    shift
done
for task in $tasks; do
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$(echo $tasks | wc -w) sh "$@" || exit
done
"#;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scale-out.md");
    fs::read_to_string(path).expect("the page is in docs")
}

/// The fenced blocks, each with what stands behind its language: `run`, `again` for what is run
/// where the block before it was, `games` for what plays games to learn from, the name of a file, or
/// nothing.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```sh") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((mark.trim(), block.join("\n") + "\n"));
        }
    }
    blocks
}

fn shell(script: &str, folder: &Path, tools: &Path) -> String {
    let engine = Path::new(env!("CARGO_BIN_EXE_tabuleiro-engine")).parent().expect("a folder");
    let usual = std::env::var("PATH").expect("a path");
    let output = Command::new("sh")
        .args(["-euc", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{}:{usual}", tools.display(), engine.display()))
        .env("MACHINES", folder.join("machines"))
        .env("PARALLEL_HOME", folder.join("parallel"))
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{script}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// Stand-ins for other machines and for Slurm.
fn tools() -> tempfile::TempDir {
    let tools = tempfile::tempdir().expect("a folder");
    for (name, script) in [("ssh", SSH), ("scp", SCP), ("sbatch", SBATCH)] {
        let file = tools.path().join(name);
        fs::write(&file, script).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    tools
}

/// A folder with all files of the page.
fn folder_with_files(page: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in blocks(page).iter().filter(|(mark, _)| mark.contains('.')) {
        fs::write(folder.path().join(name), content).expect("a file");
    }
    folder
}

/// The lines of all files of games in a folder, in order of the games' numbers.
fn games_in(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let games = files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl"));
    let text: String = games.map(|file| fs::read_to_string(file).expect("text")).collect();
    let number =
        |line: &str| -> Option<u32> { line.strip_prefix(r#"{"number":"#)?.split_once(',')?.0.parse().ok() };
    let mut games: Vec<String> = text.lines().filter(|line| number(line).is_some()).map(Into::into).collect();
    games.sort_by_key(|line| number(line));
    games
}

#[test]
fn games_to_learn_from_are_the_same_in_whatever_parts_they_are_played() {
    let (tools, page) = (tools(), page());
    let play = |script: &str| {
        let folder = folder_with_files(&page);
        let told = shell(script, folder.path(), tools.path());
        (told, games_in(folder.path()))
    };
    let (_, whole) = play("sh games.sh 1 1");
    assert_eq!(whole.len(), 200);
    let scripts: Vec<String> =
        blocks(&page).into_iter().filter(|(mark, _)| *mark == "games").map(|(_, script)| script).collect();
    for tool in ["parallel sh games.sh", "sbatch"] {
        assert!(scripts.iter().any(|script| script.contains(tool)), "no block uses {tool}");
    }
    for script in &scripts {
        let (told, games) = play(script);
        assert_eq!(games, whole, "{script}");
        assert!(told.contains("; in those held out the hand-made evaluation is off by "), "{script}: {told}");
    }
}

#[test]
fn every_command_of_the_page_reports_what_the_whole_match_does() {
    let (tools, page) = (tools(), page());
    let mut scripts = Vec::<String>::new();
    for (mark, block) in blocks(&page) {
        match mark {
            "run" => scripts.push(block),
            "again" => scripts.push(scripts.last().expect("a block before it").clone() + &block),
            _ => {}
        }
    }
    let play = |script: &str| shell(script, folder_with_files(&page).path(), tools.path());
    // One part of one is all of it.
    let whole = play("sh shard.sh 1 1");
    let whole: Vec<&str> =
        lines_without_times(&whole).into_iter().filter(|line| !line.starts_with("shard ")).collect();
    assert!(whole.len() > 5, "{whole:?}");
    for tool in ["&", "xargs", "parallel sh", "ssh ", "--sshlogin", "sbatch", "--array=3,5"] {
        assert!(scripts.iter().any(|script| script.contains(tool)), "no block uses {tool}");
    }
    for script in &scripts {
        let told = play(script);
        // The shards report first, the merger last.
        let from = told.rfind("fabrik: ").unwrap_or_else(|| panic!("{script}: {told}"));
        assert_eq!(lines_without_times(&told[from..]), whole, "{script}");
        assert!(told[from..].contains("\ngames      24\n"), "{script}: {told}");
    }
}
