"""Looks of every figure: a colour-blind-safe palette, quiet axes, text that stays text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8A6D00", "#56B4E9")
"""Okabe and Ito (2008), the yellow darkened to 4.5:1 on white."""

MARKERS = ("o", "s", "^", "D", "v", "P")
"""A shape for every colour, so that no figure speaks by colour alone."""

PAR = "#555555"
BAND = "#E3E3E3"

STYLE: dict[str, Any] = {
    "axes.edgecolor": "#666666",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.color": "#EBEBEB",
    "legend.frameon": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "equipoise",
}


@contextmanager
def theme() -> Iterator[None]:
    """Draw in the style of the toolkit."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        yield
