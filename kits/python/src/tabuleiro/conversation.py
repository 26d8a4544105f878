"""The client's end of a conversation with an engine: lines out and in, requests and answers, tables kept up to date."""

from __future__ import annotations

import threading
import traceback
from typing import Any, Callable, Collection, Generic, Mapping, TypeVar

from tabuleiro import lines
from tabuleiro.errors import BotFailed, EngineGone
from tabuleiro.messages import Notice, State
from tabuleiro.pending import Pending
from tabuleiro.table import FollowedTable
from tabuleiro.transport import Transport

T = TypeVar("T")
TableT = TypeVar("TableT", bound=FollowedTable)


class Conversation(Generic[TableT]):
    """Sends requests, and gives each answer to whoever waits for it. May be used from any thread. One thread reads."""

    def __init__(self, transport: Transport, table: Callable[[State], TableT]) -> None:
        self._transport = transport
        self._table = table
        self._writing = threading.Lock()
        # Guards all that follows.
        self._lock = threading.Lock()
        self._next_id = 1
        self._pending: dict[int, Pending[Any]] = {}
        self._tables: dict[str, TableT] = {}
        # Each is called for every notification, and with `None` at the end.
        self._listeners: dict[object, Callable[[Notice | None], None]] = {}
        self._gone: str | None = None
        self._closed = False
        self._reader = threading.Thread(target=self._read, name="tabuleiro engine", daemon=True)
        self._reader.start()

    def hang_up(self) -> None:
        """Ends the conversation, and the engine if it was started for it."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            with self._writing:
                self._transport.writer.close()
        except OSError:
            # It has gone already.
            pass
        self._transport.leave()
        # A callback may end the conversation, and nobody can wait for itself.
        if threading.current_thread() is not self._reader:
            self._reader.join()
        self._transport.reader.close()

    # Requests.

    def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        read: Callable[[Any], T],
        each: Callable[[Any], None] | None = None,
    ) -> Pending[T]:
        """Sends a request. `read` makes of its result what the caller gets, and `each` takes what is streamed before it;
        the thread that reads calls them.
        """
        if threading.current_thread() is self._reader:
            raise RuntimeError(f"{method!r} was asked from a callback, where no answer can be heard; ask from another thread")
        with self._lock:
            pending = Pending(self, self._next_id, method, read, each)
            self._next_id += 1
        line = _request(pending.id, method, params)
        try:
            with self._lock:
                if self._closed:
                    raise EngineGone("the conversation with the engine was closed")
                if self._gone is not None:
                    raise EngineGone(self._gone)
                self._pending[pending.id] = pending
            self._send(line)
        except KeyboardInterrupt:
            pending._abandon()
            raise
        return pending

    # What the engine says unasked.

    def subscribe(self, hear: Callable[[Notice | None], None], methods: Collection[str]) -> Callable[[], None]:
        """Calls back for every notification from now on, or those of these names, and with `None` at the end. The thread
        that reads calls. Gives a function that stops it.
        """
        key = object()

        def hear_some(notice: Notice | None) -> None:
            if notice is None or not methods or notice["method"] in methods:
                hear(notice)

        with self._lock:
            self._listeners[key] = hear_some
            gone = self._gone is not None
        if gone:
            hear(None)

        def stop() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return stop

    # What answers mean for the tables. All of it is done by the thread that reads, in the order of the lines, so that
    # no table ever goes back to an older state.

    def opened(self, result: Any) -> TableT:
        """A result with the state of a table that is followed from now on."""
        state: State = result["state"]
        name = state["table"]
        with self._lock:
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = self._table(state)
                return table
        table._is(state)
        return table

    def changed(self, result: Any) -> State:
        """A result with the new state of a table."""
        state: State = result["state"]
        with self._lock:
            table = self._tables.get(state["table"])
        if table is not None:
            table._is(state)
        return state

    def left(self, name: str) -> None:
        """This table is no longer heard of."""
        with self._lock:
            table = self._tables.pop(name, None)
        if table is not None:
            table._ended(closed=True)

    def _heard(self, notice: Notice) -> None:
        if notice["method"] == "changed":
            self.changed(notice["params"])
        elif notice["method"] == "closed":
            self.left(notice["params"]["table"])
        elif notice["method"] == "bot_failed":
            failed = notice["params"]
            with self._lock:
                table = self._tables.get(failed["table"])
            if table is not None:
                table._waits_for(BotFailed(failed["name"], failed["seat"], failed["why"], failed["detail"]))
        elif notice["method"] == "result":
            with self._lock:
                pending = self._pending.get(notice["params"]["request"])
            if pending is not None and pending._each is not None:
                pending._each(notice["params"]["result"])
        self._tell_listeners(notice)

    def _tell_listeners(self, notice: Notice | None) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for hear in listeners:
            try:
                hear(notice)
            except Exception:
                # Somebody's callback; the others still have to hear.
                traceback.print_exc()

    # Lines.

    def _send(self, line: bytes) -> None:
        try:
            with self._writing:
                self._transport.writer.write(line)
                self._transport.writer.flush()
        except (OSError, ValueError):
            # The thread that reads finds out as well, and says so to all who wait.
            pass

    def _read(self) -> None:
        why = "the engine has ended the conversation"
        try:
            for line in self._transport.reader:
                if line.strip():
                    self._take(line)
        except _NoProtocol as error:
            why = str(error)
        except OSError:
            pass
        with self._lock:
            self._gone = why
            pending = list(self._pending.values())
            self._pending.clear()
            tables = list(self._tables.values())
        for request in pending:
            request._fail(EngineGone(why))
        for table in tables:
            table._ended(closed=False)
        self._tell_listeners(None)

    def _take(self, line: bytes) -> None:
        try:
            message = lines.decode(line)
        except ValueError as error:
            said = line[:200].decode(errors="replace")
            raise _NoProtocol(f"the engine said something that is not JSON ({error}): {said}") from None
        try:
            if "method" in message and "id" not in message:
                self._heard({"method": message["method"], "params": message.get("params") or {}})
                return
            if "result" not in message and "error" not in message:
                raise TypeError("neither an answer nor a notification")
            # An answer to nobody is to a line that was no request, and we send none.
            with self._lock:
                pending = self._pending.get(message["id"])
            if pending is not None:
                pending._answer(message)
                with self._lock:
                    del self._pending[pending.id]
        except (AttributeError, KeyError, TypeError) as error:
            said = line[:200].decode(errors="replace")
            raise _NoProtocol(f"the engine said something that is no message of the protocol ({error!r}): {said}") from None


class _NoProtocol(Exception):
    """A line that no engine says."""


def _request(id: int, method: str, params: Mapping[str, Any]) -> bytes:
    """The line of a request. Params that are `None` are left out."""
    given = {name: value for name, value in params.items() if value is not None}
    line = lines.encode({"jsonrpc": "2.0", "id": id, "method": method, "params": given})
    # The engine could not say which request it was that it skipped. The end of the line does not count.
    if len(line) - 1 > lines.LONGEST_LINE:
        raise ValueError(f"{method!r} makes a line of {len(line) - 1} bytes; {lines.LONGEST_LINE} is the most")
    return line
