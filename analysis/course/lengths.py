"""The length of games, and the means of other numbers that an imported table records."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.results import interval
from analysis.data.source import Block, Source
from analysis.stats.intervals import pointwise
from analysis.stats.moments import Floats, Moments


class _Means:
    """Means by game, smallest and largest values."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.moments = names, Moments(len(names))
        self.least: Floats = np.full(len(names), np.inf)
        self.most: Floats = np.full(len(names), -np.inf)

    def add(self, block: Block) -> None:
        """Add a block of games."""
        values = [np.asarray(block[name], np.float64) for name in self.names]
        self.moments.add(np.column_stack([own.mean(axis=1) for own in values]))
        self.least = np.minimum(self.least, [own.min() for own in values])
        self.most = np.maximum(self.most, [own.max() for own in values])

    def merge(self, other: _Means) -> None:
        """Add everything that another accumulator holds."""
        self.moments.merge(other.moments)
        self.least, self.most = np.minimum(self.least, other.least), np.maximum(self.most, other.most)


def averages(source: Source, level: float = 0.95) -> pl.DataFrame:
    """Return the mean of each number that an imported table records, the length first.

    source: The games.
    level: Confidence level of each interval; games are independent.
    Returns polars.DataFrame: One row for each number: `measure`, its name; `mean` over games of the mean of the seats,
        with `mean_se`, `mean_low` and `mean_high`; the `least` and the `most` of any seat.  Empty if the table has
        none.
    """
    names = [one.name for one in source.origin.measures] if source.origin else []
    names.sort(key=lambda name: (name != "length", name != "score"))
    schema = ["mean", "mean_se", "mean_low", "mean_high", "least", "most"]
    if not names:
        return pl.DataFrame(schema={"measure": pl.String, **dict.fromkeys(schema, pl.Float64)})
    found, inputs = accumulate(source, names, lambda: _Means(names))
    mean, error = found.moments.mean, np.sqrt(np.maximum(np.diag(found.moments.covariance), 0))
    columns = interval("mean", mean, error, pointwise(level, inputs.deals))
    return pl.DataFrame({"measure": names, **columns, "least": found.least, "most": found.most}).fill_nan(None)
