"""What a table shows of itself."""

from __future__ import annotations

import asyncio
import unittest
import xml.etree.ElementTree
from typing import cast

import tabuleiro
from support import PATIENCE, EngineTest
from tabuleiro import board
from tabuleiro.aio import AsyncEngine
from tabuleiro.messages import State


class Tables(EngineTest):
    def test_print_shows_the_board(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        table.play(["@c3", "w3"])
        self.assertEqual(str(table), table.render())
        self.assertIn("○", str(table))
        self.assertEqual(repr(table), "<Table t1: zurero, 2 played>")
        table.close()
        self.assertIn("3 . . w b .", str(table))

    def test_a_table_of_asyncio_shows_what_it_knows(self) -> None:
        async def show() -> str:
            async with AsyncEngine.start() as engine:
                return str(await engine.new("zurero", {"size": 5}))

        self.assertIn("a b c d e\n 1 . . . . .", asyncio.run(show()))

    def test_a_notebook_draws_every_game(self) -> None:
        for game in self.engine.hello()["games"]:
            table = self.engine.new(game["id"], seed=1)
            drawn = xml.etree.ElementTree.fromstring(table._repr_html_())
            pieces = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
            self.assertEqual(pieces, [token for row in table.rows for token in row.split() if token != "."])
            self.assertIn(table.state["prompt"], list(drawn.itertext()))

    def test_what_is_drawn_is_escaped(self) -> None:
        table = self.engine.new("zurero", {"size": 5})
        strange = cast(State, {**table.state, "rows": ["<b> &"], "prompt": "<script>", "game": "<i>", "table": "<u>"})
        drawn = xml.etree.ElementTree.fromstring(board.html(strange))
        self.assertEqual([title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")], ["<b>", "&"])
        self.assertNotIn("<script>", board.html(strange))

    def test_a_game_is_a_tree(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        with self.engine.notices("tree_changed") as notices:
            self.assertEqual(table.tree(follow=True)["nodes"], [{"node": 0, "ply": 0}])
            table.play("@c3", "w3")
            told = next(iter(notices))["params"]
            self.assertEqual([node["node"] for node in told["nodes"]], [0, 1, 2])
        table.goto(1)
        table.play("nc")
        table.annotate(comment="better", mark="!")
        table.promote(3)
        nodes = {node["node"]: node for node in table.tree()["nodes"]}
        self.assertEqual((nodes[1]["children"], nodes[3]["comment"], nodes[3]["mark"]), ([3, 2], "better", "!"))
        self.assertEqual(table.delete(3)["node"], 1)
        self.assertEqual(table.restore()["node"], 1)
        self.assertEqual(table.annotate(1, actions=["sc"], comment="or this")["node"], 1)
        self.assertEqual(table.tree()["nodes"][-1]["comment"], "or this")
        again = self.engine.load(table.record())
        self.assertEqual(again.tree()["nodes"], table.tree()["nodes"])
        self.assertEqual(self.engine.load(table.record(plain=True)).tree()["nodes"][-1]["action"], "w3")

    def test_a_game_is_reviewed_and_written_as_a_line(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        table.play("@c3", "w3", "nc")
        review = table.review({"nodes": 300})
        self.assertEqual([turn["actions"] for turn in review["turns"]], [["@c3"], ["w3"], ["nc"]])
        self.assertEqual(review["turns"][0]["verdict"], "only")
        self.assertEqual(table.begin_review({"nodes": 300}).result(PATIENCE)["turns"], review["turns"])
        self.assertEqual(table.text(), "zurero size=5 : @c3 w3 nc")
        self.assertEqual(self.engine.load(table.text()).rows, table.rows)
        self.assertEqual(self.engine.load(table.text(position=True)).rows, table.rows)
        table.undo(actions=1)
        table.play("sc")
        self.assertEqual(table.text(variations=True), "zurero size=5 : @c3 w3 sc ( nc )")
        self.assertEqual(self.engine.load(table.text(variations=True)).rows, table.rows)
        start = self.engine.check("zurero", {"rows": ["q"], "to_move": 1}, {"size": 5})
        assert start["problem"] is not None
        self.assertTrue(start["problem"]["reason"])

    def test_play_takes_lists_too(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        self.assertEqual(table.preview(["@c3", "w3"])["state"]["ply"], 2)
        self.assertEqual(table.play(["@c3"], "w3", ("nc",))["state"]["ply"], 3)


class Package(unittest.TestCase):
    def test_it_has_its_version(self) -> None:
        self.assertRegex(tabuleiro.__version__, r"^\d+\.\d+\.\d+")
        with self.assertRaises(AttributeError):
            tabuleiro.nothing


if __name__ == "__main__":
    unittest.main()
