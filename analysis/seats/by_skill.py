"""Seat advantage as skill grows: do the best and the worst seat, or camp, move apart?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import pairwise
from typing import Any

import polars as pl

from analysis.data.results import Result, Verdict, all_together, as_amounts
from analysis.data.sources import Data, open_source, shared_deals
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.seats.distance import DISTANCE
from analysis.stats.margin import FAIR, Margin
from simcore.errors import UsageError


@dataclass(frozen=True, eq=False, repr=False)
class SeatsBySkill(Result):
    """Seat advantage of several runs, weakest players first.

    Parameters
    ----------
    table
        One row for each run and seat: the columns of `SeatAdvantage.table`, with `run` and `skill`.
    distances
        One row for each run: `distance` between the best and the worst seat (or camp, if there are camps), as a part of
        all wins, with a conservative interval.
    runs
        The `SeatAdvantage` of each run.
    """

    distances: pl.DataFrame
    runs: tuple[SeatAdvantage, ...]


def seats_by_skill(
    runs: Sequence[Data],
    skills: Sequence[str] = (),
    level: float = 0.95,
    margin: Margin | float | str = FAIR,
    tick: Callable[[int], None] = lambda done: None,
) -> SeatsBySkill:
    """Return seat advantage at several levels of skill: do the seats move apart as players get better?

    Parameters
    ----------
    runs
        Runs of the same game and number of players, weakest players first.
    skills
        Label of each run; by default the names of its strategies.
    level, margin
        See `seat_advantage`.
    tick
        Called with the number of runs that are done.

    Raises
    ------
    UsageError
        If the runs cannot be compared.

    References
    ----------
    * docs/whom-to-believe.md

    Examples
    --------
    >>> import equipoise as eq
    >>> runs = [eq.make_spec(players=2, strategies=name, games=400) for name in ("random", "greedy")]
    >>> eq.seats_by_skill(runs).table.height
    4
    """
    if not runs:
        raise UsageError("seats_by_skill: no runs given; give one for each level of skill, weakest players first")
    sources = [open_source(data) for data in runs]
    if len({(source.spec.game.name, source.players) for source in sources}) > 1:
        raise UsageError("seats_by_skill: runs differ in game or players; compare like with like")
    names = list(skills) or [", ".join(source.strategies) for source in sources]
    if len(names) != len(sources):
        raise UsageError(f"seats_by_skill: {len(names)} names for {len(sources)} runs; give one for each run")
    found: list[SeatAdvantage] = []
    for source in sources:
        found.append(seat_advantage(source, level, margin))
        tick(len(found))
    if all(result.verdict.code == "seats_together" for result in found):
        raise all_together(sources[0].label)
    label = [
        result.table.select(pl.lit(number).alias("run"), pl.lit(name).alias("skill"), pl.all())
        for number, (name, result) in enumerate(zip(names, found, strict=True), 1)
    ]
    distances = pl.DataFrame(
        [
            (number, name, *astuple(run.distance))
            for number, (name, run) in enumerate(zip(names, found, strict=True), 1)
        ],
        schema={"run": pl.Int32, "skill": pl.String} | dict.fromkeys(DISTANCE, pl.Float64),
        orient="row",
    )
    notes = (*shared_deals(sources), *(note for result in found for note in result.notes))
    inputs = tuple(item for result in found for item in result.inputs)
    verdicts = (_skill_verdict(distances, found), *(result.verdict for result in reversed(found)))
    return SeatsBySkill(inputs, level, pl.concat(label, how="diagonal"), verdicts, notes, distances, tuple(found))


def _skill_verdict(distances: pl.DataFrame, found: Sequence[SeatAdvantage]) -> Verdict:
    """Say whether the distance grows or shrinks at every step of the ladder, or only from one end to the other."""
    rungs = distances.rows(named=True)
    values: dict[str, Any] = {"steps": len(rungs) - 1, "unit": found[0].unit}
    for end, row in (("first", rungs[0]), ("last", rungs[-1])):
        ends = {f"{end}{bound}": row[f"distance{bound}"] for bound in ("", "_low", "_high")}
        if found[0].unit and row["distance_low"] is not None:
            ends = as_amounts(ends, (row["distance_high"] - row["distance_low"]) / 4, sign="")
        values |= ends
    values |= {"weak": rungs[0]["skill"], "strong": rungs[-1]["skill"]}
    if len(found) < 2 or any(result.verdict.status == "unknown" for result in found):
        return Verdict("skill_unknown", "unknown", values)
    what = "payoff_" if found[0].unit else "" if found[0].camps is None else "camps_"
    for trend, change, sign in (("widens", "wider", 1), ("closes", "narrower", -1)):
        if len(rungs) > 2 and all(_moved(low, high, sign) for low, high in pairwise(rungs)):
            return Verdict(f"skill_{what}{trend}", "fact", values)
        if _moved(rungs[0], rungs[-1], sign):
            return Verdict(f"skill_{what}{change}", "fact", values)
    return Verdict(f"skill_{what}unclear", "unclear", values)


def _moved(before: Mapping[str, Any], after: Mapping[str, Any], sign: int) -> bool:
    """Return whether the distance grew significantly from one rung to another (or shrank, if the sign is -1)."""
    first, second = (before, after) if sign > 0 else (after, before)
    return bool(second["distance_low"] > first["distance_high"])
