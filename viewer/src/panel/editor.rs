//! The position editor: pieces to be put on the board, what else there is to say, and what the
//! engine says of it.

use egui_macroquad::egui::{
    self, Align2, Button, Context, DragValue, Frame, Margin, Painter, RichText, ScrollArea, Sense, SidePanel,
    Stroke, StrokeKind, TextStyle, TopBottomPanel, Ui, WidgetInfo, WidgetType, vec2,
};
use serde_json::{Value, json};
use tabuleiro_protocol::{MemberKind, Seat, StartMember};

use super::Panels;
use super::look::{self, ACCENT, DIM, Explain, GRID, LINE, PROBLEM, ROUND, TEXT, WARM, ask, note, section};
use super::prepare::{choose_value, option_in_words};
use crate::app::App;
use crate::command::{Command, Copied, EditCommand, Panel};
use crate::editor::{Editor, Hand, Verdict, usual_value};
use crate::sets::GameSet;
use crate::text::{capitalised, sentence};

const WIDTH: f32 = 272.0;
/// The side of a piece in the tray.
const PIECE: f32 = 44.0;
/// In narrow windows the tray has this part of the height, below the board.
const BELOW: f32 = 0.4;
/// A window that is less wide than this is narrow.
const NARROW: f32 = 600.0;

impl Panels {
    pub(super) fn show_editor(&mut self, ctx: &Context, app: &App, commands: &mut Vec<Command>) {
        let Some(editor) = &app.editor else { return };
        show_verdict(ctx, editor, commands);
        let window = ctx.screen_rect().size();
        if window.x < NARROW * look::text_size(ctx) {
            let margin = Margin { left: 12, right: 12, top: 6, bottom: 0 };
            let below = TopBottomPanel::bottom("tray below").resizable(false).show_separator_line(false);
            let below = below.exact_height(window.y * BELOW).frame(Frame::new().inner_margin(margin));
            below.show(ctx, |ui| self.tray_surface(ui, app, editor, commands));
            return;
        }
        let margin = Margin { left: 6, right: 12, top: 12, bottom: 0 };
        let wide = (WIDTH * look::text_size(ctx)).min(window.x * 0.45) + 18.0;
        let side = SidePanel::right("tray").exact_width(wide).resizable(false).show_separator_line(false);
        side.frame(Frame::new().inner_margin(margin))
            .show(ctx, |ui| self.tray_surface(ui, app, editor, commands));
    }

    fn tray_surface(&mut self, ui: &mut Ui, app: &App, editor: &Editor, commands: &mut Vec<Command>) {
        look::surface().inner_margin(Margin::same(14)).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = GRID * 0.75;
                look::line(
                    ui,
                    |ui| drop(ui.label(RichText::new("Set up a position").color(TEXT))),
                    |ui| drop(ask(ui, "Rules", Command::Show(Panel::Rules), commands)),
                );
                tray(ui, editor, commands);
                for member in &editor.members {
                    ui.push_id(&member.name, |ui| say(ui, editor, member, commands));
                }
                board(ui, app, editor, commands);
                self.game_and_options(ui, app, editor, commands);
            });
        });
    }

    fn game_and_options(&mut self, ui: &mut Ui, app: &App, editor: &Editor, commands: &mut Vec<Command>) {
        ui.add_space(GRID);
        look::fold(ui, "editor options", "Game and options", &mut self.shows_editor_options);
        if !self.shows_editor_options {
            return;
        }
        let games = app.hello.iter().flat_map(|hello| &hello.games);
        ui.horizontal_wrapped(|ui| {
            for game in games.clone() {
                if look::chip(ui, game.id == editor.game, &game.name).clicked() && game.id != editor.game {
                    let options = app.settings.new_games.get(&game.id);
                    let options = options.map(|choices| choices.options.clone()).unwrap_or_default();
                    commands.push(Command::Edit(EditCommand::SetUp(game.id.clone(), options)));
                }
            }
        });
        let set = app.set_of(&editor.game);
        for option in games.filter(|game| game.id == editor.game).flat_map(|game| &game.options) {
            section(ui, &option_in_words(&*set, &option.name));
            let mut options = editor.options.clone();
            let value = options.entry(option.name.clone()).or_insert_with(|| option.default_value());
            ui.push_id(&option.name, |ui| choose_value(ui, &*set, option, value));
            if options != editor.options {
                commands.push(Command::Edit(EditCommand::SetUp(editor.game.clone(), options)));
            }
        }
    }
}

