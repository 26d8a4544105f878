"""What can go wrong in a conversation with an engine."""

from __future__ import annotations

from typing import Any, Mapping


class EngineError(Exception):
    """The engine refused a request.

    `code` and `kind` say why, `message` says it to people, and `data` has what else there is to say: the `reason` of an
    illegal action, the `field` of a wrong param.
    """

    def __init__(self, code: int, message: str, data: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @property
    def kind(self) -> str:
        """The code in a word, as `illegal_action`."""
        return str(self.data.get("kind", ""))


class EngineGone(Exception):
    """The engine has ended, or it can no longer be understood."""


class TableClosed(Exception):
    """The table is no longer there."""


class BotFailed(Exception):
    """A bot did not play its turn, and the game waits for somebody to decide how it goes on.

    `why` is `crashed`, `timeout`, `illegal` or `garbage`; `detail` says it to people.
    """

    def __init__(self, name: str, seat: int, why: str, detail: str) -> None:
        super().__init__(f"bot {name!r} at seat {seat} failed ({why}): {detail}")
        self.name = name
        self.seat = seat
        self.why = why
        self.detail = detail
