"""Win shares from a run's totals: by seat, strategy and camp, with intervals that hold for a whole table at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.intervals import MAX_T, max_t_of
from analysis.stats.moments import MIN_DEALS, Floats
from simcore.batch import Spec
from simcore.tally import Tally

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A win share and its interval.

    Parameters
    ----------
    name
        Seat, strategy or camp.
    share
        Win share, 0 to 1; NaN without a whole deal.
    half_width
        Of the 95 % interval; NaN with too few deals to say.
    score
        Mean score; NaN without a whole deal, in a game without a score, or where it is not known.
    par
        The share that the game is meant to give.
    role, camp
        Names of the role and the camp; empty in a game whose seats are alike.
    """

    name: str
    share: float
    half_width: float
    score: float
    par: float
    role: str = ""
    camp: str = ""

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
    """Win shares of all seats, strategies or camps of a run.

    Parameters
    ----------
    estimates
        One each; the intervals hold for all at once.
    games, deals
        Games seen, and the whole deals that the shares are taken from.
    level
        Confidence level of the intervals.
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


def seat_shares(spec: Spec, tally: Tally) -> Shares:
    """Return every seat's win share and mean score.

    Intervals: mean +- c SE, SE from deal means.  c is the max-|t| constant for N exchangeable seats, or that of the
    estimated covariance where seats have roles (docs/statistics.md).
    """
    unit = tally.unit * tally.per_deal
    constant = float(np.nan_to_num(max_t_of(_covariance(tally)))) if spec.game.asymmetric else MAX_T[tally.players]
    scored = spec.game.score is not None
    return Shares(
        tuple(
            Estimate(
                name=f"seat {seat + 1}",
                share=_mean(int(tally.seat_sum[seat]), tally.deals) / unit,
                half_width=half_width(
                    int(tally.seat_sum[seat]), int(tally.seat_square[seat]), tally.deals, unit, constant
                ),
                score=_mean(int(tally.score_sum[seat]), tally.deals) / tally.per_deal if scored else math.nan,
                par=spec.par[seat],
                **_place(spec, seat),
            )
            for seat in range(tally.players)
        ),
        tally.games,
        tally.deals,
    )


def strategy_shares(spec: Spec, tally: Tally) -> Shares:
    """Return the share of all wins that each strategy took in all its seats; in a game with roles, in each role."""
    unit = tally.unit * tally.per_deal
    count = len(spec.cast)
    constant = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / count) if spec.game.asymmetric else MAX_T[min(count, 6)]
    return Shares(
        tuple(
            Estimate(
                name=name,
                share=_mean(int(tally.strategy_sum[number]), tally.deals) / unit,
                half_width=half_width(
                    int(tally.strategy_sum[number]), int(tally.strategy_square[number]), tally.deals, unit, constant
                ),
                score=math.nan,
                par=spec.cast_par[number],
                **({"role": role.name, "camp": role.side} if spec.game.asymmetric else {}),
            )
            for number, (role, name) in enumerate(spec.cast)
        ),
        tally.games,
        tally.deals,
    )


def camp_shares(spec: Spec, tally: Tally) -> Shares:
    """Return every camp's share of the wins; nothing in a game whose seats are alike."""
    lines = np.array([[seat in seats for seat in range(tally.players)] for seats in spec.camps.values()], float)
    return _contrasts(tally, tuple(spec.camps), lines, lines @ np.array(spec.par)) if spec.camps else Shares((), 0, 0)


def role_shares(spec: Spec, tally: Tally, role: str) -> Shares:
    """Return what each seat of a role wins less its part of what the role wins, added to its par.

    So a camp that is too strong does not make all its seats look too strong; see `within`.
    """
    seats = [seat for seat, own in enumerate(spec.roles) if own.name == role]
    lines, par = within(spec.par, seats), np.array(spec.par)[seats]
    names = tuple(f"seat {seat + 1}" for seat in seats)
    found = _contrasts(tally, names, lines, par)
    estimates = tuple(
        Estimate(item.name, item.share + share, item.half_width, math.nan, share, **_place(spec, seat))
        for item, share, seat in zip(found.estimates, par, seats, strict=True)
    )
    return Shares(estimates, found.games, found.deals)


def within(par: ArrayLike, seats: Sequence[int]) -> Floats:
    """Return the contrasts, shape (seats of a role, all seats), of a seat's wins less its part of the role's wins."""
    shares = np.asarray(par, np.float64)
    members = np.isin(np.arange(len(shares)), seats).astype(float)
    return np.eye(len(shares))[list(seats)] - np.outer(shares[list(seats)] / (shares @ members), members)


def _place(spec: Spec, seat: int) -> dict[str, str]:
    role = spec.roles[seat]
    return {"role": role.name, "camp": role.side} if spec.game.asymmetric else {}


def _covariance(tally: Tally) -> Floats:
    """Return the covariance of the seats' mean shares, in shares of the wins; NaN with fewer than two deals."""
    if tally.deals < 2:
        return np.full(tally.cross.shape, np.nan)
    total = tally.seat_sum.astype(float)
    centred = tally.cross - np.outer(total, total) / tally.deals
    return np.asarray(centred / (tally.deals - 1) / tally.deals / (tally.unit * tally.per_deal) ** 2)


def _contrasts(tally: Tally, names: Sequence[str], lines: Floats, par: Floats) -> Shares:
    """Return sums and differences of the seats' shares."""
    unit = tally.unit * tally.per_deal
    share = lines @ tally.seat_sum / tally.deals / unit if tally.deals else np.full(len(lines), np.nan)
    covariance = lines @ _covariance(tally) @ lines.T
    spread = np.sqrt(np.maximum(np.diag(covariance), 0))
    known = tally.deals >= MIN_DEALS
    half = np.where(spread > 0, max_t_of(covariance) * spread, 0.0) if known else np.full(len(lines), np.nan)
    return Shares(
        tuple(
            Estimate(name, float(share[at]), float(half[at]), math.nan, float(par[at])) for at, name in enumerate(names)
        ),
        tally.games,
        tally.deals,
    )
