"""The client against a real engine process."""

from __future__ import annotations

import inspect
import sys
import threading
import unittest

from support import PATIENCE, EngineTest
from tabuleiro import Engine, EngineError, EngineGone, TableClosed, ai, client
from tabuleiro.messages import Notice


class Methods(EngineTest):
    def test_every_method_of_the_engine_is_a_method_here(self) -> None:
        with self.assertRaises(EngineError) as refused:
            self.engine.call("fly")
        # "there is no method "fly"; there is hello, new, …"
        known = refused.exception.message.split("there is ")[-1].split(", ")
        self.assertIn("hello", known)
        own = {name for name, _ in inspect.getmembers(Engine, inspect.isfunction)}
        self.assertEqual(set(known) - own, set())

    def test_hello(self) -> None:
        hello = self.engine.hello("a test")
        self.assertEqual(hello["protocol"], 1)
        self.assertIn("zurero", [game["id"] for game in hello["games"]])
        self.assertIn("club", [level["id"] for level in hello["levels"]])
        self.engine.hello(strict=True)
        with self.assertRaises(EngineError):
            self.engine.call("tables", chairs=4)
        self.assertEqual(self.engine.tables(), [])

    def test_status(self) -> None:
        self.engine.new("zurero")
        status = self.engine.status()
        self.assertEqual((status["load"]["tables"], status["load"]["waiting"]), (1, 0))
        self.assertGreater(status["limits"]["search_bytes"], status["memory"]["searches"])

    def test_a_game_from_beginning_to_end(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        self.assertEqual((table.name, table.to_move, table.rows[0]), ("t1", 1, ". . . . ."))
        self.assertEqual(table.actions(), ["@c3"])
        played = table.play("@c3", "w3", ply=0)
        self.assertEqual([event["kind"] for event in played["events"]][:2], ["placed", "turn"])
        self.assertEqual((table.state["ply"], table.rows[2]), (2, ". . w b ."))
        self.assertEqual(table.preview("nc")["state"]["ply"], 3)
        self.assertEqual(table.state["ply"], 2)
        self.assertIn("edge", table.details()[0])
        self.assertEqual(table.undo()["undone"], 1)
        self.assertEqual(table.redo()["ply"], 2)
        self.assertEqual(table.undo(actions=2)["ply"], 0)
        self.assertEqual(table.redo(2)["ply"], 2)
        self.assertEqual([turn["ply"] for turn in table.history()["turns"]], [1, 2])
        self.assertEqual(self.engine.state(table.name, ply=1)["ply"], 1)
        self.assertIn("○", table.render())
        self.assertTrue(table.render(ascii=True).isascii())
        self.assertTrue(table.render(turned=True).lstrip().startswith("e d c b a"))
        self.assertIn("c3", table.render(words=True))
        self.assertEqual(table.overlays(), [])
        self.assertIn("column b is empty", table.explain(["b1"], "north") or "")
        self.assertIsNone(table.explain(["c1"], "north"))
        self.assertTrue(table.hold()["held"])
        self.assertFalse(table.resume()["held"])
        self.assertFalse(table.hurry())
        outcome = table.resign(1)["outcome"]
        self.assertEqual(outcome and (outcome["winner"], outcome["reason"]), (2, "resign"))
        self.assertEqual(table.outcome, outcome)
        copy = self.engine.load(table.record())
        self.assertEqual((copy.name, copy.state["ply"], copy.outcome), ("t2", 2, outcome))
        self.assertEqual([one["table"] for one in self.engine.tables()], ["t1", "t2"])
        copy.close()
        self.assertEqual([one["table"] for one in self.engine.tables()], ["t1"])
        self.assertRaises(EngineError, copy.actions)

    def test_rules_and_counts(self) -> None:
        self.assertTrue(self.engine.rules("zurero").startswith("# Zurero"))
        counted = self.engine.perft("zurero", 3, options={"size": 9}, played=["@e5"], split=True)
        self.assertEqual(counted, {"nodes": 192, "split": {"e5": 48, "ne": 48, "se": 48, "w5": 48}})

    def test_searches(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        choice = table.search({"nodes": 100}, level="club", seed=1, lines=2)
        self.assertEqual(choice["actions"], ["@c3"])
        told = self.engine.choose("zurero", ["@c3"], {"nodes": 100}, options={"size": 5}, level="greedy", seed=1)
        self.assertEqual(len(told["actions"]), 1)

    def test_an_analysis_goes_on_until_it_is_cancelled_and_tells_its_lines(self) -> None:
        table = self.engine.new("zurero", {"size": 9}, seed=1)
        table.play("@e5")
        infos = self.engine.notices("info")
        search = table.begin_search(lines=2, endless=True, keep=True, node=1)
        lines = next(infos)["params"]["lines"]
        self.assertEqual([line["turns"][0] for line in lines], [1, 1])
        self.assertTrue(search.cancel())
        self.assertEqual(search.result(PATIENCE)["stopped"], "cancelled")
        threat = table.search({"nodes": 500}, threat=True, seed=1)
        self.assertEqual(len(threat["actions"]), 1)

    def test_a_search_can_be_cancelled(self) -> None:
        table = self.engine.new("syrtis", seed=1)
        infos = self.engine.notices("info")
        search = table.begin_search({"time_ms": 3_600_000}, level="master")
        # It has begun.
        self.assertEqual(next(infos)["params"]["request"], search.id)
        self.assertFalse(search.done())
        with self.assertRaises(TimeoutError):
            search.result(timeout=0.01)
        # The engine answers others meanwhile.
        self.assertEqual(len(self.engine.tables()), 1)
        self.assertTrue(search.cancel())
        self.assertEqual(search.result(PATIENCE)["stopped"], "cancelled")
        self.assertFalse(search.cancel())

    def test_counts_and_choices_can_be_cancelled(self) -> None:
        count = self.engine.begin_perft("zurero", 40)
        self.assertTrue(count.cancel())
        with self.assertRaises(EngineError) as refused:
            count.result(PATIENCE)
        self.assertEqual(refused.exception.kind, "limit")
        choice = self.engine.begin_choose("syrtis", limits={"time_ms": 3_600_000}, level="uct", seed=1)
        self.assertTrue(choice.cancel())
        self.assertEqual(choice.result(PATIENCE)["stopped"], "cancelled")


class Tables(EngineTest):
    def test_the_state_follows_the_engines_players(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1, seats={1: client(), 2: ai("greedy", {"nodes": 10})})
        table.play("@c3")
        self.assertEqual(table.wait_for_turn(PATIENCE)["ply"], 2)
        table.seat(1, ai("random"))
        outcome = table.wait_for_end(PATIENCE)
        self.assertEqual(outcome, table.outcome)

    def test_a_game_that_plays_by_itself_from_the_start_is_seen_to_its_end(self) -> None:
        for seed in range(20):
            table = self.engine.new("syrtis", {"layout": "minor"}, seed=seed, seats={1: ai("random"), 2: ai("random")})
            table.wait_for_end(PATIENCE)
            self.assertEqual(table.state, self.engine.state(table.name))
            table.close()

    def test_waiting_ends_with_the_time_the_table_and_the_engine(self) -> None:
        table = self.engine.new("zurero")
        with self.assertRaises(TimeoutError):
            table.wait_for_end(0.01)
        failed: list[Exception] = []

        def wait() -> None:
            try:
                table.wait_for_end(PATIENCE)
            except Exception as error:
                failed.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        table.close()
        waiting.join(PATIENCE)
        self.assertIsInstance(failed[0], TableClosed)
        other = self.engine.new("zurero")
        self.engine.end()
        with self.assertRaises(EngineGone):
            other.wait_for_end(PATIENCE)


class Notifications(EngineTest):
    def test_they_can_be_gone_through_and_called_back(self) -> None:
        called: list[Notice] = []
        stop = self.engine.listen(called.append)
        notices = self.engine.notices("changed")
        table = self.engine.new("zurero", {"size": 5}, seed=1, seats={2: ai("random")})
        table.play("@c3")
        changed = next(notices)
        self.assertEqual((changed["method"], changed["params"]["by"]), ("changed", 2))
        self.assertEqual(table.state, changed["params"]["state"])
        self.assertEqual([notice["method"] for notice in called if notice["method"] == "changed"], ["changed"])
        self.assertEqual(called[0]["method"], "thinking")
        heard = len(called)
        stop()
        table.undo()
        table.resume()
        next(notices)
        self.assertEqual(len(called), heard)
        self.assertIsNone(notices.next_within(0.01))
        notices.close()
        self.assertEqual(list(notices), [])

    def test_they_end_with_the_engine(self) -> None:
        before = self.engine.notices()
        self.engine.end()
        self.assertEqual(list(before), [])
        self.assertEqual(list(self.engine.notices()), [])

    def test_a_callback_cannot_wait_for_what_it_keeps_from_being_heard(self) -> None:
        failed: list[Exception] = []

        def callback(_: Notice) -> None:
            try:
                self.engine.tables()
            except Exception as error:
                failed.append(error)

        self.engine.listen(callback, "changed")
        changes = self.engine.notices("changed")
        self.engine.new("zurero", seats={1: ai("random")})
        next(changes)
        self.assertIn("callback", str(failed[0]))


class Failures(EngineTest):
    def test_what_the_engine_refuses_is_raised(self) -> None:
        table = self.engine.new("zurero", {"size": 5})
        with self.assertRaises(EngineError) as refused:
            table.play("@a1")
        error = refused.exception
        self.assertEqual((error.code, error.kind, error.data["action"]), (2, "illegal_action", "@a1"))
        self.assertIn("centre", str(error))

    def test_a_line_that_is_too_long_is_not_sent(self) -> None:
        with self.assertRaisesRegex(ValueError, "1048576 is the most"):
            self.engine.call("rules", game="z" * (1 << 20))
        self.assertEqual(self.engine.tables(), [])

    def test_an_engine_that_is_not_there(self) -> None:
        with self.assertRaisesRegex(EngineGone, "no-such-engine cannot be started"):
            Engine.start(["no-such-engine"])
        with self.assertRaisesRegex(EngineGone, "no engine listens at 'nobody-is-here'"):
            Engine.connect("nobody-is-here")
        with self.assertRaisesRegex(EngineGone, "no engine listens at './nobody'"):
            Engine.connect("./nobody")

    def test_nothing_can_be_asked_after_the_end(self) -> None:
        self.engine.end()
        self.engine.end()
        with self.assertRaisesRegex(EngineGone, "was closed"):
            self.engine.tables()

    def test_an_engine_that_ends_or_talks_nonsense_leaves_nobody_waiting(self) -> None:
        for code, why in [
            ("input()", "has ended the conversation"),
            ("input(); print('nonsense'); sys.stdin.read()", "not JSON"),
            ("input(); print('[1]'); sys.stdin.read()", "no message of the protocol"),
            ("print(input()); sys.stdin.read()", "no message of the protocol"),
            ("""input(); print('{"id":1,"error":"no"}'); sys.stdin.read()""", "no message of the protocol"),
            ("""input(); print('{"id":[1],"result":1}'); sys.stdin.read()""", "no message of the protocol"),
            ("""input(); print('{"method":"changed","params":{}}'); sys.stdin.read()""", "no message of the protocol"),
            ("""input(); print('{"id":1,"result":{}}'); sys.stdin.read()""", "no message of the protocol"),
        ]:
            with self.subTest(code), Engine.start([sys.executable, "-u", "-c", f"import sys; {code}"]) as strange:
                pending = strange._requests.tables()
                with self.assertRaisesRegex(EngineGone, why):
                    pending.result(PATIENCE)

    def test_many_threads_may_ask_at_once(self) -> None:
        counted: list[int] = []

        def ask() -> None:
            for _ in range(50):
                table = self.engine.new("zurero", {"size": 5}, seed=1)
                table.play("@c3", "w3")
                counted.append(table.state["ply"])
                table.close()

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        self.assertEqual(counted, [2] * 400)


if __name__ == "__main__":
    unittest.main()
