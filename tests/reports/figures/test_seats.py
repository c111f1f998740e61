"""The figure of the seats of some runs: its marks, and roles on its axis."""

from __future__ import annotations

import polars as pl
import pytest
from matplotlib.figure import Figure

from reports.figures.seats import SeatAdvantage

SHARES = (0.4, 0.2, 0.3, 0.1)


@pytest.mark.parametrize("roles", [(), ("Lord", "Tenant", "Tenant", "Priest")])
def test_seats_stand_below_their_roles_and_are_not_joined(roles: tuple[str, ...]) -> None:
    columns = {
        "seat": [1, 2, 3, 4],
        "share": SHARES,
        "share_low": SHARES,
        "share_high": SHARES,
        "par": [0.25] * 4,
        "games": [9] * 4,
    }
    frame = pl.DataFrame(columns | ({"role": roles} if roles else {}))
    axes = Figure().subplots()
    SeatAdvantage({"a run": frame}).draw(axes)
    drawn = [line for line in axes.get_lines() if list(line.get_ydata()) == list(SHARES) and line.get_visible()]
    assert {line.get_linestyle() for line in drawn} == {"None"}
    assert len(axes.get_xticklabels()) == 4
    assert all(label.get_text().startswith(role) for label, role in zip(axes.get_xticklabels(), roles, strict=False))
