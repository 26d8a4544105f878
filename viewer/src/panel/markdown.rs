//! The rules of games, which are written in Markdown, as blocks that a panel can show.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

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
    pub(super) number: Option<u64>,
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
    let mut reader = MarkdownReader::default();
    Parser::new_ext(page, Options::ENABLE_TABLES).for_each(|event| reader.take(event));
    reader.blocks
}

/// What has been read of a page so far.
#[derive(Default)]
struct MarkdownReader {
    blocks: Vec<Block>,
    /// The text that is being read, and its style.
    text: Vec<Span>,
    style: Span,
    /// The next number of every list that is being read, from the outermost.
    lists: Vec<Option<u64>>,
    items: Vec<Item>,
    cells: Vec<Vec<Span>>,
    rows: Vec<Vec<Vec<Span>>>,
    /// What stands behind the fence of a block.
    info: String,
}

impl MarkdownReader {
    fn take(&mut self, event: Event) {
        match event {
            Event::Start(Tag::Strong) => self.style.strong = true,
            Event::End(TagEnd::Strong) => self.style.strong = false,
            Event::Start(Tag::Emphasis) => self.style.emphasis = true,
            Event::End(TagEnd::Emphasis) => self.style.emphasis = false,
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.write(&text, false),
            Event::Code(text) => self.write(&text, true),
            Event::SoftBreak | Event::HardBreak => self.write(" ", false),

            Event::End(TagEnd::Heading(level)) => {
                let text = self.take_text();
                self.blocks.push(Block::Heading { level: level as usize, text });
            }
            Event::End(TagEnd::Paragraph | TagEnd::HtmlBlock) if self.lists.is_empty() => {
                let text = self.take_text();
                self.blocks.push(Block::Paragraph(text));
            }
            Event::Start(Tag::List(first)) => {
                self.end_item();
                self.lists.push(first);
            }
            Event::End(TagEnd::Item) => self.end_item(),
            Event::End(TagEnd::List(_)) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blocks.push(Block::List(std::mem::take(&mut self.items)));
                }
            }
            Event::End(TagEnd::TableCell) => {
                let cell = self.take_text();
                self.cells.push(cell);
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                self.rows.push(std::mem::take(&mut self.cells));
            }
            Event::End(TagEnd::Table) => {
                let mut rows = std::mem::take(&mut self.rows).into_iter();
                let head = rows.next().unwrap_or_default();
                self.blocks.push(Block::Table { head, rows: rows.collect() });
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                self.info = match kind {
                    CodeBlockKind::Fenced(info) => info.trim().into(),
                    CodeBlockKind::Indented => String::new(),
                };
            }
            Event::End(TagEnd::CodeBlock) => {
                let text: String = self.take_text().into_iter().map(|span| span.text).collect();
                let text = text.trim_end_matches('\n').to_string();
                self.blocks.push(match self.info.split_once(' ') {
                    Some(("board", game)) => Block::Board { game: game.trim().into(), text },
                    _ => Block::Code(text),
                });
            }
            _ => {}
        }
    }

    fn write(&mut self, text: &str, code: bool) {
        let style = Span { code, ..self.style.clone() };
        match self.text.last_mut() {
            Some(last) if Span { text: String::new(), ..last.clone() } == style => last.text.push_str(text),
            _ => self.text.push(Span { text: text.into(), ..style }),
        }
    }

    fn take_text(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.text)
    }

    /// An item ends where it ends, or where a list begins within it.
    fn end_item(&mut self) {
        let text = self.take_text();
        if let Some(next) = self.lists.last_mut().filter(|_| !text.is_empty()) {
            let number = *next;
            *next = number.map(|number| number + 1);
            self.items.push(Item { number, text });
        }
    }
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
            read("**five or more** in *one* row: `c3*b3`"),
            [Block::Paragraph(vec![strong, plain(" in "), emphasis, plain(" row: "), code])]
        );
        assert_eq!(read(""), []);
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
        let item = |number: Option<u64>, text: &str| Item { number, text: vec![plain(text)] };
        assert_eq!(
            read(text),
            [
                Block::Heading { level: 2, text: vec![plain("Setting up")] },
                Block::List(vec![item(Some(1), "First of all."), item(Some(2), "Then.")]),
                Block::List(vec![item(None, "a dot")]),
                Block::Table {
                    head: vec![vec![plain("a")], vec![plain("b")]],
                    rows: vec![vec![vec![plain("1")], vec![plain("2")]]]
                },
            ]
        );
    }

    #[test]
    fn a_list_within_a_list_becomes_part_of_it() {
        let item = |number, text: &str| Item { number, text: vec![plain(text)] };
        assert_eq!(
            read("3. three\n   - a dot\n4. four"),
            [Block::List(vec![item(Some(3), "three"), item(None, "a dot"), item(Some(4), "four")])]
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
