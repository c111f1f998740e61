"""Cells that were played before: kept by a digest of all that decides what they come to."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from simcore.homes import home
from simcore.kernel.cache import KERNEL_ROOMS, beside_kernels, cache_folder
from simcore.running.batch import Spec

FOLDER, MOST_BYTES = "sweeps", 500_000_000
"""Folder of the cells, and how much it holds; the oldest are deleted first."""

Course = Sequence[tuple[str, str, bool, float, float, int]]
"""Measures of the course of the game: family, member, whether it is a share, value, standard error and deals."""

_TYPES = {
    "family": pl.String, "member": pl.String, "is_share": pl.Boolean, "value": pl.Float64, "se": pl.Float64,
    "deals": pl.Int64,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Played:
    """What the games of a cell came to.

    Parameters
    ----------
    won
        Parts of a win, shape (deals, seats).
    course
        Measures of the course of the game.
    stopped
        Whether it was stopped before all games were played.
    again
        Whether it comes from an earlier sweep.
    """

    won: NDArray[np.int32]
    course: Course
    stopped: bool = False
    again: bool = False


def digest_of(spec: Spec, *more: object) -> str:
    """Return the digest of all that decides what a cell comes to: rules, players, deals, and the code that plays."""
    package = home(spec.game.name).descriptor.partition(".")[0]
    decisive = {
        "game": spec.game.name,
        "players": spec.players,
        "rules": spec.rules.digest,
        "strategies": spec.strategy_tables,
        "seed": spec.seed,
        "design": spec.design,
        "games": spec.games,
        "code": [cache_folder().name, cache_folder("" if package in KERNEL_ROOMS else package).name, _analyses()],
        "more": [str(item) for item in more],
    }
    return hashlib.sha256(json.dumps(decisive, sort_keys=True, default=str).encode()).hexdigest()


@cache
def _analyses() -> str:
    """Return the digest of the code that measures."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).resolve().parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def recall(spec: Spec, *more: object) -> Played | None:
    """Return what an earlier sweep kept of a cell; None where there is nothing, or nothing whole."""
    path = beside_kernels(FOLDER) / digest_of(spec, *more)
    try:
        won = pl.read_parquet(path.with_suffix(".parquet"))
        course = pl.read_parquet(path.with_suffix(".course.parquet"))
    except (OSError, pl.exceptions.PolarsError):
        return None
    most = spec.games // spec.games_per_deal
    if won.columns != _seats(spec) or set(won.dtypes) != {pl.Int32} or course.schema != pl.Schema(_TYPES):
        return None
    if not 0 < len(won) <= most or won.null_count().sum_horizontal().item():
        return None
    return Played(won.to_numpy(), course.rows(), len(won) < most, again=True)


def keep(played: Played, spec: Spec, *more: object) -> None:
    """Keep a cell, where the disk takes it."""
    path = beside_kernels(FOLDER) / digest_of(spec, *more)
    with suppress(OSError):
        _write(pl.DataFrame(list(played.course), _TYPES, orient="row"), path.with_suffix(".course.parquet"))
        _write(pl.DataFrame(played.won, _seats(spec)), path.with_suffix(".parquet"))
        _trim(path.parent)


def recall_plain(spec: Spec, *more: object) -> Any:
    """Return plain values that an earlier search kept of a run; None where there is nothing, or nothing whole."""
    path = (beside_kernels(FOLDER) / digest_of(spec, *more)).with_suffix(".json")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def keep_plain(found: Any, spec: Spec, *more: object) -> None:
    """Keep plain values of a run, where the disk takes them."""
    path = (beside_kernels(FOLDER) / digest_of(spec, *more)).with_suffix(".json")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        part.write_text(json.dumps(found), encoding="utf-8")
        part.replace(path)
        _trim(path.parent)


def _seats(spec: Spec) -> list[str]:
    return [f"seat_{seat + 1}" for seat in range(spec.players)]


def _write(frame: pl.DataFrame, path: Path) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    frame.write_parquet(part, compression="zstd")
    part.replace(path)


def _trim(folder: Path) -> None:
    """Delete the oldest files where the folder holds too much."""
    files: list[Any] = sorted(((file.stat(), file) for file in folder.iterdir()), key=lambda pair: -pair[0].st_mtime)
    total = 0
    for known, file in files:
        total += known.st_size
        if total > MOST_BYTES:
            file.unlink(missing_ok=True)
