"""An engine, asked by a program that runs in asyncio.

    from tabuleiro import ai
    from tabuleiro.aio import AsyncEngine

    async with AsyncEngine.start() as engine:
        table = await engine.new("zurero", {"size": 9}, seats={2: ai("club")})
        await table.play("@e5")
        await table.wait_for_turn()
        print(await table.render())

Everything is as in `Engine` and `Table`, and awaited. A request is sent when its method is called, so that several can be
under way at once, and `asyncio.gather` waits for them all. A search or count whose awaiting task is cancelled ends.
"""

from __future__ import annotations

import asyncio
import math
from typing import AsyncIterator, Callable, List, Sequence

from tabuleiro import transport
from tabuleiro.conversation import Conversation
from tabuleiro.messages import (
    Choice,
    Detail,
    History,
    Limits,
    Notice,
    Outcome,
    Overlay,
    Played,
    Player,
    Record,
    Review,
    SeatNumber,
    State,
    Tree,
)
from tabuleiro.pending import Pending
from tabuleiro.requests import Requests
from tabuleiro.table import FollowedTable, flat, is_for, is_for_clients, is_over


class AsyncEngine(Requests["AsyncTable"]):
    """An engine, as a process of one's own (`AsyncEngine.start`) or at a local socket (`AsyncEngine.connect`).

    Every method of the protocol is a method here and gives a `Pending`, which is awaited for the answer.
    """

    def __init__(self, way: transport.Transport) -> None:
        super().__init__(Conversation(way, lambda state: AsyncTable(self, state)))

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> AsyncEngine:
        """Starts an engine of one's own, found as `Engine.start` finds it. It ends with `end`, or with this process."""
        return cls(transport.start(command))

    @classmethod
    def connect(cls, name: str) -> AsyncEngine:
        """Joins an engine that listens at a local socket: `tabuleiro-engine --socket NAME`."""
        return cls(transport.connect(name))

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()

    async def end(self) -> None:
        """Ends the conversation, and the engine if it was started here. Leaving an `async with` does this."""
        await asyncio.get_running_loop().run_in_executor(None, self._conversation.hang_up)

    def notices(self, *methods: str) -> AsyncNotices:
        """Collects every notification from now on, or those of these names, to go through with `async for`."""
        notices = AsyncNotices()
        notices._stop = self._conversation.subscribe(notices._put, methods)
        return notices


