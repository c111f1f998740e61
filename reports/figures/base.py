"""What every figure is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from reports.render.theme import DASHES, GRID, INK, MARKERS, PALETTE
from reports.words import ENGLISH, Words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.container import ErrorbarContainer

LETTERS = 27
"""Letters of an axis title that fit on a line on a phone, next to the names of rows."""

NARROW = 5.0
"""Width in inches below which a figure uses the layout for phones."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Figure(ABC):
    """A figure: its data, how it is drawn, and its text for people who cannot see it."""

    words: Words = ENGLISH  # language of the labels

    @abstractmethod
    def data(self) -> pl.DataFrame:
        """Return what is drawn."""

    @abstractmethod
    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""

    @property
    @abstractmethod
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""

    def height(self, width: float) -> float:
        """Return a suitable height for a width, both in inches."""
        return 3.6 if width < NARROW else 3.8

    def percent_axis(self, axis: Axis) -> None:
        """Put ticks at round percentages on an axis of shares."""
        from matplotlib.ticker import MaxNLocator

        axis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(lambda value, _: self.share_text(value, int(abs(value - round(value, 2)) > 1e-6)))

    def interval_text(self, low: float | None, high: float | None, form: str, scale: float = 1.0) -> str:
        """Return an interval in brackets, after a space; nothing if it is not known."""
        if low is None or high is None:
            return ""
        ends = (self.words.number(scale * end, form) for end in (low, high))
        return f" ({self.words('interval', **dict(zip(('low', 'high'), ends, strict=True)))})"

    def share_text(self, value: float, digits: int = 0) -> str:
        """Return a share as text."""
        return self.words.number(value, f".{digits}%")


def is_narrow(axes: Axes) -> bool:
    """Return whether the axes are only as wide as a phone."""
    return bool(axes.get_figure(root=True).get_figwidth() < NARROW)  # type: ignore[union-attr]


def wrapped(title: str, narrow: bool) -> str:
    """Return the title of an axis, wrapped into lines that fit if it is on a phone."""
    return "\n".join(wrap(title, LETTERS)) if narrow else title


def draw_series(
    axes: Axes, x: Any, values: Sequence[Any], number: int, joined: bool = True, **more: Any
) -> ErrorbarContainer:
    """Draw values with their intervals, in the colour, marker and dashes of a series.

    x: Places of the values.
    values: The values, and the lower and upper ends of their intervals.
    number: Number of the series, from 0.
    joined: Whether lines join the values.
    more: Of Matplotlib's `errorbar`.
    """
    value, low, high = values
    usual: dict[str, Any] = {
        "color": PALETTE[number % len(PALETTE)],
        "marker": MARKERS[number % len(MARKERS)],
        "ls": DASHES[number % len(DASHES)] if joined else "",
    }
    usual |= {"ms": 5, "lw": 1.6, "elinewidth": 1.2, "capsize": 2, "zorder": 3}
    return axes.errorbar(x, value, yerr=[value - low, high - value], **(usual | more))


POINTS: dict[str, Any] = {"joined": False, "ms": 6, "lw": 1.5, "elinewidth": None, "capsize": 3}
"""How `draw_series` draws values that stand alone."""


def write_beside(axes: Axes, text: str, x: float, y: float, shift: float) -> Artist:
    """Write a value beside its mark, so many points to the right, or to the left if they are negative."""
    place: dict[str, Any] = {"xytext": (shift, 0), "textcoords": "offset points", "va": "center"}
    return axes.annotate(text, (x, y), ha="left" if shift > 0 else "right", fontsize=9, color=INK, **place)


def name_rows(axes: Axes, places: Sequence[float], names: Sequence[str]) -> None:
    """Put the names of rows on the vertical axis, and lines at the values of the horizontal one."""
    axes.set_yticks(places, names)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID)
    axes.spines["left"].set_visible(False)


def legend_above(axes: Axes, columns: int, **more: Any) -> None:
    """Put the legend above the figure, at the left."""
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, borderaxespad=0.1, **more)


def floats(frame: pl.DataFrame, *names: str) -> list[Any]:
    """Return columns as arrays of floats; null becomes NaN, which is not drawn."""
    return [frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for name in names]


# --- Where to put the labels of points on a map, so that lines, points and other labels cover them least ---


Floats = NDArray[np.float64]

STEPS = np.linspace(0, 1, 40)
"""Number of points along a line that are checked for being under a label."""

CROWD = 20.0
"""Weight of a point or of another label in the way, compared with a point of a line."""

PASSES = 5
"""How often every label may move again after the others have moved."""

SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0), *product((1, -1), (1, -1)))
"""Sides of a point on which a label may be; the first of equally free ones is used."""


