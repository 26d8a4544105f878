//! Before a game: who sits where, and how it is played.

use egui_macroquad::egui::{
    self, Align, CentralPanel, Context, DragValue, Frame, Layout, RichText, ScrollArea, TextEdit, Ui, vec2,
};
use tabuleiro_protocol::{
    GameInfo, Hello, LevelRole, OptionKind, OptionSpec, OptionValue, Options, PerSeat, Player, Seat,
};

use super::look::{self, GRID, PROBLEM, ask, note, one_of, section};
use super::seat::{choose_player, first_level, score_against};
use super::words::name_in_words;
use super::{Panels, is_covered, lesson};
use crate::app::App;
use crate::command::{Command, EditCommand, NewGame, Panel};
use crate::sets::GameSet;
use crate::settings::Choices;

/// A game that is being prepared. It stays as it was left, for the next game of its kind.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    game: String,
    seats: PerSeat<Player>,
    options: Options,
    seed: String,
    shows_seed: bool,
}

impl Draft {
    /// As the last game of this kind was, as far as the engine still has what was chosen; but between
    /// computers for whoever wants to watch.
    fn new(game: &GameInfo, hello: &Hello, last: Option<&Choices>, is_to_watch: bool) -> Draft {
        let usual = PerSeat { one: Player::default(), two: first_level(hello).unwrap_or_default() };
        let is_there = |player: &Player| match player {
            Player::Client { .. } => true,
            Player::Ai { level, .. } => hello.levels.iter().any(|known| known.id == *level),
            Player::Bot { name, .. } => hello.bots.contains(name),
        };
        let seats = last.map(|last| last.seats.clone());
        let seats = seats.filter(|seats| is_there(&seats.one) && is_there(&seats.two)).unwrap_or(usual);
        let computer = opponent(hello).filter(|_| is_to_watch);
        let seats = computer.map_or(seats, |player| PerSeat { one: player.clone(), two: player });
        let value = |option: &OptionSpec| match last.and_then(|last| last.options.get(&option.name)) {
            Some(value) if allows(option, value) => value.clone(),
            _ => option.default_value(),
        };
        let options = game.options.iter().map(|option| (option.name.clone(), value(option))).collect();
        Draft { game: game.id.clone(), seats, options, seed: String::new(), shows_seed: false }
    }

    /// The game to start, unless the seed is no number.
    fn finished(&self) -> Option<NewGame> {
        let seed = match self.seed.trim() {
            "" => None,
            number => Some(number.parse().ok()?),
        };
        let (game, options, seats) = (self.game.clone(), self.options.clone(), self.seats.clone());
        Some(NewGame { game, options, seats, seed })
    }
}

/// A computer player that is worth watching.
fn opponent(hello: &Hello) -> Option<Player> {
    let level = hello.level_for(LevelRole::Opponent).or(hello.levels.first())?;
    Some(Player::Ai { level: level.id.clone(), limits: None })
}

/// Whether an option can still have this value.
fn allows(option: &OptionSpec, value: &OptionValue) -> bool {
    match (&option.kind, value) {
        (OptionKind::Integer { min, max, .. }, OptionValue::Integer(number)) => (min..=max).contains(&number),
        (OptionKind::Choice { choices, .. }, OptionValue::Choice(word)) => choices.contains(word),
        _ => false,
    }
}

/// What the page and the button that leads to it are called for whoever wants to watch.
pub(super) const WATCH: &str = "Watch computers";

const WIDTH: f32 = 720.0;
/// In a high window a page that is as high would be mostly empty.
const HIGHEST: f32 = 900.0;
const MARGIN: i8 = 24;

