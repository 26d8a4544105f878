"""What the trials of this folder share: the program, its processes, matches and their results."""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# How long something may take that should take a moment, on a machine that has much else to do.
PATIENCE = 120.0


class Broken(Exception):
    """A promise that was not kept."""


def program():
    """The program: TABULEIRO, or one that is built."""
    given = os.environ.get("TABULEIRO")
    if given:
        return Path(given).resolve()
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return ROOT / "target/release/tabuleiro"


def wait_until(what, look, patience=PATIENCE):
    """Asks again and again until there is an answer."""
    began = time.monotonic()
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() - began > patience:
            raise Broken(f"waited in vain for {what}")
        time.sleep(0.01)


class Marked:
    """Processes that can be told from all others by their environment, whoever has started them."""

    NAME = "TABULEIRO_TRIAL"

    def __init__(self):
        self.mark = uuid.uuid4().hex

    def start(self, *command, **options):
        environment = {**os.environ, self.NAME: self.mark, **options.pop("env", {})}
        return subprocess.Popen([str(part) for part in command], env=environment, **options)

    def left(self):
        """Those that have not ended, as their command lines."""
        mark = f"{self.NAME}={self.mark}".encode()
        commands = {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                if mark in (folder / "environ").read_bytes().split(b"\0"):
                    line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    # One that has ended and that nobody has asked for its exit code has none.
                    if line:
                        commands[int(folder.name)] = line
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
        return commands

    def kill(self):
        """Kills those that have not ended."""
        for number in self.left():
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def none_is_left(self):
        try:
            wait_until("the end of all processes", lambda: not self.left(), 20)
        except Broken:
            left = self.left()
            for process in left:
                os.kill(process, signal.SIGKILL)
            raise Broken(f"these processes were left: {left}") from None


class Match:
    """A match that always comes out the same, and how it was kept."""

    ARGUMENTS = ["--game", "zurero", "--options", '{"size":7}', "--b", "random", "--seed", "7", "--concurrency", "2"]

    def __init__(self, tabuleiro, games, player="greedy@nodes=60"):
        self.command = [tabuleiro, "engine", "match", *self.ARGUMENTS, "--a", player, "--games", str(games)]
        self.games = games
        self.reference = self.result(subprocess.run(
            [*self.command, "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ).stdout)

    def begun(self, records, resume=True):
        """The command that plays it, and keeps it there."""
        return [*self.command, "--jsonl", "--records", str(records), *(["--resume"] if resume else [])]

    @staticmethod
    def result(output):
        """The report, but for what the clock decides."""
        report = json.loads(output.splitlines()[-1])
        return {name: value for name, value in report.items() if name not in {"seconds", "time_ms", "nodes_per_s"}}

    def ends_as_it_should(self, records):
        """Plays the rest. Gives how many games had to be played, and what was said of damage."""
        played = subprocess.run(self.begun(records), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if played.returncode != 0:
            raise Broken(f"--resume ended with {played.returncode}: {played.stderr}")
        merged = subprocess.run(
            [*self.command[:3], "merge", "--json", str(records)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        if merged.returncode != 0:
            raise Broken(f"merge ended with {merged.returncode}: {merged.stderr}")
        if self.result(merged.stdout) != self.reference:
            raise Broken(f"another result: {merged.stdout}")
        damaged = [line for line in played.stderr.splitlines() if "damaged" in line or "set aside" in line]
        return len(played.stdout.splitlines()), damaged

    @staticmethod
    def whole_games(records):
        """How many games stand there whole."""
        if records.suffix == ".jsonl":
            lines = records.read_bytes().split(b"\n")[:-1] if records.exists() else []
        else:
            lines = [file.read_bytes() for file in records.glob("*.json")] if records.exists() else []
        return len({number for number in map(game_number, lines) if number is not None})


def game_number(text):
    try:
        document = json.loads(text)
        return document["match"]["number"] if document["format"] == "tabuleiro-record" else None
    except (ValueError, KeyError, TypeError):
        return None


class Engine:
    """An engine that is talked to."""

    def __init__(self, processes, tabuleiro, *arguments):
        self.process = processes.start(
            tabuleiro, "engine", *arguments,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.last_id = 0

    def ask(self, method, **params):
        """The result. An engine that has been killed is a BrokenPipeError."""
        self.last_id += 1
        request = {"id": self.last_id, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                # The last line of one that was killed may have no end.
                break
            if message.get("id") == self.last_id:
                if "error" in message:
                    raise Broken(f"{request}: {message['error']}")
                return message["result"]
        raise BrokenPipeError("the engine has ended")

    def kill(self):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except BrokenPipeError:
                pass


class WindowGame:
    """A game between two of the computer's players in a window, which keeps it after every turn."""

    # Small and plain, so that it is drawn quickly on a machine without a graphics card.
    SETTINGS = {"quality": "low", "overlays": False, "evaluation": False}
    SCRIPT = "size 320x240\nnew absorption seed={seed} 1=random 2=random\nseconds 600\n"

    def __init__(self, folder, seed):
        self.data = folder / "data"
        self.data.mkdir()
        (self.data / "settings.json").write_text(json.dumps(self.SETTINGS))
        self.script = folder / "play.script"
        self.script.write_text(self.SCRIPT.format(seed=seed))

    def command(self, tabuleiro, script=None):
        return [tabuleiro, "--data", self.data, "--script", script or self.script]

    def kept(self):
        """What was played according to the disk; None if there is no game yet."""
        files = sorted((self.data / "games").glob("*.json"))
        if not files:
            return None
        try:
            return json.loads(files[-1].read_text())["record"]
        except ValueError as error:
            raise Broken(f"{files[-1].name} is not whole: {error}") from None


@contextmanager
def display():
    """A display that nobody sees."""
    # Without -noreset it begins anew whenever the last window is killed, and refuses who comes meanwhile.
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        number = server.stdout.readline().strip()
        if not number:
            raise SystemExit("Xvfb has found no free display")
        yield {"DISPLAY": f":{number}", "LIBGL_ALWAYS_SOFTWARE": "1"}
    finally:
        server.kill()
        server.wait()


@contextmanager
def folder():
    """A folder for one run. It is left for whoever wants to look if a promise was not kept."""
    path = Path(tempfile.mkdtemp(prefix="tabuleiro-trial-"))
    try:
        yield path
    except BaseException:
        print(f"see {path}", file=sys.stderr)
        raise
    shutil.rmtree(path)


def run_trials(description, trials):
    """Does every trial so often, says what came of it, and ends with 1 if a promise was not kept.

    Interrupted, it says what has come of it so far.

    A trial is a class. It is made once with the program, and then called for each run with a source
    of chance and a folder; it gives what is to be counted by name.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ", ".join(trials)
    parser.add_argument("trials", nargs="*", metavar="TRIAL", help=f"{names}; all of them, if nothing is said")
    parser.add_argument("--runs", type=int, default=500, help="how often each is done (500)")
    parser.add_argument("--seed", type=int, help="decides about all moments; drawn, if nothing is said")
    given = parser.parse_args()
    for name in given.trials:
        if name not in trials:
            parser.error(f"there is no trial {name}; there is {names}")
    # A shell lets what runs in the background ignore the first of them.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    tabuleiro = program()
    all_broken = 0
    for name in given.trials or trials:
        trial, counts, broken, began = trials[name](tabuleiro), Counter(), 0, time.monotonic()
        done, interrupted = 0, False
        try:
            for run in range(given.runs):
                try:
                    with folder() as path:
                        counts.update(trial(random.Random(f"{seed} {name} {run}"), path))
                except Broken as promise:
                    broken += 1
                    print(f"{name}, run {run} of seed {seed}: {promise}", file=sys.stderr)
                done += 1
                if done % 10 == 0:
                    print(f"{name}: {done} of {given.runs}", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            interrupted = True
        trial.close()
        counted = ", ".join(f"{count:,} {what}" for what, count in counts.items())
        seconds = time.monotonic() - began
        print(f"{name}: {done} runs in {seconds:.0f} s, {broken} broken; {counted} (seed {seed})", flush=True)
        all_broken += broken
        if interrupted:
            sys.exit(130)
    sys.exit(1 if all_broken else 0)
