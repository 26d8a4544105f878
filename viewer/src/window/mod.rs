//! The window: how it is opened, and what it does in a frame, from input to picture.

mod camera;
#[cfg(target_os = "linux")]
mod dropping;
mod filming;
mod flight;
mod input;
mod keyboard;
mod pace;
mod pointer;
mod screenshot;
mod thumbnails;

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(target_os = "linux")]
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use egui_macroquad::egui;
use macroquad::conf::Conf;
use macroquad::input::{get_dropped_files, is_quit_requested, prevent_quit};
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::miniquad;
use macroquad::window::{
    next_frame, request_new_screen_size, screen_dpi_scale, screen_height, screen_width, set_fullscreen,
};

use crate::app::{App, Screen};
use crate::command::{Command, Panel, WindowCommand};
use crate::director::Director;
use crate::keys::Focus;
use crate::panel::Panels;
use crate::script::{FRAME_SECONDS, Script};
use crate::sound::{self, Loudspeaker};
use crate::stage::theme::{Theme, themes};
use crate::stage::{self, Quality, Stage, View};
use camera::{CameraRig, Framing};
use filming::Filming;
use input::Input;
use pace::{Activity, Pace};
use thumbnails::Thumbnails;
pub(crate) use thumbnails::still_life;

/// How large the window is at first, in points, where a point has several pixels: such screens often
/// have no more than 1280 by 720.
const SIZE_ON_FINE_SCREENS: (f32, f32) = (1120.0, 660.0);

/// How long a script waits before it asks again whether the engine has answered.
const WAIT_FOR_ENGINE: Duration = Duration::from_millis(2);

/// How long a script waits for the size that it asked for. Not every system gives it.
const WAIT_FOR_SIZE: Duration = Duration::from_secs(1);

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