impl Panels {
    pub(super) fn show_prepare(&mut self, ctx: &Context, app: &App, game: &str, commands: &mut Vec<Command>) {
        let Some(hello) = &app.hello else { return };
        let Some(game) = hello.games.iter().find(|known| known.id == game) else { return };
        let draft = self.drafts.entry((game.id.clone(), app.is_to_watch)).or_insert_with(|| {
            Draft::new(game, hello, app.settings.new_games.get(&game.id), app.is_to_watch)
        });
        let screen = ctx.screen_rect().size();
        let text_size = look::text_size(ctx).max(1.0);
        let width = (WIDTH * text_size).min(screen.x - GRID * 8.0);
        let room = ((screen.y - GRID * 4.0).min(HIGHEST * text_size) - self.rest_of_prepare).max(GRID * 8.0);
        CentralPanel::default().frame(Frame::new()).show(ctx, |_| ());
        look::area("prepare").anchor(egui::Align2::CENTER_CENTER, vec2(0.0, 0.0)).show(ctx, |ui| {
            look::surface().inner_margin(MARGIN).show(ui, |ui| {
                ui.set_width(width);
                let top = ui.cursor().top();
                look::line(
                    ui,
                    |ui| drop(look::title(ui, if app.is_to_watch { WATCH } else { "New game" })),
                    |ui| drop(ask(ui, "Rules", Command::Show(Panel::Rules), commands)),
                );
                look::rule(ui);
                let page = ScrollArea::vertical().max_height(room).show(ui, |ui| {
                    ui.set_width(width);
                    let games: Vec<(&str, &str)> =
                        hello.games.iter().map(|game| (game.id.as_str(), game.name.as_str())).collect();
                    let other = one_of(ui, &game.id.as_str(), &games);
                    commands.extend(other.map(|game| Command::PrepareGame(game.into())));
                    if !app.is_to_watch {
                        lesson::offer(ui, app, &game.id, commands);
                    }
                    seats(ui, app, draft, hello);
                    options(ui, app, draft, game);
                    seed(ui, draft);
                    look::scroll_by_keys(ui);
                });
                look::rule(ui);
                ui.horizontal_wrapped(|ui| {
                    let start = draft.finished();
                    let response = ui.add_enabled(start.is_some(), look::first("Start the game"));
                    if !is_covered(app) {
                        look::take_keyboard(&response);
                    }
                    if let Some(start) = start.filter(|_| response.clicked()) {
                        commands.push(Command::StartGame(start));
                    }
                    let set_up = EditCommand::SetUp(game.id.clone(), draft.options.clone());
                    ask(ui, "Set up a position", Command::Edit(set_up), commands);
                    ask(ui, "Back", Command::Back, commands);
                });
                let whole = ui.min_rect().bottom() - top + f32::from(MARGIN) * 2.0;
                self.rest_of_prepare = whole - page.inner_rect.height();
                self.keyboard.note_page(page.inner_rect);
            });
        });
    }
}

fn seats(ui: &mut Ui, app: &App, draft: &mut Draft, hello: &Hello) {
    let (set, is_shared) = (app.set_of(&draft.game), app.socket.is_some());
    let score = |level: &str| score_against(app, &draft.game, level);
    ui.columns(2, |columns| {
        for (ui, seat) in columns.iter_mut().zip(Seat::BOTH) {
            let player = &draft.seats[seat];
            // Columns would stretch the last words of a sentence over the whole line.
            let chosen = ui.with_layout(Layout::top_down(Align::Min), |ui| {
                section(ui, set.seats()[seat.index()]);
                ui.push_id(seat.number(), |ui| choose_player(ui, player, hello, is_shared, &score)).inner
            });
            if let Some(player) = chosen.inner {
                draft.seats[seat] = player;
            }
        }
    });
    if ui.button("Swap sides").clicked() {
        std::mem::swap(&mut draft.seats.one, &mut draft.seats.two);
    }
}

fn options(ui: &mut Ui, app: &App, draft: &mut Draft, game: &GameInfo) {
    let set = app.set_of(&game.id);
    for option in &game.options {
        section(ui, &option_in_words(&*set, &option.name));
        let value = draft.options.entry(option.name.clone()).or_insert_with(|| option.default_value());
        ui.push_id(&option.name, |ui| choose_value(ui, &*set, option, value));
        note(ui, &option.help);
    }
}

