"""A small window for all four games, and for any game to come: it knows no rules.

    python3 tiny_gui.py [GAME] [LEVEL]

Click on the cells of an action one after the other, and on a button where there is a choice left; or on the sentence
of an action in the list.
"""

from __future__ import annotations

import sys
import tkinter
from functools import partial
from typing import Any

from tabuleiro import Engine, Table, ai
from tabuleiro.messages import Event, State
from tabuleiro.picking import Pick, words

CELL = 44
STEP_MS = 150
PIECES = {"b": "black", "w": "white", "*": "orange", "x": "firebrick", "o": "steelblue", "l": "wheat", "d": "sienna"}


class TinyGui:
    def __init__(self, window: tkinter.Tk, table: Table) -> None:
        self.window = window
        self.table = table
        # The engine's own players are heard through these.
        self.notices = table.engine.notices("changed")
        self.board = [row.split(" ") for row in table.rows]
        self.pick = Pick([])
        self.animating = False

        side = CELL * (len(self.board) + 1)
        self.canvas = tkinter.Canvas(window, width=side, height=side, background="gainsboro")
        self.canvas.bind("<Button-1>", self.clicked)
        self.canvas.grid(row=0, column=0)
        self.list = tkinter.Listbox(window, width=60)
        self.list.bind("<<ListboxSelect>>", self.selected)
        self.list.grid(row=0, column=1, sticky="ns")
        self.line = tkinter.Label(window, anchor="w")
        self.line.grid(row=1, column=0, sticky="ew")
        self.buttons = tkinter.Frame(window)
        self.buttons.grid(row=2, column=0, sticky="w")
        tkinter.Button(window, text="Undo", command=self.undo).grid(row=1, column=1, sticky="e")
        self.show(table.state)
        self.look_for_changes()

    # What is drawn: the tokens of the rows, and what was picked.

    def draw(self) -> None:
        self.canvas.delete("all")
        for number in range(len(self.board)):
            at = (number + 1.5) * CELL
            self.canvas.create_text(at, CELL / 2, text=chr(ord("a") + number))
            self.canvas.create_text(CELL / 2, at, text=str(number + 1))
        for row, tokens in enumerate(self.board):
            for column, token in enumerate(tokens):
                x, y = (column + 1) * CELL, (row + 1) * CELL
                picked = f"{chr(ord('a') + column)}{row + 1}" in self.pick.pointed
                self.canvas.create_rectangle(x, y, x + CELL, y + CELL, fill="khaki" if picked else "white", outline="grey")
                if token != ".":
                    self.canvas.create_oval(x + 5, y + 5, x + CELL - 5, y + CELL - 5, fill=PIECES[token[0]])
                    self.canvas.create_text(x + CELL / 2, y + CELL / 2, text=token[1:], fill="black")

    def show(self, state: State) -> None:
        """Takes a state as it is, and asks what can be done in it."""
        self.board = [row.split(" ") for row in state["rows"]]
        outcome = state["outcome"]
        self.line["text"] = outcome["text"] if outcome is not None else state["prompt"]
        self.offer(Pick(self.table.details() if self.is_my_turn(state) else []))

    def is_my_turn(self, state: State) -> bool:
        seats, seat = state["seats"], state["to_move"]
        return seat is not None and (seats["1"] if seat == 1 else seats["2"])["kind"] == "client"

    def offer(self, pick: Pick) -> None:
        """What can be done now: cells, buttons for what needs no more of them, and a list of everything."""
        self.pick = pick
        for button in self.buttons.winfo_children():
            button.destroy()
        for detail in pick.complete:
            play = partial(self.play, detail["action"])
            tkinter.Button(self.buttons, text=words(detail), command=play).pack(side="left")
        self.list.delete(0, "end")
        self.list.insert("end", *(detail["text"] for detail, _ in pick.fitting))
        self.draw()

    # What a person does.

    def clicked(self, event: tkinter.Event[tkinter.Canvas]) -> None:
        column, row = event.x // CELL - 1, event.y // CELL - 1
        if self.animating or not (0 <= row < len(self.board) and 0 <= column < len(self.board[row])):
            return
        cell = f"{chr(ord('a') + column)}{row + 1}"
        pick = self.pick.point(cell)
        if pick is None:
            why = self.table.explain([*self.pick.pointed, cell])
            self.show(self.table.state)
            self.line["text"] = why or "That cell is not one of those."
        elif pick.action is not None:
            self.play(pick.action)
        else:
            self.offer(pick)

    def selected(self, _: Any) -> None:
        chosen = self.list.curselection()  # type: ignore[no-untyped-call]
        if chosen and not self.animating:
            detail, _ = self.pick.fitting[chosen[0]]
            self.play(detail["action"])

    def undo(self) -> None:
        """Back to the last turn of one's own."""
        if self.animating or self.table.state["ply"] == 0:
            return
        state = self.table.undo()
        while state["ply"] > 0 and not self.is_my_turn(state):
            state = self.table.undo()
        self.show(state)

    # What happens then.

    def play(self, action: str) -> None:
        played = self.table.play(action)
        self.animate(played["events"], played["state"])

    def animate(self, events: list[Event], state: State) -> None:
        """Shows one event after the other; `set` says what has changed by it."""
        changes = [event["set"] for event in events if "set" in event]
        self.animating = True

        def step(number: int) -> None:
            if number == len(changes):
                self.animating = False
                self.show(state)
                return
            for cell, token in changes[number].items():
                self.board[int(cell[1:]) - 1][ord(cell[0]) - ord("a")] = token
            self.draw()
            self.window.after(STEP_MS, step, number + 1)

        step(0)

    def look_for_changes(self) -> None:
        """The window belongs to one thread, so it looks from time to time what the other one has heard."""
        notice = None if self.animating else self.notices.next_within(0)
        # What was taken back meanwhile is not shown.
        if notice is not None and notice["params"]["ply"] <= self.table.state["ply"]:
            self.animate(notice["params"]["events"], notice["params"]["state"])
        self.window.after(30, self.look_for_changes)


def main(game: str = "fabrik", level: str = "greedy") -> None:
    with Engine.start() as engine:
        window = tkinter.Tk()
        window.title(game.capitalize())
        TinyGui(window, engine.new(game, seats={2: ai(level)}))
        window.mainloop()


if __name__ == "__main__":
    main(*sys.argv[1:])
