"""The messages of the protocol as types. PROTOCOL.md says what each member means.

They are plain dictionaries, as they came: a member that this package does not know yet is there all the same.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

SeatNumber = Literal[1, 2]
Options = Mapping[str, Union[int, str]]


class Clock(TypedDict, total=False):
    """The time that a player has left, and what each turn adds to it."""

    left_ms: int
    increment_ms: int


class Limits(TypedDict, total=False):
    """When a search has to end. What is reached first ends it; none of them: the level's own."""

    time_ms: int
    nodes: int
    depth: int
    clock: Clock
    threads: int
    book: bool


class _Player(TypedDict):
    kind: Literal["client", "ai", "bot"]


class Player(_Player, total=False):
    """Who plays a seat. `ai`, `bot` and `client` make one."""

    open: bool
    claimed: bool
    level: str
    name: str
    limits: Limits


def ai(level: str, limits: Limits | None = None) -> Player:
    """One of the engine's own players."""
    player: Player = {"kind": "ai", "level": level}
    if limits is not None:
        player["limits"] = limits
    return player


def bot(name: str, limits: Limits | None = None) -> Player:
    """A bot that the engine was started with: `--bot NAME=COMMAND`."""
    player: Player = {"kind": "bot", "name": name}
    if limits is not None:
        player["limits"] = limits
    return player


def client(open: bool = False) -> Player:
    """Whoever opened the table; if it is open, whoever claims the seat."""
    player: Player = {"kind": "client"}
    if open:
        player["open"] = True
    return player


Players = TypedDict("Players", {"1": Player, "2": Player})
Players.__doc__ = "Who plays, by seat."
Sides = TypedDict("Sides", {"1": Optional[str], "2": Optional[str]})
Sides.__doc__ = "What each seat plays, as `black`; `None` where it has not been settled."


class LastTurn(TypedDict):
    """Who played last, and what."""

    seat: SeatNumber
    actions: List[str]


class Turn(LastTurn):
    """One turn, and how many actions had been played after it."""

    ply: int


class Outcome(TypedDict):
    """`winner` is `None` for a draw."""

    winner: Optional[SeatNumber]
    reason: str
    text: str


class Wanted(TypedDict):
    """What a client asks another one at its table to agree to."""

    by: Optional[SeatNumber]
    method: str
    actions: int


class _State(TypedDict):
    table: str
    game: str
    options: Dict[str, Union[int, str]]
    seed: int
    seats: Players
    sides: Sides
    ply: int
    turn: int
    to_move: Optional[SeatNumber]
    phase: str
    prompt: str
    rows: List[str]
    counters: Dict[str, Any]
    last: Optional[LastTurn]
    outcome: Optional[Outcome]
    node: int
    undone: int
    held: bool


class State(_State, total=False):
    """A position, who plays, and how it stands."""

    wanted: Wanted
    would_move: SeatNumber


class _Start(TypedDict):
    rows: List[str]


class Start(_Start, total=False):
    """A position to begin from. What follows `to_move` is of Syrtis alone."""

    to_move: SeatNumber
    light: SeatNumber
    sinks: List[int]
    passes: List[int]
    streak: int
    last_sinker: Optional[SeatNumber]


class _Note(TypedDict, total=False):
    comment: str
    mark: Literal["!", "?", "!!", "??", "!?", "?!"]
    resigned: SeatNumber
    evaluation: Dict[str, Any]


class Node(_Note, total=False):
    """A node of the tree of a game: an action, and what is noted about it. The start has `node`, `ply` and `children` alone."""

    node: int
    parent: int
    action: str
    seat: SeatNumber
    ply: int
    children: List[int]


class ReplayStep(TypedDict):
    """An action of a turn, and what happened by it."""

    action: str
    events: List[Event]


class Replay(TypedDict):
    """What happened in a turn, and the board before it."""

    ply: int
    seat: Optional[SeatNumber]
    rows: List[str]
    steps: List[ReplayStep]


class _LessonStep(TypedDict):
    title: str
    text: str
    goal: Any


class LessonStep(_LessonStep, total=False):
    """A position, a few sentences and something to do: see docs/write-a-lesson.md."""

    start: Start
    options: Dict[str, Any]
    marks: List[str]
    hint: str
    well: str
    otherwise: str
    answers: Dict[str, str]


class _Lesson(TypedDict):
    game: str
    title: str
    steps: List[LessonStep]


class Lesson(_Lesson, total=False):
    """A game taught step by step."""

    options: Dict[str, Any]


PuzzleKind = Literal["win", "defence"]


class SolvedBy(TypedDict):
    """What finds a solution of a puzzle: the weakest level, and how many nodes a search needs."""

    level: Optional[str]
    nodes: Optional[int]


class _Puzzle(TypedDict):
    name: str
    game: str
    start: Start
    kind: PuzzleKind
    turns: int
    solutions: List[List[str]]
    line: List[List[str]]
    grade: int
    solved_by: SolvedBy


class Puzzle(_Puzzle, total=False):
    """A position, what is to be found in it, and all first turns that find it: see docs/puzzles.md."""

    options: Dict[str, Any]
    source: str


