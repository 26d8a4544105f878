//! A review as one page that needs nothing else: a graph of the chances, the turns, and for every
//! mistake the board with what was played and what was better.

use std::fmt::Write;

use tabuleiro_protocol::{
    Event, Limits, PerSeat, PieceSide, Reviewed, ReviewedTurn, Seat, TokenLook, Trace, Verdict,
};

use super::board::{Board, Sign};
use crate::game::capitalized;
use crate::session::Session;
use crate::table::Table;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fbfaf7}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}\
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:left;border-bottom:1px solid #ddd}\
td.number,th.number{text-align:right;white-space:nowrap}.mistake{display:flex;gap:1.5rem;flex-wrap:wrap;border-top:1px solid #ccc;padding:1rem 0}\
.mistake svg{flex:0 0 20rem;max-width:20rem}.mistake div{flex:1 1 18rem}code{background:#eee;padding:0 .25rem}\
.sign{margin-right:1.5rem}.sign svg{width:1rem;height:1rem;vertical-align:-.15rem}.played{color:#a3281c}.better{color:#1c6b3a}svg text{font:11px system-ui,sans-serif}";

/// What a search may take, in words.
fn effort(limits: &Limits) -> String {
    let limited = [
        limits.time_ms.map(|time| format!("{time} ms")),
        limits.nodes.map(|nodes| format!("{nodes} nodes")),
        limits.depth.map(|depth| format!("{depth} actions ahead")),
    ];
    match limited.into_iter().flatten().collect::<Vec<String>>().as_slice() {
        [] => "what the level has".into(),
        limited => format!("at most {}", limited.join(" and ")),
    }
}

/// The page. `name` is that of the game; `looks` say what its tokens look like.
pub fn page(name: &str, looks: &[TokenLook], table: &Table, review: &Reviewed) -> String {
    let sides = names(table);
    let title = format!("{name}: {} and {}", sides.one, sides.two);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    // Writing to a string does not fail.
    let _ = write_page(&mut page, looks, table, review, &sides);
    page.push_str("</body></html>\n");
    page
}

fn write_page(
    page: &mut String,
    looks: &[TokenLook],
    table: &Table,
    review: &Reviewed,
    sides: &PerSeat<String>,
) -> std::fmt::Result {
    let Reviewed { turns, summary, total, done, level, limits, .. } = review;
    if let Some(ending) = table.ending() {
        writeln!(page, "<p>{}</p>", escaped(&ending.text))?;
    }
    writeln!(
        page,
        "<p>{done} of {total} turns, judged by {} with {} for every position.</p>",
        escaped(level),
        effort(limits)
    )?;
    writeln!(page, "<h2>Chances</h2>\n{}\n{}", graph(turns, &sides.one), legend(turns))?;
    writeln!(
        page,
        "<h2>Summary</h2>\n<table><tr><th></th><th class=\"number\">{}</th><th class=\"number\">{}</th></tr>",
        escaped(&sides.one),
        escaped(&sides.two)
    )?;
    let (one, two) = (&summary.one, &summary.two);
    writeln!(page, "{}", row("turns", one.turns, two.turns))?;
    writeln!(page, "{}", row("mean cost", percent(one.mean_cost), percent(two.mean_cost)))?;
    for (words, one, two) in [
        ("best, forced or only", one.best + one.forced + one.only, two.best + two.forced + two.only),
        ("good", one.good, two.good),
        ("inaccuracies", one.inaccuracies, two.inaccuracies),
        ("mistakes", one.mistakes, two.mistakes),
        ("blunders", one.blunders, two.blunders),
        ("missed wins", one.missed_wins, two.missed_wins),
    ] {
        writeln!(page, "{}", row(words, one, two))?;
    }
    writeln!(page, "</table>\n<h2>Mistakes</h2>")?;
    let mut session = table.session().clone();
    let mistakes: Vec<&ReviewedTurn> = turns.iter().filter(|turn| turn.verdict.is_bad()).collect();
    if mistakes.is_empty() {
        writeln!(page, "<p>None.</p>")?;
    }
    for turn in mistakes {
        write_mistake(page, looks, &mut session, turn, &sides[turn.seat])?;
    }
    writeln!(
        page,
        "<h2>All turns</h2>\n<table><tr><th></th><th>side</th><th>played</th><th class=\"number\">chance</th>\
         <th class=\"number\">cost</th><th>verdict</th><th>best</th></tr>"
    )?;
    for turn in turns {
        let best = turn.best.first().map(|best| best.actions.join(" ")).unwrap_or_default();
        writeln!(
            page,
            "<tr><td class=\"number\">{}</td><td>{}</td><td><code>{}</code></td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{}</td><td><code>{}</code></td></tr>",
            turn.turn,
            escaped(&sides[turn.seat]),
            escaped(&turn.actions.join(" ")),
            chance(turn.after.win, turn.after.proved.is_some()),
            percent(turn.cost),
            turn.verdict.words(),
            escaped(&best),
        )?;
    }
    writeln!(page, "</table>")
}

fn write_mistake(
    page: &mut String,
    looks: &[TokenLook],
    session: &mut Session,
    turn: &ReviewedTurn,
    side: &str,
) -> std::fmt::Result {
    session.pass_by(turn.node);
    let rows = session.position().snapshot().rows;
    let mut board = Board::new(&rows, looks);
    let best = turn.best.first();
    if let Some(best) = best {
        board.show(traces(session, &best.actions), Sign::Better);
    }
    board.show(traces(session, &turn.actions), Sign::Played);
    // The line begins with the turn itself.
    let rest = best.and_then(|best| best.pv.strip_prefix(best.actions.as_slice())).unwrap_or_default();
    let line = match rest {
        [] => String::new(),
        rest => format!("<p>It might go on <code>{}</code></p>", escaped(&rest.join(" "))),
    };
    writeln!(
        page,
        "<div class=\"mistake\" id=\"turn-{number}\">{svg}<div><h3>Turn {number}, {side}: {verdict}</h3>\
         <p class=\"played\">□ played <code>{played}</code>: {after}</p>\
         <p class=\"better\">○ better <code>{better}</code>: {before}</p>{line}</div></div>",
        number = turn.turn,
        svg = board.svg(),
        side = escaped(side),
        verdict = turn.verdict.words(),
        played = escaped(&turn.actions.join(" ")),
        after = chance(turn.after.win, turn.after.proved.is_some()),
        better = escaped(&best.map(|best| best.actions.join(" ")).unwrap_or_default()),
        before = chance(turn.before.win, turn.before.proved.is_some()),
    )
}

/// What a turn would leave to be seen.
fn traces(session: &Session, actions: &[String]) -> Vec<Trace> {
    let events = session.alone().play_all(actions).unwrap_or_default();
    events.iter().flat_map(Event::traces).collect()
}

/// The chances of seat 1 from turn to turn, with the mistakes on it.
fn graph(turns: &[ReviewedTurn], name: &str) -> String {
    let (width, height) = (800.0, 200.0);
    let of_one = |turn: &ReviewedTurn, win: f64| if turn.seat == Seat::One { win } else { 1.0 - win };
    let step = width / (turns.len().max(1)) as f64;
    let mut points = Vec::new();
    if let Some(first) = turns.first() {
        points.push((0.0, height * (1.0 - of_one(first, first.before.win))));
    }
    for (index, turn) in turns.iter().enumerate() {
        points.push(((index + 1) as f64 * step, height * (1.0 - of_one(turn, turn.after.win))));
    }
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let mut svg = format!(
        "<svg viewBox=\"-40 -12 860 236\" role=\"img\" aria-label=\"chances of {0}\"><rect width=\"{width}\" \
         height=\"{height}\" fill=\"#fff\" stroke=\"#bbb\"/><line x1=\"0\" x2=\"{width}\" y1=\"100\" y2=\"100\" \
         stroke=\"#ccc\"/><text x=\"-36\" y=\"8\">100 %</text><text x=\"-36\" y=\"204\">0 %</text>\
         <text x=\"0\" y=\"218\">chances of {0}, turn by turn</text><polyline points=\"{1}\" fill=\"none\" \
         stroke=\"#345\" stroke-width=\"2\"/>",
        escaped(name),
        line.join(" ")
    );
    for (turn, (x, y)) in turns.iter().zip(points.iter().skip(1)).filter(|(turn, _)| turn.verdict.is_bad()) {
        let _ = write!(
            svg,
            "<a href=\"#turn-{}\"><title>Turn {}: {}</title>{}</a>",
            turn.turn,
            turn.turn,
            turn.verdict.words(),
            sign(turn.verdict, *x, *y)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// What a bad turn is marked with, by form as well as colour.
fn sign(verdict: Verdict, x: f64, y: f64) -> String {
    match verdict {
        Verdict::Mistake => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#d98c1f\"/>"),
        Verdict::Blunder => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"#b3261e\"/>",
            x - 5.0,
            y - 5.0
        ),
        _ => format!("<path d=\"M{x:.1} {:.1}l6 11h-12z\" fill=\"#7a1fa2\"/>", y - 7.0),
    }
}

/// What the signs on the graph mean, as far as there are any.
fn legend(turns: &[ReviewedTurn]) -> String {
    let bad = [Verdict::Mistake, Verdict::Blunder, Verdict::MissedWin];
    let is_there = |verdict: &Verdict| turns.iter().any(|turn| turn.verdict == *verdict);
    let one = |verdict: Verdict| {
        let sign = sign(verdict, 8.0, 8.0);
        format!("<span class=\"sign\"><svg viewBox=\"0 0 16 16\">{sign}</svg> {}</span>", verdict.words())
    };
    match bad.into_iter().filter(is_there).map(one).collect::<String>() {
        none if none.is_empty() => none,
        signs => format!("<p>{signs}</p>"),
    }
}

fn names(table: &Table) -> PerSeat<String> {
    let sides = table.position().snapshot().sides;
    let name = |seat: Seat| sides[seat].as_deref().map_or(format!("Seat {seat}"), capitalized);
    PerSeat { one: name(Seat::One), two: name(Seat::Two) }
}

fn row(words: &str, one: impl ToString, two: impl ToString) -> String {
    let cell = |value: String| format!("<td class=\"number\">{value}</td>");
    format!("<tr><td>{words}</td>{}{}</tr>", cell(one.to_string()), cell(two.to_string()))
}

fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

fn chance(win: f64, is_proved: bool) -> String {
    let proved = if is_proved { " (proved)" } else { "" };
    format!("{:.0} %{proved}", win * 100.0)
}

/// As text of a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Which side a token is of, if nobody says: by its first letter.
pub(super) fn side_of(token: &str) -> PieceSide {
    match token.chars().next() {
        Some('b' | 'B' | 'x' | 'X' | 'd' | 'D') => PieceSide::Dark,
        Some('w' | 'W' | 'o' | 'O' | 'l' | 'L') => PieceSide::Light,
        Some(letter) if letter.is_ascii_uppercase() => PieceSide::Light,
        Some(letter) if letter.is_ascii_lowercase() => PieceSide::Dark,
        _ => PieceSide::Neutral,
    }
}
