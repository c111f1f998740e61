"""Find changes of the rules that mend a game, judge them on fresh deals, and say what they do to everything else."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import polars as pl

from analysis.compare.comparing import tuning_notes
from analysis.compare.moved import CARD_GAMES, GAMES, what_moved
from analysis.data.declarations import load_declarations
from analysis.data.player_notes import weak_notes
from analysis.data.results import Note
from analysis.data.sources import SpecSource
from analysis.mend.levers import Lever, Point, settings_of, size_of
from analysis.mend.playing import GameTable, Retune, Seen, Tick, Who, measure
from analysis.mend.prices import fair_prices
from analysis.mend.result import MEETS, MISSES, OPEN, Mend
from analysis.mend.search import FRESH, FRONTIER, SEARCH, SURELY, Effort, Search
from analysis.mend.targets import Line, distances, farthest, read_lines
from analysis.mend.verdicts import judge
from analysis.seats.distance import distance
from analysis.stats.intervals import bonferroni, check_level, share_interval, with_few
from analysis.stats.margin import Margin
from analysis.stats.moments import Floats
from simcore.running.batch import Spec
from strategies.habit import habits

LEFT = ("left", "left_low", "left_high")
"""Columns of the distance that a change leaves between the best and the worst seat or camp."""

ALL = 1e-6
"""Accuracy with which the wanted shares of all seats add up to 1."""

LEAST_APART = 0.0005
"""Smallest difference among players, as a share of all wins, that a note mentions."""

Agree = Callable[[float], None]
"""Called with the seconds that a search will take; raises an error if that is too long."""


def mend(
    spec: Spec,
    levers: Sequence[Lever],
    targets: Sequence[str],
    margin: Margin,
    keep: Sequence[str] = (),
    tune: Retune | None = None,
    effort: Effort | None = None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda what, done, total: None,
    agree: Agree = lambda seconds: None,
    tuning: float = 0.0,
) -> Mend:
    """Return the smallest changes that mend a game.

    Parameters
    ----------
    spec
        The game as it is; all random numbers depend on its seed.
    levers
        What may change; see `analysis.mend.levers.find_levers`.
    targets, margin, keep
        What a mended game looks like; see `analysis.mend.targets.read_lines`.
    tune
        Function that tunes players for a change.  If None, they play by habit.
    effort
        How much to play.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    tick
        Function that shows progress.
    agree
        Function that is called with the time that the search will take.
    tuning
        Approximate number of games that one tuning plays; if negative, the number of seconds that it takes.

    Raises
    ------
    UsageError
        If a target is unknown, or no lever changes any game.
    """
    check_level(level)
    effort = effort or Effort()
    declared = load_declarations(spec.game.name)
    lines = read_lines(spec, targets, keep, margin, declared.length)
    planned, done = effort.planned(levers), 0

    def hear(games: int) -> None:
        nonlocal done
        done = min(done + games, planned)
        tick("games", done, planned)

    table = GameTable(spec, levers, lines, tune, threads, hear)
    search = Search(table, levers, lines, effort, spec.seed % 2**31, level)
    measure(table.spec_at(search.base, SEARCH, 1), lines, threads)  # so that kernels are there
    began = time.perf_counter()
    search.settle()
    if table.played:
        each = (time.perf_counter() - began) / table.played
        tunings = effort.rounds + effort.finalists + FRONTIER if tune is not None and _learns(table, search) else 0
        agree(each * planned + tunings * (-tuning if tuning < 0 else each * tuning))
    search.trace()
    survey = search.survey()
    picture, here, who = search.learned(survey)
    promising = search.race(picture, who)
    smaller = search.fewer(survey, picture, who, search.touched(promising[0])) if promising else []
    judged = search.polish(search.judge(list(dict.fromkeys([*promising, *smaller]))), picture)
    games = SURELY * effort.games
    before = table.see(search.base, FRESH, games, ())
    played = [(table.see(one.point, FRESH, games, known), known) for one, known in judged]
    constant = bonferroni(level, max(len(played), 1) * len(search.lines))
    fresh = _ranked(search, played, constant)[: effort.finalists]
    habit = [table.see(one.point, FRESH, games, ()) if known else one for one, known in fresh]
    rows, changes = _told(search, before, fresh, habit, constant)
    curve_rows = search.table_of_curves
    frontier = _frontier(search, [before, *(one for one, _ in played)], level)
    prices = pl.DataFrame()
    if declared.seat_coins:
        prices = fair_prices(levers, search.lines, picture, here, declared.seat_coins, spec.players, level)
    moved = _moved(table, search.base, fresh, games, level, tick)
    games, inputs = table.played + table.kept, SpecSource(spec).inputs(spec.games, before.deals, 0)
    target = ", ".join([*targets, *(f"{name} kept" for name in keep)])
    notes = [*_warnings(table, fresh), *tuning_notes(table.retuned)]
    notes += _apart(search, fresh)
    if table.kept:
        notes.append(Note("mend_kept", {"games": table.kept, "total": table.kept + table.played}))
    return Mend(
        inputs=(replace(inputs, games=games, planned=games),),
        level=level, table=rows,
        verdicts=judge(changes, rows, search.curves, prices, target, spec.players, _already(search, before, level)),
        notes=tuple(notes), changes=changes, curves=curve_rows, frontier=frontier, prices=prices, moved=moved,
        players=spec.players, target=target, best=tuple(table.rules(one.point) for one, _ in fresh),
        retuned=tuple(table.retuned),
    )  # fmt: skip


def _learns(table: GameTable, search: Search) -> bool:
    """Return whether some player would play changed rules by habit, and therefore has to learn them."""
    first = search.levers[0]
    point = (first.low if first.down else first.high, *search.base[1:])
    return bool(habits(table.spec_at(point, SEARCH, 1)))


def change_of(levers: Sequence[Lever], point: Point) -> str:
    """Return the name of a change; empty for the rules as they are."""
    return ", ".join(settings_of(levers, point))


def _ends(lines: Sequence[Line], seen: Seen, constant: float) -> tuple[Floats, Floats]:
    """Return the ends of the intervals of all lines."""
    mean, error = seen.mean, seen.error
    wide = float(with_few(constant, len(seen.blocks)))
    low, high = mean - wide * error, mean + wide * error
    part = np.array([line.is_share for line in lines])
    ends = share_interval(np.clip(mean, 0, 1), error, seen.deals, wide)
    return np.where(part, ends[0], low), np.where(part, ends[1], high)


def _target(lines: Sequence[Line], seen: Seen, constant: float) -> str:
    """Return whether a change meets all its targets, misses one of them, or is undecided."""
    low, high = _ends(lines, seen, constant)
    bands = [(line.wanted - line.near, line.wanted + line.near) for line in lines]
    ends = list(zip(bands, low, high, strict=True))
    if any(least > highest or most < lowest for (lowest, highest), least, most in ends):
        return MISSES
    return MEETS if all(least >= lowest and most <= highest for (lowest, highest), least, most in ends) else OPEN


def _ranked(search: Search, played: Sequence[tuple[Seen, Who]], constant: float) -> list[tuple[Seen, Who]]:
    """Return the changes that meet the target, smallest first, then the undecided ones, closest first.

    Changes that miss it are left out, unless all do; then the closest one is returned.  The intervals of all changes
    hold at once, so that these may be chosen.
    """

    def order(pair: tuple[Seen, Who]) -> tuple[int, float]:
        seen = pair[0]
        if _target(search.lines, seen, constant) == MEETS:
            return 0, size_of(search.levers, seen.point)
        return 1, farthest(search.lines, seen.mean)

    ranked = sorted(played, key=order)
    return [pair for pair in ranked if _target(search.lines, pair[0], constant) != MISSES] or ranked[:1]


def _between(lines: Sequence[Line], seen: Seen, constant: float) -> dict[str, float | None]:
    """Return the distance that a change leaves between the best and the worst seat (or camp).

    None if the wins of the seats, or of the camps, are not all among the targets.
    """
    for kind in ("camp", "seat"):
        own = [at for at, line in enumerate(lines) if line.kind == kind and not line.kept]
        if sum(lines[at].wanted for at in own) > 1 - ALL:
            low, high = _ends(lines, seen, constant)
            found = distance(seen.mean[own], low[own], high[own], [lines[at].wanted for at in own])
            return dict(zip(LEFT, astuple(found), strict=True))
    return dict.fromkeys(LEFT)


def _already(search: Search, before: Seen, level: float) -> bool:
    """Return whether the rules as they are meet the target with confidence."""
    low, high = _ends(search.lines, before, bonferroni(level, len(search.lines)))
    bands = ((line.kept, line.wanted - line.near, line.wanted + line.near) for line in search.lines)
    return all(
        kept or (least >= lowest and most <= highest)
        for (kept, lowest, highest), least, most in zip(bands, low, high, strict=True)
    )


def _told(
    search: Search, before: Seen, fresh: Sequence[tuple[Seen, Who]], habit: Sequence[Seen], constant: float
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return one row for each change and line, and one row for each change."""
    rows: list[dict[str, Any]] = []
    changes: list[dict[str, Any]] = []
    for rank, ((seen, _), by_habit) in enumerate(zip(fresh, habit, strict=True), 1):
        low, high = _ends(search.lines, seen, constant)
        for at, line in enumerate(search.lines):
            least, most = line.wanted - line.near, line.wanted + line.near
            rows.append(
                {
                    "rank": rank, "change": change_of(search.levers, seen.point), "name": line.name, "kind": line.kind,
                    "is_share": line.is_share, "kept": line.kept, "wanted": line.wanted, "lowest": least,
                    "highest": most, "before": float(before.mean[at]), "habit": float(by_habit.mean[at]),
                    "value": float(seen.mean[at]), "value_low": float(low[at]), "value_high": float(high[at]),
                }
            )  # fmt: skip
        changes.append(
            {
                "rank": rank, "change": change_of(search.levers, seen.point), "touched": search.touched(seen.point),
                "size": size_of(search.levers, seen.point), "farthest": farthest(search.lines, seen.mean),
                **_between(search.lines, seen, constant),
                "target": _target(search.lines, seen, constant), "deals": seen.deals,
            }
        )  # fmt: skip
    return pl.DataFrame(rows), pl.DataFrame(changes)


