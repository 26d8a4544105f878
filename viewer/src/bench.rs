//! How long a frame takes, for each board and quality.

use std::time::{Duration, Instant};

use macroquad::math::Rect;
use macroquad::window::{next_frame, screen_height, screen_width};

use crate::board::Tokens;
use crate::pieces;
use crate::samples;
use crate::stage::camera::Camera;
use crate::stage::theme::{mark_colours, themes};
use crate::stage::{Quality, Stage, View};
use crate::window::{Failure, with_window};

/// So many frames are timed, after a few that are not.
const FRAMES: usize = 40;
const WARM_UP: usize = 4;

/// Draws each board in each quality for a while and prints how long a frame takes.
pub fn run() -> Result<(), Failure> {
    with_window(measure())
}

async fn measure() -> Result<(), Failure> {
    let mut stage = Stage::new().map_err(|error| Failure::Stage(error.to_string()))?;
    println!("{} x {} pixels, everything drawn anew in every frame", screen_width(), screen_height());
    println!("board         pieces  quality   frames a second   ms a frame   of these before drawing");
    for game in samples::GAMES {
        let tokens = Tokens::read(&samples::rows(game).unwrap_or_default());
        let figures = pieces::at_rest(game, &tokens);
        for quality in [Quality::Low, Quality::Medium, Quality::Full] {
            let mut whole = Vec::new();
            let mut prepared = Vec::new();
            for frame in 0..WARM_UP + FRAMES {
                let began = Instant::now();
                let aspect = screen_width() / screen_height().max(1.0);
                let mut camera = Camera::seat(
                    game,
                    tokens.columns(),
                    tokens.rows(),
                    1,
                    aspect,
                    Rect::new(0.0, 0.0, 0.78, 0.94),
                );
                camera.yaw += frame as f32 * 0.01;
                let view = View {
                    game,
                    columns: tokens.columns(),
                    rows: tokens.rows(),
                    figures: &figures,
                    marks: &[],
                    ripples: &[],
                    camera: &camera,
                    theme: &themes()[0],
                    mark_colour: mark_colours()[0].colour,
                    quality,
                    time: frame as f32 / 30.0,
                    coordinates: true,
                    counts: false,
                };
                stage.draw(&view);
                let drawn = began.elapsed();
                next_frame().await;
                if frame >= WARM_UP {
                    whole.push(began.elapsed());
                    prepared.push(drawn);
                }
            }
            let (frame, before) = (median(&mut whole), median(&mut prepared));
            let name = format!("{quality:?}").to_lowercase();
            let milliseconds = frame.as_secs_f64() * 1000.0;
            println!(
                "{game:<12}  {:>6}  {name:<8}  {:>15.1}   {milliseconds:>10.1}   {:>10.2}",
                figures.len(),
                1000.0 / milliseconds,
                before.as_secs_f64() * 1000.0
            );
        }
    }
    Ok(())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
