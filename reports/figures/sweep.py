"""Values of some seats, camps or measures against a key of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, floats, is_narrow, wrapped
from reports.figures.tips import add_tips
from reports.render.theme import BAND, DASHES, MARKERS, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

SPREAD = 0.08
"""Sideways distance between the points of two series at one value."""

LETTER, ACROSS = 0.085, 0.78
"""Width of a letter below the axis in inches, and share of a figure's width from the first value to the last."""


@dataclass(frozen=True, eq=False)
class Swept(Figure):
    """Values with their intervals at every value of a key, one series each."""

    frame: pl.DataFrame  # `series`, `at` (a value of the key, as text), `value`, `low`, `high`
    names: Mapping[str, str]  # names of the series, in the order of colours
    ticks: Sequence[str]  # the values of the key, in order
    across: str
    up: str
    """across, up: What the axes show."""
    bands: Sequence[tuple[float, float, float]] = ()  # lowest, middle and highest value that count as fair, each once
    percent: bool = False  # whether values are shares

    def data(self) -> pl.DataFrame:
        """Return what is drawn: series, at, value, low, high."""
        return self.frame.select("series", "at", "value", "low", "high")

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        artists: list[Any] = []
        for low, middle, high in self.bands:
            artists.append(axes.axhspan(low, high, color=BAND, lw=0, zorder=0))
            artists.append(axes.axhline(middle, color=PAR, lw=1, ls="--", zorder=1))
        places, joined = self._places()
        nearest = min((abs(one - two) for one, two in zip(places[1:], places, strict=False)), default=1.0)
        for number, (key, name) in enumerate(self.names.items()):
            rows = self.frame.filter(pl.col("series") == key)
            at = [places[self.ticks.index(text)] for text in rows["at"]]
            offset = 0.0 if joined else (number - (len(self.names) - 1) / 2) * SPREAD * nearest
            value, low, high = floats(rows, "value", "low", "high")
            artists.append(
                axes.errorbar(
                    [place + offset for place in at],
                    value,
                    yerr=[value - low, high - value],
                    color=PALETTE[number % len(PALETTE)],
                    marker=MARKERS[number % len(MARKERS)],
                    ls=DASHES[number % len(DASHES)] if joined else "",
                    ms=5,
                    lw=1.6,
                    elinewidth=1.2,
                    capsize=2,
                    label=name,
                    zorder=3,
                )
            )
            known = rows.drop_nulls("value")
            spots = [places[self.ticks.index(text)] + offset for text in known["at"]]
            add_tips(axes, spots, known["value"], [self._tip(name, row) for row in known.iter_rows(named=True)])
        step = max(1, len(self.ticks) // (6 if is_narrow(axes) else 14))
        shown = [*range(0, len(self.ticks), step)]
        if joined:
            shown = self._apart(shown, places, axes)
        axes.set_xticks([places[at] for at in shown], [self._tick(self.ticks[at]) for at in shown])
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.set_ylabel(self.up)
        if self.percent:
            self.percent_axis(axes.yaxis)
        else:
            axes.yaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if len(self.names) > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2 if is_narrow(axes) else 4, borderaxespad=0.1)
        return artists

    def _places(self) -> tuple[list[float], bool]:
        """Return the positions of the values, and whether they are numbers, so that lines may join them."""
        try:
            return [float(text) for text in self.ticks], len(self.ticks) > 1
        except ValueError:
            return [float(place) for place in range(len(self.ticks))], False

    def _apart(self, wanted: Sequence[int], places: Sequence[float], axes: Axes) -> list[int]:
        """Return which numbers are written below the axis: none touches the one before it."""
        width = axes.get_figure(root=True).get_figwidth() * ACROSS  # type: ignore[union-attr]
        inches = width / ((max(places) - min(places)) or 1.0)
        shown: list[int] = []
        for at in sorted(wanted, key=places.__getitem__):
            last = shown[-1] if shown else at
            letters = (len(self._tick(self.ticks[at])) + len(self._tick(self.ticks[last]))) / 2
            if not shown or (places[at] - places[last]) * inches >= LETTER * (letters + 1):
                shown.append(at)
        return shown

    def _tip(self, name: str, row: Mapping[str, Any]) -> str:
        ends = self.interval_text(row["low"], row["high"], ".1%" if self.percent else ",.4g")
        at = f"{self.across} {self._tick(row['at'])}"
        return self.words("tip.of", series=at, name=name, value=self._said(row["value"]) + ends)

    def _tick(self, text: str) -> str:
        try:
            return self.words.number(float(text), "g")
        except ValueError:
            return text

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for key, name in self.names.items():
            known = self.frame.filter((pl.col("series") == key) & pl.col("value").is_not_null())
            if len(known):
                ends = [known.row(0, named=True), known.row(-1, named=True)]
                said = [f"{self._tick(row['at'])}: {self._said(row['value'])}" for row in ends]
                parts.append(self.words("alt.curve", name=name, first=said[0], last=said[1]))
        return self.words("alt.curves", up=self.up, across=self.across, parts="; ".join(parts))

    def _said(self, value: float) -> str:
        return self.words.number(value, ".1%" if self.percent else ",.4g")
