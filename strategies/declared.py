"""The strategies of games in plain Python, which no kernel calls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from simcore.declared import Declared
from strategies.kit import Kit


@dataclass(frozen=True)
class Numbered:
    """A strategy as a line-up has it: its number among those of its game, counted from 1, in place of an address."""

    address: int
    is_cold = False


@cache
def kit_of(game: Declared) -> Kit:
    """Return the kit of a game, made from the names of its strategies."""
    names = game.declaration.strategies
    return Kit(
        policies={name: Numbered(number) for number, name in enumerate(names, 1)},  # type: ignore[misc]
        default=game.declaration.default,
        records=game.policy_records,
        searched=(0, 0),
    )