class _PuzzleInfo(TypedDict):
    name: str
    game: str
    kind: PuzzleKind
    turns: int
    grade: int
    rating: int


class PuzzleInfo(_PuzzleInfo, total=False):
    """A puzzle as a list of them shows it, without its solution."""

    options: Dict[str, Any]


class PuzzleList(TypedDict):
    """The puzzles that there are, and the name of the one of the day."""

    puzzles: List[PuzzleInfo]
    of_the_day: Optional[str]


class Judged(TypedDict):
    """What a turn in a puzzle is worth, and what the other side replies."""

    verdict: Literal["unfinished", "right", "solved", "slow", "wrong", "unknown"]
    turns: int
    reply: List[str]
    text: str


class Hint(TypedDict):
    """Help in a puzzle: each step says more."""

    step: int
    of: int
    text: str
    cells: List[str]
    actions: List[str]


class MistakePuzzle(TypedDict):
    """A puzzle at the node where a mistake was made."""

    node: int
    puzzle: Puzzle


class Mistakes(TypedDict):
    """Puzzles made of mistakes, and the nodes at which nothing could be proved."""

    puzzles: List[MistakePuzzle]
    unproved: List[int]


class Tree(TypedDict):
    """A game as a tree: where it stands, where its line ends, and every node behind its parent."""

    current: int
    end: int
    deleted: int
    nodes: List[Node]


class _Event(TypedDict):
    kind: str


class Event(_Event, total=False):
    """One thing that happened. Which members it has depends on its `kind`; `set` leads from the old rows to the new."""

    set: Dict[str, str]
    piece: str
    cell: str
    edge: str
    path: List[str]
    parts: List[Dict[str, Any]]
    cells: List[str]
    pieces: List[str]
    seat: SeatNumber
    word: str
    text: str
    name: str
    winner: Optional[SeatNumber]
    reason: str


# `from` is a word of Python's own, so that it can only be named as a string: event["from"].
class Played(TypedDict):
    """What playing led to: the new state, and what happened on the way."""

    state: State
    events: List[Event]


class _Detail(TypedDict):
    action: str
    kind: str
    cells: List[str]
    text: str


class Detail(_Detail, total=False):
    """An action, with the cells to point at and a sentence about it."""

    edge: str
    label: str


class _Actions(TypedDict):
    ply: int
    to_move: Optional[SeatNumber]
    actions: List[str]


#: An action in numbers: PROTOCOL.md, "Games in numbers".
Code = List[int]


class Actions(_Actions, total=False):
    """What the seat to move may do; `details` and `codes` in the same order, if they were asked for."""

    details: List[Detail]
    codes: List[Code]


class _Overlay(TypedDict):
    name: str
    text: str
    cells: List[str]


class Overlay(_Overlay, total=False):
    """Some cells that a player might like to see marked, and why."""

    seat: SeatNumber


class History(TypedDict):
    """What was played at a table."""

    turns: List[Turn]
    resigned: Optional[SeatNumber]


class _Score(TypedDict):
    win: float


class Score(_Score, total=False):
    """The chance of the seat to move to win, and whether that is proved."""

    proved: Literal["win", "loss", "draw"]


class _Line(TypedDict):
    actions: List[str]
    score: Score
    pv: List[str]


class Line(_Line, total=False):
    """A turn, what it is worth, and how the game is expected to go on: `turns` says how many actions each turn has."""

    turns: List[int]


class _Choice(_Line):
    depth: int
    nodes: int
    time_ms: int
    stopped: Literal["time", "nodes", "depth", "cancelled", "proved", "only"]


class Choice(_Choice, total=False):
    """What a search found, and how far it looked."""

    lines: List[Line]


class _Nodes(TypedDict):
    nodes: int


class Nodes(_Nodes, total=False):
    """How many ways there are to play; `split` by the first action."""

    split: Dict[str, int]


class Numbers(TypedDict):
    """Some numbers of a space, and what they mean."""

    count: int
    meaning: str


# `from` is a word of Python's own, so that it can only be named as a string: numbers["from"].
class PlanesInfo(TypedDict):
    """How boards are made of numbers: their shape, and by plane its name and the largest number it can have."""

    shape: List[int]
    names: List[str]
    high: List[int]


class Space(TypedDict):
    """The numbers that actions and boards of a game are made of."""

    size: int
    one_step: bool
    longest: int
    numbers: List[Numbers]
    planes: PlanesInfo


class Codes(TypedDict):
    """Actions and their codes, in the same order."""

    actions: List[str]
    codes: List[Code]


class Data(TypedDict):
    """A board in numbers: plane after plane, row after row, cell after cell."""

    shape: List[int]
    data: List[int]


class Planes(Data):
    """The board of a table in numbers, as a seat sees it."""

    ply: int
    to_move: Optional[SeatNumber]
    seat: SeatNumber


class Position(TypedDict, total=False):
    """A game that is told from its start, by actions or by their codes; with `every` all positions along it."""

    played: Sequence[str]
    codes: Sequence[Code]
    game: str
    options: Options
    start: Start
    seed: int
    every: bool


