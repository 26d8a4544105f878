//! What was learnt and played, on one page.

use egui_macroquad::egui::{
    Align2, Color32, Context, Grid, Pos2, Rect, RichText, ScrollArea, Sense, Shape, Stroke, StrokeKind,
    TextStyle, Ui, pos2, vec2,
};
use tabuleiro_protocol::Day;
use tabuleiro_protocol::progress::{DayTally, Results};

use super::home::game_name;
use super::lesson::{standing, tabs};
use super::look::{self, ACCENT, DIM, Explain, FAINT, GRID, LINE, TEXT, ask, note, section};
use crate::app::{App, Screen};
use crate::command::{Command, Panel};

const WIDTH: f32 = 720.0;
/// The graph goes back so many days.
const DAYS: i64 = 30;
const HEIGHT: f32 = GRID * 14.0;

pub(super) fn show(ctx: &Context, app: &App, commands: &mut Vec<Command>) -> bool {
    look::sheet(ctx, "Progress", WIDTH, app.screen == Screen::Board, |ui| {
        tabs(ui, Panel::Progress, commands);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            if app.progress.days.is_empty() {
                note(ui, "Nothing yet. Lessons, puzzles and games against the computer are counted here.");
            }
            activity(ui, app);
            ratings(ui, app);
            lessons(ui, app);
            puzzles(ui, app);
            games(ui, app);
            ui.add_space(GRID * 2.0);
            ui.horizontal_wrapped(|ui| {
                ask(ui, "Export", Command::ExportProgress, commands)
                    .explain("As a file that other programs can read");
                ask(ui, "Delete", Command::Show(Panel::ConfirmDeleteProgress), commands)
                    .explain("Asks first");
            });
            look::scroll_by_keys(ui);
        });
    })
}

fn lessons(ui: &mut Ui, app: &App) {
    section(ui, "Lessons");
    table(ui, "lessons", |ui| {
        for game in app.hello.iter().flat_map(|hello| &hello.games) {
            ui.label(RichText::new(&game.name).color(TEXT));
            note(ui, standing(app, &game.id));
            ui.end_row();
        }
    });
}

fn puzzles(ui: &mut Ui, app: &App) {
    section(ui, "Puzzles");
    let progress = &app.progress;
    let (streak, days) = (progress.streak, progress.days_in_a_row(app.today));
    note(
        ui,
        format!(
            "Solved in a row without help: {}, at best {}. Days in a row: {days}. Coming again today: {}.",
            streak.now,
            streak.best,
            progress.due(app.today).len()
        ),
    );
    table(ui, "puzzles", |ui| {
        for game in app.hello.iter().flat_map(|hello| &hello.games) {
            let of_game = |name: &&String| {
                let own =
                    app.own_puzzles.iter().filter(|puzzle| puzzle.name == **name).map(|puzzle| &puzzle.game);
                let mut all =
                    app.puzzles.iter().filter(|puzzle| puzzle.name == **name).map(|puzzle| &puzzle.game);
                all.next() == Some(&game.id) || own.clone().next() == Some(&game.id)
            };
            let known: Vec<&String> = progress.puzzles.keys().filter(of_game).collect();
            let solved = known.iter().filter(|name| progress.puzzles[**name].is_solved()).count();
            let count = app.puzzles.iter().filter(|puzzle| puzzle.game == game.id).count();
            let rating = progress.rating(&game.id);
            ui.label(RichText::new(&game.name).color(TEXT));
            note(ui, format!("{solved} of {count} solved, {} tried", known.len()));
            note(
                ui,
                match rating.results {
                    0 => "no rating yet".to_string(),
                    results => format!("rating {:.0} from {results}", rating.value),
                },
            );
            ui.end_row();
        }
    });
}

/// Results against each level.
fn games(ui: &mut Ui, app: &App) {
    section(ui, "Games against the computer");
    if app.progress.games.is_empty() {
        note(ui, "None is finished yet.");
        return;
    }
    table(ui, "games", |ui| {
        for (game, levels) in &app.progress.games {
            for (level, results) in in_order(app, levels) {
                ui.label(RichText::new(game_name(app, game)).color(TEXT));
                note(ui, level);
                note(ui, in_words(results));
                share(ui, results);
                ui.end_row();
            }
        }
    });
}

