"""Shares of the wins with their intervals, and verdicts on them, which commands and reports share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.data.results import Counted, Lines, Note, Verdict, as_amounts
from analysis.data.sameness import same_game
from analysis.stats.intervals import MAX_T, at_edge, bonferroni, deals_if_fair, max_t, share_interval, simultaneous
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import MIN_DEALS, Floats
from simcore.judged import Judged
from simcore.running.batch import Spec
from simcore.running.tally import Tally

# --- Win shares from a run's totals, by seat, strategy and camp, with simultaneous intervals for each table ---


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


def some_unwon(won: float, judged: Judged) -> bool:
    """Return whether nobody won some of the games, so that the sum of the shares varies."""
    return not judged.is_payoff and 0 < won < 1 - SOME


def among_won(par: Floats, won: float, judged: Judged) -> Floats:
    """Return pars as shares of all games where nobody won some of them: each is that part of the others.

    won: The share of the games that somebody won.
    """
    return par * won if some_unwon(won, judged) else par


def exchangeable(count: int, level: float, won: float, judged: Judged) -> float:
    """Return the constant of simultaneous intervals for the shares of seats, or of strategies, that are alike."""
    if some_unwon(won, judged):
        return bonferroni(level, count)
    return MAX_T[count] if level == LEVEL else max_t(count, level)


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
    won = won_in(tally)
    if spec.game.asymmetric:
        constant = simultaneous(_covariance(tally), level)
    else:
        constant = exchangeable(tally.players, level, won, spec.judged)
    pars = among_won(np.array(spec.judged.par), won, spec.judged).tolist()
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
    count, won = len(spec.cast), won_in(tally)
    seats = np.array([spec.of_cast([1.0] * spec.players)]).ravel() if spec.judged.is_payoff else np.ones(count)
    constant = bonferroni(LEVEL, count) if spec.game.asymmetric else exchangeable(count, LEVEL, won, spec.judged)
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
                among_won(np.array(spec.of_cast(spec.judged.par)), won, spec.judged).tolist(),
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
    lines, own = within(spec.par, seats), np.array(spec.par)[seats]
    part, par = own / own.sum(), among_won(own, won_in(tally), spec.judged)
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


# --- Verdicts on shares of the wins; `simulate` and reports use the same functions ---
#
# Camps are compared with each other first, then the seats of each role.  If strategies of different strength change
# seats, the seats' shares hide what a seat is worth, because a strategy that nearly always wins does so from every
# seat.  Such seats are judged within each strategy, by odds.


@dataclass(frozen=True)
class StrategySeats:
    """What each strategy of a role wins from each seat, with simultaneous intervals."""

    strategy: Sequence[str]
    seat: Sequence[int]
    """strategy, seat: Strategy and seat (from 1) of each cell."""
    share: Floats
    low: Floats
    high: Floats
    """share, low, high: Wins per game from that seat, with the interval."""
    deals: Floats  # number of deals behind each cell
    constant: float  # half the width of the intervals, in standard errors


def judge(
    spec: Spec,
    seats: Lines,
    camps: Lines | None,
    within: Mapping[str, Lines],
    cells: Mapping[str, StrategySeats] | None,
    counted: Counted,
    margin: Margin,
    together: bool = False,
) -> tuple[Verdict, ...]:
    """Return the verdicts on a run, most important first.

    spec: What was played.
    seats, camps: Shares of all seats, and of the camps (None in a game without camps).
    within: For each role with several seats: each seat's share minus its part, by par, of the role's wins.
    cells: For each role that several strategies play: what each strategy wins from each seat.  None if that is not
        known.
    counted: How many games the shares rest on.
    margin: Distance from par that counts as fair.
    together: Whether all seats won or lost together in every game.
    """
    deals = counted.deals
    values = {"game": spec.game.title, "players": spec.players, "counted": counted, "deals": deals}
    values |= {"part": margin.part(spec.judged.par)}
    if together and deals:
        return (Verdict("seats_together", "unknown", values),)
    if deals == 1 and counted.games >= 2 * spec.games_per_deal:
        return (Verdict("same_game", "unknown", {"games": counted.games}),)
    if camps is None:
        found = _seats_of(spec, "seats", spec.game.role_names[0], seats, cells, values, margin)
        return (in_amounts(found, spec.judged),)
    told = [judge_lines("camps", camps, deals, values | {"part": margin.part(camps.par)})]
    if deals >= MIN_DEALS:
        for role in spec.game.roles:
            if role.name in within and not within[role.name].alike:
                own = values | {"role": role.title}
                told.append(_seats_of(spec, "role_seats", role.name, within[role.name], cells, own, margin))
    return tuple(told)


def in_amounts(verdict: Verdict, judged: Judged) -> Verdict:
    """Return a verdict on shares as one on amounts, if the game is played for a payoff."""
    values = verdict.values
    if not judged.is_payoff:
        return verdict
    found: dict[str, Any] = {"unit": judged.unit}
    if "share" in values:
        error = judged.distance(values["high"] - values["low"]) / 4
        named = ("share", "low", "high", "par", "least", "most", "seen", "mean")
        found |= as_amounts({name: judged.amount(values[name]) for name in named if name in values}, error)
        found["margin"] = judged.distance(values["margin"])
    lines = verdict.lines and verdict.lines.in_amounts(judged)
    return Verdict(f"payoff_{verdict.code}", verdict.status, {**values, **found}, lines)


def judge_table(
    spec: Spec, seats: Lines, named: bool, counted: Counted, margin: Margin, few: int, of: str = "seats"
) -> Verdict:
    """Return the verdict on the seats, or the camps, of a table from elsewhere.

    named: Whether its people are known and held equal.
    few: How many people there are, if so few that the intervals are about these people only; otherwise 0.
    of: "seats" or "camps".
    """
    values = {"game": spec.game.title, "players": spec.players, "counted": counted, "deals": counted.deals}
    values["others"] = f"only_these_{few}" if few > 1 else ""
    what = f"{of}_people" if named else f"{of}_table"
    if named and counted.deals >= MIN_DEALS and not np.isfinite(seats.low).all():
        return Verdict(f"{what}_together", "unknown", values)
    return judge_lines(what, seats, counted.deals, values | {"part": margin.part(seats.par)})


def judge_totals(spec: Spec, tally: Tally, margin: Margin = FAIR, level: float = LEVEL) -> tuple[Verdict, ...]:
    """Return the verdicts on a run of which only the totals are known, as in `simulate`."""
    seats, camps = seat_shares(spec, tally, level), camp_shares(spec, tally, level)
    within = {
        role.name: _lines(spec, role_shares(spec, tally, role.name, level), margin, edges=True)
        for role in spec.game.roles
        if camps.estimates and len(role.at(spec.players)) > 1
    }
    of_camps = _lines(spec, camps, margin) if camps.estimates else None
    lines, counted = _lines(spec, seats, margin), Counted(seats.games, seats.deals)
    return judge(spec, lines, of_camps, within, None, counted, margin, together(tally))


def _lines(spec: Spec, shares: Shares, margin: Margin, edges: bool = False) -> Lines:
    """Return shares as lines; with `edges`, as distances from par."""
    found = shares.estimates
    titles = spec.game.camp_titles
    labels = [{"seat": one.seat} if one.seat else {"camp": titles[one.name]} for one in found]
    par = np.array([one.par for one in found])
    less = par if edges else np.zeros(len(par))
    share, low, high = (np.array([getattr(one, end) for one in found]) - less for end in ("share", "low", "high"))
    room = margin.room(spec.judged, par)
    return Lines(labels, share, np.array([one.se for one in found]), low, high, par - less, room)


def _seats_of(
    spec: Spec,
    what: str,
    role: str,
    lines: Lines,
    cells: Mapping[str, StrategySeats] | None,
    values: Mapping[str, Any],
    margin: Margin,
) -> Verdict:
    """Return the verdict on the seats of a role, by the method that the line-up allows."""
    if role not in {mixed.name for mixed in spec.mixed_roles}:
        return judge_lines(what, lines, values["deals"], values)
    if spec.design == "fixed":
        return Verdict(f"{what}_confounded", "unknown", values)
    if values["deals"] < MIN_DEALS:
        return judge_lines(what, lines, values["deals"], values)
    if cells is None:
        return Verdict(f"{what}_hidden", "unknown", values)
    found = (by_difference if spec.judged.is_payoff else among_equals)(spec, cells[role], margin)
    if not np.isfinite(found.share).all():
        return Verdict(f"{what}_mixed_unknown", "unknown", values)
    return judge_lines(f"{what}_mixed", found, int(cells[role].deals.min()), values)


def among_equals(spec: Spec, cells: StrategySeats, margin: Margin) -> Lines:
    """Return what each cell's share would be between equal players, by odds.

    A strategy's odds in its seats are divided by the one number that makes the shares of all seats sum to their pars.
    This is exact if one strategy plays against several copies of another and wins follow a conditional logit.  The
    error of that number is ignored: between exchangeable seats, the error of a share minus the mean share is not larger
    than the error of the share.
    """
    from scipy.optimize import brentq
    from scipy.special import expit, logit

    par = np.array(spec.par)[np.array(cells.seat) - 1]

    def shift(own: NDArray[np.bool_]) -> float:
        if not 0 < cells.share[own].mean() < 1:
            return np.nan
        wins = cells.share[own] * cells.deals[own]  # half a win and half a loss more, for seats that have none
        odds, total = logit((wins + 0.5) / (cells.deals[own] + 1)), par[own].sum()
        return float(brentq(lambda by: expit(odds - by).sum() - total, -60, 60))

    return _shifted(cells, shift, lambda ends, by: expit(logit(ends) - by), par, margin.at(par))


def by_difference(spec: Spec, cells: StrategySeats, margin: Margin) -> Lines:
    """Return what each strategy gains from each seat, less by how much it gains more than par over all its seats."""
    par = np.array(spec.judged.par)[np.array(cells.seat) - 1]

    def more(own: NDArray[np.bool_]) -> float:
        return float(cells.share[own].mean() - par[own].mean())

    return _shifted(cells, more, np.subtract, par, margin.room(spec.judged, par))


def _shifted(
    cells: StrategySeats,
    by: Callable[[NDArray[np.bool_]], float],
    moved: Callable[[Floats, Floats], Floats],
    par: Floats,
    room: Floats,
) -> Lines:
    """Return the cells, each moved by what its strategy wins more, or less, than its seats are meant to.

    by: What that is, given which cells are a strategy's.
    moved: Moves shares, or the ends of their intervals, by it.
    """
    names = np.array(cells.strategy)
    mean, shift = np.zeros(len(names)), np.zeros(len(names))
    for name in dict.fromkeys(cells.strategy):
        own = names == name
        mean[own], shift[own] = cells.share[own].mean(), by(own)
    share, low, high = (moved(ends, shift) for ends in (cells.share, cells.low, cells.high))
    labels = [
        {"strategy": name, "seat": seat, "seen": float(seen), "mean": float(whole)}
        for name, seat, seen, whole in zip(cells.strategy, cells.seat, cells.share, mean, strict=True)
    ]
    return Lines(labels, share, (high - low) / 2 / cells.constant, low, high, par, room)


def judge_lines(what: str, lines: Lines, deals: int, values: Mapping[str, Any]) -> Verdict:
    """Say which shares are significantly outside the margin around par, or that all are significantly inside.

    what: Beginning of the verdict's code, such as `seats`, `camps` or `role_seats_mixed`.
    lines: The shares.
    deals: Number of deals behind them.
    values: Further values for the sentence.
    """
    share, low, high, par, room = lines.share, lines.low, lines.high, lines.par, lines.room
    if deals < MIN_DEALS:
        return Verdict(f"{what}_too_few", "unknown", {**values, "par": par[0], "deals": deals, "least": MIN_DEALS})

    def verdict(how: str, status: str, pick: int, **more: Any) -> Verdict:
        return Verdict(f"{what}_{how}", status, {**values, **lines.about(pick), **more}, lines)

    off = share - par
    above, below = low > par + room, high < par - room
    if above.any():
        return verdict("tilted_high", "tilted", int(np.where(above, off / room, -np.inf).argmax()))
    if below.any():
        return verdict("tilted_low", "tilted", int(np.where(below, off / room, np.inf).argmin()))
    worst = int((np.abs(off) / room).argmax())
    if ((low >= par - room) & (high <= par + room)).all():
        return verdict("fair", "fair", worst)
    half = np.maximum(share - low, high - share)
    edge = np.flatnonzero(at_edge(np.abs(off), room, half))
    if len(edge):
        return verdict("near", "unclear", int(edge[0]))
    each = zip(room, half, lines.se, strict=True)
    needed = max(deals_if_fair(margin, wide, se, deals, len(half)) for margin, wide, se in each)
    return verdict("unclear", "unclear", worst, needed=needed)
