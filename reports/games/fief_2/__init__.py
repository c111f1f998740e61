"""What Fief 2 adds to the report: the map of the kingdom, and what each kind of purchase is worth."""

from __future__ import annotations

from reports.games.fief_2.kingdom import kingdom
from reports.games.fief_2.paying import paying
from reports.own import Chapter, GameReport

REPORT = GameReport(
    sections=(
        Chapter("kingdom", kingdom, after="seats"),
        Chapter("paying", paying, after="cards"),
    )
)
