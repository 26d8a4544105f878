"""One table of an engine."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Callable, Sequence

from tabuleiro.errors import BotFailed, EngineGone, TableClosed
from tabuleiro.messages import (
    Choice,
    Detail,
    History,
    Limits,
    Outcome,
    Overlay,
    Played,
    Player,
    Record,
    SeatNumber,
    State,
)

if TYPE_CHECKING:
    from tabuleiro.engine import Engine, Pending


class Table:
    """A table, and the last that is known of it. `new`, `load`, `attach` and `claim` of an `Engine` give one.

    `state` follows by itself what other clients, bots and the engine's own players do.
    """

    def __init__(self, engine: Engine, state: State) -> None:
        self.engine = engine
        self.name = state["table"]
        self._state = state
        # Why nothing more will happen here: for ever, or until somebody does something.
        self._over: Exception | None = None
        self._stuck: BotFailed | None = None
        self._changed = threading.Condition()

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self._state['game']}, {self._state['ply']} played>"

    @property
    def state(self) -> State:
        return self._state

    @property
    def rows(self) -> list[str]:
        return self._state["rows"]

    @property
    def to_move(self) -> SeatNumber | None:
        return self._state["to_move"]

    @property
    def outcome(self) -> Outcome | None:
        return self._state["outcome"]

    def actions(self) -> list[str]:
        """What the seat to move may do."""
        return self.engine.actions(self.name)["actions"]

    def details(self) -> list[Detail]:
        """What the seat to move may do, each with the cells to point at and a sentence about it."""
        return self.engine.actions(self.name, detail=True)["details"]

    def play(self, *actions: str, ply: int | None = None) -> Played:
        """Plays all of the actions or none. Gives the new state, and what happened on the board."""
        return self.engine.play(self.name, actions, ply)

    def preview(self, *actions: str) -> Played:
        """What `play` would lead to."""
        return self.engine.preview(self.name, actions)

    def undo(self, turns: int | None = None, *, actions: int | None = None) -> State:
        return self.engine.undo(self.name, turns, actions=actions)

    def redo(self, turns: int | None = None, *, actions: int | None = None) -> State:
        return self.engine.redo(self.name, turns, actions=actions)

    def resign(self, seat: SeatNumber) -> State:
        return self.engine.resign(self.name, seat)

    def seat(self, seat: SeatNumber, to: Player) -> State:
        return self.engine.seat(self.name, seat, to)

    def hold(self) -> State:
        return self.engine.hold(self.name)

    def resume(self) -> State:
        return self.engine.resume(self.name)

    def hurry(self) -> bool:
        return self.engine.hurry(self.name)

    def search(
        self,
        limits: Limits | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        ply: int | None = None,
    ) -> Choice:
        return self.engine.search(self.name, limits, level=level, seed=seed, lines=lines, ply=ply)

    def begin_search(
        self,
        limits: Limits | None = None,
        *,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        ply: int | None = None,
    ) -> Pending[Choice]:
        """`search` without waiting for it."""
        return self.engine.begin_search(self.name, limits, level=level, seed=seed, lines=lines, ply=ply)

    def record(self) -> Record:
        return self.engine.record(self.name)

    def render(self, *, ascii: bool = False) -> str:
        return self.engine.render(self.name, ascii=ascii)

    def history(self) -> History:
        return self.engine.history(self.name)

    def overlays(self) -> list[Overlay]:
        return self.engine.overlays(self.name)

    def explain(self, cells: Sequence[str], edge: str | None = None) -> str | None:
        return self.engine.explain(self.name, cells, edge)

    def detach(self) -> State:
        return self.engine.detach(self.name)

    def claim(self, seat: SeatNumber) -> None:
        self.engine.claim(self.name, seat)

    def release(self, seat: SeatNumber) -> State:
        return self.engine.release(self.name, seat)

    def close(self) -> None:
        self.engine.close(self.name)

    def wait(self, until: Callable[[State], bool], timeout: float | None = None) -> State:
        """Waits until the table's state is as asked for. Raises `TimeoutError` after so many seconds, `TableClosed` or
        `EngineGone` if it can no longer be, and `BotFailed` if the game waits for a bot that failed.
        """
        with self._changed:
            longest = None if timeout == math.inf else timeout
            self._changed.wait_for(lambda: self._over or self._stuck or until(self._state), longest)
            if until(self._state):
                return self._state
            raise self._over or self._stuck or TimeoutError(f"table {self.name} was not as asked for within {timeout} s")

    def wait_for_turn(self, timeout: float | None = None, *, seat: SeatNumber | None = None) -> State:
        """Waits until this seat is to move, or the game is over. Without a seat: any seat that a client plays."""
        if seat is None:
            return self.wait(_is_for_clients, timeout)
        return self.wait(lambda state: state["to_move"] in (seat, None), timeout)

    def wait_for_end(self, timeout: float | None = None) -> Outcome:
        """Waits until the game is over."""
        outcome = self.wait(lambda state: state["outcome"] is not None, timeout)["outcome"]
        assert outcome is not None
        return outcome

    # By the thread that reads.

    def _is(self, state: State) -> None:
        with self._changed:
            self._state = state
            self._stuck = None
            self._changed.notify_all()

    def _waits_for(self, failed: BotFailed) -> None:
        with self._changed:
            self._stuck = failed
            self._changed.notify_all()

    def _ended(self, *, closed: bool) -> None:
        with self._changed:
            if closed:
                self._over = TableClosed(f"table {self.name} was closed")
            else:
                self._over = EngineGone("the engine has ended the conversation")
            self._changed.notify_all()


def _is_for_clients(state: State) -> bool:
    seat = state["to_move"]
    if seat is None:
        return True
    player = state["seats"]["1"] if seat == 1 else state["seats"]["2"]
    return player["kind"] == "client"
