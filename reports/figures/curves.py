"""Lines: values with their intervals along a scale, with one line for each series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from textwrap import fill
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import (
    End,
    Figure,
    add_tips,
    draw_series,
    floats,
    is_narrow,
    label_ends,
    legend_above,
    name_rows,
    wrapped,
    write_beside,
)
from reports.figures.seats import SharesByRun
from reports.render.theme import BAND, DASHES, MARKERS, PALETTE, PAR

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
            artists.append(draw_series(axes, x, (value, low, high), number, self.joined, label=name))
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
            legend_above(axes, self._columns(axes))
        return artists

    def _columns(self, axes: Axes) -> int:
        """Return how many names of series stand beside each other."""
        fitting = NAMES // max(map(len, self.names.values()))
        return 1 if is_narrow(axes) else min(max(fitting, 1), 3)

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        return _ends_told(self, self.frame.sort("x"), lambda row: self.words.number(row["x"], "g"))

    def _said(self, value: float) -> str:
        return self.words.number(value, ".1%" if self.percent else ",.4g")

    def _tip(self, name: str, x: float, value: float, low: float, high: float) -> str:
        ends = self.interval_text(low, high, ".1%" if self.percent else ",.4g") if isfinite(low) else ""
        at = f"{self.across} {self.words.number(x, 'g')}"
        return self.words("tip.of", series=at, name=name, value=self._said(value) + ends)


def _ends_told(figure: Curves | Swept, frame: pl.DataFrame, at: Callable[[dict[str, Any]], str]) -> str:
    """Return the first and the last point of each curve, in words."""
    parts = []
    for key, name in figure.names.items():
        known = frame.filter((pl.col("series") == key) & pl.col("value").is_not_null())
        if len(known):
            said = [
                f"{at(row)}: {figure._said(row['value'])}" for row in (known.row(end, named=True) for end in (0, -1))
            ]
            parts.append(figure.words("alt.curve", name=name, first=said[0], last=said[1]))
    return figure.words("alt.curves", up=figure.up, across=figure.across, parts="; ".join(parts))


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


# --- Slope chart: how each seat's share changes from one run to the next ---


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
            share, low, high = floats(rows, "share", "low", "high")
            look: dict[str, Any] = {"ms": 6, "lw": 1.8, "elinewidth": None, "capsize": 3, "zorder": 2}
            artists.append(draw_series(axes, places, (share, low, high), number, **look))
            name = self.words("seat.number", seat=seat)
            ends.append(End(last, float(share[-1]), name, PALETTE[number % len(PALETTE)]))
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


# --- Values of some seats, camps or measures against a key of the rules ---


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
            values, beside = floats(rows, "value", "low", "high"), [place + offset for place in at]
            artists.append(draw_series(axes, beside, values, number, joined, label=name))
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
            legend_above(axes, 2 if is_narrow(axes) else 4)
        return artists

    def _places(self) -> tuple[list[float], bool]:
        """Return the positions of the values, and whether lines join them: numbers, or two of anything."""
        try:
            return [float(text) for text in self.ticks], len(self.ticks) > 1
        except ValueError:
            return [float(place) for place in range(len(self.ticks))], len(self.ticks) == 2

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
        return _ends_told(self, self.frame, lambda row: self._tick(row["at"]))

    def _said(self, value: float) -> str:
        return self.words.number(value, ".1%" if self.percent else ",.4g")


# --- How likely each level is, for several prior probabilities of "none of these" ---


@dataclass(frozen=True, eq=False)
class Belief(Figure):
    """A bar for each level, and a mark for each other prior belief."""

    frame: pl.DataFrame  # `row`, and one column of probabilities for each key of `names`
    names: Mapping[str, str]  # names of the columns: first that of the bars, then those of the marks
    across: str  # what the probabilities are

    def data(self) -> pl.DataFrame:
        """Return what is drawn: row, and a column for each series."""
        return self.frame.select("row", *self.names)

    def height(self, width: float) -> float:
        """Return room for every row."""
        return 1.1 + 0.36 * len(self.frame)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        first, *others = self.names
        places = list(reversed(range(len(self.frame))))
        (chances,) = floats(self.frame, first)
        bars = axes.barh(places, chances, 0.6, color=PALETTE[0], label=self.names[first], zorder=2)
        artists: list[Any] = [*bars]
        handles: list[Any] = [bars]
        for number, name in enumerate(others, 1):
            (values,) = floats(self.frame, name)
            handles += axes.plot(
                values,
                places,
                ls="",
                marker=MARKERS[number],
                ms=6,
                color=PALETTE[number],
                label=self.names[name],
                zorder=3,
            )
        ends = self.frame.select(pl.max_horizontal(*self.names)).to_series()
        for place, chance, end in zip(places, chances, ends, strict=True):
            artists.append(write_beside(axes, self.share_text(chance), end, place, 8))
        name_rows(axes, places, [self.words.name(row) for row in self.frame["row"]])
        axes.set_xlim(0, 1.1)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        self.percent_axis(axes.xaxis)
        legend_above(axes, 1 if is_narrow(axes) else 3, handles=handles, fontsize=9)
        return artists + handles[1:]

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        first = next(iter(self.names))
        said = [
            f"{self.words.name(row['row'])} {self.share_text(row[first])}" for row in self.frame.iter_rows(named=True)
        ]
        return self.words("alt.belief", across=self.across, rows=self.words.listed(said))
