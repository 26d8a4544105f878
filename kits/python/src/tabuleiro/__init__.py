"""Talk to the Tabuleiro engine, and write players for it.

    from tabuleiro import Engine, ai

    with Engine.start() as engine:
        table = engine.new("zurero", {"size": 9}, seats={2: ai("club")})
        table.play("@e5")
        table.wait_for_turn()
        print(table.render())

`Engine` and `Table` talk to an engine; `Bot` is what a player of one's own is made from. The messages themselves are
described in PROTOCOL.md; their types are in `tabuleiro.messages`.
"""

from tabuleiro.bot import Bot, ChooseRequest, Question
from tabuleiro.engine import Engine, Notices, Pending
from tabuleiro.errors import BotFailed, EngineError, EngineGone, TableClosed
from tabuleiro.messages import ai, bot, client
from tabuleiro.table import Table

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
    "ai",
    "bot",
    "client",
]
