"""Play the cells of a sweep on the same deals, stop those that cannot meet the target, and put the grid together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.compare.moved import COURSE
from analysis.compare.shares import Wins, Won, together
from analysis.data.player_notes import weak_notes
from analysis.data.results import Inputs, Note
from analysis.data.resumable import resumable
from analysis.data.sources import SpecSource
from analysis.data.store import digest_of
from analysis.measures.quantities import Quantities, known_families
from analysis.measures.sampling import Estimand, Sampler
from analysis.seats.distance import DISTANCE, distance
from analysis.stats.intervals import check_level
from analysis.stats.moments import MIN_DEALS
from analysis.stats.sequential import anytime_half_width
from analysis.sweep.grid import Cell
from analysis.sweep.kept import Course, Played, averaged, keep, recall
from analysis.sweep.result import Sweep
from analysis.sweep.tables import course_rows, headed, judged, means, share_rows
from analysis.sweep.target import Target
from analysis.sweep.verdicts import judge
from simcore.running.batch import Spec
from strategies.habit import SHOWN, habits

COURSE_GAMES = 20_000
"""Largest number of games of a cell in which the course of the game is measured."""

FIRST_LOOK, GROWTH = 1 / 16, 1.5
"""Part of a cell's deals after which it may first be stopped, and growth from one look to the next."""

Measured = tuple[str, bool]
"""The family of the measure that is the target, and whether it is a share."""

Tick = Callable[[int, int], None]
"""Called from time to time with the number of games so far, and the total."""

Agree = Callable[[float], None]
"""Called with the seconds that a sweep will take, after its first cell; raises an error if that is too long."""


@dataclass(frozen=True)
class _Stop:
    """When a cell is hopeless."""

    target: Target
    alpha: float

    def hopeless(self, spec: Spec, won: NDArray[Any]) -> bool:
        """Return whether a share is outside its band with confidence, at any number of looks."""
        lines, low, high = self.target.bands(spec)
        share, error = means(spec, won, lines, more=1)
        planned = spec.games // spec.games_per_deal
        half = np.array([anytime_half_width(se, len(won), planned, self.alpha / len(lines)) for se in error])
        return bool(len(won) >= MIN_DEALS and ((share - half > high) | (share + half < low)).any())


def sweep(
    cells: Sequence[Cell],
    target: Target | None = None,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda done, total: None,
    agree: Agree = lambda seconds: None,
) -> Sweep:
    """Return the results of the cells of a grid.

    Parameters
    ----------
    cells
        See `analysis.sweep.grid.cells_of`.
    target
        What a good cell looks like.  A cell that misses it with confidence is stopped; the probability that any cell
        that does meet it is stopped is at most 1 - `level`, for the whole grid.  A cell that the players of several
        tunings play is never stopped, because how much they differ is known only in the end.
    level
        Confidence level.
    threads
        Number of threads.  If None, one for each processor.
    tick
        Function that shows progress.
    agree
        Function that is called with the time that the sweep will take.

    Raises
    ------
    UsageError
        If the target names a seat, role or camp that a cell does not have.
    """
    check_level(level)
    for cell in cells if target else ():
        assert target is not None
        target.measure(cell.spec)
    count = len(cells)
    measure = target.measure(cells[0].spec) if target else None
    stop = _Stop(target, (1 - level) / count) if target and not measure else None
    runs = [(spec, stop if cell.values and not cell.others else None) for cell in cells for spec in cell.specs]
    results = _results(runs, measure, threads, tick, agree)
    total, saved, kept = sum(spec.games for spec, _ in runs), 0, 0
    inputs: list[Inputs] = []
    frames: list[pl.DataFrame] = []
    rows: list[dict[str, Any]] = []
    for _, group in groupby(cells, key=lambda cell: (cell.lineup, cell.spec.players)):
        base: Wins | None = None
        for cell in group:
            several = [next(results) for _ in cell.specs]
            spec, played = cell.spec, averaged(several)
            totals = together([Wins(spec, one.won, len(one.won) * spec.games_per_deal) for one in several])
            base, deals, games = base or totals, totals.deals, totals.games
            saved += spec.games - games if played.stopped else 0
            kept += sum(len(one.won) * spec.games_per_deal for one in several if one.again)
            inputs.append(SpecSource(spec).inputs(games, deals, 0))
            verdict = judged(target, totals, played, level, count)
            head: dict[str, Any] = {key: cell.values.get(key) for key in _keys(cells)}
            head |= {"players": spec.players, "lineup": cell.lineup}
            shares = list(share_rows(base, totals, played, level, count))
            frames += [headed(frame, head) for frame in (*shares, course_rows(played, level))]
            main = shares[-1]
            apart = distance(*(main[name].to_numpy() for name in ("value", "value_low", "value_high", "par")))
            scale = base.judged.spanning(totals.judged)
            moved = (totals.on(scale).won != base.on(scale).won[:deals]).any(axis=1)
            rows.append(
                head
                | {"deals": deals, "games": games, "changed": float(moved.mean())}
                | dict(zip(DISTANCE, astuple(apart), strict=True))
                | {"target": verdict}
                | {"stopped": played.stopped, "again": played.again}
            )
    types = dict.fromkeys(_keys(cells), pl.String)
    table, grid = pl.concat(frames, how="diagonal"), pl.DataFrame(rows, schema_overrides=types)
    keys = tuple(_keys(cells))
    notes = [Note("sweep_kept", {"games": kept, "total": total})] if kept else []
    if saved:
        notes.append(Note("sweep_saved", {"cells": int(grid["stopped"].sum()), "games": saved, "total": total}))
    notes += dict.fromkeys(note for cell in cells for note in weak_notes(cell.spec))
    notes += _by_habit(cells)
    lineups = tuple({cell.lineup: cell.spec.strategies for cell in cells}.values())
    text = target.text if target else ""
    game, unit = cells[0].spec.game, cells[0].spec.judged.unit
    verdicts = judge(table, grid, keys, text, game.camp_titles, unit)
    return Sweep(tuple(inputs), level, table, verdicts, tuple(notes), grid, keys, text, lineups, saved, kept, unit)


