"""All general analyses and their results, to be imported from one place; see docs/reference/methods.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.breakdowns import Breakdowns, breakdowns, topics
    from analysis.cards.counterfactual import Counterfactual, counterfactual
    from analysis.cards.table import CardTable
    from analysis.causes import Causes, causes
    from analysis.course.drama import Closeness, closeness, drama
    from analysis.course.economy import ActionMix, Economy, action_mix, economy
    from analysis.course.standings import Drama
    from analysis.data.declarations import Declarations, load_declarations
    from analysis.data.results import Inputs, Result, Verdict
    from analysis.data.sources import open_source
    from analysis.estimate import estimate
    from analysis.measures.own import measure, measures
    from analysis.ratings.fit import Strengths
    from analysis.ratings.strengths import Matchups, matchups, strengths
    from analysis.seats.advantage import SeatAdvantage, seat_advantage
    from analysis.seats.by_skill import SeatsBySkill, seats_by_skill

__all__ = [
    "ActionMix", "Breakdowns", "CardTable", "Causes", "Closeness", "Counterfactual", "Declarations", "Drama",
    "Economy", "Inputs", "Matchups", "Result", "SeatAdvantage", "SeatsBySkill", "Strengths", "Verdict",
    "action_mix", "breakdowns", "causes", "closeness", "counterfactual", "drama", "economy",
    "estimate", "load_declarations", "matchups", "measure", "measures", "open_source",
    "seat_advantage", "seats_by_skill", "strengths", "topics",
]  # fmt: skip

_MODULES = {
    "analysis.breakdowns": "Breakdowns breakdowns topics",
    "analysis.cards.counterfactual": "Counterfactual counterfactual", "analysis.cards.table": "CardTable",
    "analysis.causes": "Causes causes", "analysis.course.drama": "Closeness closeness drama",
    "analysis.course.economy": "ActionMix Economy action_mix economy", "analysis.course.standings": "Drama",
    "analysis.data.declarations": "Declarations load_declarations", "analysis.data.results": "Inputs Result Verdict",
    "analysis.data.sources": "open_source", "analysis.estimate": "estimate",
    "analysis.measures.own": "measure measures", "analysis.ratings.fit": "Strengths",
    "analysis.ratings.strengths": "Matchups matchups strengths",
    "analysis.seats.advantage": "SeatAdvantage seat_advantage",
    "analysis.seats.by_skill": "SeatsBySkill seats_by_skill",
}  # fmt: skip
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import an analysis when it is first used, because some need libraries that take long to load."""
    if name not in _HOMES:
        raise AttributeError(f"module 'analysis.api' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
