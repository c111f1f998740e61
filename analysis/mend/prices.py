"""The fair price of each seat: the coins at which all seats are worth the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.data.results import interval
from analysis.mend.surrogate import Surrogate, scaled, wanted_of
from analysis.mend.targets import Line
from analysis.mend.trials import Seen
from analysis.stats.intervals import pointwise
from analysis.stats.moments import Floats
from simcore.rules.levers import Lever

GROUPS = 50
"""Number of groups of blocks for the jackknife, each of which is left out once."""


def fair_prices(
    levers: Sequence[Lever],
    lines: Sequence[Line],
    surrogate: Surrogate,
    here: Seen,
    key: str,
    players: int,
    level: float,
) -> pl.DataFrame:
    """Return what each seat may cost so that all are worth the same; empty unless every seat's coins are free.

    The linear model of the game at the best change is solved for the (fractional) coins at which every seat has its
    par. A seat's price is the difference between the largest number of coins and its own.

    levers, lines: What moves, and what is measured.
    surrogate: The linear model around the best change.
    here: The results of the best change, by block.
    key: Key of the list of coins by seat.
    players: Number of seats.
    level: Simultaneous confidence level of the intervals of all prices.
    """
    names = [f"{key}.{seat + 1}" for seat in range(players)]
    at = [number for number, lever in enumerate(levers) if lever.key in names]
    seats = [number for number, line in enumerate(lines) if line.kind == "seat" and not line.kept]
    if len(at) < players or len(seats) < players:
        return pl.DataFrame()
    slope, wanted = surrogate.slope[np.ix_(seats, at)], wanted_of(lines)[seats]
    coins = np.array(here.point, np.float64)[at]

    def prices(mean: Floats) -> Floats:
        level_here = scaled(lines, mean)[seats]
        given = coins + np.linalg.lstsq(slope, wanted - level_here, rcond=1e-3)[0]
        return np.asarray(given.max() - given)

    parts = np.array_split(np.arange(len(here.blocks)), GROUPS)
    left = np.array([prices(np.delete(here.blocks, part, axis=0).mean(axis=0)) for part in parts])
    error = np.sqrt((GROUPS - 1) / GROUPS * ((left - left.mean(axis=0)) ** 2).sum(axis=0))
    value = prices(here.mean)
    constant = pointwise(level, GROUPS, players)
    return pl.DataFrame({"seat": list(range(1, players + 1)), **interval("price", value, error, constant)})
