//! How all panels look: a few colours, three sizes of text, a grid of eight, and the small parts
//! that everything is made of.

use std::num::NonZeroUsize;

use egui_macroquad::egui::text::{LayoutJob, TextFormat};
use egui_macroquad::egui::{
    self, Align, Align2, Area, Button, Color32, Context, CornerRadius, FontFamily, FontId, Frame, Id, Key,
    Label, LayerId, Layout, Margin, Order, Pos2, Rect, Response, RichText, Sense, Shadow, Stroke, StrokeKind,
    TextStyle, Ui, Vec2, WidgetInfo, WidgetText, WidgetType, vec2,
};

use super::focus;
use crate::command::Command;
use crate::keys::keys_for;
use crate::settings::TEXT_SIZES;

pub(super) const TEXT: Color32 = Color32::from_rgb(236, 229, 217);
pub(super) const DIM: Color32 = Color32::from_rgb(192, 183, 170);
pub(super) const FAINT: Color32 = Color32::from_rgb(180, 172, 159);
pub(super) const ACCENT: Color32 = Color32::from_rgb(232, 173, 96);
pub(super) const PROBLEM: Color32 = Color32::from_rgb(247, 148, 126);
pub(super) const INK: Color32 = Color32::from_rgb(24, 21, 18);
pub(super) const SURFACE: Color32 = Color32::from_rgba_premultiplied(19, 17, 15, 242);
/// For sheets that are read: what is under them must not shine through.
pub(super) const SHEET: Color32 = Color32::from_rgba_premultiplied(20, 18, 16, 247);
pub(super) const LINE: Color32 = Color32::from_rgba_premultiplied(26, 25, 23, 28);
const RAISED: Color32 = Color32::from_rgba_premultiplied(17, 16, 14, 20);
const RAISED_MORE: Color32 = Color32::from_rgba_premultiplied(34, 32, 28, 40);
const HOLLOW: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 90);
pub(super) const WARM: Color32 = Color32::from_rgba_premultiplied(46, 34, 19, 52);

/// The grid: everything keeps a multiple of this away from everything else.
pub(super) const GRID: f32 = 8.0;
pub(super) const ROUND: u8 = 10;
const ROUND_SMALL: u8 = 7;

/// In a high window a sheet that is as high would be mostly empty.
const HIGHEST_SHEET: f32 = 880.0;

/// In a window that is lower than this, a sheet has no height to leave to what is under it.
const LOW: f32 = 640.0;

/// Beside a sheet there is at least so much of what is under it, or nothing.
const LEAST_ASIDE: f32 = 240.0;
/// Over a page while a sheet is read.
const VEIL: Color32 = Color32::from_black_alpha(150);
const VEIL_NAME: &str = "veil";
const MARGIN: Margin = Margin::same(20);

/// In its first frames a sheet does not know how large it is, and would be moved away from the edge.
const FRAMES_TO_PLACE: u32 = 3;

/// The three sizes of text, before the person's own factor.
const SMALL: f32 = 13.0;
const BODY: f32 = 15.5;
const LARGE: f32 = 27.0;

/// A window that is larger than this has larger text, in half the proportion.
const LARGE_WINDOW: Vec2 = vec2(1920.0, 1080.0);

/// How large text is in a window of this size, of its usual size, when a person wants it so large.
pub(super) fn text_size_in(window: Vec2, wanted: f32) -> f32 {
    let larger = ((window / LARGE_WINDOW).min_elem() - 1.0).max(0.0) * 0.5;
    (wanted * (1.0 + larger)).min(*TEXT_SIZES.end()).max(wanted)
}

/// How large text is now, of its usual size.
pub(super) fn text_size(ctx: &Context) -> f32 {
    ctx.style().text_styles[&TextStyle::Body].size / BODY
}

/// A step of the grid for signs that stand in a line of text: they are as large as it is.
pub(super) fn step(ui: &Ui) -> f32 {
    GRID * text_size(ui.ctx())
}

