"""What becomes of those who lead or trail: what `drama` answers, and the rates of single games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.results import Result
from analysis.data.source import Array

RATES = ("runaway", "wire_to_wire", "comeback", "last_round")


@dataclass(frozen=True, eq=False)
class Drama(Result):
    """How games unfold.

    Parameters
    ----------
    table
        One row: mean `lead_changes` a game, and as rates of all games `runaway` (a winner led alone after every
        round from half-time on), `wire_to_wire` (after every round), `comeback` (a winner was last, level or not, at
        half-time), `last_round` (no winner was ahead or level for the lead one round before the end).  In games of any
        length also `taken` (when the winner took the lead for good, as a share of the game's length) and `deficit`
        (by how much the winner was behind the leader at worst), on average over winners.
    rounds
        One row a round: `leader_wins`, the win share of the seat that leads after it (level leaders share), the
        same for the seat that is last (`last_wins`), mean `gap` between the leader and the second, and `passed`, how
        often the lead passed to another seat in that round.  In games of any length one row a tenth of the length,
        `elapsed` in place of `round`.
    changes
        One row a number of lead changes: games, and their share.
    """

    rounds: pl.DataFrame
    changes: pl.DataFrame


def fortunes(score: Array, share: Array, half: Array | int | None = None, before: Array | int = -2) -> Array:
    """Return which of `RATES` hold, shape (games, rates).

    Parameters
    ----------
    score
        Score after each round, shape (games, rounds, seats).
    share
        Win share, shape (games, seats).
    half, before
        Places of half-time and of the last round but one, for all games or for each; half-time is the middle if None.
    """
    games, rounds = np.arange(len(score)), np.arange(score.shape[1])
    middle = np.broadcast_to(score.shape[1] // 2 - 1 if half is None else half, len(score))
    winner = share > 0
    ordered = np.sort(score, axis=2)
    top, second, bottom = ordered[:, :, -1], ordered[:, :, -2], ordered[:, :, 0]
    leads, trails = score == top[:, :, None], score == bottom[:, :, None]
    alone = leads & (top > second)[:, :, None]
    early = rounds < middle[:, None]
    found = [
        ((alone | early[:, :, None]).all(axis=1) & winner).any(axis=1),
        (alone.all(axis=1) & winner).any(axis=1),
        (trails[games, middle] & winner).any(axis=1),
        ~(leads[games, before] & winner).any(axis=1),
    ]
    return np.stack(found, axis=1)