/// The levels as the engine orders them, by their names.
fn in_order(app: &App, levels: &std::collections::BTreeMap<String, Results>) -> Vec<(String, Results)> {
    let known: Vec<(&str, &str)> = app
        .hello
        .iter()
        .flat_map(|hello| &hello.levels)
        .map(|level| (level.id.as_str(), level.name.as_str()))
        .collect();
    let mut rows: Vec<(usize, String, Results)> = levels
        .iter()
        .map(|(id, results)| {
            let place = known.iter().position(|(known, _)| known == id);
            let name = place.map_or(id.as_str(), |place| known[place].1);
            (place.unwrap_or(known.len()), name.to_string(), *results)
        })
        .collect();
    rows.sort_by_key(|(place, ..)| *place);
    rows.into_iter().map(|(_, name, results)| (name, results)).collect()
}

fn in_words(results: Results) -> String {
    let Results { won, lost, drawn } = results;
    format!("{won} won, {lost} lost, {drawn} drawn")
}

/// The part that was won, as a bar.
fn share(ui: &mut Ui, results: Results) {
    let (rect, _) = ui.allocate_exact_size(vec2(GRID * 12.0, GRID), Sense::hover());
    let part = f64::from(results.won) + f64::from(results.drawn) * 0.5;
    let part = (part / f64::from(results.games().max(1))) as f32;
    ui.painter().rect(rect, 3.0, Color32::from_black_alpha(70), Stroke::new(1.0, FAINT), StrokeKind::Inside);
    let won = rect.with_max_x(rect.left() + rect.width() * part);
    ui.painter().rect_filled(won, 3.0, ACCENT);
}

fn table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    look::dense(ui);
    // Where a window is narrow it is moved sideways.
    ScrollArea::horizontal().id_salt(name).auto_shrink([false, true]).show(ui, |ui| {
        // In a narrow window a row is longer than the page is wide.
        ScrollArea::horizontal().id_salt((name, "across")).show(ui, |ui| {
            Grid::new(name).spacing([GRID * 2.0, GRID * 0.5]).show(ui, rows);
        });
    });
}

/// What was done on each of the last days: a bar for puzzles, one for steps of lessons, one for games.
fn activity(ui: &mut Ui, app: &App) {
    section(ui, "The last 30 days");
    let rect = frame(ui);
    let days: Vec<(Day, DayTally)> = (0..DAYS)
        .map(|ago| app.today.plus(ago + 1 - DAYS))
        .map(|day| (day, app.progress.days.get(&day).cloned().unwrap_or_default()))
        .collect();
    let parts = |day: &DayTally| [day.solved + day.failed, day.steps, day.games.games()];
    let most = days.iter().map(|(_, day)| parts(day).iter().sum::<u32>()).max().unwrap_or(0);
    let wide = rect.width() / DAYS as f32;
    let painter = ui.painter_at(rect.expand(1.0));
    for (index, (_, day)) in days.iter().enumerate() {
        let left = rect.left() + wide * index as f32;
        let mut bottom = rect.bottom();
        for (kind, count) in parts(day).into_iter().enumerate() {
            let height = rect.height() * 0.86 * count as f32 / most.max(1) as f32;
            let bar = Rect::from_min_max(pos2(left + 1.0, bottom - height), pos2(left + wide - 1.0, bottom));
            paint_kind(&painter, bar, kind);
            bottom -= height;
        }
    }
    let font = TextStyle::Small.resolve(ui.style());
    // How high the highest bar is; where there is none it would only be a number.
    if most > 0 {
        painter.text(rect.left_top() + vec2(6.0, 4.0), Align2::LEFT_TOP, most.to_string(), font, DIM);
    }
    ui.horizontal_wrapped(|ui| {
        for (kind, words) in ["puzzles", "steps of lessons", "games"].into_iter().enumerate() {
            let (mark, _) = ui.allocate_exact_size(vec2(GRID * 1.5, GRID * 1.5), Sense::hover());
            paint_kind(ui.painter(), mark, kind);
            note(ui, words);
        }
        if let (Some((first, _)), Some((last, _))) = (days.first(), days.last()) {
            note(ui, format!("{first} to {last}"));
        }
    });
}

