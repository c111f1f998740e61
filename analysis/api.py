"""Every analysis and every result, to be imported from one place; docs/statistics.md explains them."""

from __future__ import annotations

from analysis.breakdowns import Breakdowns, breakdowns, topics
from analysis.closeness import Closeness, closeness
from analysis.components import Components, components
from analysis.counterfactual import Counterfactual, counterfactual
from analysis.drama import Drama, drama
from analysis.economy import Economy, economy
from analysis.event_impact import EventImpact, event_impact
from analysis.exposure import Exposure, exposure
from analysis.holdings import Holdings, TokenValues, holdings, token_values
from analysis.matchups import Matchups, matchups
from analysis.meaning import Meaning, load_meaning
from analysis.pick_rates import PickRates, pick_rates
from analysis.picks import PickValues, pick_values
from analysis.results import Inputs, Result, Verdict
from analysis.seat_advantage import SeatAdvantage, SeatsBySkill, seat_advantage, seats_by_skill
from analysis.source import open_source
from analysis.strengths import Strengths, strengths

__all__ = [
    "Breakdowns", "Closeness", "Components", "Counterfactual", "Drama", "Economy", "EventImpact", "Exposure",
    "Holdings", "Inputs", "Matchups", "Meaning", "PickRates", "PickValues", "Result", "SeatAdvantage",
    "SeatsBySkill", "Strengths", "TokenValues", "Verdict", "breakdowns", "closeness", "components",
    "counterfactual", "drama", "economy", "event_impact", "exposure", "holdings", "load_meaning", "matchups",
    "open_source", "pick_rates", "pick_values", "seat_advantage", "seats_by_skill", "strengths", "token_values",
    "topics",
]  # fmt: skip
