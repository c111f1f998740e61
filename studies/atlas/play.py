"""Play one part of a cell, and keep the sums from which the page is made."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.measures.rows import CLOSE
from analysis.stats.intervals import pointwise, rate_interval, share_interval
from analysis.stats.moments import MIN_DEALS
from simcore.running.batch import run_chunk
from studies.atlas.cells import Cell

Sums = dict[str, Any]
Array = np.ndarray[Any, Any]


def play(cell: Cell, number: int) -> Sums:
    """Play a part of a cell, by its number from 0, and return its sums.

    These are `games`; `players`, who played; `par`, the fair share of seat 1; `shares` and `squares`, the sums of each
    seat's part of the win and of its square; `length`, the sum and the sum of squares; the numbers of `tied` games and,
    if there is a score, of `close` ones; `seconds` of processor time.
    """
    spec, began = cell.spec, time.process_time()
    rows = run_chunk(spec, number * cell.part, cell.part).reshape(cell.part, spec.players)
    unit = spec.game.share_unit
    shares = rows[f"share{unit}"] / unit
    sides = np.array([role.side for role in spec.roles]) if spec.game.asymmetric else np.arange(spec.players)
    winners = np.stack([(shares[:, sides == side] > 0).any(axis=1) for side in dict.fromkeys(sides.tolist())], axis=1)
    found: Sums = {
        "games": cell.part,
        "players": list(dict.fromkeys(spec.strategies)),
        "par": spec.par[0],
        "shares": shares.sum(axis=0).tolist(),
        "squares": (shares**2).sum(axis=0).tolist(),
        "tied": int((winners.sum(axis=1) > 1).sum()),
    }
    columns, _ = cell.published.length
    fields = {column.name: column for column in spec.game.columns}
    if columns:
        length = sum(_field(rows, fields[name]).max(axis=1) for name in columns)
        found["length"] = [int(length.sum()), int((length.astype(np.int64) ** 2).sum())]
    if spec.game.score and not spec.game.asymmetric:
        scores = np.sort(_field(rows, fields[spec.game.score]) * (-1 if spec.game.lowest_wins else 1), axis=1)
        margin = scores[:, -1] - scores[:, -2]
        found["close"] = int((margin <= CLOSE * np.abs(scores).max(axis=1)).sum())
    return found | {"seconds": round(time.process_time() - began, 1)}


def _field(rows: Array, column: Any) -> Array:
    values: Array = rows[column.field].astype(np.int64)
    return values if column.index is None else values[..., column.index]


@dataclass(frozen=True)
class Range:
    """A value with its 95 % range."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Told:
    """What the parts of a cell say together."""

    games: int
    seconds: float
    """games, seconds: How many were played, in how much processor time."""
    players: Sequence[str]
    par: float
    """players, par: Who played, and the fair share of the first seat."""
    shares: Sequence[Range]  # by seat: its part of the wins
    tied: Range
    close: Range | None
    """tied, close: The parts of the games that were; `close` is None without a score."""
    length: Range | None  # mean length; None if all games are equally long


def told(parts: Sequence[Mapping[str, Any]]) -> Told | None:
    """Return what the parts of a cell say together; None if they are too few for a range."""
    games = sum(part["games"] for part in parts)
    if games < MIN_DEALS:
        return None
    means, errors = _means([part["shares"] for part in parts], [part["squares"] for part in parts], games)
    low, high = share_interval(means, errors, games, pointwise(0.95, games))
    length = None
    if "length" in parts[0]:
        sums = np.array([part["length"] for part in parts], float)
        mean, error = (float(one[0]) for one in _means(sums[:, :1], sums[:, 1:], games))
        half = float(pointwise(0.95, games)) * error
        length = Range(mean, mean - half, mean + half)
    return Told(
        games,
        sum(part["seconds"] for part in parts),
        parts[0]["players"],
        parts[0]["par"],
        [Range(*map(float, one)) for one in zip(means, low, high, strict=True)],
        _rate(sum(part["tied"] for part in parts), games),
        _rate(sum(part["close"] for part in parts), games) if "close" in parts[0] else None,
        length,
    )


def _means(sums: Any, squares: Any, games: int) -> tuple[Array, Array]:
    """Return means and standard errors, given sums and sums of squares by part."""
    mean = np.sum(sums, axis=0) / games
    spread = np.maximum(np.sum(squares, axis=0) / games - mean**2, 0)
    return mean, np.sqrt(spread / max(games - 1, 1))


def _rate(count: int, games: int) -> Range:
    rate = count / games
    low, high = rate_interval([rate], [(rate * (1 - rate) / max(games - 1, 1)) ** 0.5], [games])
    return Range(rate, float(low[0]), float(high[0]))
