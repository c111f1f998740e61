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
    Chapter("skill", skill, top=4),
    Chapter("versions", versions),
    Chapter("cards", cards, top=4),
    Chapter("strategies", strategies),
    Chapter("economy", economy),
    Chapter("drama", drama, top=2),
)
