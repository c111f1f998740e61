"""Small multiples along the ladder of skill: one panel for each question, all with the same levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.figures.base import NARROW, End, Figure, add_tips, draw_series, floats, is_narrow, label_ends
from reports.render.theme import BAND, GRID, PALETTE, PAR, QUIET

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

PANEL, GAP, FOOT = 1.95, 0.4, 0.35
"""Height in inches of a panel, of its title, and of the names of the levels."""

LETTER, LABEL = 0.078, 0.17
"""Width of a letter of a line's name, and height of such a name, in inches."""

ACROSS = 0.9
"""Part of the width that the names of the levels may take side by side."""

TITLE = 42
"""Number of letters of a title that fit above a panel on a phone."""


@dataclass(frozen=True, eq=False)
class Steps:
    """One question."""

    title: str  # what the panel shows, with its unit
    frame: pl.DataFrame  # `row`, `rung` (from 1), `value`, `low`, `high`
    named: Sequence[str]  # rows whose lines have their own colours and names; the others are grey
    centre: float | None = 0.0  # the value that means no effect, or a fair share; None if there is none
    percent: bool = False  # whether values are shares
    margin: float = 0.0  # half the width of the band around the centre that counts as fair


@dataclass(frozen=True, eq=False)
class Ladder(Figure):
    """Answers by level of skill, with one panel for each question and one line for each thing that was asked about."""

    rungs: Sequence[str]  # names of the levels, weakest players first
    panels: Sequence[Steps]  # the questions, one below the other

    def data(self) -> pl.DataFrame:
        """Return what is drawn: measure, row, skill, value, low, high."""
        skill = pl.col("rung").replace_strict(dict(enumerate(self.rungs, 1)), return_dtype=pl.String)
        return pl.concat(
            panel.frame.select(
                pl.lit(panel.title).alias("measure"), "row", skill.alias("skill"), "value", "low", "high"
            )
            for panel in self.panels
        )

    def height(self, width: float) -> float:
        """Return room for every panel."""
        return len(self.panels) * (PANEL + _gap(width)) + FOOT * (2 if self._slanted(width) else 1)

    def _slanted(self, width: float) -> bool:
        """Return whether the names of the levels are too long to stand side by side."""
        longest = max(len(self.words.name(rung)) for rung in self.rungs)
        return width < NARROW or longest * LETTER * len(self.rungs) > ACROSS * width

    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""
        axes.axis("off")
        narrow = is_narrow(axes)
        width = axes.get_figure(root=True).get_figwidth()  # type: ignore[union-attr]
        slanted = narrow or self._slanted(width)
        count = len(self.panels)
        gap = _gap(width) / (count * (PANEL + _gap(width)))
        size = 1 / count - gap
        artists: list[Any] = []
        room = max(len(self.words.name(row)) for panel in self.panels for row in panel.named) * LETTER + 0.35
        plain = max(width - (0.45 if narrow else 0.6) - room, 0.4 * width)
        end = len(self.rungs) + 0.1 + (len(self.rungs) - 0.7) * room / plain
        for number, panel in enumerate(self.panels):
            inset = axes.inset_axes((0.0, 1 - (number + 1) * (size + gap), 1.0, size))
            inset.set_xlim(0.8, end)
            artists += [inset, *self._panel(inset, panel)]
            names = [self.words.name(rung) if number == count - 1 else "" for rung in self.rungs]
            inset.set_xticks(
                range(1, len(self.rungs) + 1),
                names,
                rotation=35 if slanted else 0,
                ha="right" if slanted else "center",
                rotation_mode="anchor",
            )
        return artists

    def _panel(self, axes: Axes, panel: Steps) -> list[Artist]:
        artists: list[Any] = []
        reach = [axes.get_xlim()[0], len(self.rungs)]  # the names of lines stand beyond
        if panel.centre is not None:
            if panel.margin:
                low, high = panel.centre - panel.margin, panel.centre + panel.margin
                artists.append(axes.fill_between(reach, low, high, color=BAND, lw=0, zorder=0))
            artists += axes.plot(reach, [panel.centre] * 2, color=PAR, lw=1, ls="--", zorder=1)
        ends: list[End] = []
        for row, rows in self._lines(panel):
            rung, value, low, high = floats(rows, "rung", "value", "low", "high")
            if row not in panel.named:
                artists += axes.plot(rung, value, color=QUIET, lw=0.8, alpha=0.55, zorder=2)
                continue
            at = list(panel.named).index(row)
            artists.append(draw_series(axes, rung, (value, low, high), at, elinewidth=1.1, capsize=2.5))
            name = self.words.name(row)
            ends.append(End(float(rung[-1]), float(value[-1]), name, PALETTE[at % len(PALETTE)]))
            add_tips(axes, rung, value, [self._tip(panel, name, one) for one in rows.iter_rows(named=True)])
        title = "\n".join(wrap(panel.title, TITLE)) if is_narrow(axes) else panel.title
        axes.set_title(title, fontsize=9 if is_narrow(axes) else 10, pad=5).set_in_layout(False)
        axes.grid(axis="x", color=GRID)
        if panel.percent:
            self.percent_axis(axes.yaxis)
        else:
            axes.yaxis.set_major_locator(_ticks())
            axes.yaxis.set_major_formatter(lambda value, _: self._said(panel, value, 0))
        axes.tick_params(axis="x", length=0)
        bottom, top = axes.get_ylim()
        artists += label_ends(axes, ends, (top - bottom) * LABEL / PANEL, top)
        axes.set_ylim(bottom, top)
        return artists

    def _lines(self, panel: Steps) -> Iterator[tuple[str, pl.DataFrame]]:
        for (row,), rows in panel.frame.drop_nulls("value").group_by("row", maintain_order=True):
            yield str(row), rows.sort("rung")

    def _tip(self, panel: Steps, name: str, row: Mapping[str, Any]) -> str:
        form = ".1%" if panel.percent else ".2f"
        level = self.words.name(self.rungs[int(row["rung"]) - 1])
        value = self.words.number(row["value"], form) + self.interval_text(row["low"], row["high"], form)
        return self.words("tip.of", series=level, name=name, value=value)

    def _said(self, panel: Steps, value: float, digits: int) -> str:
        if panel.percent:
            return self.words.number(value, f".{digits}%")
        sign = "+" if panel.centre == 0 and abs(value) > 1e-9 else ""
        return self.words.number(value, f"{sign}.{digits}f" if digits else f"{sign}g")

    @property
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""
        parts = []
        for panel in self.panels:
            lines = dict(self._lines(panel))
            said = [self._ends(panel, row, lines[row]) for row in panel.named if row in lines]
            parts.append(self.words("alt.ladder_panel", title=panel.title, rows="; ".join(said)))
        return self.words(
            "alt.ladder", rungs=self.words.listed([*map(self.words.name, self.rungs)]), panels=" ".join(parts)
        )

    def _ends(self, panel: Steps, row: str, rows: pl.DataFrame) -> str:
        first, last = (self._said(panel, value, 1) for value in (rows["value"][0], rows["value"][-1]))
        return self.words("alt.ladder_row", row=self.words.name(row), first=first, last=last)


def _gap(width: float) -> float:
    return GAP if width >= NARROW else GAP + 0.13  # titles may take two lines


def _ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=6, steps=[1, 2, 5, 10])