/// The three kinds differ by pattern: full, striped and hollow.
fn paint_kind(painter: &egui_macroquad::egui::Painter, bar: Rect, kind: usize) {
    if bar.height() < 0.5 {
        return;
    }
    match kind {
        0 => drop(painter.rect_filled(bar, 0.0, ACCENT)),
        1 => {
            painter.rect_stroke(bar, 0.0, Stroke::new(1.0, TEXT), StrokeKind::Inside);
            let mut y = bar.bottom() - 2.0;
            while y > bar.top() {
                painter.hline(bar.x_range(), y, Stroke::new(1.0, TEXT));
                y -= 4.0;
            }
        }
        _ => drop(painter.rect_stroke(bar, 0.0, Stroke::new(1.0, DIM), StrokeKind::Inside)),
    }
}

/// How the ratings have moved: a line for each game, with its name at the end.
fn ratings(ui: &mut Ui, app: &App) {
    let days = &app.progress.days;
    let Some(first) = days.iter().find(|(_, day)| !day.ratings.is_empty()).map(|(day, _)| *day) else {
        return;
    };
    section(ui, "Rating in puzzles");
    let rect = frame(ui);
    let values = days.values().flat_map(|day| day.ratings.values().copied());
    let (least, most) =
        values.fold((f64::MAX, f64::MIN), |(least, most), value| (least.min(value), most.max(value)));
    let (least, most) = (least - 40.0, most + 40.0);
    let span = (app.today.number() - first.number()).max(1) as f32;
    let font = TextStyle::Small.resolve(ui.style());
    let painter = ui.painter_at(rect.expand(1.0));
    // Numbers before the lines and names at their ends need room, the more the larger the text is.
    let width = |words: &str| painter.layout_no_wrap(words.into(), font.clone(), TEXT).size().x;
    let names = app.progress.ratings.keys().map(|game| width(game_name(app, game)));
    let left = rect.left() + width(&format!("{most:.0}")) + GRID * 1.5;
    let right = rect.right() - names.fold(0.0, f32::max) - GRID * 2.0;
    let plot = rect.with_min_x(left).with_max_x(right);
    let x = |day: Day| plot.left() + plot.width() * (day.number() - first.number()) as f32 / span;
    let y = |value: f64| rect.bottom() - rect.height() * ((value - least) / (most - least)) as f32;
    for (value, align) in [(most, Align2::LEFT_TOP), (least, Align2::LEFT_BOTTOM)] {
        let at = pos2(rect.left() + 6.0, y(value) + if value == most { 3.0 } else { -3.0 });
        painter.text(at, align, format!("{value:.0}"), font.clone(), DIM);
    }
    let mut names: Vec<(f32, &str, Color32)> = Vec::new();
    for (number, game) in app.progress.ratings.keys().enumerate() {
        let known = days.iter().filter_map(|(day, tally)| Some((*day, *tally.ratings.get(game)?)));
        let points: Vec<Pos2> = known.map(|(day, value)| pos2(x(day), y(value))).collect();
        let Some(&last) = points.last() else { continue };
        let stroke = Stroke::new(1.5, if number % 2 == 0 { ACCENT } else { TEXT });
        match number / 2 {
            0 => drop(painter.line(points, stroke)),
            _ => painter.extend(Shape::dashed_line(&points, stroke, 5.0, 4.0)),
        }
        painter.circle_filled(last, 2.5, stroke.color);
        names.push((last.y, game_name(app, game), stroke.color));
    }
    // Names stand in the order of the ends of their lines, and not on each other.
    names.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut least = rect.top() + 8.0;
    for (end, name, colour) in names {
        let at = end.max(least);
        least = at + font.size;
        painter.text(pos2(plot.right() + 6.0, at), Align2::LEFT_CENTER, name, font.clone(), colour);
    }
}

fn frame(ui: &mut Ui) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    ui.painter().rect(rect, 4.0, Color32::from_black_alpha(70), Stroke::new(1.0, LINE), StrokeKind::Inside);
    rect
}
