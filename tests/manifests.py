"""Changes of manifests, for tests of what is then refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from analysis.runs.manifest import FILE, signed


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return a run's manifest as it stands."""
    table: dict[str, Any] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return table


def edit(folder: Path, **change: Any) -> None:
    """Change a run's manifest and give it a checksum that fits, as somebody could who means to deceive."""
    (folder / FILE).write_text(signed(manifest_of(folder) | change), encoding="utf-8")