/// What the engine says of the position, and what can be done with it: under the board, where the
/// prompt is in a game.
fn show_verdict(ctx: &Context, editor: &Editor, commands: &mut Vec<Command>) {
    let margin = Margin { left: 12, right: 12, top: 6, bottom: 12 };
    let bar = TopBottomPanel::bottom("verdict").show_separator_line(false);
    bar.frame(Frame::new().inner_margin(margin)).show(ctx, |ui| {
        look::surface().inner_margin(Margin::symmetric(16, 8)).show(ui, |ui| {
            ui.set_min_size(vec2(ui.available_width(), ui.spacing().interact_size.y));
            let is_fine = matches!(editor.verdict, Verdict::Fine { .. });
            if ui.available_width() < NARROW {
                ui.horizontal_wrapped(|ui| verdict(ui, editor));
                ui.horizontal_wrapped(|ui| ways_out(ui, is_fine, commands));
            } else {
                ui.horizontal_wrapped(|ui| {
                    verdict(ui, editor);
                    ways_out(ui, is_fine, commands);
                });
            }
        });
    });
}

fn verdict(ui: &mut Ui, editor: &Editor) {
    match &editor.verdict {
        Verdict::Asked => drop(note(ui, "The engine looks at the position…")),
        Verdict::Wrong(problem) => {
            ui.label(RichText::new("Not a position:").color(PROBLEM));
            ui.label(RichText::new(sentence(&problem.reason)).color(TEXT));
        }
        Verdict::Fine { state, .. } => {
            let words = match state.as_ref().and_then(|state| state.outcome.as_ref()) {
                Some(ending) => format!("The game is over here. {}", ending.text),
                None => "A game can begin here.".to_string(),
            };
            ui.label(RichText::new(words).color(TEXT));
        }
    }
}

/// What can be done with the position; with none, nothing but leave.
fn ways_out(ui: &mut Ui, is_fine: bool, commands: &mut Vec<Command>) {
    let play = ui.add_enabled(is_fine, look::first("Play"));
    look::asked(play, Command::Edit(EditCommand::Play), commands)
        .explain("With the players of your last game of this kind.");
    let analyse = ui.add_enabled(is_fine, Button::new("Analyse"));
    look::asked(analyse, Command::Edit(EditCommand::Analyse), commands)
        .explain("Both sides are yours, and the engine looks into the position.");
    let copy = ui.add_enabled(is_fine, Button::new("Copy"));
    look::asked(copy, Command::Copy(Copied::Position), commands);
    ask(ui, "Leave", Command::Edit(EditCommand::Leave), commands);
}

/// The pieces, and what is in the hand in words.
fn tray(ui: &mut Ui, editor: &Editor, commands: &mut Vec<Command>) {
    let set = editor.motion.set();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(GRID * 0.75, GRID * 0.75);
        for piece in &editor.pieces {
            let hand = Hand::Piece(piece.token.clone());
            let paint = |painter: &Painter, place: egui::Rect| {
                set.paint_cell(painter, place);
                paint_piece(&**set, painter, &piece.token, place);
            };
            in_tray(ui, editor, hand, &piece.text, paint, commands);
        }
    });
    ui.horizontal_wrapped(|ui| {
        for (hand, words) in [(Hand::TakeAway, "Take away"), (Hand::Cycle, "Next one")] {
            if look::chip(ui, editor.hand == hand, words).clicked() {
                commands.push(Command::Edit(EditCommand::Take(hand)));
            }
        }
    });
    let words = match &editor.hand {
        Hand::Piece(token) => {
            let piece = editor.pieces.iter().find(|piece| piece.token == *token);
            let words = piece.map_or(token.as_str(), |piece| piece.text.as_str());
            format!("{} is in your hand. A click puts it on a cell.", capitalised(words))
        }
        Hand::TakeAway => "A click takes away what is on a cell.".into(),
        Hand::Cycle => "A click changes a cell to the next kind of piece.".into(),
    };
    note(ui, words);
}

