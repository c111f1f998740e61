"""Sections of the report that every game has, one for each question, in the order of the page."""

from __future__ import annotations

from reports.sections.cards import cards
from reports.sections.causes import causes
from reports.sections.drama import drama
from reports.sections.economy import economy
from reports.sections.needs import needs
from reports.sections.seats import seats
from reports.sections.skill import skill
from reports.sections.strategies import strategies
from reports.sections.versions import versions
from reports.study.chapters import Chapter

SECTIONS: tuple[Chapter, ...] = (
    Chapter("seats", seats, top=5),
    Chapter("causes", causes, top=4),
    Chapter("skill", skill, top=4),
    Chapter("versions", versions),
    Chapter("cards", cards, top=4),
    Chapter("needs", needs, top=2),
    Chapter("strategies", strategies),
    Chapter("economy", economy),
    Chapter("drama", drama, top=2),
)
