"""Commands that play many tables go on where an earlier process was stopped, and come to the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis import restricted_play
from analysis.cards import counterfactual as cards
from analysis.compare.shares import totals
from analysis.data import resumable as kept
from analysis.data import sources, store
from analysis.tournament import playing
from analysis.tournament.playing import make_schedule
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.library import load_strategy
from strategies.restrictions import find_restrictions
from tests.specs import make_spec

GAME = load_game("middle-ages")
RULES = load_rules(GAME)
Tick = Callable[[int], None]


class Stopped(Exception):
    """The power failed."""


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of its own; a state is kept after every step, and steps are short."""
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: tmp_path)
    monkeypatch.setattr(kept, "EVERY", 0.0)
    monkeypatch.setattr(kept, "MOST_OF_TIME", 0)
    for module in (restricted_play, cards, playing):
        monkeypatch.setattr(module, "STRETCH", 60)
    monkeypatch.setattr(sources, "SLICE", 60)
    return tmp_path


def tournament(tick: Tick) -> list[Any]:
    strategies = [load_strategy(GAME, name) for name in ("greedy", "random")]
    found = playing.play(GAME, strategies, RULES, make_schedule(2, 3, 600), threads=1, tick=tick)
    return [*found.wins, found.deals]


def restrict(tick: Tick) -> list[Any]:
    forbidden = find_restrictions("middle-ages", RULES.values, ["scout", "rampart"], "forbid")
    greedy = load_strategy(GAME, "greedy")
    found = restricted_play.restricted(GAME, greedy, greedy, RULES, forbidden, 3, 200, threads=1, tick=tick)
    return [found.table]


def replays(tick: Tick) -> list[Any]:
    found = cards.counterfactual(make_spec(3, ["random"] * 3), (), 300, threads=1, tick=tick)
    return [found.table, found.changed]


def compared(tick: Tick) -> list[Any]:
    return [totals(sources.SpecSource(make_spec(3, ["random"] * 3, games=600)), 1, tick).won]


WORK = (tournament, restrict, replays, compared)


def same(one: list[Any], other: list[Any]) -> bool:
    return all(
        np.array_equal(a, b) if isinstance(a, np.ndarray) else a.equals(b) for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_it_goes_on_and_comes_to_the_same(
    monkeypatch: pytest.MonkeyPatch, folder: Path, work: Callable[[Tick], list[Any]]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(kept, "keep", lambda digest, arrays: None)
        steps: list[int] = []
        whole = work(steps.append)
    assert list(folder.iterdir()) == []
    assert len(steps) > 3

    def stop(done: int) -> None:
        if done >= steps[len(steps) // 2]:
            raise Stopped

    with pytest.raises(Stopped):
        work(stop)
    assert [path.suffix for path in folder.iterdir()] == [".npz"]
    again: list[int] = []
    assert same(work(again.append), whole)
    assert again == steps[len(steps) // 2 :]
    finished: list[int] = []
    assert same(work(finished.append), whole)
    assert finished == []


@pytest.mark.parametrize("damage", [b"", b"PK", None])
def test_what_is_damaged_is_played_again(folder: Path, damage: bytes | None) -> None:
    whole = compared(lambda done: None)
    (path,) = folder.iterdir()
    if damage is None:
        path.write_bytes(path.read_bytes()[:-20])
    else:
        path.write_bytes(damage)
    steps: list[int] = []
    assert same(compared(steps.append), whole)
    assert len(steps) == 10


def test_short_work_keeps_nothing(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(kept, "EVERY", 60.0)
    compared(lambda done: None)
    assert list(folder.iterdir()) == []


def test_other_rules_and_other_deals_are_other_work() -> None:
    one, other = make_spec(3, ["random"] * 3), make_spec(3, ["random"] * 3, seed=99)
    assert store.digest_of(one) == store.digest_of(make_spec(3, ["random"] * 3))
    digests = {store.digest_of(one), store.digest_of(other), store.digest_of([one, other]), store.digest_of(one, 1)}
    assert len(digests) == 4