Verdict = Literal["only", "forced", "best", "good", "inaccuracy", "mistake", "blunder", "missed_win"]


class ReviewedTurn(TypedDict):
    """What a turn was worth to the seat that played it, what it cost, and what would have been better."""

    turn: int
    seat: SeatNumber
    node: int
    end: int
    actions: List[str]
    before: Score
    after: Score
    cost: float
    verdict: Verdict
    best: List[Line]


class Review(TypedDict):
    """A game that was looked through, with a summary for each seat, `"1"` and `"2"`."""

    turns: List[ReviewedTurn]
    summary: Dict[str, Dict[str, Any]]
    total: int
    done: int
    level: str
    limits: Limits
    seed: int
    time_ms: int


class _Problem(TypedDict):
    reason: str


class Problem(_Problem, total=False):
    """What is wrong with a position, and where."""

    cell: str
    field: str


class _Check(TypedDict):
    problem: Optional[Problem]


class Check(_Check, total=False):
    """Whether there is such a position: its `problem`, or else its `state` and its `text`."""

    state: State
    text: str


class SearchAsk(TypedDict, total=False):
    """How to search in a batch."""

    level: str
    limits: Limits
    lines: int


class Ask(TypedDict, total=False):
    """What a batch asks of every position."""

    legal: bool
    codes: bool
    state: bool
    planes: bool
    evaluation: bool
    search: SearchAsk
    playouts: int


class End(TypedDict):
    """How a game ended; `winner` is `None` for a draw."""

    winner: Optional[SeatNumber]
    reason: str


class Evaluation(TypedDict):
    """The chance of the seat to move to win, without any search."""

    win: float


class Playouts(TypedDict):
    """What came of random games for the seat to move."""

    wins: int
    draws: int
    losses: int
    mean_length: float


class BatchResult(TypedDict, total=False):
    """What a batch says of a position: what was asked for, and always `ply` and `to_move`; or why there is no such
    position, as an `error` alone.
    """

    ply: int
    to_move: Optional[SeatNumber]
    outcome: End
    legal: List[str]
    codes: List[Code]
    state: State
    planes: Data
    evaluation: Evaluation
    search: Choice
    playouts: Playouts
    error: Dict[str, Any]


class _Batch(TypedDict):
    total: int
    done: int
    errors: int
    seed: int
    time_ms: int


class Batch(_Batch, total=False):
    """What a batch came to, with its `results` unless they were streamed."""

    results: List[BatchResult]


class TableInfo(TypedDict):
    """An open table in short."""

    table: str
    game: str
    ply: int
    seats: Players
    outcome: Optional[Outcome]


class _Load(TypedDict):
    searches: int
    helpers: int
    waiting: int
    tables: int
    clients: int


class Load(_Load, total=False):
    """What an engine is busy with; the threads of its process where the system says so."""

    threads: int


class _MemoryUse(TypedDict):
    searches: int
    tables: int
    output: int


class MemoryUse(_MemoryUse, total=False):
    """What an engine holds, in bytes; the whole process where the system says so."""

    resident: int


class Status(TypedDict):
    """How an engine is doing. `limits` has every limit as a number."""

    version: str
    uptime_ms: int
    load: Load
    memory: MemoryUse
    limits: Dict[str, int]


class _OptionInfo(TypedDict):
    name: str
    type: Literal["integer", "choice"]
    default: Union[int, str]
    help: str


class OptionInfo(_OptionInfo, total=False):
    """An option of a game: its values and its default."""

    min: int
    max: int
    choices: List[str]


class Piece(TypedDict):
    """What a cell of a position may hold, in words."""

    token: str
    text: str


class _StartMember(TypedDict):
    name: str
    type: Literal["seat", "integer", "per_seat"]
    help: str


class StartMember(_StartMember, total=False):
    """What a start may have besides its rows."""

    min: int
    max: int
    optional: bool


class _GameInfo(TypedDict):
    id: str
    name: str
    options: List[OptionInfo]


class GameInfo(_GameInfo, total=False):
    """A game that the engine offers."""

    pieces: List[Piece]
    start: List[StartMember]


class _LevelInfo(TypedDict):
    id: str
    name: str
    help: str


class LevelInfo(_LevelInfo, total=False):
    """One of the engine's own players."""

    roles: List[Literal["lesson", "opponent", "hint", "analysis"]]


class _Hello(TypedDict):
    engine: str
    version: str
    protocol: int
    games: List[GameInfo]
    levels: List[LevelInfo]
    bots: List[str]


class Hello(_Hello, total=False):
    """What an engine is and has; and whether it is strict with this client."""

    strict: bool


#: A game as a document. It is passed on as it is.
Record = Dict[str, Any]


class Notice(TypedDict):
    """Something that the engine said unasked: `info`, `result`, `reviewed`, `thinking`, `waiting`, `changed`,
    `tree_changed`, `bot_failed` or `closed`.
    """

    method: str
    params: Dict[str, Any]
