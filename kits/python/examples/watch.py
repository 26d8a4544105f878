"""Attaches to a table of a listening engine and shows every turn as a board.

    tabuleiro-engine --socket games
    python3 watch.py games          # the newest table
    python3 watch.py games t3
"""

from __future__ import annotations

import sys

from tabuleiro import Engine, EngineError, EngineGone


def main(socket: str, name: str | None = None) -> None:
    with Engine.connect(socket) as engine:
        # Before attaching, so that nothing is missed in between.
        notices = engine.notices("changed", "closed")
        if name is None:
            open_tables = engine.tables()
            if not open_tables:
                sys.exit(f"There is no table at {socket} yet.")
            name = open_tables[-1]["table"]
        table = engine.attach(name)
        print(table.render(), flush=True)
        for notice in notices:
            params = notice["params"]
            if params["table"] != name:
                continue
            if notice["method"] == "closed":
                print(f"Table {name} was closed.")
                return
            seat, actions = params["by"], " ".join(params["actions"])
            print(f"Seat {seat}: {actions}" if actions else "The table has changed.")
            print("\n".join(params["state"]["rows"]), flush=True)
            outcome = params["state"]["outcome"]
            if outcome is not None:
                print(outcome["text"])
                return


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(f"usage: {sys.argv[0]} SOCKET [TABLE]")
    try:
        main(*sys.argv[1:])
    except (EngineError, EngineGone) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        pass
