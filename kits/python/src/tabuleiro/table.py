"""One table of an engine."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Callable, Sequence

from tabuleiro import board
from tabuleiro.errors import BotFailed, EngineError, EngineGone, TableClosed
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
    Review,
    SeatNumber,
    State,
    Tree,
)

if TYPE_CHECKING:
    from tabuleiro.engine import Engine
    from tabuleiro.pending import Pending


class FollowedTable:
    """The last that is known of a table: what a `Table` and an `AsyncTable` have in common."""

    def __init__(self, state: State) -> None:
        self.name = state["table"]
        self._state = state
        # Why nothing more will happen here: for ever, or until somebody does something.
        self._over: Exception | None = None
        self._stuck: BotFailed | None = None
        self._changed = threading.Condition()
        # Called without the lock whenever one of these is new.
        self._watchers: dict[object, Callable[[], None]] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self._state['game']}, {self._state['ply']} played>"

    def __str__(self) -> str:
        return board.text(self._state)

    def _repr_html_(self) -> str:
        """The board as a drawing, for notebooks."""
        return board.html(self._state)

    @property
    def state(self) -> State:
        """The position, and who plays."""
        return self._state

    @property
    def rows(self) -> list[str]:
        """The board, top row first: the tokens of a row with a space between them."""
        return self._state["rows"]

    @property
    def to_move(self) -> SeatNumber | None:
        """The seat to move; `None` when the game is over."""
        return self._state["to_move"]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; `None` while it goes on."""
        return self._state["outcome"]

    def _settled(self, until: Callable[[State], bool]) -> bool:
        """Whether it is as asked for, or will not be by itself."""
        return self._over is not None or self._stuck is not None or until(self._state)

    def _state_or_raise(self, until: Callable[[State], bool], timeout: float | None) -> State:
        if until(self._state):
            return self._state
        raise self._over or self._stuck or TimeoutError(f"table {self.name} was not as asked for within {timeout} s")

    # By the thread that reads.

    def _is(self, state: State) -> None:
        with self._changed:
            self._state = state
            self._stuck = None
        self._tell()

    def _waits_for(self, failed: BotFailed) -> None:
        with self._changed:
            self._stuck = failed
        self._tell()

    def _ended(self, *, closed: bool) -> None:
        with self._changed:
            if closed:
                self._over = TableClosed(f"table {self.name} was closed")
            else:
                self._over = EngineGone("the engine has ended the conversation")
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
            watchers = list(self._watchers.values())
        for watcher in watchers:
            watcher()


