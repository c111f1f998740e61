"""Make sure that the toolkit imports its own packages, although a user's files may have the same plain names.

Python looks for modules in the folder of a notebook first, so a user's `analysis.py` or `reports/` there would be
imported, and run, instead of our package.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

TREE = Path(__file__).resolve().parents[1]
ROOMS = ("simcore", "strategies", "analysis", "reports", "configs")


@cache
def claim() -> None:
    """Import our packages from the folder of Equipoise itself, once.

    If a user has already imported a module with such a name, its contents stay accessible: `import analysis` then gives
    our package, which looks up in the user's module what it does not have itself.
    """
    for name in ROOMS:
        present = sys.modules.get(name)
        if TREE / name not in [Path(folder).resolve() for folder in getattr(present, "__path__", ())]:
            sys.modules[name] = _ours(name, present)


def _ours(name: str, theirs: ModuleType | None) -> ModuleType:
    """Return one of our packages, which gives access to the contents of a user's module of that name."""
    folders = [str(TREE / name), *getattr(theirs, "__path__", ())]
    spec = spec_from_file_location(name, TREE / name / "__init__.py", submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{TREE / name} is missing")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if theirs is not None:
        module.__getattr__ = lambda attribute: getattr(theirs, attribute)  # type: ignore[method-assign]
    return module
