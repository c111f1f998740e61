"""Cells that were played before: stored under a digest of everything that affects their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.data import store
from simcore.running.batch import Spec

Course = Sequence[tuple[str, str, bool, float, float, int]]
"""Measures of the course of the game: family, member, whether it is a share, value, standard error and deals."""

_TYPES = {"family": "U", "member": "U", "is_share": "?", "value": "f8", "se": "f8", "deals": "i8"}


@dataclass(frozen=True, eq=False)
class Played:
    """The results of the games of a cell.

    Parameters
    ----------
    won
        Parts of a win, shape (deals, seats).
    course
        Measures of the course of the game.
    stopped
        Whether it was stopped before all games were played.
    again
        Whether it comes from an earlier sweep.
    """

    won: NDArray[np.int32]
    course: Course
    stopped: bool = False
    again: bool = False


def recall(spec: Spec, *more: object) -> Played | None:
    """Return what an earlier sweep stored for a cell; None if there is nothing, or nothing complete."""
    found = store.recall(store.digest_of(spec, "sweep", *more)) or {}
    if not {"won", *_TYPES} <= set(found):
        return None
    won, course = found["won"], [found[name] for name in _TYPES]
    most = spec.games // spec.games_per_deal
    if won.dtype != np.int32 or won.shape[1:] != (spec.players,) or not 0 < len(won) <= most:
        return None
    if any(values.dtype.kind != np.dtype(kind).kind for values, kind in zip(course, _TYPES.values(), strict=True)):
        return None
    if len({len(values) for values in course}) > 1:
        return None
    rows = list(zip(*(values.tolist() for values in course), strict=True))
    return Played(won, rows, len(won) < most, again=True)


def keep(played: Played, spec: Spec, *more: object) -> None:
    """Store a cell, if the disk allows it."""
    columns = zip(*played.course, strict=True) if played.course else ((),) * len(_TYPES)
    course = {name: np.array(values, kind) for (name, kind), values in zip(_TYPES.items(), columns, strict=True)}
    store.keep(store.digest_of(spec, "sweep", *more), {"won": played.won, **course})
