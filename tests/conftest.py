"""What all tests share: kernels compiled once, and tests that call kernels one by one in plain Python."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.homes import GAMES
from simcore.kernel.compilation import COMPILED
from tests.toy import TOY
from tests.warm import compile_kernels

TOGETHER = "tests/reports/"
"""Files that share runs and reports: one worker of pytest-xdist takes them all."""
LONG = (TOGETHER, "tests/equipoise/", "tests/conformance/", "tests/simcore/kernel/test_plain.py", "tests/test_")
"""Files that take long come first, so that no worker is left with one at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "games that the tests of conformance are for, with commas between; default: all that are here"
    parser.addoption("--games", default=",".join((*GAMES, TOY, "kuhn")), help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "plain: without Numba; tests/simcore/kernel/test_plain.py starts it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests of single kernels to the plain run, as compiling each would take minutes; put long files first."""
    if COMPILED:
        left = [item for item in items if item.get_closest_marker("plain")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fill the cache of kernels before workers of pytest-xdist start, so that they need not all compile."""
    workers = getattr(session.config.option, "numprocesses", None)
    if COMPILED and workers and not session.config.option.collectonly:
        compile_kernels(session.config.getoption("--games").split(","), workers)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each file to one worker, so that what its tests share is made once."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return TOGETHER if nodeid.startswith(TOGETHER) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False  # the order is that of the collection
    return ByFile(config, log) if config.option.dist == "load" else None
