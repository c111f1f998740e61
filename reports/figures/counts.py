"""Counts: how many games end with each of a few numbers, as bars side by side for each seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.bars import HATCHES
from reports.figures.base import Figure, floats, is_narrow, wrapped
from reports.figures.tips import add_tips
from reports.render.theme import PALETTE

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

FEW = 12
"""Largest count of numbers for which each one gets a bar."""

WIDTH = 0.84
"""Total width of the bars of a number, as a fraction of the distance between numbers."""


@dataclass(frozen=True, eq=False)
class Counts(Figure):
    """Share of the games that end with each number, with one bar for each series."""

    frame: pl.DataFrame  # `series`, `x`, `share` (cumulative, as for `Ecdf`), `games`
    names: Mapping[str, str]  # names of the series
    across: str  # what is counted

    def data(self) -> pl.DataFrame:
        """Return what is drawn: series, x, part (of the games), games."""
        part = pl.col("games") / pl.col("games").sum().over("series")
        return self.frame.select("series", "x", part.alias("part"), "games").filter(
            pl.col("x").is_between(*_ends(self.frame))
        )

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        artists: list[Any] = []
        data, wide = self.data(), WIDTH / len(self.names)
        for number, (key, name) in enumerate(self.names.items()):
            x, part = floats(data.filter(pl.col("series") == key), "x", "part")
            places = x + (number - (len(self.names) - 1) / 2) * wide
            artists += axes.bar(
                places,
                part,
                wide,
                color=PALETTE[number % len(PALETTE)],
                hatch=HATCHES[number % len(HATCHES)],
                edgecolor="white",
                lw=0,
                label=name,
                zorder=3,
            )
            add_tips(axes, places, part, [self._tip(name, at, one) for at, one in zip(x, part, strict=True)])
        low, high = _ends(self.frame)
        axes.set_xlim(low - 0.5, high + 0.5)
        axes.set_xticks(range(low, high + 1))
        axes.tick_params(axis="x", length=0)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.set_ylabel(self.words("axis.games"))
        axes.yaxis.set_major_formatter(lambda value, _: self.words.number(value, ".0%"))
        if len(self.names) > 1:
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2 if is_narrow(axes) else 4, borderaxespad=0.1)
        return artists

    def _tip(self, name: str, x: float, part: float) -> str:
        at = f"{self.across} {self.words.number(x, 'g')}"
        return self.words("tip.of", series=at, name=name, value=self.words.number(part, ".1%"))

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        data, parts = self.data(), []
        for key, name in self.names.items():
            rows = data.filter(pl.col("series") == key)
            said = [
                f"{self.words.number(at, 'g')}: {self.words.number(part, '.0%')}"
                for at, part in rows.select("x", "part").rows()
            ]
            parts.append(f"{name} {self.words.listed(said)}")
        return self.words("alt.counts", across=self.across, parts="; ".join(parts))


def _ends(frame: pl.DataFrame) -> tuple[int, int]:
    """Return the smallest and the largest number that any game ended with."""
    played = frame.filter(pl.col("games") > 0)["x"]
    return int(played.min()), int(played.max())  # type: ignore[arg-type]


def few(frame: pl.DataFrame) -> bool:
    """Return whether there are few enough numbers for each one to get a bar."""
    low, high = _ends(frame)
    return high - low < FEW
