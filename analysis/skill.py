"""One question along the ladder of skill: does the answer stay the same, or does it change sides on the way?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.data.results import Inputs, Result, Verdict
from analysis.seats.agreement import ANSWERS, agreement
from analysis.seats.by_skill import SeatsBySkill
from analysis.stats.intervals import check_level, pointwise
from simcore.errors import UsageError
from simcore.game import load_game

SEATS, CAMPS, CARDS, POINTS, RATES, SHARES = ASKED = ("seats", "camps", "cards", "points", "rates", "shares")
"""The possible questions: win shares of seats, shares over par of camps, effects on the score, differences of the score
that are associated with something, a game's own rates relative to par, and its other rates."""

COLUMNS = ("what", "value", "value_se", "value_low", "value_high", "deals")


@dataclass(frozen=True, eq=False, repr=False)
class Ladder(Result):
    """The answers to one question, one for each rung of the ladder.

    table: One row for each rung (from 1, weakest players first) and item (such as a seat or card): `value` with its
        interval, and `side`: 1 if significantly above the centre, -1 if significantly below it, otherwise 0, with a
        correction for all rows and rungs (Bonferroni).
    """

    moved: pl.DataFrame
    """One row for each item: its values at the two rungs that differ most, `weak` (at the rung `under`) and `strong`
    (at the higher rung `at`); `moved`, the least difference that is certain, which is at most 0 if chance explains the
    difference (with a correction for all items); and `turned`, whether the two values lie significantly on different
    sides of the centre.  Items that turned come first, then those that moved most."""
    asked: str  # one of `ASKED`
    centre: float  # the value of no effect, or of a fair share

    @property
    def skills(self) -> tuple[str, ...]:
        """The names of the rungs, weakest players first."""
        return tuple(self.table["skill"].unique(maintain_order=True))


def ladder(
    asked: str,
    rungs: Mapping[str, pl.DataFrame],
    inputs: Sequence[Inputs] = (),
    level: float = 0.95,
    centre: float = 0.0,
    values: Mapping[str, Any] | None = None,
    judged: Mapping[str, Verdict] | None = None,
) -> Ladder:
    """Return how the answers to a question change as players get better.

    asked: The question; one of `ASKED`.
    rungs: The answers of each rung by name, weakest players first: tables with one row for each item and `COLUMNS`,
        and `par`, if that is not the centre in all of them.
    level: Probability that all statements about sides are right.
    centre: The value of no effect, or of a fair share.
    values: Further values for the verdict's sentence: `nouns` says what the items are.
    judged: For seats and camps: the verdict of each rung, by name; these are compared with each other.
    Raises UsageError if there are fewer than two rungs.
    """
    check_level(level)
    if len(rungs) < 2:
        raise UsageError("ladder: a single level of skill; give runs of weaker and of stronger players")
    frames = [
        frame.select(pl.lit(rung, pl.Int32).alias("rung"), pl.lit(name).alias("skill"), *COLUMNS)
        for rung, (name, frame) in enumerate(rungs.items(), 1)
    ]
    table = pl.concat(frames)
    pars = [frame["par"] if "par" in frame.columns else np.full(len(frame), centre) for frame in rungs.values()]
    reach = table["value_se"].to_numpy() * pointwise(level, table["deals"].to_numpy(), len(table))
    off = table["value"].to_numpy() - np.concatenate(pars)
    side = np.where(np.abs(off) > reach, np.sign(off), 0).astype(np.int8)
    table = table.with_columns(side=side)
    moved = _moved(table, level)
    if asked in (SEATS, CAMPS):
        verdict = _of_shares(asked, judged or {}, tuple(rungs))
    else:
        verdict = _of_effects(asked, moved, tuple(rungs), dict(values or {}))
    return Ladder(tuple(inputs), level, table, (verdict,), (), moved, asked, centre)


