"""`import equipoise as eq`: what an analyst types first, and what it says of itself."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import equipoise as eq
from analysis.api import __all__ as analyses
from simcore.running.batch import MAX_GAMES


def test_one_strategy_and_one_setting_need_no_list() -> None:
    short = eq.make_spec(strategies="random", settings="shortfall=debt", games=1e3)
    long = eq.make_spec(strategies=["random"], settings=["shortfall=debt"], games=1000)
    assert (short.strategies, short.rules.digest, short.games) == (long.strategies, long.rules.digest, 1000)
    assert isinstance(short.games, int)


@pytest.mark.parametrize("games", [0, -1, 1.5, math.nan, math.inf, 1e12, MAX_GAMES + 1])
def test_numbers_of_games_that_cannot_be(games: float) -> None:
    with pytest.raises(eq.UsageError, match=r"^games: "):
        eq.make_spec(strategies="random", games=games)


def test_objects_say_in_a_line_what_they_are(tmp_path: Path) -> None:
    from equipoise.cli import app, run

    spec = eq.make_spec(strategies="random", games=20)
    assert repr(spec) == (
        "<Spec: middle-ages, 4 players, rules 'base', random, random, random, random, fixed, seed 1, 20 games>"
    )
    assert repr(eq.replay(spec, 12)).startswith("<Replay of game 12 of <Spec: middle-ages")
    assert run(app, ["simulate", "--games", "20", "--strategies", "random", "--out", str(tmp_path / "run")]) == 0
    found = eq.load(tmp_path / "run")
    assert repr(found).endswith("random, seed 1, 20 games, complete; see polars() and pandas()>")
    with pytest.raises(eq.UsageError, match="no column 'coin'; did you mean 'coins'"):
        found.pandas(["seat", "coin"])


def test_help_names_everything_public() -> None:
    assert eq.__doc__ is not None
    named = set(re.findall(r"\beq\.(\w+)", eq.__doc__))
    assert set(eq.__all__) - {"Run", "Spec"} <= named


def test_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert eq.__version__ == version("equipoise")


def test_public_names_are_what_they_say() -> None:
    assert dir(eq) == sorted([*eq.__all__, *analyses, "__version__"])
    for name in eq.__all__:
        assert getattr(eq, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'laod'"):
        eq.laod  # noqa: B018
