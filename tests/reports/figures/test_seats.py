"""The figure of the seats of some runs: its marks, and roles on its axis."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from matplotlib.figure import Figure

from reports.figures.curves import Slope
from reports.figures.seats import SeatAdvantage
from reports.render.theme import PAR

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


@pytest.mark.parametrize("figure", [SeatAdvantage, Slope])
@pytest.mark.parametrize(("other", "lines"), [(0.5, 1), (0.3, 0)])
def test_a_line_of_par_is_drawn_only_where_it_is_that_of_all_runs(figure: Any, other: float, lines: int) -> None:
    half = [0.5, 0.5]
    columns = {"seat": [1, 2], "share": half, "share_low": half, "share_high": half, "games": [9, 9]}
    runs = {name: pl.DataFrame(columns | {"par": [par] * 2}) for name, par in (("one", 0.5), ("other", other))}
    axes = Figure().subplots()
    figure(runs).draw(axes)
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--" and line.get_color() == PAR]
    assert len(dashed) == lines and ("par 50%" in figure(runs).alt_text) == bool(lines)
