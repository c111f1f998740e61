"""Strategies that users bring to games in plain Python: functions in files of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import equipoise as eq
from simcore.errors import KernelFault, UsageError
from simcore.running.batch import run_chunk
from tests.nim import Written

MINE = """
import equipoise as eq

def last(view, moves, rng):
    return moves[-1]

def wrong(view, moves, rng):
    return moves[len(moves)]

def two(view, moves):
    return moves[0]

@eq.policy("nim", name="first")
def marked(view, moves, rng):
    return moves[0]
"""


@pytest.fixture
def mine(nim: Written) -> str:
    """Write a game and a file of strategies, and return the game's path."""
    Path("mine.py").write_text(MINE)
    return nim()


def test_a_function_of_a_file_plays_here_and_in_other_processes(mine: str) -> None:
    spec = eq.make_spec(mine, strategies=["mine.py:last", "random"], games=60)
    assert spec.strategies == ("last", "random")
    here = run_chunk(spec, 0, 60)
    assert (here != run_chunk(eq.make_spec(mine, strategies=["random", "random"], games=60), 0, 60)).any()
    spec.game.play_batch.elsewhere = True
    assert (run_chunk(spec, 0, 60) == here).all()


def test_a_function_without_a_file_plays_in_this_process(mine: str) -> None:
    names: dict[str, object] = {}
    exec("def high(view, moves, rng): return moves[-1]", names)
    spec = eq.make_spec(mine, strategies=["mine.py:last", "random"], games=60)
    record = spec.lineup_record.copy()
    own = eq.policy("nim")(names["high"])
    record["members"]["policy"][0] = own.address()
    changed = replace(spec, lineup_record=record)
    changed.game.play_batch.elsewhere = True
    assert (run_chunk(changed, 0, 60) == run_chunk(spec, 0, 60)).all()


def test_its_games_are_replayed_if_the_user_trusts_it(mine: str) -> None:
    run = eq.simulate(mine, strategies=["mine.py:last", "mine.py:marked"], games=60, out="run").run
    with pytest.raises(UsageError, match=r"'mine.py:last' played in this run; it is Python code"):
        eq.replay(run, index=3)
    log = eq.replay(eq.load("run", trust=True), index=3)
    assert log.records[-1]["kind"] == "end"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("mine.py:lost", "no 'lost' in mine.py"),
        ("mine.py:two", "'two' must be a function of (view, moves, rng)"),
        ("mine.py:__name__", "not a policy"),
    ],
)
def test_what_is_no_strategy_is_one_line(mine: str, given: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        eq.make_spec(mine, strategies=[given, "random"])
    assert said in str(caught.value)


def test_an_error_names_its_file_and_line(mine: str) -> None:
    with pytest.raises(KernelFault, match=r"wrong raised IndexError: list index out of range \(mine.py, line 8\)"):
        run_chunk(eq.make_spec(mine, strategies=["mine.py:wrong", "random"], games=4), 0, 4)


def test_a_game_of_openspiel_takes_functions_too(mine: str) -> None:
    pytest.importorskip("pyspiel")
    eq.make_spec(mine)  # mine.py names it
    spec = eq.make_spec("openspiel:tic_tac_toe", strategies=["mine.py:last", "random"], games=40)
    assert (run_chunk(spec, 0, 40)["place"] > 0).all()
