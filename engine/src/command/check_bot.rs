//! `check-bot`: tries a bot against the protocol and says what it got wrong.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;

use super::bots::MarginArg;
use crate::bots::{CheckStep, Need, Supervisor, check, split};
use crate::catalog::{Catalog, GameKind};

/// Try a bot against the protocol, step by step
///
/// What a bot must do to play, and what it should do since others may rely on it, is tried in every
/// game. Exits with 0 if it does all that it must, else with 1.
#[derive(Debug, Args)]
pub(super) struct CheckBotArgs {
    /// How the bot is started, as "python3 mine.py": split as a shell would, but no shell is
    /// started
    command: String,
    /// Only this game; may be given more than once
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    margin: MarginArg,
}

/// What a check exits with whose bot does not do all that it must.
const NOT_A_BOT: u8 = 1;

pub(super) fn run(catalog: &Catalog, arguments: &CheckBotArgs, words: &[&str]) -> Result<ExitCode, String> {
    let command = split(&arguments.command)?;
    let games: Vec<GameKind> = match arguments.games.as_slice() {
        [] => catalog.games().to_vec(),
        named => named
            .iter()
            .map(|game| catalog.game(&game.to_lowercase()).map_err(|error| format!("--game: {error}")))
            .collect::<Result<_, _>>()?,
    };
    let supervisor = Supervisor::ourselves(words)
        .map_err(|error| format!("bots cannot be started, since our own program is not found: {error}"))?;
    let margin = arguments.margin.time();
    say(&format!(
        "{}: every turn may take its time and {} ms more.\n\n",
        arguments.command,
        margin.as_millis()
    ));
    let mut counts = Counts::default();
    check(command, supervisor, margin, &games, &mut |step| {
        counts.add(&step);
        say(&written(counts.steps, &step));
    });
    say(&format!(
        "\nSteps: {}. Failed: {} of what a bot must do, {} of what it should do.\n",
        counts.steps, counts.musts_failed, counts.shoulds_failed
    ));
    Ok(if counts.musts_failed == 0 { ExitCode::SUCCESS } else { NOT_A_BOT.into() })
}

#[derive(Default)]
struct Counts {
    steps: u32,
    musts_failed: u32,
    shoulds_failed: u32,
}

impl Counts {
    fn add(&mut self, step: &CheckStep) {
        self.steps += 1;
        match step.need {
            _ if step.held => {}
            Need::Must => self.musts_failed += 1,
            Need::Should => self.shoulds_failed += 1,
        }
    }
}

fn written(number: u32, step: &CheckStep) -> String {
    let CheckStep { need, name, asked, came, expected, held } = step;
    let need = match need {
        Need::Must => "must",
        Need::Should => "should",
    };
    let verdict = if *held { "ok" } else { "FAILED" };
    format!(
        "{number:3} {verdict:6} ({need}) {name}\n           asked     {asked}\n           came      {came}\n           expected  {expected}\n"
    )
}

/// Whoever closed the pipe does not want to know; the exit code still says it.
fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = write!(stdout, "{text}").and_then(|()| stdout.flush());
}
