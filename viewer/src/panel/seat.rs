//! Who sits where: the mark of a side, and the choice of a player.

use egui_macroquad::egui::{self, Align2, FontId, Rect, Sense, Stroke, Ui, Vec2, pos2, vec2};
use tabuleiro_protocol::{Hello, LevelRole, Player, Seat};

use super::look::{self, ACCENT, DIM, Explain, note, one_of};
use crate::app::App;
use crate::sets::{self, flat};

/// The sign of a side, to be told from the other's by its form as well: what the pieces on the
/// board bear.
pub(super) fn mark(ui: &mut Ui, game: &str, side: Option<&str>, seat: Seat, size: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(size, size), Sense::hover());
    response.explain(side.map_or(format!("seat {seat}"), String::from));
    paint_mark(ui.painter(), rect, game, side, seat);
}

pub(super) fn paint_mark(painter: &egui::Painter, rect: Rect, game: &str, side: Option<&str>, seat: Seat) {
    match side {
        Some(side) => {
            // Here what is dark lies on what is dark, and is told by its edge.
            let size = rect.size().max(Vec2::splat(flat::LEAST_WITH_SIGN));
            let rect = Rect::from_center_size(rect.center(), size);
            sets::find(game, None).paint_emblem(painter, rect, is_dark(side, seat));
        }
        None => {
            let middle = rect.center();
            painter.circle_stroke(middle, rect.width() * 0.5 - 1.0, Stroke::new(1.2, DIM));
            let font = FontId::proportional(rect.width() * 0.62);
            painter.text(middle, Align2::CENTER_CENTER, seat.to_string(), font, DIM);
        }
    }
}

/// Whether a side has the dark pieces. Where its name does not tell, the first seat has.
fn is_dark(side: &str, seat: Seat) -> bool {
    match side {
        "black" | "dark" | "x" | "b" | "d" => true,
        "white" | "light" | "o" | "w" | "l" => false,
        _ => seat == Seat::One,
    }
}

/// Who plays, in words.
pub(super) fn player_name(player: &Player, hello: Option<&Hello>) -> String {
    match player {
        Player::Client { open: false, .. } => "Person".into(),
        Player::Client { claimed: true, .. } => "A guest".into(),
        Player::Client { .. } => "Anyone who joins".into(),
        Player::Ai { level, .. } => {
            let known = hello.and_then(|hello| hello.levels.iter().find(|known| known.id == *level));
            format!("Computer, {}", known.map_or(level.as_str(), |known| known.name.as_str()))
        }
        Player::Bot { name, .. } => format!("Program, {name}"),
    }
}

/// How the person has done against a level in a game, in a sentence.
pub(super) fn score_against(app: &App, game: &str, level: &str) -> Option<String> {
    let played = app.saved.iter().filter(|saved| saved.game == game);
    let results: Vec<Option<bool>> = played
        .filter_map(|saved| saved.result.as_ref())
        .filter(|result| result.level == level)
        .map(|result| result.won)
        .collect();
    let count = |won| results.iter().filter(|result| **result == won).count();
    let (won, lost, drawn) = (count(Some(true)), count(Some(false)), count(None));
    let drawn = if drawn > 0 { format!(", {drawn} drawn") } else { String::new() };
    (!results.is_empty()).then(|| format!("Your games against it: {won} won, {lost} lost{drawn}."))
}

/// A level for the first game of a kind: who is new to it has better things to do than to lose.
pub(super) fn first_level(hello: &Hello) -> Option<Player> {
    let gentle = hello.level_for(LevelRole::Lesson);
    let gentle = gentle.map(|level| Player::Ai { level: level.id.clone(), limits: None });
    gentle.or_else(|| usual_level(hello))
}

/// A level of the computer's for someone who has not said which.
pub(super) fn usual_level(hello: &Hello) -> Option<Player> {
    let usual = hello.level_for(LevelRole::Opponent).or(hello.levels.first())?;
    Some(Player::Ai { level: usual.id.clone(), limits: None })
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Person,
    Whoever,
    Computer,
    Program,
}

/// Lets one choose a player; with `is_shared` it may be somebody else at the same engine. Gives who
/// was chosen just now.
pub(super) fn choose_player(
    ui: &mut Ui,
    player: &Player,
    hello: &Hello,
    is_shared: bool,
    score: &dyn Fn(&str) -> Option<String>,
) -> Option<Player> {
    let kind = match player {
        Player::Client { open: true, .. } if is_shared => Kind::Whoever,
        Player::Client { .. } => Kind::Person,
        Player::Ai { .. } => Kind::Computer,
        Player::Bot { .. } => Kind::Program,
    };
    let mut kinds = vec![(Kind::Person, "Person"), (Kind::Computer, "Computer")];
    if is_shared {
        kinds.insert(1, (Kind::Whoever, "Anyone who joins"));
    }
    if !hello.bots.is_empty() {
        kinds.push((Kind::Program, "Program"));
    }
    let mut chosen = one_of(ui, &kind, &kinds).and_then(|kind| match kind {
        Kind::Person => Some(Player::default()),
        Kind::Whoever => Some(Player::Client { open: true, claimed: false }),
        Kind::Computer => usual_level(hello),
        Kind::Program => hello.bots.first().map(|name| Player::Bot { name: name.clone(), limits: None }),
    });
    match player {
        Player::Client { claimed: true, .. } if is_shared => {
            drop(note(ui, "Someone has joined and plays this seat."))
        }
        Player::Client { open: true, .. } if is_shared => drop(note(
            ui,
            "Someone at another window, or a program, can take this seat. Until then you play it.",
        )),
        Player::Client { .. } => drop(note(ui, "You, or someone next to you.")),
        Player::Ai { level, limits } => {
            let levels: Vec<(String, &str)> =
                hello.levels.iter().map(|level| (level.id.clone(), level.name.as_str())).collect();
            if let Some(level) = one_of(ui, level, &levels) {
                chosen = Some(Player::Ai { level, limits: limits.clone() });
            }
            if let Some(level) = hello.levels.iter().find(|known| known.id == *level) {
                note(ui, &level.help);
                score(&level.id).into_iter().for_each(|words| drop(note(ui, words)));
            }
        }
        Player::Bot { name, limits } => {
            let names: Vec<(String, &str)> =
                hello.bots.iter().map(|bot| (bot.clone(), bot.as_str())).collect();
            if let Some(name) = one_of(ui, name, &names) {
                chosen = Some(Player::Bot { name, limits: limits.clone() });
            }
            note(ui, "A program that was named when the engine was started.");
        }
    }
    chosen
}

/// A thin bar at the left of a row that is about the seat to move.
pub(super) fn paint_turn_bar(ui: &Ui, rect: Rect) {
    let bar = Rect::from_min_max(rect.min, pos2(rect.min.x + 3.0, rect.max.y));
    ui.painter().rect_filled(bar.shrink2(vec2(0.0, look::GRID * 0.5)), 2.0, ACCENT);
}
