"""The fair price of each seat: the coins at which it is worth as much as the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from analysis.data.results import interval
from analysis.mend.levers import Lever
from analysis.mend.playing import Seen
from analysis.mend.surrogate import Surrogate, scaled, wanted_of
from analysis.mend.targets import Line
from analysis.stats.intervals import pointwise
from analysis.stats.moments import Floats

GROUPS = 50
"""Groups of blocks, each left out once (jackknife)."""


def fair_prices(
    levers: Sequence[Lever], lines: Sequence[Line], surrogate: Surrogate, here: Seen, key: str, players: int,
    level: float,
) -> pl.DataFrame:  # fmt: skip
    """Return what each seat may cost so that all are worth the same; empty where not every seat's coins are free.

    The picture of the game at the best change is solved for coins in parts at which every seat has its par.  A seat's
    price is what it gets less than the seat that gets most.

    Parameters
    ----------
    levers, lines
        What moves, and what is measured.
    surrogate
        The picture around the best change.
    here
        The best change as it was played, by block.
    key
        The list of coins by seat.
    players
        Seats.
    level
        Chance that the intervals of all prices hold.
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
