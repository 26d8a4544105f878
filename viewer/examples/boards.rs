//! Draws every board in every theme and quality, writes the pictures and says how long a frame takes.
//!
//! `boards [folder for the pictures] [words that the names of the pictures must contain, with commas between] [width] [height]`

use std::time::Instant;

use macroquad::conf::Conf;
use macroquad::prelude::*;
use tabuleiro::board::{Cell, Edge, Target, Tokens};
use tabuleiro::pieces::at_rest;
use tabuleiro::scene::{Figure, Mark, MarkKind, Ripple, Shape, middle};
use tabuleiro::stage::camera::Camera;
use tabuleiro::stage::theme::{mark_colours, themes};
use tabuleiro::stage::{self, Quality, Stage, View};

const ZURERO: &str = "\
. . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . .
. . . . . b . . . . . . . . . . . . .
. . . . . . w . . . b . . . . . . . .
. . . . . . b w . . w . . b . . . . .
. . . . . . . b w . b . w . . . . . .
. . . . . w b . b w . w . . . . . . .
. . . b . . w b . b b w . . b . . . .
. . w . w b b w b w w b w . . . . . .
. . . b . w w b b b w . b w b . . . .
. . . . . b w . w b b w w b . w . . .
. . . . . . b w . w b b . . w . . . .
. . . . . w . b . w w . b . . . . . .
. . . . b . . w b . b . . w . . . . .
. . . . . . . . w . w . . . . . . . .
. . . . . . . . b . . . . . . . . . .
. . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . .
. . . . . . . . . . . . . . . . . . .";

const FABRIK: &str = "\
. . . . . . . . . . .
. b . . w . . b . . .
. . w b . . w . . w .
. . b w b w b . b . .
. w . b w b . w . . .
. . w * b w b b . w .
. b b w w b w w b . .
. . w b . w b . w . .
. b . w b . w b * . .
. . . . w . b . . . .
. . w . . . . . b . .";

const ABSORPTION: &str = "\
x3 . x2 . . x3 . x3
. x1 . x2 . . x1 .
. o1 x3 . o2 x1 . x2
x2 . o3 x1 . o1 x3 .
. o2 . x2 o3 . o1 x1
o1 . o3 . x1 o2 . .
. o2 . o1 . . o2 .
o3 . o3 . . o2 . o3";

const SYRTIS: &str = "\
. . lc ds lc . .
. dc ls dsD lc ls .
ls lc . dc ls dc ds
lcL ds dc . lc ds ls
. dc ls lsL ds lc dc
. ls ds dc lc dsD .
. . lc ds . . .";

/// A row of a board that is full of stones.
fn crowded_row(row: u32) -> String {
    let stones = (0..19).map(|column| if (column * 7 + row * row * 3) % 5 < 2 { "b" } else { "w" });
    stones.collect::<Vec<&str>>().join(" ")
}

struct Board {
    game: &'static str,
    tokens: Tokens,
    figures: Vec<Figure>,
    marks: Vec<Mark>,
    ripples: Vec<Ripple>,
}

fn cell(text: &str) -> Target {
    Target::Cell(text.parse().unwrap_or(Cell { column: 0, row: 0 }))
}

