"""The ways to an engine: a process of one's own, or a local socket."""

from __future__ import annotations

import os
import shlex
import socket
import struct
import subprocess
import sys
from typing import Any, BinaryIO, Callable, NamedTuple, Sequence, cast

from tabuleiro import lines
from tabuleiro.errors import EngineGone


#: What is written waits in a buffer that holds the longest line: Ctrl-C while it is sent leaves the rest of it there, to
#: be sent before the next, and never half a line.
BUFFER = lines.LONGEST_LINE + 1


class Transport(NamedTuple):
    """What is read from the engine and written to it, and how to leave it once its input has ended."""

    reader: BinaryIO
    writer: BinaryIO
    leave: Callable[[], None]


def engine_command() -> list[str]:
    """The engine that is meant where none is named: the environment's TABULEIRO_ENGINE, or else `tabuleiro-engine`."""
    return shlex.split(os.environ.get("TABULEIRO_ENGINE", "")) or ["tabuleiro-engine"]


def start(command: Sequence[str] | None = None) -> Transport:
    """Starts an engine as a process of one's own."""
    words = engine_command() if command is None else list(command)
    # Ctrl-C goes to all processes of the terminal's group: an engine in it would be gone, and all its tables with it.
    # The end of its input ends it in any case.
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=BUFFER, **apart)
    except OSError as error:
        raise EngineGone(f"{words[0]} cannot be started: {error.strerror}") from error
    assert child.stdin is not None and child.stdout is not None

    def leave() -> None:
        # An engine leaves within a second of the end of its input; one that does not is not waited for.
        try:
            child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    return Transport(cast(BinaryIO, child.stdout), cast(BinaryIO, child.stdin), leave)


def connect(name: str) -> Transport:
    """Joins an engine that listens at a local socket."""
    connection = _connect(name)

    def leave() -> None:
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The engine was first.
            pass
        connection.close()

    return Transport(
        cast(BinaryIO, connection.makefile("rb")), cast(BinaryIO, connection.makefile("wb", BUFFER)), leave
    )


def _connect(name: str) -> socket.socket:
    if not hasattr(socket, "AF_UNIX"):
        raise EngineGone("local sockets cannot be reached from Python on this system: use Engine.start")
    tried = []
    for address in _addresses(name):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(address)
        except OSError as error:
            connection.close()
            tried.append(error.strerror or str(error))
        else:
            if _is_of_somebody_else(connection):
                connection.close()
                raise EngineGone(f"whoever listens at {name!r} is another user")
            return connection
    raise EngineGone(f"no engine listens at {name!r}: {', '.join(tried)}")


def _is_of_somebody_else(connection: socket.socket) -> bool:
    """Anybody could have taken the name first. Only Linux tells from Python who it was."""
    if not sys.platform.startswith("linux"):
        return False
    credentials = struct.Struct("3i")
    _, user, _ = credentials.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, credentials.size)
    )
    return bool(user != os.geteuid())


def _addresses(name: str) -> list[str]:
    """Where a socket of this name may be: a file if it has a slash, else a name that only this machine knows."""
    if "/" in name or "\\" in name:
        return [name]
    if sys.platform.startswith("linux"):
        return ["\0" + name]
    # Where there are no names without files, the engine's library looks for these in turn.
    return [f"/run/user/{os.getuid()}/{name}", f"/tmp/{name}"]
