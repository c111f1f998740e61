"""Fief 2: maps of the kingdom, with what its villages are worth, how often they are held, and what happens there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.breakdowns import Breakdowns, breakdowns, rates
from analysis.data.results import Inputs
from analysis.games.fief_2.declarations import VILLAGES
from analysis.games.fief_2.happenings import life_of
from reports.figures.base import NARROW, Figure, is_narrow, label_places
from reports.page import ABSENT, Block, Picture, Section, basis
from reports.render.theme import PALETTE, PAR
from reports.sections.common import failed, failures, remarks
from reports.study.study import Study
from simcore.games.fief_2.tabletop import places

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


WORTH = (("worth", ".2f"), ("first", ".2f"))
LIFE = (("held", ".0%"), ("fights", ".2f"), ("paid", ",.0f"))
"""What the maps show for every village, and how it is written."""


@dataclass(frozen=True, eq=False)
class Kingdom(Figure):
    """Villages and roads, with some figures for each village."""

    frame: pl.DataFrame
    """`village`, `region`, `held` (between 0 and 1, for the size of the points) and what is shown; null where nothing
    is known."""
    roads: tuple[tuple[int, int], ...]  # pairs of numbers of villages
    shown: tuple[tuple[str, str], ...]  # columns whose values are written below the names, and their formats
    told: str  # key of the phrase that describes the map for people who cannot see it

    def data(self) -> pl.DataFrame:
        """Return what is drawn."""
        return self.frame

    def height(self, width: float) -> float:
        """Return a good height for a width, both in inches."""
        return (1.15 if width < NARROW else 0.8) * width

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        near = np.zeros((len(self.frame), len(self.frame)), bool)
        for start, end in self.roads:
            near[start, end] = near[end, start] = True
        at, small = places(near), is_narrow(axes)
        artists: list[Any] = [axes.plot(*at[list(road)].T, color=PAR, lw=0.8, zorder=1)[0] for road in self.roads]
        regions = self.frame["region"].unique(maintain_order=True).to_list()
        colours = {region: PALETTE[number % len(PALETTE)] for number, region in enumerate(regions)}
        sizes = (60 if small else 240) * (0.3 + self.frame["held"].to_numpy())
        x, y = at.T
        artists.append(axes.scatter(x, y, s=sizes, color=[colours[name] for name in self.frame["region"]], zorder=2))
        axes.set_axis_off()
        axes.margins(0.12, 0.08)
        artists += self._labels(axes, at, 5.5 if small else 8)
        marks = [
            axes.scatter([], [], s=25 if small else 50, color=colours[name], label=self.words.name(name))
            for name in regions
        ]
        axes.legend(
            handles=marks,
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=2 if small else 3,
            borderaxespad=0.1,
            **({"fontsize": 6.5, "columnspacing": 0.8, "handletextpad": 0.1} if small else {}),
        )
        return artists

    def _labels(self, axes: Axes, at: NDArray[Any], size: float) -> list[Any]:
        """Write names and figures where roads and other labels leave the most room; sizes are in points."""
        from matplotlib.patheffects import withStroke

        texts = [f"{self.words.name(row['village'])}\n{self._figures(row)}" for row in self.frame.iter_rows(named=True)]
        dots = 72 / axes.get_figure(root=True).dpi  # type: ignore[union-attr]
        points = axes.transData.transform(at) * dots
        boxes = np.array([(0.64 * size * max(map(len, text.split("\n"))), 2.5 * size) for text in texts])
        centres = label_places(points, self.roads, boxes, 0.9 * size)
        return [
            axes.annotate(
                text,
                place,
                shift,
                textcoords="offset points",
                ha="center",
                va="center",
                fontsize=size,
                path_effects=[withStroke(linewidth=2.5, foreground="white")],
            )
            for text, place, shift in zip(texts, at, centres - points, strict=True)
        ]

    def _figures(self, row: dict[str, Any]) -> str:
        return " / ".join(
            ABSENT if row[name] is None else self.words.number(row[name], form) for name, form in self.shown
        )

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        rows = self.frame.iter_rows(named=True)
        return (
            self.words(self.told)
            + " "
            + "; ".join(f"{self.words.name(row['village'])} {self._figures(row)}" for row in rows)
        )


def kingdom(study: Study) -> Section | None:
    """Return maps with figures: what villages are worth (if the map is the printed one), and what happens there."""
    words, title = study.words, study.words("section.kingdom")
    land = study.runs[0].described.rules.values.map  # type: ignore[attr-defined]
    villages = pl.DataFrame(
        [(village.name, region.name) for region in land.regions for village in region.villages],
        schema=["village", "region"],
        orient="row",
    )
    names = villages["village"].to_list()
    roads = tuple((names.index(start), names.index(end)) for start, end in land.roads)
    blocks, inputs = list[Block](), list[Inputs]()
    for name, ask, shown in (("kingdom", _worth, WORTH), ("kingdom-life", _life, LIFE)):
        result = study.ask(name.replace("-", ":"), partial(ask, study))
        if result is None:
            continue
        rates, frame = result
        figure = Kingdom(villages.join(frame, on="village", how="left"), roads, shown, f"{name}.alt", words=words)
        blocks.append(Picture(name, words(f"{name}.title"), figure, words(f"{name}.caption")))
        inputs += rates.inputs
    if not blocks:
        return failed(study, "kingdom", title) if failures(study, "kingdom") else None
    return Section("kingdom", title, (), tuple(blocks), remarks(study, "kingdom"), basis(words, *inputs))


def _worth(study: Study) -> tuple[Breakdowns, pl.DataFrame] | None:
    """Return the win shares of those who hold a village at the end, and who began there; only for the printed map."""
    if tuple(village.name for village in study.deep.values.map.villages()) != VILLAGES:
        return None
    result = breakdowns(study.deep, "map", study.thresholds.level)
    held, first = (
        result.of(name).select(pl.col("row").alias("village"), pl.col("value").alias(new), pl.col("times").alias(times))
        for name, new, times in (("held_villages", "worth", "times"), ("first_villages", "first", "began"))
    )
    games = first["began"].sum() / study.deep.players
    frame = held.join(first, on="village", how="full", coalesce=True)
    return result, frame.with_columns(held=(pl.col("times") / games).fill_null(0))


def _life(study: Study) -> tuple[Breakdowns, pl.DataFrame]:
    """Return how often a village is held, how many fights there are, and what it pays."""
    result = rates(study.eventful, [life_of(study.eventful.values)], "village_life", study.thresholds.level)
    frame = result.of("village_life").pivot("series", index="row", values="value")
    return result, frame.rename({"row": "village"})