fn boards() -> Vec<Board> {
    let board = |game: &'static str, text: &str, marks: Vec<(Target, MarkKind)>| {
        let rows: Vec<String> = text.lines().map(String::from).collect();
        let tokens = Tokens::read(&rows);
        let mut figures = at_rest(game, &tokens);
        let marks = marks.into_iter().map(|(target, kind)| Mark { target, kind }).collect();
        if let Some(first) = figures.first().copied() {
            let at = middle(Cell { column: 4, row: tokens.rows() - 1 });
            figures.push(Figure { at, presence: 0.45, ..first });
        }
        Board { game, tokens, figures, marks, ripples: Vec::new() }
    };
    use MarkKind::{Chosen, Hint, Last, Open, Overlay, Pointed, Won};
    let west = |row| Target::Edge(Edge::West, Cell { column: 0, row });
    let mut zurero: Vec<(Target, MarkKind)> = (2..16).map(|row| (west(row), Open)).collect();
    zurero.extend([(west(8), Pointed), (cell("h8"), Last), (cell("i9"), Chosen), (cell("k10"), Hint)]);
    zurero.extend([(cell("m13"), Pointed), (cell("e12"), Pointed), (cell("d4"), Last), (cell("d6"), Hint)]);
    zurero.extend(["h10", "i10", "j10"].map(|text| (cell(text), Won)));
    let mut fabrik =
        vec![(cell("d6"), Chosen), (cell("g5"), Pointed), (cell("e5"), Last), (cell("c10"), Hint)];
    fabrik.extend(["a6", "b6", "d5", "e7", "c5", "d2"].map(|text| (cell(text), Overlay(0))));
    fabrik.extend(["i8", "i10", "h9", "j9", "j10"].map(|text| (cell(text), Overlay(1))));
    fabrik.extend(["k9", "k11", "e10"].map(|text| (cell(text), Open)));
    let absorption = vec![
        (cell("c3"), Chosen),
        (cell("b2"), Open),
        (cell("d2"), Pointed),
        (cell("e5"), Last),
        (cell("f6"), Hint),
        (cell("d4"), Open),
        (cell("h1"), Won),
        (cell("g4"), Overlay(2)),
        (cell("b5"), Overlay(3)),
        (cell("b8"), Overlay(2)),
        (cell("d8"), Overlay(3)),
    ];
    let syrtis = vec![
        (cell("a4"), Chosen),
        (cell("b3"), Open),
        (cell("e1"), Pointed),
        (cell("d5"), Last),
        (cell("e3"), Hint),
        (cell("f6"), Won),
        (cell("d4"), Open),
        (cell("g5"), Overlay(0)),
        (cell("f5"), Overlay(1)),
    ];
    let mut boards = vec![
        board("zurero", ZURERO, zurero),
        board("fabrik", FABRIK, fabrik),
        board("absorption", ABSORPTION, absorption),
        board("syrtis", SYRTIS, syrtis),
    ];
    let crowd: Vec<String> = (0..19).map(crowded_row).collect();
    boards.push(board("zurero", &crowd.join("\n"), Vec::new()));
    boards[3].ripples.push(Ripple { at: vec3(5.0, 0.0, 6.0), age: 0.9 });
    boards
}

/// The same boards with something on its way.
fn in_motion(mut board: Board) -> Board {
    let rest = board.figures.clone();
    let count = rest.len();
    for (index, figure) in board.figures.iter_mut().enumerate() {
        let part = index as f32 / count as f32;
        match figure.shape {
            Shape::Stone(_) if index % 9 == 4 => {
                figure.at.y += 0.4;
                figure.roll = part * 3.0;
            }
            Shape::Worker => figure.at.y += 0.8,
            Shape::Disc(_) if index % 7 == 3 => {
                figure.at.y += 0.9;
                figure.roll = part * 6.0;
            }
            Shape::Tile(..) if index % 5 == 2 => {
                figure.at.y = -0.35 * part;
                figure.presence = 1.0 - 0.4 * part;
                board.ripples.push(Ripple { at: figure.at.with_y(0.0), age: part * 2.5 });
            }
            _ => {}
        }
    }
    board.marks.clear();
    board
}

fn cameras(board: &Board, aspect: f32) -> [(&'static str, Camera); 5] {
    let free = Rect::new(0.0, 0.05, 1.0, 0.87);
    let (columns, rows) = (board.tokens.columns(), board.tokens.rows());
    let seat = Camera::seat(board.game, columns, rows, 0, aspect, free);
    let mut low = seat;
    low.orbit(vec2(0.5, -0.5));
    low.zoom(0.2);
    let mut close = seat;
    close.zoom(1.1);
    close.orbit(vec2(-0.3, -0.2));
    let top = Camera::top(board.game, columns, rows, 0, aspect, free);
    let opposite = Camera::seat(board.game, columns, rows, 2, aspect, Rect::new(0.22, 0.05, 0.78, 0.8));
    [("seat", seat), ("top", top), ("low", low), ("close", close), ("opposite", opposite)]
}

fn conf() -> Conf {
    let mut conf = Conf::default();
    conf.miniquad_conf.window_title = "Tabuleiro".into();
    let number = |index| std::env::args().nth(index).and_then(|text| text.parse().ok());
    conf.miniquad_conf.window_width = number(3).unwrap_or(1280);
    conf.miniquad_conf.window_height = number(4).unwrap_or(800);
    stage::configure(&mut conf);
    conf
}

#[macroquad::main(conf)]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".to_string());
    let wanted = arguments.next().unwrap_or_default();
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return eprintln!("{folder}: {error}");
    }
    let mut stage = match Stage::new() {
        Ok(stage) => stage,
        Err(error) => return eprintln!("{error}"),
    };
    println!("stage ready after {:.0} ms of the processor", processor_ms());
    next_frame().await;
    home(&mut stage, &folder).await;
    let moving = boards().into_iter().map(|board| ("moving", in_motion(board)));
    for (state, board) in boards().into_iter().map(|board| ("resting", board)).chain(moving) {
        for quality in [Quality::Full, Quality::Medium, Quality::Low] {
            for number in 0..themes().len() {
                for (place, camera) in cameras(&board, screen_width() / screen_height()) {
                    let crowd = if board.figures.len() > 200 { "-crowd" } else { "" };
                    let name =
                        format!("{}{crowd}-{state}-{number}-{quality:?}-{place}", board.game).to_lowercase();
                    if !wanted.split(',').all(|word| name.contains(word)) {
                        continue;
                    }
                    let view = View { quality, ..view(&board, &camera, number) };
                    let begin = processor_ms();
                    settle(&mut stage, &view).await;
                    println!("{name}: settled after {:.0} ms of the processor", processor_ms() - begin);
                    stage.draw(&view);
                    get_screen_data().export_png(&format!("{folder}/{name}.png"));
                    next_frame().await;
                    println!("{name}: {}", frame_times(&mut stage, view).await);
                }
            }
        }
    }
}

