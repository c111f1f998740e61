"""The measures by which cards are judged: one number for each game and measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.data.source import Array, Block, Source
from analysis.stats.moments import Floats

SCORED = ("score", "spread", "margin")
"""Measures of the whole table that need a score: mean of the seats, best minus worst, and best minus second."""

LEAD_CHANGES = "lead_changes"
"""Number of changes of the lead; known only if the data has the score after each round."""


class Measures:
    """The measures that a source allows, in order.

    They are `score`, `spread` and `margin` in a game with a score; `lead_changes` if the data has the score after each
    round; `share:1`, ... and `score:1`, ... for each seat; the same for each camp, if the game has camps; and the same
    for each strategy, if the strategies of a role differ, such as `share:greedy` (`share:ROLE-STRATEGY` in a game with
    roles). The share of a camp or strategy is its share of all wins, whatever the number of its seats; its score is the
    mean of its seats.

    source: Where the games come from.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        trajectory = source.declarations.trajectory
        self.trajectory = trajectory if set(trajectory) <= source.available else ()
        self.table = (*(SCORED if source.score else ()), *((LEAD_CHANGES,) if self.trajectory else ()))
        whose = [("seat", str(seat + 1)) for seat in range(source.players)]
        whose += [("camp", camp) for camp in source.spec.camps]
        whose += [("strategy", name) for name in self.strategies()]
        kinds = ("share", "score") if source.score else ("share",)
        self.kinds = (*self.table, *(kind for kind in kinds for _ in whose))
        self.by = ("",) * len(self.table) + tuple(by for by, _ in whose) * len(kinds)
        self.groups = ("",) * len(self.table) + tuple(group for _, group in whose) * len(kinds)
        self.names = tuple(
            f"{kind}:{group}" if by else kind for kind, by, group in zip(self.kinds, self.by, self.groups, strict=True)
        )

    @property
    def pars(self) -> dict[tuple[str, str], float]:
        """The par of every seat, camp and strategy that is counted separately, by kind and name."""
        spec = self.source.spec
        found = {("seat", str(seat + 1)): par for seat, par in enumerate(spec.par)}
        found |= {("camp", camp): sum(spec.par[seat] for seat in seats) for camp, seats in spec.camps.items()}
        return found | {("strategy", name): par for name, par in zip(self.strategies(), spec.cast_par, strict=False)}

    @property
    def columns(self) -> Sequence[str]:
        """The columns that the measures need."""
        source = self.source
        return tuple(name for name in ("strategy", source.share, source.score, *self.trajectory) if name)

    def strategies(self) -> Sequence[str]:
        """Return the names of the strategies that are counted separately; none if each role has only one strategy."""
        return self.source.cast_names if self.source.mixed else ()

    def of(self, block: Block) -> Floats:
        """Return the measures of every game of a block, shape (games, measures)."""
        source, parts = self.source, []
        share = source.shares(block)
        score = block[source.score].astype(np.float64) if source.score else None
        if score is not None:
            ranked = np.sort(source.ranked(block, [str(source.score)])[:, 0], axis=1)
            parts = [score.mean(axis=1), ranked[:, -1] - ranked[:, 0], ranked[:, -1] - ranked[:, -2]]
        if self.trajectory:
            parts.append(lead_passes(source.ranked(block, self.trajectory)).sum(axis=1))
        members = self._members(block)
        parts += [*share.T, *[(share * here).sum(axis=1) for here in members]]
        if score is not None:
            parts += [*score.T, *[(score * here).sum(axis=1) / here.sum(axis=1) for here in members]]
        return np.stack(parts, axis=1)

    def _members(self, block: Block) -> list[Floats]:
        """Return 1 for the seats of each camp and strategy and 0 for the others, shape (games, players) each."""
        source, seats = self.source, np.arange(self.source.players)
        camps = [
            np.broadcast_to(1.0 * np.isin(seats, own), (block.games, len(seats))) for own in source.spec.camps.values()
        ]
        if not source.mixed:
            return camps
        played = source.members[seats, block["strategy"]]
        return [*camps, *(1.0 * (played == number) for number in range(len(source.spec.cast)))]


def lead_passes(scores: Array) -> Array:
    """Return whether the lead passes to another seat in each round, shape (games, rounds).

    A seat takes the lead when it alone is ahead after a round; while several are tied, the previous leader keeps it.

    scores: Shape (games, rounds, players).
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
