"""The client's end of a conversation with an engine."""

from __future__ import annotations

import os
import queue
import shlex
import socket
import struct
import subprocess
import sys
import threading
import traceback
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import Any, BinaryIO, Callable, Generic, Iterator, Mapping, Sequence, TypeVar, cast

from tabuleiro import lines
from tabuleiro.errors import BotFailed, EngineError, EngineGone
from tabuleiro.messages import (
    Actions,
    Choice,
    Hello,
    History,
    Limits,
    Nodes,
    Notice,
    Options,
    Overlay,
    Played,
    Player,
    Record,
    SeatNumber,
    Start,
    State,
    TableInfo,
)
from tabuleiro.table import Table

PROTOCOL_VERSION = 1

T = TypeVar("T")
Callback = Callable[[Notice], None]


class Pending(Generic[T]):
    """A request that has been sent and may not have been answered yet."""

    def __init__(self, engine: Engine, id: int, read: Callable[[Any], T]) -> None:
        self.id = id
        self._engine = engine
        self._read = read
        self._future: Future[T] = Future()

    def result(self, timeout: float | None = None) -> T:
        """The answer, waited for at most so many seconds (`TimeoutError` after that). An error of the engine's is raised."""
        try:
            return self._future.result(timeout)
        except FutureTimeout:
            raise TimeoutError(f"request {self.id} was not answered within {timeout} s") from None

    def done(self) -> bool:
        return self._future.done()

    def cancel(self) -> bool:
        """Asks the engine to end it now: a search answers with the best it has found. Whether it was still going on."""
        return self._engine.cancel(self.id)

    def _answer(self, message: Mapping[str, Any]) -> None:
        if "error" in message:
            error = message["error"]
            self._fail(EngineError(error["code"], error["message"], error.get("data") or {}))
        else:
            self._future.set_result(self._read(message["result"]))

    def _fail(self, error: Exception) -> None:
        self._future.set_exception(error)


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
        if self._stop is not None:
            self._stop()
        self._waiting.put(None)

    def __enter__(self) -> Notices:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Engine:
    """An engine, as a process of one's own (`Engine.start`) or at a local socket (`Engine.connect`).

    Every method of the protocol is a method here and waits for its answer; PROTOCOL.md says what they do. `begin_search`,
    `begin_choose` and `begin_perft` do not wait. All of them may be used from any thread.
    """

    def __init__(self, reader: BinaryIO, writer: BinaryIO, end: Callable[[], None]) -> None:
        self._reader = reader
        self._writer = writer
        self._end = end
        self._writing = threading.Lock()
        # Guards all that follows.
        self._lock = threading.Lock()
        self._next_id = 1
        self._pending: dict[int, Pending[Any]] = {}
        self._tables: dict[str, Table] = {}
        # Each is called for every notification, and with `None` at the end.
        self._listeners: dict[object, Callable[[Notice | None], None]] = {}
        self._gone: str | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._listen, name="tabuleiro engine", daemon=True)
        self._thread.start()

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> Engine:
        """Starts an engine of one's own: this command, or else the one in the environment's TABULEIRO_ENGINE, or else
        `tabuleiro-engine`. It ends with `end`, or with this process.
        """
        if command is None:
            command = shlex.split(os.environ.get("TABULEIRO_ENGINE", "tabuleiro-engine"))
        try:
            child = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            raise EngineGone(f"{command[0]} cannot be started: {error.strerror}") from error
        assert child.stdin is not None and child.stdout is not None

        def end() -> None:
            # An engine leaves within a second of the end of its input; one that does not is not waited for.
            try:
                child.wait(timeout=2)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

        return cls(cast(BinaryIO, child.stdout), cast(BinaryIO, child.stdin), end)

    @classmethod
    def connect(cls, name: str) -> Engine:
        """Joins an engine that listens at a local socket: `tabuleiro-engine --socket NAME`."""
        connection = _connect(name)

        def end() -> None:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                # The engine was first.
                pass
            connection.close()

        return cls(cast(BinaryIO, connection.makefile("rb")), cast(BinaryIO, connection.makefile("wb")), end)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Ends the conversation, and the engine if it was started here. Leaving a `with` does this."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        try:
            with self._writing:
                self._writer.close()
        except OSError:
            # It has gone already.
            pass
        self._end()
        # A callback may end the conversation, and nobody can wait for itself.
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._reader.close()

    # What the engine says unasked.

    def listen(self, callback: Callback, *methods: str) -> Callable[[], None]:
        """Calls back for every notification from now on, or for those of these names. Gives a function that stops it.

        It is called by the thread that reads: it must not ask the engine anything, and nothing is heard until it returns.
        """

        def hear(notice: Notice | None) -> None:
            if notice is not None and (not methods or notice["method"] in methods):
                callback(notice)

        return self._subscribe(hear)

    def notices(self, *methods: str) -> Notices:
        """Collects every notification from now on, or those of these names, to go through with `for`."""
        notices = Notices()

        def hear(notice: Notice | None) -> None:
            if notice is None or not methods or notice["method"] in methods:
                notices._waiting.put(notice)

        notices._stop = self._subscribe(hear)
        return notices

    def _subscribe(self, hear: Callable[[Notice | None], None]) -> Callable[[], None]:
        key = object()
        with self._lock:
            self._listeners[key] = hear
            gone = self._gone is not None
        if gone:
            hear(None)

        def stop() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return stop

    # Any method.

    def call(self, method: str, **params: Any) -> Any:
        """Asks for anything and waits for the answer. Params that are `None` are left out."""
        return self._ask(method, params, lambda result: result).result()

    # The methods of the protocol.

    def hello(self, client: str | None = None) -> Hello:
        return self._wait("hello", _plain(Hello), client=client, protocol=PROTOCOL_VERSION)

    def new(
        self,
        game: str,
        options: Options | None = None,
        *,
        seed: int | None = None,
        start: Start | None = None,
        seats: Mapping[SeatNumber, Player] | None = None,
    ) -> Table:
        named = None if seats is None else {str(seat): player for seat, player in seats.items()}
        return self._wait("new", self._opened, game=game, options=options, seed=seed, start=start, seats=named)

    def state(self, table: str, ply: int | None = None) -> State:
        return self._wait("state", _plain(State), table=table, ply=ply)

    def actions(self, table: str, *, detail: bool = False, ply: int | None = None) -> Actions:
        return self._wait("actions", _plain(Actions), table=table, detail=detail, ply=ply)

    def overlays(self, table: str, ply: int | None = None) -> list[Overlay]:
        return self._wait("overlays", lambda result: cast("list[Overlay]", result["overlays"]), table=table, ply=ply)

    def explain(self, table: str, cells: Sequence[str], edge: str | None = None) -> str | None:
        return self._wait("explain", lambda result: _text_or_none(result["text"]), table=table, cells=cells, edge=edge)

    def history(self, table: str) -> History:
        return self._wait("history", _plain(History), table=table)

    def play(self, table: str, actions: Sequence[str], ply: int | None = None) -> Played:
        return self._wait("play", self._played, table=table, actions=actions, ply=ply)

    def preview(self, table: str, actions: Sequence[str], ply: int | None = None) -> Played:
        return self._wait("preview", _plain(Played), table=table, actions=actions, ply=ply)

    def undo(self, table: str, turns: int | None = None, *, actions: int | None = None) -> State:
        return self._wait("undo", self._state, table=table, turns=turns, actions=actions)

    def redo(self, table: str, turns: int | None = None, *, actions: int | None = None) -> State:
        return self._wait("redo", self._state, table=table, turns=turns, actions=actions)

    def resign(self, table: str, seat: SeatNumber) -> State:
        return self._wait("resign", self._state, table=table, seat=seat)

    def seat(self, table: str, seat: SeatNumber, to: Player) -> State:
        return self._wait("seat", self._state, table=table, seat=seat, to=to)

    def hold(self, table: str) -> State:
        return self._wait("hold", self._state, table=table)

    def resume(self, table: str) -> State:
        return self._wait("resume", self._state, table=table)

    def hurry(self, table: str) -> bool:
        return self._wait("hurry", lambda result: bool(result["hurried"]), table=table)

    def search(
        self,
        table: str,
        limits: Limits | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        ply: int | None = None,
    ) -> Choice:
        return self.begin_search(table, limits, level=level, seed=seed, lines=lines, ply=ply).result()

    def begin_search(
        self,
        table: str,
        limits: Limits | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        ply: int | None = None,
    ) -> Pending[Choice]:
        """`search` without waiting for it."""
        params = dict(table=table, limits=limits, level=level, seed=seed, lines=lines, ply=ply)
        return self._ask("search", params, _plain(Choice))

    def choose(
        self,
        game: str,
        played: Sequence[str] = (),
        limits: Limits | None = None,
        *,
        options: Options | None = None,
        start: Start | None = None,
        level: str | None = None,
        seed: int | None = None,
    ) -> Choice:
        return self.begin_choose(
            game, played, limits, options=options, start=start, level=level, seed=seed
        ).result()

    def begin_choose(
        self,
        game: str,
        played: Sequence[str] = (),
        limits: Limits | None = None,
        *,
        options: Options | None = None,
        start: Start | None = None,
        level: str | None = None,
        seed: int | None = None,
    ) -> Pending[Choice]:
        """`choose` without waiting for it."""
        params = dict(
            game=game, options=options, start=start, played=played, limits=limits, level=level, seed=seed
        )
        return self._ask("choose", params, _plain(Choice))

    def cancel(self, request: int) -> bool:
        return self._wait("cancel", lambda result: bool(result["cancelled"]), request=request)

    def perft(
        self,
        game: str,
        depth: int,
        *,
        options: Options | None = None,
        seed: int | None = None,
        start: Start | None = None,
        played: Sequence[str] | None = None,
        split: bool = False,
    ) -> Nodes:
        return self.begin_perft(
            game, depth, options=options, seed=seed, start=start, played=played, split=split
        ).result()

    def begin_perft(
        self,
        game: str,
        depth: int,
        *,
        options: Options | None = None,
        seed: int | None = None,
        start: Start | None = None,
        played: Sequence[str] | None = None,
        split: bool = False,
    ) -> Pending[Nodes]:
        """`perft` without waiting for it."""
        params = dict(
            game=game, depth=depth, options=options, seed=seed, start=start, played=played, split=split
        )
        return self._ask("perft", params, _plain(Nodes))

    def record(self, table: str) -> Record:
        return self._wait("record", lambda result: cast(Record, result["record"]), table=table)

    def load(self, record: Record) -> Table:
        return self._wait("load", self._opened, record=record)

    def render(self, table: str, *, ascii: bool = False) -> str:
        return self._wait("render", lambda result: str(result["text"]), table=table, ascii=ascii)

    def rules(self, game: str) -> str:
        return self._wait("rules", lambda result: str(result["text"]), game=game)

    def tables(self) -> list[TableInfo]:
        return self._wait("tables", lambda result: cast("list[TableInfo]", result["tables"]))

    def attach(self, table: str) -> Table:
        """Watches a table of another client's."""
        return self._wait("attach", self._opened, table=table)

    def detach(self, table: str) -> State:
        return self._wait("detach", self._left, table=table)

    def claim(self, table: str, seat: SeatNumber) -> Table:
        """Takes a seat that is open, and watches its table."""
        return self._wait("claim", self._opened, table=table, seat=seat)

    def release(self, table: str, seat: SeatNumber) -> State:
        return self._wait("release", self._state, table=table, seat=seat)

    def close(self, table: str) -> None:
        def read(_: Any) -> None:
            self._forget(table)

        self._wait("close", read, table=table)

    def bot_log(self, name: str) -> list[str]:
        """The last lines that a bot wrote to its standard error."""
        return self._wait("bot_log", lambda result: cast("list[str]", result["lines"]), name=name)

    # What answers mean for the tables. All of it is done by the thread that reads, in the order of the lines, so that
    # no table ever goes back to an older state.

    def _opened(self, result: Any) -> Table:
        state: State = result["state"]
        name = state["table"]
        with self._lock:
            table = self._tables.get(name)
            if table is None:
                table = self._tables[name] = Table(self, state)
                return table
        table._is(state)
        return table

    def _played(self, result: Any) -> Played:
        self._state(result)
        return cast(Played, result)

    def _state(self, result: Any) -> State:
        state: State = result["state"]
        with self._lock:
            table = self._tables.get(state["table"])
        if table is not None:
            table._is(state)
        return state

    def _left(self, result: Any) -> State:
        state = self._state(result)
        self._forget(state["table"])
        return state

    def _forget(self, name: str) -> None:
        with self._lock:
            table = self._tables.pop(name, None)
        if table is not None:
            table._ended(closed=True)

    def _heard(self, notice: Notice) -> None:
        if notice["method"] == "changed":
            self._state(notice["params"])
        elif notice["method"] == "closed":
            self._forget(notice["params"]["table"])
        elif notice["method"] == "bot_failed":
            failed = notice["params"]
            with self._lock:
                table = self._tables.get(failed["table"])
            if table is not None:
                table._waits_for(BotFailed(failed["name"], failed["seat"], failed["why"], failed["detail"]))
        self._tell(notice)

    def _tell(self, notice: Notice | None) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for hear in listeners:
            try:
                hear(notice)
            except Exception:
                # Somebody's callback; the others still have to hear.
                traceback.print_exc()

    # Lines.

    def _wait(self, method: str, read: Callable[[Any], T], **params: Any) -> T:
        return self._ask(method, params, read).result()

    def _ask(self, method: str, params: Mapping[str, Any], read: Callable[[Any], T]) -> Pending[T]:
        if threading.current_thread() is self._thread:
            raise RuntimeError(f"{method!r} was asked from a callback, where no answer can be heard; ask from another thread")
        given = {name: value for name, value in params.items() if value is not None}
        with self._lock:
            pending = Pending(self, self._next_id, read)
            self._next_id += 1
        line = lines.encode({"jsonrpc": "2.0", "id": pending.id, "method": method, "params": given})
        # The engine could not say which request it was that it skipped.
        if len(line) > lines.LONGEST_LINE:
            raise ValueError(f"{method!r} makes a line of {len(line)} bytes; {lines.LONGEST_LINE} is the most")
        with self._lock:
            if self._closed:
                raise EngineGone("the conversation with the engine was closed")
            if self._gone is not None:
                raise EngineGone(self._gone)
            self._pending[pending.id] = pending
        try:
            with self._writing:
                self._writer.write(line)
                self._writer.flush()
        except (OSError, ValueError):
            # The reading thread finds out as well, and says so to all who wait.
            pass
        return pending

    def _listen(self) -> None:
        why = "the engine has ended the conversation"
        try:
            for line in self._reader:
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
        self._tell(None)

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


