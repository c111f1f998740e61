"""Seat advantage: win share by seat against par."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from analysis.seats.shares import Shares
from analysis.stats.margin import FAIR, Margin
from reports.figures.base import POINTS, Figure, add_tips, draw_series, floats, is_narrow
from reports.render.theme import BAND, PAR
from reports.words import ENGLISH, Words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

HALF = 0.4
"""Half the width of a seat's line of par."""

SAME = 1e-9
"""Pars that differ by no more than this count as equal."""

SPREAD = 0.12
"""Horizontal distance between the points of two runs at one seat."""


@dataclass(frozen=True, eq=False)
class SharesByRun(Figure):
    """Win shares of the seats of some runs with one number of players."""

    runs: Mapping[str, pl.DataFrame]
    """By label, in order: a row for each seat with `seat`, `share`, `share_low`, `share_high`, `par`, `games`."""
    margin: Margin = FAIR  # distance from par that counts as fair: half the width of the band

    def data(self) -> pl.DataFrame:
        """Return what is drawn: run, seat, share, low, high, par, games."""
        name = self.value
        ends = {"low": f"{name}_low", "high": f"{name}_high"}
        frames = [
            frame.select(pl.lit(label).alias("run"), "seat", share=name, **ends, par="par", games="games")
            for label, frame in self.runs.items()
        ]
        return pl.concat(frames)

    @property
    def value(self) -> str:
        """The column that is drawn: the share of the wins, or the payoff of a game that is played for one."""
        return "payoff" if "payoff" in next(iter(self.runs.values())).columns else "share"

    def said(self, value: float) -> str:
        """Return a share, or a payoff, as text."""
        return self.share_text(value, 1) if self.value == "share" else self.words.number(value, "+.3f")

    def half(self, par: float) -> float:
        """Return half the width of the fair band; 0 for a payoff, whose band depends on the stake."""
        return float(self.margin.at(par)) if self.value == "share" else 0.0

    def ground(self, axes: Axes, reach: float = 1.0) -> list[Any]:
        """Draw par, the fair band and the axis of shares; par reaches over this part of the width."""
        par = self.par
        axes.set_ylabel(self.words(f"axis.{self.value}"))
        if self.value == "share":
            self.percent_axis(axes.yaxis)
        if not self.shared:
            return []
        if not self.level:
            return [artist for seat, own in self.pars.items() for artist in self._par_of(axes, seat, own)]
        half = self.half(par)
        return [
            axes.axhspan(par - half, par + half, color=BAND, lw=0, zorder=0),
            axes.axhline(par, xmax=reach, color=PAR, lw=1, ls="--", zorder=1),
        ]

    @property
    def par(self) -> float:
        """The share that would be fair."""
        return float(next(iter(self.runs.values()))["par"][0])

    @property
    def pars(self) -> dict[int, float]:
        """The share that would be fair, by seat."""
        first = next(iter(self.runs.values()))
        return dict(zip(first["seat"], first["par"], strict=True))

    @property
    def shared(self) -> bool:
        """Whether every run has the same pars; a change of the rules, or games that nobody won, may move them."""
        first, *others = (run["par"].to_numpy() for run in self.runs.values())
        return all(len(one) == len(first) and abs(one - first).max() < SAME for one in others)

    @property
    def level(self) -> bool:
        """Whether all seats have the same par."""
        return max(self.pars.values()) - min(self.pars.values()) < SAME

    def _par_of(self, axes: Axes, seat: int, par: float) -> list[Any]:
        ends, half = (seat - HALF, seat + HALF), self.half(par)
        return [
            axes.fill_between(ends, par - half, par + half, color=BAND, lw=0, zorder=0),
            *axes.plot(ends, (par, par), color=PAR, lw=1, ls="--", zorder=1),
        ]

    def tip(self, run: str, name: str, row: Mapping[str, Any]) -> str:
        """Return what a mark says: run, seat, share and interval."""
        form = ".1%" if self.value == "share" else "+.3f"
        value = self.said(row["share"]) + self.interval_text(row["low"], row["high"], form)
        return self.words("tip.of", series=run, name=name, value=value)

    def told(self, phrase: str) -> str:
        """Return a phrase with the shares of every run."""
        series = "; ".join(
            f"{label}: "
            + self.words.listed(
                [
                    f"{self.words('seat.number', seat=row['seat'])} {self.said(row[self.value])}"
                    for row in frame.iter_rows(named=True)
                ]
            )
            for label, frame in self.runs.items()
        )
        return self.words(phrase if self.shared else "alt.seats_by_par", par=self.par, series=series)


