# %% [markdown]
# # A hundred games
#
# Four of the engine's players meet in one game, everybody against everybody, a hundred games in all. In the end there
# is a table of the results and a chart of them as a picture (`hundred_games.svg`). Run it as a script, or cell by cell
# in an editor that knows `# %%`:
#
#     python3 hundred_games.py [GAME] [FILE.svg]

# %%
from __future__ import annotations

import itertools
import math
import random
import sys

from tabuleiro import Engine, ai
from tabuleiro.messages import Options

GAME = sys.argv[1] if len(sys.argv) > 1 else "zurero"
PICTURE = sys.argv[2] if len(sys.argv) > 2 else "hundred_games.svg"
# Small boards, so that it does not take long.
OPTIONS: dict[str, Options] = {"zurero": {"size": 9}, "fabrik": {"size": 9, "goal": 4}, "syrtis": {"layout": "minor"}}
LEVELS = ["random", "greedy", "novice", "club"]
GAMES = 100

# %% [markdown]
# Every pair plays equally often, and both of a pair begin equally often. A game opens with some moves at random: without
# them two players that leave nothing to chance would play the same game again and again.

# %%
OPENING = 4
PAIRS = list(itertools.combinations(LEVELS, 2))


def play_one(engine: Engine, first: str, second: str, seed: int) -> float:
    """What a game was worth to the first: 1, 0 or a half."""
    table = engine.new(GAME, OPTIONS.get(GAME), seed=seed)
    chance = random.Random(seed)
    for _ in range(OPENING):
        table.play(chance.choice(table.actions()))
    table.seat(1, ai(first))
    table.seat(2, ai(second))
    winner = table.wait_for_end()["winner"]
    table.close()
    return 0.5 if winner is None else float(winner == 1)


#: What the first of a pair got out of its games against the second, for both orders of a pair.
results: dict[tuple[str, str], list[float]] = {pair: [] for pair in itertools.permutations(LEVELS, 2)}

with Engine.start() as engine:
    for number in range(GAMES):
        one, other = PAIRS[number % len(PAIRS)]
        if number // len(PAIRS) % 2:
            one, other = other, one
        worth = play_one(engine, one, other, seed=number)
        results[one, other].append(worth)
        results[other, one].append(1 - worth)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {GAMES} games", end="", file=sys.stderr, flush=True)

# %% [markdown]
# ## The table
#
# In percent of what could be won: a row's player against a column's. The interval holds the true value in 95 of 100 cases
# (Wilson's formula).


# %%
def share(games: list[float]) -> float:
    return sum(games) / len(games)


def interval(games: list[float]) -> tuple[float, float]:
    n, p, z = len(games), share(games), 1.96
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


of_all = {level: sum((results[level, other] for other in LEVELS if other != level), []) for level in LEVELS}

print(f"\n{GAME}, {GAMES} games\n")
print(" " * 8 + "".join(f"{level:>9}" for level in LEVELS) + "      all    95 %")
for level in LEVELS:
    cells = ["-" if other == level else f"{share(results[level, other]):.0%}" for other in LEVELS]
    low, high = interval(of_all[level])
    print(
        f"{level:8}"
        + "".join(f"{cell:>9}" for cell in cells)
        + f"{share(of_all[level]):9.0%}   {low:.0%} to {high:.0%}"
    )

# %% [markdown]
# ## The chart

# %%
WIDTH, ROW, LEFT, RIGHT, TOP = 760, 56, 110, 90, 96
HEIGHT = TOP + ROW * len(LEVELS) + 58
INK, QUIET, GRID, BAR = "#22303c", "#6b7a88", "#e3e8ec", "#8fbcd4"


def x(value: float) -> float:
    return LEFT + value * (WIDTH - LEFT - RIGHT)


def text(at_x: float, at_y: float, words: str, size: int = 14, colour: str = INK, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{at_x:.1f}" y="{at_y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"'
        f' font-weight="{weight}">{words}</text>'
    )


parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    ' font-family="Helvetica, Arial, sans-serif">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    text(24, 38, f"{GAME.capitalize()}: who wins how often", 20, weight="bold"),
    text(24, 62, f"Everybody against everybody, {GAMES} games; lines show the 95 % interval", 13, QUIET),
]
bottom = TOP + ROW * len(LEVELS)
for tick in (0, 0.25, 0.5, 0.75, 1):
    parts.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{TOP - 6}" y2="{bottom}" stroke="{GRID}"/>')
    parts.append(text(x(tick), bottom + 22, f"{tick:.0%}", 12, QUIET, "middle"))
for row, level in enumerate(sorted(LEVELS, key=lambda level: -share(of_all[level]))):
    middle = TOP + ROW * row + ROW / 2 - 6
    low, high = interval(of_all[level])
    score = share(of_all[level])
    parts += [
        text(LEFT - 14, middle + 5, level, 15, anchor="end"),
        f'<rect x="{x(0)}" y="{middle - 15:.1f}" width="{x(score) - x(0):.1f}" height="30" rx="3" fill="{BAR}"/>',
        f'<line x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{middle:.1f}" y2="{middle:.1f}" stroke="{INK}" stroke-width="2"/>',
        *(
            f'<line x1="{x(end):.1f}" x2="{x(end):.1f}" y1="{middle - 6:.1f}" y2="{middle + 6:.1f}" stroke="{INK}" stroke-width="2"/>'
            for end in (low, high)
        ),
        text(WIDTH - 24, middle + 5, f"{score:.0%}", 15, anchor="end", weight="bold"),
    ]
parts.append("</svg>")
with open(PICTURE, "w", encoding="utf-8") as file:
    file.write("\n".join(parts) + "\n")
print(f"\nThe chart is in {PICTURE}.")
