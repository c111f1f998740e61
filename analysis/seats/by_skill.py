"""Seat advantage as skill grows: does the gap between the seats, or between the camps, widen or close?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from analysis.data.results import Result, Verdict
from analysis.data.sources import Data, open_source, shared_deals
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.stats.intervals import MARGIN
from simcore.errors import UsageError


@dataclass(frozen=True, eq=False)
class SeatsBySkill(Result):
    """Seat advantage of several runs, weakest players first.

    Parameters
    ----------
    table
        One row a run and seat, columns of `SeatAdvantage.table` and `run`, `skill`.
    gaps
        One row a run: share over par of the best seat less that of the worst (`gap`), with a conservative interval; of
        the camps where there are any.
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
        return Verdict("skill_unknown", "unknown", values)
    level = "" if found[0].camps is None else "camps_"
    if last["gap_low"] > first["gap_high"]:
        return Verdict(f"skill_{level}widens", "fact", values)
    if last["gap_high"] < first["gap_low"]:
        return Verdict(f"skill_{level}closes", "fact", values)
    return Verdict(f"skill_{level}unclear", "unclear", values)
