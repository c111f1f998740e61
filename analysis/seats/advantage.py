"""Seat advantage: win share (also divided by par) and score by seat and by strategy, and win share by camp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from analysis.data.accumulate import Counts, accumulate
from analysis.data.results import Inputs, Lines, Result, Verdict, interval, share_columns
from analysis.data.sameness import same_game
from analysis.data.source import Block, Source
from analysis.data.sources import Data, SpecSource, cautions, open_source
from analysis.ratings.people import Effects, effects, judged_together
from analysis.seats.distance import Distance, distance
from analysis.seats.looks import Looks, answered
from analysis.seats.shares import StrategySeats, among_won, judge, judge_table, nobody, some_unwon, within
from analysis.stats.intervals import (
    bonferroni,
    check_level,
    each_look,
    max_t,
    max_t_of,
    pointwise,
    share_interval,
    simultaneous,
    with_few,
)
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import Floats, Moments, Ratios
from simcore.judged import Judged
from simcore.running.batch import Spec

WON = "won"
"""Name of what is judged among the columns: parts of the wins, or of the payoff."""


@dataclass(frozen=True, eq=False, repr=False)
class SeatAdvantage(Result):
    """Win share and score by seat, and by camp in a game with camps.

    Parameters
    ----------
    table
        One row for each seat: `share` with an interval that is simultaneous for all seats, and `par_normalised` (share
        divided by par; 1 is fair). A game that is played for a payoff has `payoff` instead, what the seat gains a game,
        in the unit of the payoff, as is its `par`, and beside it its share of the `wins`, with an interval. If the game
        has them, also `score` and `turn` (the mean turn position), with intervals. In a game with roles also `role`,
        `camp` and `edge`: the share minus the seat's part, by par, of what its role wins, with an interval that is
        simultaneous for all seats of the role. For a table from elsewhere that names its people or their roles, `share`
        is what a seat would win among equals, and `seen` what it won.
    by_strategy
        One row for each strategy and seat, with intervals that are simultaneous for all rows.
    camps
        One row for each camp: `share` and `par_normalised`, with intervals that are simultaneous for all camps.  None
        in a game whose seats are symmetric.
    margin
        Distance from par that counts as fair.
    unit
        The payoff's unit; empty if the game is played for wins.
    """

    by_strategy: pl.DataFrame
    camps: pl.DataFrame | None
    margin: Margin
    unit: str = ""

    @property
    def distance(self) -> Distance:
        """How far apart the best and the worst camp or seat are."""
        table = self.table if self.camps is None else self.camps
        name = "payoff" if self.unit else "share"
        return distance(*(table[column].to_numpy() for column in (name, f"{name}_low", f"{name}_high", "par")))


def _sums(source: Source, names: Sequence[str]) -> Counts:
    """Return empty sums: by deal, each column by seat; by strategy and seat, win shares and scores.

    names: What is summed: `WON`, and columns of the score, of the turn position and, beside a payoff, of the wins.
    """
    players, strategies = source.players, len(source.strategies)

    def count(sums: Counts, block: Block) -> None:
        won = source.judged.of_columns(block.columns)
        sums.apart += int((won.max(axis=1) > won.min(axis=1)).sum())
        values = [won if name == WON else block[name] for name in names]
        sums.moments.add(np.hstack([block.totals(one.astype(np.float64)) for one in values]))
        if not source.mixed:
            return
        here = [block["strategy"] == number for number in range(strategies)]
        played = np.hstack([block.totals(seats.astype(np.float64)) for seats in here])
        for name, ratios in ((WON, sums.share), (source.score, sums.score)):
            if name:
                value = (won if name == WON else block[name]).astype(np.float64)
                ratios.add(np.hstack([block.totals(seats * value) for seats in here]), played)

    return Counts(
        count,
        "analysis.seats.advantage._Seats",
        moments=Moments(players * len(names)),
        part={name: slice(at * players, (at + 1) * players) for at, name in enumerate(names)},
        apart=0,  # number of games that some seats won, and not all of them
        later={"apart": 1},  # older totals do not say it; then nothing is said of winning together
        share=Ratios(strategies * players),
        score=Ratios(strategies * players),
    )


def seat_advantage(data: Data, level: float = 0.95, margin: Margin | float | str = FAIR) -> SeatAdvantage:
    """Return win share and score by seat, and win share by camp in a game with camps.

    Standard errors (SE) are those of deal means.  The constant c is a max-`|t|` quantile: for shares and turns of
    symmetric seats, that of N exchangeable means with a constant sum; for everything else, that of the estimated
    covariance.  Scores and turns have the interval mean +- c SE; shares have `share_interval` at the level of c
    (docs/reference/methods.md).

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play.
    level
        Simultaneous confidence level of the intervals of all seats, and of the intervals of all camps; at all looks of
        a run that ended when its verdict was settled.
    margin
        Distance from par that counts as fair: "12%" of par, "3pp" (percentage points), or a share of all wins.

    Raises
    ------
    UsageError
        If the run cannot be read or contains no complete deal.

    References
    ----------
    * docs/reference/methods.md
    * Halperin, M., Greenhouse, S. W., Cornfield, J. and Zalokar, J. (1955). Tables of percentage points for
      the studentized maximum absolute deviate in normal samples. JASA 50.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.seat_advantage(run)
    >>> found.table["games"].to_list()
    [400, 400]
    """
    check_level(level)
    fair = as_margin(margin)
    source = open_source(data)
    source.require_seats()
    turn = source.declarations.turn if source.declarations.turn in source.available else None
    wins = source.share if source.judged.is_payoff else None
    read = ("strategy", *source.judged.columns, source.share, source.score, turn)
    names = list(dict.fromkeys(name for name in read if name))
    summed = [WON, *(name for name in (source.score, turn, wins) if name)]
    found, inputs = accumulate(source, names, lambda: _sums(source, summed))
    if source.playable and not found.moments.covariance[found.part[WON]].any() and same_game(source.spec):
        inputs = replace(inputs, deals=1)
    each = each_look(level, source.looks)
    table, camps = _table(source, found, inputs, each), _camps(source, found, inputs, each)
    won = float(found.moments.mean[found.part[WON]].sum()) / source.spec.games_per_deal / source.judged.parts
    notes = (*cautions(source, inputs), *nobody(won, source.judged))
    by_strategy, constant = _by_strategy(source, found, inputs, each)
    people = effects([source]) if judged_together(source) else None
    if people is not None and camps is not None:
        camps = _among_people(source, camps, people, level)
    elif people is not None:
        table = _among_people(source, table, people, level)
    few = people.few if people else 0
    together = not found.apart and not source.judged.is_payoff  # all seats won or lost together in every game
    verdicts = _verdicts(source, table, camps, by_strategy, constant, inputs, fair, few, together)
    table, by_strategy = (in_amounts(frame, source.judged) for frame in (table, by_strategy))
    return SeatAdvantage((inputs,), level, table, verdicts, notes, by_strategy, camps, fair, source.judged.unit)


def looked(spec: Spec, goal: Looks) -> SpecSource:
    """Return the games of players who look ahead up to the look at which they have answered, played once."""
    source = SpecSource(spec, keeps=True)
    source.looks = len(goal.at)
    for games in goal.sizes(spec):
        source.planned = games
        if answered(goal.given, seat_advantage(source, goal.level, goal.margin).verdicts):
            break
    return source


def in_amounts(table: pl.DataFrame, judged: Judged) -> pl.DataFrame:
    """Return a table with amounts instead of shares, if the game is played for a payoff."""
    if not judged.is_payoff:
        return table
    values, errors = ("share", "share_low", "share_high", "par"), ("share_se",)
    return (
        table.with_columns(
            *(judged.amount(pl.col(name)).alias(name) for name in values if name in table.columns),
            *(judged.distance(pl.col(name)).alias(name) for name in errors if name in table.columns),
        )
        .select(pl.exclude("^par_normalised.*$"))
        .rename(lambda name: name.replace("share", "payoff"))
    )


def _verdicts(
    source: Source,
    table: pl.DataFrame,
    camps: pl.DataFrame | None,
    by_strategy: pl.DataFrame,
    constant: float,
    inputs: Inputs,
    margin: Margin,
    few: int,
    together: bool,
) -> tuple[Verdict, ...]:
    """Return the verdicts on the tables; `constant` is that of the intervals by strategy (`analysis.seats.shares`)."""
    spec = source.spec
    room = margin.room(source.judged, table["par"].to_numpy())
    seats = Lines.of("seat", table["seat"].to_list(), table, "share", table["par"], room)
    of_camps = None
    if camps is not None:
        titles = [name if source.origin else spec.game.camp_titles[name] for name in camps["camp"]]
        of_camps = Lines.of("camp", titles, camps, "share", camps["par"], margin.at(camps["par"]))
    if source.origin is not None and source.origin.suspected:
        return (Verdict("seats_suspected", "unknown", {"teams": source.origin.suspected}),)
    if source.origin is not None:
        named = "seen" in (table if camps is None else camps).columns
        return (judge_table(spec, of_camps or seats, named, inputs, margin, few, "camps" if of_camps else "seats"),)
    within, cells = {}, {}
    for role in spec.game.roles:
        own = table.filter(pl.col("role") == role.name) if source.asymmetric else table
        if source.asymmetric and len(own) > 1:
            within[role.name] = Lines.of("seat", own["seat"].to_list(), own, "edge", 0.0, margin.at(own["par"]))
        if role in spec.mixed_roles:
            rows = by_strategy.filter(pl.col("role") == role.name) if source.asymmetric else by_strategy
            par = np.array(source.judged.par)[rows["seat"].to_numpy() - 1]
            share, low, high = (rows[f"par_normalised{end}"].to_numpy() * par for end in ("", "_low", "_high"))
            names, places = rows["strategy"].to_list(), rows["seat"].to_list()
            cells[role.name] = StrategySeats(names, places, share, low, high, rows["deals"].to_numpy(), constant)
    return judge(spec, seats, of_camps, within, cells, inputs, margin, together)


def _table(source: Source, found: Counts, inputs: Inputs, level: float) -> pl.DataFrame:
    players, per_deal, par = source.players, source.spec.games_per_deal, np.array(source.judged.par)
    mean, covariance = found.moments.mean / per_deal, found.moments.covariance / per_deal**2
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    won = found.part[WON]
    share, spread = mean[won] / source.judged.parts, error[won] / source.judged.parts
    par = among_won(par, float(share.sum()), source.judged)
    columns = {
        "seat": np.arange(1, players + 1),
        **roles_of(source),
        "games": np.full(players, inputs.games),
        "deals": np.full(players, inputs.deals),
        **_of_par(share, spread, par, inputs.deals, _together(source, covariance[won, won], level, float(share.sum()))),
    }
    if source.score:
        scores = found.part[source.score]
        wide = float(with_few(max_t_of(covariance[scores, scores], level), inputs.deals))
        columns |= interval("score", mean[scores], error[scores], wide)
    if turn := found.part.get(source.declarations.turn):
        columns |= interval("turn", mean[turn], error[turn], float(with_few(max_t(players, level), inputs.deals)))
    if wins := found.part.get(source.share):
        several = max_t(players, level)
        columns |= share_columns("wins", mean[wins] / source.unit, error[wins] / source.unit, inputs.deals, several)
    if source.asymmetric:
        columns |= _edges(source, share, covariance[won, won] / source.unit**2, inputs.deals, level)
    return pl.DataFrame(columns)


def _among_people(source: Source, table: pl.DataFrame, people: Effects, level: float) -> pl.DataFrame:
    """Return a table of seats or camps with what each would win among equal people, and what it won as `seen`."""
    share, error, low, high = people.even(0, level)
    ends = {"share": share, "share_se": error, "share_low": low, "share_high": high}
    columns = {name: pl.Series(values) for name, values in ends.items()}
    columns |= {
        name.replace("share", "par_normalised"): pl.Series(values / table["par"].to_numpy())
        for name, values in ends.items()
    }
    origin = source.origin
    named = origin is not None and bool(origin.people or origin.roles)
    return table.with_columns(*([pl.col("share").alias("seen")] if named else [])).with_columns(**columns)


def roles_of(source: Source) -> dict[str, list[str]]:
    """Return the columns with the role and the camp of every seat; none in a game whose seats are symmetric."""
    roles = source.spec.roles
    return {"role": [item.name for item in roles], "camp": [item.side for item in roles]} if source.asymmetric else {}


def _edges(source: Source, share: Floats, covariance: Floats, deals: int, level: float) -> dict[str, Floats]:
    """Return each seat's share minus its part, by par, of its role's wins; undefined for a role of one seat."""
    found = np.full((4, source.players), np.nan)
    for role in source.spec.game.roles:
        seats = list(role.at(source.players))
        if len(seats) < 2:
            continue
        lines, part = within(source.par, seats), source.par[seats] / source.par[seats].sum()
        matrix = lines @ covariance @ lines.T
        error = np.sqrt(np.maximum(np.diag(matrix), 0))
        low, high = share_interval(part + lines @ share, error, deals, simultaneous(matrix, level))
        found[:, seats] = np.stack([lines @ share, error, low - part, high - part])
    return dict(zip(("edge", "edge_se", "edge_low", "edge_high"), found, strict=True))


def _camps(source: Source, found: Counts, inputs: Inputs, level: float) -> pl.DataFrame | None:
    """Return the table of camps; None in a game whose seats are symmetric."""
    camps, per_deal = source.camps, source.spec.games_per_deal
    if not camps:
        return None
    won, scale = found.part[WON], per_deal * source.unit
    lines = np.array([[1.0 * (seat in seats) for seat in range(source.players)] for seats in camps.values()])
    covariance = lines @ found.moments.covariance[won, won] @ lines.T / scale**2
    share, par = lines @ found.moments.mean[won] / scale, lines @ source.par
    par = among_won(par, float(share.sum()), source.judged)
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    columns = {
        "camp": list(camps),
        "seats": lines.sum(axis=1).astype(np.int64),
        "games": np.full(len(camps), inputs.games),
        "deals": np.full(len(camps), inputs.deals),
        **_of_par(share, error, par, inputs.deals, simultaneous(covariance, level)),
    }
    return pl.DataFrame(columns)


def _together(source: Source, covariance: Floats, level: float, won: float) -> float:
    """Return the constant of simultaneous intervals for the shares of all seats, given the share that somebody won."""
    if source.asymmetric:
        return simultaneous(covariance, level)
    return bonferroni(level, source.players) if some_unwon(won, source.judged) else max_t(source.players, level)


def _of_par(share: Floats, error: Floats, par: Floats, deals: int, constant: float) -> dict[str, Any]:
    """Return shares, and shares over par, with simultaneous intervals."""
    found = share_columns("share", share, error, deals, constant)
    return found | {"par": par} | share_columns("par_normalised", share, error, deals, constant, 1 / par)


def _by_strategy(source: Source, found: Counts, inputs: Inputs, level: float) -> tuple[pl.DataFrame, float]:
    """Return what each strategy wins from each seat, and the constant of the intervals of these shares."""
    names = source.strategies
    roles = {key: values * len(names) for key, values in roles_of(source).items()}
    index = {
        **({"role": roles["role"]} if roles else {}),
        "strategy": np.repeat(names, source.players),
        "seat": np.tile(np.arange(1, source.players + 1), len(names)),
    }
    if not source.mixed:  # the same as the main table
        table = {"strategy": pl.String, "seat": pl.Int64, "times": pl.Int64, "deals": pl.Int64}
        return pl.DataFrame(schema=table), np.nan
    share = found.share.cells()
    family = int((share.bottom > 0).sum()) if roles else len(share.value)
    constant = bonferroni(level, family)
    parts, par = source.judged.parts, np.tile(source.judged.par, len(names))
    deals = np.minimum(share.deals, inputs.deals)
    value, se = share.value / parts, share.se / parts
    columns = {
        **index,
        "times": share.bottom.astype(np.int64),
        "deals": deals,
        **share_columns("par_normalised", value, se, deals, constant, 1 / par),
    }
    if source.judged.is_payoff:
        columns |= share_columns("share", value, se, deals, constant)
    if source.score:
        score = found.score.cells()
        columns |= interval("score", score.value, score.se, pointwise(level, share.deals, family))
    return pl.DataFrame(columns).filter(pl.col("times") > 0), constant
