"""Bots made from the base class, as processes."""

from __future__ import annotations

import json
import math
import time
import unittest
from typing import Any

from support import BotProcess, EngineTest, question
from tabuleiro import ChooseRequest, Question
from tabuleiro.messages import Limits

FIRST = """
from tabuleiro import Bot
class First(Bot):
    def choose(self, request):
        return request.legal[0]
First().run()
"""


class Answers(EngineTest):
    def test_hello_and_choose(self) -> None:
        bot = BotProcess.of(self, FIRST)
        hello = bot.ask(1, "hello", client="a test", protocol=1)
        self.assertEqual((hello["jsonrpc"], hello["id"]), ("2.0", 1))
        self.assertEqual((hello["result"]["engine"], hello["result"]["protocol"]), ("First", 1))
        asked = question(self.engine, "zurero", ["@j10"])
        self.assertEqual(bot.ask("two", "choose", **asked)["result"], {"actions": asked["legal"][:1]})
        self.assertEqual(bot.end(), (0, b""))

    def test_what_a_question_has(self) -> None:
        bot = BotProcess.of(
            self,
            """
from tabuleiro import Bot
class Curious(Bot):
    def choose(self, q):
        print(q.game, q.options["size"], q.played, q.to_move, q.start["rows"][0], q.limits["nodes"], q.seed, q.state["ply"])
        return [q.legal[0]]
Curious().run()
""",
        )
        asked = question(self.engine, "zurero", ["@c3"], options={"size": 5}, limits={"nodes": 7})
        self.assertEqual(bot.ask(1, "choose", **asked)["result"]["actions"], asked["legal"][:1])
        # What is printed does not get between the lines of the protocol.
        self.assertEqual(bot.end(), (0, b""))
        self.assertEqual(bot.stderr, [b"zurero 5 ['@c3'] 2 . . . . . 7 1 1\n"])

    def test_bad_lines_are_answered_and_the_next_one_is_read(self) -> None:
        bot = BotProcess.of(self, FIRST)
        for line, id, code in [
            (b"nonsense", None, -32700),
            (b"\xff\xfe", None, -32700),
            (b'{"id":1,"method":"hello","params":NaN}', None, -32700),
            (b"[" * 100_000, None, -32700),
            (b"[]", None, -32600),
            (b"7", None, -32600),
            (b'{"id":1.5,"method":"hello"}', None, -32600),
            (b'{"id":true,"method":"hello"}', None, -32600),
            (b'{"id":null,"method":"hello"}', None, -32600),
            (b'{"id":5}', 5, -32600),
            (b'{"id":5,"method":7}', 5, -32600),
            (b'{"id":5,"method":"' + b"x" * (1 << 20) + b'"}', None, -32600),
            (b'{"id":5,"method":"fly"}', 5, -32601),
            (b'{"id":5,"method":"choose"}', 5, -32602),
            (b'{"id":5,"method":"choose","params":[]}', 5, -32602),
            (b'{"id":5,"method":"choose","params":{"game":"zurero","played":[],"state":{},"legal":[1]}}', 5, -32602),
        ]:
            bot.send(b"\r\n \n" + line)
            answer = bot.receive()
            self.assertEqual((answer["id"], answer["error"]["code"]), (id, code), line[:100])
        self.assertIn("result", bot.ask(2**63, "hello"))

    def test_what_is_missing_is_named(self) -> None:
        bot = BotProcess.of(self, FIRST)
        asked = question(self.engine, "zurero")
        for name in ("game", "played", "state", "legal"):
            error = bot.ask(1, "choose", **{key: value for key, value in asked.items() if key != name})["error"]
            self.assertEqual((error["code"], error["data"]["field"]), (-32602, name))
        error = bot.ask(1, "choose", **{**asked, "legal": ["@j10", 2]})["error"]
        self.assertEqual(error["message"], "legal[1]: must be a string")

    def test_a_request_without_an_id_is_not_answered(self) -> None:
        bot = BotProcess.of(self, FIRST)
        bot.send(b'{"method":"hello"}')
        self.assertEqual(bot.ask(2, "hello")["id"], 2)

    def test_it_goes_on_after_an_exception(self) -> None:
        bot = BotProcess.of(
            self,
            """
from tabuleiro import Bot
class Wrong(Bot):
    def choose(self, request):
        if request.seed == 1:
            raise KeyError("no idea")
        return {2: 7, 3: [], 4: None}.get(request.seed, "@j10")
Wrong().run()
""",
        )
        asked: dict[str, Any] = question(self.engine, "zurero")
        for seed, why in [(1, "KeyError: 'no idea'"), (2, "not 7"), (3, "not \\[\\]"), (4, "not None")]:
            error = bot.ask(seed, "choose", **{**asked, "seed": seed})["error"]
            self.assertEqual(error["code"], -32603)
            self.assertRegex(error["message"], why)
        self.assertEqual(bot.ask(5, "choose", **{**asked, "seed": 5})["result"], {"actions": ["@j10"]})
        self.assertEqual(bot.end()[0], 0)
        self.assertIn(b"KeyError: 'no idea'\n", bot.stderr)

    def test_nothing_that_is_printed_gets_to_the_engine(self) -> None:
        bot = BotProcess.of(
            self,
            """
import os, sys, subprocess
from tabuleiro import Bot
class Loud(Bot):
    def choose(self, request):
        print("by print", flush=True)
        sys.stdout.write("by write\\n")
        sys.stdout.flush()
        os.write(1, b"by the system\\n")
        subprocess.run([sys.executable, "-c", "print('by a child')"])
        return request.legal[0]
Loud().run()
""",
        )
        self.assertEqual(bot.ask(1, "choose", **question(self.engine, "zurero"))["result"], {"actions": ["@j10"]})
        self.assertEqual(bot.end(), (0, b""))
        self.assertEqual(bot.stderr, [b"by print\n", b"by write\n", b"by the system\n", b"by a child\n"])

    def test_a_bot_without_choose_says_so(self) -> None:
        bot = BotProcess.of(self, "from tabuleiro import Bot; Bot().run()")
        error = bot.ask(1, "choose", **question(self.engine, "zurero"))["error"]
        self.assertIn('no method "choose"', error["message"])


