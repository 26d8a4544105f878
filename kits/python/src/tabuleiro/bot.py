"""What a player of one's own is made from."""

from __future__ import annotations

import math
import os
import sys
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Mapping, cast

from tabuleiro import lines
from tabuleiro.messages import Limits, Options, SeatNumber, Start, State

PARSE_ERROR = (-32700, "parse_error")
INVALID_REQUEST = (-32600, "invalid_request")
UNKNOWN_METHOD = (-32601, "unknown_method")
INVALID_PARAMS = (-32602, "invalid_params")
INTERNAL = (-32603, "internal")


@dataclass(frozen=True)
class ChooseRequest:
    """A position, and the request to choose what to play in it.

    `legal` has every action that is legal now, so that a bot needs no rules of its own. `state` is the position,
    `played` every action since the start of the game, and `start` the position at the start if it was told.
    """

    game: str
    options: Options
    legal: list[str]
    state: State
    played: list[str]
    start: Start | None
    limits: Limits
    seed: int | None
    #: When it was asked, by `time.monotonic`.
    asked: float = field(default_factory=time.monotonic)

    @property
    def to_move(self) -> SeatNumber:
        """The seat that the bot plays."""
        seat = self.state["to_move"]
        assert seat is not None, "nobody is asked once the game is over"
        return seat

    def time_left(self) -> float:
        """How many seconds are left to answer in; infinite if the time is not limited. What the way to the engine takes is not in it."""
        longest = math.inf
        if "time_ms" in self.limits:
            longest = self.limits["time_ms"] / 1000
        clock = self.limits.get("clock")
        if clock is not None:
            # The share that the engine's own players take.
            left, increment = clock["left_ms"] / 1000, clock.get("increment_ms", 0) / 1000
            longest = min(longest, left / 30 + increment / 2, left / 2)
        return self.asked + longest - time.monotonic()


#: The name that it had before, for bots that use it.
Question = ChooseRequest


class Bot:
    """A player. Override `choose`, then `run` answers the engine on standard input and output.

        class First(Bot):
            def choose(self, request):
                return request.legal[0]

        First().run()

    What it prints goes to standard error, which the engine keeps for people: standard output belongs to the protocol.
    """

    #: How it calls itself.
    name: str | None = None
    version: str = "1"

    def choose(self, request: ChooseRequest) -> str | list[str]:
        """What to play: one action, or several up to the whole turn. After a part of a turn it is asked again."""
        raise NotImplementedError(f"{type(self).__name__} has no method \"choose\"")

    def run(self) -> None:
        """Answers until the end of input."""
        requests = sys.stdin.buffer
        # From here on nothing but answers can come to where the engine reads, whoever prints, child processes included.
        answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        sys.stdout = sys.stderr
        try:
            self._serve(requests, answers)
        except BrokenPipeError:
            # Nobody listens any more.
            pass

    def _serve(self, requests: BinaryIO, answers: BinaryIO) -> None:
        while True:
            try:
                line = lines.read_request_line(requests)
            except lines.TooLong:
                answer: Any = _refusal(None, INVALID_REQUEST, f"a line has at most {lines.LONGEST_LINE} bytes")
            else:
                if line is None:
                    return
                answer = self._answer(line)
            if answer is not None:
                answers.write(lines.encode(answer))
                answers.flush()

    def _answer(self, line: bytes) -> Any:
        """The answer to a line; `None` if nobody waits for one."""
        try:
            request = lines.decode(line)
        except ValueError as error:
            return _refusal(None, PARSE_ERROR, f"this is not JSON: {error}")
        if isinstance(request, list):
            return _refusal(None, INVALID_REQUEST, "batches are not taken: send one object a line")
        if not isinstance(request, dict):
            return _refusal(None, INVALID_REQUEST, 'a request is an object with "id", "method" and "params"')
        id = request.get("id")
        if "id" in request and (isinstance(id, bool) or not isinstance(id, (int, str))):
            return _refusal(None, INVALID_REQUEST, '"id" must be a string or a whole number')
        method = request.get("method")
        if not isinstance(method, str):
            return _refusal(id, INVALID_REQUEST, 'a request needs a "method", which is a string')
        try:
            answer = {"jsonrpc": "2.0", "id": id, "result": self._result(method, request.get("params"))}
        except _Refused as refused:
            answer = _refusal(id, refused.error, refused.message, **refused.more)
        except Exception as error:
            traceback.print_exc()
            answer = _refusal(id, INTERNAL, f"the bot failed: {type(error).__name__}: {error}")
        return answer if "id" in request else None

    def _result(self, method: str, params: Any) -> Any:
        if method == "hello":
            return {"engine": self.name or type(self).__name__, "version": self.version, "protocol": 1}
        if method == "choose":
            chosen = self.choose(_choose_request(params))
            actions = [chosen] if isinstance(chosen, str) else chosen
            if not isinstance(actions, list) or not actions or not all(isinstance(one, str) for one in actions):
                raise TypeError(f"choose must give an action or a list of actions, not {chosen!r}")
            return {"actions": actions}
        raise _Refused(UNKNOWN_METHOD, f'there is no method "{method}"; there is hello, choose', method=method)


class _Refused(Exception):
    def __init__(self, error: tuple[int, str], message: str, **more: str) -> None:
        self.error = error
        self.message = message
        self.more = more


def _refusal(id: Any, error: tuple[int, str], message: str, **more: str) -> Any:
    code, kind = error
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message, "data": {"kind": kind, **more}}}


def _choose_request(params: Any) -> ChooseRequest:
    given = {} if params is None else params
    if not isinstance(given, dict):
        raise _Refused(INVALID_PARAMS, "params: must be an object", field="params")
    return ChooseRequest(
        game=_member(given, "game", str),
        options=_member(given, "options", dict, {}),
        legal=_actions(given, "legal"),
        state=cast(State, _member(given, "state", dict)),
        played=_actions(given, "played"),
        start=cast("Start | None", _member(given, "start", dict, None)),
        limits=cast(Limits, _member(given, "limits", dict, {})),
        seed=_member(given, "seed", int, None),
    )


_NEEDED = object()


def _member(given: Mapping[str, Any], name: str, kind: type, default: Any = _NEEDED) -> Any:
    value = given.get(name)
    if value is None:
        if default is _NEEDED:
            raise _Refused(INVALID_PARAMS, f"{name}: is missing", field=name)
        return default
    if not isinstance(value, kind):
        called = {str: "a string", dict: "an object", list: "an array", int: "a whole number"}[kind]
        raise _Refused(INVALID_PARAMS, f"{name}: must be {called}", field=name)
    return value


def _actions(given: Mapping[str, Any], name: str) -> list[str]:
    actions = _member(given, name, list)
    for index, action in enumerate(actions):
        if not isinstance(action, str):
            raise _Refused(INVALID_PARAMS, f"{name}[{index}]: must be a string", field=f"{name}[{index}]")
    return cast("list[str]", actions)
