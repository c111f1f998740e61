"""What happens to seats that lead or trail: the result of `drama`, and the rates of single games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.results import Result
from analysis.data.source import Array

RATES = ("runaway", "wire_to_wire", "comeback", "last_round")


@dataclass(frozen=True, eq=False, repr=False)
class Drama(Result):
    """The course of games.

    Parameters
    ----------
    table
        One row: the mean number of `lead_changes` per game, and the rates of four kinds of games: `runaway` (a winner
        led alone after every round from half-time on), `wire_to_wire` (a winner led alone after every round),
        `comeback` (a winner was last or tied for last at half-time) and `last_round` (one round before the end, no
        winner led or was tied for the lead).  If the length of games varies, also two means over winners: `taken` (when
        the winner took the lead for good, as a share of the game's length) and `deficit` (the winner's largest
        deficit).
    rounds
        One row for each round: `leader_wins`, the win share of the seat that leads after the round (shared among tied
        leaders); `last_wins`, the same for the seat that is last; the mean `gap` between the leader and the second; and
        `passed`, how often the lead passed to another seat in that round.  If the length of games varies, one row for
        each tenth of the length, with `elapsed` instead of `round`.
    changes
        One row for each number of lead changes: the number of games, and their share.
    """

    rounds: pl.DataFrame
    changes: pl.DataFrame


def fortunes(score: Array, share: Array, half: Array | int | None = None, before: Array | int = -2) -> Array:
    """Return whether each game is of each kind in `RATES`, shape (games, rates).

    Parameters
    ----------
    score
        Score after each round, shape (games, rounds, seats).
    share
        Win share, shape (games, seats).
    half, before
        Indices of half-time and of the last round but one, for all games or for each game.  If `half` is None,
        half-time is the middle.
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
