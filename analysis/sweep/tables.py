"""The rows of a sweep's table for one cell, and whether the cell meets the target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.compare.shares import Wins, amounts, differences
from analysis.data.results import interval, share_columns
from analysis.measures.quantities import MEAN
from analysis.stats.intervals import bonferroni, widened, with_few
from analysis.stats.moments import Floats
from analysis.stats.sequential import anytime_half_width
from analysis.sweep.kept import Played
from analysis.sweep.result import MEETS, MISSES, OPEN, UNASKED
from analysis.sweep.target import CAMPS, SEATS, Target, lines_of
from simcore.running.batch import Spec


def means(spec: Spec, won: NDArray[Any], lines: Floats, more: int = 0) -> tuple[Floats, Floats]:
    """Return some shares of what is judged, and their errors from deals.

    With `more`, the errors count so many more deals that win everything, and as many that win nothing: if a share has
    not varied yet, the error is not zero.
    """
    shares = won @ lines.T / (spec.judged.parts * spec.games_per_deal)
    seen = np.concatenate([shares, np.ones((more, len(lines))), np.zeros((more, len(lines)))])
    error = seen.std(axis=0, ddof=1) / np.sqrt(len(seen)) if len(shares) > 1 else np.full(len(lines), np.nan)
    return shares.mean(axis=0), error


def headed(frame: pl.DataFrame, head: dict[str, Any]) -> pl.DataFrame:
    named = [pl.lit(value, pl.String if value is None else None).alias(key) for key, value in head.items()]
    return frame.select(*named, pl.all())


def judged(target: Target | None, own: Wins, played: Played, level: float, cells: int) -> str:
    """Return whether a cell meets the target, with intervals that are simultaneous for all cells."""
    if target is None:
        return UNASKED
    if played.stopped:
        return MISSES
    if measure := target.measure(own.spec):
        return _judged_measure(target, measure, played, bonferroni(level, cells))
    lines, low, high = target.bands(own.spec)
    ends = _shares(own, lines, bonferroni(level, cells * len(lines)))
    below, above = ends["value_low"], ends["value_high"]
    if ((below > high) | (above < low)).any():
        return MISSES
    return MEETS if ((below >= low) & (above <= high)).all() else OPEN


def _shares(own: Wins, lines: Floats, constant: float) -> dict[str, Any]:
    """Return the columns of some shares, whose intervals hold the differences between tunings."""
    share, error = means(own.spec, own.won, lines)
    return own.widened("value", share_columns("value", share, error, own.deals, constant), lines, constant)


def _judged_measure(target: Target, measure: tuple[str, bool], played: Played, constant: float) -> str:
    family, is_share = measure
    wanted, room = target.wanted or 0.0, target.room(is_share)
    row = _course(played, constant).filter(family=family, member="").select("value_low", "value_high").rows()
    low, high = row[0] if row else (np.nan, np.nan)
    if low > wanted + room or high < wanted - room:
        return MISSES
    return MEETS if low >= wanted - room and high <= wanted + room else OPEN


def share_rows(base: Wins, own: Wins, played: Played, level: float, cells: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of seats, and of camps if there are any."""
    spec = own.spec
    for kind in (SEATS, CAMPS) if spec.camps else (SEATS,):
        names, lines = zip(*lines_of(spec, kind), strict=True)
        matrix = np.array(lines)
        ends = _shares(own, matrix, bonferroni(level, len(lines)))
        if played.stopped:  # looked at several times
            share, wide = means(spec, played.won, matrix, more=1)
            ends = _anytime("value", share, wide, spec, len(played.won), 1 - level)
        shift = differences(base, own, matrix, 1 - (1 - level) / cells)
        told = {name: values for name, values in shift.items() if name.startswith("difference")}
        if played.stopped:
            told |= _anytime(
                "difference", shift["difference"], shift["difference_se"], spec, len(played.won), (1 - level) / cells
            )
        if own is base:
            told = {name: np.full(len(lines), np.nan) for name in told}
        yield pl.DataFrame(
            {"kind": [kind.removesuffix("s")] * len(lines), "name": list(names)}
            | amounts("value", ends, spec.judged)
            | {"par": matrix @ spec.judged.fair}
            | told
            | {
                "changed": shift["changed"],
                "deals": [len(played.won)] * len(lines),
                "is_share": [not spec.judged.is_payoff] * len(lines),
            }
        )


def _anytime(name: str, value: Floats, se: Floats, spec: Spec, deals: int, alpha: float) -> dict[str, Any]:
    """Return the columns of estimates whose intervals are simultaneous, for any number of looks before the stop."""
    planned = spec.games // spec.games_per_deal
    half = np.array([anytime_half_width(one, deals, planned, alpha / len(se)) for one in se])
    return interval(name, value, half, 1.0) | {f"{name}_se": se}


def course_rows(played: Played, level: float) -> pl.DataFrame:
    """Return the rows of the course of the game."""
    name = pl.when(pl.col("member") == "").then(pl.col("family").str.strip_prefix(MEAN)).otherwise(pl.col("member"))
    return _course(played, bonferroni(level)).select(pl.lit("course").alias("kind"), name.alias("name"), pl.col(COURSE))


COURSE = ["value", "value_se", "value_low", "value_high", "deals", "is_share"]


def _course(played: Played, constant: float) -> pl.DataFrame:
    """Return the measures of the course of the game, with intervals that hold how much tunings differ."""
    course = played.course
    family, member, is_share, value, error, deals = zip(*course, strict=True) if course else ((),) * 6
    found = interval("value", np.array(value, float), np.array(error, float), with_few(constant, np.array(deals)))
    spread = np.zeros(len(course)) if played.spread is None else played.spread
    value, error, low, high = found.values()
    ends = widened(value, low, high, spread, played.tunings, constant)
    found = dict(zip(found, (value, np.hypot(error, spread), *ends), strict=True))
    return pl.DataFrame(
        {"family": list(family), "member": list(member), **found, "deals": list(deals), "is_share": list(is_share)},
        schema_overrides={"family": pl.String, "member": pl.String, "is_share": pl.Boolean},
    )
