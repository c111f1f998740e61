"""Every analysis and every result, to be imported from one place; docs/statistics.md explains them."""

from __future__ import annotations

from analysis.breakdowns import Breakdowns, breakdowns, topics
from analysis.cards.counterfactual import Counterfactual, counterfactual
from analysis.cards.exposure import Exposure, exposure
from analysis.cards.impact import EventImpact, event_impact
from analysis.course.closeness import Closeness, closeness
from analysis.course.drama import Drama, drama
from analysis.course.economy import Economy, economy
from analysis.data.declarations import Meaning, load_meaning
from analysis.data.results import Inputs, Result, Verdict
from analysis.data.sources import open_source
from analysis.games.middle_ages.components import Components, components
from analysis.games.middle_ages.holdings import Holdings, TokenValues, holdings, token_values
from analysis.games.middle_ages.pick_rates import PickRates, pick_rates
from analysis.games.middle_ages.picks import PickValues, pick_values
from analysis.ratings.matchups import Matchups, matchups
from analysis.ratings.strengths import Strengths, strengths
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.seats.by_skill import SeatsBySkill, seats_by_skill

__all__ = [
    "Breakdowns", "Closeness", "Components", "Counterfactual", "Drama", "Economy", "EventImpact", "Exposure",
    "Holdings", "Inputs", "Matchups", "Meaning", "PickRates", "PickValues", "Result", "SeatAdvantage",
    "SeatsBySkill", "Strengths", "TokenValues", "Verdict", "breakdowns", "closeness", "components",
    "counterfactual", "drama", "economy", "event_impact", "exposure", "holdings", "load_meaning", "matchups",
    "open_source", "pick_rates", "pick_values", "seat_advantage", "seats_by_skill", "strengths", "token_values",
    "topics",
]  # fmt: skip
