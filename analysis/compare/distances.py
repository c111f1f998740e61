"""How far apart the best and the worst seat (or camp) are in two versions, and whether that changed."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from analysis.compare.shares import Wins, differences
from analysis.seats.distance import DISTANCE, Ends, change, distance
from analysis.stats.moments import Floats
from simcore.running.batch import Spec


def camp_lines(spec: Spec) -> Floats:
    """Return which seats each camp has, shape (camps, seats)."""
    return np.array([[1.0 * (seat in own) for seat in range(spec.players)] for own in spec.camps.values()])


def distance_columns(before: Wins, after: Wins, level: float) -> dict[str, Any]:
    """Return the row of `Comparison.distances` for two versions.

    The change holds where three sets of intervals hold at once (before, after, and the difference), so each of them has
    a third of the errors.

    before, after: Two versions.
    level: Confidence level of each distance, and of the change.
    """
    spec = after.spec
    lines = camp_lines(spec) if spec.camps else np.eye(spec.players)
    pars = {"before": lines @ before.spec.judged.fair, "after": lines @ spec.judged.fair}
    table, strict = (differences(before, after, lines, one) for one in (level, 1 - (1 - level) / 3))
    found: dict[str, Any] = {"kind": "camp" if spec.camps else "seat"}
    for side, par in pars.items():
        columns = (name.replace("distance", side) for name in DISTANCE)
        seen = distance(table[side], table[f"{side}_low"], table[f"{side}_high"], par)
        found |= zip(columns, astuple(seen), strict=True)
    moved = pars | {"difference": pars["after"] - pars["before"]}
    ends = [Ends(strict[f"{name}_low"] - par, strict[f"{name}_high"] - par) for name, par in moved.items()]
    few = any(np.isnan(one.low).any() for one in ends)
    low, high = (None, None) if few else change(*ends)
    return found | {
        "change": found["after"] - found["before"],
        "change_low": low,
        "change_high": high,
        "deals": int(table["deals"].min()),
    }
