"""Learns to play Zurero on 9x9 from games against itself, and plays what it has learned as a bot.

    python3 learn.py train NET [--minutes M | --games N] [--seed S]
    python3 learn.py bot NET

A small net learns the value of a position: -1 is lost for the seat to move, 1 is won. It knows no rules. Which actions
are legal, where they lead, how that looks in numbers, and who has won, it asks an engine, for many games in one request.

In self-play it looks one action ahead and mostly takes what it likes best. Then every position of the game is to be worth
what looking ahead from it found, mixed with what came of it later in the game, down to its result (TD(lambda)). Nobody
shows it a good move: no search, evaluation or player of the engine takes part. As a bot it looks four actions ahead.

The net is written in numpy, which is all that it needs and quick to install: its gradient is twenty lines.
"""

from __future__ import annotations

import argparse
import itertools
import time
from dataclasses import dataclass, field
from typing import Any, Iterator, List, Sequence

import numpy as np

from tabuleiro import Bot, ChooseRequest, Engine, Pending
from tabuleiro.messages import Ask, Batch, BatchResult, Options, Position

#: Arrays of float32: values, weights; and of int8: boards in numbers, one after the other.
Floats = Any
Boards = Any

GAME = "zurero"
SIZE = 9
OPTIONS: Options = {"size": SIZE}
#: Whose stones: those of the seat to move, and the others. The planes that follow them are not needed.
PLANES = 2

#: Half of the games wait for the engine while the net looks at the other half.
GAMES_AT_ONCE = 128
#: A game that takes longer counts as a draw.
LONGEST_GAME = 60
#: So many actions are played nearly at random in the beginning, so that games differ; then better ones are much likelier.
OPENING = 7
OPENING_HEAT, HEAT = 1.0, 0.07
#: What is worth so much less than the best is a blunder.
BLUNDER = 0.1
#: How much what came later counts, against what looking ahead found.
LAMBDA = 0.8
#: So many positions are collected and learned from, some times over, each time seen from another side.
LESSON, EPOCHS, MINIBATCH = 2048, 8, 256
#: So many lessons in the beginning are kept to examine it with.
EXAM = 2
#: How fast it learns, in the beginning and at the end.
RATES = (1e-3, 1e-4)
#: As a bot it looks deeper at so many of its actions, and at so many answers to each and to these again.
CANDIDATES, ANSWERS = 6, 4


def straight(length: int, *directions: tuple[int, int]) -> Any:
    """The cells of every straight line of so many cells that goes in one of these directions."""
    return np.array(
        [
            [(row + at * down) * SIZE + column + at * right for at in range(length)]
            for down, right in directions
            for row in range(SIZE)
            for column in range(SIZE)
            if 0 <= row + (length - 1) * down < SIZE and 0 <= column + (length - 1) * right < SIZE
        ]
    )


class Lines:
    """A kind of lines, which all go through the same layer of the net; what comes out of it is added up.

    A line has few cells, so that the layer is worked out for all that can be on one, and then only looked up.
    """

    def __init__(self, cells: Any) -> None:
        count, length = cells.shape
        # The number of a line says what is on it: 0 nothing, 1 or 2 a stone, cell by cell in base 3.
        powers = 3 ** np.arange(length)
        self.numbering: Floats = np.zeros((SIZE * SIZE, count), np.float32)
        for line in range(count):
            self.numbering[cells[line], line] = powers
        contents = np.arange(3**length)[:, None] // powers % 3
        #: All that can be on a line, in the order of these numbers, as the layer takes it.
        self.inputs: Floats = np.concatenate([contents == 1, contents == 2], 1).astype(np.float32)

    def numbers(self, boards: Boards) -> Any:
        """The number of every line on every board."""
        contents = (boards[:, 0] + 2 * boards[:, 1]).reshape(len(boards), -1).astype(np.float32)
        return (contents @ self.numbering).astype(np.intp)


#: Stones are slid in along rows and columns, so that these count as a whole; of diagonals any five cells.
KINDS = [Lines(straight(SIZE, (0, 1), (1, 0))), Lines(straight(5, (1, 1), (1, -1)))]
#: How wide the layers are: of both kinds of lines, of the board as a whole, and the one that puts them together.
WIDTHS = (48, 24, 64, 64)


