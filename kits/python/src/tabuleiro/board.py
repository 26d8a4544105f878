"""What a board looks like, as text and as a drawing. Only the rows of a state are looked at: nothing here knows a rule."""

from __future__ import annotations

import re
from html import escape
from typing import Sequence

from tabuleiro.messages import State

#: The side of a cell in pixels.
CELL = 32
#: Fill and ink of a piece, by what its token begins with, as PROTOCOL.md advises for games that give no hints.
DARK, LIGHT, NEUTRAL = ("#2f2f33", "#ffffff"), ("#f7f2e6", "#222222"), ("#d9902f", "#222222")


def text(state: State) -> str:
    """The board with its coordinates, and how it stands."""
    tokens = _tokens(state["rows"])
    width = max((len(token) for row in tokens for token in row), default=1)
    columns = "   " + " ".join(_letter(number).ljust(width) for number in range(len(tokens[0]) if tokens else 0))
    rows = [f"{number:2} " + " ".join(token.ljust(width) for token in row) for number, row in enumerate(tokens, 1)]
    return "\n".join(line.rstrip() for line in [columns, *rows, "", _how_it_stands(state)])


def html(state: State) -> str:
    """The board as a drawing that needs nothing from elsewhere."""
    tokens = _tokens(state["rows"])
    width = (max(map(len, tokens), default=0) + 1) * CELL
    height = (len(tokens) + 1) * CELL
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="12" text-anchor="middle" dominant-baseline="central">',
        f'<rect width="{width}" height="{height}" fill="#e9dfc9"/>',
    ]
    for number in range(max(map(len, tokens), default=0)):
        parts.append(_words((number + 1.5) * CELL, CELL / 2, _letter(number), "#222222"))
    for row, line in enumerate(tokens):
        y = (row + 1) * CELL
        parts.append(_words(CELL / 2, y + CELL / 2, str(row + 1), "#222222"))
        for column, token in enumerate(line):
            parts.append(_cell((column + 1) * CELL, y, token))
    parts.append("</svg>")
    title = f"{state['game']}, table {state['table']}, {state['ply']} played"
    return f"<div><div>{escape(title)}</div>{''.join(parts)}<div>{escape(_how_it_stands(state))}</div></div>"


def _cell(x: float, y: float, token: str) -> str:
    square = f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#f3ead6" stroke="#b9ab8c"/>'
    if token == ".":
        return square
    fill, ink = _colours(token)
    x, y = x + CELL / 2, y + CELL / 2
    # A single letter is a colour and no more; what is behind it is to be read.
    label = token[1:] if token[0].isalpha() else token
    return (
        f'{square}<g><title>{escape(token)}</title>'
        f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="{fill}" stroke="#222222"/>{_words(x, y, label, ink)}</g>'
    )


def _colours(token: str) -> tuple[str, str]:
    first = token[0]
    if not re.match("[A-Za-z]", first):
        return NEUTRAL
    if first.lower() in "bxd":
        return DARK
    if first.lower() in "wol":
        return LIGHT
    return LIGHT if first.isupper() else DARK


def _words(x: float, y: float, words: str, colour: str) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}">{escape(words)}</text>' if words else ""


def _tokens(rows: Sequence[str]) -> list[list[str]]:
    return [row.split() for row in rows]


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def _how_it_stands(state: State) -> str:
    outcome = state["outcome"]
    return outcome["text"] if outcome is not None else state["prompt"]
