//! What the server does for each method of the protocol.
//!
//! To add a method: its params and its result go into `protocol/src/method.rs`, its line into the
//! list below, its function beside the others, and its section into PROTOCOL.md.

mod look;
mod numbers;
mod play;
mod puzzles;
mod search;
mod share;
mod tree;

use std::marker::PhantomData;
use std::sync::Arc;

use parking_lot::MutexGuard;
use serde_json::Value;
use tabuleiro_protocol::method::{
    Annotate, Attach, Batch, Cancel, Check, Choose, Claim, Close, Delete, Detach, Explain, FindMistakes,
    GetActions, GetBotLog, GetHistory, GetLesson, GetOverlays, GetPlanes, GetPuzzle, GetPuzzles, GetRecord,
    GetSpace, GetState, GetStatus, GetText, GetTree, Goto, Hint, Hold, Hurry, Judge, Load, Method, New,
    Perft, Play, Preview, Promote, Redo, Release, Render, Replay, Resign, Restore, Resume, Review, Rules,
    SayHello, Search, SetSeat, Tables, Translate, Undo,
};
use tabuleiro_protocol::{ErrorObject, Id, shape};

use super::client::Client;
use super::jobs::Job;
use super::{Server, wire_error};

macro_rules! routes {
    ($($method:ident => $handler:ident,)*) => {
        /// Carries out a request. An error is still to be answered.
        pub(super) fn dispatch(server: &Server, context: RequestContext<'_>, method: &str, params: Value) -> Handled {
            match method {
                $($method::NAME => {
                    let params = shape::read::<$method>(params, context.client.unknown())?;
                    server.$handler(Call::new(context), params)
                })*
                _ => Err(wire_error::unknown_method(method)),
            }
        }

        #[cfg(test)]
        const ROUTES: &[&str] = &[$($method::NAME),*];
    };
}

routes! {
    SayHello => hello,
    Rules => rules,
    GetLesson => lesson,
    GetPuzzles => puzzles,
    GetPuzzle => puzzle,
    GetSpace => space,
    Translate => codes,
    GetBotLog => bot_log,
    GetStatus => status,

    GetState => state,
    GetActions => actions,
    GetOverlays => overlays,
    GetPlanes => planes,
    Explain => explain,
    GetHistory => history,
    Replay => replay,
    Preview => preview,
    GetRecord => record,
    Render => render,
    GetText => text,
    Check => check,

    New => new_table,
    Load => load,
    Play => play,
    Undo => undo,
    Redo => redo,
    GetTree => tree,
    Goto => go_to,
    Annotate => annotate,
    Promote => promote,
    Delete => delete,
    Restore => restore,
    Resign => resign,
    SetSeat => set_seat,
    Hold => hold,
    Resume => resume,

    Tables => tables,
    Attach => attach,
    Detach => detach,
    Claim => claim,
    Release => release,
    Close => close,

    Search => search,
    Choose => choose,
    Batch => batch,
    Review => review,
    Judge => judge,
    Hint => hint,
    FindMistakes => mistakes,
    Perft => perft,
    Cancel => cancel,
    Hurry => hurry,
}

/// A request was answered, or will be, or is refused.
type Handled = Result<(), ErrorObject>;

/// Who asked, and where the answer goes.
pub(super) struct RequestContext<'a> {
    pub(super) client: &'a Arc<Client>,
    pub(super) id: Option<Id>,
    /// What can be cancelled, if it takes long and anybody waits for the answer.
    pub(super) job: Option<Job>,
    /// It was a `cancel`, and has done its work already.
    pub(super) cancelled: bool,
    /// What others wait for until this is carried out, if anything.
    pub(super) place: Option<MutexGuard<'a, ()>>,
}

/// A call of one method: its answer can only be that method's result.
struct Call<'a, M> {
    context: RequestContext<'a>,
    method: PhantomData<M>,
}

impl<'a, M: Method> Call<'a, M> {
    fn new(context: RequestContext<'a>) -> Call<'a, M> {
        Call { context, method: PhantomData }
    }

    fn client(&self) -> &'a Arc<Client> {
        self.context.client
    }

    /// The one who learns from the answer what has changed; who asked without an `id` is told as
    /// others are.
    fn informed(&self) -> Option<&'a Arc<Client>> {
        self.context.id.as_ref().map(|_| self.context.client)
    }

    /// Answers. Whoever answers about a table does so before unlocking it, so that no newer word of
    /// it comes first.
    fn answer(&self, result: M::Result) -> Handled {
        self.context.client.answer(self.context.id.as_ref(), Ok(result));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tabuleiro_protocol::method::METHODS;

    use super::*;

    #[test]
    fn every_method_is_carried_out() {
        let sorted = |names: &[&'static str]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names
        };
        assert_eq!(sorted(ROUTES), sorted(METHODS));
    }
}
