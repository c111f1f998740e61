"""The sources of a game's chance: which draws belong to each, so that one can be drawn afresh while the others stay.

A random number has an address in a deal: a purpose, a slot and a number (`simcore.kernel.streams`).  A source is a set
of such addresses, for example those of one deck.  Source 0 is everything that no other source contains: what the
players draw to decide.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.kernel.streams import DICE, FRESH, MOST_RANGES, NAMES, SHUFFLE

END = 1 << 40
"""Above every slot and number."""


@dataclass(frozen=True)
class Draws:
    """Addresses of random numbers that lie together."""

    purpose: int | np.int64  # purpose in `simcore.kernel.streams`, such as `SHUFFLE`, `DICE` or `DECISION`
    slots: range = range(END)
    numbers: range = range(END)
    """slots, numbers: The slots, and the numbers within each.  By default, all."""


@dataclass(frozen=True)
class Chance:
    """One source of a game's chance.

    Examples
    --------
    >>> Chance("dice", (Draws(DICE),)).name
    'dice'
    """

    name: str  # name in tables; the game's words may have a title for it
    draws: tuple[Draws, ...] = ()  # the addresses of its random numbers


UNDECLARED = (Chance("shuffles", (Draws(SHUFFLE),)), Chance("dice", (Draws(DICE),)))
"""The sources of a game for kernels that declares none."""


def fresh(sources: Sequence[Chance], afresh: int) -> np.ndarray[Any, Any]:
    """Return the record by which generators know which sources are drawn afresh.

    sources: The sources, from number 1 on.
    afresh: Bit k is set if source k is drawn afresh.
    Returns numpy.ndarray: Shape (1,), of the dtype `simcore.kernel.streams.FRESH`.
    Raises UsageError if there are too many sources or ranges of addresses.
    """
    rows = [
        (number, int(one.purpose), one.slots.start, one.slots.stop - 1, one.numbers.start, one.numbers.stop - 1)
        for number, source in enumerate(sources, 1)
        for one in source.draws
    ]
    names = np.frombuffer(json.dumps([source.name for source in sources]).encode(), np.uint8)
    if len(sources) > 63 or len(rows) > MOST_RANGES or len(names) > NAMES:
        raise UsageError(
            f"the game draws from {len(sources)} sources of chance in {len(rows)} ranges; at most 63 sources in "
            f"{MOST_RANGES} ranges can be measured"
        )
    record = np.zeros(1, FRESH)
    record["sources"], record["count"] = afresh, len(rows)
    record["ranges"][0, : len(rows)] = rows or 0
    record["names"][0, : len(names)] = names
    return record
