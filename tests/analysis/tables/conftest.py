"""Tables of results for tests, and games by people whose strengths and seats are known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

SEATS = np.array([0.3, 0.0, -0.1, -0.2])
"""True effects of four seats."""


def club(games: int, people: int = 12, seed: int = 1, favourite: bool = True) -> list[str]:
    """Return the rows of a table: strong people like the last seat if `favourite`, and score more."""
    chance = np.random.Generator(np.random.PCG64(seed))
    strength = chance.normal(0, 0.6, people)
    rows = ["game,seat,player,score,minutes"]
    for game in range(games):
        who = chance.permutation(people)[:4]
        if favourite:
            who = who[np.argsort(strength[who] + chance.gumbel(0, 0.3, 4))]
        drawn = strength[who] + SEATS + chance.gumbel(size=4)
        length = chance.integers(40, 90)
        rows += [f"{game},{seat + 1},P{who[seat]:02d},{drawn[seat]:.3f},{length}" for seat in range(4)]
    return rows


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Return a function that writes a file."""

    def write(text: str | bytes | list[str], name: str = "results.csv") -> Path:
        path = tmp_path / name
        text = "\n".join(text) + "\n" if isinstance(text, list) else text
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write