class Table(FollowedTable):
    """A table, and the last that is known of it. `new`, `load`, `attach` and `claim` of an `Engine` give one.

    `state` follows by itself what other clients, bots and the engine's own players do. `print` shows the board, and so
    does a notebook.
    """

    def __init__(self, engine: Engine, state: State) -> None:
        super().__init__(state)
        self.engine = engine

    def __str__(self) -> str:
        try:
            return self.render()
        except (EngineError, EngineGone, RuntimeError):
            # It is closed, or this is a callback: what is known of it can be shown all the same.
            return super().__str__()

    def actions(self) -> list[str]:
        """What the seat to move may do."""
        return self.engine.actions(self.name)["actions"]

    def details(self) -> list[Detail]:
        """What the seat to move may do, each with the cells to point at and a sentence about it."""
        return self.engine.actions(self.name, detail=True)["details"]

    def play(self, *actions: str | Sequence[str], ply: int | None = None) -> Played:
        """Plays all of the actions or none: `play("a", "b")` or `play(["a", "b"])`. Gives the new state, and what happened
        on the board. With `ply` only if so many have been played before.
        """
        return self.engine.play(self.name, flat(actions), ply)

    def preview(self, *actions: str | Sequence[str]) -> Played:
        """What `play` would lead to; the table stays as it is."""
        return self.engine.preview(self.name, flat(actions))

    def undo(self, turns: int | None = None, *, actions: int | None = None, ask: bool = False) -> State:
        """Takes back turns (one if nothing is said) or actions.

        With `ask`, turns of another client's are asked for, and the state has a `wanted`.
        """
        return self.engine.undo(self.name, turns, actions=actions, ask=ask)

    def redo(self, turns: int | None = None, *, actions: int | None = None, ask: bool = False) -> State:
        """Plays turns (one if nothing is said) or actions again; `ask` as in `undo`."""
        return self.engine.redo(self.name, turns, actions=actions, ask=ask)

    def tree(self, node: int | None = None, *, follow: bool | None = None) -> Tree:
        """The game as a tree, or the part of it after a node. With `follow` every change comes as a `tree_changed` notice."""
        return self.engine.tree(self.name, node, follow=follow)

    def goto(self, node: int, *, ask: bool = False) -> State:
        """Goes to a node of the tree; `ask` as in `undo`."""
        return self.engine.goto(self.name, node, ask=ask)

    def annotate(
        self,
        node: int | None = None,
        *,
        actions: Sequence[str] = (),
        comment: str | None = None,
        mark: str | None = None,
    ) -> State:
        """Says something about a node, or about where the game stands. An empty text removes it.

        Actions are put into the tree behind the node as a variation, and it is said about where they lead.
        """
        return self.engine.annotate(self.name, node, actions=actions, comment=comment, mark=mark)

    def promote(self, node: int, *, main: bool = False) -> State:
        """Moves the variation of a node one place forward, or makes it the main line."""
        return self.engine.promote(self.name, node, main=main)

    def delete(self, node: int) -> State:
        """Removes a node and all that comes after it."""
        return self.engine.delete(self.name, node)

    def restore(self) -> State:
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
    ) -> Review:
        """Looks through the game: what every turn was worth. `reviewed` notices tell of every turn as it is judged."""
        return self.engine.review(self.name, limits, node=node, level=level, seed=seed, lines=lines, threads=threads)

    def begin_review(
        self,
        limits: Limits | None = None,
        *,
        node: int | None = None,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        threads: int | None = None,
    ) -> Pending[Review]:
        """`review` without waiting for it."""
        return self.engine.begin_review(self.name, limits, node=node, level=level, seed=seed, lines=lines, threads=threads)

    def text(self, node: int | None = None, *, position: bool = False, variations: bool = False) -> str:
        """The game as one line of text, for `load`, perhaps with its variations; or the position alone."""
        return self.engine.text(self.name, node, position=position, variations=variations)

    def resign(self, seat: SeatNumber) -> State:
        """Gives up the game for a seat."""
        return self.engine.resign(self.name, seat)

    def seat(self, seat: SeatNumber, to: Player) -> State:
        """Changes who plays a seat."""
        return self.engine.seat(self.name, seat, to)

    def hold(self) -> State:
        """Lets the engine's players and bots wait."""
        return self.engine.hold(self.name)

    def resume(self) -> State:
        """Lets the engine's players and bots go on."""
        return self.engine.resume(self.name)

    def hurry(self) -> bool:
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
    ) -> Choice:
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

    def begin_search(
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
        """`search` without waiting for it."""
        return self.engine.begin_search(
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

    def record(self, *, plain: bool = False) -> Record:
        """The table as a document, for `Engine.load`. With `plain` the line alone, without variations and notes."""
        return self.engine.record(self.name, plain=plain)

    def render(self, *, ascii: bool = False, words: bool = False, turned: bool = False) -> str:
        """The board as plain text, with coordinates, a legend and who is to move.

        With `words` it says what is where instead, with `turned` it is drawn as it is seen from the side of row 1."""
        return self.engine.render(self.name, ascii=ascii, words=words, turned=turned)

    def history(self) -> History:
        """The turns played so far, and who resigned."""
        return self.engine.history(self.name)

    def overlays(self) -> list[Overlay]:
        """What a player might like to see on the board: sets of cells with a name."""
        return self.engine.overlays(self.name)

    def explain(self, cells: Sequence[str], edge: str | None = None) -> str | None:
        """Why nothing can be done with these cells; `None` if something can."""
        return self.engine.explain(self.name, cells, edge)

    def detach(self) -> State:
        """Watches the table no longer."""
        return self.engine.detach(self.name)

    def claim(self, seat: SeatNumber) -> None:
        """Takes a seat that is open."""
        self.engine.claim(self.name, seat)

    def release(self, seat: SeatNumber) -> State:
        """Gives back a seat that was claimed."""
        return self.engine.release(self.name, seat)

    def close(self) -> None:
        """Closes the table."""
        self.engine.close(self.name)

    def wait(self, until: Callable[[State], bool], timeout: float | None = None) -> State:
        """Waits until the table's state is as asked for. Raises `TimeoutError` after so many seconds, `TableClosed` or
        `EngineGone` if it can no longer be, and `BotFailed` if the game waits for a bot that failed.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._settled(until), None if timeout == math.inf else timeout)
            return self._state_or_raise(until, timeout)

    def wait_for_turn(self, timeout: float | None = None, *, seat: SeatNumber | None = None) -> State:
        """Waits until this seat is to move, or the game is over. Without a seat: any seat that a client plays."""
        return self.wait(is_for_clients if seat is None else is_for(seat), timeout)

    def wait_for_end(self, timeout: float | None = None) -> Outcome:
        """Waits until the game is over."""
        outcome = self.wait(is_over, timeout)["outcome"]
        assert outcome is not None
        return outcome


def flat(actions: Sequence[str | Sequence[str]]) -> list[str]:
    """Actions, of which some may have been given as lists."""
    return [one for part in actions for one in ([part] if isinstance(part, str) else part)]


def is_for_clients(state: State) -> bool:
    """Whether a client is to move, or the game is over."""
    seat = state["to_move"]
    if seat is None:
        return True
    player = state["seats"]["1"] if seat == 1 else state["seats"]["2"]
    return player["kind"] == "client"


def is_for(seat: SeatNumber) -> Callable[[State], bool]:
    """Whether this seat is to move, or the game is over."""
    return lambda state: state["to_move"] in (seat, None)


def is_over(state: State) -> bool:
    """Whether the game is over."""
    return state["outcome"] is not None
