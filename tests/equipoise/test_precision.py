"""`simulate --precision`: the run ends once the intervals are as narrow as asked, and not for another reason."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from analysis.precision import LEAST_GAMES, read_goal, stages
from simcore.errors import Interrupted
from simcore.running.batch import MAX_GAMES
from tests.equipoise.conftest import Cli
from tests.manifests import manifest_of
from tests.specs import make_spec

RANDOM = ("--strategies", "random", "--players", "3")


def often(join: Any) -> Any:
    """Look for Ctrl-C all the time."""
    from concurrent.futures import FIRST_EXCEPTION, wait

    def joined(futures: Any, tick: Any) -> None:
        pending = set(futures)
        while pending:
            _, pending = wait(pending, timeout=0.002, return_when=FIRST_EXCEPTION)
            tick()

    return joined


def test_the_run_ends_when_it_is_precise_enough(tmp_path: Path) -> None:
    found = eq.simulate(players=3, strategies="random", precision="2pp", threads=1, out=tmp_path / "run")
    seats = found.seats
    assert ((seats["high"] - seats["low"]) / 2).max() <= 0.02
    games = [stage.games for stage in islice(stages(found.spec, read_goal("2pp")), 40)]
    assert found.spec.games in games
    last = games.index(found.spec.games)
    if last:
        fewer = eq.simulate(players=3, strategies="random", games=games[last - 1], threads=1).seats
        assert ((fewer["high"] - fewer["low"]) / 2).max() > 0.02
    plain = eq.simulate(players=3, strategies="random", games=found.spec.games, threads=1)
    assert plain.result.digest == found.result.digest == manifest_of(tmp_path / "run")["digest"]
    assert eq.load(tmp_path / "run").manifest.precision == "2pp"
    assert found.run.polars().collect().height == 3 * found.spec.games


def test_it_ends_at_the_same_game_after_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcore.running import executors

    monkeypatch.setattr(executors, "_join", often(executors._join))
    wanted = {"players": 3, "strategies": "random", "precision": "1pp", "yes": True}

    def tick(done: int, total: int) -> None:
        if done > 1500:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        eq.simulate(**wanted, threads=1, out=tmp_path / "run", progress=tick)
    monkeypatch.undo()
    again = eq.resume(tmp_path / "run", threads=2)
    whole = eq.simulate(**wanted, threads=2)
    assert again.spec.games == whole.spec.games > 1500
    assert again.result.digest == whole.result.digest


def test_looks_are_fixed_before_the_run_and_grow_by_a_quarter() -> None:
    spec = make_spec(4, ["greedy", "random", "random", "random"], design="rotate")
    goal = read_goal("1pp")
    games = [stage.games for stage in islice(stages(spec, goal), 30)]
    assert games[0] >= LEAST_GAMES
    assert all(count % 4 == 0 for count in games)
    assert all(before * 1.25 <= after < before * 1.25 + 4 for before, after in pairwise(games))
    every = [part for stage in islice(stages(spec, goal), 30) for part in stage.parts]
    assert [part.number for part in every] == list(range(len(every)))
    assert all(one.first + one.games == two.first for one, two in pairwise(every))
    assert list(stages(spec, read_goal("0.002pp")))[-1].games == MAX_GAMES // 4 * 4


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("0.1", "'0.1' is not a precision; give percentage points below 50, such as 0.1pp or strategies=0.2pp"),
        ("60pp", "'60pp' is not a precision"),
        ("seat=1pp", "no measure 'seat'; did you mean 'seats'?"),
        ("score=1pp", "'score=1pp' is not a precision; give a number above 0, such as score=0.1"),
        ("ties=1", "'ties=1' is not a precision; give percentage points below 50, such as 0.1pp"),
        ("length=1", "the rows of Middle-Ages do not show 'length'; ask for score, spread, margin, lead_changes"),
        ("score=0.000001", "games, and a run can have 4,294,967,295 at most; ask for less, such as score="),
        ("camps=1pp", "Middle-Ages has no camps; ask for seats"),
        ("strategies=1pp", "each role has one strategy, with all wins of the role; ask for seats"),
        ("0.00001pp", "games, and a run can have 4,294,967,295 at most; ask for less, such as seats="),
    ],
)
def test_what_cannot_be_asked_for(cli: Cli, given: str, says: str) -> None:
    said = cli("simulate", *RANDOM, "--precision", given)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith("error: --precision: ")
    assert says in said.err


def test_a_precision_that_takes_long_is_said_before(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("equipoise.api.simulation.probed", lambda spec, threads, goal: (10**9, 1e8))
    said = cli("simulate", *RANDOM, "--precision", "0.01pp")
    assert said.code == 2
    assert said.err.endswith("games, which is 3 years on this machine; ask for less precision, or confirm with --yes\n")
    assert list(tmp_path.iterdir()) == []


def test_games_and_precision_exclude_each_other(cli: Cli) -> None:
    said = cli("simulate", *RANDOM, "--precision", "1pp", "--games", "1e3")
    assert said.err == (
        "error: --precision: the precision decides how many games there are; leave out one of the two\n"
    )


def test_significance_ends_nothing() -> None:
    """A share that is far from par from the first look on has to be known as well as any other."""
    spec = make_spec(2, ["greedy", "random"], design="fixed")
    wanted = {"players": 2, "strategies": ["greedy", "random"], "design": "fixed", "threads": 1}
    found = eq.simulate(**wanted, precision="1pp", yes=True)
    goal = read_goal("1pp")
    first = next(stages(spec, goal)).games
    early = eq.simulate(**wanted, games=first)
    assert early.seats["low"].max() > 0.5
    widest = ((early.seats["high"] - early.seats["low"]) / 2).max()
    assert (found.spec.games > first) == (widest > 0.01)


MEASURES = "score=0.4,margin=0.5,lead_changes=0.04,ties=2pp,comeback=2pp"


@pytest.mark.parametrize("detail", ["minimal", "summary"])
def test_a_run_to_a_precision_of_measures_ends_at_the_same_game_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, detail: str
) -> None:
    from simcore.running import executors

    monkeypatch.setattr(executors, "_join", often(executors._join))
    wanted = {"players": 3, "strategies": "random", "precision": MEASURES, "detail": detail}

    def tick(done: int, total: int) -> None:
        if done > 1_200:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        eq.simulate(**wanted, threads=1, out=tmp_path / "run", progress=tick)
    monkeypatch.undo()
    assert manifest_of(tmp_path / "run")["games_written"] > 0
    again = eq.resume(tmp_path / "run", threads=2)
    whole = eq.simulate(**wanted, threads=1, out=tmp_path / "whole")
    assert again.spec.games == whole.spec.games > 1_200
    assert again.result.digest == whole.result.digest
    assert again.measures.equals(whole.measures)
    wishes = dict(read_goal(MEASURES).wishes)
    assert all((high - low) / 2 <= wishes[name] for name, _, _, low, high in whole.measures.iter_rows())
    known = eq.resume(tmp_path / "run")
    assert known.measures.equals(whole.measures)


def test_measures_are_those_of_the_analyses(cli: Cli, tmp_path: Path) -> None:
    said = cli("simulate", *RANDOM, "--precision", MEASURES, "--detail", "full", "--out", tmp_path / "run")
    assert said.code == 0
    assert "each measure for itself" in " ".join(said.out.split())
    found = eq.resume(tmp_path / "run").measures
    value = {(name, member): value for name, member, value, _, _ in found.iter_rows()}
    ends = eq.closeness(tmp_path / "run").table.row(0, named=True)
    seats = eq.seat_advantage(tmp_path / "run").table["score"]
    assert [value["score", f"seat {seat}"] for seat in (1, 2, 3)] == pytest.approx(seats.to_list())
    assert value["margin", ""] == pytest.approx(ends["margin"])
    assert value["ties", ""] == pytest.approx(ends["shared"])
    drama = eq.drama(tmp_path / "run").table.row(0, named=True)
    assert value["lead_changes", ""] == pytest.approx(drama["lead_changes"])
    assert value["comeback", ""] == pytest.approx(drama["comeback"])
    assert f"{value['margin', '']:.3f}" in said.out


def test_the_length_of_a_game_can_be_what_is_asked_for() -> None:
    found = eq.simulate("seigneurial", strategies="random", precision="length=0.4", threads=1)
    (length,) = found.measures.iter_rows(named=True)
    assert length["name"] == "length"
    assert 0 < length["high"] - length["low"] <= 0.8
    assert found.spec.games in [stage.games for stage in islice(stages(found.spec, read_goal("length=0.4")), 40)]
