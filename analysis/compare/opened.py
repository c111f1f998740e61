"""Do the players of two versions open differently, and what is left of it if all openings are drawn at random?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.distances import camp_lines, distance_columns
from analysis.compare.shares import differences, together, wins_of
from analysis.openings import ALIKE, openings_made
from simcore.running.batch import Spec
from strategies.openings import draw_openings

LOOKED = 20
"""Deals whose logs are read; a seat then opens alike if it does in all of them."""


@dataclass(frozen=True)
class Drawn:
    """Two versions whose players open differently, played with all openings drawn at random."""

    seats: tuple[int, ...]  # the seats that open differently
    distances: dict[str, Any]  # the distances of best and worst seat (or camp), as in a row of `Comparison.distances`
    rows: pl.DataFrame  # one row for each seat (or camp), as in `Comparison.table`


def open_otherwise(versions: Sequence[Spec]) -> list[int]:
    """Return the seats that open alike in most deals of one version, and commonly otherwise in another."""
    made = zip(*(openings_made(spec, LOOKED) for spec in versions), strict=True)
    found = []
    for seat, several in enumerate(made, 1):
        shares = [(text, count / counts.total()) for counts in several for text, count in counts.most_common(1)]
        if len(dict(shares)) > 1 and max(share for _, share in shares) > ALIKE:
            found.append(seat)
    return found


def drawn(
    before: Sequence[Spec], after: Sequence[Spec], level: float = 0.95, threads: int | None = None
) -> Drawn | None:
    """Return two versions with openings drawn at random; None if no seat opens differently, or nobody can tell.

    before, after: What is played in each version: one run, or one for each tuning of the players.
    level: Confidence level.
    threads: Number of threads.
    """
    first = before[0]
    if any(spec.searches or spec.mixed_roles or spec.judged.is_payoff for spec in (*before, *after)):
        return None
    seats = open_otherwise([*before, *after])
    if not seats:
        return None
    deals = first.games // first.games_per_deal
    old, new = (
        together([wins_of(draw_openings(spec, range(spec.players)), deals, threads) for spec in side])
        for side in (before, after)
    )
    lines = camp_lines(first) if first.camps else np.eye(first.players)
    named: dict[str, Any] = {"seat": range(1, first.players + 1), "camp": [None] * first.players}
    if first.camps:
        named = {"seat": [None] * len(lines), "camp": list(first.camps)}
    rows = pl.DataFrame({**named, "par": lines @ new.spec.judged.fair, **differences(old, new, lines, level)})
    return Drawn(tuple(seats), distance_columns(old, new, level), rows)
