//! What has the keyboard: it goes round in what lies over everything else, and it is seen.

use egui_macroquad::egui::{
    Context, Event, Id, Key, LayerId, Painter, Stroke, StrokeKind, TextEdit, WidgetRect,
};

use super::look::{ACCENT, GRID};

/// What is as narrow as this is a scroll bar: pages are scrolled by keys of their own.
const NARROW: f32 = 12.0;

#[derive(Debug, Default)]
pub(super) struct Keyboard {
    /// What has it, in what lies over everything else.
    focused: Option<Id>,
    /// Whether keys were used after the mouse: who points at things knows where the pointer is.
    is_used: bool,
}

/// Says that a layer lies over everything else in this frame.
pub(super) fn cover(ctx: &Context, layer: LayerId) {
    ctx.data_mut(|data| data.insert_temp(Id::new("cover"), layer));
}

impl Keyboard {
    /// Goes where Tab leads. To be called before anything is shown.
    pub(super) fn go(&mut self, ctx: &Context) {
        let steps = self.read(ctx);
        let layer = ctx.data_mut(|data| {
            let layer = data.get_temp::<LayerId>(Id::new("cover"));
            data.remove::<LayerId>(Id::new("cover"));
            layer
        });
        let Some(layer) = layer else {
            // Here it goes round all there is.
            self.focused = None;
            return;
        };
        let places: Vec<Id> = ctx.viewport(|viewport| {
            let widgets = viewport.prev_pass.widgets.get_layer(layer);
            widgets.filter(|widget| can_be_pressed(widget)).map(|widget| widget.id).collect()
        });
        let focused = ctx.memory(|memory| memory.focused());
        // A menu or a choice of colours that was opened there lies over it in its turn.
        let is_above = |id| {
            let widget = ctx.viewport(|viewport| viewport.prev_pass.widgets.get(id).copied());
            widget.is_some_and(|widget| widget.layer_id.order > layer.order)
        };
        if focused.is_some_and(is_above) {
            return;
        }
        let index = |id: Option<Id>| places.iter().position(|place| Some(*place) == id);
        // Arrows may have led to what is under it.
        let here = index(focused).or(index(self.focused).filter(|_| focused.is_some()));
        let count = places.len();
        let has_gone = !steps.is_empty() && count > 0;
        let next = steps.into_iter().filter(|_| count > 0).fold(here, |here, backwards| {
            Some(match (here, backwards) {
                (Some(here), false) => (here + 1) % count,
                (Some(here), true) => (here + count - 1) % count,
                (None, false) => 0,
                (None, true) => count - 1,
            })
        });
        self.focused = next.map(|next| places[next]);
        if has_gone {
            forget_tab(ctx);
        }
        if let Some(next) = self.focused {
            ctx.memory_mut(|memory| memory.request_focus(next));
        }
    }

    /// Every Tab of this frame, and whether it goes backwards.
    fn read(&mut self, ctx: &Context) -> Vec<bool> {
        let mut steps = Vec::new();
        ctx.input(|input| {
            for event in &input.events {
                match event {
                    Event::Key { key, pressed: true, modifiers, .. } => {
                        self.is_used = true;
                        steps.extend((*key == Key::Tab).then_some(modifiers.shift));
                    }
                    Event::PointerButton { pressed: true, .. } | Event::Touch { .. } => self.is_used = false,
                    _ => {}
                }
            }
        });
        steps
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

/// Whether it is something that keys can press or change, and not the ground of a window.
fn can_be_pressed(widget: &WidgetRect) -> bool {
    let is_ground = widget.id == widget.layer_id.id.with("move");
    let is_bar = widget.rect.size().min_elem() < NARROW;
    widget.enabled && widget.sense.is_focusable() && !is_ground && !is_bar
}
