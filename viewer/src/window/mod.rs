//! The window: it reads the pointer and the keys, shows what the director says, and keeps the frame rate.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use egui_macroquad::egui;
use macroquad::color::WHITE;
use macroquad::conf::Conf;
use macroquad::input::{
    MouseButton, is_mouse_button_down, is_mouse_button_pressed, is_mouse_button_released, is_quit_requested,
    mouse_position, mouse_wheel, prevent_quit,
};
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::texture::{DrawTextureParams, Texture2D, draw_texture_ex, get_screen_data};
use macroquad::window::{next_frame, request_new_screen_size, screen_height, screen_width, set_fullscreen};

use crate::app::{App, Screen};
use crate::board::Tokens;
use crate::command::{Command, Viewpoint};
use crate::director::Director;
use crate::flight::Flight;
use crate::keys::{self, Focus};
use crate::panel::Panels;
use crate::pieces;
use crate::samples;
use crate::scene::{Figure, place};
use crate::script::{Act, FRAME_SECONDS, Script};
use crate::settings::QualityChoice;
use crate::stage::aim::aim;
use crate::stage::camera::Camera;
use crate::stage::theme::{Colour, Theme, mark_colours, themes};
use crate::stage::{self, Quality, Stage, View};
use crate::strokes::Strokes;

/// Frames come at most so often.
const BUSY_FRAME: Duration = Duration::from_millis(16);
/// How often they come when only water moves or the computer thinks.
const CALM_FRAME: Duration = Duration::from_millis(50);
/// How often when nothing does. Only how soon the window wakes up depends on it.
const IDLE_FRAME: Duration = Duration::from_millis(190);
/// A window that nobody touches comes to rest after so many seconds, the water too.
const AWAKE_SECONDS: f32 = 12.0;
/// Behind the last input every frame counts for a moment: more may follow.
const ALERT_SECONDS: f32 = 0.7;
/// The pointer may move by so much between press and release, and it still was a click.
const CLICK_REACH: f32 = 5.0;

/// Why the window did not do what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    #[error("{0}")]
    NoWindow(String),
    #[error("{0}")]
    Stage(String),
    #[error("{0}")]
    Script(String),
}

/// What the window is opened with.
#[derive(Debug)]
pub struct Opening {
    pub director: Director,
    pub script: Option<Script>,
    /// Commands to begin with, once the engine is there.
    pub commands: Vec<Command>,
}

/// Whether there is a display to open a window on. What a missing one does to the window's library is nothing that people should see.
pub fn display() -> Result<(), Failure> {
    let named = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !named("DISPLAY") {
        return Err(Failure::NoWindow("there is no display (DISPLAY is not set).".into()));
    }
    Ok(())
}

/// Opens a window, does something in it, and closes it.
pub fn with_window<T: 'static>(
    work: impl Future<Output = Result<T, Failure>> + 'static,
) -> Result<T, Failure> {
    let outcome = Rc::new(RefCell::new(None));
    let (report, opened) = (Rc::clone(&outcome), Rc::new(Cell::new(false)));
    let is_open = Rc::clone(&opened);
    let mut conf = Conf {
        miniquad_conf: macroquad::miniquad::conf::Conf {
            window_title: "Tabuleiro".into(),
            window_width: 1280,
            window_height: 800,
            ..Default::default()
        },
        ..Default::default()
    };
    stage::configure(&mut conf);
    // The library panics if it cannot open a window, and says so in a way that is of no use to anybody.
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let ended = panic::catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            panic::set_hook(usual);
            is_open.set(true);
            *report.borrow_mut() = Some(work.await);
        });
    }));
    match (ended, opened.get()) {
        (Err(_), false) => Err(Failure::NoWindow(
            "the display cannot be used. A window needs an X server and the libraries libX11, libXi, libxkbcommon and libGL.".into(),
        )),
        (Err(_), true) => Err(Failure::Stage("The window broke down. Your game is kept.".into())),
        (Ok(()), _) => outcome.borrow_mut().take().unwrap_or_else(|| Err(Failure::Stage("The window was closed from outside.".into()))),
    }
}

