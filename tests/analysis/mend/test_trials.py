"""Points as players of their own play them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.mend.targets import GameTrials, measure, read_lines
from analysis.stats.margin import as_margin
from simcore.rules.levers import Lever
from simcore.running.batch import Spec
from strategies.spec import make_spec

COINS = [Lever(f"starting_coins.{seat}", 0, 0, 20) for seat in (1, 2)]


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[GameTrials]:
    """Greedy players, in whose place planners and then random players are found."""
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: tmp_path)
    spec = make_spec(players=2, strategies="greedy", games=400)
    found = iter(("planner", "random", ""))

    def tune(specs: Sequence[Spec], number: int) -> tuple[list[Spec], tuple[Any, ...]]:
        if not (name := next(found)):
            return list(specs), ()
        other = make_spec(players=2, strategies=name)
        made = replace(specs[0], lineup_record=other.lineup_record, strategy_tables=other.strategy_tables)
        return [made], (SimpleNamespace(old="greedy"),)

    yield GameTrials([spec], COINS, read_lines(spec, ["seats"], ["nothing"], as_margin("4%")), tune)


def test_players_share_the_games_of_a_point(trials: GameTrials) -> None:
    point = (0, 2)
    assert [trials.learn(one) for one in (point, (0, 4), (0, 6), (0, 0))] == [1, 2, 0, 0]
    runs = [trials.specs_at(point, 1, 400, one, one)[0] for one in (1, 2)]
    assert runs[0].seed != runs[1].seed  # on other deals, so that they tell more together
    one, two = (measure(run, trials.lines)[0] for run in runs)
    both, alone = trials.see(point, 1, 800, (1, 2)), trials.see(point, 1, 800, (1,))
    assert np.allclose(both.blocks, (one + two) / 2)
    assert both.deals == alone.deals and both.fate != alone.fate
    assert alone.apart is not None and np.isnan(alone.apart).all()
    apart = (one.mean(axis=0) - two.mean(axis=0)) ** 2 / 2 - (one.var(axis=0, ddof=1) + two.var(axis=0, ddof=1)) / 200
    assert both.apart == pytest.approx(np.sqrt(np.maximum(apart, 0)))
