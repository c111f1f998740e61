"""Seat advantage: par-normalised win share and score by seat, by strategy, and as skill grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.accumulate import fold
from analysis.data.results import Inputs, Result, Verdict, interval
from analysis.data.sources import Block, Data, Source, cautions, open_source, shared_deals
from analysis.stats.intervals import (
    MARGIN,
    check_level,
    check_margin,
    deals_to_tell,
    max_t,
    max_t_of,
    pointwise,
    with_few,
)
from analysis.stats.moments import MIN_DEALS, Floats, Moments, Ratios
from simcore.errors import UsageError
from simcore.tally import SHARE

"""Win share either side of par that counts as fair."""


@dataclass(frozen=True, eq=False)
class SeatAdvantage(Result):
    """Win share and score by seat.

    Parameters
    ----------
    table
        One row a seat: `share` with an interval that holds for all seats at once, `par_normalised` (1 is fair),
        `score` likewise, and `turn`, the mean turn position, where the game has one.
    by_strategy
        One row a strategy and seat, the intervals hold for all at once.
    margin
        Win share either side of par that counts as fair.
    """

    by_strategy: pl.DataFrame
    margin: float

    @property
    def gap(self) -> tuple[float, float | None, float | None]:
        """Best seat's share over par less the worst seat's, and an interval (conservative)."""
        share = self.table["par_normalised"].to_numpy()
        low, high = (self.table[f"par_normalised_{end}"] for end in ("low", "high"))
        if low.null_count():
            return float(share.max() - share.min()), None, None
        least = max(0.0, float(low.to_numpy().max() - high.to_numpy().min()))
        return float(share.max() - share.min()), least, float(high.to_numpy().max() - low.to_numpy().min())


class _Seats:
    """Totals a deal: sixtieths, score and turn position by seat; and sixtieths and score by strategy and seat."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.turn = source.meaning.turn if source.meaning.turn in source.available else None
        self.moments = Moments(source.players * (3 if self.turn else 2))
        cells = len(source.strategies) * source.players
        self.share, self.score = Ratios(cells), Ratios(cells)

    def add(self, block: Block) -> None:
        """Take in a block."""
        names = ["share60", self.source.score, *([self.turn] if self.turn else [])]
        self.moments.add(np.hstack([block.totals(block[name].astype(np.float64)) for name in names]))
        if not self.source.mixed:
            return
        strategy = block["strategy"]
        seats: list[list[Floats]] = [[], [], []]
        for number in range(len(self.source.strategies)):
            here = strategy == number
            seats[0].append(block.totals(here * block["share60"].astype(np.float64)))
            seats[1].append(block.totals(here * block[self.source.score].astype(np.float64)))
            seats[2].append(block.totals(here.astype(np.float64)))
        share, score, played = (np.hstack(parts) for parts in seats)
        self.share.add(share, played)
        self.score.add(score, played)

    def merge(self, other: _Seats) -> None:
        """Take in all that another holds."""
        self.moments.merge(other.moments)
        self.share.merge(other.share)
        self.score.merge(other.score)


def seat_advantage(data: Data, level: float = 0.95, margin: float = MARGIN) -> SeatAdvantage:
    """Return win share and score by seat.

    Intervals: mean +- c SE, SE from deal means; c is the max-|t| constant of N means that sum to a constant for the
    shares and turns, and that of the estimated covariance for the scores (docs/statistics.md).

    Parameters
    ----------
    data
        A run, its folder, or a specification to play.
    level
        Chance that all seats' intervals hold.
    margin
        Win share either side of par that counts as fair.

    Raises
    ------
    UsageError
        If the run cannot be read or holds no whole deal.
    """
    check_level(level)
    check_margin(margin)
    source = open_source(data)
    turn = [source.meaning.turn] if source.meaning.turn in source.available else []
    names = ["strategy", "share60", source.score, *(name for name in turn if name)]
    found, inputs = fold(source, names, lambda: _Seats(source))
    table = _table(source, found, inputs, level)
    notes = cautions(source, inputs)
    verdict = _verdict(source, table, inputs, margin)
    return SeatAdvantage((inputs,), level, table, (verdict,), notes, _by_strategy(source, found, level), margin)


