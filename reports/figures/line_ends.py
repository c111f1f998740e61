"""Names of lines, at the end of each line and in its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

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
