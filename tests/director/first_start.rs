//! Somebody who starts the program for the first time.

use egui_macroquad::egui::epaint::{ClippedShape, Shape};
use egui_macroquad::egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, vec2};
use tabuleiro::command::Command;
use tabuleiro::panel::Panels;

use crate::room::{Room, cell};

/// A mouse before the panels of a room. It counts what it does.
struct Mouse {
    ctx: Context,
    panels: Panels,
    seconds: f64,
    clicks: usize,
}

impl Mouse {
    fn new() -> Mouse {
        Mouse { ctx: Context::default(), panels: Panels::new(Vec::new()), seconds: 0.0, clicks: 0 }
    }

    fn frame(&mut self, room: &mut Room, events: Vec<Event>) -> Vec<ClippedShape> {
        self.seconds += 0.1;
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0))),
            time: Some(self.seconds),
            events,
            ..RawInput::default()
        };
        let mut commands: Vec<Command> = Vec::new();
        let output = self.ctx.run(input, |ctx| {
            Panels::style(ctx, 1.0);
            commands.extend(self.panels.show(ctx, room.app()));
        });
        commands.into_iter().for_each(|command| room.dispatch(command));
        room.settle();
        output.shapes
    }

    fn click(&mut self, room: &mut Room, words: &str) {
        for _ in 0..4 {
            self.frame(room, Vec::new());
        }
        let shapes = self.frame(room, Vec::new());
        let at = shapes.iter().find_map(|clipped| find(&clipped.shape, words));
        let at = at.unwrap_or_else(|| panic!("\"{words}\" is not to be seen"));
        let button = |pressed| {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            vec![Event::PointerButton { pos: at, button, pressed, modifiers }]
        };
        self.frame(room, vec![Event::PointerMoved(at)]);
        self.frame(room, button(true));
        self.frame(room, button(false));
        self.clicks += 1;
    }
}

fn find(shape: &Shape, words: &str) -> Option<Pos2> {
    match shape {
        Shape::Text(text) if text.galley.text() == words => {
            Some(text.pos + text.galley.rect.center().to_vec2())
        }
        Shape::Vec(shapes) => shapes.iter().find_map(|shape| find(shape, words)),
        _ => None,
    }
}

#[test]
fn the_first_own_move_is_three_clicks_away() {
    let mut room = Room::new();
    let mut mouse = Mouse::new();
    mouse.click(&mut room, "Play Zurero");
    mouse.click(&mut room, "Start the game");
    room.until(|app| app.table.as_ref().is_some_and(|table| !table.details.is_empty()));
    let open = room.app().pick.open();
    assert_eq!(open.len(), 1, "there is one place to begin at: {open:?}");
    room.dispatch(Command::Point(open[0]));
    mouse.clicks += 1;
    room.until(|app| app.table.as_ref().is_some_and(|table| table.state.ply > 0));
    assert_eq!(mouse.clicks, 3);
    assert_eq!(open, [cell("j10")], "the middle of the usual board");
}
