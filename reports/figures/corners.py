"""How often things are chosen against what they do, with the four corners named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from reports.figures.base import NARROW, Figure, add_tips, floats, is_narrow, label_places
from reports.render.theme import INK, MARKERS, PALETTE, PAR, QUIET

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

CORNERS = {"sleeper": (0, 1), "must": (1, 1), "filler": (0, 0), "trap": (1, 0)}
"""Left or right, and bottom or top."""

NAMED, FEW = 30, 10
"""Largest number of points with a name: those farthest from the middle; on a phone."""

LETTER, LINE = 0.075, 0.15
"""Width of a letter and height of a line of a name, in inches."""


@dataclass(frozen=True, eq=False)
class Corners(Figure):
    """Points with names: how often each is chosen, and what it does; a tier has one colour."""

    frame: pl.DataFrame
    """Rows with `card`, `chosen` (a share), `does` (a share of the wins), `does_low`, `does_high`, `tier` and `corner`,
    of which `chosen` and `does` are known."""
    across: str  # what the horizontal axis shows
    up: str  # what the vertical axis shows

    def data(self) -> pl.DataFrame:
        """Return what is drawn."""
        return self.frame

    def height(self, width: float) -> float:
        """Return room for the names."""
        return 5.2 if width < NARROW else 5.4

    @property
    def middle(self) -> tuple[float, float]:
        """The medians, where the corners meet."""
        return tuple(float(self.frame[name].median() or 0) for name in ("chosen", "does"))  # type: ignore[return-value, arg-type]

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        chosen, does, low, high = floats(self.frame, "chosen", "does", "does_low", "does_high")
        tiers = [tier or 0 for tier in self.frame["tier"]]
        middle, names = self.middle, [self.words.name(card) for card in self.frame["card"]]
        for value, line in zip(middle, (axes.axvline, axes.axhline), strict=True):
            line(value, color=PAR, lw=1, ls="--", zorder=1)
        artists: list[Artist] = []
        for tier in sorted(set(tiers)):
            here = np.array([own == tier for own in tiers])
            colour = PALETTE[(tier - 1) % len(PALETTE)] if tier else QUIET
            marker = MARKERS[(tier - 1) % len(MARKERS)] if tier else "o"
            reach = [np.nan_to_num(does[here] - low[here]), np.nan_to_num(high[here] - does[here])]
            bars = axes.errorbar(
                chosen[here], does[here], yerr=reach, ls="", marker=marker, ms=5.5, lw=0.8, color=colour, zorder=3
            )
            artists.append(bars)  # type: ignore[arg-type]
        axes.margins(0.1, 0.14)
        self.percent_axis(axes.xaxis)
        axes.yaxis.set_major_formatter(lambda value, _: self.words.number(100 * value, "+.0f"))
        axes.grid(visible=False)
        axes.set_xlabel(self.across)
        axes.set_ylabel(self.up)
        for name, (right, top) in CORNERS.items():
            artists.append(
                axes.text(
                    0.99 if right else 0.01,
                    0.99 if top else 0.01,
                    self.words.name(name),
                    transform=axes.transAxes,
                    ha="right" if right else "left",
                    va="top" if top else "bottom",
                    color=QUIET,
                    style="italic",
                    fontsize=9,
                )
            )
        add_tips(axes, chosen, does, [self._tip(row) for row in self.frame.iter_rows(named=True)])
        return artists + self._names(axes, np.column_stack([chosen, does]), names)

    def _names(self, axes: Axes, points: np.ndarray, names: list[str]) -> list[Artist]:
        """Write the names of the points that are farthest from the middle, beside the points."""
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        span, figure = np.array([right - left, top - bottom]), axes.get_figure(root=True)
        narrow = is_narrow(axes)
        inches = np.array([figure.get_figwidth() - 0.9, self.height(figure.get_figwidth()) - 0.8])  # type: ignore[union-attr]
        far = np.argsort(-np.abs((points - self.middle) / span).max(axis=1), kind="stable")
        shown = far[: FEW if narrow else NAMED]
        scaled = (points - (left, bottom)) / span * inches
        sizes = np.array([(LETTER * len(names[at]), LINE) for at in shown])
        rest = [at for at in range(len(points)) if at not in shown]
        bars = (np.column_stack([points[:, 0], ends]) for ends in floats(self.frame, "does_low", "does_high"))
        low, high = ((np.where(np.isfinite(bar), bar, points) - (left, bottom)) / span * inches for bar in bars)
        every = np.vstack([scaled[shown], scaled[rest], low, high])
        lines = [(len(points) + at, 2 * len(points) + at) for at in range(len(points))]
        boxes = np.vstack([sizes, np.full((len(every) - len(shown), 2), 0.04)])
        places, half = label_places(every, lines, boxes, 0.07)[: len(shown)], sizes[:, 0] / 2
        for side, out in (
            (-1, places[:, 0] + half > inches[0]),
            (1, places[:, 0] < half),
        ):  # rather than over its point
            places[out] = scaled[shown][out] + np.column_stack([side * (0.07 + half), 0 * half])[out]
        places[:, 0] = np.clip(places[:, 0], half, inches[0] - half)
        names_of, free = [names[at] for at in shown], list[int]()
        for at in range(len(shown)):  # a name that would cover another one is left to the table
            if not any((np.abs(places[at] - places[one]) < (sizes[at] + sizes[one]) / 2).all() for one in free):
                free.append(at)
        return [
            axes.text(x, y, names_of[at], ha="center", va="center", fontsize=8, color=INK)
            for at, (x, y) in zip(free, places[free] / inches * span + (left, bottom), strict=True)
        ]

    def _tip(self, row: dict[str, object]) -> str:
        said = self.words("points", value=self.words.number(100 * float(row["does"]), "+.1f"))  # type: ignore[arg-type]
        ends = self.interval_text(row["does_low"], row["does_high"], "+.1f", 100)  # type: ignore[arg-type]
        return f"{self.words.name(str(row['card']))}: {said}{ends}, {self.share_text(float(row['chosen']))}"  # type: ignore[arg-type]

    @property
    def alt_text(self) -> str:
        """Say how many points there are, and name those that are surely in a corner."""
        parts = []
        for name in CORNERS:
            own = self.frame.filter(pl.col("corner") == name)["card"]
            if len(own):
                parts.append(f"{self.words.name(name)}: {self.words.listed([*map(self.words.name, own)])}")
        sure = "; ".join(parts) or self.words("corner.none")
        return self.words(
            "alt.corners", count=len(self.frame), tiers=self.frame["tier"].drop_nulls().n_unique(), sure=sure
        )
