"""From the cells that a person points at to the action that is meant, without knowing any rules.

    pick = Pick(table.details())
    pick = pick.point("c3") or pick
    if pick.action is not None:
        table.play(pick.action)

The rule is that of PROTOCOL.md, under "Pointing".
"""

from __future__ import annotations

from typing import Iterable

from tabuleiro.messages import Detail


class Pick:
    """What was pointed at so far, and the actions that may be meant. Never changes: `point` gives another one."""

    def __init__(self, details: Iterable[Detail]) -> None:
        #: The cells that were pointed at.
        self.pointed: list[str] = []
        #: The actions that begin so, each with the cells that are left to point at.
        self.fitting: list[tuple[Detail, list[str]]] = [(detail, detail["cells"]) for detail in details]

    def point(self, cell: str) -> Pick | None:
        """What may be meant if this cell is pointed at as well; `None` if no action goes on like this."""
        after = Pick([])
        after.pointed = [*self.pointed, cell]
        for detail, left in self.fitting:
            # The first cell comes first, the others in any order.
            if cell in (left if self.pointed else left[:1]):
                place = left.index(cell)
                after.fitting.append((detail, left[:place] + left[place + 1 :]))
        return after if after.fitting else None

    @property
    def complete(self) -> list[Detail]:
        """The actions that need no more cells, to be offered as buttons with their `words`."""
        return [detail for detail, left in self.fitting if not left or (self.pointed and "edge" in detail)]

    @property
    def action(self) -> str | None:
        """The action to play, as soon as it can be no other."""
        is_clear = self.pointed and len(self.fitting) == 1 and self.complete
        return self.fitting[0][0]["action"] if is_clear else None


def words(detail: Detail) -> str:
    """What a button for an action says."""
    return detail.get("label", detail["text"])
