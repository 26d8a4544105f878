"""Games as environments for those who train players: PettingZoo for both seats, Gymnasium for one.

    from tabuleiro import env

    game = env.aec("zurero", {"size": 9})
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, terminated, truncated, info = game.last()
        game.step(None if terminated else game.action_space(agent).sample(observation["action_mask"]))

They need the extra `env`: `pip install "./kits/python[env]"`. Spaces are made of the numbers that PROTOCOL.md describes
under "Games in numbers":

- An **action** is a number. Where an action of the game has several, they are chosen one after the other by the same
  agent, and the last one plays it.
- `action_mask` is 1 for every number that can be chosen now.
- `observation` are the planes of the board as the agent sees it. Where actions have several numbers, planes follow that
  are filled with 1 + each number chosen so far, 0 where none is.
- The **reward** is 1 for a win, -1 for a loss and 0 for all else.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tabuleiro.engine import Engine
from tabuleiro.messages import Options, Player, SeatNumber, ai
from tabuleiro.table import Table

Observation = Dict[str, Any]

#: The agents, by seat.
AGENTS: dict[SeatNumber, str] = {1: "seat_1", 2: "seat_2"}
#: Seeds that are drawn are below this, so that every reader of JSON keeps them whole.
SEEDS = 1 << 53


class Play:
    """Games at a table of an engine, one after the other, played by numbers: what the environments have in common."""

    def __init__(self, game: str, options: Options | None = None, engine: Engine | None = None) -> None:
        self._owns_engine = engine is None
        self.engine = Engine.start() if engine is None else engine
        self.game = game
        self.options = options
        space = self.engine.space(game, options)
        self.size = space["size"]
        self._steps = space["longest"] - 1
        planes, rows, columns = space["planes"]["shape"]
        self.shape = (planes + self._steps, rows, columns)
        high = np.array([*space["planes"]["high"], *[self.size] * self._steps], np.float32)
        self.high = np.broadcast_to(high[:, None, None], self.shape)
        self.table: Table | None = None
        self._chosen: list[int] = []
        self._codes: list[list[int]] = []
        self._actions: list[str] = []
        # What was asked of this position, by seat.
        self._planes: dict[SeatNumber, Any] = {}

    def observation_space(self) -> gymnasium.spaces.Dict:
        """The space of all observations."""
        return gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(np.zeros(self.shape, np.float32), self.high, dtype=np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (self.size,), np.int8),
            }
        )

    def action_space(self) -> gymnasium.spaces.Discrete:
        """The space of all numbers."""
        return gymnasium.spaces.Discrete(self.size)

    def new_game(self, seed: int, seats: Mapping[SeatNumber, Player] | None = None) -> Table:
        """Begins a game. Players of the engine's play until a client is to move."""
        if self.table is not None:
            self.table.close()
        self.table = self.engine.new(self.game, self.options, seed=seed, seats=seats)
        self.table.wait_for_turn()
        self._look()
        return self.table

    def mask(self) -> Any:
        """1 for every number that can be chosen now."""
        mask: Any = np.zeros(self.size, np.int8)
        at = len(self._chosen)
        for code in self._codes:
            if code[:at] == self._chosen:
                mask[code[at]] = 1
        return mask

    def choose(self, number: int) -> bool:
        """Chooses a number that the mask allows. Whether an action was played with it."""
        assert self.table is not None
        self._chosen.append(number)
        if self._chosen not in self._codes:
            return False
        action = self._actions[self._codes.index(self._chosen)]
        # All that follows from it is asked at once: one round trip.
        played = self.engine._requests.play(self.table.name, [action])
        if all(player["kind"] == "client" for player in (self.table.state["seats"]["1"], self.table.state["seats"]["2"])):
            self._look()
            played.result()
        else:
            played.result()
            self.table.wait_for_turn()
            self._look()
        return True

    def _look(self) -> None:
        """What can be done now, and how it looks to who is to do it."""
        assert self.table is not None
        asked = self.engine._requests.actions(self.table.name, codes=True), self.engine._requests.planes(self.table.name)
        found, planes = asked[0].result(), asked[1].result()
        self._chosen = []
        self._actions, self._codes = found["actions"], found["codes"]
        self._planes = {planes["seat"]: planes["data"]}

    def observe(self, seat: SeatNumber) -> Observation:
        """What a seat sees. Only the seat to move can choose."""
        assert self.table is not None
        if seat not in self._planes:
            self._planes[seat] = self.engine.planes(self.table.name, seat)["data"]
        board = np.zeros(self.shape, np.float32)
        planes = self.shape[0] - self._steps
        board[:planes] = np.array(self._planes[seat], np.float32).reshape(planes, *self.shape[1:])
        to_move = self.table.to_move == seat
        if to_move:
            for step, number in enumerate(self._chosen):
                board[planes + step] = number + 1
        return {"observation": board, "action_mask": self.mask() if to_move else np.zeros(self.size, np.int8)}

    def reward(self, seat: SeatNumber) -> int:
        """What the game is worth to a seat as it stands: 1 for a win, -1 for a loss."""
        assert self.table is not None
        winner = self.table.outcome["winner"] if self.table.outcome is not None else None
        return 0 if winner is None else 1 if winner == seat else -1

    def render(self, mode: str | None) -> str | None:
        """The board as text, printed or given."""
        if self.table is None or mode is None:
            return None
        if mode == "human":
            print(self.table)
            return None
        return str(self.table)

    def close(self) -> None:
        """Closes the table, and ends the engine if it was started here."""
        if self._owns_engine:
            self.engine.end()
        elif self.table is not None:
            self.table.close()
        self.table = None


