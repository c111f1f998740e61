"""What all tests share: kernels compiled once, and tests that call kernels one by one in plain Python."""

from __future__ import annotations

import pytest

from simcore.homes import GAMES
from simcore.kernel.compilation import COMPILED
from tests.toy import TOY
from tests.warm import compile_kernels


def pytest_addoption(parser: pytest.Parser) -> None:
    text = (
        "games that the tests of conformance are for, with commas between; default: those of this repository, and Siege"
    )
    parser.addoption("--games", default=",".join((*GAMES, TOY)), help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "plain: without Numba; tests/simcore/kernel/test_plain.py starts it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests of single kernels to the plain run: compiling each kernel on its own would take minutes."""
    if COMPILED:
        left = [item for item in items if item.get_closest_marker("plain")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fill the cache of kernels before workers of pytest-xdist start, so that they need not all compile."""
    workers = getattr(session.config.option, "numprocesses", None)
    if COMPILED and workers and not session.config.option.collectonly:
        compile_kernels(session.config.getoption("--games").split(","), workers)