class Net:
    """Lines and board each through a layer of rectifiers, then a layer for all of it, then a value. It learns by Adam."""

    def __init__(self, weights: List[Floats]) -> None:
        self.weights = weights
        self.means = [np.zeros_like(weight) for weight in weights]
        self.squares = [np.zeros_like(weight) for weight in weights]
        self.steps = 0
        self.look_up()

    @classmethod
    def new(cls, chance: np.random.Generator) -> Net:
        inputs = [KINDS[0].inputs.shape[1], KINDS[1].inputs.shape[1], PLANES * SIZE * SIZE, sum(WIDTHS[:3]), WIDTHS[3]]
        # What is added up over all lines is large: the layer behind it begins with small weights, and so does the value.
        scales = [0.4, 0.4, 0.2, 0.03, 0.02]
        weights: List[Floats] = []
        for before, after, scale in zip(inputs, [*WIDTHS, 1], scales):
            weights.append((chance.standard_normal((before, after)) * scale).astype(np.float32))
            weights.append(np.zeros(after, np.float32))
        return cls(weights)

    @classmethod
    def load(cls, path: str) -> Net:
        with np.load(path) as file:
            return cls([file[name] for name in file.files])

    def save(self, path: str) -> None:
        with open(path, "wb") as file:
            np.savez(file, *self.weights)

    def look_up(self) -> None:
        """Works out what comes out of the layer of a kind for all that can be on a line."""
        self.tables = [
            np.maximum(kind.inputs @ self.weights[2 * index] + self.weights[2 * index + 1], 0)
            for index, kind in enumerate(KINDS)
        ]

    def values(self, boards: Boards) -> Floats:
        """What each position is worth to the seat to move."""
        return self.forward(boards, [kind.numbers(boards) for kind in KINDS])[-1]

    def forward(self, boards: Boards, numbers: List[Any]) -> List[Floats]:
        """What comes out of the layers: of all that is put together, of the layer behind it, and the value."""
        weights = self.weights
        whole = boards.reshape(len(boards), -1).astype(np.float32)
        parts = [table[lines].sum(1) for table, lines in zip(self.tables, numbers)]
        joined = np.concatenate([*parts, np.maximum(whole @ weights[4] + weights[5], 0)], 1)
        last = np.maximum(joined @ weights[6] + weights[7], 0)
        return [joined, last, np.tanh(last @ weights[8] + weights[9])[:, 0]]

    def gradient(self, boards: Boards, targets: Floats) -> List[Floats]:
        """Where the mean squared error rises, weight by weight."""
        numbers = [kind.numbers(boards) for kind in KINDS]
        joined, last, values = self.forward(boards, numbers)
        slope = (2 * (values - targets) * (1 - values * values) / len(boards))[:, None]
        of_value = [last.T @ slope, slope.sum(0)]
        slope = (slope @ self.weights[8].T) * (last > 0)
        of_last = [joined.T @ slope, slope.sum(0)]
        slope = slope @ self.weights[6].T
        of_parts, at = [], 0
        for kind, table, lines in zip(KINDS, self.tables, numbers):
            rows = lines.ravel()
            out = np.repeat(slope[:, at : at + table.shape[1]], lines.shape[1], 0) * (table[rows] > 0)
            of_parts += [kind.inputs[rows].T @ out, out.sum(0)]
            at += table.shape[1]
        out = slope[:, at:] * (joined[:, at:] > 0)
        of_parts += [boards.reshape(len(boards), -1).astype(np.float32).T @ out, out.sum(0)]
        return [*of_parts, *of_last, *of_value]

    def learn(self, boards: Boards, targets: Floats, rate: float) -> None:
        """One step down."""
        self.steps += 1
        step = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        gradient = self.gradient(boards, targets)
        for weight, slope, mean, square in zip(self.weights, gradient, self.means, self.squares):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            weight -= step * mean / (np.sqrt(square) + 1e-8)
        self.look_up()


# What the engine is asked.


def ask(engine: Engine, games: Sequence[List[str]]) -> Pending[Batch]:
    """Asks how games stand, each of which is told by what was played."""
    positions: List[Position] = [{"played": played} for played in games]
    wanted: Ask = {"legal": True, "planes": True}
    return engine.begin_batch(positions, wanted, game=GAME, options=OPTIONS)


