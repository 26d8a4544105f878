"""What the engine says unasked, collected."""

from __future__ import annotations

import queue
from typing import Callable, Iterator

from tabuleiro.messages import Notice


class Notices(Iterator[Notice]):
    """What the engine says unasked, one after the other. It ends when the engine does, or when it is closed."""

    def __init__(self) -> None:
        self._stop: Callable[[], None] | None = None
        # `None` is the end.
        self._waiting: queue.SimpleQueue[Notice | None] = queue.SimpleQueue()

    def __next__(self) -> Notice:
        return self._or_stop(self._waiting.get())

    def next_within(self, seconds: float) -> Notice | None:
        """The next one, or `None` if there is none for so long. Raises `StopIteration` at the end."""
        try:
            return self._or_stop(self._waiting.get(timeout=seconds))
        except queue.Empty:
            return None

    def _or_stop(self, notice: Notice | None) -> Notice:
        if notice is None:
            # For whoever asks again.
            self._waiting.put(None)
            raise StopIteration
        return notice

    def close(self) -> None:
        """Collects no more. What was collected can still be gone through."""
        if self._stop is not None:
            self._stop()
        self._waiting.put(None)

    def __enter__(self) -> Notices:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
