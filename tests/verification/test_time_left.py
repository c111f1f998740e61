"""The time left that a report announces, against the time that it then took: on one processor, in its own seconds."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.output.progress import SOON

FACTOR = 2.0
"""How far off what is announced may be, from a fifth of the way on."""

LONG = 2 * SOON
"""Seconds from which on a run has a bar for a while."""


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
    """A run that may end before all its games are played announces the most that may be left."""
    heard: list[list[tuple[float, float]]] = []

    def listen(done: int, total: int) -> None:
        share = done / total
        if not heard or share < heard[-1][-1][0]:
            heard.append([])  # the next run, or the page
        heard[-1].append((share, time.process_time()))

    eq.report(game=game, games=1e5, quick=True, out=tmp_path / "report", progress=listen)
    spans = [told[-1][1] - told[0][1] for told in heard[:-1]]  # of the sections, no time left is announced
    print(f"{game}: {len(spans)} runs, {sum(span >= LONG for span in spans)} of them long enough to announce a time")
    assert max(spans) >= LONG
    for told in (told for told, span in zip(heard, spans, strict=False) if span >= LONG):
        (first, begun), ended = told[0], told[-1][1]
        for share, now in told:
            if 0.2 <= share <= 0.9 and now - begun >= SOON:
                expected, came = (now - begun) * (1 - share) / (share - first), ended - now
                assert came / FACTOR <= expected, (share, expected, came)
                assert expected <= came * FACTOR or told[-1][0] < 1, (share, expected, came)