def boards_of(results: Sequence[BatchResult]) -> Boards:
    """The boards in numbers, as the seat to move sees them."""
    numbers = np.array([result["planes"]["data"] for result in results], np.int8)
    return numbers.reshape(len(results), -1, SIZE, SIZE)[:, :PLANES]


def worth(values: Floats, results: Sequence[BatchResult]) -> Floats:
    """What positions are worth to the seat that has just moved: what is over by its result, all else by the net."""
    worth = -values
    for index, result in enumerate(results):
        if "outcome" in result:
            worth[index] = -won(result, result["ply"])
    return worth


def won(end: BatchResult, ply: int) -> float:
    """What the end of a game is worth to the seat that was to move after so many actions: 1 is a win, 0 a draw."""
    winner = end["outcome"]["winner"] if "outcome" in end else None
    return 0 if winner is None else 1 if winner == ply % 2 + 1 else -1


# Self-play.


@dataclass
class Game:
    """A game of the net against itself."""

    now: BatchResult
    board: Boards
    played: List[str] = field(default_factory=list)
    #: The positions so far as the seat to move saw them, what looking ahead found, and whether about that was played.
    boards: List[Boards] = field(default_factory=list)
    found: List[float] = field(default_factory=list)
    meant: List[bool] = field(default_factory=list)

    def next(self) -> List[List[str]]:
        """All that can be played next."""
        return [[*self.played, action] for action in self.now["legal"]]

    def advance(
        self, results: Sequence[BatchResult], boards: Boards, values: Floats, chance: np.random.Generator
    ) -> None:
        """Takes an action. A better one is likelier, and a win is always taken."""
        best = float(values.max())
        heat = OPENING_HEAT if len(self.played) < OPENING else HEAT
        chosen = int((values if best == 1 else values / heat + chance.gumbel(size=len(values))).argmax())
        self.boards.append(self.board)
        self.found.append(best)
        self.meant.append(bool(values[chosen] > best - BLUNDER))
        self.played.append(self.now["legal"][chosen])
        self.now, self.board = results[chosen], boards[chosen]

    def is_over(self) -> bool:
        return "outcome" in self.now or len(self.played) >= LONGEST_GAME

    def targets(self) -> Floats:
        """What each position should be worth, by what came of it. What followed a blunder says nothing about what was
        there before.
        """
        targets = [self.found[-1]]
        for found, meant in zip(self.found[-2::-1], self.meant[-2::-1]):
            targets.append((1 - LAMBDA) * found - LAMBDA * targets[-1] if meant else found)
        return np.array(targets[::-1], np.float32)

    def result(self) -> Floats:
        """What each position came to in the end."""
        return np.array([won(self.now, ply) for ply in range(len(self.boards))], np.float32)


