"""Clicks through the small window as a person would. A program of its own, for it needs a display."""

from __future__ import annotations

import sys
import time
import tkinter
from typing import Callable

from support import EXAMPLES, PATIENCE
from tabuleiro import Engine, ai
from tabuleiro.messages import Detail

sys.path.insert(0, str(EXAMPLES))

import tiny_gui  # noqa: E402

#: No colour and no shape hangs together: the towers come next.
TILES = [". . dc ls .", "lc dc dc ds .", "lc ds . lc ds", ". lc ls ls ds", ". dc ls . ."]
CORNER = [". . . . .", ". . . . .", ". . . . b", ". . . . w", ". . b w ."]


def main() -> None:
    with Engine.start() as engine:
        window = tkinter.Tk()
        table = engine.new("fabrik", {"size": 5}, seed=1, seats={2: ai("random")})
        gui = tiny_gui.TinyGui(window, table)

        def wait(until: Callable[[], bool]) -> None:
            end = time.monotonic() + PATIENCE
            while not until():
                assert time.monotonic() < end, (gui.board, gui.line["text"], gui.pick.pointed)
                window.update()
                time.sleep(0.005)

        def click(cell: str) -> None:
            x, y = ord(cell[0]) - ord("a") + 1.5, int(cell[1:]) + 0.5
            gui.canvas.event_generate("<Button-1>", x=int(x * tiny_gui.CELL), y=int(y * tiny_gui.CELL))

        def is_my_turn() -> bool:
            return not gui.animating and bool(gui.pick.fitting)

        def buttons() -> dict[str, tkinter.Button]:
            return {str(button["text"]): button for button in gui.buttons.winfo_children() if isinstance(button, tkinter.Button)}

        def legal() -> list[Detail]:
            return [detail for detail, _ in gui.pick.fitting]

        def shown() -> list[str]:
            return [" ".join(tokens) for tokens in gui.board]

        window.update()
        # A worker by a click; the engine's player answers with the other one.
        click("b2")
        wait(is_my_turn)
        assert table.state["ply"] == 2 and shown() == table.rows and shown()[1][2] == "*", shown()

        # Words have no cells: they are buttons, and stand in the list.
        texts = list(gui.list.get(0, "end"))
        assert len(texts) == 2 and list(buttons()) == ["Black goes first", "White goes first"], (texts, buttons())
        gui.list.selection_set([detail["action"] for detail in legal()].index("black"))
        gui.list.event_generate("<<ListboxSelect>>")
        wait(lambda: is_my_turn() and table.state["phase"] == "play")

        # A click that leads to nothing is explained.
        before = gui.line["text"]
        empty_handed = next(
            f"{column}{row}" for column in "abcde" for row in range(1, 6)
            if not any(detail["cells"][0] == f"{column}{row}" for detail in legal())
        )
        click(empty_handed)
        assert gui.line["text"] not in ("", before), gui.line["text"]

        # The first stone, and the answer.
        ply = table.state["ply"]
        click(next(detail for detail in legal() if detail["kind"] == "stone")["cells"][0])
        wait(lambda: is_my_turn() and table.state["ply"] > ply + 1)
        assert shown() == table.rows, (shown(), table.rows)

        # A worker needs two clicks: picked, and carried.
        everything = legal()
        move = next(detail for detail in everything if detail["kind"] == "move")
        click(move["cells"][0])
        assert gui.pick.pointed == move["cells"][:1] and len(legal()) < len(everything)
        click(move["cells"][1])
        wait(lambda: is_my_turn() and table.state["phase"] == "place")

        # And back again: to the start of one's own turn.
        gui.undo()
        assert table.state["phase"] == "play" and shown() == table.rows

        # Where cells are not enough there are buttons: which tower, and from which side into a corner.
        windows = [window]
        window = tkinter.Tk()
        table = engine.new("syrtis", {"layout": "minor"}, seed=1, start={"rows": TILES})
        gui = tiny_gui.TinyGui(window, table)
        window.update()
        click("d1")
        assert table.state["ply"] == 0 and list(buttons()) == ["Dark tower", "Light tower"], buttons()
        buttons()["Dark tower"].invoke()
        assert table.rows[0] == ". . dc lsD .", table.rows

        windows.append(window)
        window = tkinter.Tk()
        table = engine.new("zurero", {"size": 5}, start={"rows": CORNER, "to_move": 1})
        gui = tiny_gui.TinyGui(window, table)
        window.update()
        click("e5")
        assert table.state["ply"] == 0 and list(buttons()) == ["From the east", "From the south"], buttons()
        buttons()["From the south"].invoke()
        last = table.state["last"]
        assert last is not None and last["actions"] == ["se"], last
        for window in [*windows, window]:
            window.destroy()
    print("The window did what it should.")


main()
