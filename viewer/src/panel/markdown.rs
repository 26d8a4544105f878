//! As much Markdown as the rules of games are written in.

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Heading {
        level: usize,
        text: Vec<Span>,
    },
    Paragraph(Vec<Span>),
    List(Vec<Item>),
    Table {
        head: Vec<Vec<Span>>,
        rows: Vec<Vec<Vec<Span>>>,
    },
    Code(String),
    /// A fenced block that begins with "board" and the name of a game.
    Board {
        game: String,
        text: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The number, or nothing for a dot.
    pub(super) number: Option<String>,
    pub(super) text: Vec<Span>,
}

/// A run of text in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) strong: bool,
    pub(super) emphasis: bool,
    pub(super) code: bool,
}

pub(super) fn read(page: &str) -> Vec<Block> {
    let lines: Vec<&str> = page.lines().collect();
    let mut blocks = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let taken = if line.trim().is_empty() {
            1
        } else if let Some(info) = line.strip_prefix("```") {
            let (block, taken) = fenced(info, &lines[at + 1..]);
            blocks.push(block);
            taken + 1
        } else if line.starts_with("    ") {
            let taken = count(&lines[at..], |line| line.starts_with("    ") || line.trim().is_empty());
            blocks.push(Block::Code(outdented(&lines[at..at + taken])));
            taken
        } else if let Some(heading) = heading(line) {
            blocks.push(heading);
            1
        } else if line.starts_with('|') {
            let taken = count(&lines[at..], |line| line.starts_with('|'));
            blocks.push(table(&lines[at..at + taken]));
            taken
        } else if item_start(line).is_some() {
            let taken = count(&lines[at..], |line| item_start(line).is_some() || line.starts_with("  "));
            blocks.push(list(&lines[at..at + taken]));
            taken
        } else {
            let taken = count(&lines[at..], is_prose);
            blocks.push(Block::Paragraph(spans(&joined(&lines[at..at + taken]))));
            taken
        };
        at += taken;
    }
    blocks
}

fn count(lines: &[&str], belongs: impl Fn(&str) -> bool) -> usize {
    lines.iter().take_while(|line| belongs(line)).count()
}

fn is_prose(line: &str) -> bool {
    let begins_else = line.starts_with('|') || line.starts_with("```") || heading(line).is_some();
    !line.trim().is_empty() && !begins_else && item_start(line).is_none()
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn heading(line: &str) -> Option<Block> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let text = text.strip_prefix(' ')?;
    (level > 0).then(|| Block::Heading { level, text: spans(text.trim()) })
}

fn fenced(info: &str, lines: &[&str]) -> (Block, usize) {
    let inside = count(lines, |line| !line.starts_with("```"));
    let text = lines[..inside].join("\n");
    let block = match info.trim().split_once(' ') {
        Some(("board", game)) => Block::Board { game: game.trim().into(), text },
        _ => Block::Code(text),
    };
    (block, (inside + 1).min(lines.len()))
}

/// Without the spaces that all lines begin with, and without empty lines at the end.
fn outdented(lines: &[&str]) -> String {
    let indents = lines.iter().filter(|line| !line.trim().is_empty());
    let indent = indents.map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|line| line.get(indent..).unwrap_or("").trim_end()).collect();
    lines.join("\n").trim_end().into()
}

/// The mark of a list's item and what follows it.
fn item_start(line: &str) -> Option<(Option<String>, &str)> {
    if let Some(text) = line.strip_prefix("- ") {
        return Some((None, text));
    }
    let (number, text) = line.split_once(". ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (Some(number.into()), text))
}

fn list(lines: &[&str]) -> Block {
    let mut items: Vec<(Option<String>, String)> = Vec::new();
    for line in lines {
        match (item_start(line), items.last_mut()) {
            (Some((number, text)), _) => items.push((number, text.trim().into())),
            (None, Some((_, text))) => *text = format!("{text} {}", line.trim()),
            (None, None) => {}
        }
    }
    Block::List(items.into_iter().map(|(number, text)| Item { number, text: spans(&text) }).collect())
}

fn table(lines: &[&str]) -> Block {
    let cells = |line: &&str| -> Vec<Vec<Span>> {
        line.trim().trim_matches('|').split('|').map(|cell| spans(cell.trim())).collect()
    };
    let is_rule = |line: &&&str| line.chars().all(|letter| "|-: ".contains(letter));
    let mut rows = lines.iter().filter(|line| !is_rule(line)).map(cells);
    Block::Table { head: rows.next().unwrap_or_default(), rows: rows.collect() }
}

/// Runs of strong, emphasised and code text.
fn spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut now = Span::default();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let sign = ["`", "**", "*"].into_iter().find(|sign| rest.starts_with(sign));
        let Some(sign) = sign.filter(|sign| *sign == "`" || !now.code) else {
            now.text.push(letter);
            rest = &rest[letter.len_utf8()..];
            continue;
        };
        if !now.text.is_empty() {
            spans.push(now.clone());
            now.text.clear();
        }
        match sign {
            "`" => now.code = !now.code,
            "**" => now.strong = !now.strong,
            _ => now.emphasis = !now.emphasis,
        }
        rest = &rest[sign.len()..];
    }
    spans.extend(Some(now).filter(|span| !span.text.is_empty()));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Span {
        Span { text: text.into(), ..Span::default() }
    }

    #[test]
    fn styles_within_a_line() {
        let strong = Span { strong: true, ..plain("five or more") };
        let emphasis = Span { emphasis: true, ..plain("one") };
        let code = Span { code: true, ..plain("c3*b3") };
        assert_eq!(
            spans("**five or more** in *one* row: `c3*b3`"),
            [strong, plain(" in "), emphasis, plain(" row: "), code]
        );
        assert_eq!(spans(""), []);
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        let text = "One line\nand another.\n\nA second.";
        assert_eq!(
            read(text),
            [
                Block::Paragraph(vec![plain("One line and another.")]),
                Block::Paragraph(vec![plain("A second.")])
            ]
        );
    }

    #[test]
    fn headings_lists_and_tables() {
        let text =
            "## Setting up\n\n1. First\n   of all.\n2. Then.\n\n- a dot\n\n| a | b |\n|---|---|\n| 1 | 2 |";
        let item = |number: Option<&str>, text: &str| Item {
            number: number.map(Into::into),
            text: vec![plain(text)],
        };
        assert_eq!(
            read(text),
            [
                Block::Heading { level: 2, text: vec![plain("Setting up")] },
                Block::List(vec![item(Some("1"), "First of all."), item(Some("2"), "Then.")]),
                Block::List(vec![item(None, "a dot")]),
                Block::Table {
                    head: vec![vec![plain("a")], vec![plain("b")]],
                    rows: vec![vec![vec![plain("1")], vec![plain("2")]]]
                },
            ]
        );
    }

    #[test]
    fn code_and_boards() {
        let text = "      a b\n    c\n\n```board zurero\n. ●\n○ .\n```\nText.";
        assert_eq!(
            read(text),
            [
                Block::Code("  a b\nc".into()),
                Block::Board { game: "zurero".into(), text: ". ●\n○ .".into() },
                Block::Paragraph(vec![plain("Text.")]),
            ]
        );
    }

    #[test]
    fn nothing_is_too_odd_to_read() {
        for text in
            ["```", "```board", "|", "#", "**", "`", "- ", "1. ", "    ", "\n\n", "* *", "######", "é**ü"]
        {
            read(text);
        }
    }
}
