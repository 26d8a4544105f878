"""A good bot that knows the rules of no game: flat Monte-Carlo.

It lets an engine of its own play games to their end, both seats at random, and takes the action whose games were won
most often. An action that wins at once is taken at once.

Every game teaches it something about all the actions that its seat played in it, not about the first one alone ("all
moves as first"), so that a few dozen games say something about a few hundred actions.
"""

from __future__ import annotations

import math
import random
import time

from tabuleiro import Bot, ChooseRequest, Engine, Table, ai
from tabuleiro.messages import State

#: How many seconds it thinks if nobody limits it.
SECONDS = 1.0
#: The part of the time that it uses; the rest is for the way to the engine and back.
SHARE = 0.8
#: How many turns a game with points goes on, and the most that such a game can be told to have.
TURNS_AHEAD = 4
LONGEST_GAME = 1000


class Arm:
    """An action, how often it was tried, and what came of the games in which it was played."""

    def __init__(self, action: str) -> None:
        self.action = action
        self.tries = 0
        self.games = 0
        self.won = 0.0

    def mean(self) -> float:
        return (self.won + 0.5) / (self.games + 1)

    def score(self, games: int) -> float:
        """Its mean, and more for what was seldom tried (UCB1)."""
        return self.mean() + math.sqrt(0.1 * math.log(games + 1) / (self.tries + 1))


class MonteCarloBot(Bot):
    def __init__(self) -> None:
        self.engine = Engine.start()

    def choose(self, request: ChooseRequest) -> str:
        seconds, most_games = request.time_left(), request.limits.get("nodes", math.inf)
        if seconds == most_games == math.inf:
            seconds = SECONDS
        asked = time.monotonic()
        half_time, deadline = asked + seconds * SHARE / 2, asked + seconds * SHARE
        chance = random.Random(request.seed)

        table = self.engine.new(request.game, request.options, start=request.start)
        if request.played:
            table.play(*request.played)
        record = table.record()
        arms = []
        for action in chance.sample(request.legal, len(request.legal)):
            outcome = table.preview(action)["state"]["outcome"]
            if outcome is None:
                arms.append(Arm(action))
            elif outcome["winner"] == request.to_move:
                arms = [Arm(action)]
                break
            if time.monotonic() > half_time:
                # The rest is not looked at: better to know something of some actions than nothing of all.
                break
        table.close()
        if len(arms) < 2:
            # A win, or the only one that does not end the game, if there is one.
            return arms[0].action if arms else request.legal[0]

        # From here on both seats play on by themselves as soon as the game is loaded.
        record["seats"] = {"1": ai("random"), "2": ai("random")}
        if "points" in request.state["counters"]:
            # At random such a game would go on for ever: it ends after a few turns, and the points tell how it stands.
            limit = record["options"]["turn_limit"] or LONGEST_GAME
            record["options"]["turn_limit"] = min(limit, request.state["turn"] + TURNS_AHEAD)
        games = 0
        while games < most_games and time.monotonic() < deadline:
            tried = max(arms, key=lambda arm: arm.score(games))
            record["played"] = [*request.played, tried.action]
            record["seed"] = chance.getrandbits(32)
            game = self.engine.load(record)
            try:
                game.wait_for_end(deadline - time.monotonic())
                worth, played = worth_of(game.state, request.to_move), own_actions(game, request)
            except TimeoutError:
                break
            finally:
                game.close()
            games += 1
            tried.tries += 1
            for arm in arms:
                if arm.action in played:
                    arm.games += 1
                    arm.won += worth
        return max(arms, key=Arm.mean).action


def worth_of(state: State, seat: int) -> float:
    """What the end of a game is worth to a seat: 1 a win, 0 a loss."""
    outcome = state["outcome"]
    winner = outcome["winner"] if outcome is not None else None
    if winner is not None:
        return float(winner == seat)
    if "points" in state["counters"]:
        one, two = state["counters"]["points"]
        own, other = (one, two) if seat == 1 else (two, one)
        return float(0.5 + (own - other) / (own + other) / 2)
    return 0.5


def own_actions(game: Table, request: ChooseRequest) -> set[str]:
    """What the seat that is asked has played at a table since it was asked."""
    own = set()
    for turn in game.history()["turns"]:
        if turn["seat"] == request.to_move:
            before = turn["ply"] - len(turn["actions"])
            own.update(turn["actions"][max(0, len(request.played) - before) :])
    return own


if __name__ == "__main__":
    MonteCarloBot().run()
