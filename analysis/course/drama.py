"""The course of games: who leads after each round, how often the lead changes, runaways and comebacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from analysis.course.standings import Drama, Stories, columns_of, fortunes, lead_passes, stories
from analysis.data.accumulate import Counts, accumulate
from analysis.data.declarations import Standing, declared
from analysis.data.results import Inputs, Note, Result, Verdict, estimate_columns, interval
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.measures.quantities import families, values
from analysis.measures.rows import COURSE, RATES
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.moments import MIN_DEALS, Histogram, Moments, Ratios

# --- The course of games of any length, by tenths of their length, from the standings that they record ---


TENTHS = 10
SERIES = ("leader_wins", "last_wins", "gap", "passed")
SHARES = ("leader_wins", "last_wins", "passed")
"""Those of them that are rates."""

WINNERS = ("taken", "deficit")
Columns = Mapping[str, object]


def _by_tenth(told: Stories) -> tuple[Array, Array]:
    """Return the values of `SERIES` at the end of each tenth, and whether a standing had been recorded by then."""
    order = np.sort(told.rank, axis=2)
    leads, trails = told.rank == order[:, :, -1:], told.rank == order[:, :, :1]
    by_rank = np.take_along_axis(told.measure, np.argsort(told.rank, axis=2), axis=2)
    gap = by_rank[:, :, -1] - by_rank[:, :, -2]
    so_far = np.hstack([np.zeros((len(told.game), 1), np.int64), told.passed.cumsum(axis=1)])
    story = np.arange(len(told.game))
    values, counted = np.zeros((len(story), len(SERIES), TENTHS)), np.zeros((len(story), len(SERIES), TENTHS))
    earlier = np.full(len(story), -1)
    for tenth in range(TENTHS):
        at = told.at(tenth + 1, TENTHS)
        known = at >= 0
        found = [
            *((where[story, at] * told.share).sum(axis=1) / where[story, at].sum(axis=1) for where in (leads, trails)),
            gap[story, at],
            so_far[story, at + 1] > so_far[story, earlier + 1],
        ]
        values[:, :, tenth] = np.column_stack(found) * known[:, None]
        counted[:, :, tenth] = known[:, None]
        earlier = at
    return values.reshape(len(story), -1), counted.reshape(len(story), -1)


def _of_winners(some: Stories) -> Array:
    """Return when the winner took the lead for good, and its largest deficit before that, shape (stories, 2).

    Both are 0 in stories that nobody won, which do not count.
    """
    leads = some.rank == some.rank.max(axis=2, keepdims=True)
    kept = np.flip(np.logical_and.accumulate(np.flip(leads, axis=1), axis=1), axis=1)  # ahead from here to the end
    since = np.where(kept.any(axis=1), kept.argmax(axis=1), kept.shape[1] - 1)
    taken = np.take_along_axis(some.turn, since, axis=1) / some.last[:, None]
    leading = np.take_along_axis(some.measure, some.rank.argmax(axis=2)[:, :, None], axis=2)
    deficit = (leading - some.measure).max(axis=1)
    parts = np.where(some.won, some.share.sum(axis=1), 1)
    return np.column_stack([(value * some.share).sum(axis=1) / parts for value in (taken, deficit)])


def by_length(source: Source, standing: Standing, level: float) -> Drama:
    """Return the course of games by tenths of their length.

    level: Confidence level of each interval.
    Raises UsageError if the run lacks the table of events.
    """
    source.require_events("how games unfold")
    names = [source.share, *columns_of(source, standing)]
    source.require(names, "how games unfold")

    def count(sums: Counts, block: Block) -> None:
        series = np.zeros((2, block.deals, sums.series.size))
        whole = np.zeros((2, block.deals, sums.whole.size))
        for told in stories(source, standing, block):
            deal = told.game // block.per_deal
            for total, parts in zip(series, _by_tenth(told), strict=True):
                np.add.at(total, deal, parts)
            np.add.at(whole[0], deal, np.column_stack([told.course, _of_winners(told)]))
            np.add.at(whole[1], deal, np.column_stack([np.ones_like(told.course), told.won, told.won]))
            sums.changes.add(told.passed.sum(axis=1))
        sums.series.add(*series)
        sums.whole.add(*whole)

    sums, inputs = accumulate(source, list(dict.fromkeys(names)), partial(_course, count, TENTHS, WINNERS), events=True)
    whole, series = sums.whole.cells(), sums.series.cells()
    table = {"games": [inputs.games], "deals": whole.deals[:1], "stories": whole.bottom[:1].astype(np.int64)}
    elapsed = np.arange(1, TENTHS + 1) / TENTHS
    tenths = {"elapsed": elapsed, "stories": series.bottom[:TENTHS].astype(np.int64)}
    return _drama(source, inputs, level, sums, table, tenths, "drama_by_length")


def _course(count: Callable[[Counts, Block], None], size: int, more: Sequence[str] = ()) -> Counts:
    """Return the empty sums of the course of games: of a series, of whole games, and of lead changes."""
    whole = Ratios(len(COURSE) + len(more))
    return Counts(count, series=Ratios(len(SERIES) * size), whole=whole, changes=Histogram())


def _drama(
    source: Source, inputs: Inputs, level: float, sums: Counts, table: Columns, series: Columns, code: str
) -> Drama:
    """Return the course of games from its sums, and the first columns of its tables."""
    names = (*COURSE, *WINNERS)[: sums.whole.size]
    frame = pl.DataFrame({**table, **estimate_columns(sums.whole.cells(), names, level, RATES)})
    rounds = pl.DataFrame({**series, **estimate_columns(sums.series.cells(), SERIES, level, SHARES)})
    verdict = Verdict("drama_unknown", "unknown")
    row, half = frame.row(0, named=True), rounds.row(len(rounds) // 2 - 1, named=True)
    if row["deals"] >= MIN_DEALS:
        values = {"round": half.get("round"), "leader": half["leader_wins"]}
        verdict = Verdict(code, "fact", row | {name: value for name, value in values.items() if value is not None})
    changes = pl.DataFrame(sums.changes.columns("lead_changes"))
    return Drama((inputs,), level, frame, (verdict,), cautions(source, inputs), rounds, changes)


# --- The course of games: who leads after each round, how often the lead changes, runaways and comebacks ---


def drama(data: Data, level: float = 0.95) -> Drama:
    """Return the course of games: round by round, or by tenths of a game's length if the length varies.

    Parameters
    ----------
    data
        A run in full detail, its folder, or a specification to play.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the game declares neither a score after each round nor a standing, or the run lacks their columns or events.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.simulate(players=2, strategies="random", games=400, detail="full", out="runs/full").run
    >>> eq.drama(run).table.columns[:3]
    ['games', 'deals', 'lead_changes']
    """
    check_level(level)
    source = open_source(data)
    if source.declarations.standing and not source.declarations.trajectory:
        return by_length(source, source.declarations.standing, level)
    columns = declared(source.declarations.trajectory, "score after each round", source.spec.game.title)
    source.require(columns, "how games unfold")

    def count(sums: Counts, block: Block) -> None:
        score, share = source.ranked(block, columns), source.shares(block)
        ordered = np.sort(score, axis=2)
        top, second, bottom = ordered[:, :, -1], ordered[:, :, -2], ordered[:, :, 0]

        def win_share(members: Array) -> Array:
            return np.asarray((members * share[:, None, :]).sum(axis=2) / members.sum(axis=2))

        passed = lead_passes(score)
        ends = [win_share(score == edge[:, :, None]) for edge in (top, bottom)]
        sums.series.add(np.hstack([*ends, top - second, passed]), per_deal=block.per_deal)
        changes = passed.sum(axis=1)
        sums.whole.add(np.column_stack([changes, fortunes(score, share)]), per_deal=block.per_deal)
        sums.changes.add(changes)

    sums, inputs = accumulate(source, [source.share, *columns], partial(_course, count, len(columns)))
    table = {"games": [inputs.games], "deals": [inputs.deals]}
    rounds = {"round": np.arange(1, len(columns) + 1), "games": np.full(len(columns), inputs.games)}
    return _drama(source, inputs, level, sums, table, rounds, "drama")


# --- How close games end: margins, ties, and what decides them ---


ENDS = {"margin": "margin", "spread": "spread", "close": "close", "level": "level", "ties": "shared"}
"""How games end: measures, and their columns; the last one is known without a score."""


@dataclass(frozen=True, eq=False, repr=False)
class Closeness(Result):
    """Margins and ties.

    Parameters
    ----------
    table
        One row: the rate of `shared` games (the win was shared) and, in a game with a score, the rates of `close` games
        (margin at most 5 % of the largest score, whatever its sign; ties are close) and `level` games (two or more
        seats tied for the best score), with the mean `margin` (best score minus second) and `spread` (best minus
        worst).  Camps have the score of their best seat.
    margins
        One row for each margin: the number of games, and their share.  Empty in a game without a score.
    tie_breaks
        One row for each way to decide games that were tied for the best score: the number of games, their `rate` among
        all games with its interval, and their `part` of the tied games.  Empty if the game or the run does not record
        what decided.
    """

    margins: pl.DataFrame
    tie_breaks: pl.DataFrame


def closeness(data: Data, level: float = 0.95) -> Closeness:
    """Return how close games end, and what decides ties.

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play; tie-breaks need standard detail.
    level
        Confidence level of each interval.

    Raises
    ------
    UsageError
        If the run cannot be read.

    References
    ----------
    * docs/reference/methods.md
    * Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected number
      of positive counts estimated from survey data. Survey Methodology 24.

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.closeness(run)
    >>> found.table.columns[:4]
    ['games', 'deals', 'margin', 'margin_se']
    """
    check_level(level)
    source = open_source(data)
    declared = source.declarations.tie_break
    tie_break = declared if source.score and declared in source.available else None
    names = [name for name in (source.share, source.score, tie_break) if name]
    labels = source.labels(tie_break) if tie_break else ()
    known = families(source)
    wanted = {column: known[name] for name, column in ENDS.items() if name in known}
    measures, rates = list(wanted), [column for column, one in wanted.items() if one.is_share]

    def count(sums: Counts, block: Block) -> None:
        found = values(source, list(wanted.values()), block)
        if source.score:
            sums.margins.add(found[:, 0])
        if tie_break:
            winner = (block[source.share] > 0).argmax(axis=1)[:, None]
            decided = np.take_along_axis(block[tie_break], winner, axis=1) == np.arange(len(labels))
            found = np.hstack([found, decided & (found[:, [measures.index("level")]] > 0)])
        sums.ratios.add(found, per_deal=block.per_deal)

    def empty() -> Counts:
        ratios = Ratios(len(measures) + len(labels))
        return Counts(count, "analysis.course.closeness._Ends", ratios=ratios, margins=Histogram())

    sums, inputs = accumulate(source, names, empty)
    cells, size = sums.ratios.cells(), len(measures)
    columns = {"games": [inputs.games], "deals": [inputs.deals]}
    table = pl.DataFrame(columns | estimate_columns(cells[:size], measures, level, rates))
    notes = [*cautions(source, inputs)]
    if source.score and declared and not tie_break:
        notes.append(Note("ties_need_detail"))
    tie_breaks = pl.DataFrame(schema={"decided_by": pl.String, "games": pl.Int64, "rate": pl.Float64})
    if tie_break:
        ties = cells[size:]
        tie_breaks = pl.DataFrame(
            {
                "decided_by": labels,
                "games": ties.top.astype(np.int64),
                **estimate_columns(ties, ["rate"], level, ["rate"]),
                "part": ties.top / max(cells.top[measures.index("level")], 1),
            }
        ).filter((pl.col("decided_by") != labels[0]) | (pl.col("games") > 0))
    margins = pl.DataFrame(sums.margins.columns("margin"))
    verdict = _verdict_on_margin(table, source)
    return Closeness((inputs,), level, table, (verdict,), tuple(notes), margins, tie_breaks)


def _verdict_on_margin(table: pl.DataFrame, source: Source) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("closeness_unknown", "unknown")
    if not source.score:
        return Verdict("closeness_unscored", "fact", row)
    return Verdict("closeness", "fact", row | {"unit": source.score})


# --- The length of games, and the means of other numbers that an imported table records ---


def averages(source: Source, level: float = 0.95) -> pl.DataFrame:
    """Return the mean of each number that an imported table records, the length first.

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

    def count(sums: Counts, block: Block) -> None:
        values = np.stack([block[name].astype(np.float64) for name in names])
        sums.moments.add(values.mean(axis=2).T)
        sums.least.append(values.min(axis=(1, 2)))
        sums.most.append(values.max(axis=(1, 2)))

    sums, inputs = accumulate(source, names, lambda: Counts(count, moments=Moments(len(names)), least=[], most=[]))
    mean, error = sums.moments.mean, np.sqrt(np.maximum(np.diag(sums.moments.covariance), 0))
    columns = interval("mean", mean, error, pointwise(level, inputs.deals))
    ends = {"least": np.min(sums.least, axis=0), "most": np.max(sums.most, axis=0)}
    return pl.DataFrame({"measure": names, **columns, **ends}).fill_nan(None)
