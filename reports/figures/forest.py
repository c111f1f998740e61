"""Forest plot: effects with their intervals, one line each, grey unless they are significant after correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import NARROW, Figure, add_tips, floats, is_narrow, legend_above, name_rows, wrapped
from reports.render.theme import MARKERS, ON_CELL, PALETTE, PAR, QUIET

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

LINE = 0.235
"""Height of a line in inches."""

STEP = 0.085
"""Distance between two series of a line in inches."""

LEGEND = 0.22
"""Height of a line of the legend in inches."""

SHORT = 12
"""Longest names, in letters, of which two fit side by side above a panel on a phone."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One measure."""

    title: str  # what the axis shows
    frame: pl.DataFrame
    """Rows with `row`, `series`, `value`, `low`, `high` and `stands`: whether it is significant after correction."""
    percent: bool = False  # whether the values are shares, shown as percentage points
    centre: float | None = 0.0  # the value that means no effect; None if there is none

    @property
    def sign(self) -> str:
        """How values are written: with a sign if they are effects."""
        return "+" if self.centre == 0 else ""


@dataclass(frozen=True, eq=False)
class Forest(Figure):
    """Effects side by side, with one panel for each measure."""

    rows: Sequence[str]  # keys of the lines from top to bottom
    panels: Sequence[Panel]  # measures, side by side; on a phone, one below the other
    names: Mapping[str, str]  # names of the series, in the order of colours

    def data(self) -> pl.DataFrame:
        """Return what is drawn: measure, row, series, value, low, high, stands."""
        columns = ("row", "series", "value", "low", "high", "stands")
        return pl.concat([panel.frame.select(pl.lit(panel.title).alias("measure"), *columns) for panel in self.panels])

    def _series(self, panel: Panel) -> list[str]:
        present = set(panel.frame["series"])
        return [name for name in self.names if name in present]

    def _columns(self, narrow: bool) -> int:
        """Return how many names of series are placed side by side."""
        if narrow and max(map(len, self.names.values())) > SHORT:
            return 1
        return 2 if narrow or len(self.panels) > 1 else 4

    def _labels(self, narrow: bool) -> list[str]:
        """Return the names of the lines, which leave room for their values on a phone."""
        return [wrapped(self.words.name(row), narrow) for row in self.rows]

    def height(self, width: float) -> float:
        """Return room for every line and series."""
        most = max(len(self._series(panel)) for panel in self.panels)
        legend = LEGEND * -(-most // self._columns(width < NARROW)) if len(self.names) > 1 else 0.0
        lines = 1 + max(label.count("\n") for label in self._labels(width < NARROW))
        one = len(self.rows) * max(LINE * lines, (most + 1) * STEP) + 0.75 + legend
        return one * len(self.panels) if width < NARROW else one

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        if len(self.panels) == 1:
            return self._panel(axes, self.panels[0], True)
        axes.axis("off")
        gap, count, artists = 0.06, len(self.panels), []
        for number, panel in enumerate(self.panels):
            if is_narrow(axes):
                size = (1 - 0.11 * (count - 1)) / count
                place = (0.0, 1 - size - number * (size + 0.11), 1.0, size)
            else:
                size = (1 - gap * (count - 1)) / count
                place = (number * (size + gap), 0.0, size, 1.0)
            inset = axes.inset_axes(place)
            artists += [inset, *self._panel(inset, panel, number == 0 or is_narrow(axes))]
        return artists

    def _panel(self, axes: Axes, panel: Panel, labelled: bool) -> list[Artist]:
        place = {row: len(self.rows) - 1 - number for number, row in enumerate(self.rows)}
        artists: list[Any] = []
        if panel.centre is not None:
            artists.append(axes.axvline(panel.centre, color=PAR, lw=1, ls="--", zorder=1))
        series = self._series(panel)
        handles: list[Any] = []
        for number, name in enumerate(series):
            colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
            own = panel.frame.filter((pl.col("series") == name) & pl.col("row").is_in(list(place)))
            shift = ((len(series) - 1) / 2 - number) * 0.74 / max(len(series), 1)
            for stands in (True, False):
                part = own.filter(pl.col("stands") == stands)
                if part.is_empty():
                    continue
                value, low, high = floats(part, "value", "low", "high")
                known = part.drop_nulls("value")
                add_tips(
                    axes,
                    known["value"],
                    [place[row] + shift for row in known["row"]],
                    [self._tip(panel, row) for row in known.iter_rows(named=True)],
                )
                artists.append(
                    axes.errorbar(
                        value,
                        [place[row] + shift for row in part["row"]],
                        xerr=[value - low, high - value],
                        ls="",
                        marker=marker,
                        ms=5 if len(series) < 3 else 4,
                        lw=1.4,
                        zorder=3 if stands else 2,
                        color=colour if stands else QUIET,
                        mfc=colour if stands else "none",
                    )
                )
            handles += axes.plot([], [], color=colour, marker=marker, ls="", label=self.names[name])
        labels = self._labels(is_narrow(axes)) if labelled else [""] * len(self.rows)
        name_rows(axes, [place[row] for row in self.rows], labels)
        axes.set_ylim(-0.7, len(self.rows) - 0.3)
        axes.set_xlabel(wrapped(panel.title, is_narrow(axes)))
        scale, sign = 100 if panel.percent else 1, panel.sign
        axes.xaxis.set_major_formatter(
            lambda value, _: self.words.number(scale * value, f"{sign}.3g" if abs(value) > 1e-9 else ".0f")
        )
        if len(series) > 1:
            more: dict[str, Any] = {"columnspacing": 1, "handletextpad": 0.2, "fontsize": 9}
            legend_above(axes, self._columns(is_narrow(axes)), handles=handles, **more)
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for panel in self.panels:
            known = panel.frame.filter(pl.col("value").is_not_null() & pl.col("row").is_in(list(self.rows)))
            stands = known.filter(pl.col("stands"))
            top = known.sort((pl.col("value") - (panel.centre or 0.0)).abs(), descending=True).head(3)
            said = self.words.listed([self._said(panel, row) for row in top.iter_rows(named=True)])
            key = "alt.values" if panel.centre is None else "alt.forest_from" if panel.centre else "alt.forest"
            told = {"count": len(known), "stands": len(stands), "top": said, "centre": panel.centre}
            parts.append(self.words(key, title=panel.title, **told))
        return " ".join(parts)

    def _tip(self, panel: Panel, row: Mapping[str, Any]) -> str:
        scale, form = (100, f"{panel.sign}.1f") if panel.percent else (1, f"{panel.sign}.2f")
        ends = self.interval_text(row["low"], row["high"], form, scale)
        return f"{self._said(panel, row)}{ends}"

    def _said(self, panel: Panel, row: Mapping[str, Any]) -> str:
        value, sign = row["value"], panel.sign
        shown = (
            self.words.number(100 * value, f"{sign}.1f") if panel.percent else self.words.number(value, f"{sign}.2f")
        )
        series = f" ({self.names[row['series']]})" if len(self.names) > 1 else ""
        return f"{self.words.name(row['row'])}{series} {shown}"


# --- A heat map: with colours that diverge from even, or with one hue for plain amounts ---


WORST, EVEN, BEST = (0.97, 0.72, 0.56), (0.96, 0.96, 0.95), (0.60, 0.80, 0.95)
"""Colours of cells at 0, even and 1: light enough for text on them to have a contrast of 4.5:1 or more."""

AMOUNT = (0.78, 0.73, 0.92)
"""Colour of the cell with the largest amount; that of 0 is the even one."""

ROOM = 90
"""Letters that fit above the columns of a wide figure."""


@dataclass(frozen=True, eq=False)
class Grid(Figure):
    """Values by row and column, each cell with its number and half width."""

    rows: Sequence[str]
    columns: Sequence[str]
    """rows, columns: Keys, in order."""
    frame: pl.DataFrame  # `row`, `column`, `value`, and `half`, the half width of its interval
    par: float | None
    """The value on which the colours are centred.  If None, the values are plain amounts, neither good nor bad: they
    have one hue, which grows from 0."""
    reach: float | None
    """Distance from par (or from 0) at which a colour is strongest; if None, that of the largest amount in the row, for
    rows with different units."""
    title: str  # name of the values, for the alternative text
    across: str  # what the columns are
    percent: bool = True  # whether values are shares
    digits: int = 1  # digits after the decimal point
    above: float | None = None  # distance above par at which a colour is strongest; if None, the same as `reach`

    def data(self) -> pl.DataFrame:
        """Return what is drawn: row, column, value, half."""
        return self.frame.select("row", "column", "value", "half")

    def height(self, width: float) -> float:
        """Return room for every row."""
        return 0.95 + 0.5 * len(self.rows)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        from matplotlib.patches import Rectangle

        across = {key: number for number, key in enumerate(self.columns)}
        down = {key: len(self.rows) - 1 - number for number, key in enumerate(self.rows)}
        artists: list[Any] = []
        small = is_narrow(axes) and len(self.columns) > 4
        for row in self.frame.iter_rows(named=True):
            if row["value"] is None or row["row"] not in down or row["column"] not in across:
                continue
            x, y = across[row["column"]], down[row["row"]]
            artists.append(
                axes.add_patch(
                    Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, fc=self._colour(row["value"], row["row"]), lw=0)
                )
            )
            value = self._said(row["value"])
            half = "" if row["half"] is None else f"± {self._said(row['half'], self._half)}"
            artists.append(
                axes.text(
                    x,
                    y + (0.14 if half else 0),
                    value,
                    ha="center",
                    va="center",
                    color=ON_CELL,
                    fontsize=9 if small else 10,
                )
            )
            name = f"{self.words.name(row['row'])} – {self.words.name(row['column'])}"
            add_tips(axes, [x], [y], [f"{name}: {value} {half}".rstrip()])
            if half:
                artists.append(
                    axes.text(x, y - 0.24, half, ha="center", va="center", color=ON_CELL, fontsize=7 if small else 8)
                )
        names = [self.words.name(key) for key in self.columns]
        longest = max(map(len, names), default=0)
        turned = len(names) > 3 or longest > 9 if is_narrow(axes) else longest * len(names) > ROOM
        axes.set_xticks(range(len(names)), names, rotation=35 if turned else 0, ha="left" if turned else "center")
        axes.set_yticks(list(down.values()), [self.words.name(key) for key in down])
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel(self.across)
        axes.tick_params(length=0)
        axes.set_xlim(-0.5, len(self.columns) - 0.5)
        axes.set_ylim(-0.5, len(self.rows) - 0.5)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        return artists

    @property
    def _half(self) -> str:
        """Format of half widths: never coarser than that of the values."""
        return ".1f" if self.percent else f".{max(self.digits, 1)}f"

    def _said(self, value: float, form: str = "") -> str:
        return self.words.number(
            100 * value if self.percent else value, form or (".0f" if self.percent else f".{self.digits}f")
        )

    def _colour(self, value: float, row: str) -> tuple[float, ...]:
        centre = self.par or 0.0
        high = value > centre
        reach = (self.above if high else None) or self.reach or self._most(row)
        far = min(abs(value - centre) / reach, 1.0)
        end = AMOUNT if self.par is None else BEST if high else WORST
        return tuple(even + far * (full - even) for even, full in zip(EVEN, end, strict=True))

    def _most(self, row: str) -> float:
        """Return the largest amount of a row."""
        return float(self.frame.filter(pl.col("row") == row)["value"].abs().max() or 1.0)  # type: ignore[arg-type]

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        shown = self.frame.filter(pl.col("value").is_not_null())
        cells = [
            f"{self.words.name(row['row'])} – {self.words.name(row['column'])} {self._said(row['value'])}"
            for row in shown.sort((pl.col("value") - (self.par or 0.0)).abs(), descending=True)
            .head(8)
            .iter_rows(named=True)
        ]
        return self.words("alt.grid", title=self.title, count=len(shown), cells=self.words.listed(cells))
