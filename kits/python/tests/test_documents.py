"""Everything public says what it is for."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import unittest
from types import ModuleType
from typing import Any, Iterator

import tabuleiro


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """What a module makes itself and does not hide: its functions and classes, and their methods and properties."""
    yield module.__name__, module
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            yield f"{module.__name__}.{name}", thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if member.startswith("_"):
                    continue
                value = getattr(value, "__func__", value)
                if inspect.isfunction(value) or isinstance(value, property):
                    yield f"{module.__name__}.{name}.{member}", value


class Docstrings(unittest.TestCase):
    def test_everything_public_has_one(self) -> None:
        names = [module.name for module in pkgutil.iter_modules(tabuleiro.__path__, "tabuleiro.")]
        self.assertIn("tabuleiro.engine", names)
        if importlib.util.find_spec("pettingzoo") is None:
            names.remove("tabuleiro.env")
        modules = [tabuleiro, *map(importlib.import_module, names)]
        things = [thing for module in modules for thing in public(module)]
        self.assertGreater(len(things), 150)
        self.assertEqual([name for name, thing in things if not thing.__doc__], [])


if __name__ == "__main__":
    unittest.main()
