//! How long people wait: for the first picture, for the first movement after a click, and for a
//! frame of each board and quality.

use std::time::{Duration, Instant};

use macroquad::math::Rect;
use macroquad::window::{next_frame, screen_height, screen_width};
use tabuleiro_protocol::{Options, PerSeat};

use crate::app::App;
use crate::command::{CameraCommand, Command, NewGame, Panel, ReviewCommand};
use crate::director::Director;
use crate::sets;
use crate::settings::{Effort, Settings};
use crate::stage::camera::Camera;
use crate::stage::theme::themes;
use crate::stage::{Quality, Stage, View};
use crate::window::{Failure, Window, still_life, with_window};

/// So many frames are timed, after a few that are not.
const FRAMES: usize = 40;
const WARM_UP: usize = 4;

/// So many clicks are timed.
const CLICKS: usize = 12;

/// Measures and prints everything. `began` is when the program was started.
pub fn run(director: Director, began: Instant) -> Result<(), Failure> {
    with_window(measure(director, began))
}

async fn measure(director: Director, began: Instant) -> Result<(), Failure> {
    let mut window = Window::new(director, None)?;
    while window.director().app().hello.is_none() {
        window.frame()?;
        next_frame().await;
    }
    window.frame()?;
    next_frame().await;
    println!("start to the first picture, with the engine ready: {:.0} ms", milliseconds(began.elapsed()));
    measure_clicks(&mut window).await?;
    measure_company(&mut window).await?;
    measure_pages(&mut window).await?;
    drop(window);
    measure_boards().await
}

/// From a click to the end of the first frame in which something moves.
async fn measure_clicks(window: &mut Window) -> Result<(), Failure> {
    let games = window.director().app().hello.iter().flat_map(|hello| &hello.games);
    let Some(game) = games.map(|game| game.id.clone()).next() else { return Ok(()) };
    let game = NewGame { game, options: Options::new(), seats: PerSeat::default(), seed: Some(1) };
    window.dispatch(Command::StartGame(game));
    let (mut clicks, mut frames, mut work) = (Vec::new(), Vec::new(), Vec::new());
    while clicks.len() < CLICKS {
        while !window.director().is_settled() || window.director().app().pick.is_empty() {
            window.frame()?;
            next_frame().await;
        }
        let open = window.director().app().pick.open();
        let clicked = Instant::now();
        window.dispatch(Command::Point(open[clicks.len() % open.len()]));
        while window.director().app().motion.is_still() {
            let frame = Instant::now();
            window.frame()?;
            next_frame().await;
            frames.push(frame.elapsed());
            work.push(window.own_work());
        }
        clicks.push(clicked.elapsed());
        window.dispatch(Command::SkipMovement);
    }
    let (click, frame) = (median(&mut clicks), median(&mut frames));
    println!(
        "click to the first frame that moves: {:.0} ms, of frames of {:.0} ms",
        milliseconds(click),
        milliseconds(frame)
    );
    println!(
        "a frame's work before anything is drawn, panels included: {:.2} ms",
        milliseconds(median(&mut work))
    );
    Ok(())
}

/// What an engine that thinks on all cores does to the frames of the window.
async fn measure_company(window: &mut Window) -> Result<(), Failure> {
    let usual = window.director().app().settings.clone();
    let thorough = Settings { review_effort: Effort::Thorough, ..usual.clone() };
    let mut told = vec![turning_frames(window, "the engine has nothing to do", |_| true).await?];
    window.dispatch(Command::Change(Box::new(thorough)));
    window.dispatch(Command::Review(ReviewCommand::Start));
    let is_reviewing = |app: &App| {
        let review = app.table.as_ref().and_then(|table| table.review.as_ref());
        review.is_some_and(|review| review.is_running)
    };
    told.push(turning_frames(window, "it reviews the game", is_reviewing).await?);
    window.dispatch(Command::Review(ReviewCommand::Cancel));
    window.dispatch(Command::Change(Box::new(usual)));
    window.dispatch(Command::Review(ReviewCommand::Close));
    window.dispatch(Command::ToggleAnalysis);
    told.push(turning_frames(window, "it looks into the position", |app| app.analysis.is_on).await?);
    window.dispatch(Command::ToggleAnalysis);
    println!("frames while the board turns, median and nine in ten, and");
    told.iter().for_each(|line| println!("  {line}"));
    Ok(())
}

