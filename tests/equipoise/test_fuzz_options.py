"""Random values of every option and argument of every command: the command works, or one line says why not.

What many commands take is read and refused alike by all of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from equipoise.cli import app, run
from equipoise.lab import serving
from tests.equipoise.conftest import Cli
from tests.fuzzing import VALUES, fuzzed

pytestmark = pytest.mark.usefixtures("scratch")

TWO = "--strategies greedy,random"
LINES = {
    "simulate": "--quiet --games 10 --strategies random --format none --threads 1",
    "report": "run --no-open --deals 10 --out made.html --force",
    "replay": "--strategies random --out made.txt --force",
    "import": "results.csv --out made-run --force",
    "export": "run --out made.csv --force",
    "verify": "run",
    "log": ". --out made.html --no-open --force",
    "index": ". --no-open",
    "games": "",
    "strategies": "",
    "check": "small.toml --games 1000",
    "compare": "base seat-compensation --strategies greedy --games 60 --players 2 --format none --habit",
    "sweep": "--set starting_coins.1=1..2 --strategies greedy --games 60 --players 2 --format none",
    "sensitivity": "--only shortfall --strategies greedy --games 60 --players 2 --format none",
    "skill": "--players 2 --games 60 --searched 2 --format none",
    "luck": "--strategies greedy --games 60 --players 2 --format none",
    "cards": "alliance --strategies greedy --games 40 --players 2 --quick --format none",
    "mend": "--free starting_coins.2 --habit --strategies greedy --games 60 --rounds 1 --best 1 --players 2 "
    "--format none",
    "playtest": "--plan 10 --strategies random|greedy --games 60 --format none",
    "odds": "6 6",
    "tournament": f"{TWO} --games 240 --format none",
    "restrict": "--strategy greedy --forbid plot_token --games 40 --format none",
    "tune": "--budget 1 --games 60 --population 4 --threads 1 --quiet --out made.toml --force",
    "new-game": "made-game",
    "test-game": "",
    "learn": "--budget 1 --games 200 --threads 1 --quiet --out made.toml --force",
    "self-test": "",
    "help": "all",
    "docs": "--no-open",
    "bench": f"--only speed --players 2 {TWO} --seconds 0.01",
    "lab": "--no-open",
    "rules list": "",
    "rules keys": "",
    "rules show": "base",
    "rules validate": "base",
    "rules diff": "base base",
}
"""By command, a line that takes little time."""

NAMES = [
    "greedy", "random", "medievallons", "champion,random", "evil.py:x", "evil", "run", ".", "..", "evil.py", "missing",
    "made.toml", "html,json", "csv", "all", "auto", "tokens=1", "starting_coins=3", "3", "2,3", "0.5", "1%", "fr", "*",
]  # fmt: skip
"""Values that some option takes."""

GAMES = 1000
"""Most games, seconds or candidates."""

LONG = [("test-game", "medievallons"), ("bench", "all")]
"""What takes minutes."""

SLOW = ("learn", "self-test")
"""Commands that play for a minute or more, whatever their options say; `test_learn` and `test_self_test` try those."""


def _commands(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, found in getattr(group, "commands", {}).items():
        yield from _commands(found, (*path, name))
    if not hasattr(group, "commands"):
        yield " ".join(path), group


COMMANDS = dict(_commands(typer.main.get_command(app)))
PLACES = [
    (name, place.opts[0] if place.param_type_name == "option" else "")
    for name, command in COMMANDS.items()
    for place in command.params
    if name not in SLOW and not getattr(place, "is_flag", False)
]
"""Every option that takes a value, and every argument, by command."""


def test_every_command_has_its_line() -> None:
    assert set(COMMANDS) == set(LINES)
    assert len(PLACES) > 100


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run and a small baseline; a lab is made, but not served."""
    folder = tmp_path_factory.mktemp("prepared")
    line = ["simulate", "--games", "60", "--players", "3", "--strategies", "random", "--quiet"]
    assert run(app, [*line, "--out", str(folder / "run")]) == 0
    begin = ["check", "--update", "--game", "middle-ages", "--players", "2", "--strategies", "random"]
    assert run(app, [*begin, "--games", "1000", str(folder / "small.toml")]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving, "serve", lambda *_: None)
        yield folder


@fuzzed
@given(place=st.sampled_from(PLACES), value=st.one_of(st.sampled_from(VALUES + NAMES), st.text(max_size=30)))
def test_options(prepared: Path, place: tuple[str, str], value: str) -> None:
    command, option = place
    if (value.isdecimal() and GAMES < int(value) < 2**64) or (command, value) in LONG:
        return
    for path in Path().iterdir():
        if path.name != "evil.py":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(prepared, ".", dirs_exist_ok=True)
    line = LINES[command].split()
    if not option:
        options = next((number for number, part in enumerate(line) if part.startswith("-")), len(line))
        line = [*line[options:], "--", value]
    elif option in line:
        line[line.index(option) + 1] = value
    else:
        line += [option, value]
    expected = (0, 1, 2, 3) if command == "check" else (0, 2)
    assert run(app, [*command.split(), *line]) in expected
    assert not Path("PWNED").exists() or "evil" in value


SHARED = {
    "--game": ("midle-ages", "--game: no game 'midle-ages'; did you mean 'middle-ages'?"),
    "--players": ("9", "--players: Middle-Ages is for 2 to 5 players, not 9"),
    "--strategies": ("greddy", "--strategies: 'greddy' is not a shipped name, .toml file or module:attribute; did you"),
    "--rules": ("nowhere.toml", "nowhere.toml: no such file"),
    "--set": ("efects.mill_coins=3", "setting efects.mill_coins=3: no table 'efects'; "),
    "--games": ("0", "--games: 0 is out of range; give a whole number from 1"),
    "--seed": ("-1", "--seed: -1 is out of range; give a whole number from 0 to 18,446,744,073,709,551,615"),
    "--threads": ("0", "--threads: 0 is out of range; give a whole number from 1 to 1,024"),
    "--level": ("2", "--level: 2.0 is not a confidence level; give a number between 0 and 1, such as 0.95"),
    "--format": ("htm", "'htm'"),
    "--lang": ("xx", "'--lang': 'xx' is not one of 'en', 'fr'"),
}
"""A bad value of each option that many commands have, and what is said of it."""

OTHERWISE = {
    ("check", "--players"): "--players: is only used for a first baseline",
    ("new-game", "--players"): "--players: '9' is not a number of players",
    ("compare", "--set"): "--set: changes one version",
}
"""Where another thing is wrong with that value."""


@pytest.mark.parametrize("option", SHARED)
def test_what_many_commands_take_is_refused_alike(option: str, prepared: Path, cli: Cli) -> None:
    shutil.copytree(prepared, ".", dirs_exist_ok=True)
    value, usual = SHARED[option]
    for name, command in COMMANDS.items():
        if not any(option in place.opts for place in command.params) or (name, option) == (
            "verify",
            "--game",
        ):  # a file
            continue
        line = ("--no-open" if name == "report" else LINES[name]).split()  # runs would say what was played
        line = [one for at, one in enumerate(line) if option not in line[max(at - 1, 0) : at + 1]]
        said = cli(*name.split(), *line, option, value)
        assert (said.code, said.err.count("\n")) == (2, 1), (name, said)
        assert OTHERWISE.get((name, option), usual) in said.err, (name, said.err)