/// A piece that the hand can take. The one in the hand stands out by ground and outline.
fn in_tray(
    ui: &mut Ui,
    editor: &Editor,
    hand: Hand,
    words: &str,
    paint: impl FnOnce(&Painter, egui::Rect),
    commands: &mut Vec<Command>,
) {
    let is_chosen = editor.hand == hand;
    let (rect, response) = ui.allocate_exact_size(vec2(PIECE, PIECE), Sense::click());
    let label = words.to_string();
    response.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, is_chosen, &label));
    if ui.is_rect_visible(rect) {
        if is_chosen {
            ui.painter().rect_filled(rect, ROUND, WARM);
        }
        paint(ui.painter(), rect.shrink(GRID * 0.75));
        let is_marked = is_chosen || response.hovered() || response.has_focus();
        let outline = if is_marked { Stroke::new(2.0, ACCENT) } else { Stroke::new(1.0, LINE) };
        ui.painter().rect_stroke(rect, ROUND, outline, StrokeKind::Inside);
    }
    if response.explain(capitalised(words)).clicked() {
        commands.push(Command::Edit(EditCommand::Take(hand)));
    }
}

fn paint_piece(set: &dyn GameSet, painter: &Painter, token: &str, place: egui::Rect) {
    if set.is_token(token) {
        set.paint_token(painter, token, place);
    } else {
        let font = TextStyle::Body.resolve(&painter.ctx().style());
        painter.text(place.center(), Align2::CENTER_CENTER, token, font, TEXT);
    }
}

/// What a seat is called in the position, as far as that is known.
fn seat_name(editor: &Editor, seat: Seat) -> String {
    let side = match &editor.verdict {
        Verdict::Fine { state: Some(state), .. } => state.sides[seat].as_deref().map(capitalised),
        _ => None,
    };
    match side {
        Some(side) => format!("Seat {seat}, {}", side.to_lowercase()),
        None => format!("Seat {seat}"),
    }
}

/// Something that there is to say besides the board.
fn say(ui: &mut Ui, editor: &Editor, member: &StartMember, commands: &mut Vec<Command>) {
    section(ui, member.help.trim_end_matches('.'));
    let now = editor.member(&member.name).cloned().unwrap_or_else(|| usual_value(member.kind));
    let mut change = |value: Value| {
        if value != now {
            commands.push(Command::Edit(EditCommand::Say(member.name.clone(), value)));
        }
    };
    match member.kind {
        MemberKind::Seat { optional } => {
            let mut words: Vec<(Value, String)> =
                Seat::BOTH.map(|seat| (json!(seat), seat_name(editor, seat))).into_iter().collect();
            if optional {
                words.push((Value::Null, "Nobody".into()));
            }
            ui.horizontal_wrapped(|ui| {
                for (value, word) in words {
                    if look::chip(ui, value == now, &word).clicked() {
                        change(value);
                    }
                }
            });
        }
        MemberKind::Integer { min, max } => {
            let number = now.as_i64().unwrap_or(min);
            ui.horizontal(|ui| change(json!(count(ui, number, min, max))));
        }
        MemberKind::PerSeat { min, max } => {
            let mut both = Seat::BOTH.map(|seat| now[seat.index()].as_i64().unwrap_or(min));
            for (number, seat) in both.iter_mut().zip(Seat::BOTH) {
                ui.push_id(seat.number(), |ui| {
                    ui.horizontal(|ui| {
                        *number = count(ui, *number, min, max);
                        ui.label(RichText::new(seat_name(editor, seat)).small().color(DIM));
                    });
                });
            }
            change(json!(both));
        }
    }
}

fn count(ui: &mut Ui, mut number: i64, min: i64, max: i64) -> i64 {
    if ui.add_enabled(number > min, Button::new("–")).clicked() {
        number -= 1;
    }
    ui.add(DragValue::new(&mut number).range(min..=max).speed(0.05));
    if ui.add_enabled(number < max, Button::new("+")).clicked() {
        number += 1;
    }
    number
}

fn board(ui: &mut Ui, app: &App, editor: &Editor, commands: &mut Vec<Command>) {
    section(ui, "The board");
    ui.horizontal_wrapped(|ui| {
        ask(ui, "Empty", Command::Edit(EditCommand::Empty), commands);
        ask(ui, "Start of a game", Command::Edit(EditCommand::AtStart), commands);
        if app.table.is_some() {
            ask(ui, "As on the table", Command::Edit(EditCommand::AsOnTable), commands);
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(editor.can_undo(), |ui| ask(ui, "Undo", Command::Undo, commands));
        ui.add_enabled_ui(editor.can_redo(), |ui| ask(ui, "Redo", Command::Redo, commands));
    });
}