pub(super) fn style(ctx: &Context, text_size: f32) {
    let mut style = egui::Style { animation_time: 0.12, ..egui::Style::default() };
    let size = |points: f32| FontId::new(points * text_size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Small, size(SMALL)),
        (TextStyle::Body, size(BODY)),
        (TextStyle::Button, size(BODY)),
        (TextStyle::Heading, size(LARGE)),
        (TextStyle::Monospace, FontId::new(SMALL * text_size, FontFamily::Monospace)),
    ]
    .into();

    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(GRID, GRID);
    spacing.button_padding = vec2(GRID * 1.5, GRID * 0.75) * text_size;
    spacing.interact_size = vec2(GRID * 5.0, GRID * 4.0) * text_size;
    spacing.menu_margin = Margin::same(8);
    spacing.window_margin = Margin::same(24);
    spacing.tooltip_width = 320.0 * text_size;
    // Bars have room of their own: on a button they would be in its way.
    spacing.scroll = egui::style::ScrollStyle {
        bar_width: 6.0,
        floating_allocated_width: 10.0,
        // They say that there is more before anybody has moved the pointer there.
        dormant_handle_opacity: 0.35,
        ..egui::style::ScrollStyle::floating()
    };

    let visuals = &mut style.visuals;
    visuals.override_text_color = None;
    visuals.window_fill = SURFACE;
    visuals.panel_fill = SURFACE;
    visuals.window_stroke = Stroke::new(1.0, LINE);
    visuals.window_corner_radius = CornerRadius::same(ROUND);
    visuals.menu_corner_radius = CornerRadius::same(ROUND);
    visuals.window_shadow =
        Shadow { offset: [0, 6], blur: 24, spread: 0, color: Color32::from_black_alpha(110) };
    visuals.popup_shadow = visuals.window_shadow;
    visuals.window_highlight_topmost = false;
    visuals.extreme_bg_color = HOLLOW;
    visuals.code_bg_color = RAISED;
    visuals.faint_bg_color = RAISED;
    visuals.selection.bg_fill = Color32::from_rgba_unmultiplied(232, 173, 96, 70);
    visuals.selection.stroke = Stroke::new(1.0, ACCENT);
    visuals.hyperlink_color = ACCENT;
    visuals.error_fg_color = PROBLEM;
    visuals.slider_trailing_fill = true;
    visuals.indent_has_left_vline = false;

    let widgets = &mut visuals.widgets;
    let paint = |widget: &mut egui::style::WidgetVisuals, fill, outline, text| {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, outline);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = CornerRadius::same(ROUND_SMALL);
        widget.expansion = 0.0;
    };
    paint(&mut widgets.noninteractive, RAISED, LINE, TEXT);
    paint(&mut widgets.inactive, RAISED, LINE, TEXT);
    paint(&mut widgets.hovered, RAISED_MORE, ACCENT.gamma_multiply(0.6), Color32::WHITE);
    paint(&mut widgets.active, RAISED_MORE, ACCENT, Color32::WHITE);
    paint(&mut widgets.open, RAISED_MORE, LINE, TEXT);
    ctx.set_style(style);
    // A second pass over the same frame would see no click, and what the first one asked for would
    // be forgotten.
    ctx.options_mut(|options| options.max_passes = NonZeroUsize::MIN);
}

/// The ground of everything that lies over the board.
pub(super) fn surface() -> Frame {
    Frame::new()
        .fill(SURFACE)
        .stroke(Stroke::new(1.0, LINE))
        .corner_radius(ROUND)
        .inner_margin(Margin::same(16))
}

/// Something that lies over the board, whose ground does not take the keyboard.
pub(super) fn area(name: &str) -> Area {
    Area::new(Id::new(name)).sense(Sense::hover())
}

pub(super) fn title(ui: &mut Ui, text: &str) -> Response {
    ui.label(RichText::new(text).heading().color(TEXT))
}

/// The name of a part of a panel.
pub(super) fn section(ui: &mut Ui, text: &str) {
    ui.add_space(GRID);
    ui.label(RichText::new(text).small().color(ACCENT));
}

/// A sentence of explanation.
pub(super) fn note(ui: &mut Ui, text: impl Into<String>) -> Response {
    let words = words(ui, &text.into(), TextStyle::Small, DIM);
    ui.label(words)
}

