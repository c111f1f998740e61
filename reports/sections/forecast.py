"""How long the parts of a report take; progress uses this to show the time left.

Seconds are those of a machine with two processors, and of figures that are drawn once for a page.  What is played again
is counted in games, which differ most between games and players; how long one takes is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.data.source import Source
from reports.sections.across import GAMES, card_games, compared
from reports.sections.cards import PAIRED

if TYPE_CHECKING:
    from reports.own import Chapter
    from reports.study import Study

DRAWING, FEW_DRAWN = 1.2, 0.3
"""Seconds that the figures of a section take, at the width of a page and of a phone, and those of a declared one."""


def shares(study: Study, chapters: Sequence[Chapter]) -> list[float]:
    """Return the fraction of the time that each section is expected to take, and lastly that of drawing the figures."""
    seconds = [chapter.cost(study) if callable(chapter.cost) else chapter.cost for chapter in chapters]
    seconds.append(sum(FEW_DRAWN if chapter.name.startswith("own-") else DRAWING for chapter in chapters))
    return [one / sum(seconds) for one in seconds]


def skill(study: Study) -> float:
    """Return the seconds for the answers along the ladder of skill: most go into judging cards at each level."""
    rungs = study.rungs(study.focus.players)
    judged = 0.0
    if study.declarations.cards is not None and study.game.score is not None and len(rungs) > 1:
        judged = sum(study.seconds(source, card_games(study, source)) for source in rungs)
    rates = len({item.topic for item in study.declarations.breakdowns if item.along})
    return reading(study) + judged + rates * sum(study.seconds(one, _few(one)) for one in rungs)


def reading(study: Study) -> float:
    """Return the seconds of `skill` that pass before cards are judged."""
    return 0.5 + (0.2 + 0.85 * len(study.own.along)) * len(study.rungs(study.focus.players))


def cards(study: Study) -> float:
    """Return the seconds that judging the cards takes."""
    if study.declarations.cards is None:
        return 0.1
    games = float(card_games(study, study.focus, study.deals))
    slots = len(study.declarations.cards.columns)
    games += study.deals / PAIRED * slots * (slots - 1) / 2 * study.focus.spec.games_per_deal
    others = [one for one in compared(study, skill=False) if study.game.score is not None]
    judged = sum(study.seconds(one, card_games(study, one)) for one in others)
    return 1.0 + study.seconds(study.focus, games) + judged


def drama(study: Study) -> float:
    """Return the seconds for the course of games: games whose events are not known are played again."""
    told = [one for one in (study.focus, *compared(study)) if not one.has_events and study.declarations.standing]
    return 0.7 + sum(study.seconds(one, min(one.planned, GAMES)) for one in told)


def economy(study: Study) -> float:
    """Return the seconds that the sources of the score take."""
    if study.declarations.economy is None:
        return 0.1
    return 0.5 + sum(study.seconds(one, _few(one)) for one in compared(study))


def breakdown(study: Study) -> float:
    """Return the seconds for a question that the game itself declares."""
    return 0.3 + study.seconds(study.focus, 0 if study.focus.has_events else min(study.focus.planned, GAMES))


def _few(source: Source) -> int:
    """Return how many games of a run are played again to see every column."""
    return 0 if source.detail == "full" else min(source.planned, GAMES)
