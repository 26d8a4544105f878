//! What has the keyboard: it goes round in what lies over everything else, or on a page, and it is
//! seen.

use egui_macroquad::egui::{
    Context, Event, Id, Key, LayerId, Order, Painter, Rangef, Rect, Stroke, StrokeKind, TextEdit, Vec2,
    WidgetRect,
};

use super::look::{ACCENT, GRID};

/// What is as narrow as this is a scroll bar: pages are scrolled by keys of their own.
const NARROW: f32 = 12.0;
/// What is as wide and high as this and can only be dragged is the ground of a page.
const PAGE: f32 = 64.0;

#[derive(Debug, Default)]
pub(super) struct Keyboard {
    /// What has it, in what lies over everything else.
    focused: Option<Id>,
    /// What has it on the page, or had it when something covered the page.
    on_page: Option<Id>,
    /// What had it on the first page when one left that for another.
    at_home: Option<Id>,
    /// The part of the window in which the page is scrolled.
    page: Option<Rect>,
    /// Whether arrows were pressed on the page in this frame.
    is_led: bool,
    /// Whether keys were used after the mouse: who points at things knows where the pointer is.
    is_used: bool,
}

/// Where a key leads.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Next,
    Back,
    /// The way of an arrow.
    Towards(Vec2),
}

impl Step {
    /// From one place in a ring to another, if it is a step in rings.
    fn around(self, here: Option<usize>, count: usize) -> Option<usize> {
        match (self, here) {
            (Step::Towards(_), here) => here,
            (Step::Next, here) => Some(here.map_or(0, |here| (here + 1) % count)),
            (Step::Back, here) => Some(here.map_or(count - 1, |here| (here + count - 1) % count)),
        }
    }
}

/// Says that a layer lies over everything else in this frame.
pub(super) fn cover(ctx: &Context, layer: LayerId) {
    ctx.data_mut(|data| data.insert_temp(Id::new("cover"), layer));
}

impl Keyboard {
    /// Goes where keys lead; `is_page` where arrows lead from place to place on a page that nothing
    /// covers. To be called before anything is shown.
    pub(super) fn go(&mut self, ctx: &Context, is_page: bool) {
        let steps = self.read(ctx);
        let layer = ctx.data_mut(|data| {
            let layer = data.get_temp::<LayerId>(Id::new("cover"));
            data.remove::<LayerId>(Id::new("cover"));
            layer
        });
        self.is_led = false;
        match layer {
            _ if is_page => self.go_on_page(ctx, &steps),
            Some(layer) => self.go_round(ctx, layer, &steps),
            // Here it goes round all there is.
            None => self.focused = None,
        }
    }

    fn go_round(&mut self, ctx: &Context, layer: LayerId, steps: &[Step]) {
        let places: Vec<Id> = places(ctx, [layer]).iter().map(|place| place.id).collect();
        let focused = ctx.memory(|memory| memory.focused());
        // A menu or a choice of colours that was opened there lies over it in its turn.
        if focused.is_some_and(|focused| is_above(ctx, focused, layer.order)) {
            return;
        }
        let index = |id: Option<Id>| places.iter().position(|place| Some(*place) == id);
        // Arrows may have led to what is under it.
        let here = index(focused).or(index(self.focused).filter(|_| focused.is_some()));
        let count = places.len();
        let next = steps.iter().filter(|_| count > 0).fold(here, |here, step| step.around(here, count));
        self.focused = next.map(|next| places[next]);
        if count > 0 && steps.iter().any(|step| !matches!(step, Step::Towards(_))) {
            forget_tab(ctx);
        }
        if let Some(next) = self.focused {
            ctx.memory_mut(|memory| memory.request_focus(next));
        }
    }