/// A sentence in which something may have to be typed into a terminal. Options stand in the letters
/// of a typewriter: in all others their two dashes are one.
pub(super) fn words(ui: &Ui, text: &str, style: TextStyle, colour: Color32) -> LayoutJob {
    let font = style.resolve(ui.style());
    let typed = FontId::new(font.size, FontFamily::Monospace);
    // Beside what is larger it stands where other text stands.
    let valign = ui.text_valign();
    let format = |font: &FontId| TextFormat { valign, ..TextFormat::simple(font.clone(), colour) };
    let mut job = LayoutJob::default();
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, from) = rest.split_at(at);
        let (option, after) = from.split_at(from.find(char::is_whitespace).unwrap_or(from.len()));
        job.append(before, 0.0, format(&font));
        job.append(option, 0.0, format(&typed));
        rest = after;
    }
    job.append(rest, 0.0, format(&font));
    job
}

/// What stands in an empty field.
pub(super) fn hint(text: impl Into<String>) -> RichText {
    RichText::new(text).color(FAINT)
}

pub(super) fn rule(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, LINE);
}

/// What hovering says is said to fingers as well, which cannot hover: to one that is held so long that
/// it presses nothing any more.
pub(super) trait Explain {
    fn explain(self, words: impl Into<WidgetText>) -> Response;
    /// Whether a pointer is over it or a finger held on it, and where.
    fn pointed_at(&self) -> Option<Pos2>;
}

impl Explain for Response {
    fn explain(self, words: impl Into<WidgetText>) -> Response {
        if !is_held(&self) {
            return self.on_hover_text(words);
        }
        self.show_tooltip_text(words);
        self
    }

    fn pointed_at(&self) -> Option<Pos2> {
        let at = || self.ctx.input(|input| input.pointer.latest_pos());
        self.hover_pos().or_else(|| is_held(self).then(at).flatten())
    }
}

/// A click may take so many seconds, and so many frames where each of them takes long: else all that
/// is pressed there would be held.
const LONGEST_CLICK: f64 = 0.8;
const FRAMES_OF_CLICK: f32 = 2.5;

/// Lets slow machines hear clicks. To be called in every frame.
pub(super) fn bear_slow_frames(ctx: &Context) {
    let frame = ctx.input(|input| input.unstable_dt);
    let longest_click = LONGEST_CLICK.max(f64::from(frame * FRAMES_OF_CLICK));
    ctx.options_mut(|options| options.input_options.max_click_duration = longest_click);
}

/// Whether it is pressed for longer than a click takes. What is scrolled around it takes the press to
/// itself, so that egui does not call it hovered.
fn is_held(response: &Response) -> bool {
    let longest_click = response.ctx.options(|options| options.input_options.max_click_duration);
    response.contains_pointer()
        && response.ctx.input(|input| {
            let pointer = &input.pointer;
            let began = pointer.press_start_time().filter(|_| pointer.primary_down());
            let is_long = began.is_some_and(|began| input.time - began > longest_click);
            is_long && pointer.press_origin().is_some_and(|at| response.rect.contains(at))
        })
}

/// A button; what it says on hovering names the keys that do the same.
pub(super) fn ask(ui: &mut Ui, text: &str, command: Command, commands: &mut Vec<Command>) -> Response {
    asked(ui.button(text), command, commands)
}

/// The button for what people most likely want.
pub(super) fn ask_first(ui: &mut Ui, text: &str, command: Command, commands: &mut Vec<Command>) -> Response {
    asked(ui.add(first(text)), command, commands)
}

/// A button as wide as what is left of the line, perhaps out of order for the moment.
pub(super) fn ask_wide(
    ui: &mut Ui,
    possible: bool,
    text: &str,
    command: Command,
    commands: &mut Vec<Command>,
) -> Response {
    let width = ui.available_width();
    let height = ui.spacing().interact_size.y;
    let button = ui.add_enabled_ui(possible, |ui| ui.add_sized(vec2(width, height), Button::new(text))).inner;
    asked(button, command, commands)
}

pub(super) fn first(text: &str) -> Button<'_> {
    Button::new(RichText::new(text).color(INK)).fill(ACCENT).stroke(Stroke::NONE)
}

