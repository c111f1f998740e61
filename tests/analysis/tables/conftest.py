"""Tables of results for tests, and games by people whose strengths and seats are known."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from analysis.playtest.sheet import read_sheet
from analysis.tables.importing import import_table
from simcore.errors import UsageError
from simcore.game import load_game

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


def refused(path: Path) -> str:
    """Return what both doors say of a table that they refuse."""
    lines, spans = [], r"Equipoise reads games of 2 to 8 players|Middle-Ages is for 2 to 5 players"
    for door in (lambda: import_table(path, path.parent / "run"), lambda: read_sheet(path, load_game("middle-ages"))):
        with pytest.raises(UsageError) as raised:
            door()
        lines.append(re.sub(spans, "SPAN", str(raised.value)).removeprefix(f"{path}: "))
    assert lines[0] == lines[1]
    assert "\n" not in lines[0] and not (path.parent / "run").exists()
    return lines[0]
