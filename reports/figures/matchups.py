"""A heat map: with colours that diverge from even, or with one hue for plain amounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, is_narrow
from reports.figures.tips import add_tips
from reports.render.theme import ON_CELL

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

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
