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
    from analysis.ratings.matchups import Matchups, matchups
    from analysis.ratings.strengths import strengths
    from analysis.seats.advantage import SeatAdvantage, seat_advantage
    from analysis.seats.by_skill import SeatsBySkill, seats_by_skill

__all__ = [
    "ActionMix", "Breakdowns", "CardTable", "Causes", "Closeness", "Counterfactual", "Declarations", "Drama",
    "Economy", "Inputs", "Matchups", "Result", "SeatAdvantage", "SeatsBySkill", "Strengths", "Verdict",
    "action_mix", "breakdowns", "causes", "closeness", "counterfactual", "drama", "economy",
    "estimate", "load_declarations", "matchups", "measure", "measures", "open_source",
    "seat_advantage", "seats_by_skill", "strengths", "topics",
]  # fmt: skip

_HOMES = {
    "ActionMix": "analysis.course.economy",
    "Breakdowns": "analysis.breakdowns",
    "CardTable": "analysis.cards.table",
    "Causes": "analysis.causes",
    "Closeness": "analysis.course.drama",
    "Counterfactual": "analysis.cards.counterfactual",
    "Declarations": "analysis.data.declarations",
    "Drama": "analysis.course.standings",
    "Economy": "analysis.course.economy",
    "Inputs": "analysis.data.results",
    "Matchups": "analysis.ratings.matchups",
    "Result": "analysis.data.results",
    "SeatAdvantage": "analysis.seats.advantage",
    "SeatsBySkill": "analysis.seats.by_skill",
    "Strengths": "analysis.ratings.fit",
    "Verdict": "analysis.data.results",
    "action_mix": "analysis.course.economy",
    "breakdowns": "analysis.breakdowns",
    "causes": "analysis.causes",
    "closeness": "analysis.course.drama",
    "counterfactual": "analysis.cards.counterfactual",
    "drama": "analysis.course.drama",
    "economy": "analysis.course.economy",
    "estimate": "analysis.estimate",
    "load_declarations": "analysis.data.declarations",
    "matchups": "analysis.ratings.matchups",
    "measure": "analysis.measures.own",
    "measures": "analysis.measures.own",
    "open_source": "analysis.data.sources",
    "seat_advantage": "analysis.seats.advantage",
    "seats_by_skill": "analysis.seats.by_skill",
    "strengths": "analysis.ratings.strengths",
    "topics": "analysis.breakdowns",
}


def __getattr__(name: str) -> Any:
    """Import an analysis when it is first used, because some need libraries that take long to load."""
    if name not in _HOMES:
        raise AttributeError(f"module 'analysis.api' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
