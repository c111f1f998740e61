"""Cells that were played before: stored under a digest of everything that affects their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.data import store
from analysis.stats.moments import Floats
from simcore.running.batch import Spec

Course = Sequence[tuple[str, str, bool, float, float, int]]
"""Measures of the course of the game: family, member, whether it is a share, value, standard error and deals."""

_TYPES = {"family": "U", "member": "U", "is_share": "?", "value": "f8", "se": "f8", "deals": "i8"}


@dataclass(frozen=True, eq=False)
class Played:
    """The results of the games of a cell."""

    won: NDArray[np.int32] | NDArray[np.float64]  # parts of a win, shape (deals, seats)
    course: Course  # measures of the course of the game
    stopped: bool = False  # whether it was stopped before all games were played
    again: bool = False  # whether it comes from an earlier sweep
    spread: Floats | None = None  # the errors that the choice among tunings adds to the measures of the course
    tunings: int = 1  # number of tunings that are averaged


def averaged(several: Sequence[Played]) -> Played:
    """Return the mean of what the players of several tunings did on the same deals, and how much they differ."""
    if len(several) == 1:
        return several[0]
    course, spread = [], []
    for rows in zip(*(one.course for one in several), strict=True):
        value, se = np.array([row[3:5] for row in rows]).T
        spread.append(value.std(ddof=1) / np.sqrt(len(rows)))
        course.append((*rows[0][:3], float(value.mean()), float(se.mean()), rows[0][5]))
    won, again = np.mean([one.won for one in several], axis=0), all(one.again for one in several)
    return Played(won, course, again=again, spread=np.array(spread), tunings=len(several))


def recall(spec: Spec, *more: object) -> Played | None:
    """Return what an earlier sweep stored for a cell; None if there is nothing."""
    arrays = store.recall(store.digest_of(spec, "sweep", *more))
    if arrays is None:
        return None
    won, course = arrays["won"], zip(*(arrays[name].tolist() for name in _TYPES), strict=True)
    return Played(won, list(course), len(won) < spec.games // spec.games_per_deal, again=True)


def keep(played: Played, spec: Spec, *more: object) -> None:
    """Store a cell, if the disk allows it."""
    columns = zip(*played.course, strict=True) if played.course else ((),) * len(_TYPES)
    course = {name: np.array(values, kind) for (name, kind), values in zip(_TYPES.items(), columns, strict=True)}
    store.keep(store.digest_of(spec, "sweep", *more), {"won": played.won, **course})
