"""Sections of the report, one a question, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable

from reports.page import Section
from reports.sections.components import components
from reports.sections.domains import domains
from reports.sections.drama import drama
from reports.sections.economy import economy
from reports.sections.events import events
from reports.sections.seats import seats
from reports.sections.skill import skill
from reports.sections.strategies import strategies
from reports.sections.versions import versions
from reports.study import Study

SECTIONS: tuple[Callable[[Study], Section | None], ...] = (
    seats,
    skill,
    versions,
    events,
    domains,
    strategies,
    economy,
    drama,
    components,
)
