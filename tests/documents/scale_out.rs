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
/// where the block before it was, the name of a file, or nothing.
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

#[test]
fn every_command_of_the_page_reports_what_the_whole_match_does() {
    let tools = tempfile::tempdir().expect("a folder");
    for (name, script) in [("ssh", SSH), ("scp", SCP), ("sbatch", SBATCH)] {
        let file = tools.path().join(name);
        fs::write(&file, script).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    let page = page();
    let (mut scripts, mut files) = (Vec::<String>::new(), Vec::new());
    for (mark, block) in blocks(&page) {
        match mark {
            "" => {}
            "run" => scripts.push(block),
            "again" => scripts.push(scripts.last().expect("a block before it").clone() + &block),
            name => files.push((name, block)),
        }
    }
    let play = |script: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in &files {
            fs::write(folder.path().join(name), content).expect("a file");
        }
        shell(script, folder.path(), tools.path())
    };
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
