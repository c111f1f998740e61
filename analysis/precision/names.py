"""Names of what a run can be played to a precision of, next to shares of the wins; kept apart, as they load nothing."""

from __future__ import annotations

SCORE, MARGIN, SPREAD, LEAD_CHANGES, LENGTH, TIES = "score", "margin", "spread", "lead_changes", "length", "ties"

NUMBERS = (SCORE, MARGIN, SPREAD, LEAD_CHANGES, LENGTH)
"""Means of numbers: every seat's score, best score minus second, best minus worst, changes of the lead, and turns."""

GAME_RATES = (TIES, "runaway", "wire_to_wire", "comeback", "last_round")
"""Parts of the games: the win was shared, and how a winner came to lead; see `analysis.course.fortunes`."""


def is_rate(name: str) -> bool:
    """Return whether a measure is a part of the games, whose precision is in percentage points."""
    return name in GAME_RATES