/// Opens the window and stays until it is closed.
pub fn open(opening: Opening) -> Result<(), Failure> {
    with_window(run(opening))
}

async fn run(opening: Opening) -> Result<(), Failure> {
    let Opening { director, script, mut commands } = opening;
    prevent_quit();
    let mut window = Window::open(director, script)?;
    if window.director.app().settings.full_screen && window.script.is_none() {
        set_fullscreen(true);
    }
    loop {
        if window.director.app().hello.is_some() {
            for command in commands.drain(..) {
                window.director.obey(command, Vec2::ZERO);
            }
        }
        if !window.frame()? {
            return Ok(());
        }
        next_frame().await;
        window.note_pace();
        window.rest();
    }
}

pub(crate) struct Window {
    director: Director,
    stage: Stage,
    panels: Panels,
    strokes: Strokes,
    /// The size of text that panels were last told.
    styled_for: Option<f32>,
    script: Option<Script>,
    flight: Flight,
    /// What the camera was last put in its place for.
    laid_out_for: Layout,
    /// Whether the person has moved the camera since it was last laid out.
    is_steered: bool,
    pointer: Vec2,
    pressed_at: Option<Vec2>,
    frame_began: Instant,
    /// How long everything but drawing took in the last frame.
    own_work: Duration,
    last_input: Instant,
    water: f32,
    /// Small boards by game, theme and size.
    thumbnails: Vec<((String, String, egui::Vec2), Texture2D)>,
    pace: Pace,
}

/// What decides where the camera belongs.
#[derive(Debug, Default, PartialEq)]
struct Layout {
    screen: Vec2,
    /// The part of the window that is left to the board.
    free: Rect,
    board: (String, u8, u8),
}

/// What one frame has been told by the person or the script.
#[derive(Default)]
struct Input {
    seconds: f32,
    clicked: bool,
    moved: bool,
    commands: Vec<Command>,
    picture: Option<PathBuf>,
    finished: bool,
}

impl Window {
    pub(crate) fn director(&self) -> &Director {
        &self.director
    }

    pub(crate) fn own_work(&self) -> Duration {
        self.own_work
    }

    pub(crate) fn director_mut(&mut self) -> &mut Director {
        &mut self.director
    }

    pub(crate) fn open(director: Director, script: Option<Script>) -> Result<Window, Failure> {
        let stage = Stage::new().map_err(|error| Failure::Stage(error.to_string()))?;
        let camera = Camera::seat("", 9, 9, 1, 1.6, Rect::new(0.0, 0.0, 1.0, 1.0));
        let names = themes().iter().map(|theme| (theme.name.clone(), theme.name.clone())).collect();
        let window = Window {
            director,
            stage,
            panels: Panels::new(names),
            strokes: Strokes::listen(),
            styled_for: None,
            script,
            flight: Flight::at(camera),
            laid_out_for: Layout::default(),
            is_steered: false,
            pointer: Vec2::ZERO,
            pressed_at: None,
            frame_began: Instant::now(),
            own_work: Duration::ZERO,
            last_input: Instant::now(),
            water: 0.0,
            thumbnails: Vec::new(),
            pace: Pace::default(),
        };
        Ok(window)
    }

