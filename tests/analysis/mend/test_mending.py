"""The order of the changes that a search found, and the distance that each leaves."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis.mend.mending import _between, _ranked, _target
from analysis.mend.playing import BLOCKS, Seen
from analysis.mend.result import MEETS, MISSES, OPEN
from tests.analysis.mend.made import COINS, LINES

SEARCH: Any = SimpleNamespace(levers=COINS, lines=LINES)


def seen(point: tuple[int, ...], shares: tuple[float, ...], noise: float) -> Seen:
    """Shares in blocks whose mean is exactly as given, with an error of about a tenth of the noise."""
    wave = noise * np.resize([1.0, -1.0], BLOCKS)[:, None]
    return Seen(point, np.array(shares) + wave * np.array([1, -1, 1, -1]), 20_000, "")


LARGE = seen((0, 20, 30, 40), (0.25, 0.25, 0.25, 0.25), 0.001)
SMALL = seen((0, 0, 20, 30), (0.252, 0.249, 0.25, 0.249), 0.001)
UNSURE = seen((0, 0, 0, 30), (0.265, 0.25, 0.25, 0.235), 0.15)
WIDE = seen((0, 0, 0, 10), (0.277, 0.25, 0.25, 0.223), 0.15)
FAR = seen((0, 0, 0, 5), (0.40, 0.20, 0.20, 0.20), 0.001)


def test_changes_that_meet_the_target_come_first_smallest_first_and_none_that_misses() -> None:
    """The largest change is the most even one; the smaller one meets the target too, so it comes first."""
    assert [_target(LINES, one, 2.5) for one in (LARGE, SMALL, UNSURE, FAR)] == [MEETS, MEETS, OPEN, MISSES]
    ranked = [one for one, _ in _ranked(SEARCH, [(one, ()) for one in (FAR, WIDE, LARGE, UNSURE, SMALL)], 2.5)]
    assert ranked == [SMALL, LARGE, UNSURE, WIDE]
    farther = seen((0, 0, 0, 1), (0.45, 0.19, 0.18, 0.18), 0.001)
    assert [one for one, _ in _ranked(SEARCH, [(farther, ()), (FAR, ())], 2.5)] == [FAR], "the closest, if all miss"


def test_the_distance_that_is_left_is_that_of_all_seats() -> None:
    left = _between(LINES, FAR, 2.5)
    assert left["left"] == pytest.approx(0.2)
    assert left["left_low"] is not None and left["left_low"] > 0.19
    assert _between(LINES[:2], FAR, 2.5) == {"left": None, "left_low": None, "left_high": None}