/// Whether there is a display to open a window on. What a missing one does to the window's library
/// is nothing that people should see.
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
    // The library panics if it cannot open a window, and says so in a way that is of no use to
    // anybody.
    let (usual, has_begun) = (panic::take_hook(), Arc::new(AtomicBool::new(false)));
    let begins = Arc::clone(&has_begun);
    panic::set_hook(Box::new(move |info| {
        if !sound::take_panic(info) && has_begun.load(Ordering::Relaxed) {
            usual(info);
        }
    }));
    let ended = panic::catch_unwind(AssertUnwindSafe(|| {
        macroquad::Window::from_config(conf, async move {
            begins.store(true, Ordering::Relaxed);
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

/// Opens the window and stays until it is closed. It begins with `commands`, once the engine is
/// there.
pub fn open(director: Director, script: Option<Script>, commands: Vec<Command>) -> Result<(), Failure> {
    with_window(run(director, script, commands))
}

async fn run(director: Director, script: Option<Script>, mut commands: Vec<Command>) -> Result<(), Failure> {
    prevent_quit();
    let mut window = Window::new(director, script)?;
    let mut loudspeaker = Loudspeaker::open();
    if window.script.is_none() {
        if window.director.app().settings.full_screen {
            set_fullscreen(true);
        } else if screen_dpi_scale() > 1.0 {
            // It was opened with so many pixels, which are fewer points here.
            let (width, height) = SIZE_ON_FINE_SCREENS;
            request_new_screen_size(width, height);
        }
    }
    loop {
        if window.director.app().hello.is_some() {
            commands.drain(..).for_each(|command| window.dispatch(command));
        }
        if !window.frame()? {
            return Ok(());
        }
        let volume = window.director.app().settings.volume;
        if let Some(words) = loudspeaker.play(&window.director.take_heard(), volume) {
            window.director.tell(words);
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
    /// The size of text that panels were last told.
    styled_for: Option<f32>,
    script: Option<Script>,
    input: Input,
    camera: CameraRig,
    thumbnails: Thumbnails,
    pace: Pace,
    #[cfg(target_os = "linux")]
    dropping: Receiver<dropping::Dropped>,
    /// How long everything but drawing took in the last frame.
    own_work: Duration,
    /// For how many seconds the water has moved.
    water: f32,
    /// Where to write what this frame shows, if that is wanted.
    screenshot: Option<PathBuf>,
    /// The film that is being made.
    filming: Option<Filming>,
    /// The size that a script has asked for, and when.
    asked_for: Option<(Vec2, Instant)>,
    /// Whether it is to be closed as soon as everything is saved.
    is_to_close: bool,
    is_closing: bool,
}

/// What panels did with a frame.
struct PanelFrame {
    commands: Vec<Command>,
    /// Whether the pointer is theirs.
    has_pointer: bool,
    focus: Focus,
}

impl Window {
    pub(crate) fn new(director: Director, script: Option<Script>) -> Result<Window, Failure> {
        let stage = Stage::new().map_err(|error| Failure::Stage(error.to_string()))?;
        let names = themes().iter().map(|theme| (theme.name.clone(), theme.name.clone())).collect();
        Ok(Window {
            director,
            stage,
            panels: Panels::new(names),
            styled_for: None,
            script,
            input: Input::listen(),
            camera: CameraRig::default(),
            thumbnails: Thumbnails::default(),
            pace: Pace::default(),
            #[cfg(target_os = "linux")]
            dropping: dropping::begin(),
            own_work: Duration::ZERO,
            water: 0.0,
            screenshot: None,
            filming: None,
            asked_for: None,
            is_to_close: false,
            is_closing: false,
        })
    }

    pub(crate) fn director(&self) -> &Director {
        &self.director
    }

    pub(crate) fn own_work(&self) -> Duration {
        self.own_work
    }

    /// One frame; `false` when it was the last.
    pub(crate) fn frame(&mut self) -> Result<bool, Failure> {
        let scripted = self.read_script()?;
        let passed = self.pace.begin_frame();
        let seconds = if self.script.is_some() { FRAME_SECONDS } else { passed };
        self.director.update(seconds);
        self.camera.advance(seconds);

        let scroll = self.input.hear();
        let panels = self.show_panels(scroll);
        let hands = match scripted {
            Some(hands) => hands,
            None => self.input.read(panels.has_pointer, panels.focus, self.director.app(), seconds),
        };
        if hands.is_active || !panels.commands.is_empty() {
            self.pace.wake();
        }
        self.camera.place(self.framing(), self.own_seat());
        self.director.look_from(self.camera.camera().yaw);
        let pointing = self.point(&hands, panels.has_pointer);
        for command in pointing.into_iter().chain(panels.commands).chain(hands.commands) {
            self.dispatch(command);
        }
        self.take_dropped();
        self.is_to_close |= is_quit_requested();
        self.close_if_saved();
        self.own_work = self.pace.since_frame_began();
        self.film();
        if self.is_looked_at() {
            self.draw(seconds);
        }
        egui_macroquad::draw();
        self.take_screenshot()?;
        if self.is_closing {
            self.give_up_film();
        }
        Ok(!self.is_closing)
    }

    /// Does what is the window's to do, and gives the director the rest.
    pub(crate) fn dispatch(&mut self, command: Command) {
        match command {
            Command::Camera(command) => {
                // What was refused is told beside a place that will be elsewhere.
                self.director.clear_refusal();
                self.camera.apply(command);
            }
            Command::Window(WindowCommand::TakeScreenshot(path)) => {
                self.screenshot = Some(path.unwrap_or_else(|| self.director.new_screenshot_path()));
            }
            Command::Window(WindowCommand::ToggleFullScreen) => {
                self.camera.let_go();
                let mut settings = self.director.app().settings.clone();
                settings.full_screen = !settings.full_screen;
                set_fullscreen(settings.full_screen);
                self.dispatch(Command::Change(Box::new(settings)));
            }
            Command::Window(WindowCommand::Paste) => self.paste(),
            Command::Window(WindowCommand::Quit) => self.is_to_close = true,
            Command::Window(WindowCommand::QuitUnsaved) => self.is_closing = true,
            command => self.director.dispatch(command, self.input.pointer()),
        }
    }

    /// Opens the game on the clipboard.
    fn paste(&mut self) {
        match miniquad::window::clipboard_get() {
            Some(text) => self.dispatch(Command::OpenText(text)),
            None => self.director.tell("There is no text on the clipboard."),
        }
    }

    /// Opens the first of the files that were dropped on the window.
    fn take_dropped(&mut self) {
        let (paths, texts): (Vec<_>, Vec<_>) =
            get_dropped_files().into_iter().map(|file| (file.path, file.bytes)).unzip();
        let mut paths: Vec<PathBuf> = paths.into_iter().flatten().collect();
        let mut text = texts.into_iter().flatten().next().filter(|_| paths.is_empty()).map(String::from_utf8);
        #[cfg(target_os = "linux")]
        match self.dropping.try_recv() {
            Ok(dropping::Dropped::Files(files)) => paths.extend(files),
            Ok(dropping::Dropped::Text(dropped)) => text = Some(Ok(dropped)),
            Err(_) => {}
        }
        let count = paths.len();
        let command = match (paths.into_iter().next(), text) {
            (Some(path), _) => Command::OpenFile(path),
            (None, Some(Ok(text))) => Command::OpenText(text),
            (None, Some(Err(_))) => return self.director.problem("What was dropped is no text."),
            (None, None) => return,
        };
        self.pace.wake();
        self.dispatch(command);
        if count > 1 {
            self.director.tell(format!("Only the first of {count} files is opened."));
        }
    }

    /// Nobody loses a game without having been asked. A script has nobody to ask.
    fn close_if_saved(&mut self) {
        // A script has asked for its film before it came to its end.
        let is_busy = self.script.is_some() && self.is_filming();
        if !self.is_to_close || self.director.is_saving() || is_busy {
        } else if self.director.app().unsaved.is_empty() || self.script.is_some() {
            self.is_closing = true;
        } else {
            self.is_to_close = false;
            self.dispatch(Command::Show(Panel::ConfirmQuit));
        }
    }

    fn show_panels(&mut self, scroll: Vec2) -> PanelFrame {
        let window = egui::Vec2::new(screen_width(), screen_height());
        let text_size = Panels::text_size_in(window, self.director.app().settings.text_size);
        let mut shown = PanelFrame { commands: Vec::new(), has_pointer: false, focus: Focus::Nothing };
        egui_macroquad::ui(|context| {
            if self.styled_for != Some(text_size) {
                Panels::style(context, text_size);
                if self.script.is_some() {
                    // What fades in would be half there in a picture.
                    context.style_mut(|style| style.animation_time = 0.0);
                }
                self.styled_for = Some(text_size);
            }
            // Nobody else tells it how many pixels a point has.
            let scale = screen_dpi_scale();
            if context.pixels_per_point() != scale {
                context.set_pixels_per_point(scale);
            }
            context.input_mut(|input| {
                // Its own reading of the wheel is far too small.
                input.smooth_scroll_delta = egui::vec2(scroll.x, scroll.y);
                input.events.splice(0..0, self.input.take_typed_ahead());
            });
            if let Some(text) = self.director.take_for_clipboard() {
                context.copy_text(text);
            }
            let before = focus_of(context);
            shown.commands = self.panels.show(context, self.director.app());
            shown.has_pointer = context.is_pointer_over_area() || context.is_using_pointer();
            // The key that ends a line is still the line's.
            shown.focus = if before == Focus::Text { before } else { focus_of(context) };
        });
        shown
    }

    /// What decides where the camera belongs now.
    fn framing(&self) -> Framing {
        let app = self.director.app();
        let (tokens, free) = (app.board().final_tokens(), self.panels.free_area());
        Framing {
            screen: screen_size(),
            free: Rect::new(free.left, free.top, free.right - free.left, free.bottom - free.top),
            game: app.board().set().id().to_string(),
            layout: app.board().set().layout(),
            columns: tokens.columns().max(1),
            rows: tokens.rows().max(1),
            visits: app.visits,
        }
    }

    fn own_seat(&self) -> u8 {
        self.director.app().table.as_ref().map_or(1, |table| table.own_seat().number())
    }

    fn draw(&mut self, seconds: f32) {
        let app = self.director.app();
        let theme = theme_of(app);
        let quality = self.pace.quality(app.settings.quality, self.script.is_some());
        match app.is_at_board() {
            true => {
                let tokens = app.board().final_tokens();
                // How many frames a script waits depends on the machine, and its pictures must not.
                // In low quality it stands still: moving water would keep everything blurred.
                if self.pace.is_awake() && self.script.is_none() && quality != Quality::Low {
                    self.water += seconds;
                }
                let camera = self.camera.camera();
                let view = View {
                    set: &**app.board().set(),
                    columns: tokens.columns(),
                    rows: tokens.rows(),
                    figures: &self.director.figures(),
                    marks: &self.director.marks(),
                    ripples: app.board().ripples(),
                    camera: &camera,
                    theme,
                    marks_in: app.settings.mark_palette(),
                    quality,
                    time: self.water,
                    coordinates: app.settings.coordinates,
                    counts: app.settings.counts,
                };
                self.stage.draw(&view);
            }
            false => self.thumbnails.draw(&mut self.stage, app, theme, self.panels.thumbnails()),
        }
    }

    fn take_screenshot(&mut self) -> Result<(), Failure> {
        let Some(path) = self.screenshot.take() else { return Ok(()) };
        match (screenshot::save(&path), &self.script) {
            (Ok(()), Some(_)) => {}
            (Ok(()), None) => self.director.tell(format!("The picture is in {}.", path.display())),
            (Err(error), Some(_)) => {
                return Err(Failure::Script(format!("{} cannot be written: {error}", path.display())));
            }
            (Err(error), None) => {
                self.director.problem(format!("{} cannot be written: {error}", path.display()))
            }
        }
        Ok(())
    }

    /// Everything asked is answered, and nothing moves.
    fn is_settled(&self) -> bool {
        self.director.is_settled() && self.camera.is_still() && !self.is_filming() && !self.is_resizing()
    }

    /// Whether it still has another size than a script has asked for.
    fn is_resizing(&self) -> bool {
        self.asked_for.is_some_and(|(size, since)| {
            (size - screen_size()).abs().max_element() > 1.0 && since.elapsed() < WAIT_FOR_SIZE
        })
    }

    /// A script looks when everything rests and when it takes a picture. To draw the board in
    /// between is most of the work of a script, and nobody sees it.
    fn is_looked_at(&self) -> bool {
        self.script.is_none() || self.screenshot.is_some() || self.is_settled()
    }

    /// Whether everything is drawn as well as it can be.
    fn is_drawn(&self) -> bool {
        let theme = theme_of(self.director.app());
        self.stage.is_settled() && self.thumbnails.are_made(theme, self.panels.thumbnails())
    }

    fn is_moving(&self) -> bool {
        !self.director.app().motion.is_still() || !self.camera.is_still()
    }

    /// Notes how long a frame took in which the whole board was drawn.
    fn note_pace(&mut self) {
        if self.director.app().screen == Screen::Board && self.is_moving() {
            self.pace.note_frame();
        }
    }

    /// Sleeps until the next frame is due: nothing that stands still needs many.
    fn rest(&self) {
        if self.script.is_some() {
            if !self.director.is_settled() && !self.is_moving() {
                // It is the engine that is waited for, and it wants the processor too.
                thread::sleep(WAIT_FOR_ENGINE);
            }
            return;
        }
        let thinks = |app: &App| app.table.as_ref().is_some_and(|table| table.thinking.is_some());
        self.pace.rest(match () {
            () if self.is_moving() || self.is_filming() || !self.is_drawn() => Activity::Moving,
            () if thinks(self.director.app()) => Activity::Thinking,
            () => Activity::None,
        });
    }
}

/// The size of the window, in points.
fn screen_size() -> Vec2 {
    vec2(screen_width(), screen_height())
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