    /// One frame; `false` when it was the last.
    pub(crate) fn frame(&mut self) -> Result<bool, Failure> {
        let mut input = self.read_script()?;
        let now = Instant::now();
        if self.script.is_none() {
            input.seconds = now.duration_since(self.frame_began).as_secs_f32().min(0.25);
        }
        self.frame_began = now;
        self.director.update(input.seconds);
        self.flight.advance(input.seconds);

        let size = self.director.app().settings.text_size;
        let mut wanted = Vec::new();
        let (mut over_panel, mut focus) = (false, Focus::Nothing);
        let (panels, app, styled) = (&mut self.panels, self.director.app(), &mut self.styled_for);
        egui_macroquad::ui(|context| {
            if *styled != Some(size) {
                Panels::style(context, size);
                *styled = Some(size);
            }
            wanted = panels.show(context, app);
            over_panel = context.is_pointer_over_area() || context.is_using_pointer();
            focus = focus_of(context);
        });
        input.commands.append(&mut wanted);
        if self.script.is_none() {
            self.read_person(&mut input, over_panel, focus);
        }
        self.lay_out();
        self.point(&input, over_panel);
        for command in std::mem::take(&mut input.commands) {
            self.director.obey(command, self.pointer);
        }
        for wish in self.director.take_wishes() {
            match wish {
                Command::TakePicture(path) => {
                    input.picture = Some(path.unwrap_or_else(|| self.director.place_for_picture()))
                }
                Command::Quit => input.finished = true,
                wish => self.grant(wish),
            }
        }
        if is_quit_requested() {
            input.finished = true;
        }
        self.own_work = now.elapsed();
        self.draw(input.seconds);
        egui_macroquad::draw();
        if let Some(path) = input.picture {
            match write_picture(&path) {
                Ok(()) if self.script.is_some() => {}
                Ok(()) => self.director.tell(format!("The picture is in {}.", path.display())),
                Err(error) if self.script.is_some() => {
                    return Err(Failure::Script(format!("{} cannot be written: {error}", path.display())));
                }
                Err(error) => self.director.problem(format!("{} cannot be written: {error}", path.display())),
            }
        }
        Ok(!input.finished)
    }

    // ── Input ──

    fn read_script(&mut self) -> Result<Input, Failure> {
        let mut input = Input { seconds: FRAME_SECONDS, ..Input::default() };
        let Some(script) = &mut self.script else { return Ok(input) };
        let settled = self.director.is_settled() && self.flight.is_over();
        let screen = vec2(screen_width(), screen_height());
        let camera = self.flight.camera();
        match script
            .frame(self.director.app(), settled, self.stage.is_settled())
            .map_err(|error| Failure::Script(error.to_string()))?
        {
            Act::Nothing => {}
            Act::Click(target) => {
                self.pointer = camera.project(place(target), screen);
                input.moved = true;
                input.clicked = true;
            }
            Act::Point(target) => {
                self.pointer = camera.project(place(target), screen);
                input.moved = true;
            }
            Act::Command(command) => input.commands.push(*command),
            Act::Size(width, height) => request_new_screen_size(width as f32, height as f32),
            Act::Picture(path) => input.picture = Some(path),
            Act::Finished => input.finished = true,
        }
        Ok(input)
    }

    fn read_person(&mut self, input: &mut Input, over_panel: bool, focus: Focus) {
        let pointer = Vec2::from(mouse_position());
        let moved = pointer - self.pointer;
        let screen = vec2(screen_width(), screen_height());
        input.moved = moved != Vec2::ZERO;
        self.pointer = pointer;
        let strokes = self.strokes.take();
        let wheel = mouse_wheel().1;
        let buttons = [MouseButton::Left, MouseButton::Right, MouseButton::Middle];
        if input.moved
            || wheel != 0.0
            || !strokes.is_empty()
            || buttons.into_iter().any(is_mouse_button_down)
            || !input.commands.is_empty()
        {
            self.last_input = Instant::now();
        }
        if !over_panel {
            if is_mouse_button_pressed(MouseButton::Left) {
                self.pressed_at = Some(pointer);
            }
            if is_mouse_button_down(MouseButton::Right) && input.moved {
                let turn = moved / screen.y * 4.0;
                input.commands.push(Command::Orbit { yaw: -turn.x, pitch: turn.y });
            }
            if is_mouse_button_down(MouseButton::Middle) && input.moved {
                let by = moved / screen.y * 2.0;
                input.commands.push(Command::Pan { x: -by.x, y: by.y });
            }
            if wheel != 0.0 {
                input.commands.push(Command::Zoom(wheel.signum()));
            }
        }
        if is_mouse_button_released(MouseButton::Left) {
            let was_at = self.pressed_at.take();
            input.clicked = !over_panel && was_at.is_some_and(|at| at.distance(pointer) < CLICK_REACH);
        }
        let at_board = self.director.app().screen == Screen::Board;
        let bindings = keys::bindings();
        let heard = strokes
            .iter()
            .filter_map(|stroke| bindings.iter().find(|key| key.is(stroke)))
            .filter(|key| key.is_heard(at_board, focus));
        input.commands.extend(heard.map(|key| key.command.clone()));
    }

