"""A report as one picture to share: its headline and its first chart, in the size that messengers and websites show."""

from __future__ import annotations

import io
from textwrap import wrap

from reports.page import Report
from reports.render.theme import INK, PALETTE, QUIET, theme

PIXELS = (1200, 630)
DOTS = 150
"""Dots per inch; they decide how large letters are."""

LETTERS, LINES = 62, 4
"""Longest line of the headline, and the largest number of lines; what is longer ends in three dots."""

TOP = 0.97
ROW = 0.078
"""Height of a line of the headline, as a part of the picture."""


def to_share(report: Report) -> bytes:
    """Return a report as PNG, 1200 x 630 pixels; without a chart, the headline stands alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    buffer = io.BytesIO()
    with theme():
        canvas = Canvas(figsize=(PIXELS[0] / DOTS, PIXELS[1] / DOTS), dpi=DOTS, layout="constrained")
        FigureCanvasAgg(canvas)
        lines = _headline(report)
        canvas.text(0.03, TOP, report.title, size=8, color=QUIET, va="top")
        for number, line in enumerate(lines, 1):
            canvas.text(
                0.03, TOP - ROW * number + 0.012, line, size=14, color=INK, weight="bold", family="serif", va="top"
            )
        canvas.text(0.97, 0.02, "Equipoise", size=7, color=PALETTE[0], ha="right", va="bottom", weight="bold")
        if report.pictures:
            chart = canvas.add_subfigure(canvas.add_gridspec(1, 1)[0])
            chart.set_facecolor("none")
            report.pictures[0].figure.draw(chart.add_subplot())
            engine = canvas.get_layout_engine()
            if engine is not None:
                below = TOP - ROW * (len(lines) + 1)
                engine.set(rect=(0.02, 0.06, 0.96, below - 0.06))  # type: ignore[call-arg]
        canvas.savefig(buffer, format="png", facecolor="white", metadata={"Software": "Equipoise"})
    return buffer.getvalue()


def _headline(report: Report) -> list[str]:
    """Return the headline in lines."""
    text = report.opening[0].text if report.opening else report.subtitle
    lines = wrap(text, LETTERS)
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], f"{lines[LINES - 1][: LETTERS - 1].rstrip()}…"]
