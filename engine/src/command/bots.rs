//! `--bot`: programs of other people that may play, as the command line names them.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use crate::bots::{Bots, MARGIN, Spec, Supervisor};
use crate::players::ComputerPlayer;

/// The bots that may play.
#[derive(Debug, Args)]
pub(super) struct BotArgs {
    /// A program that may play as bot:NAME; may be given more than once
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<Spec>,
    #[command(flatten)]
    pub(super) margin: MarginArg,
}

/// How late a bot may be.
#[derive(Debug, Args)]
pub(super) struct MarginArg {
    #[arg(
        long = "bot-margin", value_name = "MS", default_value_t = MARGIN.as_millis() as u32,
        help = "How much longer than its time a bot may take for a turn, in milliseconds, before it has failed"
    )]
    pub(super) milliseconds: u32,
}

impl MarginArg {
    pub(super) fn time(&self) -> Duration {
        Duration::from_millis(self.milliseconds.into())
    }
}

impl BotArgs {
    /// `words` lead to our own command line.
    pub(super) fn bots(&self, words: &[&str]) -> Result<Bots, String> {
        if self.bots.is_empty() {
            return Ok(Bots::default());
        }
        let supervisor = Supervisor::ourselves(words).map_err(|error| {
            format!("bots cannot be started, since our own program is not found: {error}")
        })?;
        Bots::new(self.bots.clone(), &supervisor, self.margin.time())
            .map_err(|reason| format!("--bot: {reason}"))
    }
}

/// Refuses a bot that the engine was not started with.
pub(super) fn check_bot(flag: &str, player: &ComputerPlayer, bots: &Bots) -> Result<(), String> {
    match player.bot().filter(|name| !bots.contains(name)) {
        Some(name) => Err(format!("{flag}: {}", bots.unknown(name))),
        None => Ok(()),
    }
}

/// Refuses a bot that cannot be started, so that nobody takes its lost games for its strength.
pub(super) fn start_bot(flag: &str, player: &ComputerPlayer, bots: &Bots) -> Result<(), String> {
    check_bot(flag, player, bots)?;
    let Some(name) = player.bot() else { return Ok(()) };
    bots.start(name).map_err(|failed| {
        format!(
            "{flag}: the bot {name:?} cannot be started: {failed}\n\
             see to the command behind --bot {name}=; check-bot COMMAND tries it alone"
        )
    })
}

/// Runs a bot that ends when the input does
#[derive(Debug, Args)]
pub(super) struct SupervisorArgs {
    /// Become the bot, and end when the supervisor does
    #[arg(long)]
    pub(super) die_with_parent: bool,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub(super) command: Vec<OsString>,
}
