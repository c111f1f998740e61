"""What Fief 2 adds to the report: the map of the kingdom."""

from __future__ import annotations

from reports.games.fief_2.kingdom import kingdom
from reports.study.chapters import Chapter, GameReport

REPORT = GameReport(sections=(Chapter("kingdom", kingdom, after="seats"),))
