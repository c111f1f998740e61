"""Sections of the report that every game has, one for each question, in the order of the page."""

from __future__ import annotations

from reports.own import Chapter
from reports.sections.cards import cards
from reports.sections.drama import drama
from reports.sections.economy import economy
from reports.sections.seats import seats
from reports.sections.skill import skill
from reports.sections.strategies import strategies
from reports.sections.versions import versions

SECTIONS: tuple[Chapter, ...] = (
    Chapter("seats", seats, top=5),
    Chapter("skill", skill, top=4, cost=8),
    Chapter("versions", versions),
    Chapter("cards", cards, top=4, cost=8),
    Chapter("strategies", strategies, cost=2),
    Chapter("economy", economy, cost=3),
    Chapter("drama", drama, top=2, cost=4),
)
