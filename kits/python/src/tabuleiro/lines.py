"""One JSON object a line."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

#: No line to an engine or a bot may be longer than this, in bytes.
LONGEST_LINE = 1 << 20


def encode(message: object) -> bytes:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> Any:
    """The value on a line. Raises `ValueError` if it is no JSON."""
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")


class TooLong(Exception):
    """A line was longer than `LONGEST_LINE`; it was skipped."""


def read_request_line(stream: BinaryIO) -> bytes | None:
    """The next line that is not blank, or `None` at the end. Never holds more of a line than `LONGEST_LINE`."""
    while True:
        # Two bytes more for the end of the line.
        line = stream.readline(LONGEST_LINE + 2)
        if not line:
            return None
        if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
            raise TooLong
        if line.strip():
            return line