def _table(source: Source, found: _Seats, inputs: Inputs, level: float) -> pl.DataFrame:
    players, per_deal = source.players, source.spec.games_per_deal
    mean, covariance = found.moments.mean / per_deal, found.moments.covariance / per_deal**2
    error = np.sqrt(np.maximum(np.diag(covariance), 0))
    constant = float(with_few(max_t(players, level), inputs.deals))
    share, spread = mean[:players] / SHARE, error[:players] / SHARE
    columns = {
        "seat": np.arange(1, players + 1),
        "games": np.full(players, inputs.games),
        "deals": np.full(players, inputs.deals),
        **interval("share", share, spread, constant),
        "par": np.full(players, 1 / players),
        **interval("par_normalised", share * players, spread * players, constant),
    }
    scores = slice(players, 2 * players)
    wide = float(with_few(max_t_of(covariance[scores, scores], level), inputs.deals))
    columns |= interval("score", mean[scores], error[scores], wide)
    if found.turn:
        columns |= interval("turn", mean[2 * players :], error[2 * players :], constant)
    ends = pl.col("share_low", "share_high").clip(0, 1)
    return pl.DataFrame(columns).with_columns(ends, pl.col("^par_normalised_(low|high)$").clip(0, players))


def _by_strategy(source: Source, found: _Seats, level: float) -> pl.DataFrame:
    names = source.strategies
    index = {
        "strategy": np.repeat(names, source.players),
        "seat": np.tile(np.arange(1, source.players + 1), len(names)),
    }
    if not source.mixed:  # the same as the main table
        table = {"strategy": pl.String, "seat": pl.Int64, "times": pl.Int64, "deals": pl.Int64}
        return pl.DataFrame(schema=table)
    share, score = found.share.cells(), found.score.cells()
    constant = pointwise(level, share.deals, len(share.value))
    columns = {
        **index,
        "times": share.bottom.astype(np.int64),
        "deals": share.deals,
        **interval("par_normalised", share.value / SHARE * source.players, share.se / SHARE * source.players, constant),
        **interval("score", score.value, score.se, constant),
    }
    return pl.DataFrame(columns).filter(pl.col("times") > 0)


def _verdict(source: Source, table: pl.DataFrame, inputs: Inputs, margin: float) -> Verdict:
    par = 1 / source.players
    values = {"game": source.spec.game.title, "players": source.players, "par": par, "margin": margin}
    values |= {"denominator": inputs.denominator}
    if source.confounded:
        return Verdict("seats_confounded", "unknown", "Seats and strategies cannot be told apart in this run.", values)
    if inputs.deals < MIN_DEALS:
        return Verdict("seats_too_few", "unknown", "Too few deals to say anything about the seats.", values)
    share, low, high = (table[name].to_numpy() for name in ("share", "share_low", "share_high"))
    worst = int(np.abs(share - par).argmax())
    values |= {"seat": worst + 1, "share": share[worst], "low": low[worst], "high": high[worst]}
    number = "{share:.1%} of the wins ({low:.1%} to {high:.1%}; par {par:.1%}; {denominator})"
    if (high < par - margin).any() or (low > par + margin).any():
        best = (low > par + margin).any()
        pick = int(np.where(low > par + margin, share, -1).argmax()) if best else int(np.argmin(share))
        values |= {"seat": pick + 1, "share": share[pick], "low": low[pick], "high": high[pick]}
        side = "high" if best else "low"
        word = "more" if best else "less"
        text = f"Seat {{seat}} wins {word} than it should: {number}."
        return Verdict(f"seats_tilted_{side}", "tilted", text, values)
    if ((low >= par - margin) & (high <= par + margin)).all():
        text = f"All seats are within {{margin:.1%}} of par; seat {{seat}} is furthest: {number}."
        return Verdict("seats_fair", "fair", text, values)
    size, half = np.abs(share - par), (high - low) / 2
    needed = [deals_to_tell(margin - size[at], half[at], margin, inputs.deals) for at in range(len(share))]
    beyond = [deals for deals, far in zip(needed, size > margin, strict=True) if far]
    values["needed"] = min(beyond) if beyond else max(needed)
    text = (
        f"Whether the seats are level cannot be told yet; seat {{seat}} is furthest: {number}. "
        "{needed:,} deals or more would tell."
    )
    return Verdict("seats_unclear", "unclear", text, values)


