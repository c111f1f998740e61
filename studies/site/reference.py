"""The pages of the reference: one entry for each public name, from its docstring."""

from __future__ import annotations

from inspect import isclass
from pathlib import Path

import analysis.api
import equipoise


def write(folder: Path) -> None:
    """Write the pages of all public functions and classes into a folder, for Sphinx to fill."""
    folder.mkdir(parents=True)
    analyses = [name for name in analysis.api.__all__ if name not in equipoise.__all__]
    for page, title, names in (("functions", "Functions", equipoise.__all__), ("analyses", "Analyses", analyses)):
        entries = "".join(_entry(name) for name in sorted(names, key=str.lower))
        (folder / f"{page}.rst").write_text(f"{title}\n{'=' * len(title)}\n\n{entries}", encoding="utf-8")


def _entry(name: str) -> str:
    """Return the entry of a name; `import equipoise as eq` is how programs call it."""
    kind = "autoclass" if isclass(getattr(equipoise, name)) else "autofunction"
    return f"{name}\n{'-' * len(name)}\n\n.. {kind}:: equipoise.{name}\n\n"
