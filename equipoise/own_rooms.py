"""Keep the toolkit's own packages its own: their plain names may also be those of a user's files.

Python looks for modules beside a notebook first, so a user's `analysis.py` or folder `reports/` there would be
imported, and run, in place of ours.
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
    """Import our packages from where Equipoise itself lies, once.

    Where a user has imported a module of such a name before, what it holds stays within reach: `import analysis` gives
    our package then, which passes on what it does not have.
    """
    for name in ROOMS:
        present = sys.modules.get(name)
        if TREE / name not in [Path(folder).resolve() for folder in getattr(present, "__path__", ())]:
            sys.modules[name] = _ours(name, present)


def _ours(name: str, theirs: ModuleType | None) -> ModuleType:
    """Return one of our packages, which passes on what a user's module of that name holds."""
    folders = [str(TREE / name), *getattr(theirs, "__path__", ())]
    spec = spec_from_file_location(name, TREE / name / "__init__.py", submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"Equipoise is not whole: {TREE / name} is missing; install it again")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if theirs is not None:
        module.__getattr__ = lambda attribute: getattr(theirs, attribute)  # type: ignore[method-assign]
    return module