@dataclass(frozen=True, eq=False)
class SeatsBySkill(Result):
    """Seat advantage of several runs, weakest players first.

    Parameters
    ----------
    table
        One row a run and seat, columns of `SeatAdvantage.table` and `run`, `skill`.
    gaps
        One row a run: best seat's share over par less the worst one's (`gap`), with a conservative interval.
    runs
        The single results.
    """

    gaps: pl.DataFrame
    runs: tuple[SeatAdvantage, ...]


def seats_by_skill(
    runs: Sequence[Data], skills: Sequence[str] = (), level: float = 0.95, margin: float = MARGIN
) -> SeatsBySkill:
    """Return seat advantage at several skill levels: does the gap widen or close as players get better?

    Parameters
    ----------
    runs
        Weakest players first, all of the same game and number of players.
    skills
        What to call each; its strategies by default.
    level, margin
        See `seat_advantage`.

    Raises
    ------
    UsageError
        If the runs cannot be compared.
    """
    if not runs:
        raise UsageError("seats_by_skill: no runs given; give one a skill level, weakest players first")
    sources = [open_source(data) for data in runs]
    if len({(source.spec.game.name, source.players) for source in sources}) > 1:
        raise UsageError("seats_by_skill: runs differ in game or players; compare like with like")
    names = list(skills) or [", ".join(source.strategies) for source in sources]
    if len(names) != len(sources):
        raise UsageError(f"seats_by_skill: {len(names)} names for {len(sources)} runs; give one a run")
    found = tuple(seat_advantage(source, level, margin) for source in sources)
    label = [
        result.table.select(pl.lit(number).alias("run"), pl.lit(name).alias("skill"), pl.all())
        for number, (name, result) in enumerate(zip(names, found, strict=True), 1)
    ]
    gaps = pl.DataFrame(
        [(number, name, *result.gap) for number, (name, result) in enumerate(zip(names, found, strict=True), 1)],
        schema={"run": pl.Int32, "skill": pl.String, "gap": pl.Float64, "gap_low": pl.Float64, "gap_high": pl.Float64},
        orient="row",
    )
    notes = (*shared_deals(sources), *(note for result in found for note in result.notes))
    inputs = tuple(item for result in found for item in result.inputs)
    verdicts = (_skill_verdict(gaps, found), *(result.verdict for result in reversed(found)))
    return SeatsBySkill(inputs, level, pl.concat(label, how="diagonal"), verdicts, notes, gaps, found)


def _skill_verdict(gaps: pl.DataFrame, found: tuple[SeatAdvantage, ...]) -> Verdict:
    first, last = gaps.row(0, named=True), gaps.row(-1, named=True)
    values = {"weak": first["skill"], "strong": last["skill"], "first": first["gap"], "last": last["gap"]}
    if len(found) < 2 or any(result.verdict.status == "unknown" for result in found):
        text = "Whether skill moves the seats cannot be said from these runs."
        return Verdict("skill_unknown", "unknown", text, values)
    number = "best seat less worst, in shares of par: {first:.2f} under {weak}, {last:.2f} under {strong}"
    if last["gap_low"] > first["gap_high"]:
        text = f"The better the players, the more the seat matters ({number})."
        return Verdict("skill_widens", "fact", text, values)
    if last["gap_high"] < first["gap_low"]:
        text = f"The better the players, the less the seat matters ({number})."
        return Verdict("skill_closes", "fact", text, values)
    return Verdict("skill_unclear", "unclear", f"Skill may or may not move the seats ({number}).", values)
