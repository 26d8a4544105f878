"""Bots of this package at the engine's tables, in its matches and in its check."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import EXAMPLES, PATIENCE, engine_command
from tabuleiro import BotFailed, Engine, ai, bot

GAMES = ["zurero", "fabrik", "absorption", "syrtis"]


def command(example: str) -> str:
    return shlex.join([sys.executable, str(EXAMPLES / example)])


class AtTables(unittest.TestCase):
    def engine(self, *bots: str) -> Engine:
        named = [word for one in bots for word in ("--bot", one)]
        engine = Engine.start([*engine_command(), *named])
        self.addCleanup(engine.end)
        return engine

    def test_a_bot_plays_at_a_table(self) -> None:
        engine = self.engine(f"mine={command('random_bot.py')}")
        self.assertEqual(engine.hello()["bots"], ["mine"])
        table = engine.new("fabrik", {"size": 5}, seats={1: bot("mine"), 2: ai("random")})
        table.wait_for_end(PATIENCE)
        self.assertGreater(table.state["ply"], 5)

    def test_a_bot_that_fails_keeps_nobody_waiting(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            broken = Path(folder) / "broken.py"
            broken.write_text(
                "from tabuleiro import Bot\n"
                "class Broken(Bot):\n"
                "    def choose(self, request):\n"
                "        print('I do not know', request.game)\n"
                "        return 'nonsense' if request.game == 'zurero' else request.idea\n"
                "Broken().run()\n"
            )
            engine = self.engine(f"broken={shlex.join([sys.executable, str(broken)])}")
            for game, why in [("zurero", "illegal"), ("fabrik", "garbage")]:
                table = engine.new(game, {"size": 5}, seats={1: bot("broken"), 2: ai("random")})
                with self.assertRaises(BotFailed) as failed:
                    table.wait_for_end(PATIENCE)
                self.assertEqual((failed.exception.name, failed.exception.why), ("broken", why))
                # Somebody else takes the seat.
                table.seat(1, ai("random"))
                table.wait_for_end(PATIENCE)
            log = "\n".join(engine.bot_log("broken"))
            self.assertIn("I do not know zurero", log)
            self.assertIn("AttributeError", log)


class InTheCheck(unittest.TestCase):
    def check(self, example: str, *games: str) -> None:
        named = [word for game in games for word in ("--game", game)]
        words = [*engine_command(), "check-bot", command(example), *named]
        for _ in range(3):
            ran = subprocess.run(words, capture_output=True, text=True, timeout=5 * PATIENCE)
            # A machine with much to do may be to blame.
            if "came      timeout" not in ran.stdout:
                break
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("0 of what it should do", ran.stdout)

    def test_the_random_bot(self) -> None:
        self.check("random_bot.py")

    def test_the_monte_carlo_bot(self) -> None:
        # The other games take longer, and would say no more.
        self.check("monte_carlo_bot.py", "zurero")


class InMatches(unittest.TestCase):
    def test_the_monte_carlo_bot_never_fails(self) -> None:
        for game in GAMES:
            ran = subprocess.run(
                [*engine_command(), "match", "--game", game, "--a", "bot:mine@nodes=3", "--b", "random"]
                + ["--games", "2", "--seed", "1", "--json", "--bot", f"mine={command('monte_carlo_bot.py')}"],
                capture_output=True,
                text=True,
                timeout=5 * PATIENCE,
            )
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            report = json.loads(ran.stdout.splitlines()[-1])
            self.assertEqual((report["games"], report["failures"]["a"]), (2, {}))


if __name__ == "__main__":
    unittest.main()
