"""Games that were never played: any columns one likes, for tests with known answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from analysis.data.source import Array, Source
from simcore.running.batch import Spec
from tests.specs import make_spec


class Made(Source):
    """A source of given columns.

    columns: By name: shape (games, players).
    spec: Whose labels, design and strategies hold; two `random` players by default.
    """

    def __init__(self, columns: Mapping[str, Any], spec: Spec | None = None) -> None:
        self.columns = {name: np.asarray(values) for name, values in columns.items()}
        games, players = next(iter(self.columns.values())).shape
        self.spec = spec or make_spec(players)
        self.label, self.detail, self.planned = "made", "full", games

    @property
    def available(self) -> frozenset[str]:
        """Names of the columns at hand."""
        return frozenset(self.columns)

    def stretches(self) -> Sequence[Any]:
        """Return the one stretch there is."""
        return [None]

    def read(self, stretch: Any, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Array]]]:
        """Yield all games."""
        yield 0, {name: self.columns[name] for name in names}


def finals(scores: Any, strategy: Any = 0) -> dict[str, Array]:
    """Return the columns of games that end with some scores, level ones sharing the win."""
    coins = np.asarray(scores)
    won = coins == coins.max(axis=1, keepdims=True)
    place = 1 + (coins[:, None, :] > coins[:, :, None]).sum(axis=2)
    share = 60 * won // won.sum(axis=1, keepdims=True)
    return {"coins": coins, "share60": share, "place": place, "strategy": np.zeros_like(coins) + strategy}
