"""What the tests share: the real engine, and bots as processes."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any

from tabuleiro import Engine

#: Longer than anything takes, in seconds; a test that gets here has failed.
PATIENCE = 60.0
EXAMPLES = Path(__file__).parent.parent / "examples"


def engine_command() -> list[str]:
    """The engine that the tests talk to, and the examples too: `TABULEIRO_ENGINE`, or the one on the path."""
    return shlex.split(os.environ.get("TABULEIRO_ENGINE", "tabuleiro-engine"))


class EngineTest(unittest.TestCase):
    """A test with an engine of its own."""

    def setUp(self) -> None:
        self.engine = Engine.start()
        self.addCleanup(self.engine.end)


_numbers = itertools.count()


class ListeningEngine:
    """An engine at a local socket."""

    def __init__(self, test: unittest.TestCase, name: str | None = None, *arguments: str) -> None:
        self.name = name or f"tabuleiro-kit-{os.getpid()}-{next(_numbers)}"
        self.process = subprocess.Popen(
            [*engine_command(), "--socket", self.name, *arguments], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        test.addCleanup(self.end)
        assert self.process.stderr is not None
        test.assertEqual(self.process.stderr.readline(), f"ready: listening at {self.name}\n")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()

    def visitor(self, test: unittest.TestCase) -> Engine:
        engine = Engine.connect(self.name)
        test.addCleanup(engine.end)
        return engine


class BotProcess:
    """A bot, spoken to by lines."""

    def __init__(self, test: unittest.TestCase, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        test.addCleanup(self._clean_up)
        self.stderr: list[bytes] = []
        self._reading = threading.Thread(target=self._read_stderr, daemon=True)
        self._reading.start()

    @classmethod
    def of(cls, test: unittest.TestCase, code: str) -> BotProcess:
        """A bot of these lines of Python."""
        return cls(test, sys.executable, "-c", code)

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        self.stderr.extend(self.process.stderr)

    def send(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, id: Any, method: str, **params: Any) -> Any:
        self.send(json.dumps({"id": id, "method": method, "params": params}).encode())
        return self.receive()

    def end(self) -> tuple[int, bytes]:
        """Ends its input. Gives its exit code and what else it said."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        rest = self.process.stdout.read()
        code = self.process.wait(PATIENCE)
        self._reading.join(PATIENCE)
        return code, rest

    def _clean_up(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reading.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass


def question(engine: Engine, game: str, played: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """What an engine asks a bot about a game."""
    table = engine.new(game, more.pop("options", None), seed=1)
    if played:
        table.play(*played)
    asked = {
        "game": game,
        "options": table.state["options"],
        "start": table.record()["start"],
        "played": played or [],
        "state": table.state,
        "legal": table.actions(),
        "seed": 1,
        **more,
    }
    table.close()
    return asked