def ladder_of_seats(seats: SeatsBySkill) -> Ladder:
    """Return how the win shares of seats (or, if there are camps, their shares over par) change as players get better.

    Raises UsageError if there are fewer than two rungs.
    """
    runs = dict(zip(seats.distances["skill"], seats.runs, strict=True))
    judged = {name: run.verdict for name, run in runs.items()}
    titles = load_game(seats.inputs[0].game).camp_titles
    camps = {
        name: run.camps.select(
            "deals",
            pl.col("^par_normalised.*$").name.replace("par_normalised", "value"),
            what=pl.col("camp").replace(titles),
        )
        for name, run in runs.items()
        if run.camps is not None
    }
    if camps:
        return ladder(CAMPS, camps, (), seats.level, 1.0, judged=judged)
    frames = {
        name: run.table.select("deals", "par", pl.col("^share.*$").name.replace("share", "value"), what="seat")
        for name, run in runs.items()
    }
    strongest = next(reversed(frames.values()))
    return ladder(SEATS, frames, (), seats.level, float(strongest["par"][0]), judged=judged)


def _moved(table: pl.DataFrame, level: float) -> pl.DataFrame:
    """Return for each item the two rungs that differ most, allowing for standard errors."""
    columns = ["what", "rung", "skill", "value", "value_se", "side", "deals"]
    known = table.drop_nulls("value").select(columns)
    pairs = known.join(known, on="what", suffix="_up").filter(pl.col("rung") < pl.col("rung_up"))
    few = pairs.select(pl.min_horizontal("deals", "deals_up")).to_series().to_numpy()
    constant = pl.Series(pointwise(level, few, len(pairs)))
    error = (pl.col("value_se") ** 2 + pl.col("value_se_up") ** 2).sqrt() * constant
    return (
        pairs.with_columns(
            turned=pl.col("side") * pl.col("side_up") < 0,
            moved=((pl.col("value_up") - pl.col("value")).abs() - error).fill_nan(None),
        )
        .sort("turned", "moved", "rung", descending=[True, True, False], nulls_last=True, maintain_order=True)
        .unique("what", keep="first", maintain_order=True)
        .select("what", weak="value", under="skill", strong="value_up", at="skill_up", moved="moved", turned="turned")
    )


def _of_shares(asked: str, judged: Mapping[str, Verdict], skills: tuple[str, ...]) -> Verdict:
    """Say which seat or camp is too strong or too weak at one level, and what a stronger level says to it.

    Levels that contradict each other come first, then what the strongest level says to the weaker ones.
    """
    levels = [(name, judged[name]) for name in skills if name in judged]
    tilted = [pair for pair in levels if pair[1].status == "tilted"]
    if not tilted:
        return Verdict(f"ladder_{asked}_none", "fact", {"weak": skills[0], "strong": skills[-1]})
    answers = [
        (agreement(weak[1], strong[1]), weak, strong)
        for at, strong in reversed(list(enumerate(levels)))
        for weak in levels[:at]
    ]
    top = [one for one in answers if one[0].contradicts or (one[1] in tilted and one[2] is levels[-1])]
    if not top:
        name, verdict = tilted[-1]
        return Verdict(f"ladder_{asked}_only", "fact", {"strong": name, **_named("best", "top", verdict.values)})
    found, (weak, verdict), (strong, _) = min(top, key=lambda one: ANSWERS.index(one[0].says))
    values = {"weak": weak, "strong": strong, **_named("what", "share", verdict.values)}
    values |= _named("best", "top", found.values) if "share" in found.values else found.values
    return Verdict(f"ladder_{asked}_{found.says}", "fact", values)


def _named(what: str, share: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the seat of a verdict with its share of the wins, or the camp with its share by par."""
    if "camp" in values:
        return {what: values["camp"], share: values["share"] / values["par"]}
    return {what: values["seat"], share: values["share"]}


def _of_effects(asked: str, moved: pl.DataFrame, skills: tuple[str, ...], values: dict[str, Any]) -> Verdict:
    """Say what changes sides on the way up or, if nothing does, what moves most."""
    values |= {"weakest": skills[0], "strong": skills[-1], "of": len(moved), "count": int(moved["turned"].sum())}
    known = moved.drop_nulls()
    if known.is_empty():
        return Verdict("ladder_unknown", "unknown", values)
    row = known.row(0, named=True)
    values |= {"what": row["what"], "weak": row["under"], "first": row["weak"], "last": row["strong"], "at": row["at"]}
    if row["turned"]:
        return Verdict(f"ladder_{asked}_turns", "fact", values)
    if row["moved"] <= 0:
        return Verdict(f"ladder_{asked}_still", "fact", values)
    return Verdict(f"ladder_{asked}_holds", "fact", values)
