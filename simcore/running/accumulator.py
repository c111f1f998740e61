"""What adds up: the base of everything that counts over games, in parts that are then merged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self


class Accumulator:
    """An object that adds up over games, and takes over what others of its kind added up.

    A class names in `adds` its own numbers and arrays that add up; accumulators that it holds, alone or in a list,
    tuple or dictionary, are merged without being named.  All other attributes say what is counted, and stay.

    Examples
    --------
    >>> class Wins(Accumulator):
    ...     adds = ("won",)
    ...
    ...     def __init__(self, won: int) -> None:
    ...         self.won = won
    >>> one, other = Wins(3), Wins(4)
    >>> one.merge(other)
    >>> one.won
    7
    """

    adds: ClassVar[tuple[str, ...]] = ()

    def merge(self, other: Self) -> None:
        """Add everything that another accumulator of the same kind holds; arrays stay the same objects."""
        for name in self.adds:
            value = getattr(self, name)
            value += getattr(other, name)
            setattr(self, name, value)
        for mine, theirs in zip(held_by(self), held_by(other), strict=True):
            mine[1].merge(theirs[1])


def held_by(owner: object) -> Iterator[tuple[str, Accumulator]]:
    """Yield the accumulators that an object holds, in order, each with its place, such as `.share` or `.counts[2]`."""
    for name, value in vars(owner).items():
        if isinstance(value, Accumulator):
            yield f".{name}", value
        elif isinstance(value, list | tuple):
            yield from ((f".{name}[{at}]", one) for at, one in enumerate(value) if isinstance(one, Accumulator))
        elif isinstance(value, dict):
            yield from ((f".{name}[{at}]", one) for at, one in value.items() if isinstance(one, Accumulator))
