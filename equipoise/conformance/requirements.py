"""How a check fails: with a sentence that says what is wrong, in which game, and how to see that game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore.running.batch import Spec, command


class Broken(AssertionError):
    """Raised by a check that a game does not pass; the message says why."""


def require(holds: Any, reason: str, spec: Spec | None = None, index: int = 0) -> None:
    """Raise `Broken` unless something holds.

    holds: What has to be true.
    reason: What is wrong otherwise.
    spec, index: The run and the game that show it, if one does.
    """
    if not holds:
        where = f" in game {index} of seed {spec.seed}; see it with: {command(spec, index)}" if spec else ""
        raise Broken(f"{reason}{where}")


def first_game(holds: np.ndarray[Any, Any]) -> int:
    """Return the index of the first game of which something does not hold, given an array with games first."""
    return int(np.argmin(holds.reshape(len(holds), -1).all(axis=1)))


def differences(one: Any, other: Any, inside: str = "") -> Iterator[str]:
    """Yield the names of the fields in which two records, or arrays of records, differ.

    Bytes between the fields, which pad a record, are not compared.

    Examples
    --------
    >>> kind = np.dtype([("turn", np.int32), ("hand", [("cards", np.int32, 2)])])
    >>> one, other = np.zeros(1, kind), np.zeros(1, kind)
    >>> other["hand"]["cards"][0, 1] = 3
    >>> list(differences(one, other))
    ['hand.cards']
    """
    for name in one.dtype.names:
        if one[name].dtype.names:
            yield from differences(one[name], other[name], f"{inside}{name}.")
        elif not np.array_equal(one[name], other[name]):
            yield f"{inside}{name}"
