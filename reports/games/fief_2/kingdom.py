"""Fief 2: the map of the kingdom, with what its villages are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.breakdowns import breakdowns
from analysis.games.fief_2.declarations import VILLAGES
from reports.figures.base import Figure, is_narrow
from reports.page import Picture, Section, basis
from reports.sections.common import assumed, failed, failures
from reports.study import Study
from reports.theme import PALETTE, PAR
from simcore.games.fief_2.rules import distances

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


def places(near: NDArray[Any]) -> NDArray[Any]:
    """Return places in the plane whose distances are like those by road (classical scaling), shape (villages, 2)."""
    square = distances(near).astype(float) ** 2
    centre = np.eye(len(near)) - 1 / len(near)
    values, vectors = np.linalg.eigh(-centre @ square @ centre / 2)
    found = vectors[:, -2:] * np.sqrt(values[-2:])
    return np.asarray(found * np.where(found[np.abs(found).argmax(axis=0), [0, 1]] < 0, -1, 1))


@dataclass(frozen=True, eq=False)
class Kingdom(Figure):
    """Villages and roads, with two figures a village.

    Parameters
    ----------
    frame
        `village`, `region`, `held` (share of the games at whose end somebody holds it), `worth` (win share of who holds
        it then, 1 is fair) and `first` (win share of who began there, null where nobody did).
    roads
        Pairs of numbers of villages.
    """

    frame: pl.DataFrame
    roads: tuple[tuple[int, int], ...]

    def data(self) -> pl.DataFrame:
        """Return what is drawn."""
        return self.frame

    def height(self, width: float) -> float:
        """Return a good height for a width, both in inches."""
        return 0.8 * width

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        near = np.zeros((len(self.frame), len(self.frame)), bool)
        for start, end in self.roads:
            near[start, end] = near[end, start] = True
        at, small = places(near), is_narrow(axes)
        artists: list[Any] = [axes.plot(*at[list(road)].T, color=PAR, lw=1, zorder=1)[0] for road in self.roads]
        regions = self.frame["region"].unique(maintain_order=True).to_list()
        for number, region in enumerate(regions):
            rows = self.frame["region"] == region
            sizes = (30 if small else 60) * (0.3 + self.frame.filter(rows)["held"].to_numpy())
            colour = PALETTE[number % len(PALETTE)]
            name = self.words.name(region)
            x, y = at[rows.to_numpy()].T
            artists.append(axes.scatter(x, y, s=sizes * 4, color=colour, label=name, zorder=2))
        for place, row in zip(at, self.frame.iter_rows(named=True), strict=True):
            text = f"{self.words.name(row['village'])}\n{self._figures(row)}"
            artists.append(
                axes.annotate(text, place, (0, 9), textcoords="offset points", ha="center", fontsize=6 if small else 8)
            )
        axes.set_axis_off()
        axes.margins(0.1)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2 if small else 3, borderaxespad=0.1)
        return artists

    def _figures(self, row: dict[str, Any]) -> str:
        shown = [row["worth"], row["first"]]
        return " / ".join("-" if value is None else self.words.number(value, ".2f") for value in shown)

    @property
    def alt_text(self) -> str:
        """Describe the figure for somebody who cannot see it."""
        rows = self.frame.iter_rows(named=True)
        return (
            self.words("kingdom.alt")
            + " "
            + "; ".join(f"{self.words.name(row['village'])} {self._figures(row)}" for row in rows)
        )


def kingdom(study: Study) -> Section | None:
    """Return the map with the figures on it, if the rules have the printed one."""
    words, title = study.words, study.words("section.kingdom")
    land = study.runs[0].described.rules.values.map  # type: ignore[attr-defined]
    villages = [(region.name, village.name) for region in land.regions for village in region.villages]
    if tuple(name for _, name in villages) != VILLAGES:
        return None
    result = study.ask("kingdom", lambda: breakdowns(study.deep, "map", study.thresholds.level))
    if result is None:
        return failed(study, "kingdom", title)
    held, first = (dict(_by_row(result.of(name))) for name in ("held_villages", "first_villages"))
    games = sum(times for _, times in first.values()) / study.deep.players
    never = None, 0
    frame = pl.DataFrame(
        [
            {
                "village": name,
                "region": region,
                "held": held.get(name, never)[1] / games,
                "worth": held.get(name, never)[0],
                "first": first.get(name, never)[0],
            }
            for region, name in villages
        ],
        schema_overrides={"worth": pl.Float64, "first": pl.Float64},
    )
    roads = tuple((VILLAGES.index(start), VILLAGES.index(end)) for start, end in land.roads)
    picture = Picture("kingdom", title, Kingdom(frame, roads, words=words), words("kingdom.caption"))
    remarks = (*assumed(study), *failures(study, "kingdom"))
    return Section("kingdom", title, (), (picture,), remarks, basis(words, *result.inputs))


def _by_row(frame: pl.DataFrame) -> Any:
    """Yield the value of every row that was counted, and how often it was."""
    for row in frame.iter_rows(named=True):
        yield row["row"], (row["value"], row["times"])