/// How long frames take while a page lies over the board, which rests.
async fn measure_pages(window: &mut Window) -> Result<(), Failure> {
    let pages = [
        ("none", None),
        ("settings", Some(Panel::Settings)),
        ("rules", Some(Panel::Rules)),
        ("keys", Some(Panel::Keys)),
        ("lessons", Some(Panel::Lessons)),
        ("puzzles", Some(Panel::Puzzles)),
        ("progress", Some(Panel::Progress)),
    ];
    println!("page          ms a frame   ms before anything is drawn");
    for (name, page) in pages {
        page.into_iter().for_each(|page| window.dispatch(Command::Show(page)));
        let (mut frames, mut work) = (Vec::new(), Vec::new());
        let mut left = WARM_UP + FRAMES;
        while left > 0 {
            let began = Instant::now();
            window.frame()?;
            next_frame().await;
            // What the page shows comes from the engine.
            left -= usize::from(left < FRAMES + WARM_UP || window.director().is_settled());
            if left < FRAMES {
                frames.push(began.elapsed());
                work.push(window.own_work());
            }
        }
        page.into_iter().for_each(|page| window.dispatch(Command::Hide(page)));
        let (frame, before) = (median(&mut frames), median(&mut work));
        println!("{name:<12}  {:>10.1}   {:>10.2}", milliseconds(frame), milliseconds(before));
    }
    Ok(())
}

/// How long frames take in which the board is drawn from another side, as long as this is so.
async fn turning_frames(
    window: &mut Window,
    while_what: &str,
    goes_on: impl Fn(&App) -> bool,
) -> Result<String, Failure> {
    let mut frames = Vec::new();
    for frame in 0..WARM_UP + FRAMES {
        let began = Instant::now();
        window.dispatch(Command::Camera(CameraCommand::Orbit { yaw: 0.02, pitch: 0.0 }));
        window.frame()?;
        next_frame().await;
        if frame >= WARM_UP && goes_on(window.director().app()) {
            frames.push(began.elapsed());
        }
    }
    let median = milliseconds(median(&mut frames));
    let slow = milliseconds(frames.get(frames.len() * 9 / 10).copied().unwrap_or_default());
    Ok(format!("{while_what}: {median:.1} ms, {slow:.1} ms, of {} frames", frames.len()))
}

async fn measure_boards() -> Result<(), Failure> {
    let mut stage = Stage::new().map_err(|error| Failure::Stage(error.to_string()))?;
    println!("{} x {} pixels, everything drawn anew in every frame", screen_width(), screen_height());
    println!("board         pieces  quality   frames a second   ms a frame   ms to work out what to draw");
    for set in sets::made() {
        let Some(tokens) = set.sample_board() else { continue };
        let (game, figures) = (set.id(), set.at_rest(&tokens));
        for quality in [Quality::Low, Quality::Medium, Quality::Full] {
            let mut frames = Vec::new();
            let mut prepared = Vec::new();
            for frame in 0..WARM_UP + FRAMES {
                let began = Instant::now();
                let aspect = screen_width() / screen_height().max(1.0);
                let mut camera = Camera::seat(
                    set.layout(),
                    tokens.columns(),
                    tokens.rows(),
                    1,
                    aspect,
                    Rect::new(0.0, 0.0, 0.78, 0.94),
                );
                camera.yaw += frame as f32 * 0.01;
                let view = View {
                    quality,
                    time: frame as f32 / 30.0,
                    coordinates: true,
                    ..still_life(&**set, &tokens, &figures, &camera, &themes()[0])
                };
                stage.prepare(&view, screen_height());
                let worked_out = began.elapsed();
                stage.draw(&view);
                next_frame().await;
                if frame >= WARM_UP {
                    frames.push(began.elapsed());
                    prepared.push(worked_out);
                }
            }
            let (frame, before) = (median(&mut frames), median(&mut prepared));
            let name = format!("{quality:?}").to_lowercase();
            let whole = milliseconds(frame);
            println!(
                "{game:<12}  {:>6}  {name:<8}  {:>15.1}   {whole:>10.1}   {:>10.2}",
                figures.len(),
                1000.0 / whole,
                milliseconds(before)
            );
        }
    }
    Ok(())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
