"""Lines: values with their intervals along a scale, with one line for each series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, floats, is_narrow, wrapped
from reports.figures.tips import add_tips
from reports.render.theme import DASHES, MARKERS, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

NAMES = 75
"""Letters of the names of series that fit beside each other above a wide figure."""


@dataclass(frozen=True, eq=False)
class Curves(Figure):
    """Values along a scale."""

    frame: pl.DataFrame  # `series`, `x`, `value`, `low`, `high`
    names: Mapping[str, str]  # names of the series, in the order of colours
    across: str
    up: str
    """across, up: What the axes show."""
    par: tuple[float, str] | None = None  # position and name of a dashed line; None for no line
    percent: bool = False  # whether values are shares
    joined: bool = True  # whether the points are joined by lines
    whole: bool = True  # whether the scale has only whole numbers
    counted: bool = False  # whether the values are whole numbers

    def data(self) -> pl.DataFrame:
        """Return what is drawn: series, x, value, low, high."""
        return self.frame.select("series", "x", "value", "low", "high")

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        from matplotlib.ticker import MaxNLocator

        artists: list[Any] = []
        if self.par:
            artists.append(axes.axhline(self.par[0], color=PAR, lw=1, ls="--", zorder=1))
            artists.append(
                axes.annotate(
                    self.par[1],
                    (0.995, self.par[0]),
                    xycoords=("axes fraction", "data"),
                    ha="right",
                    xytext=(0, 2),
                    textcoords="offset points",
                    va="bottom",
                    color=PAR,
                    fontsize=9,
                )
            )
        for number, (key, name) in enumerate(self.names.items()):
            x, value, low, high = floats(
                self.frame.filter(pl.col("series") == key).sort("x"), "x", "value", "low", "high"
            )
            colour = PALETTE[number % len(PALETTE)]
            line = axes.errorbar(
                x,
                value,
                yerr=[value - low, high - value],
                color=colour,
                marker=MARKERS[number % len(MARKERS)],
                ls=DASHES[number % len(DASHES)] if self.joined else "",
                ms=5,
                lw=1.6,
                elinewidth=1.2,
                capsize=2,
                label=name,
                zorder=3,
            )
            artists.append(line)
            add_tips(axes, x, value, [self._tip(name, *mark) for mark in zip(x, value, low, high, strict=True)])
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.set_ylabel(self.up)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=6 if is_narrow(axes) else 12, integer=self.whole))
        axes.xaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if self.percent:
            self.percent_axis(axes.yaxis)
        else:
            axes.yaxis.set_major_locator(MaxNLocator(nbins=7, integer=self.counted))
            axes.yaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if len(self.names) > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=self._columns(axes), borderaxespad=0.1)
        return artists

    def _columns(self, axes: Axes) -> int:
        """Return how many names of series stand beside each other."""
        fitting = NAMES // max(map(len, self.names.values()))
        return 1 if is_narrow(axes) else min(max(fitting, 1), 3)

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for key, name in self.names.items():
            known = self.frame.filter((pl.col("series") == key) & pl.col("value").is_not_null()).sort("x")
            if len(known):
                ends = [known.row(0, named=True), known.row(-1, named=True)]
                said = [f"{self.words.number(row['x'], 'g')}: {self._said(row['value'])}" for row in ends]
                parts.append(self.words("alt.curve", name=name, first=said[0], last=said[1]))
        return self.words("alt.curves", up=self.up, across=self.across, parts="; ".join(parts))

    def _said(self, value: float) -> str:
        return self.words.number(value, ".1%" if self.percent else ",.4g")

    def _tip(self, name: str, x: float, value: float, low: float, high: float) -> str:
        ends = self.interval_text(low, high, ".1%" if self.percent else ",.4g") if isfinite(low) else ""
        at = f"{self.across} {self.words.number(x, 'g')}"
        return self.words("tip.of", series=at, name=name, value=self._said(value) + ends)


@dataclass(frozen=True, eq=False)
class Ecdf(Figure):
    """Share of the games that end with at most a number of points, with one line for each seat."""

    frame: pl.DataFrame  # `series`, `x`, `share` (cumulative), `games`
    names: Mapping[str, str]  # names of the series
    across: str  # what the scale shows

    def data(self) -> pl.DataFrame:
        """Return what is drawn: series, x, share, games."""
        return self.frame.select("series", "x", "share", "games")

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        from matplotlib.ticker import MaxNLocator

        artists: list[Any] = [axes.axhline(0.5, color=PAR, lw=1, ls="--", zorder=1)]
        for number, (key, name) in enumerate(self.names.items()):
            x, share = floats(self._steps(key), "x", "share")
            artists += axes.step(
                x,
                share,
                where="post",
                color=PALETTE[number % len(PALETTE)],
                ls=DASHES[number % len(DASHES)],
                lw=1.7,
                label=name,
                marker=MARKERS[number % len(MARKERS)],
                markevery=(number * 4, max(len(x) // 6, 1)),
                ms=5,
            )
            add_tips(axes, x, share, [self._tip(name, at, part) for at, part in zip(x, share, strict=True)])
        played = self.frame.filter(pl.col("games") > 0)["x"]
        if len(played):
            axes.set_xlim(float(played.min()), float(played.max()))  # type: ignore[arg-type]
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(0, 1)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.set_ylabel(self.words("axis.at_most"))
        axes.yaxis.set_major_formatter(lambda value, _: self.words.number(value, ".0%"))
        axes.xaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if len(self.names) > 1:
            axes.legend(loc="lower right")
        return artists

    def _tip(self, name: str, x: float, share: float) -> str:
        at = f"{self.across} ≤ {self.words.number(x, 'g')}"
        return self.words("tip.of", series=at, name=name, value=self.words.number(share, ".1%"))

    def _steps(self, key: str) -> pl.DataFrame:
        """Return the steps of a series: the first, the last and some in between, about 150 at most."""
        rows = self.frame.filter((pl.col("series") == key) & (pl.col("games") > 0))
        apart = max(len(rows) // 150, 1)
        return pl.concat([rows[::apart], rows[-1:]]).unique(maintain_order=True) if len(rows) else rows

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for key, name in self.names.items():
            rows = self.frame.filter(pl.col("series") == key)
            points = [rows.filter(pl.col("share") >= at)["x"] for at in (0.1, 0.5, 0.9)]
            if all(len(point) for point in points):
                low, middle, high = (self.words.number(float(point[0]), "g") for point in points)
                parts.append(self.words("alt.ecdf_series", name=name, low=low, middle=middle, high=high))
        return self.words("alt.ecdf", across=self.across, parts="; ".join(parts))
