"""Find the weights that win: an optimiser, the tables that it plays, and a journal from which it can resume."""

from __future__ import annotations

from strategies.tuning.journal import Journal
from strategies.tuning.plan import SELF, Budget, Plan, make_plan
from strategies.tuning.recipe import add_part, describe
from strategies.tuning.search import Status, Tuned, tune

__all__ = ["SELF", "Budget", "Journal", "Plan", "Status", "Tuned", "add_part", "describe", "make_plan", "tune"]
