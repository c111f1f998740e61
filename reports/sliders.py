"""Sliders between the values that were played: shares at all of them, for a page that needs no server."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import ceil, gcd, lcm
from typing import Any

from simcore.tabletop import Area

STOPS = 100
"""Number of places at which a slider stops, as far as it also stops at every value that was played."""

ROOM = 1.05
"""What the axis shows beyond the highest share."""

Ends = tuple[float | None, ...]
"""A value, and the ends of its interval; None where they are not known."""


@dataclass(frozen=True)
class Slider:
    """A key of the rules that moves."""

    key: str
    title: str
    """key, title: The key, and what the game calls it."""
    values: tuple[str, ...]  # the values that were played, as text, in the order of `ordered`
    start: int = 0  # position of the value at which it stands first

    @property
    def places(self) -> tuple[float, ...]:
        """The values as numbers; none if they are not numbers, so that nothing lies between them."""
        return tuple(map(float, _numbers(self.values)))

    @property
    def step(self) -> float:
        """The distance between two stops: every value is a stop, and between whole numbers all stops are whole."""
        numbers = _numbers(self.values)
        distance = reduce(_common, (two - one for one, two in pairwise(numbers)))
        parts = ceil(STOPS * distance / (numbers[-1] - numbers[0]))
        if distance.denominator == 1:
            parts = next((many for many in range(parts, int(distance)) if distance % many == 0), int(distance))
        return float(distance / parts)


@dataclass(frozen=True)
class Track:
    """What one seat or camp wins."""

    name: str  # its name
    par: float | None
    half: float
    """par, half: Its fair share and half the width of what counts as fair; the share is None if there is none."""
    printed: float | None  # what it wins under the unchanged rules; None if they were not played
    cells: tuple[Ends | None, ...]
    """What it wins at each combination of values, the last key moving fastest; None where nothing was played."""


@dataclass(frozen=True)
class Sliders:
    """Sliders, and the shares that follow them."""

    name: str
    title: str
    """name, title: Anchor and heading."""
    sliders: tuple[Slider, ...]  # the keys that have several values
    tracks: tuple[Track, ...]  # what each seat or camp wins
    percent: bool = True  # whether values are shares

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the largest value of the axis, which does not move."""
        ends = [end for track in self.tracks for cell in track.cells for end in cell or () if end is not None]
        ends += [track.par + side * track.half for track in self.tracks if track.par is not None for side in (-1, 1)]
        return (0.0, min(1.0, ROOM * max(ends))) if self.percent else (min(ends), max(ends))

    @property
    def data(self) -> dict[str, Any]:
        """What the script of the page reads."""
        return {
            "places": [slider.places or None for slider in self.sliders],
            "counts": [len(slider.values) for slider in self.sliders],
            "cells": [track.cells for track in self.tracks],
            "reach": self.reach,
            "percent": self.percent,
        }


def ordered(values: Sequence[str]) -> tuple[str, ...]:
    """Return values of a key, lowest first if they are numbers."""
    return tuple(sorted(values, key=Fraction)) if _numbers(values) else tuple(values)


def _numbers(values: Sequence[str]) -> list[Fraction]:
    try:
        found = [Fraction(value) for value in values]
    except (ValueError, ZeroDivisionError):
        return []
    return found if len(set(found)) == len(found) > 1 else []


def _common(one: Fraction, two: Fraction) -> Fraction:
    """Return the largest number of which both are multiples."""
    below = lcm(one.denominator, two.denominator)
    return Fraction(gcd(int(one * below), int(two * below)), below)


# --- The rounds of one game, for a page on which a reader steps through them ---


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
