"""What a game is measured by when a card is judged: one number a game and measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.data.sources import Array, Block, Source
from analysis.stats.moments import Floats
from simcore.tally import SHARE

TABLE = ("score", "spread", "margin", "lead_changes")
"""Measures of the whole table: mean score of the seats, best less worst, best less second, changes of the lead."""


class Measures:
    """The measures that a source allows, in order.

    `score`, `spread`, `margin`, `lead_changes` (where the score after each round is at hand); then by seat
    `share:1` .. and `score:1` ..; then, where strategies differ, the same by strategy, `share:greedy` for instance.
    Shares of a strategy are of all wins, whatever the number of its seats; scores are the mean of its seats.

    Parameters
    ----------
    source
        Where the games come from.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        trajectory = source.declarations.trajectory
        self.trajectory = trajectory if set(trajectory) <= source.available else ()
        self.table = TABLE if self.trajectory else TABLE[:3]
        groups = [str(seat + 1) for seat in range(source.players)] + list(source.strategies if source.mixed else ())
        split = [(name, group) for name in ("share", "score") for group in groups]
        self.names = (*self.table, *(f"{name}:{group}" for name, group in split))
        self.kinds = tuple(name.partition(":")[0] for name in self.names)
        seats = source.players
        by = [""] * len(self.table) + 2 * (["seat"] * seats + ["strategy"] * (len(groups) - seats))
        self.by = tuple(by)
        self.groups = tuple(name.partition(":")[2] for name in self.names)

    @property
    def columns(self) -> Sequence[str]:
        """Columns they need."""
        return ("strategy", "share60", self.source.score, *self.trajectory)

    def of(self, block: Block) -> Floats:
        """Return the measures of every game, shape (games, measures)."""
        score, share = block[self.source.score].astype(np.float64), block["share60"] / SHARE
        ranked = np.sort(score, axis=1)
        parts = [score.mean(axis=1), ranked[:, -1] - ranked[:, 0], ranked[:, -1] - ranked[:, -2]]
        if self.trajectory:
            scores = np.stack([block[name] for name in self.trajectory], axis=1)
            parts.append(lead_passes(scores).sum(axis=1))
        seats = [1.0 * (block["strategy"] == number) for number in range(len(self.source.strategies))]
        seats = seats if self.source.mixed else []
        parts += [*share.T, *[(share * here).sum(axis=1) for here in seats]]
        parts += [*score.T, *[(score * here).sum(axis=1) / here.sum(axis=1) for here in seats]]
        return np.stack(parts, axis=1)


def lead_passes(scores: Array) -> Array:
    """Return in which rounds the lead passes to another seat, shape (games, rounds).

    A seat leads after a round if it alone is ahead; while several are level the one that led before keeps the lead.

    Parameters
    ----------
    scores
        Shape (games, rounds, players).
    """
    ordered = np.sort(scores, axis=2)
    alone = ordered[:, :, -1] > ordered[:, :, -2]
    first = scores.argmax(axis=2)
    passes = np.zeros(alone.shape, bool)
    leader = np.full(len(scores), -1)
    for round_ in range(scores.shape[1]):
        here = alone[:, round_]
        passes[:, round_] = here & (leader >= 0) & (first[:, round_] != leader)
        leader = np.where(here, first[:, round_], leader)
    return passes