def self_play(engine: Engine, net: Net, chance: np.random.Generator) -> Iterator[Game]:
    """Plays on and on, many games at once, and gives each one when it is over. The net may learn meanwhile."""

    def ask_all(games: Sequence[Game]) -> Pending[Batch]:
        return ask(engine, [played for game in games for played in game.next()])

    first = ask(engine, [[]]).result()["results"]
    start = boards_of(first)[0]
    halves = [[Game(first[0], start) for _ in range(GAMES_AT_ONCE // 2)] for _ in range(2)]
    asked = [ask_all(games) for games in halves]
    while True:
        for half, games in enumerate(halves):
            results = asked[half].result()["results"]
            boards = boards_of(results)
            values = worth(net.values(boards), results)
            over, at = [], 0
            for index, game in enumerate(games):
                end = at + len(game.now["legal"])
                game.advance(results[at:end], boards[at:end], values[at:end], chance)
                at = end
                if game.is_over():
                    over.append(game)
                    games[index] = Game(first[0], start)
            asked[half] = ask_all(games)
            yield from over


# Learning.


def sides(boards: Boards) -> List[Boards]:
    """The boards turned and mirrored in all eight ways, which changes nothing on a square board."""
    turned = [np.rot90(boards, turns, (2, 3)) for turns in range(4)]
    return [*turned, *(board[:, :, :, ::-1] for board in turned)]


def train(path: str, minutes: float, most_games: int | None, seed: int) -> None:
    """Lets a net learn until the time is over or so many games have been played, and writes it down now and then."""
    chance = np.random.default_rng(seed)
    net = Net.new(chance)
    began, done = time.monotonic(), 0.0
    games: List[Game] = []
    exam: List[tuple[Boards, Floats]] = []
    number = lessons = 0

    def report() -> None:
        loss = np.mean([np.mean((net.values(boards) - results) ** 2) for boards, results in exam])
        print(f"{time.monotonic() - began:6.0f} s  {number:7} games  loss {loss:.3f}", flush=True)
        net.save(path)

    with Engine.start() as engine:
        for game in self_play(engine, net, chance):
            games.append(game)
            number += 1
            if sum(len(game.boards) for game in games) < LESSON:
                continue
            boards = np.concatenate([np.array(game.boards) for game in games])
            targets = np.concatenate([game.targets() for game in games])
            results = np.concatenate([game.result() for game in games])
            games, lessons = [], lessons + 1
            if lessons <= EXAM:
                # Nothing is learned from these games: how far it is off in them shows what it has learned from others.
                exam.append((boards, results))
                if lessons == EXAM:
                    report()
                continue
            rate = RATES[0] + (RATES[1] - RATES[0]) * done
            for _ in range(EPOCHS):
                for some in np.array_split(chance.permutation(len(boards)), len(boards) // MINIBATCH):
                    net.learn(sides(boards[some])[chance.integers(8)], targets[some], rate)
            done = min(1, (time.monotonic() - began) / (60 * minutes) if most_games is None else number / most_games)
            if lessons % 20 == 0 or done == 1:
                report()
            if done == 1:
                return


# Playing.


@dataclass
class Node:
    """A position that is looked at, and what it is worth to the seat that has just moved."""

    played: List[str]
    now: BatchResult
    value: float
    children: List[Node] = field(default_factory=list)

    def look_back(self) -> float:
        """What it is worth by the best that can follow."""
        return -max(child.look_back() for child in self.children) if self.children else self.value


class NetBot(Bot):
    """Looks at all of its own actions and all answers to them, then at the best of these for two actions more."""

    def __init__(self, path: str) -> None:
        self.net = Net.load(path)
        self.engine = Engine.start()

    def grow(self, nodes: Sequence[Node], width: int | None = None) -> None:
        """Looks one action ahead of these positions, and keeps the best so many of each."""
        nexts = [[[*node.played, action] for action in node.now["legal"]] for node in nodes]
        games = [played for some in nexts for played in some]
        if not games:
            return
        results = ask(self.engine, games).result()["results"]
        # The mean of what it is worth from four sides is off by less than each of them.
        values = np.mean([self.net.values(boards) for boards in sides(boards_of(results))[:4]], 0)
        children = map(Node, games, results, worth(values, results).tolist())
        for node, some in zip(nodes, nexts):
            node.children = sorted(itertools.islice(children, len(some)), key=lambda child: -child.value)[:width]

    def choose(self, request: ChooseRequest) -> str:
        if len(request.legal) == 1:
            return request.legal[0]
        if (request.game, request.options.get("size")) != (GAME, SIZE):
            raise ValueError(f"this net has learned {GAME} on {SIZE}x{SIZE}")
        root = Node(request.played, {"legal": request.legal}, 0)
        self.grow([root])
        if root.children[0].value < 1:
            self.grow(root.children, ANSWERS)
            root.children = sorted(root.children, key=Node.look_back)[-CANDIDATES:]
            answers = [answer for own in root.children for answer in own.children]
            self.grow(answers, ANSWERS)
            self.grow([own for answer in answers for own in answer.children], 1)
        return max(root.children, key=Node.look_back).played[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns to play Zurero on 9x9 from games against itself.")
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="learn, and write the net to a file")
    training.add_argument("net")
    training.add_argument("--minutes", type=float, default=20, help="how long to learn [default: 20]")
    training.add_argument("--games", type=int, help="learn from so many games, however long they take")
    training.add_argument("--seed", type=int, default=1)
    playing = commands.add_parser("bot", help="play as a bot")
    playing.add_argument("net")
    given = parser.parse_args()
    if given.command == "train":
        train(given.net, given.minutes, given.games, given.seed)
    else:
        NetBot(given.net).run()


if __name__ == "__main__":
    main()