/// All boards small, as on a page that offers them.
async fn home(stage: &mut Stage, folder: &str) {
    let size = vec2(screen_width(), screen_height()) / 2.0;
    let pictures: Vec<Texture2D> = boards()
        .iter()
        .take(4)
        .map(|board| {
            let (columns, rows) = (board.tokens.columns(), board.tokens.rows());
            let free = Rect::new(0.02, 0.02, 0.96, 0.96);
            let camera = Camera::seat(board.game, columns, rows, 0, size.x / size.y, free);
            let view = View { coordinates: false, counts: false, marks: &[], ..view(board, &camera, 1) };
            stage.thumbnail(&view, size.x as u32, size.y as u32)
        })
        .collect();
    next_frame().await;
    for (index, picture) in pictures.iter().enumerate() {
        let at = vec2((index % 2) as f32, (index / 2) as f32) * size;
        draw_texture(picture, at.x, at.y, WHITE);
    }
    get_screen_data().export_png(&format!("{folder}/home.png"));
    next_frame().await;
}

fn view<'a>(board: &'a Board, camera: &'a Camera, theme: usize) -> View<'a> {
    View {
        game: board.game,
        columns: board.tokens.columns(),
        rows: board.tokens.rows(),
        figures: &board.figures,
        marks: &board.marks,
        ripples: &board.ripples,
        camera,
        theme: &themes()[theme],
        mark_colour: mark_colours()[0].colour,
        quality: Quality::Full,
        time: 3.0,
        coordinates: true,
        counts: board.game == "absorption",
    }
}

/// Draws a view until its picture gets no better.
async fn settle(stage: &mut Stage, view: &View<'_>) {
    loop {
        stage.draw(view);
        next_frame().await;
        if stage.is_settled() {
            break;
        }
    }
}

/// The median time of a frame that is drawn anew, of its part before the driver has it, and of one that is not drawn anew.
async fn frame_times(stage: &mut Stage, view: View<'_>) -> String {
    const FRAMES: usize = 9;
    let (mut whole, mut ours, mut idle) = (Vec::new(), Vec::new(), Vec::new());
    let start = processor_ms();
    for frame in 0..FRAMES {
        let mut camera = *view.camera;
        camera.yaw += frame as f32 * 0.001;
        let begin = Instant::now();
        // Something moves, so that no part of the picture can be used again.
        let mut figures = view.figures.to_vec();
        if let Some(figure) = figures.first_mut() {
            figure.at.y += frame as f32 * 0.01;
        }
        stage.draw(&View { camera: &camera, figures: &figures, time: frame as f32 / 30.0, ..view });
        ours.push(begin.elapsed());
        next_frame().await;
        whole.push(begin.elapsed());
    }
    let busy = (processor_ms() - start) / FRAMES as f32;
    settle(stage, &view).await;
    let start = processor_ms();
    for _ in 0..FRAMES {
        let begin = Instant::now();
        stage.draw(&view);
        next_frame().await;
        idle.push(begin.elapsed());
    }
    let busy_idle = (processor_ms() - start) / FRAMES as f32;
    let median = |times: &mut Vec<std::time::Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f32() * 1000.0
    };
    let (whole, ours, idle) = (median(&mut whole), median(&mut ours), median(&mut idle));
    format!(
        "{whole:.1} ms a frame, {ours:.1} ms until it is handed over, {idle:.1} ms idle; processor {busy:.1} and {busy_idle:.1} ms"
    )
}

/// How long the processors have worked for us: unlike the time of a frame it does not depend on what else they do.
fn processor_ms() -> f32 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<f32> = text.split_whitespace().filter_map(|field| field.parse().ok()).collect();
    // Without the name and the state, user and system time are the fields 11 and 12, in hundredths of a second.
    fields.get(11..13).map_or(0.0, |times| (times[0] + times[1]) * 10.0)
}
