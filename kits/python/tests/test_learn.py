"""The example that learns, for a short while."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import EXAMPLES, PATIENCE, engine_command

try:
    import numpy
except ModuleNotFoundError as missing:
    raise unittest.SkipTest(f"the extra learn is not installed: {missing.name}")

assert numpy
LEARN = [sys.executable, str(EXAMPLES / "learn.py")]


class Learning(unittest.TestCase):
    def test_it_learns_and_beats_chance(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            net = str(Path(folder) / "net.npz")
            trained = subprocess.run(
                [*LEARN, "train", net, "--games", "500"], capture_output=True, text=True, timeout=5 * PATIENCE
            )
            self.assertEqual(trained.returncode, 0, trained.stderr)
            losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", trained.stdout)]
            self.assertLess(losses[-1], losses[0] - 0.02, trained.stdout)
            match = ["match", "--game", "zurero", "--options", '{"size":9}', "--games", "20", "--seed", "1", "--json"]
            players = ["--bot", f"net={shlex.join([*LEARN, 'bot', net])}", "--a", "bot:net", "--b", "random"]
            played = subprocess.run(
                [*engine_command(), *match, *players], capture_output=True, text=True, timeout=5 * PATIENCE
            )
            self.assertEqual(played.returncode, 0, played.stderr)
            report = json.loads(played.stdout.splitlines()[-1])
            self.assertGreaterEqual(report["score"], 0.95, played.stderr)


if __name__ == "__main__":
    unittest.main()