class AecEnv(AECEnv):
    """A game of two agents, `seat_1` and `seat_2`, without the usual wrappers: a number that is not allowed raises.

    `engine` is one to play at; without it one is started, and ends with `close`.
    """

    metadata = {"render_modes": ["human", "ansi"], "name": "tabuleiro_v1", "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        options: Options | None = None,
        *,
        engine: Engine | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._play = Play(game, options, engine)
        self._random = seeding.np_random()[0]
        self.possible_agents = list(AGENTS.values())
        self.observation_spaces = {agent: self._play.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self._play.action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may choose."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a new game. The seed decides what chance does, in this game and in those that follow without one."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self._play.new_game(int(self._random.integers(SEEDS)))
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """What an agent sees."""
        return self._play.observe(_seat(agent))

    def step(self, action: int | None) -> None:
        """Chooses a number for the agent whose turn it is; `None` once the game is over for it."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or not self._play.mask()[action]:
            raise ValueError(f"{action} cannot be chosen now: see the action mask")
        # What it was given before, it has been told of.
        self._cumulative_rewards[self.agent_selection] = 0
        self._clear_rewards()
        if self._play.choose(int(action)):
            self._select()
            table = self._play.table
            if table is not None and table.outcome is not None:
                for seat, agent in AGENTS.items():
                    self.rewards[agent] = self._play.reward(seat)
                    self.terminations[agent] = True
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: printed, or given in the mode `ansi`."""
        return self._play.render(self.render_mode)

    def close(self) -> None:
        """Closes the table, and ends the engine if it was started here."""
        self._play.close()

    def _select(self) -> None:
        assert self._play.table is not None
        to_move = self._play.table.to_move
        # Once it is over both are told, whoever comes first.
        self.agent_selection = AGENTS[to_move or 1]


def aec(
    game: str,
    options: Options | None = None,
    *,
    engine: Engine | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """A game of two agents as PettingZoo has them, with its usual wrappers: a number that is not allowed loses."""
    env: AECEnv = AecEnv(game, options, engine=engine, render_mode=render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class SeatEnv(gymnasium.Env[Observation, int]):
    """One seat of a game, against a level or a bot of the engine: `SeatEnv("zurero", {"size": 9}, ai("novice"))`.

    A number that the mask does not allow loses the game at once, and `info["illegal"]` says so. Give the opponent limits of
    `nodes` or `depth`, not of time, if the same seed is to lead to the same games. `engine` is one to play at; without it one
    is started, and ends with `close`.
    """

    metadata = {"render_modes": ["human", "ansi"]}

    def __init__(
        self,
        game: str,
        options: Options | None = None,
        opponent: Player | None = None,
        *,
        seat: SeatNumber = 1,
        engine: Engine | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = render_mode
        self.seat = seat
        self._seats: dict[SeatNumber, Player] = {_other(seat): ai("novice") if opponent is None else opponent}
        self._play = Play(game, options, engine)
        self.observation_space = self._play.observation_space()
        self.action_space = self._play.action_space()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a new game. The seed decides what chance does, in this game and in those that follow without one."""
        super().reset(seed=seed)
        self._play.new_game(int(self.np_random.integers(SEEDS)), self._seats)
        return self._play.observe(self.seat), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Chooses a number. If it plays a whole turn, the opponent has played as well."""
        table = self._play.table
        if table is None or table.outcome is not None:
            raise ValueError("the game is over: reset first")
        illegal = not self._play.mask()[action]
        if illegal:
            table.resign(self.seat)
            self._play._look()
        else:
            self._play.choose(int(action))
        if self.render_mode == "human":
            self.render()
        over = table.outcome is not None
        info = {"illegal": True} if illegal else {}
        return self._play.observe(self.seat), float(self._play.reward(self.seat)), over, False, info

    def action_masks(self) -> Any:
        """1 for every number that can be chosen now, under the name that some trainers ask for."""
        return self._play.mask()

    def render(self) -> str | None:
        """The board as text: printed, or given in the mode `ansi`."""
        return self._play.render(self.render_mode)

    def close(self) -> None:
        """Closes the table, and ends the engine if it was started here."""
        self._play.close()


def _seat(agent: str) -> SeatNumber:
    return 1 if agent == AGENTS[1] else 2


def _other(seat: SeatNumber) -> SeatNumber:
    return 2 if seat == 1 else 1
