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
        return str(self.data.get("kind", ""))


class EngineGone(Exception):
    """The engine has ended, or it can no longer be understood."""


class TableClosed(Exception):
    """The table is no longer there."""
