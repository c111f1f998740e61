"""What every figure is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import polars as pl

from reports.words import ENGLISH, Words

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

LETTERS = 27
"""Letters of an axis title that fit on a line on a phone, next to the names of rows."""

NARROW = 5.0
"""Width in inches below which a figure uses the layout for phones."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Figure(ABC):
    """A figure: its data, how it is drawn, and its text for people who cannot see it."""

    words: Words = ENGLISH  # language of the labels

    @abstractmethod
    def data(self) -> pl.DataFrame:
        """Return what is drawn."""

    @abstractmethod
    def draw(self, axes: Axes) -> list[Artist]:
        """Draw on some axes; return the artists."""

    @property
    @abstractmethod
    def alt_text(self) -> str:
        """Describe the figure for people who cannot see it."""

    def height(self, width: float) -> float:
        """Return a suitable height for a width, both in inches."""
        return 3.6 if width < NARROW else 3.8

    def percent_axis(self, axis: Axis) -> None:
        """Put ticks at round percentages on an axis of shares."""
        from matplotlib.ticker import MaxNLocator

        axis.set_major_locator(MaxNLocator(nbins=7, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(lambda value, _: self.share_text(value, int(abs(value - round(value, 2)) > 1e-6)))

    def interval_text(self, low: float | None, high: float | None, form: str, scale: float = 1.0) -> str:
        """Return an interval in brackets, after a space; nothing if it is not known."""
        if low is None or high is None:
            return ""
        ends = (self.words.number(scale * end, form) for end in (low, high))
        return f" ({self.words('interval', **dict(zip(('low', 'high'), ends, strict=True)))})"

    def share_text(self, value: float, digits: int = 0) -> str:
        """Return a share as text."""
        return self.words.number(value, f".{digits}%")


def is_narrow(axes: Axes) -> bool:
    """Return whether the axes are only as wide as a phone."""
    return bool(axes.get_figure(root=True).get_figwidth() < NARROW)  # type: ignore[union-attr]


def wrapped(title: str, narrow: bool) -> str:
    """Return the title of an axis, wrapped into lines that fit if it is on a phone."""
    return "\n".join(wrap(title, LETTERS)) if narrow else title


def floats(frame: pl.DataFrame, *names: str) -> list[Any]:
    """Return columns as arrays of floats; null becomes NaN, which is not drawn."""
    return [frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy() for name in names]
