"""Aligned records: the only kind of memory that kernels use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

ADDRESS = np.dtype(np.uint64, metadata={"address": True})
"""A field with the address of a function or of memory, which is valid in one process only; 0 if there is none."""


class Record(np.record):  # type: ignore[misc]
    """A record whose fields take precedence over NumPy's attributes of the same name, such as `round`.

    Compiled kernels only know fields; with this class, plain Python sees the same, without the views of views that
    `np.record` makes: games in plain Python spend much of their time here.
    """

    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattribute__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            return np.record.__getattribute__(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        try:
            self[name] = value
        except ValueError:
            np.record.__setattr__(self, name, value)


def layout(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """Return the aligned record dtype of some (name, dtype[, shape]) fields.

    NumPy treats a record of class `Record` inside another one as unaligned, so the offsets are computed here.
    """
    formats = [np.dtype(tuple(kind) if len(kind) > 1 else kind[0]) for _, *kind in fields]
    offsets, size = [], 0
    for kind in formats:
        offsets.append(-(-size // alignment(kind)) * alignment(kind))
        size = offsets[-1] + kind.itemsize
    widest = max(map(alignment, formats), default=1)
    table = {
        "names": [name for name, *_ in fields],
        "formats": formats,
        "offsets": offsets,
        "itemsize": -(-size // widest) * widest,
    }
    return np.dtype((Record, np.dtype(table, align=True)))  # type: ignore[call-overload]


def row_of(*names: str, share: str = "share60") -> np.dtype[Any]:
    """Return the row of results of a seat: the general fields, and the game's own numbers.

    Parameters
    ----------
    *names
        Names of the game's own numbers.
    share
        Name of the win share: "share840" in a game for 7 or 8 players.

    Examples
    --------
    >>> row_of("points").names
    ('strategy', 'place', 'share60', 'points')
    """
    found = ["strategy", "place", share, *names]
    found += ["spare"] * (len(found) % 2)  # a row has an even number of words
    return layout(*((name, np.int32) for name in found))


def addresses(records: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """Return views of all fields of some records that were declared as `ADDRESS`, by their names with dots."""
    views: dict[str, np.ndarray[Any, Any]] = {}
    for name in records.dtype.names or ():
        view = records[name]
        inner = addresses(view)
        views |= {f"{name}.{field}": deeper for field, deeper in inner.items()}
        if (records.dtype[name].base.metadata or {}).get("address"):
            views[name] = view
    return views


def alignment(dtype: np.dtype[Any]) -> int:
    """Return the alignment of the widest number in a dtype."""
    inner: Any = dtype.base.fields
    return max(alignment(kind) for kind, *_ in inner.values()) if inner else dtype.base.alignment


def one(record: np.record) -> np.ndarray[Any, Any]:
    """Return a copy of a record as an array of shape (1,), whose fields have views."""
    copy = np.empty(1, record.dtype)
    copy[0] = record
    return copy


def blank(dtype: np.dtype[Any]) -> np.record:
    """Return one zeroed record."""
    return np.zeros(1, dtype)[0]


def words(dtype: np.dtype[Any]) -> int:
    """Count the 32-bit words of a record that consists of such words only."""
    return dtype.itemsize // 4


def word(dtype: np.dtype[Any], field: str, index: int | None = None) -> int:
    """Return the index of the 32-bit word of a field, or of one item of an array field."""
    fields: Any = dtype.fields
    return int(fields[field][1]) // 4 + (index or 0)


def pack_numbers(dtype: np.dtype[Any], values: Any, players: int, names: Sequence[str] | None = None) -> np.record:
    """Return a record whose fields are the number of players and values of the rules with the same names.

    dtype: The record.
    values: The rules; of a choice between texts, the record gets the position.
    players: Players at the table.
    names: The fields to fill.  If None, all.
    """
    record = blank(dtype)
    for name in dtype.names or () if names is None else names:
        value = players if name == "players" else getattr(values, name)
        if isinstance(value, str):
            value = get_args(type(values).model_fields[name].annotation).index(value)
        record[name] = value
    return record


def fields(dtype: np.dtype[Any]) -> tuple[tuple[str, np.dtype[Any]], ...]:
    """Return the fields of a record, for the `layout` of one that has more."""
    return tuple((name, dtype[name]) for name in dtype.names or ())
