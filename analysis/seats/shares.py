"""Win shares from a run's totals, by seat, strategy and camp, with simultaneous intervals for each table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.data.results import Note
from analysis.data.sameness import same_game
from analysis.stats.intervals import MAX_T, bonferroni, max_t, share_interval, simultaneous
from analysis.stats.moments import Floats
from simcore.judged import Judged
from simcore.running.batch import Spec
from simcore.running.tally import Tally

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A win share and its interval."""

    name: str  # name of the seat, strategy or camp
    share: float  # win share, 0 to 1; NaN without a complete deal
    se: float  # standard error of the share, from deals
    low: float
    high: float
    """low, high: Ends of the 95 % interval; NaN if there are too few deals."""
    score: float  # mean score; NaN without a complete deal, in a game without a score, or if it is unknown
    par: float  # the share that the game is meant to give
    role: str = ""
    camp: str = ""
    """role, camp: Names of the role and the camp; empty in a game whose seats are symmetric."""
    seat: int = 0  # number of the seat; 0 if this is not the share of a seat

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def par_normalised(self) -> float:
        """Share divided by par; 1 is fair."""
        return self.share / self.par


@dataclass(frozen=True)
class Shares:
    """Win shares of all seats, strategies or camps of a run."""

    estimates: tuple[Estimate, ...]  # one estimate for each; the intervals are simultaneous
    games: int
    deals: int
    """games, deals: Number of games, and of the complete deals that the shares are calculated from, if they differ."""
    level: float = LEVEL  # confidence level of the intervals


SOME = 1e-9
"""Share of the games by which rounding may make the sum of all shares smaller than 1."""


def among_won(par: Floats, won: float, judged: Judged) -> Floats:
    """Return pars as shares of all games where nobody won some of them: each is that part of the others.

    won: The share of the games that somebody won.
    """
    return par if judged.is_payoff or not 0 < won < 1 - SOME else par * won


def nobody(won: float, judged: Judged) -> tuple[Note, ...]:
    """Return a note on the games that nobody won, if there are any, given the share of the others."""
    if judged.is_payoff or not won < 1 - SOME:
        return ()
    return (Note("nobody_wins", {"share": 1 - won}),)


def won_in(tally: Tally) -> float:
    """Return the share of the games that somebody won."""
    return float(tally.seat_sum.sum()) / (tally.unit * tally.per_deal * tally.deals) if tally.deals else 1.0


def together(tally: Tally) -> bool:
    """Return whether all seats won or lost together in every game."""
    alike = [len(set(sums.tolist())) == 1 for sums in (tally.seat_sum, tally.seat_square)]
    if tally.judged.is_payoff or not all(alike) or tally.outright.any():
        return False
    part = tally.unit // tally.players  # of a win that all share; a seat that wins more makes its squares larger
    return tally.per_deal > 1 or bool((tally.seat_square == tally.seat_sum * part).all())


def _mean(total: int, deals: int) -> float:
    return total / deals if deals else math.nan


def standard_error(total: int, squares: int, deals: int, unit: float) -> float:
    """Return the standard error of a mean over deals, from the sum and the sum of squares."""
    if deals < 2:
        return math.nan
    variance = max(squares - total * total / deals, 0.0) / (deals - 1)
    return math.sqrt(variance / deals) / unit


def _different(spec: Spec, tally: Tally) -> int:
    """Return how many different deals the totals hold: one if all games are the same game."""
    pairs = zip(tally.seat_sum.tolist(), tally.seat_square.tolist(), strict=True)
    alike = all(square * tally.deals == total**2 for total, square in pairs)
    return 1 if tally.deals > 1 and alike and same_game(spec) else tally.deals


def _known(
    spec: Spec,
    tally: Tally,
    total: NDArray[np.int64],
    squares: NDArray[np.int64],
    constant: float,
    seats: Floats | None = None,
) -> list[dict[str, Any]]:
    """Return share, standard error, low and high of some parts of the wins; per seat, if their numbers are given."""
    deals = tally.deals
    units = (tally.unit * tally.per_deal * (np.ones(len(total)) if seats is None else seats)).tolist()
    share = [_mean(int(part), deals) / unit for part, unit in zip(total, units, strict=True)]
    errors = [
        standard_error(int(part), int(square), deals, unit)
        for part, square, unit in zip(total, squares, units, strict=True)
    ]
    low, high = share_interval(share, errors, _different(spec, tally), constant)
    return [_ends(share[at], errors[at], low[at], high[at]) for at in range(len(share))]


def _ends(share: float, se: float, low: float, high: float) -> dict[str, Any]:
    return {"share": float(share), "se": float(se), "low": float(low), "high": float(high)}


