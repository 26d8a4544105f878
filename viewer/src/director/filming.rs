//! A film of the game: what happened in its turns is asked for, one after the other. The window does
//! the rest.

use std::path::PathBuf;

use tabuleiro_protocol::method::Replay;

use super::Director;
use crate::board::Tokens;
use crate::film::{FilmOrder, FilmProgress, Reel};

/// So many turns a film may have.
const MOST_TURNS: usize = 2000;

/// A film that the window has to draw.
#[derive(Debug)]
pub struct Shot {
    pub reel: Reel,
    pub path: PathBuf,
}

impl Director {
    pub(super) fn make_film(&mut self, order: FilmOrder) {
        if self.app.film.is_some() {
            return self.tell("A film is being made already.");
        }
        let Some(table) = &self.app.table else { return self.tell("There is no game to make a film of.") };
        let count = table.turns.len();
        let (first, last) = order.turns.unwrap_or((1, count));
        if count == 0 {
            return self.tell("Nothing has been played yet.");
        }
        if first == 0 || first > last || last > count {
            return self.problem(format!("The game has the turns 1 to {count}, not {first} to {last}."));
        }
        if last - first >= MOST_TURNS {
            return self.problem(format!("A film may have {MOST_TURNS} turns: choose a part of the game."));
        }
        let plies: Vec<usize> = table.turns[first - 1..last].iter().rev().map(|turn| turn.ply).collect();
        let reel = Reel::new(self.app.set_of(&table.state.game));
        let (name, path) = (table.state.table.clone(), order.path.unwrap_or_else(|| self.files.pictures()));
        self.app.film = Some(FilmProgress { done: 0, total: 0 });
        self.films += 1;
        self.ask_for_scenes(self.films, name, plies, Shot { reel, path });
    }

    /// Asks for the turns that end at these plies, the last in the list first.
    fn ask_for_scenes(&mut self, film: u64, table: String, mut plies: Vec<usize>, mut shot: Shot) {
        let Some(ply) = plies.pop() else {
            self.shot = Some(shot);
            return;
        };
        let replay = Replay { table: table.clone(), ply: Some(ply), ..Replay::default() };
        let then = move |director: &mut Director, turn: tabuleiro_protocol::method::Replayed| {
            // It may have been given up.
            if director.app.film.is_none() || director.films != film {
                return;
            }
            let events = turn.steps.into_iter().flat_map(|step| step.events).collect();
            shot.reel.add(Tokens::read(&turn.rows), events);
            director.ask_for_scenes(film, table, plies, shot);
        };
        self.ask_or(&replay, then, |director, error| {
            director.app.film = None;
            director.tell_refusal(&error);
        });
    }

    pub(super) fn cancel_film(&mut self) {
        if self.app.film.take().is_some() {
            self.shot = None;
            self.tell("The film was cancelled.");
        }
    }

    /// A film that is to be drawn, once.
    pub fn take_shot(&mut self) -> Option<Shot> {
        self.shot.take()
    }

    /// Notes how far it is. `false` if it was given up.
    pub fn note_film(&mut self, done: usize, total: usize) -> bool {
        let is_wanted = self.app.film.is_some();
        if is_wanted {
            self.app.film = Some(FilmProgress { done, total });
        }
        is_wanted
    }

    /// Notes that it is finished, or why it never will be.
    pub fn film_ended(&mut self, ended: Result<PathBuf, String>) {
        self.app.film = None;
        match ended {
            Ok(path) => self.tell(format!("The film is in {}.", path.display())),
            Err(reason) => self.problem(format!("The film cannot be written: {reason}")),
        }
    }
}
