"""Seat advantage as skill grows: does the gap between the seats, or between the camps, widen or narrow?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import polars as pl

from analysis.data.results import Result, Verdict
from analysis.data.sources import Data, open_source, shared_deals
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.stats.margin import FAIR, Margin
from simcore.errors import UsageError


@dataclass(frozen=True, eq=False, repr=False)
class SeatsBySkill(Result):
    """Seat advantage of several runs, weakest players first.

    Parameters
    ----------
    table
        One row for each run and seat: the columns of `SeatAdvantage.table`, with `run` and `skill`.
    gaps
        One row for each run: `gap`, the share over par of the best seat (or camp, if there are camps) minus that of the
        worst, with a conservative interval.
    runs
        The `SeatAdvantage` of each run.
    """

    gaps: pl.DataFrame
    runs: tuple[SeatAdvantage, ...]


def seats_by_skill(
    runs: Sequence[Data], skills: Sequence[str] = (), level: float = 0.95, margin: Margin | float | str = FAIR
) -> SeatsBySkill:
    """Return seat advantage at several levels of skill: does the gap widen or narrow as players get better?

    Parameters
    ----------
    runs
        Runs of the same game and number of players, weakest players first.
    skills
        Label of each run; by default the names of its strategies.
    level, margin
        See `seat_advantage`.

    Raises
    ------
    UsageError
        If the runs cannot be compared.
    """
    if not runs:
        raise UsageError("seats_by_skill: no runs given; give one for each level of skill, weakest players first")
    sources = [open_source(data) for data in runs]
    if len({(source.spec.game.name, source.players) for source in sources}) > 1:
        raise UsageError("seats_by_skill: runs differ in game or players; compare like with like")
    names = list(skills) or [", ".join(source.strategies) for source in sources]
    if len(names) != len(sources):
        raise UsageError(f"seats_by_skill: {len(names)} names for {len(sources)} runs; give one for each run")
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
    """Say whether the gap widens or narrows at every step of the ladder, or only from one end to the other."""
    rungs = gaps.rows(named=True)
    values = {"steps": len(rungs) - 1}
    for end, row in (("first", rungs[0]), ("last", rungs[-1])):
        values |= {end: row["gap"], f"{end}_low": row["gap_low"], f"{end}_high": row["gap_high"]}
    values |= {"weak": rungs[0]["skill"], "strong": rungs[-1]["skill"]}
    if len(found) < 2 or any(result.verdict.status == "unknown" for result in found):
        return Verdict("skill_unknown", "unknown", values)
    what = "" if found[0].camps is None else "camps_"
    for trend, ends, sign in (("widens", "wider", 1), ("closes", "narrower", -1)):
        if len(rungs) > 2 and all(_moved(low, high, sign) for low, high in pairwise(rungs)):
            return Verdict(f"skill_{what}{trend}", "fact", values)
        if _moved(rungs[0], rungs[-1], sign):
            return Verdict(f"skill_{what}{ends}", "fact", values)
    return Verdict(f"skill_{what}unclear", "unclear", values)


def _moved(before: Mapping[str, Any], after: Mapping[str, Any], sign: int) -> bool:
    """Return whether the gap grew significantly from one rung to another (or shrank, if the sign is -1)."""
    first, second = (before, after) if sign > 0 else (after, before)
    return bool(second["gap_low"] > first["gap_high"])
