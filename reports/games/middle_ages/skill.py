"""The score that goes with taking each Domain, along the ladder of skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.data.source import Source
from analysis.games.middle_ages.holdings import DOMAIN, pick_values
from analysis.skill import COLUMNS, POINTS
from reports.sections.across import asked_of, replayed
from reports.sections.skill import climb
from reports.study.chapters import Asked
from reports.study.study import Study


def picks(study: Study, rungs: Sequence[Source]) -> Iterator[Asked]:
    """Yield the score that goes with taking a tile of each Domain."""
    worth = asked_of(study, "picks", lambda source: pick_values(replayed(source), study.thresholds.level), rungs)
    frames = {name: result.by_kind.rename({"kind": "what"}).select(COLUMNS) for name, result in worth.items()}
    found = climb(study, POINTS, POINTS, frames, list(worth.values()), nouns=f"{DOMAIN}s")
    if found:
        nouns = study.words.plural(DOMAIN)
        yield Asked(study.words("panel.kinds", nouns=nouns), found, "signed", 1)
