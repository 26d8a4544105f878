//! Questions before a game begins: which game, who plays, with which options.

use std::io::{self, BufRead, Write};

use serde_json::{Map, Value};
use tabuleiro_protocol::{LevelRole, OptionKind, OptionSpec, PerSeat, Player};

use super::Preset;
use super::screen::Screen;
use crate::catalog::{Catalog, GameKind};
use crate::search::Level;

/// Everything that has to be settled before a game begins.
pub(super) struct GameSetup {
    pub(super) game: GameKind,
    pub(super) players: PerSeat<Player>,
    pub(super) options: Map<String, Value>,
    pub(super) seed: Option<u64>,
}

/// Asks for what the preset leaves open; `None` if the input ends before all is settled.
pub(super) fn ask<R: BufRead, W: Write>(
    catalog: &Catalog,
    preset: Preset,
    screen: &mut Screen<'_, R, W>,
) -> io::Result<Option<GameSetup>> {
    // Who has said everything that matters is not asked about the rest.
    let all_said = preset.game.is_some() && preset.players.one.is_some() && preset.players.two.is_some();
    let game = match preset.game.as_deref().and_then(|id| catalog.game(id).ok()) {
        Some(game) => game,
        None => {
            let names: Vec<&str> = catalog.games().iter().map(|game| game.name).collect();
            match pick("Which game?", &names, 0, screen)? {
                Some(index) => catalog.games()[index],
                None => return Ok(None),
            }
        }
    };
    let players = match preset.players {
        PerSeat { one: Some(one), two: Some(two) } => PerSeat { one, two },
        _ => match ask_players(screen)? {
            Some(players) => players,
            None => return Ok(None),
        },
    };
    let options = match preset.options {
        Some(options) => options,
        None if all_said => Map::new(),
        None => match ask_options(&game, screen)? {
            Some(options) => options,
            None => return Ok(None),
        },
    };
    Ok(Some(GameSetup { game, players, options, seed: preset.seed }))
}

fn ask_players<R: BufRead, W: Write>(screen: &mut Screen<'_, R, W>) -> io::Result<Option<PerSeat<Player>>> {
    let pairs = ["person and person", "person and computer", "computer and person", "computer and computer"];
    let Some(pair) = pick("Who plays, seat 1 and seat 2?", &pairs, 1, screen)? else { return Ok(None) };
    let mut players = PerSeat::default();
    if pair >= 2 {
        let Some(player) = ask_level("seat 1", screen)? else { return Ok(None) };
        players.one = player;
    }
    if pair % 2 == 1 {
        let Some(player) = ask_level("seat 2", screen)? else { return Ok(None) };
        players.two = player;
    }
    Ok(Some(players))
}

fn ask_level<R: BufRead, W: Write>(who: &str, screen: &mut Screen<'_, R, W>) -> io::Result<Option<Player>> {
    let levels: Vec<String> =
        Level::ALL.iter().map(|level| format!("{}: {}", level.id(), level.info().help)).collect();
    let shown: Vec<&str> = levels.iter().map(String::as_str).collect();
    let usual =
        Level::ALL.iter().position(|&level| level == Level::for_role(LevelRole::Opponent)).unwrap_or(0);
    let picked = pick(&format!("How well does the computer in {who} play?"), &shown, usual, screen)?;
    Ok(picked.map(|index| Player::Ai { level: Level::ALL[index].id().into(), limits: None }))
}

fn ask_options<R: BufRead, W: Write>(
    game: &GameKind,
    screen: &mut Screen<'_, R, W>,
) -> io::Result<Option<Map<String, Value>>> {
    let mut options = Map::new();
    for spec in game.info().options {
        loop {
            let question = format!("{} {} [{}] ", spec.help, range(&spec), spec.default_value());
            let Some(answer) = screen.ask(&question)? else { return Ok(None) };
            if answer.is_empty() {
                break;
            }
            let mut tried = options.clone();
            tried.insert(spec.name.clone(), option_value(&answer));
            match game.check_options(&tried) {
                Ok(_) => {
                    options = tried;
                    break;
                }
                Err(bad) => screen.say(&format!("{}: {}", bad.option, bad.reason))?,
            }
        }
    }
    Ok(Some(options))
}

fn range(spec: &OptionSpec) -> String {
    match &spec.kind {
        OptionKind::Integer { min, max, .. } => format!("{}, {min} to {max}", spec.name),
        OptionKind::Choice { choices, .. } => format!("{}, {}", spec.name, choices.join(" or ")),
    }
}

/// What a person typed for an option: a number where it is one.
pub(crate) fn option_value(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| text.into(), Value::from)
}

/// One of several, by its number or its first word; an empty answer takes the usual one.
fn pick<R: BufRead, W: Write>(
    question: &str,
    choices: &[&str],
    usual: usize,
    screen: &mut Screen<'_, R, W>,
) -> io::Result<Option<usize>> {
    screen.say(question)?;
    for (index, choice) in choices.iter().enumerate() {
        screen.say(&format!("  {}  {choice}", index + 1))?;
    }
    loop {
        let prompt = format!("1 to {} [{}] ", choices.len(), usual + 1);
        let Some(answer) = screen.ask(&prompt)? else { return Ok(None) };
        if answer.is_empty() {
            return Ok(Some(usual));
        }
        let by_number = answer.parse::<usize>().ok().filter(|number| (1..=choices.len()).contains(number));
        let by_name = choices.iter().position(|choice| {
            choice.eq_ignore_ascii_case(&answer)
                || choice.split(':').next().is_some_and(|word| word.eq_ignore_ascii_case(&answer))
        });
        match by_number.map(|number| number - 1).or(by_name) {
            Some(index) => return Ok(Some(index)),
            None => screen
                .say(&format!("{answer:?} is none of these: type a number from 1 to {}.", choices.len()))?,
        }
    }
}
