"""What lies on the table, and what is asked, in words: how a person sees a game that kernels play.

A game says so once, and everything that shows its tables uses it: a person who plays a seat, and the page of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

ROW, PLACES = "row", "places"
"""How things lie: one beside the other, or each in its place on a map."""


@dataclass(frozen=True)
class Thing:
    """One thing on the table.

    Parameters
    ----------
    text
        What it is called.
    notes
        What lies on it or is true of it, such as the pieces that stand there.
    seat
        Whose it is, counted from 0; None if it is nobody's.
    place
        For `PLACES`: how far to the right and down it lies, from 0 to 1.
    roads
        For `PLACES`: positions of its neighbours among the things.
    """

    text: str
    notes: tuple[str, ...] = ()
    seat: int | None = None
    place: tuple[float, float] = (0.0, 0.0)
    roads: tuple[int, ...] = ()


@dataclass(frozen=True)
class Area:
    """A part of the table: a row of tiles, what a seat has, a map.

    Parameters
    ----------
    title
        Its heading.
    things
        What lies there, in order.
    seat
        Whose it is, counted from 0; None if it is everybody's.
    layout
        `ROW` or `PLACES`.
    """

    title: str
    things: tuple[Thing, ...]
    seat: int | None = None
    layout: str = ROW


@dataclass(frozen=True)
class Moment:
    """A table at one moment, as somebody sees it."""

    values: Any  # the resolved rules
    rules: Any
    state: Any
    """rules, state: The records of the game."""
    seat: int | None = None  # who looks, counted from 0; None for somebody who sees everything

    def sees(self, seat: int) -> bool:
        """Return whether what a seat keeps for itself is seen."""
        return self.seat in (None, seat)


@dataclass(frozen=True, eq=False)
class Tabletop:
    """How the tables of a game look.

    Parameters
    ----------
    areas
        Function of a `Moment` that yields the parts of the table.  For a seat, it may only use what the seat knows:
        the areas must be the same for any two redraws.
    option
        Function of (`Moment` of the seat that is asked, move) that says in a few words what the move does.
    questions
        By the name of the decision, what is asked; function of the `Moment` where that depends on the table.
    """

    areas: Callable[[Moment], Iterable[Area]]
    option: Callable[[Moment, int], str]
    questions: Mapping[str, str | Callable[[Moment], str]] = field(default_factory=dict)

    def question(self, name: str, moment: Moment) -> str:
        """Return what a kind of decision asks."""
        asked = self.questions.get(name, name.replace("_", " ").capitalize())
        return asked if isinstance(asked, str) else asked(moment)


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "coin"), counted(3, "coin")
    ('1 coin', '3 coins')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"
