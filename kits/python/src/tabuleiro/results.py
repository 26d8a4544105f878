"""The results of a batch, as they come."""

from __future__ import annotations

import queue
from typing import Iterator

from tabuleiro.messages import Batch, BatchResult
from tabuleiro.pending import Pending


class Results(Iterator[BatchResult]):
    """Goes through the results of a batch, in their order. Left with a `with`, or by Ctrl-C, the rest is cancelled."""

    def __init__(self, pending: Pending[Batch], waiting: queue.SimpleQueue[BatchResult | None]) -> None:
        self._pending = pending
        # `None` is the end.
        self._waiting = waiting
        pending._future.add_done_callback(lambda _: waiting.put(None))

    def __next__(self) -> BatchResult:
        try:
            result = self._waiting.get()
        except BaseException:
            self._pending._abandon()
            raise
        if result is None:
            # For whoever asks again.
            self._waiting.put(None)
            # An error of the whole batch is raised here.
            self._pending.result()
            raise StopIteration
        return result

    def cancel(self) -> bool:
        """Ends it now: no more results are worked out. Whether it was still going on."""
        return self._pending.cancel()

    def summary(self) -> Batch:
        """What the batch came to, once it is done: how many results, and how many of them are errors."""
        return self._pending.result()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self._pending._abandon()
