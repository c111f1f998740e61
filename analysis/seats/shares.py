"""Seat advantage: win share by seat, with intervals that hold for all seats at once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simcore.tally import SHARE, Tally

LEVEL = 0.95
_MAX_T = {1: 1.960, 2: 1.960, 3: 2.344, 4: 2.469, 5: 2.555, 6: 2.621}
"""max |t| of N exchangeable means that sum to a constant, 95 %, many deals."""

MIN_DEALS = 30


@dataclass(frozen=True)
class Estimate:
    """A win share and its interval.

    Parameters
    ----------
    name
        Seat or strategy.
    share
        Win share, 0 to 1; NaN without a whole deal.
    half_width
        Of the 95 % interval; NaN with too few deals to say.
    score
        Mean score; NaN without a whole deal, or where it is not told apart.
    par
        The share that would be fair.
    """

    name: str
    share: float
    half_width: float
    score: float
    par: float

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.share - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.share + self.half_width

    @property
    def par_normalised(self) -> float:
        """Share over par; 1 is fair."""
        return self.share / self.par


@dataclass(frozen=True)
class Shares:
    """Win shares of all seats, or of all strategies, of a run.

    Parameters
    ----------
    estimates
        One a seat or strategy; the intervals hold for all at once with probability `level`.
    games, deals
        Denominator: games played, and whole deals, which are what the errors count.
    level
        Of the intervals.
    """

    estimates: tuple[Estimate, ...]
    games: int
    deals: int
    level: float = LEVEL


def _mean(total: int, deals: int) -> float:
    return total / deals if deals else math.nan


def half_width(total: int, squares: int, deals: int, unit: float, constant: float) -> float:
    """Return constant times the standard error of a mean over deals, from its sum and sum of squares."""
    if deals < MIN_DEALS:
        return math.nan
    variance = max(squares - total * total / deals, 0.0) / (deals - 1)
    return constant * math.sqrt(variance / deals) / unit


def seat_shares(tally: Tally) -> Shares:
    """Return every seat's win share and mean score.

    Intervals: mean +- c SE with the max-|t| constant for N seats, SE from deal means (docs/statistics.md).
    """
    unit = SHARE * tally.per_deal
    constant = _MAX_T[tally.players]
    return Shares(
        tuple(
            Estimate(
                name=f"seat {seat + 1}",
                share=_mean(int(tally.seat_sum[seat]), tally.deals) / unit,
                half_width=half_width(
                    int(tally.seat_sum[seat]), int(tally.seat_square[seat]), tally.deals, unit, constant
                ),
                score=_mean(int(tally.score_sum[seat]), tally.deals) / tally.per_deal,
                par=1 / tally.players,
            )
            for seat in range(tally.players)
        ),
        tally.games,
        tally.deals,
    )


def strategy_shares(tally: Tally, seats: dict[str, int]) -> Shares:
    """Return the share of all wins that each strategy took, with as many seats as `seats` says."""
    unit = SHARE * tally.per_deal
    constant = _MAX_T[min(len(tally.strategies), max(_MAX_T))]
    return Shares(
        tuple(
            Estimate(
                name=name,
                share=_mean(int(tally.strategy_sum[number]), tally.deals) / unit,
                half_width=half_width(
                    int(tally.strategy_sum[number]), int(tally.strategy_square[number]), tally.deals, unit, constant
                ),
                score=math.nan,
                par=seats[name] / tally.players,
            )
            for number, name in enumerate(tally.strategies)
        ),
        tally.games,
        tally.deals,
    )
