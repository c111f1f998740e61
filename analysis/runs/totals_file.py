"""The file with the totals of a run without rows: arrays by name."""

from __future__ import annotations

import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.runs.folders import TOTALS, Place, place_of
from analysis.runs.manifest import Manifest, PartFile, first_line
from simcore.atomic import write
from simcore.errors import Damaged

MOST_BYTES = 256_000_000
"""Largest size of all arrays of a file; those of a game with many cards take some megabytes."""

BAD_ZIP = (zipfile.BadZipFile, zlib.error, OverflowError, RuntimeError)
"""What the reading of a damaged archive can raise."""


def write_totals(place: Place, number: int, games: int, arrays: Mapping[str, NDArray[Any]]) -> PartFile:
    """Write the totals of a run's first `number` parts, completely or not at all.

    Raises UsageError if the file cannot be written.
    """
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(arrays))
    name = f"{TOTALS}/part-{number:06d}.npz"

    def commit(step: Callable[[], object]) -> bool:
        step()
        return True

    sha256 = place.put(name, partial(write, data=buffer.getvalue()), commit)
    return PartFile(file=name, first=0, games=games, sha256=str(sha256))


def read_totals(where: Path | Place, manifest: Manifest) -> dict[str, NDArray[Any]]:
    """Return the totals of a run without rows; nothing in the file is executed.

    Raises UsageError if the file is missing or damaged.
    """
    (part,) = manifest.parts or (None,)
    place, name = place_of(where), part.file if part else TOTALS
    try:
        data = place.read(name)
        if part is None or hashlib.sha256(data).hexdigest() != part.sha256:
            raise ValueError("its SHA-256 is not that of the manifest")
        return _arrays(data)
    except (OSError, EOFError, ValueError, MemoryError, NotImplementedError, *BAD_ZIP) as error:
        raise Damaged(f"{place}/{name}: damaged: {first_line(error)}; run the simulation again") from None


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays of an archive; raise `ValueError` if they are too large, or something else is in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > MOST_BYTES:
        raise ValueError(f"its arrays take {size:,} bytes, more than {MOST_BYTES:,}")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        found = dict(file)
    if not all(isinstance(value, np.ndarray) for value in found.values()):
        raise ValueError("contains something else than arrays")
    return found
