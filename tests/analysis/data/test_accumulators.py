"""What a run keeps instead of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import equipoise as eq
from analysis.data.accumulate import Counts, fill, held, key_of
from analysis.data.source import Block
from analysis.stats.moments import Ratios


def test_sums_are_stored_under_the_names_that_earlier_runs_have(tmp_path: Path) -> None:
    """As at 7fa3fd5: runs that were stored then answer today, wherever the classes stand."""
    eq.simulate(precision="ties=5pp", strategies="random", out=tmp_path / "run", detail="summary")
    with np.load(tmp_path / "run/totals/part-000001.npz") as file:
        assert {name.partition("(")[0] for name in file.files} == {
            "analysis.course.closeness._Ends",
            "analysis.course.economy._Ledger",
            "analysis.course.scores.Scores",
            "analysis.games.middle_ages.holdings._Held",
            "analysis.precision.measures.Measured",
            "analysis.seats.advantage._Seats",
            "count",
        }


def test_what_a_function_counts_adds_up_and_is_stored_under_its_name() -> None:
    def count(sums: Counts, block: Block) -> None:
        sums.games += block.games
        sums.means.add(block["coins"], per_deal=block.per_deal)
        sums.sizes.append(block.games)

    one, other, again = (Counts(count, "coins", games=0, means=Ratios(2), sizes=[]) for _ in range(3))
    one.add(Block(1, {"coins": np.array([[1, 2], [3, 6]])}))
    other.add(Block(1, {"coins": np.array([[5, 7]])}))
    one.merge(other)
    assert (one.games, one.sizes, one.means.cells().value.tolist()) == (3, [2, 1], [3, 5])
    fill(again, key_of(one, ["coins"]), held(one, "coins(coins)"))
    assert (again.games, again.means.cells().value.tolist()) == (3, [3, 5])
