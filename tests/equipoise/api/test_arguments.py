"""Every function of `eq` refuses an argument of a wrong type in one line that names it, before it does anything."""

from __future__ import annotations

import inspect
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis import api
from simcore.running import batch

REQUIRED: dict[str, Any] = {
    "attacker": 4, "baseline": "none.toml", "cards": ["alliance"], "data": "none", "defender": 4,
    "expression": pl.col("coins"), "first": 0,
    "folder": "none", "frame": pl.DataFrame(), "game": "middle-ages", "games": 2, "name": "mine",
    "new": eq.rules(),
    "old": eq.rules(), "out": "none",
    "path": "none.csv", "run": "none", "runs": ["none"], "skills": ["a"],
    "spec": eq.make_spec(strategies="random", games=2), "topic": "cards", "values": {}, "where": "local:1",
}  # fmt: skip
"""A fitting value for each argument that has no default."""

WRONG = (object(), b"text", {1: object()}, [[object()]], 10**5000)


@pytest.mark.parametrize(
    "name", [name for name in (*eq.__all__, *api.__all__) if inspect.isfunction(getattr(eq, name))]
)
def test_every_argument_of_a_wrong_type_is_refused_in_one_line(name: str) -> None:
    function = getattr(eq, name)
    found = inspect.signature(function).parameters
    needed = {one: REQUIRED[one] for one, about in found.items() if about.default is about.empty and one in REQUIRED}
    for parameter, about in found.items():
        several = about.kind is inspect.Parameter.VAR_POSITIONAL
        for wrong in WRONG:
            with pytest.raises(eq.UsageError) as caught:
                function(wrong) if several else function(**needed | {parameter: wrong})
            said = str(caught.value)
            assert said.startswith(f"{parameter}: ")
            assert "cannot be used; give " in said
            assert "\n" not in said
            assert not re.search(r"--[a-z]", said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"players": "two"}, "players: 'two' cannot be used; give a whole number or None"),
        ({"players": True}, "players: True cannot be used; give a whole number or None"),
        ({"strategies": 3}, "strategies: 3 cannot be used; give text, a path, a list of these or a mapping"),
        ({"tables": "events"}, "tables: 'events' cannot be used; give a list of texts"),
        ({"rules": None}, "rules: None cannot be used; give text, a path or rules"),
        ({"force": "no"}, "force: 'no' cannot be used; give True or False"),
        ({"out": 3.5}, "out: 3.5 cannot be used; give text, a path, True, False or None"),
        ({"progress": 1}, "progress: 1 cannot be used; give True, False, a function or None"),
        ({"out": "a\0b"}, "out: 'a\\x00b' cannot be used; give text, a path, True, False or None"),
        ({"seed": 10**5000}, "seed: a number this large cannot be used; give a whole number"),
    ],
)
def test_messages_say_what_to_give(given: dict[str, Any], said: str) -> None:
    with pytest.raises(eq.UsageError) as caught:
        eq.simulate(**given)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("first", "games", "said"),
    [
        (10**30, 1, f"first: {10**30} is out of range; give a whole number from 0 to 4,294,967,294"),
        (-1, 1, "first: -1 is out of range; give a whole number from 0 to 4,294,967,294"),
        (5, -1, "games: -1 is out of range; give a whole number from 0 to 4,294,967,290"),
        (0, 10**30, f"games: {10**30} is out of range; give a whole number from 0 to 4,294,967,295"),
    ],
)
def test_games_that_no_run_has_are_refused(first: int, games: int, said: str) -> None:
    spec = eq.make_spec(players=3, strategies=["random"], games=30)
    with pytest.raises(eq.UsageError) as caught:
        eq.run_chunk(spec, first, games)
    assert str(caught.value) == said
    assert not len(eq.run_chunk(spec, 4_294_967_294, 0))


def test_rows_that_do_not_fit_into_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*given: object) -> None:
        raise MemoryError

    monkeypatch.setattr(batch, "run_chunk", full)
    with pytest.raises(eq.UsageError, match=r"^games: 4,000,000,000 games do not fit into the memory; play fewer at a"):
        eq.run_chunk(eq.make_spec(players=3, strategies=["random"], games=30), 0, 4_000_000_000)


def test_an_unknown_argument_is_what_python_says() -> None:
    with pytest.raises(TypeError, match=r"simulate\(\) got an unexpected keyword argument 'strategy'"):
        eq.simulate(strategy="random")


def test_numbers_and_tables_of_other_packages_are_taken() -> None:
    plain = eq.make_spec(players=3, strategies=["random", "greedy", "random"], seed=7, games=30)
    for names in (np.array(plain.strategies), pl.Series(plain.strategies), list(plain.strategies)):
        given: Any = {"players": np.int64(3), "strategies": names, "seed": np.uint8(7), "games": np.float32(30)}
        spec = eq.make_spec(**given)
        assert spec.lineup_record.tobytes() == plain.lineup_record.tobytes()
        assert {type(value) for value in (spec.players, spec.seed, spec.games)} == {int}


def test_a_simulation_stands_for_its_run(tmp_path: Path) -> None:
    found: Any = eq.simulate(strategies="random", games=80, threads=1, out=tmp_path / "run")
    assert eq.verify(found).difference is None
    assert eq.seat_advantage(found).table.equals(eq.seat_advantage(tmp_path / "run").table)
    with pytest.raises(eq.UsageError, match="no table was written; simulate with out=True"):
        eq.seat_advantage(eq.simulate(strategies="random", games=80, threads=1))


def test_functions_stay_what_they_are() -> None:
    assert pickle.loads(pickle.dumps(eq.simulate)) is eq.simulate
    assert eq.simulate.__doc__ is not None
    assert "precision" in inspect.signature(eq.simulate).parameters
