"""Every method of the protocol as a request that is sent and not waited for. PROTOCOL.md says what they do."""

from __future__ import annotations

from typing import Any, Callable, Generic, List, Mapping, Optional, Sequence, TypeVar, cast

from tabuleiro.conversation import Conversation, TableT
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
from tabuleiro.pending import Pending

PROTOCOL_VERSION = 1

T = TypeVar("T")


class Requests(Generic[TableT]):
    """Every method of the protocol is a method here, which sends the request and gives a `Pending`."""

    def __init__(self, conversation: Conversation[TableT]) -> None:
        self._conversation = conversation

    def call(self, method: str, **params: Any) -> Pending[Any]:
        """Asks for anything. Params that are `None` are left out."""
        return self._conversation.ask(method, params, lambda result: result)

    def hello(self, client: str | None = None, *, strict: bool | None = None) -> Pending[Hello]:
        """Says what the engine is and has: games, levels, bots. With `strict` it refuses what it does not know from now on."""
        return self._conversation.ask("hello", dict(client=client, protocol=PROTOCOL_VERSION, strict=strict), _plain(Hello))

    def new(
        self,
        game: str,
        options: Options | None = None,
        *,
        seed: int | None = None,
        start: Start | None = None,
        seats: Mapping[SeatNumber, Player] | None = None,
    ) -> Pending[TableT]:
        """Opens a table with a new game. A seat that is not given is a client's."""
        named = None if seats is None else {str(seat): player for seat, player in seats.items()}
        params = dict(game=game, options=options, seed=seed, start=start, seats=named)
        return self._conversation.ask("new", params, self._conversation.opened)

    def state(self, table: str, ply: int | None = None, *, node: int | None = None) -> Pending[State]:
        """The position at a table, now, after so many actions or at a node."""
        return self._conversation.ask("state", dict(table=table, ply=ply, node=node), _plain(State))

    def actions(
        self, table: str, *, detail: bool = False, codes: bool = False, ply: int | None = None
    ) -> Pending[Actions]:
        """What the seat to move may do; with `detail` also the cells to point at and a sentence for each, with `codes`
        the code of each.
        """
        return self._conversation.ask("actions", dict(table=table, detail=detail, codes=codes, ply=ply), _plain(Actions))

    def overlays(self, table: str, ply: int | None = None, reach: bool = False) -> Pending[List[Overlay]]:
        """What a player might like to see on the board: sets of cells with a name; with `reach` also what could happen
        within a turn.
        """
        return self._conversation.ask(
            "overlays",
            dict(table=table, ply=ply, reach=reach or None),
            lambda result: cast("list[Overlay]", result["overlays"]),
        )

    def replay(self, table: str, ply: int | None = None, node: int | None = None) -> Pending[Replay]:
        """What happened in the last turn, or in the one that led to another position."""
        params = dict(table=table, ply=ply, node=node)
        return self._conversation.ask("replay", params, lambda result: cast("Replay", result))

    def explain(self, table: str, cells: Sequence[str], edge: str | None = None) -> Pending[str | None]:
        """Why nothing can be done with these cells; `None` if something can."""
        params = dict(table=table, cells=cells, edge=edge)
        return self._conversation.ask("explain", params, lambda result: _text_or_none(result["text"]))

    def space(self, game: str, options: Options | None = None) -> Pending[Space]:
        """The numbers that actions and boards of a game are made of."""
        return self._conversation.ask("space", dict(game=game, options=options), _plain(Space))

    def codes(
        self,
        game: str,
        options: Options | None = None,
        *,
        actions: Sequence[str] | None = None,
        codes: Sequence[Code] | None = None,
    ) -> Pending[Codes]:
        """Translates actions to codes, or codes to actions."""
        params = dict(game=game, options=options, actions=actions, codes=codes)
        return self._conversation.ask("codes", params, _plain(Codes))

    def planes(self, table: str, seat: SeatNumber | None = None, ply: int | None = None) -> Pending[Planes]:
        """The board in numbers, as the seat to move sees it or another."""
        return self._conversation.ask("planes", dict(table=table, seat=seat, ply=ply), _plain(Planes))

    def history(self, table: str) -> Pending[History]:
        """The turns played so far, and who resigned."""
        return self._conversation.ask("history", dict(table=table), _plain(History))

    def play(self, table: str, actions: Sequence[str], ply: int | None = None) -> Pending[Played]:
        """Plays all of the actions or none. With `ply` only if so many have been played before."""
        return self._conversation.ask("play", dict(table=table, actions=actions, ply=ply), self._played)

    def preview(self, table: str, actions: Sequence[str], ply: int | None = None) -> Pending[Played]:
        """What `play` would lead to; the table stays as it is."""
        return self._conversation.ask("preview", dict(table=table, actions=actions, ply=ply), _plain(Played))

    def undo(
        self, table: str, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> Pending[State]:
        """Takes back turns (one if nothing is said) or actions.

        With `ask`, turns of another client's are asked for, and the state has a `wanted`.
        """
        params = dict(table=table, turns=turns, actions=actions, ask=ask or None)
        return self._conversation.ask("undo", params, self._conversation.changed)

    def redo(
        self, table: str, turns: int | None = None, *, actions: int | None = None, ask: bool = False
    ) -> Pending[State]:
        """Plays turns (one if nothing is said) or actions again; `ask` as in `undo`."""
        params = dict(table=table, turns=turns, actions=actions, ask=ask or None)
        return self._conversation.ask("redo", params, self._conversation.changed)

    def tree(self, table: str, node: int | None = None, *, follow: bool | None = None) -> Pending[Tree]:
        """A game as a tree, or the part of it after a node. With `follow` every change comes as a `tree_changed` notice."""
        params = dict(table=table, node=node, follow=follow)
        return self._conversation.ask("tree", params, _plain(Tree))

    def goto(self, table: str, node: int, *, ask: bool = False) -> Pending[State]:
        """Goes to a node of the tree; `ask` as in `undo`."""
        params = dict(table=table, node=node, ask=ask or None)
        return self._conversation.ask("goto", params, self._conversation.changed)

    def annotate(
        self,
        table: str,
        node: int | None = None,
        *,
        actions: Sequence[str] = (),
        comment: str | None = None,
        mark: str | None = None,
    ) -> Pending[State]:
        """Says something about a node, or about where the game stands. An empty text removes it.

        Actions are put into the tree behind the node as a variation, and it is said about where they lead.
        """
        params = dict(table=table, node=node, actions=list(actions) or None, comment=comment, mark=mark)
        return self._conversation.ask("annotate", params, self._conversation.changed)

    def promote(self, table: str, node: int, *, main: bool = False) -> Pending[State]:
        """Moves the variation of a node one place forward, or makes it the main line."""
        params = dict(table=table, node=node, main=main)
        return self._conversation.ask("promote", params, self._conversation.changed)

    def delete(self, table: str, node: int) -> Pending[State]:
        """Removes a node and all that comes after it."""
        params = dict(table=table, node=node)
        return self._conversation.ask("delete", params, self._conversation.changed)

    def restore(self, table: str) -> Pending[State]:
        """Puts back what was deleted last."""
        params = dict(table=table)
        return self._conversation.ask("restore", params, self._conversation.changed)

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
    ) -> Pending[Review]:
        """Looks through a game: what every turn was worth. `reviewed` notices tell of every turn as it is judged."""
        params = dict(table=table, limits=limits, node=node, level=level, seed=seed, lines=lines, threads=threads)
        return self._conversation.ask("review", params, _plain(Review))

    def text(
        self, table: str, node: int | None = None, *, position: bool = False, variations: bool = False
    ) -> Pending[str]:
        """A game as one line of text, for `load`, perhaps with its variations; or the position alone."""
        params = dict(table=table, node=node, position=position, variations=variations)
        return self._conversation.ask("text", params, lambda result: str(result["text"]))

    def check(self, game: str, start: Start, options: Options | None = None) -> Pending[Check]:
        """Whether there is such a position, and what is wrong with it in words."""
        params = dict(game=game, start=start, options=options)
        return self._conversation.ask("check", params, _plain(Check))

    def resign(self, table: str, seat: SeatNumber) -> Pending[State]:
        """Gives up the game for a seat."""
        return self._conversation.ask("resign", dict(table=table, seat=seat), self._conversation.changed)

    def seat(self, table: str, seat: SeatNumber, to: Player) -> Pending[State]:
        """Changes who plays a seat."""
        return self._conversation.ask("seat", dict(table=table, seat=seat, to=to), self._conversation.changed)

    def hold(self, table: str) -> Pending[State]:
        """Lets the engine's players and bots at a table wait."""
        return self._conversation.ask("hold", dict(table=table), self._conversation.changed)

    def resume(self, table: str) -> Pending[State]:
        """Lets the engine's players and bots at a table go on."""
        return self._conversation.ask("resume", dict(table=table), self._conversation.changed)

    def hurry(self, table: str) -> Pending[bool]:
        """Makes the engine's player whose turn it is play now. Whether there was one thinking."""
        return self._conversation.ask("hurry", dict(table=table), lambda result: bool(result["hurried"]))

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
    ) -> Pending[Choice]:
        """Looks for the best turn at a table, which stays as it is. With `lines` the best few.

        With `endless` it goes on until it is cancelled, from where the last one of the position was; with `threat` it is
        about the other seat's turn. With `keep` what is found stays with the node.
        """
        params = dict(
            table=table,
            limits=limits,
            level=level,
            seed=seed,
            lines=lines,
            ply=ply,
            node=node,
            keep=keep or None,
            endless=endless or None,
            threat=threat or None,
        )
        return self._conversation.ask("search", params, _plain(Choice))

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
    ) -> Pending[Choice]:
        """Looks for the best turn in a game that is told from its start."""
        params = dict(game=game, options=options, start=start, played=played, limits=limits, level=level, seed=seed)
        return self._conversation.ask("choose", params, _plain(Choice))

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
        each: Callable[[BatchResult], None] | None = None,
    ) -> Pending[Batch]:
        """Asks the same of many positions; what is said beside them holds for those that say nothing else.

        With `each` it is streamed: the thread that reads calls it with every result, and the answer has none.
        """
        params = dict(
            positions=positions,
            ask=ask,
            game=game,
            options=options,
            start=start,
            seed=seed,
            every=every,
            threads=threads,
            stream=True if each else None,
        )
        return self._conversation.ask("batch", params, _plain(Batch), each)

    def cancel(self, request: int) -> Pending[bool]:
        """Ends a long request by its id. Whether it was still going on."""
        return self._conversation.ask("cancel", dict(request=request), lambda result: bool(result["cancelled"]))

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
    ) -> Pending[Nodes]:
        """Counts the ways to play so many actions; with `split` for each first action as well."""
        params = dict(game=game, depth=depth, options=options, seed=seed, start=start, played=played, split=split)
        return self._conversation.ask("perft", params, _plain(Nodes))

    def record(self, table: str, *, plain: bool = False) -> Pending[Record]:
        """A table as a document, for `load`. With `plain` the line alone, without variations and notes."""
        return self._conversation.ask("record", dict(table=table, plain=plain), lambda result: cast(Record, result["record"]))

    def load(self, record: Record | str, *, partial: bool = False) -> Pending[TableT]:
        """Opens a table from a document, or from a line that `text` gave. With `partial` as much of it as can be read."""
        return self._conversation.ask("load", dict(record=record, partial=partial), self._conversation.opened)

    def render(self, table: str, *, ascii: bool = False, words: bool = False, turned: bool = False) -> Pending[str]:
        """The board as plain text; with `words`, what is where in words instead of a drawing.

        With `turned` it is drawn as it is seen from the side of row 1."""
        params = dict(table=table, ascii=ascii, words=words or None, turned=turned or None)
        return self._conversation.ask("render", params, lambda result: str(result["text"]))

    def rules(self, game: str) -> Pending[str]:
        """The rules of a game for people, in Markdown."""
        return self._conversation.ask("rules", dict(game=game), lambda result: str(result["text"]))

    def lesson(self, game: str) -> Pending[Optional[Lesson]]:
        """A game taught in small steps; `None` if it has no lesson."""
        return self._conversation.ask("lesson", dict(game=game), lambda result: result["lesson"])

    def puzzles(self, game: str | None = None, *, grade: int | None = None, kind: PuzzleKind | None = None, day: str | None = None) -> Pending[PuzzleList]:
        """Which puzzles there are; with a day such as `2026-11-17`, also which is the puzzle of that day."""
        return self._conversation.ask("puzzles", dict(game=game, grade=grade, kind=kind, day=day), _plain(PuzzleList))

    def puzzle(self, name: str) -> Pending[Puzzle]:
        """A puzzle by its name, its solution included."""
        return self._conversation.ask("puzzle", dict(name=name), lambda result: cast(Puzzle, result["puzzle"]))

    def judge(self, puzzle: Puzzle, played: Sequence[str]) -> Pending[Judged]:
        """What the last turn that was played in a puzzle is worth; `played` are all actions since it began, of both."""
        return self._conversation.ask("judge", dict(puzzle=puzzle, played=played), _plain(Judged))

    def hint(self, puzzle: Puzzle, played: Sequence[str] = (), *, step: int = 1) -> Pending[Hint]:
        """Help in a puzzle: the first hint, the second, and so on."""
        return self._conversation.ask("hint", dict(puzzle=puzzle, played=played, step=step), _plain(Hint))

    def mistakes(self, table: str, nodes: Sequence[int]) -> Pending[Mistakes]:
        """Puzzles at the nodes where turns began that a review called mistakes, where they can be proved."""
        return self._conversation.ask("mistakes", dict(table=table, nodes=nodes), _plain(Mistakes))

    def tables(self) -> Pending[List[TableInfo]]:
        """The open tables, of all clients."""
        return self._conversation.ask("tables", {}, lambda result: cast("list[TableInfo]", result["tables"]))

    def attach(self, table: str) -> Pending[TableT]:
        """Watches a table of another client's."""
        return self._conversation.ask("attach", dict(table=table), self._conversation.opened)

    def detach(self, table: str) -> Pending[State]:
        """Watches a table no longer."""
        return self._conversation.ask("detach", dict(table=table), self._detached)

    def claim(self, table: str, seat: SeatNumber) -> Pending[TableT]:
        """Takes a seat that is open, and watches its table."""
        return self._conversation.ask("claim", dict(table=table, seat=seat), self._conversation.opened)

    def release(self, table: str, seat: SeatNumber) -> Pending[State]:
        """Gives back a seat that was claimed."""
        return self._conversation.ask("release", dict(table=table, seat=seat), self._conversation.changed)

    def close(self, table: str) -> Pending[None]:
        """Closes a table."""
        return self._conversation.ask("close", dict(table=table), lambda _: self._conversation.left(table))

    def bot_log(self, name: str) -> Pending[List[str]]:
        """The last lines that a bot wrote to its standard error."""
        return self._conversation.ask("bot_log", dict(name=name), lambda result: cast("list[str]", result["lines"]))

    def status(self) -> Pending[Status]:
        """How the engine is doing: load, memory and limits."""
        return self._conversation.ask("status", {}, _plain(Status))

    def _played(self, result: Any) -> Played:
        self._conversation.changed(result)
        return cast(Played, result)

    def _detached(self, result: Any) -> State:
        state = self._conversation.changed(result)
        self._conversation.left(state["table"])
        return state


def _plain(kind: type[T]) -> Callable[[Any], T]:
    """Takes a result as it is, for what the protocol says that it is."""
    return lambda result: cast(T, result)


def _text_or_none(text: Any) -> str | None:
    return None if text is None else str(text)
