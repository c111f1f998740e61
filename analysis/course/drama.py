"""The course of games: who leads after each round, how often the lead changes, runaways and comebacks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.cards.counterfactual import lead_passes
from analysis.course.standings import RATES, Drama, Stories, columns_of, fortunes, last_but_one, stories
from analysis.data.accumulate import accumulate
from analysis.data.declarations import Standing, declared
from analysis.data.results import Note, Result, Verdict, interval
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, cautions, open_source
from analysis.stats.intervals import check_level, pointwise, rate_interval
from analysis.stats.moments import MIN_DEALS, Floats, Histogram, Moments, Ratios, signed
from simcore.running.accumulator import Accumulator

# --- The course of games of any length, by tenths of their length, from the standings that they record ---


TENTHS = 10
SERIES = ("leader_wins", "last_wins", "gap", "passed")
WINNERS = ("taken", "deficit")


class _Told(Accumulator):
    def __init__(self, source: Source, standing: Standing) -> None:
        self.source, self.standing = source, standing
        self.tenths = Ratios(len(SERIES) * TENTHS)
        self.whole = Ratios(1 + len(RATES) + len(WINNERS))
        self.changes = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        tenths = np.zeros((2, block.deals, self.tenths.size))
        whole = np.zeros((2, block.deals, self.whole.size))
        for told in stories(self.source, self.standing, block):
            deal = told.game // block.per_deal
            passed = lead_passes(told.rank)
            for total, values in zip(tenths, _by_tenth(told, passed), strict=True):
                np.add.at(total, deal, values)
            changes = passed.sum(axis=1)
            rates = fortunes(told.rank, told.share, told.half, last_but_one(told))
            np.add.at(whole[0], deal, np.column_stack([changes, rates, _of_winners(told)]))
            np.add.at(whole[1], deal, 1)
            self.changes.add(changes)
        self.tenths.add(*tenths)
        self.whole.add(*whole)


def _by_tenth(told: Stories, passed: Array) -> tuple[Array, Array]:
    """Return the values of `SERIES` at the end of each tenth, and whether a standing had been recorded by then."""
    order = np.sort(told.rank, axis=2)
    leads, trails = told.rank == order[:, :, -1:], told.rank == order[:, :, :1]
    by_rank = np.take_along_axis(told.measure, np.argsort(told.rank, axis=2), axis=2)
    gap = by_rank[:, :, -1] - by_rank[:, :, -2]
    so_far = np.hstack([np.zeros((len(passed), 1), np.int64), passed.cumsum(axis=1)])
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


def _of_winners(told: Stories) -> Array:
    """Return when the winner took the lead for good, and its largest deficit before that, shape (stories, 2)."""
    leads = told.rank == told.rank.max(axis=2, keepdims=True)
    kept = np.flip(np.logical_and.accumulate(np.flip(leads, axis=1), axis=1), axis=1)  # ahead from here to the end
    since = np.where(kept.any(axis=1), kept.argmax(axis=1), kept.shape[1] - 1)
    taken = np.take_along_axis(told.turn, since, axis=1) / told.last[:, None]
    leading = np.take_along_axis(told.measure, told.rank.argmax(axis=2)[:, :, None], axis=2)
    deficit = (leading - told.measure).max(axis=1)
    parts = told.share.sum(axis=1)
    return np.column_stack([(value * told.share).sum(axis=1) / parts for value in (taken, deficit)])


def by_length(source: Source, standing: Standing, level: float) -> Drama:
    """Return the course of games by tenths of their length.

    source: The games.
    standing: What the game declares.
    level: Confidence level of each interval.
    Raises UsageError if the run lacks the table of events.
    """
    source.require_events("how games unfold")
    names = [source.share, *columns_of(source, standing)]
    source.require(names, "how games unfold")
    found, inputs = accumulate(source, list(dict.fromkeys(names)), lambda: _Told(source, standing), events=True)
    whole, cells = found.whole.cells(), found.tenths.cells()
    low, high = rate_interval(whole.value, whole.se, whole.deals, level)
    deals = int(whole.deals[0])
    constant = pointwise(level, deals)
    table: dict[str, object] = {"games": [inputs.games], "deals": [deals], "stories": [int(whole.bottom[0])]}
    table |= interval("lead_changes", whole.value[0], whole.se[0], constant)
    for number, name in enumerate(RATES, 1):
        table |= {name: whole.value[number], f"{name}_se": whole.se[number], f"{name}_low": low[number]}
        table |= {f"{name}_high": high[number]}
    for number, name in enumerate(WINNERS, 1 + len(RATES)):
        table |= interval(name, whole.value[number], whole.se[number], constant)
    parts: dict[str, object] = {
        "elapsed": np.arange(1, TENTHS + 1) / TENTHS,
        "stories": cells.bottom[:TENTHS].astype(np.int64),
    }
    for number, name in enumerate(SERIES):
        part = slice(number * TENTHS, (number + 1) * TENTHS)
        parts |= interval(name, cells.value[part], cells.se[part], pointwise(level, cells.deals[part]))
    counts = found.changes
    changes = pl.DataFrame(
        {"lead_changes": counts.value, "games": counts.count, "share": counts.count / counts.count.sum()}
    )
    frame, rounds = pl.DataFrame(table), pl.DataFrame(parts)
    return Drama(
        (inputs,), level, frame, (_verdict_on_length(frame, rounds),), cautions(source, inputs), rounds, changes
    )


def _verdict_on_length(table: pl.DataFrame, rounds: pl.DataFrame) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("drama_unknown", "unknown")
    half = rounds.row(TENTHS // 2 - 1, named=True)
    return Verdict("drama_by_length", "fact", row | {"leader": half["leader_wins"]})


# --- The course of games: who leads after each round, how often the lead changes, runaways and comebacks ---


class _Story(Accumulator):
    def __init__(self, source: Source, columns: tuple[str, ...]) -> None:
        self.source, self.columns = source, columns
        self.rounds = Ratios(4 * len(columns))
        self.whole = Ratios(1 + len(RATES))
        self.changes = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        score = self.source.ranked(block, self.columns)
        share = self.source.shares(block)
        ordered = np.sort(score, axis=2)
        top, second, bottom = ordered[:, :, -1], ordered[:, :, -2], ordered[:, :, 0]
        leads, trails = score == top[:, :, None], score == bottom[:, :, None]

        def win_share(members: Array) -> Array:
            return np.asarray((members * share[:, None, :]).sum(axis=2) / members.sum(axis=2))

        passed = lead_passes(score)
        values = block.totals(np.hstack([win_share(leads), win_share(trails), top - second, passed]))
        self.rounds.add(values, np.full_like(values, block.per_deal))
        told = np.column_stack([passed.sum(axis=1), fortunes(score, share)])
        values = block.totals(told.astype(np.float64))
        self.whole.add(values, np.full_like(values, block.per_deal))
        self.changes.add(told[:, 0])


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
    found, inputs = accumulate(source, [source.share, *columns], lambda: _Story(source, columns))
    whole, cells = found.whole.cells(), found.rounds.cells()
    low, high = rate_interval(whole.value, whole.se, whole.deals, level)
    table: dict[str, object] = {"games": [inputs.games], "deals": [inputs.deals]}
    constant = pointwise(level, inputs.deals)
    table |= interval("lead_changes", whole.value[0], whole.se[0], constant)
    for number, name in enumerate(RATES, 1):
        table |= {name: whole.value[number], f"{name}_se": whole.se[number], f"{name}_low": low[number]}
        table |= {f"{name}_high": high[number]}
    size = len(columns)
    rounds: dict[str, object] = {"round": np.arange(1, size + 1), "games": np.full(size, inputs.games)}
    for number, name in enumerate(("leader_wins", "last_wins", "gap", "passed")):
        part = slice(number * size, (number + 1) * size)
        rounds |= interval(name, cells.value[part], cells.se[part], constant)
    counts = found.changes
    changes = pl.DataFrame(
        {"lead_changes": counts.value, "games": counts.count, "share": counts.count / counts.count.sum()}
    )
    frame, by_round = pl.DataFrame(table), pl.DataFrame(rounds)
    verdict = _verdict(frame, by_round)
    return Drama((inputs,), level, frame, (verdict,), cautions(source, inputs), by_round, changes)


def _verdict(table: pl.DataFrame, rounds: pl.DataFrame) -> Verdict:
    row = table.row(0, named=True)
    if row["deals"] < MIN_DEALS:
        return Verdict("drama_unknown", "unknown")
    half = rounds.row(len(rounds) // 2 - 1, named=True)
    values = row | {"round": half["round"], "leader": half["leader_wins"]}
    return Verdict("drama", "fact", values)


# --- How close games end: margins, ties, and what decides them ---


MEASURES, UNSCORED = ("margin", "spread", "close", "level", "shared"), ("shared",)
"""What is counted in every game, with and without a score."""

CLOSE = 0.05
"""A game is close if its margin is at most this fraction of its largest score, counted without the sign."""


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


class _Ends(Accumulator):
    def __init__(self, source: Source, tie_break: str | None) -> None:
        self.source, self.tie_break = source, tie_break
        self.labels = source.labels(tie_break) if tie_break else ()
        self.ratios = Ratios(len(MEASURES if source.score else UNSCORED) + len(self.labels))
        self.margins = Histogram()

    def add(self, block: Block) -> None:
        """Add a block of games."""
        if not self.source.score:
            values = block.totals(self.source.shared(block)[:, None].astype(np.float64))
            self.ratios.add(values, np.full_like(values, block.per_deal))
            return
        scores = signed(block[self.source.score])
        ranked = self.source.contested(block)
        best, margin = ranked[:, -1], ranked[:, -1] - ranked[:, -2]
        self.margins.add(margin)
        winners = block[self.source.share] > 0
        level = margin == 0
        close = margin <= CLOSE * np.abs(scores).max(axis=1)
        found = [margin, best - ranked[:, 0], close, level, self.source.shared(block)]
        if self.tie_break:
            decided = np.take_along_axis(block[self.tie_break], winners.argmax(axis=1)[:, None], axis=1)[:, 0]
            found += [level & (decided == code) for code in range(len(self.labels))]
        values = block.totals(np.stack(found, axis=1).astype(np.float64))
        self.ratios.add(values, np.full_like(values, block.per_deal))


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
    found, inputs = accumulate(source, names, lambda: _Ends(source, tie_break))
    cells = found.ratios.cells()
    low, high = rate_interval(cells.value, cells.se, cells.deals, level)
    columns: dict[str, object] = {"games": [inputs.games], "deals": [inputs.deals]}
    measures = MEASURES if source.score else UNSCORED
    for number, name in enumerate(measures[:-3]):
        constant = pointwise(level, cells.deals[number])
        columns |= interval(name, cells.value[number], cells.se[number], constant)
    for number, name in list(enumerate(measures))[-3:]:
        columns |= {
            name: cells.value[number],
            f"{name}_se": cells.se[number],
            f"{name}_low": low[number],
            f"{name}_high": high[number],
        }
    counts = found.margins
    margins = pl.DataFrame(
        {"margin": counts.value, "games": counts.count, "share": counts.count / max(counts.count.sum(), 1)}
    )
    notes = [*cautions(source, inputs)]
    if source.score and declared and not tie_break:
        notes.append(Note("ties_need_detail"))
    tie_breaks = pl.DataFrame(schema={"decided_by": pl.String, "games": pl.Int64, "rate": pl.Float64})
    if tie_break:
        top = cells.top[5:]
        tie_breaks = pl.DataFrame(
            {
                "decided_by": found.labels,
                "games": top.astype(np.int64),
                "rate": cells.value[5:],
                "rate_se": cells.se[5:],
                "rate_low": low[5:],
                "rate_high": high[5:],
                "part": top / max(cells.top[3], 1),
            }
        ).filter((pl.col("decided_by") != found.labels[0]) | (pl.col("games") > 0))
    table = pl.DataFrame(columns)
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