def _by_habit(cells: Sequence[Cell]) -> list[Note]:
    """Return a note on players who were tuned for other rules than those of some cells."""
    found = [habit for cell in cells for habit in habits(cell.spec) if habit.generations is None]
    if not found:
        return []
    keys = tuple(dict.fromkeys(key for one in found for key in one.changed))
    shown = keys if len(keys) <= SHOWN else (*keys[:SHOWN], "…")
    return [Note("habit_sweep", {"strategies": tuple(dict.fromkeys(one.strategy for one in found)), "keys": shown})]


def _keys(cells: Sequence[Cell]) -> list[str]:
    return list(dict.fromkeys(key for cell in cells for key in cell.values))


def _results(
    runs: Sequence[tuple[Spec, _Stop | None]], measure: Measured | None, threads: int | None, tick: Tick, agree: Agree
) -> Iterator[Played]:
    """Yield the results of runs, each with when it is hopeless: from an earlier sweep, or played now."""
    total, done = sum(spec.games for spec, _ in runs), 0
    known = [_recalled(spec, stop, measure) for spec, stop in runs]
    todo = sum(spec.games for (spec, _), found in zip(runs, known, strict=True) if found is None)
    for (spec, stop), found in zip(runs, known, strict=True):
        played = found or _recalled(spec, stop, measure)
        if played is None:
            began = _compiled(spec)
            played = _play(spec, stop, measure, threads, lambda games, at=done: tick(at + games, total))  # type: ignore[misc]
            if todo:
                agree((time.perf_counter() - began) * (todo / spec.games - 1))
                todo = 0
        done += spec.games
        tick(done, total)
        yield played


def _recalled(spec: Spec, stop: _Stop | None, measure: Measured | None) -> Played | None:
    """Return what was stored for a run: complete, with the measure that is the target, or stopped for one."""
    found = recall(spec, *([measure] if measure else []))
    return recall(spec, stop) if found is None and stop else found


def _compiled(spec: Spec) -> float:
    """Play one deal, so that the kernels are compiled, and return the time."""
    source = SpecSource(spec, spec.games_per_deal)
    list(source.read(source.stretches()[0], source.judged.columns))
    return time.perf_counter()


class _Looking(Won):
    """What was won so far, and the number of deals before the next look."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec.games, spec.players)
        self.look = FIRST_LOOK * (spec.games // spec.games_per_deal)


def _play(
    spec: Spec, stop: _Stop | None, measure: Measured | None, threads: int | None, tick: Callable[[int], None]
) -> Played:
    """Play a cell, continuing where an earlier process was interrupted, and store it."""
    total, stopped = _Looking(spec), False
    planned = spec.games // spec.games_per_deal
    digest = digest_of(spec, "part of a cell", stop)
    work, stretches = partial(_shares_won, spec), _stretches(spec, stop)
    with closing(resumable(total, digest, work, stretches, threads, travels=True)) as results:
        for part in results:
            total.add(part)
            tick(total.games)
            deals = total.games // spec.games_per_deal
            if stop and total.look <= deals < planned:
                total.look = deals * GROWTH
                if stopped := stop.hopeless(spec, _won(spec, total)):
                    break
    played = Played(_won(spec, total), _measured(spec, measure), stopped)
    keep(played, spec, *([stop] if stopped else [measure] if measure else []))
    return played


def _stretches(spec: Spec, stop: _Stop | None) -> list[range]:
    """Return the parts of a cell; if it may be stopped, none is longer than what is played before the first look."""
    whole = list(SpecSource(spec).stretches())
    if stop is None:
        return whole
    most = max(round(FIRST_LOOK * spec.games / spec.games_per_deal), 1) * spec.games_per_deal
    return [range(first, min(first + most, one.stop)) for one in whole for first in range(one.start, one.stop, most)]


def _shares_won(spec: Spec, stretch: range) -> NDArray[np.int32]:
    """Play some games of a cell; return what every seat won in each."""
    source = SpecSource(spec)
    return np.concatenate([source.won_in(columns) for _, columns in source.read(stretch, source.judged.columns)])


def _won(spec: Spec, total: Won) -> NDArray[np.int32]:
    """Return what every seat won in each complete deal."""
    deals = total.games // spec.games_per_deal
    whole = total.won[: deals * spec.games_per_deal].reshape(deals, spec.games_per_deal, spec.players)
    return np.asarray(whole.sum(axis=1, dtype=np.int32))


def _measured(spec: Spec, measure: Measured | None) -> Course:
    """Measure the course of the game in the first deals, or in all of them if a measure is the target."""
    source = SpecSource(spec if measure else replace(spec, games=min(spec.games, COURSE_GAMES)))
    known = known_families(source)
    wanted = [name for name in dict.fromkeys([*COURSE, *(measure or ())[:1]]) if name in known]
    quantities = Quantities(source, wanted)
    items = [item for item in quantities.items if item.family in wanted]
    if not items:
        return ()
    estimands = [Estimand(item.family, item.member) for item in items]
    sums = Sampler(source.spec, None, estimands).play(range(source.planned // spec.games_per_deal), ())
    value, _, _, error = sums.shift.values()
    return [
        (item.family, item.member, item.is_share, float(value[at]), float(error[at]), sums.deals)
        for at, item in enumerate(items)
    ]
