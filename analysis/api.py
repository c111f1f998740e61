"""Every analysis that any game may have, and its result, to be imported from one place; see docs/statistics.md."""

from __future__ import annotations

from analysis.breakdowns import Breakdowns, breakdowns, topics
from analysis.cards.counterfactual import Counterfactual, counterfactual
from analysis.cards.exposure import Exposure, exposure
from analysis.cards.impact import CardImpact, card_impact
from analysis.course.actions import ActionMix, action_mix
from analysis.course.closeness import Closeness, closeness
from analysis.course.drama import drama
from analysis.course.economy import Economy, economy
from analysis.course.fortunes import Drama
from analysis.data.declarations import Declarations, load_declarations
from analysis.data.results import Inputs, Result, Verdict
from analysis.data.sources import open_source
from analysis.ratings.matchups import Matchups, matchups
from analysis.ratings.strengths import Strengths, strengths
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.seats.by_skill import SeatsBySkill, seats_by_skill

__all__ = [
    "ActionMix", "Breakdowns", "CardImpact", "Closeness", "Counterfactual", "Declarations", "Drama", "Economy",
    "Exposure", "Inputs", "Matchups", "Result", "SeatAdvantage", "SeatsBySkill", "Strengths", "Verdict", "action_mix",
    "breakdowns", "card_impact", "closeness", "counterfactual", "drama", "economy", "exposure", "load_declarations",
    "matchups", "open_source", "seat_advantage", "seats_by_skill", "strengths", "topics",
]  # fmt: skip
