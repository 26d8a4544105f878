"""The environments, by the checks that those who use them have."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import unittest
import warnings
from typing import Any, Iterator

from support import EngineTest
from tabuleiro import ai
from tabuleiro.messages import Options

try:
    import numpy as np
    from gymnasium.utils.env_checker import check_env
    from pettingzoo.test import api_test, seed_test

    from tabuleiro import env
except ModuleNotFoundError as missing:
    raise unittest.SkipTest(f"the extra env is not installed: {missing.name}")

#: Small boards, so that games are short. Fabrik and Absorption have actions of several numbers.
GAMES: list[tuple[str, Options]] = [
    ("zurero", {"size": 5}),
    ("fabrik", {"size": 5, "goal": 3}),
    ("absorption", {"turn_limit": 20}),
    ("syrtis", {"layout": "minor"}),
]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without what the checks print and the advice that they give: observations with masks are no plain boxes, and an
    environment that is not registered has no spec.
    """
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


class PettingZoo(EngineTest):
    def test_its_own_tests(self) -> None:
        for game, options in GAMES:
            with self.subTest(game), quiet():
                api_test(env.aec(game, options, engine=self.engine), num_cycles=60)
                seed_test(lambda: env.aec(game, options, engine=self.engine), num_cycles=30)

    def test_games_to_their_end(self) -> None:
        for game, options in GAMES:
            with self.subTest(game):
                played = env.aec(game, options, engine=self.engine, render_mode="ansi")
                played.reset(seed=7)
                total = {agent: 0 for agent in played.possible_agents}
                table = played.unwrapped._play.table
                for agent in played.agent_iter():
                    observation, reward, terminated, _, _ = played.last()
                    total[agent] += reward
                    if terminated:
                        self.assertFalse(observation["action_mask"].any())
                        played.step(None)
                        continue
                    before = table.state["ply"]
                    number = played.action_space(agent).sample(observation["action_mask"])
                    played.step(number)
                    if table.state["ply"] == before:
                        # The action is not complete: the same agent goes on, and sees what it chose.
                        self.assertEqual(played.agent_selection, agent)
                        chosen = played.observe(agent)["observation"][-env_steps(played) :, 0, 0]
                        self.assertIn(number + 1, chosen)
                winner = table.outcome["winner"]
                self.assertEqual(list(total.values()), [0 if winner is None else 1 if winner == seat else -1 for seat in (1, 2)])
                self.assertEqual(played.render(), table.render())
                played.close()

    def test_what_the_mask_does_not_allow_loses(self) -> None:
        played = env.aec("zurero", {"size": 5}, engine=self.engine)
        played.reset(seed=1)
        with quiet():
            played.step(0)
        self.assertEqual(played.rewards, {"seat_1": -1, "seat_2": 0})
        raw = env.AecEnv("zurero", {"size": 5}, engine=self.engine)
        raw.reset(seed=1)
        with self.assertRaises(ValueError):
            raw.step(0)


def env_steps(played: Any) -> int:
    return int(played.unwrapped._play._steps)


class Gymnasium(EngineTest):
    def test_its_own_check(self) -> None:
        for game, options in GAMES:
            with self.subTest(game), quiet():
                check_env(env.SeatEnv(game, options, ai("greedy"), engine=self.engine), skip_close_check=True)

    def test_both_seats_against_a_level(self) -> None:
        for seat in (1, 2):
            one = env.SeatEnv("fabrik", {"size": 5, "goal": 3}, ai("random"), seat=seat, engine=self.engine)
            games = []
            for _ in range(2):
                observation, _ = one.reset(seed=5)
                over, numbers = False, []
                while not over:
                    self.assertTrue((one.action_masks() == observation["action_mask"]).all())
                    numbers.append(int(np.flatnonzero(observation["action_mask"])[-1]))
                    observation, reward, over, _, info = one.step(numbers[-1])
                self.assertIn(reward, (-1.0, 0.0, 1.0))
                self.assertEqual(info, {})
                games.append(numbers)
            # The same seed and the same choices: the same game.
            self.assertEqual(games[0], games[1])

    def test_what_the_mask_does_not_allow_loses(self) -> None:
        one = env.SeatEnv("zurero", {"size": 5}, ai("random"))
        one.reset(seed=1)
        _, reward, over, _, info = one.step(0)
        self.assertEqual((reward, over, info), (-1.0, True, {"illegal": True}))
        with self.assertRaises(ValueError):
            one.step(0)
        one.close()


class Without(unittest.TestCase):
    def test_the_package_needs_nothing(self) -> None:
        # As if they were not installed.
        without = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'gymnasium', 'pettingzoo'])); import tabuleiro"
        codes = []
        for code in (f"{without}, tabuleiro.aio, tabuleiro.__main__", f"{without}.env"):
            codes.append(subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode)
        self.assertEqual(codes, [0, 1])


if __name__ == "__main__":
    unittest.main()
