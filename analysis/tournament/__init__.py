"""Tournaments: every strategy plays with every other, in all seatings, on the same deals."""

from __future__ import annotations

from analysis.tournament.playing import Scores, play
from analysis.tournament.result import Tournament, judge
from analysis.tournament.schedule import DESIGNS, Schedule, make_schedule

__all__ = ["DESIGNS", "Schedule", "Scores", "Tournament", "judge", "make_schedule", "play"]
