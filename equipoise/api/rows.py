"""The rows of a few games, as an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError
from simcore.running import batch
from simcore.running.batch import MAX_GAMES, Spec

if TYPE_CHECKING:
    import numpy as np


def run_chunk(spec: Spec, first: int, games: int) -> np.ndarray[Any, Any]:
    """Play games `first` .. `first + games - 1` of a run.

    Parameters
    ----------
    spec
        The run.
    first
        Index of the first game, from 0.
    games
        Number of games to play.

    Returns
    -------
    numpy.ndarray
        One row for each game and seat, shape (games * players,), of the game's `row_dtype`; seats vary fastest.

    Raises
    ------
    UsageError
        If there are no such games, or their rows do not fit into the memory.
    KernelFault
        If a game breaks an invariant.

    References
    ----------
    * docs/schema.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> rows = eq.run_chunk(run, first=0, games=10)
    >>> rows["share60"].shape
    (20,)
    """
    if not 0 <= first < MAX_GAMES:
        raise UsageError(f"{first} is out of range; give a whole number from 0 to {MAX_GAMES - 1:,}", "first")
    if not 0 <= games <= MAX_GAMES - first:
        raise UsageError(f"{games} is out of range; give a whole number from 0 to {MAX_GAMES - first:,}", "games")
    try:
        return batch.run_chunk(spec, first, games)
    except MemoryError:
        raise UsageError(f"{games:,} games do not fit into the memory; play fewer at a time", "games") from None