class Names(unittest.TestCase):
    def test_bots_may_still_use_the_old_name(self) -> None:
        self.assertIs(Question, ChooseRequest)


class Time(unittest.TestCase):
    def left(self, limits: Limits) -> float:
        """What is left ten seconds after the request."""
        state: Any = {}
        asked = ChooseRequest("zurero", {}, [], state, [], None, limits, None, asked=time.monotonic() - 10)
        return asked.time_left() + 10

    def test_time_left(self) -> None:
        self.assertEqual(self.left({}), math.inf)
        self.assertEqual(self.left({"nodes": 5}), math.inf)
        self.assertTrue(60 < self.left({"time_ms": 120_000}) < 120)
        # A thirtieth of what is left and half of the increment, and never more than half of what is left.
        self.assertLess(self.left({"clock": {"left_ms": 600_000}}), 20)
        self.assertGreater(self.left({"clock": {"left_ms": 600_000, "increment_ms": 20_000}}), 21)
        self.assertLess(self.left({"clock": {"left_ms": 10_000, "increment_ms": 60_000}}), 5)
        self.assertLess(self.left({"clock": {"left_ms": 600_000}, "time_ms": 1500}), 1.5)


class Lines(unittest.TestCase):
    def test_a_line_may_have_a_mebibyte(self) -> None:
        bot = BotProcess.of(self, FIRST)
        line = json.dumps({"id": 1, "method": "hello", "more": ""}).encode()
        filled = line.replace(b'""', b'"' + b"x" * ((1 << 20) - len(line)) + b'"')
        self.assertEqual(len(filled), 1 << 20)
        for end in (b"", b"\r"):
            bot.send(filled + end)
            self.assertIn("result", bot.receive())


if __name__ == "__main__":
    unittest.main()