pub(super) fn asked(response: Response, command: Command, commands: &mut Vec<Command>) -> Response {
    let keys = response.pointed_at().and_then(|_| keys_for(&command));
    let response = match keys {
        Some(keys) => response.explain(RichText::new(keys).small()),
        None => response,
    };
    if response.clicked() {
        commands.push(command);
    }
    response
}

/// One of several words, all to be seen; the chosen one stands out by ground and outline. Gives the
/// word that was chosen just now.
pub(super) fn one_of<T: PartialEq + Clone>(ui: &mut Ui, current: &T, words: &[(T, &str)]) -> Option<T> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(GRID * 0.5);
        for (value, word) in words {
            let is_current = value == current;
            if chip(ui, is_current, word).clicked() && !is_current {
                chosen = Some(value.clone());
            }
        }
    });
    chosen
}

pub(super) fn chip(ui: &mut Ui, is_current: bool, word: &str) -> Response {
    let button = match is_current {
        true => Button::new(RichText::new(word).color(ACCENT)).fill(WARM).stroke(Stroke::new(1.0, ACCENT)),
        false => Button::new(RichText::new(word).color(DIM)),
    };
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, is_current, word));
    response
}

/// A switch with its name before it, over the whole width. Gives what it was switched to just now.
pub(super) fn switch(ui: &mut Ui, on: bool, name: &str) -> Option<bool> {
    let height = ui.spacing().interact_size.y * 0.85;
    let font = TextStyle::Body.resolve(ui.style());
    let room = (ui.available_width() - height * 1.25 - GRID * 1.5).max(GRID);
    let text = ui.fonts(|fonts| fonts.layout(name.into(), font, Color32::PLACEHOLDER, room));
    let size = vec2(ui.available_width(), height.max(text.size().y + GRID * 0.5));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, name));
    let colour = ui.style().interact(&response).fg_stroke.color;
    let at = egui::pos2(rect.left(), rect.center().y - text.size().y * 0.5);
    ui.painter().galley(at, text, colour);

    let size = vec2(height * 1.25, height * 0.62);
    let groove = egui::Rect::from_center_size(rect.right_center() - vec2(size.x * 0.5 + 1.0, 0.0), size);
    let way = ui.ctx().animate_bool(response.id, on);
    let outline = if response.has_focus() || response.hovered() || on { ACCENT } else { FAINT };
    let radius = CornerRadius::same((size.y * 0.5) as u8);
    ui.painter().rect(
        groove,
        radius,
        if on { WARM } else { HOLLOW },
        Stroke::new(1.0, outline),
        StrokeKind::Inside,
    );
    let knob = groove.left_center() + vec2(size.y * 0.5 + way * (size.x - size.y), 0.0);
    ui.painter().circle_filled(knob, size.y * 0.5 - 4.0, if on { ACCENT } else { FAINT });
    response.clicked().then_some(!on)
}

/// A line of text that opens what is under it.
pub(super) fn fold(ui: &mut Ui, id: impl std::hash::Hash, text: &str, open: &mut bool) -> Response {
    let sign = if *open { "–" } else { "+" };
    let response = ui
        .push_id(id, |ui| {
            ui.add(Button::new(RichText::new(format!("{sign}  {text}")).small().color(DIM)).frame(false))
        })
        .inner;
    if response.clicked() {
        *open = !*open;
    }
    response
}

/// A button that does not stand out, beside something that matters more.
pub(super) fn small_button(ui: &mut Ui, text: &str) -> Response {
    // Not in a scope of its own: what is in one does not wrap.
    let usual = ui.spacing().button_padding;
    ui.spacing_mut().button_padding *= 0.6;
    let response = ui.add(Button::new(RichText::new(text).small().color(DIM)));
    ui.spacing_mut().button_padding = usual;
    response
}

/// Lines of text without the room that buttons need.
pub(super) fn dense(ui: &mut Ui) {
    ui.spacing_mut().interact_size.y = ui.text_style_height(&TextStyle::Body);
}

