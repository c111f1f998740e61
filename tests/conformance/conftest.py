"""The checks themselves come with the package; here they run for the games that `--games` names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from equipoise.conformance import checks, plugin, tables_of
from equipoise.conformance.plugin import pytest_generate_tests  # noqa: F401
from simcore.game import load_game


def smallest_and_largest(check: Callable[..., None], game: str) -> list[tuple[Any, ...]]:
    """Return the arguments of a check at two tables of a game; tests/machine/test_every_table.py checks all."""
    each = tables_of(check, game)
    return [each[0], each[-1]] if len(each) > 1 else each


plugin.tables_of = smallest_and_largest

FEW = 3
"""The fewest players at whose table the cards of others are dealt anew among several of them."""


@pytest.fixture(autouse=True)
def few(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play each game in plain Python at one table only; tests/machine/test_every_table.py plays at all of them."""
    if "arguments" in request.fixturenames:
        game = load_game(request.getfixturevalue("arguments")[0])
        nearest = min(game.players, key=lambda players: abs(players - FEW))
        monkeypatch.setitem(checks.TABLES, game.name, [nearest])
