"""Real playtests: do the results of people's games agree with the simulation, and what could a plan of games show?"""

from __future__ import annotations

from analysis.playtest.claims import SCORE
from analysis.playtest.ladder import EqualTable, Grid, Rung, play_table
from analysis.playtest.logs import read_log
from analysis.playtest.matches import Match, Sheet
from analysis.playtest.result import NONE, Playtest, PlaytestPlan, judge_games, make_grid, plan_games
from analysis.playtest.sheet import MOST_GAMES, read_sheet

__all__ = [
    "MOST_GAMES",
    "NONE",
    "SCORE",
    "EqualTable",
    "Grid",
    "Match",
    "Playtest",
    "PlaytestPlan",
    "Rung",
    "Sheet",
    "judge_games",
    "make_grid",
    "plan_games",
    "play_table",
    "read_log",
    "read_sheet",
]  # fmt: skip
