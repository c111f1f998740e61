"""Sections of the report that every game has, one for each question, in the order of the page."""

from __future__ import annotations

from reports.own import Chapter
from reports.sections import forecast
from reports.sections.cards import cards
from reports.sections.drama import drama
from reports.sections.economy import economy
from reports.sections.seats import seats
from reports.sections.skill import skill
from reports.sections.strategies import strategies
from reports.sections.versions import versions

SECTIONS: tuple[Chapter, ...] = (
    Chapter("seats", seats, top=5),
    Chapter("skill", skill, top=4, cost=forecast.skill),
    Chapter("versions", versions, cost=0.1),
    Chapter("cards", cards, top=4, cost=forecast.cards),
    Chapter("strategies", strategies, cost=1.0),
    Chapter("economy", economy, cost=forecast.economy),
    Chapter("drama", drama, top=2, cost=forecast.drama),
)
