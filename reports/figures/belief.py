"""How likely each level is, for several prior probabilities of "none of these"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import Figure, floats, is_narrow, wrapped
from reports.render.theme import GRID, INK, MARKERS, PALETTE

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


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
            artists.append(
                axes.annotate(
                    self.share_text(chance),
                    (end, place),
                    xytext=(8, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=9,
                    color=INK,
                )
            )
        axes.set_yticks(places, [self.words.name(row) for row in self.frame["row"]])
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, 1.1)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        self.percent_axis(axes.xaxis)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", color=GRID)
        axes.spines["left"].set_visible(False)
        axes.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=1 if is_narrow(axes) else 3,
            borderaxespad=0.1,
            fontsize=9,
        )
        return artists + handles[1:]

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        first = next(iter(self.names))
        said = [
            f"{self.words.name(row['row'])} {self.share_text(row[first])}" for row in self.frame.iter_rows(named=True)
        ]
        return self.words("alt.belief", across=self.across, rows=self.words.listed(said))
