"""The look of every figure: a palette that is safe for colour-blind readers, plain axes, and text that stays text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simcore.child_processes import overlooked

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#BF6496", "#8A6D00", "#3392CC")
"""The palette of Okabe and Ito (2008), with the last three colours darkened to a contrast of 3:1 or more on white."""

MARKERS = ("o", "s", "^", "D", "v", "P")
"""A shape for every colour, so that no figure relies on colour alone."""

DASHES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 2, 1, 2)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
"""A line style for every colour."""

INK = "#222222"
PAR = "#555555"
BAND = "#E3E3E3"
GRID = "#EBEBEB"
EDGE = "#666666"
QUIET = "#7A7A7A"
"""The colour of what is not significant."""

ON_CELL = "#111111"
"""Text on the cells of a heat map, which are light in every scheme."""

DARK = {
    INK: "#E4E7EC",
    PAR: "#B4BBC6",
    BAND: "#2E3540",
    GRID: "#2A303A",
    EDGE: "#8C95A3",
    QUIET: "#9AA2AE",
    PALETTE[0]: "#5AB4EA",
    PALETTE[1]: "#FF8A3D",
    PALETTE[2]: "#2FCC9B",
    PALETTE[3]: "#E79BC5",
    PALETTE[4]: "#D9B83A",
    PALETTE[5]: "#9AD5F7",
}
"""The colour that replaces each colour on a dark page."""

STYLE: dict[str, Any] = {
    "axes.axisbelow": True, "axes.edgecolor": EDGE, "axes.grid": True, "axes.grid.axis": "y", "axes.labelcolor": INK,
    "axes.spines.right": False, "axes.spines.top": False, "axes.titlelocation": "left", "axes.titlesize": 12,
    "axes.titleweight": "bold", "axes.titlecolor": INK, "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans", "font.size": 10, "grid.color": GRID, "legend.frameon": False,
    "legend.labelcolor": INK, "svg.fonttype": "path", "svg.hashsalt": "equipoise", "text.color": INK,
    "text.parse_math": False, "xtick.color": EDGE, "xtick.labelcolor": INK, "ytick.color": EDGE,
    "ytick.labelcolor": INK,
}  # fmt: skip


@contextmanager
def theme(**changes: Any) -> Iterator[None]:
    """Draw in the style of the toolkit."""
    with overlooked("matplotlibrc"):
        import matplotlib as mpl

    style: Any = STYLE | changes
    with mpl.rc_context():
        mpl.rcdefaults()  # the style of a notebook does not show, nor do the settings of a user
        mpl.rcParams.update(style)
        yield
