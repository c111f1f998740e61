"""The page of one game: who won, the standing round by round, where it turned, and every round to step through."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from analysis.course.finding import (
    CLOSEST,
    SEAT_NUMBER,
    Chances,
    Course,
    Found,
    Holding,
    Swing,
    Turning,
    courses,
    holding,
    swings,
    turnings,
)
from analysis.course.standings import tables
from analysis.stats.intervals import bonferroni
from reports.figures.curves import Curves
from reports.page import Block, Listing, Picture, Report, Section, Sentence
from reports.pages.common import rules_told
from reports.sliders import Held, Moment, Rounds, Stage, lines
from reports.steps import again
from reports.study.study import words_of
from reports.words import Words
from simcore.errors import printable
from simcore.running.batch import Spec
from simcore.running.replay import CLOCKS, END, Replay, Round, heading, rounds
from simcore.tabletop import Area
from strategies.decision_costs import TABLES, Decision

# The rounds of a game that a reader should look at: those that changed the standing most, or the chance to win.


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


# --- The page of one game: who won, the standing round by round, where it turned, and every round to step through ---


def compose_game(
    played: Replay,
    words: Words,
    found: Found | None = None,
    command: Sequence[str] = (),
    chances: Chances | None = None,
) -> Report:
    """Return the page of a game.

    found: What the game was chosen for, if it was looked for.
    chances: Estimated chances to win in the course of the game, if there are any.
    """
    spec, index = played.spec, int(played.header["game_id"])
    words = words_of(spec.game.name, spec.rules, words)
    told = () if played.fault else courses(spec, index)
    whole = told if len(told) == len(played.logs) else (None,) * len(played.logs)
    parts = [course and course.seated(log.rows) for course, log in zip(whole, played.logs, strict=True)]
    divided = [one for one in rounds(played) if one.lines or one.held]
    clocks = {one.log: one.clock for one in reversed(divided)}
    drawn = [course or holding([one for one in divided if one.log == log]) for log, course in enumerate(parts)]
    pictures = [
        _picture(words, played, log, clocks[log], shown) for log, shown in enumerate(drawn) if shown is not None
    ]
    lying = {} if played.fault or len(played.logs) > 1 else tables(played.spec, int(played.header["game_id"]))
    block = Rounds(
        words("game.rounds"),
        _seats(words, spec, played.header["strategies"]),
        _stages(words, played, divided, drawn, lying),
        moments(words, divided, parts),
        swung(words, divided, chances),
        words("game.swings.basis", games=chances.games) if chances else "",
    )
    about = [Listing(words("game.about"), heading(played, number)) for number in range(len(played.logs))]
    blocks: list[Block] = [*pictures[:1], *[block][: len(divided)], *pictures[1:]]  # one is on the first screen
    return Report(
        words("game.title", number=index, game=spec.game.title),
        found_text(words, found) if found else words("game.subtitle", seed=str(spec.seed)),
        _facts(words, played),
        (*_result(words, played), *_passes(words, parts)),
        (words("game.fault", fault=played.fault),) if played.fault else (),
        (
            Section("rounds", words("game.rounds"), blocks=tuple(blocks)),
            Section("about", words("section.method"), blocks=(*about, *again(words, command))),
        ),
        words,
        kicker=words("game.kicker"),
    )


def found_text(words: Words, found: Found) -> str:
    """Return a sentence on what a game was chosen for."""
    kind = "seat" if SEAT_NUMBER.fullmatch(found.what) else found.what
    kind = "level" if kind == CLOSEST and not found.value else kind
    seat = found.what.rpartition("-")[2]
    unit = words.name(found.measure) if found.measure else ""
    return words(f"game.found.{kind}", number=found.index, games=found.games, value=found.value, unit=unit, seat=seat)


def _seats(words: Words, spec: Spec, strategies: Sequence[str]) -> tuple[str, ...]:
    """Return what the seats are called, with their roles and strategies."""
    found = []
    for seat, strategy in enumerate(strategies):
        role = spec.game.role_at(seat, spec.players)
        name = printable(words.name(strategy))
        who = f"{words.title(role.title)}, {name}" if spec.game.asymmetric else name
        found.append(words("game.seat", seat=seat + 1, who=who))
    return tuple(found)


def _facts(words: Words, played: Replay) -> tuple[tuple[str, str], ...]:
    spec, names = played.spec, [words.name(name) for name in played.header["strategies"]]
    named = [
        ("game", str(played.header["game_id"])),
        ("seed", str(spec.seed)),
        ("rules", rules_told(words, spec.rules)),
        ("by_seat", words.listed(names if len(set(names)) > 1 else names[:1])),
    ]
    return tuple((words(f"fact.{name}"), value) for name, value in named)


def _result(words: Words, played: Replay) -> tuple[Sentence, ...]:
    if played.fault:
        return (Sentence(words("game.broke"), "unknown"),)
    game = played.spec.game
    share = played.rows[game.share].tolist()
    seats = _seats(words, played.spec, played.header["strategies"])
    winners = [name for name, won in zip(seats, share, strict=True) if won]
    code = ("game.nobody", "game.wins")[len(winners)] if len(winners) < 2 else "game.share"
    said = words(code, seats=words.listed(winners))
    return (Sentence(said[:1].upper() + said[1:]),)


def _passes(words: Words, parts: Sequence[Course | None]) -> tuple[Sentence, ...]:
    known = [course for course in parts if course is not None]
    if not known:
        return ()
    count = sum(int(course.passes.sum()) for course in known)
    return (Sentence(words("game.passes" if count else "game.steady", count=count)),)


def _title(words: Words, one: Round, logs: int) -> str:
    """Return what a round is called."""
    if one.clock == END:
        said = words("game.end")
    elif one.clock and not one.number:
        said = words("game.setup")
    else:
        said = words(f"game.{one.clock or 'move'}", number=one.number)
    return words("game.part", part=one.log + 1, title=said) if logs > 1 else said


def _stages(
    words: Words,
    played: Replay,
    divided: Sequence[Round],
    drawn: Sequence[Holding | None],
    lying: Mapping[int, tuple[Area, ...]],
) -> tuple[Stage, ...]:
    found, before, log = [], dict[str, Sequence[float | None]](), 0
    for one in divided:
        if one.log != log:
            before, log = {}, one.log
        shown, rows = drawn[one.log], _rows(words, played, one, before)
        point = -1 if shown is None or one.clock == END else int((shown.turn <= one.number).sum()) - 1
        found.append(
            Stage(
                _title(words, one, len(played.logs)),
                lines(one.lines),
                tuple(_column(words, played, name) for name in one.held),
                rows,
                _figure(one.log),
                point,
                lying.get(one.number, ()) if one.clock in CLOCKS else (),
            )
        )
        before |= one.held
    return tuple(found)


def _rows(
    words: Words, played: Replay, one: Round, before: Mapping[str, Sequence[float | None]]
) -> tuple[tuple[Held, ...], ...]:
    columns = [
        [
            _held(words, played, name, now, before[name][seat] if name in before else None)
            for seat, now in enumerate(values)
        ]
        for name, values in one.held.items()
    ]
    return tuple(zip(*columns, strict=True))


def _held(words: Words, played: Replay, name: str, now: float | None, before: float | None) -> Held:
    if now is None:
        return Held("")
    if name == played.spec.game.share:
        return Held(words.number(now / played.spec.game.share_unit, ".0%"))
    changed = before is not None and now != before
    text = words.number(now - (before or 0), "+,.6g") if changed else ""
    return Held(words.number(now, ",.6g"), text, bool(changed and before is not None and now > before))


def _column(words: Words, played: Replay, name: str) -> str:
    """Return the heading of what seats have; a game may name it anew for this table, as `held.NAME`."""
    if name == played.spec.game.share:
        return words("game.win")
    return words.known(f"held.{name}") or words.name(name)


def _figure(log: int) -> str:
    return f"standing-{log + 1}"


def _picture(words: Words, played: Replay, log: int, clock: str, shown: Holding) -> Picture:
    seats = _seats(words, played.spec, played.logs[log].header["strategies"])
    known = [seat for seat in range(len(seats)) if not np.isnan(shown.value[:, seat]).all()]
    unknown = [pl.lit(None, pl.Float64).alias(end) for end in ("low", "high")]
    frame = pl.concat(
        pl.DataFrame({"x": shown.turn, "value": shown.value[:, seat].astype(float)}).select(
            pl.lit(str(seat)).alias("series"), "x", "value", *unknown
        )
        for seat in known
    )
    names = {str(seat): seats[seat] for seat in known}
    is_standing = isinstance(shown, Course)
    unit = words.name(shown.measure) if is_standing else _column(words, played, shown.measure)
    counted = bool((np.nan_to_num(shown.value) % 1 == 0).all())
    figure = Curves(frame, names, words(f"axis.{clock or 'move'}"), unit, counted=counted, words=words)
    title = words("game.standing" if is_standing else "game.holding", unit=unit)
    title = words("game.part", part=log + 1, title=title) if len(played.logs) > 1 else title
    return Picture(_figure(log), title, figure, words("game.caption"))


# --- What the moves of a game cost, below its text: each seat's losses, and the moves that cost most ---


LEVEL, MOST = 0.95, 10
"""Confidence level, and the largest number of moves that are named."""


def costs_text(decisions: Sequence[Decision], words: Words) -> str:
    """Return the text, line by line, of all decisions of the game among several moves."""
    return "".join(f"{line}\n" for line in _lines(decisions, words))


def _lines(decisions: Sequence[Decision], words: Words) -> Iterator[str]:
    heading = words("costs.heading")
    yield from (heading, "-" * len(heading), words("costs.how", count=len(decisions), tables=TABLES), "")
    for seat in sorted({one.seat for one in decisions}):
        own = [one for one in decisions if one.seat == seat]
        error = bonferroni(LEVEL) * math.sqrt(sum(one.error**2 for one in own)) / len(own)
        loss = sum(one.loss for one in own) / len(own)
        yield words("costs.seat", seat=seat + 1, count=len(own), loss=100 * loss, error=100 * error)
    certain = bonferroni(LEVEL, len(decisions))
    clear = sorted((one for one in decisions if one.loss > certain * one.error), key=lambda one: -one.loss)[:MOST]
    yield from ("", words("costs.worst" if clear else "costs.none"))
    for one in clear:
        yield words(
            "costs.move",
            seat=one.seat + 1,
            question=printable(one.question),
            answer=printable(one.answer),
            best=printable(one.best),
            loss=100 * one.loss,
            error=100 * certain * one.error,
        )
