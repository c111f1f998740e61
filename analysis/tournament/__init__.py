"""Tournaments: every strategy plays with every other, in all seatings, on the same deals."""

from __future__ import annotations

from analysis.tournament.playing import SEATINGS, Schedule, Scores, make_schedule, play
from analysis.tournament.result import Tournament, judge

__all__ = ["SEATINGS", "Schedule", "Scores", "Tournament", "judge", "make_schedule", "play"]