@dataclass(frozen=True, eq=False)
class SeatAdvantage(SharesByRun):
    """Win share of every seat with its interval, with one series for each run."""

    @classmethod
    def of_shares(cls, runs: Mapping[str, Shares], margin: Margin = FAIR, words: Words = ENGLISH) -> SeatAdvantage:
        """Return the figure of shares that are computed from the totals of runs."""
        return cls({label: _table(shares) for label, shares in runs.items()}, margin, words=words)

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        frame, par = self.data(), self.par
        seats = frame["seat"].unique().sort().to_list()
        artists = self.ground(axes)
        for number, label in enumerate(self.runs):
            run = frame.filter(pl.col("run") == label)
            offset = (number - (len(self.runs) - 1) / 2) * SPREAD
            seat, share, low, high = floats(run, "seat", "share", "low", "high")
            artists.append(draw_series(axes, seat + offset, (share, low, high), number, label=label, **POINTS))
            tips = [
                self.tip(label, self.words("seat.number", seat=row["seat"]), row) for row in run.iter_rows(named=True)
            ]
            add_tips(axes, seat + offset, share, tips)
            for place, value in zip(seat, share, strict=True) if len(self.runs) == 1 else ():
                side = 1 if value >= self.pars[int(place)] else -1  # away from the line of par
                at: dict[str, Any] = {"textcoords": "offset points", "va": "bottom" if side > 0 else "top"}
                axes.annotate(self.said(value), (place, value), (8, 2 * side), fontsize=9, **at)
        named = len(seats) <= 4 or not is_narrow(axes)
        axes.set_xticks(seats, [self._tick(seat, named) for seat in seats])
        axes.set_xlim(seats[0] - 0.5, seats[-1] + 0.5)
        if not self.shared:
            told = self.words("par.by_run")
        elif self.value == "payoff":
            told = self.words("par.payoff", par=par)
        elif self.level:
            told = self.words("par.band", par=par, margin=self.half(par))
        else:
            told = self.words(f"par.bands{self.margin.unit}", margin=self.margin.size)
        axes.annotate(told, (0, 1.01), xycoords="axes fraction", ha="left", va="bottom", color=PAR, fontsize=9)
        if len(self.runs) > 1:
            axes.legend(title=self.words("legend.players"), loc="best")
        return artists

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        if self.value == "payoff":
            return self.told("alt.seats_payoff")
        return self.told("alt.seats" if self.level else "alt.seats_by_par")

    @property
    def _roles(self) -> dict[int, str]:
        """The role of each seat; empty in a game without roles."""
        first = next(iter(self.runs.values()))
        return dict(zip(first["seat"], first["role"], strict=True)) if "role" in first.columns else {}

    def _tick(self, seat: int, named: bool) -> str:
        """Return the name of a seat on the axis, below its role if there are roles."""
        text = self.words("seat.number", seat=seat) if named else str(seat)
        roles = self._roles
        return f"{self.words.name(roles[seat])}\n{text}" if roles else text


def _table(shares: Shares) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "seat": seat,
                "share": estimate.share,
                "share_low": estimate.low,
                "share_high": estimate.high,
                "par": estimate.par,
                "games": shares.games,
            }
            for seat, estimate in enumerate(shares.estimates, 1)
        ]
    )
