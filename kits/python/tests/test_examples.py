"""The examples, run as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

from support import EXAMPLES, PATIENCE, BotProcess, EngineTest, question
from tabuleiro import Table, ai
from tabuleiro.messages import Limits, Options

#: Small boards, so that games are short.
GAMES: list[tuple[str, Options]] = [
    ("zurero", {"size": 7}),
    ("fabrik", {"size": 7, "goal": 4}),
    ("absorption", {}),
    ("syrtis", {"layout": "minor"}),
]


class Bots(EngineTest):
    def bot(self, example: str) -> BotProcess:
        return BotProcess(self, sys.executable, str(EXAMPLES / example))

    def answer(self, bot: BotProcess, table: Table, limits: Limits) -> list[str]:
        """What a bot plays at a table, asked as an engine asks it."""
        record = table.record()
        asked: dict[str, Any] = {name: record[name] for name in ("game", "options", "start", "played")}
        answer = bot.ask(
            1, "choose", **asked, state=table.state, legal=table.actions(), limits=limits, seed=table.state["ply"]
        )
        actions: list[str] = answer["result"]["actions"]
        return actions

    def test_the_random_bot_plays_games_to_their_end(self) -> None:
        bot = self.bot("random_bot.py")
        for game, options in GAMES:
            table = self.engine.new(game, options, seed=1)
            while table.outcome is None:
                table.play(*self.answer(bot, table, {}))
        self.assertEqual(bot.end()[0], 0)

    def test_the_monte_carlo_bot_beats_chance_in_all_games(self) -> None:
        # So many games a question, not so much time: then it plays the same on every machine.
        bot = self.bot("monte_carlo_bot.py")
        for game, options in GAMES:
            won = 0
            for number in range(4):
                own, other = (1, 2) if number % 2 == 0 else (2, 1)
                table = self.engine.new(game, options, seed=number, seats={other: ai("random")})  # type: ignore[dict-item]
                while table.wait_for_turn(PATIENCE)["outcome"] is None:
                    table.play(*self.answer(bot, table, {"nodes": 15}))
                won += table.outcome is not None and table.outcome["winner"] == own
                table.close()
            self.assertGreaterEqual(won, 3, f"{won} of 4 won in {game}")
        self.assertEqual(bot.end()[0], 0)

    def test_the_monte_carlo_bot_answers_with_any_time(self) -> None:
        bot = self.bot("monte_carlo_bot.py")
        asked = question(self.engine, "fabrik", ["w@f6", "w@g7", "black", "@f7"])
        for limits in ({"time_ms": 1}, {"time_ms": 50}, {"clock": {"left_ms": 1000}}):
            self.assertIn(bot.ask(1, "choose", **{**asked, "limits": limits})["result"]["actions"][0], asked["legal"])

    def test_the_monte_carlo_bot_takes_a_win(self) -> None:
        bot = self.bot("monte_carlo_bot.py")
        rows = ["b b b b .", "w . . . .", "w . . . .", "w . . . .", ". . . . ."]
        table = self.engine.new("zurero", {"size": 5}, seed=1, start={"rows": rows, "to_move": 1})
        self.assertEqual(self.answer(bot, table, {"nodes": 1}), ["e1"])


class HundredGames(unittest.TestCase):
    def test_it_prints_a_table_and_draws_a_chart(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder) / "chart.svg"
            command = [sys.executable, str(EXAMPLES / "hundred_games.py"), "syrtis", str(picture)]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=10 * PATIENCE)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn("syrtis, 100 games", ran.stdout)
            rows = {line.split()[0]: line.split() for line in ran.stdout.splitlines() if line}
            # Of all games, the stronger has won more.
            share = [int(rows[level][5].rstrip("%")) for level in ("random", "greedy", "novice", "club")]
            self.assertEqual(share, sorted(share))
            chart = xml.etree.ElementTree.parse(picture).getroot()
            words = ["".join(text.itertext()) for text in chart.iter("{http://www.w3.org/2000/svg}text")]
            self.assertIn("club", words)
            self.assertIn(f"{share[3]}%", words)


class TinyGui(unittest.TestCase):
    """The small window, on a display that nobody sees."""

    def test_a_person_plays_against_the_engine(self) -> None:
        display = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "1024x768x24", "-nolisten", "tcp", "-noreset"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert display.stdout is not None
        self.addCleanup(display.stdout.close)
        self.addCleanup(display.wait)
        self.addCleanup(display.kill)
        number = display.stdout.readline().strip()
        command = [sys.executable, str(Path(__file__).parent / "click_through_gui.py")]
        environment = {**os.environ, "DISPLAY": f":{number}"}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE)
        self.assertEqual((ran.returncode, ran.stderr, ran.stdout), (0, "", "The window did what it should.\n"))


class Reviews(EngineTest):
    def test_a_folder_of_games_is_reviewed(self) -> None:
        table = self.engine.new("zurero", {"size": 5}, seed=1)
        table.play("@c3", "w3", "nc", "sc")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            against_novice = table.record()
            against_novice["seats"]["2"] = {"kind": "ai", "level": "novice"}
            (folder / "one.json").write_text(json.dumps(against_novice), encoding="utf-8")
            (folder / "line.txt").write_text(table.text() + "\n", encoding="utf-8")
            (folder / "two.json").write_text("{}", encoding="utf-8")
            (folder / "three.json").write_text("[1]", encoding="utf-8")
            saved = {"game": "zurero", "title": "A game", "finished": False, "record": table.record()}
            (folder / "window.json").write_text(json.dumps(saved), encoding="utf-8")
            drawing = folder / "chances.svg"
            command = [sys.executable, str(EXAMPLES / "review_folder.py"), name, "--nodes", "300", "--svg", str(drawing)]
            said = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE, check=True, text=True).stdout
            xml.etree.ElementTree.parse(drawing)
            command = [sys.executable, str(EXAMPLES / "review_folder.py"), name, "--nodes", "300", "--player", "novice"]
            of_novice = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE, check=True, text=True).stdout
        self.assertIn("one.json: 2 turns", of_novice)
        self.assertIn("line.txt: 0 turns", of_novice)
        self.assertIn("line.txt: 4 turns", said)
        self.assertIn("one.json: 4 turns", said)
        self.assertIn("two.json: ", said)
        self.assertIn("three.json: ", said)
        self.assertIn("window.json: 4 turns", said)
        self.assertIn("turns   1 to   5", said)


if __name__ == "__main__":
    unittest.main()
