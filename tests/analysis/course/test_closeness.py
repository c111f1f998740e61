"""How close games end: with scores of any sign, scores that are not whole, and games that the lowest score wins."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.course.drama import _Ends
from analysis.data.source import Block
from analysis.data.source import Source as Whole


@dataclass
class Source:
    """What the accumulator asks of a source."""

    lowest: bool = False
    share: str = "share60"
    score: str = "points"
    spec: Any = field(init=False)
    camps: Any = ()
    ranked, contested = Whole.ranked, Whole.contested

    def __post_init__(self) -> None:
        self.spec = SimpleNamespace(game=SimpleNamespace(lowest_wins=self.lowest))

    def shared(self, block: Block) -> Any:
        """Return which games several seats won."""
        return (block["share60"] > 0).sum(axis=1) > 1

    def labels(self, name: str) -> tuple[str, ...]:
        """Return no ways to decide ties."""
        return ()


def ends(points: list[list[float]], lowest: bool = False) -> dict[str, float]:
    """Return the mean of every measure for some games."""
    scores = np.array(points)
    best = scores.min(axis=1) if lowest else scores.max(axis=1)
    share = np.where(scores == best[:, None], 60, 0)
    found = _Ends(Source(lowest), None)
    found.add(Block(1, {"points": scores, "share60": share}))
    return dict(zip(("margin", "spread", "close", "level", "shared"), found.ratios.cells().value.tolist(), strict=True))


@pytest.mark.parametrize(
    ("points", "close"),
    [([100, 95, 3], 1), ([100, 94, 3], 0), ([-4, -5, -40], 1), ([-4, -7, -40], 0), ([-3, -3, -9], 1), ([0, 0, 0], 1)],
)
def test_a_game_is_close_by_its_largest_score_whatever_the_sign(points: list[float], close: int) -> None:
    assert ends([points])["close"] == close


def test_scores_that_are_not_whole_are_neither_cut_nor_tied() -> None:
    found = ends([[2.33, 1.0, 0.5], [1.9, 1.1, 1.0]])
    assert found["margin"] == pytest.approx((1.33 + 0.8) / 2)
    assert found["level"] == 0


def test_where_the_lowest_score_wins_the_margin_is_that_of_the_lowest() -> None:
    found = ends([[3, 10, 30]], lowest=True)
    assert (found["margin"], found["spread"]) == (7, 27)
