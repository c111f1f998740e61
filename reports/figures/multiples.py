"""Seats at all numbers of players: one panel each, all as multiples of par on one scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.stats.margin import FAIR, Margin
from reports.figures.base import Figure, floats, is_narrow
from reports.figures.tips import add_tips
from reports.render.theme import BAND, INK, MARKERS, PALETTE, PAR

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

LEAST, MOST = 0.8, 1.2
"""Smallest range of the scale, so that differences of a few percent look small."""

GAP, TITLE = 0.35, 0.95
"""Distance between panels, in seats, and height of a panel's title with its margins, in inches."""


@dataclass(frozen=True, eq=False)
class SeatMultiples(Figure):
    """Wins of every seat as multiples of its par, with one panel for each number of players."""

    runs: Mapping[int, pl.DataFrame]
    """By number of players: a row for each seat with `seat`, `share`, `par`, `par_normalised`, `par_normalised_low`,
    `par_normalised_high`, `games`; where seats have roles, `role`."""
    margin: Margin = FAIR  # distance from par that counts as fair: half the width of the band

    def data(self) -> pl.DataFrame:
        """Return what is drawn: players, seat, value, low, high, with the share, par and games."""
        ends = {"value": "par_normalised", "low": "par_normalised_low", "high": "par_normalised_high"}
        return pl.concat(
            [
                frame.select(pl.lit(players).alias("players"), "seat", **ends, share="share", par="par", games="games")
                for players, frame in self.runs.items()
            ]
        )

    def height(self, width: float) -> float:
        """Return a height with which the chart fits on the first screen."""
        return 3.0 if width > 7 else 2.9

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        axes.axis("off")
        counts = [len(frame) for frame in self.runs.values()]
        whole = sum(counts) + GAP * (len(counts) - 1)
        low, high = self._reach()
        artists: list[Any] = []
        start = 0.0
        for number, (players, frame) in enumerate(self.runs.items()):
            inset = axes.inset_axes((start / whole, 0.0, len(frame) / whole, 1.0))
            inset.set_gid(f"of-players-{players}")
            inset.set_ylim(low, high)
            artists += [inset, *self._panel(inset, players, frame)]
            if number:
                inset.tick_params(axis="y", labelleft=False, length=0)
                inset.spines["left"].set_visible(False)
            else:
                inset.set_ylabel(self.words("col.par_normalised"))
            start += len(frame) + GAP
        return artists

    def _reach(self) -> tuple[float, float]:
        """Return the ends of the scale, which includes every interval."""
        data = self.data()
        low = min(LEAST, *data["low"].fill_null(pl.lit(1.0)), *data["value"])
        high = max(MOST, *data["high"].fill_null(pl.lit(1.0)), *data["value"])
        room = 0.04 * (high - low)
        return low - room, high + room

    def _panel(self, axes: Axes, players: int, frame: pl.DataFrame) -> Iterator[Artist]:
        seat, value, low, high, par = floats(
            frame, "seat", "par_normalised", "par_normalised_low", "par_normalised_high", "par"
        )
        half = self.margin.at(par) / par
        for place, room in zip(seat, half, strict=True):
            yield axes.fill_between((place - 0.5, place + 0.5), 1 - room, 1 + room, color=BAND, lw=0, zorder=0)
        yield axes.axhline(1, color=PAR, lw=1, ls="--", zorder=1)
        roles = frame["role"].to_list() if "role" in frame.columns else [""] * len(frame)
        for number, role in enumerate(dict.fromkeys(roles)):
            own = [at for at, one in enumerate(roles) if one == role]
            yield axes.errorbar(
                seat[own],
                value[own],
                yerr=[value[own] - low[own], high[own] - value[own]],
                ls="",
                ms=6,
                lw=1.5,
                color=PALETTE[number % len(PALETTE)],
                marker=MARKERS[number % len(MARKERS)],
                capsize=3,
                zorder=3,
            )  # type: ignore[misc]
        tips = [self._said(players, row) for row in frame.iter_rows(named=True)]
        add_tips(axes, seat, value, tips)
        axes.set_xlim(0.5, len(frame) + 0.5)
        initials = [f"\n{self.words.name(role)[:1]}" if role else "" for role in roles]
        axes.set_xticks(seat, [f"{int(place)}{under}" for place, under in zip(seat, initials, strict=True)])
        axes.tick_params(axis="x", length=0)
        axes.set_xlabel(self.words.name("seat"))
        title = self.words("players.number", players=players) if self._titled(axes) else str(players)
        axes.set_title(title, fontsize=10, fontweight="bold", color=INK)
        axes.yaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))

    def _titled(self, axes: Axes) -> bool:
        """Return whether the narrowest panel is wide enough for the words that name a number of players."""
        counts = [len(frame) for frame in self.runs.values()]
        width = axes.get_figure(root=True).get_figwidth()  # type: ignore[union-attr]
        wide = width * min(counts) / (sum(counts) + GAP * (len(counts) - 1)) > TITLE
        return len(counts) == 1 or (wide and not is_narrow(axes))

    def _said(self, players: int, row: Mapping[str, Any]) -> str:
        values = {"value": row["par_normalised"], "share": row["share"]}
        ends = self.interval_text(row["par_normalised_low"], row["par_normalised_high"], ".2f")
        return self.words("tip.seat", players=players, seat=row["seat"], ends=ends, **values)

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for players, frame in self.runs.items():
            said = [
                f"{self.words('seat.number', seat=row['seat'])} {self.words.number(row['par_normalised'], '.2f')}"
                for row in frame.iter_rows(named=True)
            ]
            parts.append(self.words("of_players", players=players, text=self.words.listed(said)))
        return self.words("alt.multiples", parts="; ".join(parts))
