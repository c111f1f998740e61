"""What a run keeps instead of a table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import equipoise as eq


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
