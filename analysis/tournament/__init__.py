"""Tournaments: every strategy plays with every other, in all seatings, on the same deals."""

from __future__ import annotations

from analysis.tournament.plan import DESIGNS, Plan, make_plan
from analysis.tournament.playing import Scores, play
from analysis.tournament.result import Tournament, judge

__all__ = ["DESIGNS", "Plan", "Scores", "Tournament", "judge", "make_plan", "play"]
