"""Processes of our own that run a module of this tree."""

from __future__ import annotations

import sys
from pathlib import Path

_TREE = str(Path(__file__).resolve().parents[2])
_RUN = """
import runpy, sys
from importlib import import_module
sys.path.insert(0, sys.argv[1])
for room in ("simcore", "strategies", "analysis", "reports", "configs", "equipoise"):
    import_module(room)
sys.path.append(sys.path.pop(0))
del sys.argv[:2]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def python(module: str, *arguments: str) -> list[str]:
    """Return the command line of a process that runs a module of this tree.

    By itself, `python -m` would look for modules in the current folder first, and run a numpy.py that lies there.
    A module that has the name of one of our packages and comes first where Python looks is not run either.

    Parameters
    ----------
    module
        Name of the module.
    arguments
        Its command line.
    """
    return [sys.executable, "-P", "-c", _RUN, _TREE, module, *arguments]
