"""A request that was sent, and its answer."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any, Callable, Generator, Generic, Mapping, TypeVar

from tabuleiro.errors import EngineError, EngineGone

if TYPE_CHECKING:
    from tabuleiro.conversation import Conversation

T = TypeVar("T")

#: The methods that go on for as long as they are told to. `cancel` ends them.
LONG = frozenset({"search", "choose", "batch", "perft"})


class Pending(Generic[T]):
    """A request that has been sent and may not have been answered yet. `result` waits for the answer, and so does `await`."""

    def __init__(
        self,
        conversation: Conversation[Any],
        id: int,
        method: str,
        read: Callable[[Any], T],
        each: Callable[[Any], None] | None = None,
    ) -> None:
        self.id = id
        self.method = method
        self._conversation = conversation
        self._read = read
        self._each = each
        self._future: Future[T] = Future()

    def result(self, timeout: float | None = None) -> T:
        """The answer, waited for at most so many seconds (`TimeoutError` after that). An error of the engine's is raised."""
        try:
            return self._future.result(timeout)
        except FutureTimeout:
            raise TimeoutError(f"request {self.id} was not answered within {timeout} s") from None

    def done(self) -> bool:
        """Whether it has been answered."""
        return self._future.done()

    def cancel(self) -> bool:
        """Asks the engine to end it now: a search answers with the best it has found. Whether it was still going on."""
        return self._ask_to_cancel().result()

    def _ask_to_cancel(self) -> Pending[bool]:
        return self._conversation.ask("cancel", {"request": self.id}, lambda result: bool(result["cancelled"]))

    def __await__(self) -> Generator[Any, None, T]:
        # Here, because it takes longer to import than all else together, and most do without.
        import asyncio

        answer = asyncio.wrap_future(self._future)
        try:
            # Shielded, because the answer is read whether somebody waits for it or not.
            return (yield from asyncio.shield(answer).__await__())
        except asyncio.CancelledError:
            # An error that nobody waits for is nothing to complain about.
            answer.add_done_callback(asyncio.Future.exception)
            self._abandon()
            raise

    def _wait(self) -> T:
        """The answer, for a caller who has no other hold on the request: if he is interrupted, nobody wants it any more."""
        try:
            return self.result()
        except BaseException:
            self._abandon()
            raise

    def _abandon(self) -> None:
        """Nobody waits for the answer any more. It still tells the tables what happened, and that is all."""
        if self.method in LONG and not self.done():
            try:
                self._ask_to_cancel()
            except EngineGone:
                pass

    # By the thread that reads.

    def _answer(self, message: Mapping[str, Any]) -> None:
        if "error" in message:
            error = message["error"]
            self._fail(EngineError(error["code"], error["message"], error.get("data") or {}))
        else:
            self._future.set_result(self._read(message["result"]))

    def _fail(self, error: Exception) -> None:
        self._future.set_exception(error)