    /// What egui does with arrows knows neither rows nor columns, nor that a page is scrolled.
    fn go_on_page(&mut self, ctx: &Context, steps: &[Step]) {
        let focused = ctx.memory(|memory| memory.focused()).filter(|focused| *focused != nowhere());
        if focused.is_some_and(|focused| is_above(ctx, focused, Order::Middle)) {
            return;
        }
        let layers = ctx.memory(|memory| memory.areas().visible_layer_ids());
        let above = layers.into_iter().filter(|layer| layer.order != Order::Background);
        let places = places(ctx, [LayerId::background()].into_iter().chain(above));
        // In a text, arrows move the cursor.
        let is_text = focused.is_some_and(|focused| TextEdit::load_state(ctx, focused).is_some());
        let is_arrow = |step: &Step| matches!(step, Step::Towards(_));
        let is_heard = |step: &&Step| !(places.is_empty() || is_text && is_arrow(step));
        let steps: Vec<Step> = steps.iter().filter(is_heard).copied().collect();
        let index = |id: Option<Id>| places.iter().position(|place| Some(place.id) == id);
        // Who comes back finds the keyboard where it was left, if that is still there.
        let before = focused.or_else(|| self.on_page.take());
        let page = self.page.unwrap_or(ctx.screen_rect());
        let next = steps.iter().fold(index(before), |here, step| match step {
            Step::Towards(way) => here.map(|here| towards(&places, here, *way, page).unwrap_or(here)),
            step => step.around(here, places.len()),
        });
        if steps.iter().any(|step| !matches!(step, Step::Towards(_))) {
            forget_tab(ctx);
        }
        self.is_led = steps.iter().any(|step| matches!(step, Step::Towards(_)));
        if let Some(next) = next.map(|next| places[next].id).or(before) {
            ctx.memory_mut(|memory| memory.request_focus(next));
        }
    }

    /// Another screen is shown from now on: the first page remembers what had the keyboard there.
    pub(super) fn change_page(&mut self, was_home: bool, is_home: bool) {
        let left = self.on_page.take();
        self.page = None;
        if was_home {
            self.at_home = left;
        }
        if is_home {
            self.on_page = self.at_home.take();
        }
    }

    /// The board has the keyboard: who turns to the buttons next begins with the first.
    pub(super) fn forget_place(&mut self) {
        self.on_page = None;
    }

    /// Notes where in the window a page is scrolled in this frame.
    pub(super) fn note_page(&mut self, page: Rect) {
        self.page = Some(page);
    }

    /// Where every Tab and every arrow of this frame leads.
    fn read(&mut self, ctx: &Context) -> Vec<Step> {
        let mut steps = Vec::new();
        ctx.input(|input| {
            for event in &input.events {
                match event {
                    Event::Key { key, pressed: true, modifiers, .. } => {
                        self.is_used = true;
                        steps.extend(match key {
                            Key::Tab if modifiers.shift => Some(Step::Back),
                            Key::Tab => Some(Step::Next),
                            Key::ArrowLeft => Some(Step::Towards(Vec2::LEFT)),
                            Key::ArrowRight => Some(Step::Towards(Vec2::RIGHT)),
                            Key::ArrowUp => Some(Step::Towards(Vec2::UP)),
                            Key::ArrowDown => Some(Step::Towards(Vec2::DOWN)),
                            _ => None,
                        });
                    }
                    Event::PointerButton { pressed: true, .. } | Event::Touch { .. } => self.is_used = false,
                    _ => {}
                }
            }
        });
        steps
    }

    /// Notes what has the keyboard on a page, for whoever comes back. To be called after everything
    /// was shown.
    pub(super) fn note_place(&mut self, ctx: &Context) {
        let focused = ctx.memory(|memory| memory.focused());
        // Not in a sheet that was there in the frame before.
        let is_below = |id: &Id| {
            let widget = ctx.viewport(|viewport| viewport.this_pass.widgets.get(*id).copied());
            widget.is_some_and(|widget| widget.layer_id.order <= Order::Middle)
        };
        if let Some(focused) = focused.filter(is_below) {
            self.on_page = Some(focused);
        }
        // From what is nowhere egui cannot follow an arrow as well. Nobody else is to hear it, so
        // something has the keyboard.
        if focused.is_some() && self.is_led {
            ctx.memory_mut(|memory| memory.request_focus(nowhere()));
        }
    }

    /// Draws a ring around what has the keyboard. To be called after everything was shown.
    pub(super) fn show(&self, ctx: &Context) {
        let focused = ctx.memory(|memory| memory.focused()).filter(|_| self.is_used);
        let Some(response) = focused.and_then(|focused| ctx.read_response(focused)) else { return };
        // In a text one sees the cursor.
        let is_text = TextEdit::load_state(ctx, response.id).is_some();
        if is_text || !response.interact_rect.is_positive() {
            return;
        }
        let clip = response.interact_rect.expand(GRID * 0.5);
        let painter = Painter::new(ctx.clone(), response.layer_id, clip);
        let ring = response.rect.expand(GRID * 0.375);
        painter.rect_stroke(ring, GRID, Stroke::new(2.0, ACCENT), StrokeKind::Inside);
    }
}

