"""Seat advantage: win share by seat against par."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from analysis.seats import Shares
from reports.theme import BAND, MARKERS, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

SPREAD = 0.12
"""Sideways distance between the points of two runs at one seat."""


@dataclass(frozen=True)
class SeatAdvantage:
    """Win share of every seat with its interval, one series a run.

    Parameters
    ----------
    runs
        Shares by seat of one or several runs with as many players, by label.
    margin
        Half width of the band around par that counts as fair.
    """

    runs: Mapping[str, Shares]
    margin: float = 0.03

    def data(self) -> pl.DataFrame:
        """Return what is drawn: run, seat, share, low, high, par, games."""
        return pl.DataFrame(
            [
                {
                    "run": label,
                    "seat": seat,
                    "share": estimate.share,
                    "low": estimate.low,
                    "high": estimate.high,
                    "par": estimate.par,
                    "games": shares.games,
                }
                for label, shares in self.runs.items()
                for seat, estimate in enumerate(shares.estimates, 1)
            ]
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        frame = self.data()
        par = float(frame["par"][0])
        seats = frame["seat"].unique().sort().to_list()
        artists: list[Artist] = [
            axes.axhspan(par - self.margin, par + self.margin, color=BAND, lw=0, zorder=0),
            axes.axhline(par, color=PAR, lw=1, ls="--", zorder=1),
        ]
        for number, label in enumerate(self.runs):
            run = frame.filter(pl.col("run") == label)
            offset = (number - (len(self.runs) - 1) / 2) * SPREAD
            artists.append(
                axes.errorbar(
                    [seat + offset for seat in run["seat"]],
                    run["share"],
                    yerr=[run["share"] - run["low"], run["high"] - run["share"]],
                    color=PALETTE[number % len(PALETTE)],
                    marker=MARKERS[number % len(MARKERS)],
                    ms=6,
                    lw=1.5,
                    capsize=3,
                    label=label,
                    zorder=3,
                )
            )
        axes.set_xticks(seats, [f"seat {seat}" for seat in seats])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.set_ylabel("share of wins")
        axes.annotate(
            f"par {par:.0%} ± {self.margin * 100:.0f} points",
            (0.01, par - self.margin),
            xycoords=("axes fraction", "data"),
            ha="left",
            va="bottom",
            color=PAR,
            fontsize=9,
        )
        if len(self.runs) > 1:
            axes.legend(title="all seats played by", loc="best")
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for somebody who cannot see it."""
        series = "; ".join(
            f"{label}: " + ", ".join(f"{estimate.name} {estimate.share:.1%}" for estimate in shares.estimates)
            for label, shares in self.runs.items()
        )
        par = next(iter(self.runs.values())).estimates[0].par
        return f"Share of wins by seat with 95 % intervals, par {par:.0%}. {series}."
