"""Which games the tests of conformance are for: those of this repository, or those that `--games` names."""

from __future__ import annotations

import pytest

from simcore.game import load_game


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test for every game, those that ask for `players` for every size of table."""
    games = metafunc.config.getoption("--games").split(",")
    if "players" in metafunc.fixturenames:
        tables = [(game, players) for game in games for players in load_game(game).players]
        metafunc.parametrize(("game", "players"), tables)
    else:
        metafunc.parametrize("game", games)
