"""Slope chart: how each seat's share moves from one run to the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures.base import floats, is_narrow
from reports.figures.seats import SharesByRun
from reports.theme import DASHES, INK, MARKERS, PALETTE

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Slope(SharesByRun):
    """Win share of every seat, a line a seat from run to run."""

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        frame = self.data()
        places = range(len(self.runs))
        artists = self.ground(axes)
        ends: list[tuple[float, str]] = []
        for number, ((seat,), rows) in enumerate(frame.group_by("seat", maintain_order=True)):
            colour = PALETTE[number % len(PALETTE)]
            share, low, high = floats(rows, "share", "low", "high")
            artists.append(
                axes.errorbar(
                    places,
                    share,
                    yerr=[share - low, high - share],
                    color=colour,
                    lw=1.8,
                    capsize=3,
                    ms=6,
                    marker=MARKERS[number % len(MARKERS)],
                    ls=DASHES[number % len(DASHES)],
                )
            )
            ends.append((float(share[-1]), self.words("seat.number", seat=seat)))
        shown = [label.replace(", ", ",\n") for label in self.runs] if is_narrow(axes) else list(self.runs)
        axes.set_xticks(places, shown)
        axes.set_xlim(-0.25, len(self.runs) - 1 + (0.75 if is_narrow(axes) else 0.45))
        bottom, top = axes.get_ylim()
        for value, label in apart(ends, (top - bottom) * (0.065 if not is_narrow(axes) else 0.075), top):
            artists.append(axes.annotate(label, (len(self.runs) - 1 + 0.08, value), va="center", color=INK))
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for somebody who cannot see it."""
        return self.told("alt.slope")


def apart(labels: list[tuple[float, str]], least: float, top: float) -> list[tuple[float, str]]:
    """Move labels up so that none covers another, and down again where one would stand above `top`."""
    placed: list[tuple[float, str]] = []
    for value, text in sorted(labels):
        placed.append((max(value, placed[-1][0] + least) if placed else value, text))
    for number in range(len(placed) - 1, -1, -1):
        room = placed[number + 1][0] - least if number + 1 < len(placed) else top
        placed[number] = (min(placed[number][0], room), placed[number][1])
    return placed
