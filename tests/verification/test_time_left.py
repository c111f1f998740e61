"""The time left that a report announces, against the time that it then took: on one processor, in its own seconds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import equipoise as eq

FACTOR = 2.0
"""How far off what is announced may be, from a fifth of the way on."""


@pytest.fixture
def one_processor() -> Iterator[None]:
    """Play on one processor, whose seconds other programs do not share."""
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("this system does not let a program choose its processors")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.usefixtures("one_processor")
@pytest.mark.parametrize("game", ["middle-ages", "seigneurial"])
def test_the_time_left_is_within_a_factor_of_two(game: str, tmp_path: Path) -> None:
    heard: list[list[tuple[float, float]]] = []

    def listen(done: int, total: int) -> None:
        share = done / total
        if not heard or share < heard[-1][-1][0]:
            heard.append([])  # the games are over, the analysis begins
        heard[-1].append((share, time.process_time()))

    eq.report(game=game, games=2e4, quick=True, out=tmp_path / "report", progress=listen)
    assert len(heard) == 2
    for told in heard:
        begun, ended = told[0][1], told[-1][1]
        for share, now in told:
            if 0.2 <= share <= 0.9:
                expected, came = (now - begun) * (1 - share) / share, ended - now
                assert came / FACTOR <= expected <= came * FACTOR, (share, expected, came)