    /// What the pointer is over, and what a click there means.
    fn point(&mut self, input: &Input, over_panel: bool) {
        let app = self.director.app();
        if app.screen != Screen::Board {
            return;
        }
        let (Some(table), false) = (&app.table, over_panel && self.script.is_none()) else {
            if input.moved {
                self.director.hover(None);
            }
            return;
        };
        if !input.moved && !input.clicked {
            return;
        }
        let screen = vec2(screen_width(), screen_height());
        let tokens = app.motion.final_tokens();
        let ray = self.flight.camera().ray(self.pointer, screen);
        let target = aim(&table.state.game, tokens.columns(), tokens.rows(), &app.motion.figures(), ray);
        if input.moved {
            self.director.hover(target);
        }
        if input.clicked {
            let command = target.map_or(Command::SkipMovement, Command::Point);
            self.director.obey(command, self.pointer);
        }
    }

    // ── The camera ──

    /// Puts the camera where a player sits whenever the window or the panels have changed, unless the person has chosen another place.
    fn lay_out(&mut self) {
        let screen = vec2(screen_width(), screen_height());
        let layout = Layout { screen, free: self.free_area(), board: self.board() };
        let is_another_board = layout.board != self.laid_out_for.board;
        self.is_steered &= !is_another_board;
        if layout != self.laid_out_for && !self.is_steered {
            let flies = !is_another_board && layout.screen == self.laid_out_for.screen;
            self.laid_out_for = layout;
            let home = self.home();
            if flies { self.flight.go(home) } else { self.flight.jump(home) }
        }
    }

    fn free_area(&self) -> Rect {
        let free = self.panels.free_area();
        Rect::new(free.left, free.top, free.right - free.left, free.bottom - free.top)
    }

    fn board(&self) -> (String, u8, u8) {
        let app = self.director.app();
        let tokens = app.motion.final_tokens();
        let game = app.table.as_ref().map(|table| table.state.game.clone()).unwrap_or_default();
        (game, tokens.columns().max(1), tokens.rows().max(1))
    }

    /// Where a person sits.
    fn home(&self) -> Camera {
        let (game, columns, rows) = self.board();
        Camera::seat(&game, columns, rows, self.person_seat(), self.aspect(), self.free_area())
    }

    fn person_seat(&self) -> u8 {
        self.director.app().table.as_ref().map_or(1, |table| table.own_seat().number())
    }

    fn aspect(&self) -> f32 {
        screen_width() / screen_height().max(1.0)
    }

