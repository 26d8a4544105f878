"""Clients that meet at a listening engine."""

from __future__ import annotations

import os
import sys
import subprocess
import tempfile
import unittest

from support import EXAMPLES, PATIENCE, ListeningEngine
from tabuleiro import EngineError, EngineGone, TableClosed, client


class Sockets(unittest.TestCase):
    def test_two_clients_play_each_other(self) -> None:
        listening = ListeningEngine(self)
        host, guest = listening.visitor(self), listening.visitor(self)
        table = host.new("zurero", {"size": 5}, seed=1, seats={1: client(), 2: client(open=True)})
        self.assertEqual([one["table"] for one in guest.tables()], [table.name])
        seen = guest.claim(table.name, 2)
        table.play("@c3")
        seen.wait(lambda state: state["ply"] == 1, PATIENCE)
        with self.assertRaises(EngineError):
            table.play("w3")
        seen.play("w3")
        table.wait(lambda state: state["ply"] == 2, PATIENCE)
        self.assertEqual(table.rows, seen.rows)
        seen.release(2)
        watched = guest.attach(table.name)
        self.assertIs(watched, seen)
        table.close()
        with self.assertRaises(TableClosed):
            watched.wait_for_end(PATIENCE)

    def test_one_who_watches_no_longer(self) -> None:
        listening = ListeningEngine(self)
        host, guest = listening.visitor(self), listening.visitor(self)
        table = host.new("zurero", {"size": 5}, seed=1)
        watched = guest.attach(table.name)
        self.assertEqual(watched.detach()["ply"], 0)
        with self.assertRaises(TableClosed):
            watched.wait_for_end(PATIENCE)

    def test_a_socket_may_be_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            listening = ListeningEngine(self, os.path.join(folder, "engine"))
            self.assertEqual(listening.visitor(self).tables(), [])

    def test_the_end_of_the_engine_is_heard(self) -> None:
        listening = ListeningEngine(self)
        visitor = listening.visitor(self)
        table = visitor.new("zurero")
        listening.end()
        with self.assertRaises(EngineGone):
            table.wait_for_end(PATIENCE)
        with self.assertRaises(EngineGone):
            visitor.tables()

    def test_watch(self) -> None:
        listening = ListeningEngine(self)
        host = listening.visitor(self)
        watch = [sys.executable, str(EXAMPLES / "watch.py"), listening.name]
        nobody = subprocess.run(watch, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((nobody.returncode, nobody.stderr), (1, f"There is no table at {listening.name} yet.\n"))
        table = host.new("zurero", {"size": 5}, seed=1)
        watching = subprocess.Popen(watch, stdout=subprocess.PIPE, text=True)
        assert watching.stdout is not None
        self.addCleanup(watching.stdout.close)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)
        self.assertEqual(watching.stdout.readline(), "   a b c d e\n")
        table.play("@c3")
        table.resign(1)
        shown = watching.stdout.read()
        self.assertIn("Seat 1: @c3\n. . . . .\n. . . . .\n. . b . .\n", shown)
        self.assertIn("White wins: black resigned.\n", shown)
        self.assertEqual(watching.wait(PATIENCE), 0)


if __name__ == "__main__":
    unittest.main()
