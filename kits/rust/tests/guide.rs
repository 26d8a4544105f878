//! docs/add-a-game.md says what is so: its code stands in this crate, and its commands are run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fenced block: its language, and what stands behind that.
struct Block {
    language: String,
    source: String,
    lines: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blocks() -> Vec<Block> {
    let page = fs::read_to_string(root().join("docs/add-a-game.md")).expect("the page is in docs");
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(mark) = line.strip_prefix("```") {
            let (language, source) = mark.split_once(' ').unwrap_or((mark, ""));
            let block = lines.by_ref().take_while(|line| *line != "```").map(String::from).collect();
            blocks.push(Block { language: language.into(), source: source.into(), lines: block });
        }
    }
    blocks
}

/// Without the spaces that all lines begin with.
fn dedented(lines: &[String]) -> Vec<&str> {
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let least = full.map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    lines.iter().map(|line| line.get(least..).unwrap_or("")).collect()
}

#[test]
fn its_code_stands_in_the_crate() {
    let blocks = blocks();
    let code: Vec<&Block> = blocks.iter().filter(|block| block.language != "sh").collect();
    assert!(code.len() >= 8, "the page shows {} blocks of code", code.len());
    for Block { source, lines, .. } in code {
        assert!(!source.is_empty(), "a block names its file: {lines:?}");
        let text =
            fs::read_to_string(root().join(source)).unwrap_or_else(|error| panic!("{source}: {error}"));
        let whole: Vec<String> = text.lines().map(String::from).collect();
        let stands = whole.windows(lines.len()).any(|part| dedented(part) == dedented(lines));
        assert!(stands, "{source} does not have these lines:\n{}", lines.join("\n"));
    }
}

#[test]
fn its_commands_are_run() {
    let programs = Path::new(env!("CARGO_BIN_EXE_breakthrough-engine")).parent().expect("a folder");
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
    // What opens a window is run by another test, and what builds was built.
    let blocks = blocks();
    let commands = blocks.iter().filter(|block| block.language == "sh" && block.source != "window");
    let run: Vec<&String> =
        commands.flat_map(|block| &block.lines).filter(|line| !line.starts_with("cargo ")).collect();
    assert!(run.len() >= 3, "the page shows {} commands", run.len());
    for command in run {
        let output = Command::new("sh").args(["-e", "-c", command]).env("PATH", &path).output().expect("sh");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{command}\n{out}{err}");
    }
}