def label_places(points: Floats, lines: Sequence[tuple[int, int]], sizes: Floats, gap: float) -> Floats:
    """Return the centres of labels, shape (points, 2).

    points: Where the points are, shape (points, 2).
    lines: Pairs of indices of points that are joined by a line.
    sizes: Width and height of each label, shape (points, 2).
    gap: Distance of a label from its point.
    """
    along = [points[start] + STEPS[:, None] * (points[end] - points[start]) for start, end in lines]
    drawn = np.concatenate(along) if along else np.zeros((0, 2))
    sides = np.array(SIDES, float)
    shifts = sides / np.linalg.norm(sides, axis=1, keepdims=True) * gap + sides * sizes[:, None] / 2
    choices = points[:, None] + shifts
    everywhere = range(len(points))
    fixed = np.array(
        [
            [
                _inside(drawn, choice, sizes[number])
                + CROWD * _inside(np.delete(points, number, axis=0), choice, sizes[number] + gap)
                for choice in choices[number]
            ]
            for number in everywhere
        ]
    )
    found: Floats = choices[everywhere, fixed.argmin(axis=1)]
    for _ in range(PASSES):
        for number in everywhere:
            apart = abs(choices[number][:, None] - found) < (sizes[number] + sizes) / 2
            hidden = np.delete(apart.all(axis=2), number, axis=1).sum(axis=1)
            found[number] = choices[number][(fixed[number] + CROWD * hidden).argmin()]
    return found


def _inside(points: Floats, centre: Floats, size: Floats) -> int:
    """Return the number of points in a box."""
    return int((abs(points - centre) < size / 2).all(axis=1).sum())


# --- Names of lines, at the end of each line and in its colour ---


NEAR, FAR = 0.012, 0.035
"""Distance between the end of a line and its name, as a fraction of the width; the larger leaves room for a leader."""


@dataclass(frozen=True)
class End:
    """The end of a line in the coordinates of the data, with its name and colour."""

    x: float
    y: float
    text: str
    colour: str


def label_ends(axes: Axes, ends: Sequence[End], least: float, top: float) -> list[Artist]:
    """Write the names of lines at their ends; a name that had to move is joined to its end by a leader.

    axes: Axes to write on; their limits must be set.
    ends: The ends of the lines.
    least: Smallest distance between two names, in units of the data.
    top: Highest position of a name.
    """
    found: list[Artist] = []
    left, right = axes.get_xlim()
    reach = right - left
    for _, same in groupby(sorted(ends, key=lambda end: (end.x, end.y)), key=lambda end: end.x):
        group = list(same)
        for end, place in zip(group, apart([end.y for end in group], least, top), strict=True):
            moved = abs(place - end.y) > least / 4
            if moved:
                found += axes.plot(
                    [end.x + NEAR * reach, end.x + FAR * reach], [end.y, place], color=end.colour, lw=0.8, zorder=2
                )
            at = end.x + (FAR if moved else NEAR) * reach
            label = axes.annotate(
                end.text,
                (at, place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=end.colour,
                annotation_clip=False,
            )
            label.set_in_layout(False)
            found.append(label)
    return found


def apart(values: Sequence[float], least: float, top: float) -> list[float]:
    """Return the positions of labels, in order: none covers another, and none is above `top` if there is room."""
    placed: list[float] = []
    for value in values:
        placed.append(max(value, placed[-1] + least) if placed else value)
    for at in range(len(placed) - 1, -1, -1):
        room = placed[at + 1] - least if at + 1 < len(placed) else top
        placed[at] = min(placed[at], room)
    return placed


# --- The text of a mark of a figure when the pointer is over it: stored with the drawing, and left out on paper ---


def add_tips(axes: Axes, x: Iterable[Any], y: Iterable[Any], texts: Sequence[str]) -> None:
    """Attach texts to the marks of a figure, in the coordinates of its data; they are never drawn."""
    from matplotlib.lines import Line2D

    line: Any = Line2D(list(x), list(y), visible=False)
    line.tips = tuple(texts)
    axes.add_artist(line)


def tips_of(canvas: Any) -> Iterator[tuple[float, float, str]]:
    """Yield the texts of a drawn figure with their places, from 0 to 1 from the left and from the top."""
    width, height = canvas.bbox.width, canvas.bbox.height
    for line in canvas.findobj(lambda artist: hasattr(artist, "tips")):
        for (x, y), text in zip(line.get_transform().transform(line.get_xydata()), line.tips, strict=True):
            if isfinite(x) and isfinite(y):  # a value that is not known has no place
                yield x / width, 1 - y / height, text
