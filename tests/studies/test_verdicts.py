"""docs/findings/verdicts.md is what the stored numbers give, and this version plays these numbers."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.seats.levels import LevelTable
from simcore.homes import GAMES
from studies import verdicts
from tests.analysis.levels import judged


def test_page_is_what_the_stored_numbers_give() -> None:
    assert verdicts.page() == verdicts.PAGE.read_text(encoding="utf-8"), "run: python -m studies.verdicts write"


@pytest.mark.parametrize("game", GAMES)
def test_experts_and_players_who_look_ahead_are_stored_for_every_table(game: str) -> None:
    """A change of the rules or of a player's file makes an answer void; play it again: python -m studies.verdicts."""
    tables = [(players, skill) for name, players, skill in verdicts.cells() if name == game]
    assert [one for one in tables if verdicts.stored(game, *one) is None] == []


@pytest.mark.parametrize("cell", ["medievallons/2/family", "seigneurial/3/club"])
def test_numbers_are_what_this_version_plays(cell: str, as_users_draw: None) -> None:
    game, players, skill = cell.split("/")
    stored = verdicts.stored(game, int(players), skill)
    assert stored is not None
    found = verdicts.measure(game, int(players), skill)
    assert (found.strategies, found.camps, found.games) == (stored.strategies, stored.camps, stored.games)
    assert found.share + found.low + found.high == pytest.approx(stored.share + stored.low + stored.high)


def table(*times: float, games: int = 1_000) -> LevelTable:
    """Return a table at which seats win these multiples of par."""
    lines = judged(np.array(times) / len(times), games).lines
    assert lines is not None
    ends = {name: getattr(lines, name).tolist() for name in ("par", "share", "se", "low", "high")}
    return LevelTable(players=len(times), skill="search", strategies=[], games=games, **ends)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        (table(1.5, 0.8, 0.9, 0.8), "**agree**"),
        (table(1.5, 1.45, 0.5, 0.55), "agree; seat 1 or 2"),
        (table(0.9, 1.6, 0.8, 0.7), "another seat"),
        (table(0.7, 1.1, 1.1, 1.1), "the opposite"),
        (table(1.1, 1.0, 0.95, 0.95), "too few (over 99 %)"),
    ],
)
def test_the_last_column_says_what_players_who_look_ahead_say_to_experts(search: LevelTable, said: str) -> None:
    experts = table(1.35, 0.88, 0.88, 0.89, games=20_000)
    assert verdicts.agree(experts, search) == said


def test_a_cell_says_who_is_furthest_off_and_whether_that_is_sure() -> None:
    assert verdicts.told(table(0.8, 1.6, 0.8, 0.8)) == "**seat 2: 40.0 %** (36 to 44)"
    assert verdicts.told(table(0.9, 1.1, 1.0, 1.0, games=100)) == "seat 2: 27.5 % (17 to 40)"
    assert verdicts.told(table(1.0, 1.0, 1.0, 1.0, games=100_000)) == "fair"
