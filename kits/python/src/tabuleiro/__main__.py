"""`python -m tabuleiro`: hands over to the engine that the package finds."""

from __future__ import annotations

import subprocess
import sys

from tabuleiro import __version__
from tabuleiro.transport import engine_command

#: What each word is to the engine.
COMMANDS = {"play": "play", "match": "match", "check": "check-bot"}

USAGE = """\
usage: python -m tabuleiro play ...     play in the terminal
       python -m tabuleiro match ...    let computer players and bots play each other
       python -m tabuleiro check ...    try a bot against the protocol, step by step
       python -m tabuleiro --version

What follows is the engine's: python -m tabuleiro match --help
The engine is the command in TABULEIRO_ENGINE, or else tabuleiro-engine.
"""


def main(words: list[str]) -> int:
    """Does what the words on the command line say. Gives the exit code."""
    if words in (["--version"], ["-V"]):
        print(f"tabuleiro {__version__}")
        return 0
    if words in (["--help"], ["-h"]):
        print(USAGE, end="")
        return 0
    if not words or words[0] not in COMMANDS:
        print(USAGE, end="", file=sys.stderr)
        return 2
    command = [*engine_command(), COMMANDS[words[0]], *words[1:]]
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(f"{command[0]} cannot be started: {error.strerror}", file=sys.stderr)
        return 127
    while True:
        try:
            code = child.wait()
        except KeyboardInterrupt:
            # The engine hears it as well, and a match still has its report to print.
            continue
        # As a shell says that a signal ended it.
        return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
