//! A review in the words of a terminal.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Instant;

use parking_lot::Mutex;
use tabuleiro_protocol::{Reviewed, ReviewedTurn, Seat, Verdict};

use super::{News, Review};
use crate::table::Table;
use crate::threads::spawn_scoped;

/// Looks through a game on so many threads, and says of every turn in its order what it was worth.
pub fn look_through(
    review: &Review,
    threads: usize,
    stop: &AtomicBool,
    say: &(dyn Fn(&ReviewedTurn) + Sync),
) -> Reviewed {
    let began = Instant::now();
    let early = Mutex::new((0, BTreeMap::new()));
    let tell = |news: News<'_>| {
        if let News::Turn { index, turn } = news {
            let (next, waiting) = &mut *early.lock();
            waiting.insert(index, turn.clone());
            while let Some(turn) = waiting.remove(&*next) {
                say(&turn);
                *next += 1;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(review.total() + 1) {
            // With fewer threads it takes longer.
            if spawn_scoped(scope, || review.take_part(stop, || true, &tell)).is_err() {
                break;
            }
        }
        review.take_part(stop, || true, &tell);
    });
    review.result(began.elapsed())
}

/// What a turn was worth, on one line.
pub fn line(turn: &ReviewedTurn) -> String {
    let chance =
        |win: f64, is_proved: bool| format!("{:.0}{}%", win * 100.0, if is_proved { "!" } else { " " });
    let mut line = format!(
        "{:>4}. seat {}  {} -> {}  {:<10}  {}",
        turn.turn,
        turn.seat,
        chance(turn.before.win, turn.before.proved.is_some()),
        chance(turn.after.win, turn.after.proved.is_some()),
        turn.verdict.words(),
        turn.actions.join(" ")
    );
    if let Some(best) = turn.best.first().filter(|_| turn.verdict > Verdict::Best) {
        line.push_str(&format!("   better: {}", best.pv.join(" ")));
    }
    line
}

fn count(many: usize, one: &str, more: &str) -> String {
    format!("{many} {}", if many == 1 { one } else { more })
}

/// How both have played.
pub fn closing(table: &Table, review: &Reviewed) -> String {
    let sides = table.position().snapshot().sides;
    let mut text = String::new();
    for seat in Seat::BOTH {
        let summary = &review.summary[seat];
        let name = sides[seat].clone().unwrap_or_else(|| format!("seat {seat}"));
        text.push_str(&format!(
            "{name}: {}, mean cost {:.1} %, {}, {}, {}, {}\n",
            count(summary.turns, "turn", "turns"),
            summary.mean_cost * 100.0,
            count(summary.inaccuracies, "inaccuracy", "inaccuracies"),
            count(summary.mistakes, "mistake", "mistakes"),
            count(summary.blunders, "blunder", "blunders"),
            count(summary.missed_wins, "missed win", "missed wins")
        ));
    }
    text
}
