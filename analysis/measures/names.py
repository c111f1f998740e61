"""Names of the measures whose precision can be requested; this module imports nothing."""

from __future__ import annotations

SCORE, MARGIN, SPREAD, LEAD_CHANGES, LENGTH, TIES = "score", "margin", "spread", "lead_changes", "length", "ties"

NUMBERS = (SCORE, MARGIN, SPREAD, LEAD_CHANGES, LENGTH)
"""Means: of every seat's score, best score minus second, best minus worst, changes of the lead, and turns."""

GAME_RATES = (TIES, "runaway", "wire_to_wire", "comeback", "last_round")
"""Shares of the games: with a shared win, and by how a winner came to lead; see `analysis.course.fortunes`."""


def is_rate(name: str) -> bool:
    """Return whether a measure is a share of the games, whose precision is in percentage points."""
    return name in GAME_RATES
