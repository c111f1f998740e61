"""Bars: how much comes from each source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.stats.margin import FAIR, Margin
from reports.figures.base import (
    POINTS,
    Figure,
    add_tips,
    draw_series,
    floats,
    is_narrow,
    legend_above,
    name_rows,
    wrapped,
    write_beside,
)
from reports.render.theme import BAND, INK, PALETTE, PAR

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
        return 0.9 + 0.22 * len(self.frame) + 0.2 * len(self.names) / (3 if width > 5 else 2)

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
            artists.append(write_beside(axes, self.words.number(value, "+.1f"), value, count - 1 - place, 4 * side))
        said = [
            f"{self.words.name(row)} {self.words.number(value, '+.2f')}"
            for row, value in self.frame.select("row", "value").rows()
        ]
        add_tips(axes, self.frame["value"], [count - 1 - place for place in range(count)], said)
        name_rows(axes, range(count), [self.words.name(row) for row in reversed(self.frame["row"].to_list())])
        axes.margins(x=0.12)
        axes.set_xlabel(wrapped(self.across, is_narrow(axes)))
        axes.xaxis.set_major_formatter(lambda value, _: self.words.number(value, "g"))
        if len(self.names) > 1:
            legend_above(axes, 2 if is_narrow(axes) else 5, handles=handles, columnspacing=1, fontsize=9)
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


# --- Counts: how many games end with each of a few numbers, as bars side by side for each seat ---


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
            legend_above(axes, 2 if is_narrow(axes) else 4)
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


# --- Seats at all numbers of players: one panel each, all as multiples of par on one scale ---


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
            yield draw_series(axes, seat[own], (value[own], low[own], high[own]), number, **POINTS)  # type: ignore[misc]
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
