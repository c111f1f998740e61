"""Real playtests: do the results of people's games agree with the simulation, and what could a plan of games show?"""

from __future__ import annotations

from analysis.playtest.posterior import EqualTable, Grid, Rung, play_table
from analysis.playtest.result import NONE, SCORE, Playtest, PlaytestPlan, judge_games, make_grid, plan_games
from analysis.playtest.sheet import MOST_GAMES, Match, Sheet, read_log, read_sheet

__all__ = [
    "MOST_GAMES", "NONE", "SCORE", "EqualTable", "Grid", "Match", "Playtest", "PlaytestPlan", "Rung", "Sheet",
    "judge_games", "make_grid", "plan_games", "play_table", "read_log", "read_sheet",
]  # fmt: skip
