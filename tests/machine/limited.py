"""Commands that the system gives little: `python -m tests.machine.limited` takes lines, and prints how each ended."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl
from typer.main import get_command

import equipoise as eq
from equipoise.cli import app
from tests.machine.forking import answers, ended, make_ready
from tests.toy import ROOT

LIMITS = {"memory": resource.RLIMIT_AS, "files": resource.RLIMIT_NOFILE, "size": resource.RLIMIT_FSIZE}
"""What can be limited: address space in bytes, open files, and bytes of a file, which is as if the disk were full."""

RANDOM = "--strategies random"
MADE = "--out made --no-open"
LINES = {
    "simulate": f"--games 2000 {RANDOM} --detail summary --out made",
    "report": "{inputs}/run --deals 40 --format html,md,csv,png --out page.html --no-open",
    "compare": f"base gentler-barracks --games 400 {RANDOM} {MADE}",
    "sweep": f"--set starting_coins.1=0..1 --games 240 {RANDOM} {MADE}",
    "sensitivity": f"--only shortfall --games 240 {RANDOM} {MADE}",
    "skill": f"--players 2 --games 240 --searched 2 {MADE}",
    "luck": f"--games 400 {RANDOM} {MADE}",
    "cards": f"alliance --quick --games 40 {RANDOM} {MADE}",
    "mend": f"--free starting_coins --games 240 --rounds 1 --best 1 {RANDOM} {MADE}",
    "playtest": "{inputs}/games.csv --strategies random|greedy --games 400 " + MADE,
    "tournament": f"--strategies greedy,random --players 2 --games 80 {MADE}",
    "restrict": f"--strategy greedy --games 40 --forbid plot_token {MADE}",
    "replay": f"{RANDOM} --out game.txt",
    "export": "{inputs}/run --out x.parquet",
    "verify": "{inputs}/run",
    "log": "{inputs} --out log.html --no-open",
    "index": ". --no-open",
    "games": "",
    "strategies": "",
    "check": "{baselines}/default.toml --out check.json --page page.html --markdown a.md --junit a.xml",
    "tune": "--budget 1 --games 60 --population 4 --out tuned.toml",
    "learn": "--budget 1 --games 200 --players 2 --out learnt.toml",
    "odds": "4..12 6 --chart odds.svg",
    "new-game": "mine",
    "test-game": "siege",
    "bench": "--only speed --strategies random --players 3 --seconds 0.01 --out bench.json",
    "self-test": "",
    "help": "report",
    "docs": "--no-open",
    "import": "{inputs}/games.csv --out made",
    "rules list": "",
    "rules keys": "",
    "rules show": "",
    "rules validate": "base",
    "rules diff": "base gentler-barracks",
}
"""A command line of every command, after the command's name; `make_inputs` makes what they read."""

SERVERS = {"lab": "--no-open"}
"""Command lines of commands that end only when they are interrupted."""

READERS = {"verify", "games", "strategies", "test-game", "self-test", "help", "docs"}
READERS |= {name for name in LINES if name.startswith("rules")}
"""Commands that write nothing."""

NOTE = re.compile(
    r"Compiling |Compiled kernels cannot be kept|By habit: |Continuing with |Not known: |[\d,]+ of [\d,]+ .*\(\d+%\)"
)
"""How lines begin that say what happens, and not why the command ends."""


class Limited(NamedTuple):
    """A command, what it is given, in units of `LIMITS`, and the folder that it runs in."""

    command: str
    limit: str
    most: int
    folder: Path

    @property
    def words(self) -> list[str]:
        """The command line."""
        inputs, baselines = self.folder.parent / "in", ROOT / "configs/middle-ages/baselines"
        line = (LINES | SERVERS)[self.command].format(inputs=inputs, baselines=baselines)
        return [*self.command.split(), *line.split()]


def commands(command: object = None, above: str = "") -> Iterator[str]:
    """Yield the names of all commands that the application has."""
    parts = getattr(get_command(app) if command is None else command, "commands", None)
    if parts is None:
        yield above.strip()
        return
    for name, part in parts.items():
        yield from commands(part, f"{above} {name}")


def make_inputs(folder: Path) -> None:
    """Make what the command lines read, and the folders that they run in."""
    (folder / "in").mkdir()
    eq.simulate(strategies=["random"], games=480, out=folder / "in/run")
    (folder / "in/games.csv").write_bytes((ROOT / "docs/example-games.csv").read_bytes())


def prepare(one: Limited) -> None:
    """Make the folder that a command runs in."""
    one.folder.mkdir(exist_ok=True)
    if one.command == "index" and not list(one.folder.iterdir()):
        shutil.copytree(one.folder.parent / "in/run", one.folder / "run")


def limited(tried: Sequence[Limited]) -> list[tuple[int | None, str]]:
    """Return how commands ended, as `tests.machine.forking.ended` does."""
    for one in tried:
        prepare(one)
    return answers("tests.machine.limited", [(*one[:3], str(one.folder)) for one in tried])


def check_ended(one: Limited, code: int | None, error: str) -> None:
    """Check that a command succeeded, or said in one line why it did not, and that all that it left is whole."""
    assert code is not None, f"{one} did not end"
    assert code in (0, 2) or one.command == "test-game", (one, code, error)  # says it in the words of a failed check
    assert "Traceback" not in error, (one, error)
    told = [line for line in error.splitlines() if not NOTE.match(line)]
    assert len(told) == (code == 2), (one, error)
    assert all(line.startswith("error: ") for line in told), (one, error)
    for path in one.folder.rglob("*"):
        assert not path.name.startswith("."), (one, path)
        assert _is_whole(path), (one, path)


def _is_whole(path: Path) -> bool:
    """Return whether a file that a command left can be used, or a folder has something in it."""
    if path.is_dir():
        return any(path.iterdir())
    if path.suffix == ".parquet":
        return pl.read_parquet(path).height > 0
    if path.suffix == ".json":
        return isinstance(json.loads(path.read_bytes()), dict)
    ends = {
        ".html": (b"</html>", b"</html>\n"),
        ".svg": b"</svg>\n",
        ".png": b"IEND\xaeB`\x82",
        ".xml": b">\n",
        ".npz": b"",
    }
    return path.stat().st_size > 0 and path.read_bytes().endswith(ends.get(path.suffix, b"\n"))


def _limit(one: Limited) -> None:
    os.chdir(one.folder)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(LIMITS[one.limit], (one.most, one.most))


if __name__ == "__main__":
    make_ready()
    tried = [Limited(command, limit, most, Path(folder)) for command, limit, most, folder in json.load(sys.stdin)]
    print(json.dumps([ended(one.words, partial(_limit, one)) for one in tried]))
