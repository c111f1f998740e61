"""Sections of the report that every game has, one for each question, in the order of the page."""

from __future__ import annotations

from reports.sections.across import versions
from reports.sections.cards import cards
from reports.sections.causes import causes
from reports.sections.course import drama, economy
from reports.sections.seats import seats
from reports.sections.skill import skill
from reports.sections.strategies import needs, strategies
from reports.study.chapters import Chapter

SECTIONS: tuple[Chapter, ...] = (
    Chapter("seats", seats, top=5), Chapter("causes", causes, top=4), Chapter("skill", skill, top=4),
    Chapter("versions", versions), Chapter("cards", cards, top=4), Chapter("needs", needs, top=2),
    Chapter("strategies", strategies), Chapter("economy", economy), Chapter("drama", drama, top=2),
)  # fmt: skip
