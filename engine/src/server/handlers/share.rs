//! Methods about who is at a table.

use tabuleiro_protocol::method::{
    Attach, Claim, Close, Closed, Detach, Release, StateResult, TableList, Tables,
};

use super::play::lock_open;
use super::{Call, Handled};
use crate::server::Server;

impl Server {
    pub(super) fn tables(&self, call: Call<'_, Tables>, _: Tables) -> Handled {
        let tables = self.all_tables().iter().map(|handle| handle.lock().table().info()).collect();
        call.answer(TableList { tables })
    }

    pub(super) fn attach(&self, call: Call<'_, Attach>, params: Attach) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = lock_open(&handle)?;
        shared.watch(call.client());
        call.answer(StateResult { state: shared.table().state() })
    }

    pub(super) fn detach(&self, call: Call<'_, Detach>, params: Detach) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = lock_open(&handle)?;
        shared.unwatch(call.client());
        call.answer(StateResult { state: shared.table().state() })
    }

    pub(super) fn claim(&self, call: Call<'_, Claim>, params: Claim) -> Handled {
        self.change(call, &params.table, None, |shared, client| shared.claim(client, params.seat))
    }

    pub(super) fn release(&self, call: Call<'_, Release>, params: Release) -> Handled {
        self.change(call, &params.table, None, |shared, client| shared.release(client, params.seat))
    }

    pub(super) fn close(&self, call: Call<'_, Close>, params: Close) -> Handled {
        let handle = self.find(&params.table)?;
        let mut shared = lock_open(&handle)?;
        shared.close(call.client())?;
        // Whoever has heard that it is closed does not find it any more.
        self.remove(&params.table);
        call.answer(Closed {})?;
        shared.notify_closed(call.informed());
        Ok(())
    }
}
