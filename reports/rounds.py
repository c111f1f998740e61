"""The rounds of one game, for a page on which a reader steps through them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from simcore.tabletop import Area

HANG = 2
"""Letters by which a line that continues a sentence is set in."""

MOST_HANG = 24
"""Largest such number."""

GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
"""What stands between the columns of a text."""


@dataclass(frozen=True)
class Line:
    """A line of the text of a game.

    Parameters
    ----------
    text
        The line.
    heads
        Whether it heads the lines that follow, which are set in.
    """

    text: str
    heads: bool = False

    @property
    def tabular(self) -> bool:
        """Whether it is a row of a table, which must not be broken."""
        return len(GAP.findall(self.text)) > 1

    @property
    def hang(self) -> int:
        """Number of letters by which it continues further in if it is broken: below its text, after its label."""
        gap = GAP.search(self.text)
        indent = len(self.text) - len(self.text.lstrip()) + HANG
        return min(gap.end() if gap else indent, MOST_HANG)


@dataclass(frozen=True)
class Held:
    """What a seat has at the end of a round.

    Parameters
    ----------
    text
        The value.
    change
        How it changed in this round, with its sign; empty if it did not.
    up
        Whether it grew.
    """

    text: str
    change: str = ""
    up: bool = False


@dataclass(frozen=True)
class Stage:
    """A round on the page.

    Parameters
    ----------
    title
        Its name, such as "Round 3".
    lines
        What happened.
    headings
        What is counted.
    rows
        For each seat what it has at the end; empty if the game does not say.
    figure, point
        Name of the figure that shows the standing, and the position of the round in it, from 0; -1 if it is not there.
    table
        How the table looks at the end; empty if the game does not say.
    """

    title: str
    lines: tuple[Line, ...]
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[Held, ...], ...] = ()
    figure: str = ""
    point: int = -1
    table: tuple[Area, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A round that a reader should look at.

    Parameters
    ----------
    at
        Its position among the rounds, from 0.
    text
        Why.
    """

    at: int
    text: str


@dataclass(frozen=True)
class Rounds:
    """All rounds of a game.

    Parameters
    ----------
    title
        Heading.
    seats
        Names of the seats, with those of their players.
    stages
        The rounds, in order.
    moments
        The rounds that changed the standing most.
    swings, basis
        The rounds that changed the chance to win most, and what that is estimated from.
    """

    title: str
    seats: tuple[str, ...]
    stages: tuple[Stage, ...]
    moments: tuple[Moment, ...] = ()
    swings: tuple[Moment, ...] = ()
    basis: str = ""


def lines(texts: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of a text."""
    return tuple(
        Line(text, not text.startswith(" ") and following.startswith(" ")) for text, following in pairwise((*texts, ""))
    )
