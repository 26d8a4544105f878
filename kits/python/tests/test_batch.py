"""Many positions in one request."""

from __future__ import annotations

import unittest

from support import PATIENCE, EngineTest
from tabuleiro import EngineError
from tabuleiro.messages import Position

GAME: Position = {"played": ["@e5", "w5", "ne"], "every": True}
WRONG: Position = {"played": ["@a1"]}


class Batches(EngineTest):
    def test_whole(self) -> None:
        batch = self.engine.batch([GAME, WRONG], {"legal": True, "planes": True}, game="zurero", options={"size": 9})
        results = batch["results"]
        self.assertEqual((batch["total"], batch["done"], batch["errors"], len(results)), (5, 5, 1, 5))
        self.assertEqual([result.get("ply") for result in results], [0, 1, 2, 3, None])
        self.assertEqual((results[0]["legal"], results[0]["planes"]["shape"][1:]), (["@e5"], [9, 9]))
        self.assertEqual(results[4]["error"]["data"]["kind"], "illegal_action")

    def test_streamed(self) -> None:
        results = self.engine.stream_batch([GAME] * 50, {"playouts": 2}, game="zurero", options={"size": 9}, seed=1)
        self.assertEqual([result["ply"] for result in results], [0, 1, 2, 3] * 50)
        self.assertEqual(list(results), [])
        self.assertEqual((results.summary()["done"], "results" in results.summary()), (200, False))
        with self.assertRaises(EngineError):
            list(self.engine.stream_batch([GAME], {"playouts": 0}, game="zurero"))

    def test_what_is_left_is_cancelled(self) -> None:
        with self.engine.stream_batch([GAME] * 500, {"playouts": 5000}, game="zurero", options={"size": 9}) as results:
            self.assertEqual(next(results)["ply"], 0)
        self.assertLess(results.summary()["done"], 2000)
        pending = self.engine.begin_batch([GAME] * 500, {"playouts": 5000}, game="zurero", options={"size": 9})
        self.assertTrue(pending.cancel())
        self.assertLess(pending.result(PATIENCE)["done"], 2000)


class Numbers(EngineTest):
    def test_actions_have_codes_and_boards_planes(self) -> None:
        space = self.engine.space("zurero", {"size": 5})
        self.assertEqual((space["size"], space["one_step"]), (21, True))
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        found = self.engine.actions(table.name, codes=True)
        self.assertEqual(self.engine.codes("zurero", {"size": 5}, actions=found["actions"])["codes"], found["codes"])
        self.assertEqual(self.engine.codes("zurero", {"size": 5}, codes=[[20]])["actions"], ["@c3"])
        batch = self.engine.batch([{"codes": found["codes"]}], {"codes": True}, game="zurero", options={"size": 5})
        self.assertEqual((batch["results"][0]["ply"], len(batch["results"][0]["codes"])), (1, 4))
        planes = self.engine.planes(table.name, 2)
        self.assertEqual((planes["shape"], planes["seat"]), (space["planes"]["shape"], 2))


if __name__ == "__main__":
    unittest.main()