def _frontier(search: Search, seen: Sequence[Seen], level: float) -> pl.DataFrame:
    """Return the size of each change and the distance that it leaves, smallest first."""
    constant = bonferroni(level, len(seen) * len(search.lines))
    rows = []
    targets = np.array([not line.kept for line in search.lines])
    order = {one.point: one for one in sorted(seen, key=lambda one: size_of(search.levers, one.point))}
    for one in order.values():
        low, high = _ends(search.lines, one, constant)
        at = int(np.argmax(np.where(targets, distances(search.lines, one.mean), -1)))
        line = search.lines[at]
        rows.append(
            {
                "touched": search.touched(one.point), "size": size_of(search.levers, one.point),
                "change": change_of(search.levers, one.point), "farthest": line.name, "kind": line.kind,
                "is_share": line.is_share, "wanted": line.wanted, "value": float(one.mean[at]),
                "value_low": float(low[at]), "value_high": float(high[at]),
                "off": abs(float(one.mean[at]) - line.wanted),
                "off_low": max(float(low[at]) - line.wanted, line.wanted - float(high[at]), 0.0),
                "off_high": max(abs(float(high[at]) - line.wanted), abs(float(low[at]) - line.wanted)),
                "distance": float(distances(search.lines, one.mean)[at]), **_between(search.lines, one, constant),
            }
        )  # fmt: skip
    return pl.DataFrame(rows)


