"""`python -m tabuleiro`, as it is typed."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

from support import EXAMPLES, PATIENCE


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tabuleiro", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, **environment},
    )


class Command(unittest.TestCase):
    def test_it_hands_over_to_the_engine(self) -> None:
        played = run("match", "--game", "zurero", "--options", '{"size":5}', "--a", "random", "--b", "random", "--games", "2")
        self.assertEqual((played.returncode, "random" in played.stdout), (0, True), played.stderr)
        checked = run("check", f'"{sys.executable}" "{EXAMPLES / "random_bot.py"}"')
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        self.assertIn("Usage:", run("play", "--help").stdout)
        # What the engine says of its end is said on.
        self.assertEqual(run("match", "--game", "chess").returncode, 2)

    def test_what_else_there_is_to_say(self) -> None:
        self.assertRegex(run("--version").stdout, r"^tabuleiro \d")
        self.assertEqual(run("--help").stdout, run().stderr)
        self.assertEqual((run().returncode, run("fly").returncode), (2, 2))
        missing = run("play", TABULEIRO_ENGINE="no-such-engine")
        self.assertEqual((missing.returncode, missing.stderr), (127, "no-such-engine cannot be started: No such file or directory\n"))


if __name__ == "__main__":
    unittest.main()
