//! docs/scale-out.md says what is so: every command in it that plays or merges is run, and what it
//! reports is compared with the whole match.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::match_reports::lines_without_times;

/// Other machines are folders here: all that is left to a test of the commands that reach them.
const SSH: &str = r#"#!/bin/sh
[ "$1" = -n ] && shift
mkdir -p "$MACHINES/$1" && cd "$MACHINES/$1" && shift && exec sh -c "$*"
"#;
const SCP: &str = r#"#!/bin/sh
shift
place() { case $1 in *:*) mkdir -p "$MACHINES/${1%%:*}"; echo "$MACHINES/${1%%:*}/${1#*:}";; *) echo "$1";; esac; }
exec cp -r "$(place "$1")" "$(place "$2")"
"#;
/// The jobs of an array, one after the other.
const SBATCH: &str = r#"#!/bin/sh
[ "$1" = --wait ] && shift
count=$(sed -n 's/^#SBATCH --array=1-\([0-9]*\)$/\1/p' "$1")
for task in $(seq "$count"); do
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$count sh "$1" || exit
done
"#;
/// What the page uses of GNU parallel, which is not on every machine: options, a command with {} in
/// it, ::: and what stands for {}.
const PARALLEL: &str = r#"#!/bin/sh
while :; do
    case $1 in
        --sshlogin | --basefile | --return) shift 2 ;;
        --cleanup) shift ;;
        -*) echo "what is $1?" >&2; exit 1 ;;
        *) break ;;
    esac
done
command=
while [ "$1" != ::: ]; do command="$command $1"; shift; done
shift
for argument; do sh -c "$(echo "$command" | sed "s/{}/$argument/g")" || exit; done
"#;

fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/scale-out.md");
    fs::read_to_string(path).expect("the page is in docs")
}

/// The fenced blocks, each with what stands behind its language: `run`, the name of a file, or
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
        .output()
        .expect("a shell");
    assert!(output.status.success(), "{script}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_command_of_the_page_reports_what_the_whole_match_does() {
    let tools = tempfile::tempdir().expect("a folder");
    for (name, script) in [("ssh", SSH), ("scp", SCP), ("sbatch", SBATCH), ("parallel", PARALLEL)] {
        let file = tools.path().join(name);
        fs::write(&file, script).expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("permissions");
    }
    let page = page();
    let (to_run, files): (Vec<_>, Vec<_>) =
        blocks(&page).into_iter().filter(|(mark, _)| !mark.is_empty()).partition(|(mark, _)| *mark == "run");
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
    for tool in ["&", "xargs", "parallel sh", "ssh ", "--sshlogin", "sbatch"] {
        assert!(to_run.iter().any(|(_, script)| script.contains(tool)), "no block uses {tool}");
    }
    for (_, script) in &to_run {
        let told = play(script);
        // The shards report first, the merger last.
        let from = told.rfind("fabrik: ").unwrap_or_else(|| panic!("{script}: {told}"));
        assert_eq!(lines_without_times(&told[from..]), whole, "{script}");
        assert!(told[from..].contains("\ngames      24\n"), "{script}: {told}");
    }
}
