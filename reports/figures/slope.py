"""Slope chart: how each seat's share changes from one run to the next."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING

from reports.figures.base import floats, is_narrow
from reports.figures.line_ends import End, label_ends
from reports.figures.seats import SharesByRun
from reports.figures.tips import add_tips
from reports.render.theme import DASHES, MARKERS, PALETTE

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

LETTERS, NARROW_LETTERS = 80, 36
"""Letters of the names of all runs, side by side."""


@dataclass(frozen=True, eq=False)
class Slope(SharesByRun):
    """Win share of every seat, with a line for each seat from run to run."""

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        frame = self.data()
        places = range(len(self.runs))
        left, last = -0.25, len(self.runs) - 1
        right = last + (0.75 if is_narrow(axes) else 0.45)  # room for the names, which par does not cross
        axes.set_xlim(left, right)
        artists = self.ground(axes, (last - left) / (right - left))
        ends: list[End] = []
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
            name = self.words("seat.number", seat=seat)
            ends.append(End(last, float(share[-1]), name, colour))
            add_tips(axes, places, share, [self.tip(row["run"], name, row) for row in rows.iter_rows(named=True)])
        room = (NARROW_LETTERS if is_narrow(axes) else LETTERS) // len(self.runs)
        axes.set_xticks(places, [fill(label, room, break_on_hyphens=False) for label in self.runs])
        bottom, top = axes.get_ylim()
        artists += label_ends(axes, ends, (top - bottom) * (0.065 if not is_narrow(axes) else 0.075), top)
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        return self.told("alt.slope" if self.value == "share" else "alt.slope_payoff")
