"""The client for asyncio against a real engine process."""

from __future__ import annotations

import asyncio
import unittest

from support import PATIENCE, ListeningEngine
from tabuleiro import EngineError, EngineGone, TableClosed, ai
from tabuleiro.aio import AsyncEngine
from tabuleiro.messages import State


class Asyncio(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.engine = AsyncEngine.start()
        self.addAsyncCleanup(self.engine.end)

    async def test_a_game(self) -> None:
        table = await self.engine.new("zurero", {"size": 5}, seed=1)
        self.assertEqual((table.to_move, await table.actions()), (1, ["@c3"]))
        played = await table.play(["@c3", "w3"])
        self.assertEqual(played["state"]["ply"], 2)
        self.assertIn("edge", (await table.details())[0])
        self.assertEqual((await table.preview("nc"))["state"]["ply"], 3)
        self.assertEqual((await table.undo(), table.state["ply"])[1], 1)
        self.assertIn("●", await table.render())
        with self.assertRaises(EngineError):
            await table.play("@a1")
        await table.seat(1, ai("random"))
        await table.seat(2, ai("random"))
        self.assertEqual(await table.wait_for_end(PATIENCE), table.outcome)
        await table.close()
        with self.assertRaises(TableClosed):
            await table.wait(lambda state: False)

    async def test_many_at_once(self) -> None:
        tables = await asyncio.gather(*(self.engine.new("zurero", {"size": 5}, seed=seed) for seed in range(50)))
        await asyncio.gather(*(table.play("@c3", "w3") for table in tables))
        self.assertEqual([table.state["ply"] for table in tables], [2] * 50)

    async def test_what_is_said_unasked(self) -> None:
        notices = self.engine.notices("changed")
        table = await self.engine.new("zurero", {"size": 5}, seed=1, seats={2: ai("random")})
        await table.play("@c3")
        self.assertEqual((await notices.__anext__())["params"]["by"], 2)
        self.assertEqual((await table.wait_for_turn(PATIENCE))["ply"], 2)
        notices.close()
        self.assertEqual([notice async for notice in notices], [])
        rest = self.engine.notices()
        await self.engine.end()
        self.assertEqual([notice["method"] async for notice in rest], [])
        with self.assertRaises(EngineGone):
            await self.engine.tables()

    async def test_a_task_that_is_cancelled_ends_its_count(self) -> None:
        count = asyncio.ensure_future(asyncio.wait_for(self.engine.perft("zurero", 60), None))
        await asyncio.sleep(0)
        count.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await count
        # What is asked behind a count waits for it.
        self.assertEqual(await self.engine.tables(), [])

    async def test_waiting_ends_with_the_time_and_the_engine(self) -> None:
        table = await self.engine.new("zurero")
        with self.assertRaises(TimeoutError):
            await table.wait_for_end(0.01)

        def never(_: State) -> bool:
            return False

        waiting = asyncio.ensure_future(table.wait(never, PATIENCE))
        await asyncio.sleep(0)
        await self.engine.end()
        with self.assertRaises(EngineGone):
            await waiting

    async def test_at_a_socket(self) -> None:
        listening = ListeningEngine(self)
        async with AsyncEngine.connect(listening.name) as host, AsyncEngine.connect(listening.name) as guest:
            table = await host.new("zurero", {"size": 5})
            seen = await guest.attach(table.name)
            await table.play("@c3")
            self.assertEqual((await seen.wait(lambda state: state["ply"] == 1, PATIENCE))["rows"], table.rows)


if __name__ == "__main__":
    unittest.main()
