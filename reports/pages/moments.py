"""The rounds of a game that a reader should look at: those that changed the standing most, or the chance to win."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.course.finding import Chances, Course, Swing, Turning, swings, turnings
from reports.rounds import Moment
from reports.words import Words
from simcore.running.rounds import END, Round

MOMENTS, SWINGS = 5, 3
"""Number of rounds that are named because they changed the standing most, or the chance to win."""


def moments(words: Words, divided: Sequence[Round], parts: Sequence[Course | None]) -> tuple[Moment, ...]:
    """Return the rounds that changed the standing most, in the order of the game."""
    places = {(one.log, one.number): at for at, one in enumerate(divided) if one.clock != END}
    found = [
        (turning, log, course.measure)
        for log, course in enumerate(parts)
        if course is not None
        for turning in turnings(course, MOMENTS)
    ]
    found.sort(key=lambda one: -abs(one[0].change))
    kept = sorted(found[:MOMENTS], key=lambda one: (one[1], one[0].turn))
    return tuple(
        Moment(places[log, turning.turn], _turned(words, turning, measure))
        for turning, log, measure in kept
        if (log, turning.turn) in places
    )


def swung(words: Words, divided: Sequence[Round], chances: Chances | None) -> tuple[Moment, ...]:
    """Return the rounds that changed the chance to win most, if there is a chance before each."""
    places = [at for at, one in enumerate(divided) if one.clock != END and one.number]
    if chances is None or len(places) != len(chances.value) - 1:
        return ()
    return tuple(Moment(places[one.at], _swing(words, one)) for one in swings(chances, SWINGS))


def _swing(words: Words, swing: Swing) -> str:
    points = words.number(100 * (swing.after - swing.before), "+.0f")
    return words("game.swing", seat=swing.seat + 1, points=points, before=swing.before, after=swing.after)


def _turned(words: Words, turning: Turning, measure: str) -> str:
    """Return what a round changed."""
    said, leads = [], turning.passes
    if turning.change:
        way = "gains" if turning.change > 0 else "loses"
        if way == "gains" and leads and turning.leader == turning.seat:
            way, leads = "gains_leads", False
        change = abs(turning.change)
        said.append(words(f"game.{way}", seat=turning.seat + 1, change=change, unit=words.name(measure)))
    if leads:
        said.append(words("game.leads", seat=turning.leader + 1))
    return words.listed(said)