    fn grant(&mut self, wish: Command) {
        let (game, columns, rows) = self.board();
        let (aspect, free) = (self.aspect(), self.free_area());
        self.is_steered = true;
        match wish {
            Command::View(Viewpoint::Seat(seat)) => {
                self.flight.go(Camera::seat(&game, columns, rows, seat.number(), aspect, free))
            }
            Command::View(Viewpoint::Top) => {
                self.flight.go(Camera::top(&game, columns, rows, self.person_seat(), aspect, free))
            }
            Command::View(Viewpoint::Flipped) => {
                let mut camera = self.flight.camera();
                camera.yaw += std::f32::consts::PI;
                self.flight.go(camera);
            }
            Command::View(Viewpoint::Reset) => {
                self.is_steered = false;
                self.laid_out_for.free = free;
                let home = self.home();
                self.flight.go(home);
            }
            Command::Orbit { yaw, pitch } => self.flight.orbit(yaw, pitch),
            Command::Pan { x, y } => self.flight.pan(x, y),
            Command::Zoom(by) => self.flight.zoom(by),
            Command::ToggleFullScreen => {
                self.is_steered = false;
                let mut settings = self.director.app().settings.clone();
                settings.full_screen = !settings.full_screen;
                set_fullscreen(settings.full_screen);
                self.director.obey(Command::Change(Box::new(settings)), Vec2::ZERO);
            }
            _ => {}
        }
    }

    // ── Drawing ──

    fn draw(&mut self, seconds: f32) {
        let app = self.director.app();
        let theme = theme_of(app);
        let quality = self.pace.quality(app.settings.quality, self.script.is_some());
        match (&app.screen, &app.table) {
            (Screen::Board, Some(table)) => {
                let tokens = app.motion.final_tokens();
                // How many frames a script waits depends on the machine, and its pictures must not.
                if self.is_awake() && self.script.is_none() {
                    self.water += seconds;
                }
                let camera = self.flight.camera();
                let view = View {
                    game: &table.state.game,
                    columns: tokens.columns(),
                    rows: tokens.rows(),
                    figures: &self.director.figures(),
                    marks: &self.director.marks(),
                    ripples: app.motion.ripples(),
                    camera: &camera,
                    theme,
                    mark_colour: Colour(app.settings.mark_colour),
                    quality,
                    time: self.water,
                    coordinates: app.settings.coordinates,
                    counts: app.settings.counts,
                };
                self.stage.draw(&view);
            }
            _ => self.draw_thumbnails(theme),
        }
    }

    /// The small boards behind the cards of the home screen.
    fn draw_thumbnails(&mut self, theme: &'static Theme) {
        // The bare table, beside any board.
        let mut camera = Camera::top("", 9, 9, 1, self.aspect(), Rect::new(0.0, 0.0, 1.0, 1.0));
        camera.focus.x += 17.0;
        let table = View { columns: 9, rows: 9, ..still_life("", &Tokens::default(), &[], &camera, theme) };
        self.stage.draw(&table);
        for (game, rect) in self.panels.thumbnails() {
            let wanted = (game, theme.name.clone(), rect.size());
            let known = self.thumbnails.iter().position(|(made_for, _)| *made_for == wanted);
            let Some(index) = known else {
                // One in a frame: the window is there sooner, and they come in one by one.
                if let Some(picture) = thumbnail(&mut self.stage, &wanted.0, theme, rect) {
                    self.thumbnails.retain(|(made_for, _)| made_for.0 != wanted.0);
                    self.thumbnails.push((wanted, picture));
                }
                return;
            };
            let params = DrawTextureParams {
                dest_size: Some(vec2(rect.width(), rect.height())),
                ..Default::default()
            };
            draw_texture_ex(&self.thumbnails[index].1, rect.left(), rect.top(), WHITE, params);
        }
    }

    // ── Pace ──

    fn is_awake(&self) -> bool {
        self.script.is_some() || self.last_input.elapsed().as_secs_f32() < AWAKE_SECONDS
    }

    fn is_moving(&self) -> bool {
        !self.director.app().motion.is_still() || !self.flight.is_over()
    }

    /// Notes how long a frame took in which the whole board was drawn.
    fn note_pace(&mut self) {
        if self.director.app().screen == Screen::Board && self.is_moving() {
            self.pace.note(self.frame_began.elapsed());
        }
    }

