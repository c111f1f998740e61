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
    """A line of the text of a game."""

    text: str  # the line
    heads: bool = False  # whether it heads the lines that follow, which are set in

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
    """What a seat has at the end of a round."""

    text: str  # the value
    change: str = ""  # how it changed in this round, with its sign; empty if it did not
    up: bool = False  # whether it grew


@dataclass(frozen=True)
class Stage:
    """A round on the page."""

    title: str  # its name, such as "Round 3"
    lines: tuple[Line, ...]  # what happened
    headings: tuple[str, ...] = ()  # what is counted
    rows: tuple[tuple[Held, ...], ...] = ()  # for each seat what it has at the end; empty if the game does not say
    figure: str = ""
    point: int = -1
    """figure, point: Name of the figure that shows the standing, and the position of the round in it, from 0; -1 if it
    is not there."""
    table: tuple[Area, ...] = ()  # how the table looks at the end; empty if the game does not say


@dataclass(frozen=True)
class Moment:
    """A round that a reader should look at."""

    at: int  # its position among the rounds, from 0
    text: str  # why


@dataclass(frozen=True)
class Rounds:
    """All rounds of a game."""

    title: str  # heading
    seats: tuple[str, ...]  # names of the seats, with those of their players
    stages: tuple[Stage, ...]  # the rounds, in order
    moments: tuple[Moment, ...] = ()  # the rounds that changed the standing most
    swings: tuple[Moment, ...] = ()
    basis: str = ""
    """swings, basis: The rounds that changed the chance to win most, and what that is estimated from."""


def lines(texts: Sequence[str]) -> tuple[Line, ...]:
    """Return the lines of a text."""
    return tuple(
        Line(text, not text.startswith(" ") and following.startswith(" ")) for text, following in pairwise((*texts, ""))
    )
