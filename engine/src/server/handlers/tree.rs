//! Methods about a game as a tree.

use std::sync::Arc;

use tabuleiro_protocol::ErrorObject;
use tabuleiro_protocol::method::{
    Annotate, Delete, GetTree, Goto, Method, Promote, Restore, StateResult, Tree,
};

use super::play::lock_open;
use super::{Call, Handled};
use crate::server::Server;
use crate::server::client::Client;
use crate::server::shared_table::SharedTable;
use crate::session::ROOT;
use crate::table::Way;

impl Server {
    pub(super) fn tree(&self, call: Call<'_, GetTree>, params: GetTree) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = lock_open(&handle)?;
        let history = shared.table().session().history();
        let nodes = history.describe_from(params.node.unwrap_or(ROOT));
        if nodes.is_empty() {
            return Err(shared.table().no_node(params.node.unwrap_or(ROOT)).into());
        }
        let (current, end, deleted) = (history.current(), history.end(), history.deletions());
        if let Some(follows) = params.follow {
            shared.follow(call.client(), follows);
        }
        call.answer(Tree { current, end, deleted, nodes })
    }

    pub(super) fn go_to(&self, call: Call<'_, Goto>, params: Goto) -> Handled {
        self.change(call, &params.table, None, |shared, client| {
            shared.go(client, Way::To(params.node), params.ask)
        })
    }

    pub(super) fn annotate(&self, call: Call<'_, Annotate>, params: Annotate) -> Handled {
        let Annotate { table, node, comment, mark, actions } = params;
        self.change_tree(call, &table, |shared, client| {
            shared.annotate(client, node, &actions, comment.as_deref(), mark.as_deref())
        })
    }

    pub(super) fn promote(&self, call: Call<'_, Promote>, params: Promote) -> Handled {
        self.change_tree(call, &params.table, |shared, client| {
            shared.promote(client, params.node, params.main)
        })
    }

    pub(super) fn delete(&self, call: Call<'_, Delete>, params: Delete) -> Handled {
        self.change(call, &params.table, None, |shared, client| shared.delete(client, params.node))
    }

    pub(super) fn restore(&self, call: Call<'_, Restore>, params: Restore) -> Handled {
        self.change_tree(call, &params.table, |shared, client| shared.restore(client))
    }

    /// Changes the tree of a table but not its state, and tells those who follow the tree.
    fn change_tree<M: Method<Result = StateResult>>(
        &self,
        call: Call<'_, M>,
        table: &str,
        change: impl FnOnce(&mut SharedTable, &Arc<Client>) -> Result<(), ErrorObject>,
    ) -> Handled {
        let handle = self.find(table)?;
        let mut shared = lock_open(&handle)?;
        change(&mut shared, call.client())?;
        call.answer(StateResult { state: shared.table().state() })?;
        shared.notify_tree();
        Ok(())
    }
}
