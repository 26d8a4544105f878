//! Methods about games in numbers, for programs that learn.

use serde_json::{Map, Value};
use tabuleiro_protocol::method::{GetPlanes, GetSpace, SeenPlanes, Translate, Translated};
use tabuleiro_protocol::{ErrorObject, Seat};

use super::{Call, Handled};
use crate::server::Server;
use crate::server::wire_error::wrong_code;
use crate::session::Session;

impl Server {
    pub(super) fn space(&self, call: Call<'_, GetSpace>, params: GetSpace) -> Handled {
        let session = self.at_start(&params.game, params.options.as_ref())?;
        call.answer(session.numbers()?.space())
    }

    pub(super) fn codes(&self, call: Call<'_, Translate>, params: Translate) -> Handled {
        match (&params.actions, &params.codes) {
            (Some(_), Some(_)) => {
                return Err(ErrorObject::params("codes", "give actions or codes, not both"));
            }
            (None, None) => return Err(ErrorObject::params("actions", "give actions, or codes")),
            (Some(_), None) | (None, Some(_)) => {}
        }
        let session = self.at_start(&params.game, params.options.as_ref())?;
        let numbers = session.numbers()?;
        let (mut actions, mut codes) = (Vec::new(), Vec::new());
        for (index, text) in params.actions.iter().flatten().enumerate() {
            let (action, code) = numbers.code(text).map_err(|error| wrong_code("actions", index, &error))?;
            actions.push(action);
            codes.push(code);
        }
        for (index, code) in params.codes.into_iter().flatten().enumerate() {
            actions.push(numbers.action(&code).map_err(|error| wrong_code("codes", index, &error))?);
            codes.push(code);
        }
        call.answer(Translated { actions, codes })
    }

    pub(super) fn planes(&self, call: Call<'_, GetPlanes>, params: GetPlanes) -> Handled {
        self.look(call, &params.table, |table| {
            let table = table.at_either(params.ply, params.node)?;
            let seat = params.seat.or(table.to_move()).unwrap_or(Seat::One);
            Ok(SeenPlanes {
                ply: table.ply(),
                to_move: table.to_move(),
                seat,
                planes: table.numbers()?.planes(seat),
            })
        })
    }

    fn at_start(&self, game: &str, options: Option<&Map<String, Value>>) -> Result<Session, ErrorObject> {
        Ok(self.catalog.open(game, options, 0, None)?)
    }
}
