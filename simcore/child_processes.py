"""Child processes: every start of Python in the toolkit, none of which runs what lies in the current folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TREE = str(Path(__file__).resolve().parents[1])
_RUN = """
import os, runpy, signal, sys, threading, time
from importlib import import_module
def end_with(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
        os.kill(os.getpid(), number)
        time.sleep(5)
threading.Thread(target=end_with, args=[os.getppid()], name="signals", daemon=True).start()
sys.path.insert(0, sys.argv[1])
for room in ("simcore", "strategies", "analysis", "reports", "configs", "equipoise"):
    import_module(room)
sys.path.append(sys.path.pop(0))
del sys.argv[:2]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def python(module: str, *arguments: str) -> list[str]:
    """Return the command line of a process that runs a module of this repository.

    By default, `python -m` would look for modules in the current folder first, and run a numpy.py there.  A module with
    the name of one of our packages that comes first on Python's path is not run either.  However this process ends,
    that one is told to end (SIGTERM) within half a second, once more if it has not after 5 seconds (a library can lose
    what a signal raises), and is then killed; Windows does not say when a parent has ended.
    """
    return [sys.executable, "-P", "-c", _RUN, _TREE, module, *arguments]


def small(code: str, *arguments: str) -> list[str]:
    """Return the command line of a process that runs a few lines with nothing but Python's own modules."""
    return [sys.executable, "-P", "-S", "-c", code, *arguments]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a process that can import what this one can, with more variables."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | more


# --- Settings of libraries that lie in the current folder, which may be anybody's: they are not obeyed ---


@contextmanager
def overlooked(name: str) -> Iterator[None]:
    """Hide a file of the current folder from a library that is imported in this block and would read its settings."""
    exists = os.path.exists
    os.path.exists = lambda path: path != name and exists(path)
    try:
        yield
    finally:
        os.path.exists = exists