/// Text at the left and something at the right of one line.
pub(super) fn line(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        left(ui);
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// Notes that what is shown by now, at the top, stays in sight whatever else is shown.
pub(super) fn keep_in_sight(ctx: &Context) {
    let top = ctx.available_rect().top();
    ctx.data_mut(|data| data.insert_temp(Id::new("top"), top));
}

/// A sheet over the board or over the home screen, with a title and a way to close it. Gives
/// whether it is to be closed.
pub(super) fn sheet(
    ctx: &Context,
    title: &str,
    width: f32,
    over_board: bool,
    contents: impl FnOnce(&mut Ui),
) -> bool {
    let whole = ctx.screen_rect();
    let margins = MARGIN.sum().x;
    let text_size = text_size(ctx);
    let width = (width * text_size.max(1.0)).min(whole.width() - GRID * 4.0).max(margins);
    // What would peep out beside it says nothing, be it a page or a board.
    let is_alone = whole.width() - width < LEAST_ASIDE;
    let width = if is_alone { whole.width() } else { width };
    // At the top there may be something that has to stay in sight.
    let top = ctx.data(|data| data.get_temp(Id::new("top"))).filter(|_| is_alone);
    let screen = whole.with_min_y(top.unwrap_or(ctx.available_rect().top()));
    // In a low window it takes all the height there is, and lies over the prompt.
    let is_low = screen.height() < LOW * text_size;
    let around = if over_board && !is_low { GRID * 18.0 } else { GRID * 6.0 };
    let room = (screen.height() - around).min(HIGHEST_SHEET * text_size).max(margins);
    let room = if is_alone { screen.height() } else { room };
    let shadow = ctx.style().visuals.window_shadow;
    let alone = Frame::new().fill(SHEET.to_opaque()).inner_margin(MARGIN);
    let is_veiled = is_alone || !over_board;
    let mut closed = is_veiled && veil(ctx, if is_alone { alone.fill } else { VEIL });
    let window = egui::Window::new(title)
        .id(Id::new((title, over_board)))
        .title_bar(false)
        .resizable(false)
        .frame(if is_alone { alone } else { surface().fill(SHEET).inner_margin(MARGIN).shadow(shadow) })
        .fixed_size(vec2(width - margins, room - margins));
    let window = match over_board && !is_alone {
        // At the left, so that the panel beside the board stays in sight; in a narrow window in the
        // middle. It stays where it was dragged until the window has another size.
        true => {
            let left = (GRID * 1.5).min((screen.width() - width) * 0.5);
            let at = screen.min + vec2(left, if is_low { GRID * 3.0 } else { GRID * 8.0 });
            let id = Id::new(("frames of sheet", title));
            let before = ctx.data(|data| data.get_temp::<(Rect, u32)>(id)).filter(|(was, _)| *was == screen);
            let frames = before.map_or(0, |(_, frames)| frames + 1).min(FRAMES_TO_PLACE);
            ctx.data_mut(|data| data.insert_temp(id, (screen, frames)));
            let is_placed = frames == FRAMES_TO_PLACE;
            if is_placed { window.default_pos(at) } else { window.current_pos(at) }
        }
        false => window.anchor(Align2::CENTER_CENTER, screen.center() - whole.center()),
    };
    let shown = window.show(ctx, |ui| {
        // What closes it takes its room first, and a long title wraps before it.
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.set_max_height(ui.spacing().interact_size.y);
            let close = ui.button("Close").explain(RichText::new("Escape").small());
            take_keyboard(&close);
            closed |= close.clicked();
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.add(Label::new(RichText::new(title).heading().color(TEXT)).wrap());
            });
        });
        rule(ui);
        contents(ui);
    });
    if let Some(shown) = shown {
        let layer = shown.response.layer_id;
        if is_veiled {
            ctx.set_sublayer(LayerId::new(Order::Middle, Id::new(VEIL_NAME)), layer);
        }
        focus::cover(ctx, layer);
    }
    closed
}

/// Lies over what is under the sheet that is read. Gives whether it was clicked on, which is to
/// say that one wants to be back.
fn veil(ctx: &Context, colour: Color32) -> bool {
    let window = ctx.screen_rect();
    let shown = Area::new(Id::new(VEIL_NAME)).fixed_pos(window.min).show(ctx, |ui| {
        ui.painter().rect_filled(window, 0.0, colour);
        ui.allocate_exact_size(window.size(), Sense::CLICK).1.clicked()
    });
    ctx.move_to_top(shown.response.layer_id);
    shown.inner
}

