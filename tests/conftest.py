"""What all tests share: kernels compiled once, and tests that call kernels one by one in plain Python."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from analysis.measures.rows import ADDED
from simcore.homes import GAMES
from simcore.kernel.compilation import COMPILED
from tests.toy import TOY
from tests.warm import compile_kernels

BY_NAME = {"machine", "verification"}
"""Folders whose tests run only where they are named (`pytest tests/machine`): what the machine does, and statistics."""
HERE = Path(__file__).parent
TOGETHER = "tests/reports/"
"""Files that share runs and reports: one worker of pytest-xdist takes them all."""
LONG = (TOGETHER, "tests/equipoise/", "tests/conformance/", "tests/simcore/kernel/test_plain.py", "tests/test_")
"""Files that take long come first, so that no worker is left with one at the end."""
QUICK = (
    "tests/test_rooms.py",
    "tests/analysis/stats/",
    "tests/reports/test_words",
    "tests/simcore/games/test_medieval",
)
"""The mark `quick`: rooms, statistics, words and one game, in a minute."""


settings.register_profile("guard", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile("guard")  # every run tries the same examples, however slow the machine


@pytest.fixture(autouse=True)
def forget_measures() -> Iterator[None]:
    """Let no test know the measures that another one added."""
    yield
    ADDED.clear()


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "games that the tests of conformance are for, with commas between; default: all that are here"
    parser.addoption("--games", default=",".join((*GAMES, TOY, "kuhn")), help=text)


def pytest_configure(config: pytest.Config) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process that a test starts compiles all modules anew
    sys.dont_write_bytecode = False
    config.addinivalue_line("markers", "quick: rooms, statistics, words and one game, while you work")
    config.addinivalue_line("markers", "plain: without Numba; tests/simcore/kernel/test_plain.py starts it")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what nobody named."""
    by_name = collection_path.parent == HERE and collection_path.name in BY_NAME
    named = any(f"tests/{collection_path.name}" in argument for argument in config.invocation_params.args)
    return True if by_name and not named else None


@pytest.hookimpl(tryfirst=True)  # the mark `quick` is given before pytest selects by it
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests of single kernels to the plain run, as compiling each would take minutes; put long files first."""
    if COMPILED:
        left = [item for item in items if item.get_closest_marker("plain")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]
    for item in items:
        if item.nodeid.startswith(QUICK):
            item.add_marker("quick")
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what stays to the end anyway: libraries and tests, a tenth of the time.

    Hypothesis looks for constants in the modules that are loaded, and so would try other examples after other tests.
    """
    if drawing := sys.modules.get("hypothesis.internal.conjecture.providers"):
        vars(drawing)["_get_local_constants"] = lambda: vars(drawing)["_local_constants"]
    gc.collect()
    gc.freeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Fill the cache of kernels before workers of pytest-xdist start, so that they need not all compile.

    The guard leaves the figures of pages blank, and plays and resamples few games where an answer takes many.
    """
    if COMPILED and not any(
        f"tests/{name}" in one for name in BY_NAME for one in session.config.invocation_params.args
    ):
        from tests.brief import all_briefly
        from tests.undrawn import leave_blank

        leave_blank(setattr)
        all_briefly(setattr)
    workers = getattr(session.config.option, "numprocesses", None)
    if COMPILED and workers and not session.config.option.collectonly:
        compile_kernels(session.config.getoption("--games").split(","), workers)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the figures of pages."""
    from reports.render import html, images

    monkeypatch.setattr(html, "svg", images.svg)


@pytest.fixture
def as_users_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the constants of simultaneous intervals with as many numbers as for users, for tests of their digits."""
    from analysis.stats import intervals
    from tests.brief import USERS_DRAWS

    monkeypatch.setattr(intervals, "_DRAWS", USERS_DRAWS)
    monkeypatch.setattr(intervals, "_draws", intervals._draws.__wrapped__)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each file to one worker, so that what its tests share is made once."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return TOGETHER if nodeid.startswith(TOGETHER) else nodeid.partition("::")[0]

    config.option.loadscopereorder = False  # the order is that of the collection
    return ByFile(config, log) if config.option.dist == "load" else None
