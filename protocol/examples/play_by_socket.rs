//! Plays a game at an engine that listens, against its level `greedy`, for everybody to watch:
//!
//!     tabuleiro-engine --socket games
//!     tabuleiro --connect games
//!     cargo run -p tabuleiro-protocol --example play_by_socket -- games zurero

use std::env;
use std::error::Error;
use std::time::Duration;

use tabuleiro_protocol::client::Conversation;
use tabuleiro_protocol::message::Incoming;
use tabuleiro_protocol::method::{New, Play, Render, Search};
use tabuleiro_protocol::notice::{Changed, Notice};
use tabuleiro_protocol::{PerSeat, Player, Seat, State};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [socket, game] = arguments.as_slice() else { return Err("usage: play_by_socket SOCKET GAME".into()) };
    let mut engine = Conversation::connect(socket)?;
    let greedy = Player::Ai { level: "greedy".into(), limits: None };
    let seats = PerSeat { one: None, two: Some(greedy) };
    let mut state = engine.call(&New { game: game.clone(), seats: Some(seats), ..New::default() })?.state;
    let table = state.table.clone();
    while state.outcome.is_none() {
        state = match state.to_move {
            Some(Seat::One) => {
                // A hint of the engine's is as good as any idea of one's own.
                let hint = Search { table: table.clone(), level: Some("novice".into()), ..Search::default() };
                let actions = engine.call(&hint)?.actions;
                println!("1: {}", actions.join(" "));
                engine.call(&Play { table: table.clone(), actions, ply: None })?.state
            }
            _ => wait_for_change(&mut engine, &table)?,
        };
    }
    println!("{}", engine.call(&Render { table, ..Render::default() })?.text);
    println!("{}", state.outcome.map(|outcome| outcome.text).unwrap_or_default());
    Ok(())
}

/// What the other seat has played, as soon as it has.
fn wait_for_change(engine: &mut Conversation, table: &str) -> Result<State, Box<dyn Error>> {
    loop {
        let Some(received) = engine.hear(Duration::from_secs(60))? else {
            return Err("nothing happens".into());
        };
        let Some(Incoming::Notice { method, params }) = received.incoming else { continue };
        if method == Changed::NAME {
            let changed: Changed = serde_json::from_value(params)?;
            if changed.table == table {
                println!("2: {}", changed.actions.join(" "));
                return Ok(changed.state);
            }
        }
    }
}