/// Gives something the keyboard unless something else has it, so that whoever uses keys can go on
/// with keys.
pub(super) fn take_keyboard(response: &Response) {
    give_keyboard(&response.ctx, response.id);
}

/// The same for what is shown next: so it hears what has been typed already.
pub(super) fn give_keyboard(ctx: &Context, id: Id) {
    ctx.memory_mut(|memory| {
        if memory.focused().is_none() {
            memory.request_focus(id);
        }
    });
}

/// A page that is read without a mouse goes up and down by the keys for pages, and follows what has
/// the keyboard. To be called inside the page, after what is on it.
pub(super) fn scroll_by_keys(ui: &mut Ui) {
    let page = ui.clip_rect().height() * 0.85;
    let (up, down) = ui.input(|input| (input.key_pressed(Key::PageUp), input.key_pressed(Key::PageDown)));
    if up || down {
        ui.scroll_with_delta(vec2(0.0, if up { page } else { -page }));
    }
    follow_keyboard(ui);
}

/// The same where the keys for pages have another meaning.
pub(super) fn follow_keyboard(ui: &mut Ui) {
    let id = ui.id().with("had the keyboard");
    let focused = ui.memory(|memory| memory.focused());
    let before = ui.data_mut(|data| data.get_temp::<Id>(id));
    if focused == before {
        return;
    }
    // Not what was given the keyboard when the page was opened, but what keys have gone to.
    let keys = [Key::Tab, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];
    let has_gone = ui.input(|input| keys.into_iter().any(|key| input.key_pressed(key)));
    let response = focused.filter(|_| has_gone).and_then(|focused| ui.ctx().read_response(focused));
    ui.data_mut(|data| match focused {
        Some(focused) => data.insert_temp(id, focused),
        None => data.remove::<Id>(id),
    });
    // What is to be seen outside of the page is no part of it, although the page goes on under it.
    let is_elsewhere = |response: &Response| {
        response.interact_rect.is_positive() && !response.interact_rect.intersects(ui.clip_rect())
    };
    if let Some(response) = response.filter(|response| response.layer_id == ui.layer_id())
        && ui.min_rect().contains(response.rect.center())
        && !is_elsewhere(&response)
    {
        ui.scroll_to_rect(response.rect.expand(GRID), None);
    }
}

/// How light a colour is, as WCAG reckons.
#[cfg(test)]
fn luminance(colour: [f32; 3]) -> f32 {
    let light = colour.map(|part| match part / 255.0 {
        part if part <= 0.03928 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
}

#[cfg(test)]
pub(super) fn contrast(one: [f32; 3], other: [f32; 3]) -> f32 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// What a colour that shines through becomes over this one.
#[cfg(test)]
pub(super) fn over(colour: Color32, below: [f32; 3]) -> [f32; 3] {
    let [red, green, blue, alpha] = colour.to_array().map(f32::from);
    let seen = 1.0 - alpha / 255.0;
    [red + below[0] * seen, green + below[1] * seen, blue + below[2] * seen]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// AA: 4.5 to 1, on every ground, whatever board is behind it.
    #[test]
    fn every_text_can_be_read_on_every_ground() {
        let plain = |colour: Color32| over(colour, [0.0; 3]);
        for (name, ground) in [("surface", SURFACE), ("sheet", SHEET)] {
            for behind in [[0.0; 3], [128.0; 3], [255.0; 3]] {
                let ground = over(ground, behind);
                for (text, colour) in
                    [("text", TEXT), ("dim", DIM), ("faint", FAINT), ("accent", ACCENT), ("problem", PROBLEM)]
                {
                    for raised in [Color32::TRANSPARENT, RAISED, WARM] {
                        let ratio = contrast(plain(colour), over(raised, ground));
                        assert!(ratio >= 4.5, "{text} on {name} over {behind:?}: {ratio:.2}");
                    }
                }
            }
        }
        assert!(contrast(plain(INK), plain(ACCENT)) >= 4.5);
    }
}
