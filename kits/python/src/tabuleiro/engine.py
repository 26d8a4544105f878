"""An engine, asked by a program that waits for its answers."""

from __future__ import annotations

import queue
from types import TracebackType
from typing import Any, Callable, Mapping, Sequence

from tabuleiro import transport
from tabuleiro.conversation import Conversation
from tabuleiro.messages import (
    Actions,
    Ask,
    Batch,
    BatchResult,
    Check,
    Choice,
    Code,
    Codes,
    Hello,
    Hint,
    History,
    Judged,
    Lesson,
    Limits,
    Mistakes,
    Nodes,
    Notice,
    Options,
    Overlay,
    Planes,
    Played,
    Player,
    Position,
    Puzzle,
    PuzzleKind,
    PuzzleList,
    Record,
    Replay,
    Review,
    SeatNumber,
    Space,
    Start,
    State,
    Status,
    TableInfo,
    Tree,
)
from tabuleiro.notices import Notices
from tabuleiro.pending import Pending
from tabuleiro.requests import Requests
from tabuleiro.results import Results
from tabuleiro.table import Table


class Engine:
    """An engine, as a process of one's own (`Engine.start`) or at a local socket (`Engine.connect`).

    Every method of the protocol is a method here and waits for its answer; PROTOCOL.md says what they do. `begin_search`,
    `begin_choose`, `begin_batch` and `begin_perft` do not wait. All of them may be used from any thread.

    Ctrl-C interrupts the call that waits, and a search or count that it waits for is cancelled. The engine and its tables
    live on.
    """

    def __init__(self, way: transport.Transport) -> None:
        self._conversation: Conversation[Table] = Conversation(way, lambda state: Table(self, state))
        self._requests = Requests(self._conversation)

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> Engine:
        """Starts an engine of one's own: this command, or else the one in the environment's TABULEIRO_ENGINE, or else
        `tabuleiro-engine`. It ends with `end`, or with this process.
        """
        return cls(transport.start(command))

    @classmethod
    def connect(cls, name: str) -> Engine:
        """Joins an engine that listens at a local socket: `tabuleiro-engine --socket NAME`."""
        return cls(transport.connect(name))

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Ends the conversation, and the engine if it was started here. Leaving a `with` does this."""
        self._conversation.hang_up()

    # What the engine says unasked.

    def listen(self, callback: Callable[[Notice], None], *methods: str) -> Callable[[], None]:
        """Calls back for every notification from now on, or for those of these names. Gives a function that stops it.

        It is called by the thread that reads: it must not ask the engine anything, and nothing is heard until it returns.
        """
        return self._conversation.subscribe(lambda notice: None if notice is None else callback(notice), methods)

    def notices(self, *methods: str) -> Notices:
        """Collects every notification from now on, or those of these names, to go through with `for`."""
        notices = Notices()
        notices._stop = self._conversation.subscribe(notices._waiting.put, methods)
        return notices

    # The methods of the protocol.

    def call(self, method: str, **params: Any) -> Any:
        """Asks for anything and waits for the answer. Params that are `None` are left out."""
        return self._requests.call(method, **params)._wait()

    def hello(self, client: str | None = None, *, strict: bool | None = None) -> Hello:
        """Says what the engine is and has: games, levels, bots. With `strict` it refuses what it does not know from now on."""
        return self._requests.hello(client, strict=strict)._wait()

    def new(
        self,
        game: str,
        options: Options | None = None,
        *,
        seed: int | None = None,
        start: Start | None = None,
        seats: Mapping[SeatNumber, Player] | None = None,
    ) -> Table:
        """Opens a table with a new game. A seat that is not given is a client's."""
        return self._requests.new(game, options, seed=seed, start=start, seats=seats)._wait()

    def state(self, table: str, ply: int | None = None, *, node: int | None = None) -> State:
        """The position at a table, now, after so many actions or at a node."""
        return self._requests.state(table, ply, node=node)._wait()

    def actions(self, table: str, *, detail: bool = False, codes: bool = False, ply: int | None = None) -> Actions:
        """What the seat to move may do; with `detail` also the cells to point at and a sentence for each, with `codes`
        the code of each.
        """
        return self._requests.actions(table, detail=detail, codes=codes, ply=ply)._wait()

    def overlays(self, table: str, ply: int | None = None, reach: bool = False) -> list[Overlay]:
        """What a player might like to see on the board: sets of cells with a name; with `reach` also what could happen
        within a turn.
        """
        return self._requests.overlays(table, ply, reach)._wait()

    def replay(self, table: str, ply: int | None = None, node: int | None = None) -> Replay:
        """What happened in the last turn, or in the one that led to another position."""
        return self._requests.replay(table, ply, node)._wait()

    def explain(self, table: str, cells: Sequence[str], edge: str | None = None) -> str | None:
        """Why nothing can be done with these cells; `None` if something can."""
        return self._requests.explain(table, cells, edge)._wait()

    def space(self, game: str, options: Options | None = None) -> Space:
        """The numbers that actions and boards of a game are made of."""
        return self._requests.space(game, options)._wait()

    def codes(
        self,
        game: str,
        options: Options | None = None,
        *,
        actions: Sequence[str] | None = None,
        codes: Sequence[Code] | None = None,
    ) -> Codes:
        """Translates actions to codes, or codes to actions."""
        return self._requests.codes(game, options, actions=actions, codes=codes)._wait()

    def planes(self, table: str, seat: SeatNumber | None = None, ply: int | None = None) -> Planes:
        """The board in numbers, as the seat to move sees it or another."""
        return self._requests.planes(table, seat, ply)._wait()

    def history(self, table: str) -> History:
        """The turns played so far, and who resigned."""
        return self._requests.history(table)._wait()

    def play(self, table: str, actions: Sequence[str], ply: int | None = None) -> Played:
        """Plays all of the actions or none. With `ply` only if so many have been played before."""
        return self._requests.play(table, actions, ply)._wait()

    def preview(self, table: str, actions: Sequence[str], ply: int | None = None) -> Played:
        """What `play` would lead to; the table stays as it is."""
        return self._requests.preview(table, actions, ply)._wait()

    def undo(
        self, table: str, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> State:
        """Takes back turns (one if nothing is said) or actions.

        With `ask`, turns of another client's are asked for, and the state has a `wanted`.
        """
        return self._requests.undo(table, turns, actions=actions, ask=ask)._wait()

    def redo(
        self, table: str, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> State:
        """Plays turns (one if nothing is said) or actions again; `ask` as in `undo`."""
        return self._requests.redo(table, turns, actions=actions, ask=ask)._wait()

    def tree(self, table: str, node: int | None = None, *, follow: bool | None = None) -> Tree:
        """A game as a tree, or the part of it after a node. With `follow` every change comes as a `tree_changed` notice."""
        return self._requests.tree(table, node, follow=follow)._wait()

    def goto(self, table: str, node: int, *, ask: bool = False) -> State:
        """Goes to a node of the tree; `ask` as in `undo`."""
        return self._requests.goto(table, node, ask=ask)._wait()

    def annotate(
        self,
        table: str,
        node: int | None = None,
        *,
        actions: Sequence[str] = (),
        comment: str | None = None,
        mark: str | None = None,
    ) -> State:
        """Says something about a node, or about where the game stands. An empty text removes it.

        Actions are put into the tree behind the node as a variation, and it is said about where they lead.
        """
        return self._requests.annotate(table, node, actions=actions, comment=comment, mark=mark)._wait()

    def promote(self, table: str, node: int, *, main: bool = False) -> State:
        """Moves the variation of a node one place forward, or makes it the main line."""
        return self._requests.promote(table, node, main=main)._wait()

    def delete(self, table: str, node: int) -> State:
        """Removes a node and all that comes after it."""
        return self._requests.delete(table, node)._wait()

    def restore(self, table: str) -> State:
        """Puts back what was deleted last."""
        return self._requests.restore(table)._wait()

    def review(
        self,
        table: str,
        limits: Limits | None = None,
        *,
        node: int | None = None,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        threads: int | None = None,
    ) -> Review:
        """Looks through a game: what every turn was worth. `reviewed` notices tell of every turn as it is judged."""
        return self._requests.review(table, limits, node=node, level=level, seed=seed, lines=lines, threads=threads)._wait()

    def begin_review(
        self,
        table: str,
        limits: Limits | None = None,
        *,
        node: int | None = None,
        level: str | None = None,
        seed: int | None = None,
        lines: int | None = None,
        threads: int | None = None,
    ) -> Pending[Review]:
        """`review` without waiting for it."""
        return self._requests.review(table, limits, node=node, level=level, seed=seed, lines=lines, threads=threads)

    def text(self, table: str, node: int | None = None, *, position: bool = False, variations: bool = False) -> str:
        """A game as one line of text, for `load`, perhaps with its variations; or the position alone."""
        return self._requests.text(table, node, position=position, variations=variations)._wait()

    def check(self, game: str, start: Start, options: Options | None = None) -> Check:
        """Whether there is such a position, and what is wrong with it in words."""
        return self._requests.check(game, start, options)._wait()

    def resign(self, table: str, seat: SeatNumber) -> State:
        """Gives up the game for a seat."""
        return self._requests.resign(table, seat)._wait()

    def seat(self, table: str, seat: SeatNumber, to: Player) -> State:
        """Changes who plays a seat."""
        return self._requests.seat(table, seat, to)._wait()

    def hold(self, table: str) -> State:
        """Lets the engine's players and bots at a table wait."""
        return self._requests.hold(table)._wait()

    def resume(self, table: str) -> State:
        """Lets the engine's players and bots at a table go on."""
        return self._requests.resume(table)._wait()

    def hurry(self, table: str) -> bool:
        """Makes the engine's player whose turn it is play now. Whether there was one thinking."""
        return self._requests.hurry(table)._wait()

    def search(
        self,
        table: str,
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
        """Looks for the best turn at a table, which stays as it is. With `lines` the best few.

        With `endless` it goes on until it is cancelled, from where the last one of the position was; with `threat` it is
        about the other seat's turn. With `keep` what is found stays with the node.
        """
        return self._requests.search(
            table,
            limits,
            level=level,
            seed=seed,
            lines=lines,
            ply=ply,
            node=node,
            keep=keep,
            endless=endless,
            threat=threat,
        )._wait()

    def begin_search(
        self,
        table: str,
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
        return self._requests.search(
            table,
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
        """Looks for the best turn in a game that is told from its start."""
        return self._requests.choose(game, played, limits, options=options, start=start, level=level, seed=seed)._wait()

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
        return self._requests.choose(game, played, limits, options=options, start=start, level=level, seed=seed)

    def batch(
        self,
        positions: Sequence[Position],
        ask: Ask,
        *,
        game: str | None = None,
        options: Options | None = None,
        start: Start | None = None,
        seed: int | None = None,
        every: bool | None = None,
        threads: int | None = None,
    ) -> Batch:
        """Asks the same of many positions; what is said beside them holds for those that say nothing else."""
        return self.begin_batch(
            positions, ask, game=game, options=options, start=start, seed=seed, every=every, threads=threads
        )._wait()

    def begin_batch(
        self,
        positions: Sequence[Position],
        ask: Ask,
        *,
        game: str | None = None,
        options: Options | None = None,
        start: Start | None = None,
        seed: int | None = None,
        every: bool | None = None,
        threads: int | None = None,
    ) -> Pending[Batch]:
        """`batch` without waiting for it."""
        return self._requests.batch(
            positions, ask, game=game, options=options, start=start, seed=seed, every=every, threads=threads
        )

    def stream_batch(
        self,
        positions: Sequence[Position],
        ask: Ask,
        *,
        game: str | None = None,
        options: Options | None = None,
        start: Start | None = None,
        seed: int | None = None,
        every: bool | None = None,
        threads: int | None = None,
    ) -> Results:
        """`batch`, to go through its results with `for` as they come."""
        waiting: queue.SimpleQueue[BatchResult | None] = queue.SimpleQueue()
        pending = self._requests.batch(
            positions,
            ask,
            game=game,
            options=options,
            start=start,
            seed=seed,
            every=every,
            threads=threads,
            each=waiting.put,
        )
        return Results(pending, waiting)

    def cancel(self, request: int) -> bool:
        """Ends a long request by its id. Whether it was still going on."""
        return self._requests.cancel(request)._wait()

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
        """Counts the ways to play so many actions; with `split` for each first action as well."""
        return self._requests.perft(game, depth, options=options, seed=seed, start=start, played=played, split=split)._wait()

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
        return self._requests.perft(game, depth, options=options, seed=seed, start=start, played=played, split=split)

    def record(self, table: str, *, plain: bool = False) -> Record:
        """A table as a document, for `load`. With `plain` the line alone, without variations and notes."""
        return self._requests.record(table, plain=plain)._wait()

    def load(self, record: Record | str, *, partial: bool = False) -> Table:
        """Opens a table from a document, or from a line that `text` gave. With `partial` as much of it as can be read."""
        return self._requests.load(record, partial=partial)._wait()

    def render(self, table: str, *, ascii: bool = False, words: bool = False, turned: bool = False) -> str:
        """The board as plain text; with `words`, what is where in words instead of a drawing.

        With `turned` it is drawn as it is seen from the side of row 1."""
        return self._requests.render(table, ascii=ascii, words=words, turned=turned)._wait()

    def rules(self, game: str) -> str:
        """The rules of a game for people, in Markdown."""
        return self._requests.rules(game)._wait()

    def lesson(self, game: str) -> Lesson | None:
        """A game taught in small steps; `None` if it has no lesson."""
        return self._requests.lesson(game)._wait()

    def puzzles(self, game: str | None = None, *, grade: int | None = None, kind: PuzzleKind | None = None, day: str | None = None) -> PuzzleList:
        """Which puzzles there are; with a day such as `2026-11-17`, also which is the puzzle of that day."""
        return self._requests.puzzles(game, grade=grade, kind=kind, day=day)._wait()

    def puzzle(self, name: str) -> Puzzle:
        """A puzzle by its name, its solution included."""
        return self._requests.puzzle(name)._wait()

    def judge(self, puzzle: Puzzle, played: Sequence[str]) -> Judged:
        """What the last turn that was played in a puzzle is worth; `played` are all actions since it began, of both."""
        return self._requests.judge(puzzle, played)._wait()

    def hint(self, puzzle: Puzzle, played: Sequence[str] = (), *, step: int = 1) -> Hint:
        """Help in a puzzle: the first hint, the second, and so on."""
        return self._requests.hint(puzzle, played, step=step)._wait()

    def mistakes(self, table: str, nodes: Sequence[int]) -> Mistakes:
        """Puzzles at the nodes where turns began that a review called mistakes, where they can be proved."""
        return self._requests.mistakes(table, nodes)._wait()

    def tables(self) -> list[TableInfo]:
        """The open tables, of all clients."""
        return self._requests.tables()._wait()

    def attach(self, table: str) -> Table:
        """Watches a table of another client's."""
        return self._requests.attach(table)._wait()

    def detach(self, table: str) -> State:
        """Watches a table no longer."""
        return self._requests.detach(table)._wait()

    def claim(self, table: str, seat: SeatNumber) -> Table:
        """Takes a seat that is open, and watches its table."""
        return self._requests.claim(table, seat)._wait()

    def release(self, table: str, seat: SeatNumber) -> State:
        """Gives back a seat that was claimed."""
        return self._requests.release(table, seat)._wait()

    def close(self, table: str) -> None:
        """Closes a table."""
        return self._requests.close(table)._wait()

    def bot_log(self, name: str) -> list[str]:
        """The last lines that a bot wrote to its standard error."""
        return self._requests.bot_log(name)._wait()

    def status(self) -> Status:
        """How the engine is doing: load, memory and limits."""
        return self._requests.status()._wait()
