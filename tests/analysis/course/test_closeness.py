"""How close games end: with scores of any sign, scores that are not whole, and games that the lowest score wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.course.drama import closeness
from tests.analysis.made import Made, finals
from tests.specs import make_spec


def ends(points: list[list[float]], lowest: bool = False) -> dict[str, float]:
    """Return the mean of every measure for some games."""
    scores, spec = np.array(points), make_spec(len(points[0]))
    made = Made(finals(-scores if lowest else scores) | {"coins": scores})
    made.spec = replace(spec, game=replace(spec.game, lowest_wins=lowest))
    return closeness(made).table.row(0, named=True)


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
