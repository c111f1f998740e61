"""Pytest plugin that runs the checks for the games that `--games` names, at every size of table."""

from __future__ import annotations

import pytest

from simcore.game import load_game


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the games."""
    parser.addoption("--games", default="", help="games to check, separated by commas")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test for every game, and a test with the argument `players` for every number of players."""
    if "game" not in metafunc.fixturenames:
        return
    games = metafunc.config.getoption("--games").split(",")
    if "players" in metafunc.fixturenames:
        tables = [(game, players) for game in games for players in load_game(game).players]
        metafunc.parametrize(("game", "players"), tables)
    else:
        metafunc.parametrize("game", games)
