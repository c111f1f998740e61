"""Results that are stored between processes: arrays under a digest of everything that affects them."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.homes import home
from simcore.kernel.cache import KERNEL_ROOMS, beside_kernels, cache_folder
from simcore.running.batch import Spec

FOLDER, MOST_BYTES = "played", 500_000_000
"""Folder of the files, and its largest size in bytes; the oldest files are deleted first."""


def digest_of(spec: Spec | Sequence[Spec], *more: object) -> str:
    """Return the digest of everything that affects a result: rules, players, deals, the code, and the question."""
    specs = [spec] if isinstance(spec, Spec) else list(spec)
    package = home(specs[0].game.name).descriptor.partition(".")[0]
    decisive = {
        "specs": [_decisive(one) for one in specs],
        "code": [cache_folder().name, cache_folder("" if package in KERNEL_ROOMS else package).name, _analyses()],
        "more": [str(item) for item in more],
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, default=str).encode()).hexdigest()


def _decisive(spec: Spec) -> dict[str, object]:
    return {
        "game": spec.game.name,
        "players": spec.players,
        "rules": spec.rules.digest,
        "strategies": spec.strategy_tables,
        "seed": spec.seed,
        "design": spec.design,
        "games": spec.games,
    }


@cache
def _analyses() -> str:
    """Return the digest of the code of the analyses."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).resolve().parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def recall(digest: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays stored under a digest; None if there are none, or they are damaged."""
    try:
        data = _path(digest).read_bytes()
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return dict(file)
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error):
        return None


def keep(digest: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Store arrays under a digest, if the disk allows it."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(arrays))
    path = _path(digest)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        part.write_bytes(buffer.getvalue())
        part.replace(path)
        _trim(path.parent)


def recall_plain(digest: str) -> Any:
    """Return the plain values stored under a digest; None if there are none, or they are damaged."""
    found = recall(digest)
    try:
        return None if found is None else json.loads(str(found["plain"]))
    except (KeyError, ValueError):
        return None


def keep_plain(digest: str, values: Any) -> None:
    """Store plain values, such as those of JSON, under a digest."""
    keep(digest, {"plain": np.array(json.dumps(values))})


def _path(digest: str) -> Path:
    return beside_kernels(FOLDER) / f"{digest}.npz"


def _trim(folder: Path) -> None:
    """Delete the oldest files if the folder is too large."""
    files: list[Any] = sorted(((file.stat(), file) for file in folder.iterdir()), key=lambda pair: -pair[0].st_mtime)
    total = 0
    for known, file in files:
        total += known.st_size
        if total > MOST_BYTES:
            file.unlink(missing_ok=True)
