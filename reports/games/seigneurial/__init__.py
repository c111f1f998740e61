"""What Seigneurial adds to the report: what a player needs, and what would correct the lord's share."""

from __future__ import annotations

from reports.games.seigneurial.mending import mending
from reports.games.seigneurial.needs import needs
from reports.own import Chapter, GameReport

REPORT = GameReport(
    sections=(
        Chapter("needs", needs, top=2, after="cards"),
        Chapter("mending", mending, top=3, after="needs"),
    ),
)
