"""Verdicts on shares of the wins; `simulate` and reports use the same functions.

Camps are compared with each other first, then the seats of each role.  If strategies of different strength change
seats, the seats' shares hide what a seat is worth, because a strategy that nearly always wins does so from every seat.
Such seats are judged within each strategy, by odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.data.results import Counted, Lines, Verdict, as_amounts
from analysis.seats.shares import LEVEL, Shares, camp_shares, role_shares, seat_shares, together
from analysis.stats.intervals import at_edge, bonferroni, deals_if_fair
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import MIN_DEALS, Floats
from simcore.judged import Judged
from simcore.running.batch import Spec
from simcore.running.tally import Tally

if TYPE_CHECKING:
    pass


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

    places, par = np.array(cells.seat) - 1, np.array(spec.par)
    names = np.array(cells.strategy)
    mean, shift = np.zeros(len(names)), np.full(len(names), np.nan)
    for name in dict.fromkeys(cells.strategy):
        own = names == name
        mean[own] = cells.share[own].mean()
        if 0 < mean[own][0] < 1:
            wins = cells.share[own] * cells.deals[own]  # half a win and half a loss more, for seats that have none
            odds, total = logit((wins + 0.5) / (cells.deals[own] + 1)), par[places[own]].sum()
            shift[own] = brentq(lambda by, odds=odds, total=total: expit(odds - by).sum() - total, -60, 60)
    share, low, high = (expit(logit(ends) - shift) for ends in (cells.share, cells.low, cells.high))
    labels = [
        {"strategy": name, "seat": seat, "seen": float(own), "mean": float(whole)}
        for name, seat, own, whole in zip(cells.strategy, cells.seat, cells.share, mean, strict=True)
    ]
    se = (high - low) / 2 / bonferroni(0.95, len(labels))
    return Lines(labels, share, se, low, high, par[places], margin.at(par[places]))


def by_difference(spec: Spec, cells: StrategySeats, margin: Margin) -> Lines:
    """Return what each strategy gains from each seat, less by how much it gains more than par over all its seats."""
    places, par = np.array(cells.seat) - 1, np.array(spec.judged.par)
    names = np.array(cells.strategy)
    mean = np.zeros(len(names))
    more = np.zeros(len(names))
    for name in dict.fromkeys(cells.strategy):
        own = names == name
        mean[own] = cells.share[own].mean()
        more[own] = mean[own] - par[places[own]].mean()
    labels = [
        {"strategy": name, "seat": seat, "seen": float(own), "mean": float(whole)}
        for name, seat, own, whole in zip(cells.strategy, cells.seat, cells.share, mean, strict=True)
    ]
    share, low, high = (ends - more for ends in (cells.share, cells.low, cells.high))
    se = (high - low) / 2 / bonferroni(0.95, len(labels))
    return Lines(labels, share, se, low, high, par[places], margin.room(spec.judged, par[places]))


def judge_lines(what: str, lines: Lines, deals: int, values: Mapping[str, Any]) -> Verdict:
    """Say which shares are significantly outside the margin around par, or that all are significantly inside.

    what: Beginning of the verdict's code: `seats`, `camps` or `role_seats`.
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