def _moved(
    table: GameTable, base: Point, fresh: Sequence[tuple[Seen, Who]], games: int, level: float, tick: Tick
) -> pl.DataFrame:  # fmt: skip
    """Return what else every change moves, with players who know it."""
    if table.spec.searches:
        return pl.DataFrame()
    most = min(games, GAMES) + min(games, CARD_GAMES)
    frames = []
    before = table.spec_at(base, FRESH, games)
    for rank, (seen, who) in enumerate(fresh, 1):
        after = table.spec_at(seen.point, FRESH, games, *who[:1])
        at = (rank - 1) * most
        found = what_moved(
            before, after, level,
            lambda done, at=at: tick("games of what else moved", at + done, most * len(fresh)),  # type: ignore[misc]
        )  # fmt: skip
        frames.append(found.select(pl.lit(rank).alias("rank"), pl.all()))
    return pl.concat(frames) if frames else pl.DataFrame()


def _apart(search: Search, fresh: Sequence[tuple[Seen, Who]]) -> list[Note]:
    """Return how much the players who know the best change differ in a wanted share."""
    for seen, who in fresh[:1]:
        shares = [line.is_share and not line.kept for line in search.lines]
        if seen.apart is not None and len(who) > 1 and any(shares):
            most = float(seen.apart[shares].max())
            values = {"players": len(who), "most": most, "change": change_of(search.levers, seen.point)}
            return [Note("mend_apart", values)] if most >= LEAST_APART else []
    return []


def _warnings(table: GameTable, fresh: Sequence[tuple[Seen, Who]]) -> list[Note]:
    """Return warnings if the best changes were judged by weak players, or by players who do not know them."""
    weak = list(dict.fromkeys(note for seen, _ in fresh for note in weak_notes(table.spec_at(seen.point, FRESH, 1))))
    if any(who for _, who in fresh):
        return weak
    found = [habit for seen, _ in fresh for habit in habits(table.spec_at(seen.point, FRESH, 1))]
    names = tuple(dict.fromkeys(one.strategy for one in found))
    return [*weak, *([Note("mend_habit", {"strategies": names})] if found else [])]
