"""Slope chart: how each seat's share moves from one run to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, floats, is_narrow
from reports.theme import BAND, DASHES, INK, MARKERS, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Slope(Figure):
    """Win share of every seat, a line a seat from run to run.

    Parameters
    ----------
    runs
        By label, in order: a row a seat with `seat`, `share`, `share_low`, `share_high`, `par`, `games`.
    margin
        Half width of the band around par that counts as fair.
    """

    runs: Mapping[str, pl.DataFrame]
    margin: float = 0.03

    def data(self) -> pl.DataFrame:
        """Return what is drawn: run, seat, share, low, high, par, games."""
        columns = ("seat", "share", "share_low", "share_high", "par", "games")
        frames = [
            frame.select(pl.lit(label).alias("run"), *columns).rename({"share_low": "low", "share_high": "high"})
            for label, frame in self.runs.items()
        ]
        return pl.concat(frames)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        frame = self.data()
        par, places = float(frame["par"][0]), range(len(self.runs))
        artists: list[Any] = [
            axes.axhspan(par - self.margin, par + self.margin, color=BAND, lw=0, zorder=0),
            axes.axhline(par, color=PAR, lw=1, ls="--", zorder=1),
        ]
        ends: list[tuple[float, str, str]] = []
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
            ends.append((float(share[-1]), self.words("seat.number", seat=seat), colour))
        axes.set_ylabel(self.words("axis.share"))
        axes.yaxis.set_major_formatter(lambda value, _: self.share_text(value))
        shown = [label.replace(", ", ",\n") for label in self.runs] if is_narrow(axes) else list(self.runs)
        axes.set_xticks(places, shown)
        axes.set_xlim(-0.25, len(self.runs) - 1 + (0.75 if is_narrow(axes) else 0.45))
        bottom, top = axes.get_ylim()
        for value, label, _ in apart(ends, (top - bottom) * (0.065 if not is_narrow(axes) else 0.075)):
            artists.append(axes.annotate(label, (len(self.runs) - 1 + 0.08, value), va="center", color=INK))
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for somebody who cannot see it."""
        series = "; ".join(
            f"{label}: "
            + self.words.listed(
                [
                    f"{self.words('seat.number', seat=row['seat'])} {self.share_text(row['share'], 1)}"
                    for row in frame.iter_rows(named=True)
                ]
            )
            for label, frame in self.runs.items()
        )
        par = next(iter(self.runs.values()))["par"][0]
        return self.words("alt.slope", par=par, series=series)


def apart(labels: list[tuple[float, str, str]], least: float) -> list[tuple[float, str, str]]:
    """Move labels up so that none covers another."""
    placed: list[tuple[float, str, str]] = []
    for value, text, colour in sorted(labels):
        at = max(value, placed[-1][0] + least) if placed else value
        placed.append((at, text, colour))
    return placed