class AsyncNotices(AsyncIterator[Notice]):
    """What the engine says unasked, one after the other. It ends when the engine does, or when it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop: Callable[[], None] = lambda: None
        # `None` is the end.
        self._waiting: asyncio.Queue[Notice | None] = asyncio.Queue()

    async def __anext__(self) -> Notice:
        notice = await self._waiting.get()
        if notice is None:
            # For whoever asks again.
            self._waiting.put_nowait(None)
            raise StopAsyncIteration
        return notice

    def close(self) -> None:
        """Collects no more. What was collected can still be gone through."""
        self._stop()
        self._waiting.put_nowait(None)

    def _put(self, notice: Notice | None) -> None:
        _soon(self._loop, lambda: self._waiting.put_nowait(notice))


class AsyncTable(FollowedTable):
    """A table, and the last that is known of it. `new`, `load`, `attach` and `claim` of an `AsyncEngine` give one.

    `state` follows by itself what other clients, bots and the engine's own players do.
    """

    def __init__(self, engine: AsyncEngine, state: State) -> None:
        super().__init__(state)
        self.engine = engine

    async def actions(self) -> List[str]:
        """What the seat to move may do."""
        return (await self.engine.actions(self.name))["actions"]

    async def details(self) -> List[Detail]:
        """What the seat to move may do, each with the cells to point at and a sentence about it."""
        return (await self.engine.actions(self.name, detail=True))["details"]

    def play(self, *actions: str | Sequence[str], ply: int | None = None) -> Pending[Played]:
        """Plays all of the actions or none: `play("a", "b")` or `play(["a", "b"])`. Gives the new state, and what happened
        on the board. With `ply` only if so many have been played before.
        """
        return self.engine.play(self.name, flat(actions), ply)

    def preview(self, *actions: str | Sequence[str]) -> Pending[Played]:
        """What `play` would lead to; the table stays as it is."""
        return self.engine.preview(self.name, flat(actions))

    def undo(
        self, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> Pending[State]:
        """Takes back turns (one if nothing is said) or actions.

        With `ask`, turns of another client's are asked for, and the state has a `wanted`.
        """
        return self.engine.undo(self.name, turns, actions=actions, ask=ask)

    def redo(
        self, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> Pending[State]:
        """Plays turns (one if nothing is said) or actions again; `ask` as in `undo`."""
        return self.engine.redo(self.name, turns, actions=actions, ask=ask)

    def tree(self, node: int | None = None, *, follow: bool | None = None) -> Pending[Tree]:
        """The game as a tree, or the part of it after a node. With `follow` every change comes as a `tree_changed` notice."""
        return self.engine.tree(self.name, node, follow=follow)

    def goto(self, node: int, *, ask: bool = False) -> Pending[State]:
        """Goes to a node of the tree; `ask` as in `undo`."""
        return self.engine.goto(self.name, node, ask=ask)

    def annotate(
        self,
        node: int | None = None,
        *,
        actions: Sequence[str] = (),
        comment: str | None = None,
        mark: str | None = None,
    ) -> Pending[State]:
        """Says something about a node, or about where the game stands. An empty text removes it.

        Actions are put into the tree behind the node as a variation, and it is said about where they lead.
        """
        return self.engine.annotate(self.name, node, actions=actions, comment=comment, mark=mark)

    def promote(self, node: int, *, main: bool = False) -> Pending[State]:
        """Moves the variation of a node one place forward, or makes it the main line."""
        return self.engine.promote(self.name, node, main=main)

    def delete(self, node: int) -> Pending[State]:
        """Removes a node and all that comes after it."""
        return self.engine.delete(self.name, node)

    def restore(self) -> Pending[State]:
        """Puts back what was deleted last."""
        return self.engine.restore(self.name)

    def review(
        self,
        limits: Limits | None = None,
        *,
        node: int | None = None,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        threads: int | None = None,
    ) -> Pending[Review]:
        """Looks through the game: what every turn was worth. `reviewed` notices tell of every turn as it is judged."""
        return self.engine.review(self.name, limits, node=node, level=level, seed=seed, lines=lines, threads=threads)

    def text(self, node: int | None = None, *, position: bool = False, variations: bool = False) -> Pending[str]:
        """The game as one line of text, for `load`, perhaps with its variations; or the position alone."""
        return self.engine.text(self.name, node, position=position, variations=variations)

    def resign(self, seat: SeatNumber) -> Pending[State]:
        """Gives up the game for a seat."""
        return self.engine.resign(self.name, seat)

    def seat(self, seat: SeatNumber, to: Player) -> Pending[State]:
        """Changes who plays a seat."""
        return self.engine.seat(self.name, seat, to)

    def hold(self) -> Pending[State]:
        """Lets the engine's players and bots wait."""
        return self.engine.hold(self.name)

    def resume(self) -> Pending[State]:
        """Lets the engine's players and bots go on."""
        return self.engine.resume(self.name)

    def hurry(self) -> Pending[bool]:
        """Makes the engine's player whose turn it is play now. Whether there was one thinking."""
        return self.engine.hurry(self.name)

    def search(
        self,
        limits: Limits | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        ply: int | None = None,
        node: int | None = None,
        keep: bool = False,
        endless: bool = False,
        threat: bool = False,
    ) -> Pending[Choice]:
        """Looks for the best turn; the table stays as it is. With `lines` the best few.

        With `endless` it goes on until it is cancelled, from where the last one of the position was; with `threat` it is
        about the other seat's turn. With `keep` what is found stays with the node.
        """
        return self.engine.search(
            self.name,
            limits,
            level=level,
            seed=seed,
            lines=lines,
            ply=ply,
            node=node,
            keep=keep,
            endless=endless,
            threat=threat,
        )

    def record(self, *, plain: bool = False) -> Pending[Record]:
        """The table as a document, for `Engine.load`. With `plain` the line alone, without variations and notes."""
        return self.engine.record(self.name, plain=plain)

    def render(self, *, ascii: bool = False, words: bool = False, turned: bool = False) -> Pending[str]:
        """The board as plain text, with coordinates, a legend and who is to move.

        With `words` it says what is where instead, with `turned` it is drawn as it is seen from the side of row 1."""
        return self.engine.render(self.name, ascii=ascii, words=words, turned=turned)

    def history(self) -> Pending[History]:
        """The turns played so far, and who resigned."""
        return self.engine.history(self.name)

    def overlays(self) -> Pending[List[Overlay]]:
        """What a player might like to see on the board: sets of cells with a name."""
        return self.engine.overlays(self.name)

    def explain(self, cells: Sequence[str], edge: str | None = None) -> Pending[str | None]:
        """Why nothing can be done with these cells; `None` if something can."""
        return self.engine.explain(self.name, cells, edge)

    def detach(self) -> Pending[State]:
        """Watches the table no longer."""
        return self.engine.detach(self.name)

    def release(self, seat: SeatNumber) -> Pending[State]:
        """Gives back a seat that was claimed."""
        return self.engine.release(self.name, seat)

    def claim(self, seat: SeatNumber) -> Pending[AsyncTable]:
        """Takes a seat that is open."""
        return self.engine.claim(self.name, seat)

    def close(self) -> Pending[None]:
        """Closes the table."""
        return self.engine.close(self.name)

    async def wait(self, until: Callable[[State], bool], timeout: float | None = None) -> State:
        """Waits until the table's state is as asked for. Raises `TimeoutError` after so many seconds, `TableClosed` or
        `EngineGone` if it can no longer be, and `BotFailed` if the game waits for a bot that failed.
        """
        loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        key = object()
        with self._changed:
            self._watchers[key] = lambda: _soon(loop, changed.set)
        try:
            await asyncio.wait_for(self._settle(until, changed), None if timeout == math.inf else timeout)
        except asyncio.TimeoutError:
            pass
        finally:
            with self._changed:
                del self._watchers[key]
        return self._state_or_raise(until, timeout)

    async def _settle(self, until: Callable[[State], bool], changed: asyncio.Event) -> None:
        while not self._settled(until):
            await changed.wait()
            changed.clear()

    async def wait_for_turn(self, timeout: float | None = None, *, seat: SeatNumber | None = None) -> State:
        """Waits until this seat is to move, or the game is over. Without a seat: any seat that a client plays."""
        return await self.wait(is_for_clients if seat is None else is_for(seat), timeout)

    async def wait_for_end(self, timeout: float | None = None) -> Outcome:
        """Waits until the game is over."""
        outcome = (await self.wait(is_over, timeout))["outcome"]
        assert outcome is not None
        return outcome


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Calls in the loop's own thread. A loop that is closed has nobody left who waits."""
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        pass
