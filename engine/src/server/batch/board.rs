//! Where one thread goes from position to position and finds out what was asked.

use std::sync::atomic::{AtomicBool, Ordering};

use tabuleiro_protocol::method::{BatchResult, Found};
use tabuleiro_protocol::{ErrorObject, PerSeat, Player, Seat, State};

use super::plan::{Plan, Subject, Way};
use crate::catalog::Catalog;
use crate::search::{Control, SearchRequest};
use crate::server::wire_error;
use crate::session::{CodeNotPlayed, PlayError, Session};
use crate::table::Table;

/// Where one thread goes from position to position.
pub(super) struct Board<'a> {
    catalog: &'a Catalog,
    plan: &'a Plan,
    stop: &'a AtomicBool,
    loaded: Option<Loaded<'a>>,
}

/// A game, and which of the positions it was played for.
struct Loaded<'a> {
    session: Session,
    position: usize,
    /// What was played.
    played: Way<'a>,
}

/// It was told to stop.
pub(super) struct Stopped;

/// Why nothing was found about a position.
enum NotFound {
    Stopped,
    Refused(ErrorObject),
}

impl From<ErrorObject> for NotFound {
    fn from(error: ErrorObject) -> NotFound {
        NotFound::Refused(error)
    }
}

impl<'a> Board<'a> {
    pub(super) fn new(catalog: &'a Catalog, plan: &'a Plan, stop: &'a AtomicBool) -> Board<'a> {
        Board { catalog, plan, stop, loaded: None }
    }

    /// The result that has this place among all.
    pub(super) fn result(&mut self, index: usize) -> Result<BatchResult, Stopped> {
        match self.find(index) {
            Ok(found) => Ok(BatchResult::Found(Box::new(found))),
            Err(NotFound::Refused(error)) => Ok(BatchResult::Failed { error }),
            Err(NotFound::Stopped) => Err(Stopped),
        }
    }

    fn check_goes_on(&self) -> Result<(), NotFound> {
        if self.stop.load(Ordering::Relaxed) { Err(NotFound::Stopped) } else { Ok(()) }
    }

    /// What was asked for about a position.
    fn find(&mut self, index: usize) -> Result<Found, NotFound> {
        self.check_goes_on()?;
        let Board { plan, stop, .. } = *self;
        let session = self.go_to(plan.subjects[index])?;
        let ask = &plan.batch.ask;
        let position = session.position();
        let to_move = position.to_move();
        let mut found = Found {
            ply: session.history().ply(),
            to_move,
            outcome: position.outcome().map(Into::into),
            legal: ask.legal.then(|| position.actions()),
            state: ask.state.then(|| state(session)).flatten(),
            ..Found::default()
        };
        if ask.codes || ask.planes {
            let numbers = session.numbers().map_err(ErrorObject::from)?;
            found.codes = ask.codes.then(|| numbers.codes());
            found.planes = ask.planes.then(|| numbers.planes(to_move.unwrap_or(Seat::One)));
        }
        if to_move.is_none() {
            return Ok(found);
        }
        let seed = plan.seed_of(index);
        found.evaluation = ask.evaluation.then(|| position.evaluation());
        if let Some(count) = ask.playouts {
            found.playouts = Some(position.playouts(count, seed, stop).ok_or(NotFound::Stopped)?);
        }
        if let Some(search) = &plan.search {
            let request = SearchRequest { seed, ..search.clone() };
            found.search = Some(Box::new(position.choose(&request, &mut Control::until(stop))));
            // One that was told to stop would have found more.
            self.check_goes_on()?;
        }
        Ok(found)
    }

    /// Plays what is left to play, from the last position if the way leads on from there.
    fn go_to(&mut self, subject: Subject) -> Result<&Session, NotFound> {
        let Board { catalog, plan, .. } = *self;
        let wanted = plan.position(subject);
        if wanted.played.is_some() && wanted.codes.is_some() {
            return Err(ErrorObject::params("codes", "give played or codes, not both").into());
        }
        let way = Way::of(wanted).first(subject.ply);
        let mut loaded = match self.loaded.take() {
            Some(mut loaded) if same_start(plan, loaded.position, subject.position) => {
                let common = loaded.played.common(way);
                loaded.session.retract(loaded.played.len() - common);
                Loaded { position: subject.position, played: way.first(common), ..loaded }
            }
            _ => {
                let game = wanted.game.as_ref().or(plan.batch.game.as_ref()).map_or("", String::as_str);
                let options = wanted.options.as_ref().or(plan.batch.options.as_ref());
                let seed = wanted.seed.or(plan.batch.seed).unwrap_or(0);
                let start = wanted.start.as_ref().or(plan.batch.start.as_ref());
                let session = catalog.open(game, options, seed, start.cloned());
                let session = session.map_err(ErrorObject::from)?;
                Loaded { session, position: subject.position, played: way.first(0) }
            }
        };
        for index in loaded.played.len()..way.len() {
            self.check_goes_on()?;
            if let Err(error) = play(&mut loaded.session, way, index) {
                self.loaded = Some(loaded);
                return Err(error.into());
            }
            loaded.played = way.first(index + 1);
        }
        Ok(&self.loaded.insert(loaded).session)
    }
}

/// Plays the next action on the way.
fn play(session: &mut Session, way: Way<'_>, index: usize) -> Result<(), ErrorObject> {
    let not_played = |why| PlayError { index, why }.into();
    match way {
        Way::Texts(texts) => session.play_unseen(&texts[index]).map_err(not_played),
        Way::Codes(codes) => session.play_code(&codes[index]).map_err(|error| match error {
            CodeNotPlayed::NoNumbers(error) => error.into(),
            CodeNotPlayed::NoCode(error) => wire_error::wrong_code("codes", index, &error),
            CodeNotPlayed::NotPlayed(why) => not_played(why),
        }),
    }
}

/// Whether two positions begin in the same way.
fn same_start(plan: &Plan, one: usize, other: usize) -> bool {
    let [one, other] = [one, other].map(|position| &plan.batch.positions[position]);
    std::ptr::eq(one, other)
        || one.game == other.game
            && one.options == other.options
            && one.seed == other.seed
            && one.start == other.start
}

/// The state of a table with this game at which nobody sits.
fn state(session: &Session) -> Option<Box<State>> {
    let seats = PerSeat { one: Player::default(), two: Player::default() };
    Table::new(String::new(), session.clone(), seats).ok().map(|table| Box::new(table.state()))
}
