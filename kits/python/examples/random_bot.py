"""A bot that takes any legal action."""

import random

from tabuleiro import Bot, Question


class RandomBot(Bot):
    def choose(self, question: Question) -> str:
        return random.choice(question.legal)


RandomBot().run()
