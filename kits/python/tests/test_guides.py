"""The guides say what is so: every block of code in them is run, or stands in a file that is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path
from typing import Any, Iterator, NamedTuple

from support import EXAMPLES, PATIENCE, BotProcess, engine_command

ROOT = Path(__file__).parent.parent.parent.parent
GUIDES = [ROOT / "docs/write-a-bot.md", ROOT / "docs/write-a-gui.md", ROOT / "kits/python/README.md"]


class Block(NamedTuple):
    guide: Path
    language: str
    #: `run`, a file that it was taken from, or nothing.
    source: str
    text: str

    def place(self) -> str:
        return f"{self.guide.name}: {self.text.splitlines()[0]}"


def blocks(guide: Path) -> Iterator[Block]:
    for fenced in re.finditer(r"^```(\w*) ?(\S*)\n(.*?)^```$", guide.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        yield Block(guide, *fenced.groups())


def as_started(folder: Path) -> dict[str, str]:
    """The environment of somebody who has installed the engine and the package, and has written `my_bot.py`."""
    shutil.copy(EXAMPLES / "random_bot.py", folder / "my_bot.py")
    programs = folder / "bin"
    programs.mkdir()
    engine = shutil.which(engine_command()[0])
    assert engine is not None
    (programs / "tabuleiro-engine").symlink_to(Path(engine).absolute())
    # Not a link: a Python in a virtual environment has to be found where it is.
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python3").chmod(0o755)
    return {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


class Guides(unittest.TestCase):
    def test_every_block_is_run_or_stands_in_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            environment = as_started(folder)
            for block in [block for guide in GUIDES for block in blocks(guide)]:
                with self.subTest(block.place()):
                    if (block.language, block.source) == ("python", "run"):
                        self.run_it([sys.executable, "-c", block.text], folder, environment)
                    elif (block.language, block.source) == ("sh", ""):
                        self.run_it(["sh", "-e", "-c", block.text], folder, environment)
                    else:
                        self.assertNotEqual(block.source, "", "a block is run, or names the file it is from")
                        self.assert_stands_in(block.text, ROOT / block.source)

    def run_it(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        ran = subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=5 * PATIENCE
        )
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def assert_stands_in(self, text: str, file: Path) -> None:
        lines = textwrap.dedent(text).splitlines()
        whole = file.read_text("utf-8").splitlines()
        for first in range(len(whole) - len(lines) + 1):
            part = textwrap.dedent("\n".join(whole[first : first + len(lines)])).splitlines()
            if part == lines:
                return
        self.fail(f"{file} does not have these lines:\n{text}")

    def test_the_talk_of_bots_is_what_a_bot_says(self) -> None:
        guide = GUIDES[0].read_text("utf-8")
        talk = re.findall(r"^    > (.*)\n    < (.*)$", guide, re.MULTILINE)
        self.assertEqual(len(talk), 2)
        bot = BotProcess(self, "sh", str(ROOT / "kits/shell/random_bot.sh"))
        for asked, answered in talk:
            bot.send(whole(asked).encode())
            heard: Any = bot.receive()
            written = json.loads(answered)
            self.assertEqual((heard["jsonrpc"], heard["id"], set(heard["result"])), ("2.0", written["id"], set(written["result"])))


def whole(shortened: str) -> str:
    """A message without its gaps."""
    return shortened.replace(",…,", ",").replace("{…}", "{}")


if __name__ == "__main__":
    unittest.main()
