"""Whatever is legal can be done by pointing: the rule of the guide and of the small window, in random positions."""

from __future__ import annotations

import random
import unittest

from support import EngineTest
from tabuleiro.messages import Detail, Options
from tabuleiro.picking import Pick, words

#: So many of each game. The window's own picking has seen more (tests/director/picking.rs).
POSITIONS = 3_000

GAMES: list[tuple[str, list[Options]]] = [
    ("zurero", [{"size": 5}, {"size": 8}, {"size": 19}]),
    ("fabrik", [{"size": 5, "goal": 6}, {"size": 11}, {"size": 7, "rules": "report"}]),
    ("absorption", [{}, {"captors": 2}]),
    ("syrtis", [{"layout": "minor"}, {"layout": "major", "passes": 1}]),
]


class Picking(EngineTest):
    def test_every_action_can_be_reached(self) -> None:
        for game, boards in GAMES:
            with self.subTest(game):
                for seed, options in enumerate(boards):
                    self.look_at_games(game, options, seed, -(-POSITIONS // len(boards)))

    def look_at_games(self, game: str, options: Options, seed: int, positions: int) -> None:
        chance = random.Random(seed)
        table = self.engine.new(game, options, seed=seed)
        for _ in range(positions):
            if table.outcome is not None:
                table.close()
                table = self.engine.new(game, options, seed=chance.randrange(1 << 32))
            details = table.details()
            self.reach_all(details)
            table.play(chance.choice(details)["action"])
        table.close()

    def reach_all(self, details: list[Detail]) -> None:
        # What was pointed at for one action is good for others.
        picks: dict[tuple[str, ...], Pick] = {(): Pick(details)}
        for detail in details:
            cells = tuple(detail["cells"][:1] if "edge" in detail else detail["cells"])
            for many in range(1, len(cells) + 1):
                if cells[:many] not in picks:
                    pick = picks[cells[: many - 1]].point(cells[many - 1])
                    assert pick is not None, (detail, many)
                    picks[cells[:many]] = pick
                self.assertIn(picks[cells[:many]].action, (None, detail["action"]))
            pick = picks[cells]
            if pick.action is None:
                buttons = [words(button) for button in pick.complete]
                self.assertIn(words(detail), buttons)
                self.assertEqual(len(buttons), len(set(buttons)), buttons)


def detail(action: str, *cells: str, **more: str) -> Detail:
    return {"action": action, "kind": "kind", "cells": list(cells), "text": action, **more}  # type: ignore[typeddict-item]


class Rule(unittest.TestCase):
    def pointed(self, details: list[Detail], *cells: str) -> Pick:
        pick = Pick(details)
        for cell in cells:
            after = pick.point(cell)
            assert after is not None, cell
            pick = after
        return pick

    def test_the_first_cell_comes_first_and_the_others_in_any_order(self) -> None:
        details = [detail("a1/a2,b2", "a1", "a2", "b2"), detail("a1/a2,b1", "a1", "a2", "b1")]
        self.assertIsNone(Pick(details).point("b2"))
        self.assertEqual(self.pointed(details, "a1", "b2", "a2").action, "a1/a2,b2")
        self.assertIsNone(self.pointed(details, "a1", "a2").action)
        self.assertIsNone(self.pointed(details, "a1", "b2").point("b1"))

    def test_what_may_be_enough_is_offered_beside_what_goes_on(self) -> None:
        pick = self.pointed([detail("e2+f2", "e2", "f2"), detail("e2+f2,g2", "e2", "f2", "g2")], "e2", "f2")
        self.assertIsNone(pick.action)
        self.assertEqual([words(found) for found in pick.complete], ["e2+f2"])

    def test_labels_tell_apart_what_has_the_same_cells(self) -> None:
        details = [detail("L@f4", "f4", label="Light tower"), detail("D@f4", "f4", label="Dark tower")]
        pick = self.pointed(details, "f4")
        self.assertIsNone(pick.action)
        self.assertEqual([words(found) for found in pick.complete], ["Light tower", "Dark tower"])

    def test_an_edge_is_enough_with_the_first_cell(self) -> None:
        corner = [detail("e5", "e5", "c5", edge="east", label="From the east"), detail("se", "e5", edge="south")]
        self.assertEqual(len(self.pointed(corner, "e5").complete), 2)
        self.assertEqual(self.pointed(corner, "e5", "c5").action, "e5")
        self.assertEqual(self.pointed([corner[0]], "e5").action, "e5")

    def test_what_has_no_cells_is_offered_from_the_beginning(self) -> None:
        pick = Pick([detail("pass", label="Pass")])
        self.assertEqual([words(found) for found in pick.complete], ["Pass"])
        self.assertIsNone(pick.action)


if __name__ == "__main__":
    unittest.main()
