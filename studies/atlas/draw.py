"""Draw the figure of the atlas: what going first is worth in each game, at random and by the best players at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

from reports.render.theme import INK, MARKERS, PALETTE, PAR, QUIET, theme
from studies.atlas.cells import TWENTY
from studies.atlas.play import told

FIGURE = Path(__file__).resolve().parents[2] / "docs/findings/atlas.svg"
LOOKS = ((QUIET, MARKERS[1], "all move at random"), (PALETTE[0], MARKERS[0], "the best players at hand"))
TITLE = "What is it worth to go first?"


def draw(found: Mapping[str, Sequence[Mapping[str, Any]]], path: Path = FIGURE) -> None:
    """Draw the games of which anything was played, the most favourable for the first seat on top."""
    mpl.use("svg")
    import matplotlib.pyplot as plt

    rows = []
    for published in TWENTY:
        cells = [told(found.get(cell.key, ())) for cell in published.cells()]
        if any(cells):
            rows.append((published, next(one.par for one in cells if one), cells))
    rows.sort(key=lambda row: next(one.shares[0].value for one in reversed(row[2]) if one) / row[1])
    with theme():
        canvas, axes = plt.subplots(figsize=(9, 0.36 * len(rows) + 1.6))
        for at, (_, fair, cells) in enumerate(rows):
            ends = [one.shares[0].value / fair for one in cells if one]
            axes.plot([min(ends), max(ends)], [at, at], color=QUIET, linewidth=0.8, alpha=0.6, zorder=1)
            for (colour, marker, _), one, up in zip(LOOKS, cells, (-0.13, 0.13), strict=False):
                if one is not None:
                    seat = one.shares[0]
                    axes.plot([seat.low / fair, seat.high / fair], [at + up] * 2, color=colour, linewidth=1.8, zorder=2)
                    axes.plot(seat.value / fair, at + up, marker, color=colour, markersize=6, zorder=3)
        for colour, marker, name in LOOKS:
            axes.plot([], [], marker, color=colour, label=name)
        axes.axvline(1, color=PAR, linewidth=1, linestyle="--", zorder=0)
        axes.set_yticks(range(len(rows)), [f"{row[0].title}  ({row[0].players})" for row in rows])
        axes.set_ylim(-0.7, len(rows) - 0.3)
        axes.set_xlim(left=0)
        axes.grid(axis="x")
        axes.grid(axis="y", visible=False)
        axes.set_xlabel("wins of the first seat, as a multiple of its fair share (95 % range); players in brackets")
        axes.text(1, len(rows) - 0.45, "fair", ha="center", va="bottom", color=INK, fontsize=9)
        axes.set_title(TITLE, pad=18)
        axes.legend(loc="center right", frameon=False)
        canvas.savefig(path, metadata={"Date": None})
        plt.close(canvas)
