"""A bot that takes any legal action."""

import random

from tabuleiro import Bot, ChooseRequest


class RandomBot(Bot):
    def choose(self, request: ChooseRequest) -> str:
        return random.choice(request.legal)


RandomBot().run()
