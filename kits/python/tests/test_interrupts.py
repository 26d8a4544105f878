"""Ctrl-C, as a terminal or a notebook sends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import unittest

from support import PATIENCE

#: Says when it is about to wait. Whatever follows the interrupted call works as if it had never been.
PROGRAM = """
import signal, sys, threading
from tabuleiro import Engine

depths = []

def report(notice):
    # A depth that takes long is reported more than once.
    depths.append(notice["params"]["depth"])
    if depths.count(2) == 1 and depths[-1] == 2:
        print("waits", flush=True)

# Whoever started the tests may not have wanted to be interrupted.
signal.signal(signal.SIGINT, signal.default_int_handler)
with Engine.start() as engine:
    table = engine.new("zurero", {"size": 9}, seed=1)
    table.play("@e5")
    engine.listen(report, "info")
    try:
        if sys.argv[1] == "search":
            table.search({"time_ms": 3_600_000}, level="master")
        elif sys.argv[1] == "perft":
            # What is asked behind a count waits for it.
            threading.Timer(0.2, print, ["waits"], {"flush": True}).start()
            engine.perft("zurero", 60)
        else:
            print("waits", flush=True)
            table.wait_for_end()
    except KeyboardInterrupt:
        print("interrupted", table.state["ply"], table.play("w5")["state"]["ply"], flush=True)
        # Nothing goes on that nobody waits for.
        while engine._conversation._pending:
            engine.tables()
    else:
        print("not interrupted")
"""


class CtrlC(unittest.TestCase):
    def test_the_call_is_cancelled_and_the_table_lives(self) -> None:
        for call in ("search", "perft", "wait"):
            with self.subTest(call):
                # In a group of its own, which is sent the signal as a whole.
                program = subprocess.Popen(
                    [sys.executable, "-c", PROGRAM, call], stdout=subprocess.PIPE, text=True, start_new_session=True
                )
                assert program.stdout is not None
                self.addCleanup(program.stdout.close)
                self.addCleanup(program.wait)
                self.addCleanup(program.kill)
                self.assertEqual(program.stdout.readline(), "waits\n")
                os.killpg(program.pid, signal.SIGINT)
                said, _ = program.communicate(timeout=PATIENCE)
                self.assertEqual((said, program.returncode), ("interrupted 1 2\n", 0))


if __name__ == "__main__":
    unittest.main()
