"""The events of games as arrays, and as stored in the files of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.runs.load import MOST_EVENTS, check_size
from analysis.runs.manifest import PartFile, first_line
from simcore.errors import Damaged
from simcore.kernel.trace import NOTE

GAME, TURN, SEAT, KIND, VALUES = range(5)
"""Columns of an array of events: game, turn, seat (from 0, or -1), number of the kind, and first of the values."""


def no_events() -> NDArray[Any]:
    """Return an array of no events."""
    return np.zeros((0, NOTE), np.int32)


def event_array(path: Path, kinds: Sequence[str], part: PartFile, players: int) -> NDArray[Any]:
    """Return the events of one file as in `Block`; games are counted from the first of the run.

    Raises UsageError if the file is damaged, or contains events of other games or seats.
    """
    wanted = ["game_id", "turn", "seat", "kind", "a", "b", "c"]
    if part.suffix == ".parquet":
        check_size(path, part.games * MOST_EVENTS, {})
    try:
        scanned = pl.scan_parquet(path, glob=False) if path.suffix == ".parquet" else pl.scan_csv(path, glob=False)
        number = pl.col("kind").cast(pl.String).replace_strict(list(kinds), range(len(kinds)), return_dtype=pl.Int64)
        frame = scanned.select(wanted).with_columns(number, pl.col("seat").cast(pl.Int64).fill_null(0) - 1)
        found = frame.cast(pl.Int64).fill_null(0).collect().to_numpy()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise Damaged(f"{path}: damaged: {first_line(error)}; run the simulation again") from None
    games, seats = found[:, GAME], found[:, SEAT]
    ordered = (np.diff(games, prepend=part.first, append=part.first + part.games - 1) >= 0).all()
    if not ordered or ((seats < -1) | (seats >= players)).any():
        raise Damaged(f"{path}: its events do not match the part's games and seats in order; the run was changed")
    return found
