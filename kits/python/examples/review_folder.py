"""Reviews a folder of saved games, such as that of the window, and shows where a player loses chances.

    python review_folder.py FOLDER [--nodes 20000] [--player person] [--side black] [--svg chances.svg]

Games are records, games that the window has saved, and lines of text (`*.txt`). Every turn of every game is judged by
the engine, or only those of one player: `person`, a level such as `novice`, or a bot by its name. What comes out is a table of the games, and for every part of a game
(turns 1 to 5, 6 to 10, …) what a turn cost on average: as bars in the terminal, and as a drawing with `--svg`. Run it cell
by cell in a notebook, if you like: each part stands by itself.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Iterator

from tabuleiro import Engine, EngineError
from tabuleiro.messages import ReviewedTurn, SeatNumber, State

PART = 5


# %% Every game of the folder that can be read, with what its turns were worth


def reviews(engine: Engine, folder: Path, nodes: int) -> Iterator[tuple[str, State, list[ReviewedTurn]]]:
    """The name of each file, how its game stands, and its turns. Says which files are no games."""
    for file in sorted(file for file in folder.iterdir() if file.suffix in (".json", ".txt")):
        try:
            text = file.read_text(encoding="utf-8")
            if file.suffix == ".txt":
                table = engine.load(text)
            else:
                saved = json.loads(text)
                # A window keeps the record among other things. Nobody is to play on.
                table = engine.load({**saved.get("record", saved), "held": True})
        except (AttributeError, EngineError, OSError, ValueError) as error:
            print(f"{file.name}: {error}")
            continue
        yield file.name, table.state, table.review({"nodes": nodes})["turns"]
        table.close()


def player(state: State, seat: SeatNumber) -> str:
    """Who sits there: a level, a bot by its name, or a person."""
    seated = state["seats"]["1" if seat == 1 else "2"]
    return seated.get("level") or seated.get("name") or "person"


# %% What turns cost, by the part of the game


def costs_by_part(turns: list[ReviewedTurn]) -> dict[int, float]:
    """What a turn cost on average, by the number of the first turn of each part."""
    parts: dict[int, list[float]] = {}
    for turn in turns:
        if turn["verdict"] != "only":
            parts.setdefault((turn["turn"] - 1) // PART * PART + 1, []).append(turn["cost"])
    return {first: sum(costs) / len(costs) for first, costs in sorted(parts.items())}


def bars(costs: dict[int, float]) -> str:
    """One bar a part, for the terminal."""
    most = max(costs.values(), default=0) or 1
    lines = [f"turns {first:3} to {first + PART - 1:3}  {cost:6.1%}  {'#' * round(40 * cost / most)}" for first, cost in costs.items()]
    return "\n".join(lines)


def drawing(costs: dict[int, float]) -> str:
    """The same as an SVG."""
    most = max(costs.values(), default=0) or 1
    shapes = []
    for index, (first, cost) in enumerate(costs.items()):
        height = 180 * cost / most
        shapes.append(f'<rect x="{40 + index * 40}" y="{200 - height:.1f}" width="30" height="{height:.1f}" fill="#b3261e"/>')
        shapes.append(f'<text x="{40 + index * 40}" y="215" font-size="11">{first}-{first + PART - 1}</text>')
    width = 60 + 40 * len(costs)
    text = f'<text x="4" y="14" font-size="12">chances lost a turn (most: {most:.1%}), by turn</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 225">{text}{"".join(shapes)}</svg>\n'


# %% All together


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Reviews a folder of saved games.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--nodes", type=int, default=20_000, help="how many nodes the search of a position has")
    parser.add_argument("--player", help="only this player: person, a level or the name of a bot")
    parser.add_argument("--side", help="only this side, as black or light")
    parser.add_argument("--svg", type=Path, help="where to draw it")
    arguments = parser.parse_args()
    mine: list[ReviewedTurn] = []
    with Engine.start() as engine:
        for name, state, turns in reviews(engine, arguments.folder, arguments.nodes):
            sides = {1: state["sides"]["1"], 2: state["sides"]["2"]}
            chosen = [
                turn
                for turn in turns
                if arguments.side in (None, sides[turn["seat"]]) and arguments.player in (None, player(state, turn["seat"]))
            ]
            bad = [turn for turn in chosen if turn["verdict"] in ("mistake", "blunder", "missed_win")]
            words = ", ".join(f"turn {turn['turn']} ({turn['verdict'].replace('_', ' ')})" for turn in bad)
            print(f"{name}: {len(chosen)} turns, {words or 'no mistakes'}")
            mine += chosen
    costs = costs_by_part(mine)
    print(bars(costs))
    if arguments.svg:
        arguments.svg.write_text(drawing(costs), encoding="utf-8")


if __name__ == "__main__":
    main()