def seat_shares(spec: Spec, tally: Tally, level: float = LEVEL) -> Shares:
    """Return every seat's win share and mean score.

    Intervals are those of `share_interval`, with standard errors from deal means.  Their constant is the max-`|t|`
    constant for N exchangeable seats or, in a game with roles, for estimated covariance (docs/reference/methods.md).
    """
    constant = MAX_T[tally.players] if level == LEVEL else max_t(tally.players, level)
    if spec.game.asymmetric:
        constant = simultaneous(_covariance(tally), level)
    pars = among_won(np.array(spec.judged.par), won_in(tally), spec.judged).tolist()
    if not spec.game.asymmetric and pars[0] != spec.judged.par[0]:  # the sum of the shares varies
        constant = bonferroni(level, tally.players)
    scored = spec.game.score is not None
    return Shares(
        tuple(
            Estimate(
                **known,
                score=_mean(int(tally.score_sum[seat]), tally.deals) / tally.per_deal / tally.divisor
                if scored
                else math.nan,
                par=pars[seat],
                **_place(spec, seat),
            )
            for seat, known in enumerate(_known(spec, tally, tally.seat_sum, tally.seat_square, constant))
        ),
        tally.games,
        _different(spec, tally),
        level,
    )


def strategy_shares(spec: Spec, tally: Tally) -> Shares:
    """Return each strategy's share of all wins, in all its seats; in a game with roles, separately for each role.

    In a game with a payoff, it is that of one seat: the mean of the strategy's seats.
    """
    count = len(spec.cast)
    seats = np.array([spec.of_cast([1.0] * spec.players)]).ravel() if spec.judged.is_payoff else np.ones(count)
    constant = bonferroni(LEVEL, count) if spec.game.asymmetric else MAX_T[min(count, 6)]
    return Shares(
        tuple(
            Estimate(
                name=name,
                **known,
                score=math.nan,
                par=par / own,
                role=role.name if spec.game.asymmetric else "",
                camp=role.side if spec.game.asymmetric else "",
            )
            for (role, name), own, par, known in zip(
                spec.cast,
                seats.tolist(),
                among_won(np.array(spec.of_cast(spec.judged.par)), won_in(tally), spec.judged).tolist(),
                _known(spec, tally, tally.strategy_sum, tally.strategy_square, constant, seats),
                strict=True,
            )
        ),
        tally.games,
        _different(spec, tally),
    )


def camp_shares(spec: Spec, tally: Tally, level: float = LEVEL) -> Shares:
    """Return every camp's share of the wins; empty in a game whose seats are symmetric."""
    lines = np.array([[seat in seats for seat in range(tally.players)] for seats in spec.camps.values()], float)
    if not spec.camps:
        return Shares((), 0, 0)
    pars = among_won(lines @ np.array(spec.par), won_in(tally), spec.judged)
    found = zip(spec.camps, _contrasts(spec, tally, lines, np.zeros(len(lines)), level), pars, strict=True)
    estimates = tuple(Estimate(name, **known, score=math.nan, par=float(par)) for name, known, par in found)
    return Shares(estimates, tally.games, _different(spec, tally), level)


def role_shares(spec: Spec, tally: Tally, role: str, level: float = LEVEL) -> Shares:
    """Return, for each seat of a role, its share minus its part (by par) of the role's wins, plus the seat's par.

    With this correction, a camp that is too strong does not make all its seats look too strong; see `within`.
    """
    seats = [seat for seat, own in enumerate(spec.roles) if own.name == role]
    lines, par = within(spec.par, seats), np.array(spec.par)[seats]
    part = par / par.sum()
    estimates = tuple(
        Estimate(
            **{end: value if end == "se" else value - own + share for end, value in known.items()},
            score=math.nan,
            par=float(share),
            **_place(spec, seat),
        )
        for seat, known, own, share in zip(seats, _contrasts(spec, tally, lines, part, level), part, par, strict=True)
    )
    return Shares(estimates, tally.games, _different(spec, tally), level)


def within(par: ArrayLike, seats: Sequence[int]) -> Floats:
    """Return the contrasts, shape (seats of a role, all seats): a seat's wins minus its part, by par, of the role's."""
    shares = np.asarray(par, np.float64)
    members = np.isin(np.arange(len(shares)), seats).astype(float)
    return np.eye(len(shares))[list(seats)] - np.outer(shares[list(seats)] / (shares @ members), members)


def _place(spec: Spec, seat: int) -> dict[str, Any]:
    role = spec.roles[seat]
    own = {"role": role.name, "camp": role.side} if spec.game.asymmetric else {}
    return {"name": f"seat {seat + 1}", "seat": seat + 1, **own}


def _covariance(tally: Tally) -> Floats:
    """Return the covariance of the seats' mean win shares; NaN with fewer than two deals."""
    if tally.deals < 2:
        return np.full(tally.cross.shape, np.nan)
    total = tally.seat_sum.astype(float)
    centred = tally.cross - np.outer(total, total) / tally.deals
    return np.asarray(centred / (tally.deals - 1) / tally.deals / (tally.unit * tally.per_deal) ** 2)


def _contrasts(spec: Spec, tally: Tally, lines: Floats, lift: Floats, level: float) -> list[dict[str, Any]]:
    """Return share, standard error, low and high of linear combinations of shares, shifted into the range 0 to 1."""
    unit = tally.unit * tally.per_deal
    share = lift + (lines @ tally.seat_sum / tally.deals / unit if tally.deals else np.nan)
    covariance = lines @ _covariance(tally) @ lines.T
    spread = np.sqrt(np.maximum(np.diag(covariance), 0))
    low, high = share_interval(share, spread, _different(spec, tally), simultaneous(covariance, level))
    return [_ends(share[at], spread[at], low[at], high[at]) for at in range(len(lines))]
