"""Talk to the Tabuleiro engine, and write players for it.

    from tabuleiro import Engine, ai

    with Engine.start() as engine:
        table = engine.new("zurero", {"size": 9}, seats={2: ai("club")})
        table.play("@e5")
        table.wait_for_turn()
        print(table.render())

`Engine` and `Table` talk to an engine; `Bot` is what a player of one's own is made from. `tabuleiro.aio` is for programs
that run in asyncio. The messages themselves are described in PROTOCOL.md; their types are in `tabuleiro.messages`.
"""

from typing import Any

from tabuleiro.bot import Bot, ChooseRequest, Question
from tabuleiro.engine import Engine
from tabuleiro.errors import BotFailed, EngineError, EngineGone, TableClosed
from tabuleiro.messages import ai, bot, client
from tabuleiro.notices import Notices
from tabuleiro.pending import Pending
from tabuleiro.table import Table

__version__: str

__all__ = [
    "Bot",
    "BotFailed",
    "ChooseRequest",
    "Engine",
    "EngineError",
    "EngineGone",
    "Notices",
    "Pending",
    "Question",
    "Table",
    "TableClosed",
    "__version__",
    "ai",
    "bot",
    "client",
]


def __getattr__(name: str) -> Any:
    # Looked up when it is asked for: it takes longer than all else here. The one place it is written is pyproject.toml.
    if name == "__version__":
        from importlib.metadata import version

        return version("tabuleiro")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