/// egui moves the keyboard by Tab as well, to the next thing that is shown. Something that is never
/// shown takes that.
fn forget_tab(ctx: &Context) {
    let nothing = Id::new("nothing");
    ctx.memory_mut(|memory| {
        // The first time may only end what an earlier Tab has begun.
        for _ in 0..2 {
            if let Some(focused) = memory.focused() {
                memory.surrender_focus(focused);
            }
            memory.interested_in_focus(nothing, LayerId::background());
        }
    });
}

/// What has the keyboard until the next frame after an arrow.
fn nowhere() -> Id {
    Id::new("led by arrows")
}

/// What keys can press or change in these layers, in the order in which it was shown last.
fn places(ctx: &Context, layers: impl IntoIterator<Item = LayerId>) -> Vec<WidgetRect> {
    ctx.viewport(|viewport| {
        let widgets = layers.into_iter().flat_map(|layer| viewport.prev_pass.widgets.get_layer(layer));
        widgets.filter(|widget| can_be_pressed(widget)).copied().collect()
    })
}

/// Whether something lies over everything of this order, as a menu does that was opened from there.
fn is_above(ctx: &Context, id: Id, order: Order) -> bool {
    let widget = ctx.viewport(|viewport| viewport.prev_pass.widgets.get(id).copied());
    widget.is_some_and(|widget| widget.layer_id.order > order)
}

/// How much farther everything is that does not lie on the page, seen from there: the page has to be
/// scrolled to its end first.
const OFF_PAGE: f32 = 1e6;

/// The nearest place in a direction. To the sides it is in the same row; up and down it is in the
/// same column, if something is there.
fn towards(places: &[WidgetRect], here: usize, way: Vec2, page: Rect) -> Option<usize> {
    let from = &places[here];
    let is_on_page = |place: &WidgetRect| {
        !place.interact_rect.is_positive() || page.contains(place.interact_rect.center())
    };
    let distance = |place: &WidgetRect| {
        let leaves_page = is_on_page(from) != is_on_page(place);
        // What is scrolled away is nowhere, for whoever looks from elsewhere.
        if place.id == from.id || leaves_page && !place.interact_rect.is_positive() {
            return None;
        }
        let [one, other] = match leaves_page {
            true if is_on_page(from) => [page, place.rect],
            true => [from.rect, place.interact_rect],
            false => [from.rect, place.rect],
        };
        let gap = way.x.max(0.0) * (other.left() - one.right())
            + (-way.x).max(0.0) * (one.left() - other.right())
            + way.y.max(0.0) * (other.top() - one.bottom())
            + (-way.y).max(0.0) * (one.top() - other.bottom());
        let across = |rect: Rect| if way.x == 0.0 { rect.x_range() } else { rect.y_range() };
        let (here, there) = (across(from.rect), across(place.rect));
        let aside = gap_between(here, there);
        let is_in_row = way.x == 0.0 || aside == 0.0;
        // Of several that are as far, the one that lies straight ahead.
        let off = (here.center() - there.center()).abs() * 0.01;
        let farther = if leaves_page { OFF_PAGE } else { 0.0 };
        (gap > -EDGE && is_in_row).then_some(gap.max(0.0) + aside * 2.0 + off + farther)
    };
    let known = places.iter().enumerate().filter_map(|(index, place)| Some((index, distance(place)?)));
    known.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(index, _)| index)
}

/// Things may overlap by so much and still lie beside each other.
const EDGE: f32 = 2.0;

/// How far two ranges are apart; nothing if they have a part in common.
fn gap_between(one: Rangef, other: Rangef) -> f32 {
    let gap = (other.min - one.max).max(one.min - other.max);
    if gap > -EDGE { gap.max(0.0) + EDGE } else { 0.0 }
}

/// Whether it is something that keys can press or change, and not the ground of a window.
fn can_be_pressed(widget: &WidgetRect) -> bool {
    let is_page = !widget.sense.senses_click() && widget.rect.size().min_elem() > PAGE;
    let is_ground = widget.id == widget.layer_id.id.with("move") || is_page;
    let is_bar = widget.rect.size().min_elem() < NARROW;
    widget.enabled && widget.sense.is_focusable() && !is_ground && !is_bar
}