def _plain(kind: type[T]) -> Callable[[Any], T]:
    """Takes a result as it is, for what the protocol says that it is."""
    return lambda result: cast(T, result)


def _text_or_none(text: Any) -> str | None:
    return None if text is None else str(text)


def _connect(name: str) -> socket.socket:
    if not hasattr(socket, "AF_UNIX"):
        raise EngineGone("local sockets cannot be reached from Python on this system: use Engine.start")
    tried = []
    for address in _addresses(name):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(address)
        except OSError as error:
            connection.close()
            tried.append(error.strerror or str(error))
        else:
            if _is_of_somebody_else(connection):
                connection.close()
                raise EngineGone(f"whoever listens at {name!r} is another user")
            return connection
    raise EngineGone(f"no engine listens at {name!r}: {', '.join(tried)}")


def _is_of_somebody_else(connection: socket.socket) -> bool:
    """Anybody could have taken the name first. Only Linux tells from Python who it was."""
    if not sys.platform.startswith("linux"):
        return False
    credentials = struct.Struct("3i")
    _, user, _ = credentials.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    )
    return bool(user != os.geteuid())


def _addresses(name: str) -> list[str]:
    """Where a socket of this name may be: a file if it has a slash, else a name that only this machine knows."""
    if "/" in name or "\\" in name:
        return [name]
    if sys.platform.startswith("linux"):
        return ["\0" + name]
    # Where there are no names without files, the engine's library looks for these in turn.
    return [f"/run/user/{os.getuid()}/{name}", f"/tmp/{name}"]
