"""What Middle-Ages adds to the report: the draft of tiles, Domains and tokens, and the box."""

from __future__ import annotations

from reports.games.middle_ages.components import components
from reports.games.middle_ages.domains import domains
from reports.games.middle_ages.skill import picks
from reports.study.chapters import Chapter, GameReport

REPORT = GameReport(
    sections=(Chapter("domains", domains, top=3, after="cards"), Chapter("components", components, after="drama")),
    along=(picks,),
)
