"""Pytest plugin that runs the checks for the games that `--games` names, at every size of table."""

from __future__ import annotations

import pytest

from equipoise.conformance import all_checks, tables_of


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that names the games."""
    parser.addoption("--games", default="", help="games to check, separated by commas")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every check for every game and, if it has an argument `players`, for every number of players."""
    if "check" not in metafunc.fixturenames:
        return
    games = metafunc.config.getoption("--games").split(",")
    each = [(check, arguments) for check in all_checks() for game in games for arguments in tables_of(check, game)]
    names = [f"{check.__name__[6:]}-{'-'.join(map(str, arguments))}" for check, arguments in each]
    metafunc.parametrize(("check", "arguments"), each, ids=names)