/// What an option or one of its values is called.
pub(super) fn option_in_words(set: &dyn GameSet, name: &str) -> String {
    set.word(name).map_or_else(|| name_in_words(name), String::from)
}

pub(super) fn choose_value(ui: &mut Ui, set: &dyn GameSet, option: &OptionSpec, value: &mut OptionValue) {
    match (&option.kind, value) {
        (OptionKind::Integer { min, max, .. }, OptionValue::Integer(number)) => {
            ui.horizontal(|ui| {
                if ui.add_enabled(*number > *min, egui::Button::new("–")).clicked() {
                    *number -= 1;
                }
                ui.add(DragValue::new(number).range(*min..=*max).speed((max - min) as f64 / 200.0));
                if ui.add_enabled(*number < *max, egui::Button::new("+")).clicked() {
                    *number += 1;
                }
                note(ui, format!("{min} to {max}"));
            });
        }
        (OptionKind::Choice { choices, .. }, OptionValue::Choice(word)) => {
            let names: Vec<String> = choices.iter().map(|word| option_in_words(set, word)).collect();
            let words: Vec<(String, &str)> =
                choices.iter().cloned().zip(names.iter().map(String::as_str)).collect();
            if let Some(chosen) = one_of(ui, word, &words) {
                *word = chosen;
            }
        }
        (_, value) => *value = option.default_value(),
    }
}

fn seed(ui: &mut Ui, draft: &mut Draft) {
    ui.add_space(GRID);
    look::fold(ui, "seed", "Repeat the same game (seed)", &mut draft.shows_seed);
    if draft.shows_seed {
        ui.add(TextEdit::singleline(&mut draft.seed).hint_text(look::hint("any")).desired_width(GRID * 24.0));
        match draft.finished() {
            Some(_) => note(
                ui,
                "Any number. The same one gives the same tiles and the same replies of the computer. \
                 Leave it empty, and every game is different.",
            ),
            None => ui.label(RichText::new("Write a whole number, or nothing.").small().color(PROBLEM)),
        };
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::LevelInfo;

    use super::*;

    fn hello() -> Hello {
        let level =
            |id: &str, roles| LevelInfo { id: id.into(), name: id.into(), help: String::new(), roles };
        let size = OptionSpec::integer("size", 19, 5, 19, "Rows and columns.");
        let game = GameInfo::new("zurero", "Zurero", vec![size]);
        Hello {
            engine: String::new(),
            version: String::new(),
            protocol: 1,
            games: vec![game],
            levels: vec![level("random", vec![]), level("club", vec![LevelRole::Opponent])],
            bots: Vec::new(),
            strict: false,
        }
    }

    fn draft() -> Draft {
        let hello = hello();
        Draft::new(&hello.games[0], &hello, None, false)
    }

    #[test]
    fn a_draft_begins_as_a_person_against_the_usual_computer() {
        let game = draft().finished().expect("a game");
        assert_eq!(game.seats.one, Player::default());
        assert_eq!(game.seats.two, Player::Ai { level: "club".into(), limits: None });
        assert_eq!(game.options["size"], OptionValue::Integer(19));
        assert_eq!(game.seed, None);
    }

    #[test]
    fn a_first_game_is_against_the_level_for_lessons() {
        let mut hello = hello();
        hello.levels[0].roles = vec![LevelRole::Lesson];
        let draft = Draft::new(&hello.games[0].clone(), &hello, None, false);
        assert_eq!(draft.seats.two, Player::Ai { level: "random".into(), limits: None });
    }

    #[test]
    fn a_seed_is_a_number_or_nothing() {
        let with_seed = |seed: &str| Draft { seed: seed.into(), ..draft() }.finished();
        assert_eq!(with_seed(" 42 ").expect("a game").seed, Some(42));
        assert_eq!(with_seed("lucky"), None);
        assert_eq!(with_seed("-1"), None);
    }
}
