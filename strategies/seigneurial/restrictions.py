"""Seigneurial: what a player can be forbidden."""

from __future__ import annotations

from collections.abc import Iterator

from simcore.games.seigneurial.rules import SeigneurialRules
from simcore.games.seigneurial.rent import REWARD
from strategies.restrictions import AVOIDS, FORGOES, Restriction

MOVES = ("cards", "refusing", "laying", "church", "mill")
"""Bits of `avoids`: playing cards, refusing the due of winter, laying resource cards, placing pawns on two squares."""


def restrictions(rules: SeigneurialRules) -> Iterator[Restriction]:
    """Yield favour and each kind of move, which is then not made if another move is legal."""
    for number, name in enumerate(MOVES):
        yield Restriction(name, AVOIDS, name, 1 << number)
    yield Restriction("favour", FORGOES, "favour", 1 << int(REWARD))
