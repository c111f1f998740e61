"""The figure of the seats: lines join the seats of one role and no others."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from reports.figures.seats import SeatAdvantage

SHARES = (0.4, 0.2, 0.3, 0.1)


def joined(roles: tuple[str, ...]) -> list[list[float]]:
    """Return the shares that each unbroken line of the figure joins."""
    columns = {
        "seat": [1, 2, 3, 4], "share": SHARES, "share_low": SHARES, "share_high": SHARES, "par": [0.25] * 4,
        "games": [9] * 4,
    }  # fmt: skip
    frame = pl.DataFrame(columns | ({"role": roles} if roles else {}))
    axes = Figure().subplots()
    SeatAdvantage({"a run": frame}).draw(axes)
    drawn = next(line for line in axes.get_lines() if line.get_linestyle() == "-" and len(line.get_ydata()) >= 4)
    values = np.asarray(drawn.get_ydata(), float)
    parts = np.split(values, np.flatnonzero(np.isnan(values)))
    assert len(axes.get_xticklabels()) == 4
    assert all(label.get_text().startswith(role) for label, role in zip(axes.get_xticklabels(), roles, strict=False))
    return [list(part[~np.isnan(part)]) for part in parts]


@pytest.mark.parametrize(
    ("roles", "lines"),
    [
        ((), [[0.4, 0.2, 0.3, 0.1]]),
        (("Lord", "Tenant", "Tenant", "Tenant"), [[0.4], [0.2, 0.3, 0.1]]),
        (("Lord", "Tenant", "Tenant", "Priest"), [[0.4], [0.2, 0.3], [0.1]]),
    ],
)
def test_the_line_breaks_between_roles(roles: tuple[str, ...], lines: list[list[float]]) -> None:
    assert joined(roles) == lines
