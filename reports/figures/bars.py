"""Bars: how much comes from each source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, is_narrow, wrapped
from reports.figures.tips import add_tips
from reports.render.theme import GRID, INK, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

HATCHES = ("", "///", "...", "xx", "\\\\\\", "++")
"""A pattern for every colour, so that no figure relies on colour alone."""


@dataclass(frozen=True, eq=False)
class Bars(Figure):
    """One bar for each row, coloured by group, with its value at its end."""

    frame: pl.DataFrame  # `row`, `group`, `value`
    names: Mapping[str, str]  # names of the groups, in the order of colours
    across: str  # what the values are

    def data(self) -> pl.DataFrame:
        """Return what is drawn: row, group, value."""
        return self.frame.select("row", "group", "value")

    def height(self, width: float) -> float:
        """Return room for every row."""
        return 0.9 + 0.25 * len(self.frame) + 0.2 * len(self.names) / (3 if width > 5 else 2)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        artists: list[Any] = [axes.axvline(0, color=PAR, lw=1, zorder=4)]
        count = len(self.frame)
        handles = []
        for number, (key, name) in enumerate(self.names.items()):
            at = [place for place, group in enumerate(self.frame["group"]) if group == key]
            bars = axes.barh(
                [count - 1 - place for place in at],
                [self.frame["value"][place] for place in at],
                0.72,
                color=PALETTE[number % len(PALETTE)],
                hatch=HATCHES[number % len(HATCHES)],
                edgecolor="white",
                lw=0,
                label=name,
                zorder=3,
            )
            artists += list(bars)
            handles.append(bars)
        for place, value in enumerate(self.frame["value"]):
            side = 1 if value >= 0 else -1
            artists.append(
                axes.annotate(
                    self.words.number(value, "+.1f"),
                    (value, count - 1 - place),
                    xytext=(4 * side, 0),
                    textcoords="offset points",
                    ha="left" if side > 0 else "right",
                    va="center",
                    fontsize=9,
                    color=INK,
                )
            )
        said = [
            f"{self.words.name(row)} {self.words.number(value, '+.2f')}"
            for row, value in self.frame.select("row", "value").rows()
        ]
        add_tips(axes, self.frame["value"], [count - 1 - place for place in range(count)], said)
        axes.set_yticks(range(count), [self.words.name(row) for row in reversed(self.frame["row"].to_list())])
        axes.tick_params(axis="y", length=0)
        axes.margins(x=0.12)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", color=GRID)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.xaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if len(self.names) > 1:
            axes.legend(
                handles=handles,
                loc="lower left",
                bbox_to_anchor=(0, 1),
                ncols=2 if is_narrow(axes) else 5,
                borderaxespad=0.1,
                columnspacing=1,
                fontsize=9,
            )
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        top = self.frame.sort(pl.col("value").abs(), descending=True).head(6)
        said = [
            f"{self.words.name(row['row'])} {self.words.number(row['value'], '+.1f')}"
            for row in top.iter_rows(named=True)
        ]
        return self.words("alt.bars", across=self.across, count=len(self.frame), top=self.words.listed(said))