    /// Sleeps until the next frame is due: nothing that stands still needs many.
    fn rest(&self) {
        let app = self.director.app();
        let moving = self.is_moving() || !self.stage.is_settled();
        let alert = self.last_input.elapsed().as_secs_f32() < ALERT_SECONDS;
        let calm = self.is_awake() || app.table.as_ref().is_some_and(|table| table.thinking.is_some());
        let due = match () {
            () if self.script.is_some() => return,
            () if moving || alert => BUSY_FRAME,
            () if calm => CALM_FRAME,
            () => IDLE_FRAME,
        };
        thread::sleep(due.saturating_sub(self.frame_began.elapsed()));
    }
}

/// What this machine can draw smoothly, found out while drawing.
#[derive(Debug, Default)]
struct Pace {
    drawn: Vec<Duration>,
    found: Option<Quality>,
}

impl Pace {
    /// So many pictures are timed before something is concluded.
    const ENOUGH: usize = 12;

    fn quality(&self, choice: QualityChoice, scripted: bool) -> Quality {
        match choice {
            QualityChoice::Low => Quality::Low,
            QualityChoice::Medium => Quality::Medium,
            QualityChoice::Full => Quality::Full,
            // Pictures of scripts must not depend on the machine.
            QualityChoice::Automatic if scripted => Quality::Full,
            QualityChoice::Automatic => self.found.unwrap_or(Quality::Medium),
        }
    }

    fn note(&mut self, took: Duration) {
        if self.found.is_some() {
            return;
        }
        self.drawn.push(took);
        if self.drawn.len() == Self::ENOUGH {
            self.drawn.sort();
            let usual = self.drawn[Self::ENOUGH / 2];
            self.found = Some(match usual.as_millis() {
                0..22 => Quality::Full,
                22..70 => Quality::Medium,
                _ => Quality::Low,
            });
        }
    }
}

fn focus_of(context: &egui::Context) -> Focus {
    match context.memory(|memory| memory.focused()) {
        None => Focus::Nothing,
        Some(widget) if egui::TextEdit::load_state(context, widget).is_some() => Focus::Text,
        Some(_) => Focus::Button,
    }
}

fn theme_of(app: &App) -> &'static Theme {
    let themes = themes();
    themes.iter().find(|theme| theme.name == app.settings.theme).unwrap_or(&themes[0])
}

/// A board that nobody plays at.
fn still_life<'a>(
    game: &'a str,
    tokens: &Tokens,
    figures: &'a [Figure],
    camera: &'a Camera,
    theme: &'a Theme,
) -> View<'a> {
    View {
        game,
        columns: tokens.columns(),
        rows: tokens.rows(),
        figures,
        marks: &[],
        ripples: &[],
        camera,
        theme,
        mark_colour: mark_colours()[0].colour,
        quality: Quality::Full,
        time: 0.0,
        coordinates: false,
        counts: false,
    }
}

fn thumbnail(stage: &mut Stage, game: &str, theme: &Theme, rect: egui::Rect) -> Option<Texture2D> {
    let tokens = Tokens::read(&samples::rows(game)?);
    let whole = Rect::new(0.0, 0.0, 1.0, 1.0);
    let camera = Camera::seat(game, tokens.columns(), tokens.rows(), 1, rect.aspect_ratio(), whole);
    let figures = pieces::at_rest(game, &tokens);
    let view = still_life(game, &tokens, &figures, &camera, theme);
    Some(stage.thumbnail(&view, rect.width() as u32, rect.height() as u32))
}

/// Writes what the window shows to a PNG file.
fn write_picture(path: &Path) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let screen = get_screen_data();
    let row = usize::from(screen.width) * 4;
    // The graphics card counts rows from below, and there is nothing behind the window to be seen through it.
    let rows = screen.bytes.chunks_exact(row).rev();
    let pixels: Vec<u8> =
        rows.flat_map(|row| row.chunks_exact(4)).flat_map(|pixel| &pixel[..3]).copied().collect();
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = png::Encoder::new(file, screen.width.into(), screen.height.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}
