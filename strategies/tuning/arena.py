"""Where candidates play: many sets of weights at many tables, several at a time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from types import TracebackType
from typing import Any, Self

import numpy as np

from simcore.running.batch import Spec, play_into
from simcore.kernel.lineup import UNIT
from simcore.kernel.memory import own_memory
from simcore.running.workers import find_workers
from simcore.kernel.records import words
from strategies.spec import assemble_spec
from strategies.tuning.plan import Plan
from strategies.tuning.tables import Table

CHUNK = 960
"""Largest number of games that one thread plays at a stretch."""

Z95 = 1.959964

Array = np.ndarray[Any, Any]
Measure = Callable[[Spec, Array], Array]
"""Turns the rows of whole deals into one value for each deal and entry of the line-up, shape (deals, entries)."""


@dataclass(frozen=True)
class Share:
    """The share of games that a player wins at some table, or of another whole that is judged."""

    players: int  # players at the table
    mean: float
    half_width: float
    """mean, half_width: Win share, and half the width of its 95 % interval, from the means of deals."""
    deals: int  # number of deals
    par: float  # the share that such a player is meant to have

    @property
    def of_par(self) -> float:
        """Win share divided by par."""
        return self.mean * (1 / self.par)

    @property
    def interval(self) -> list[float]:
        """Share and the lower and upper end of its interval."""
        return [self.mean, self.mean - self.half_width, self.mean + self.half_width]


def by_entry(spec: Spec, rows: Array, values: Array) -> Array:
    """Return the mean of a seat's values over a deal's games, by deal and entry of the line-up."""
    shape = (-1, spec.players)
    sorted_values = np.empty(values.reshape(shape).shape)
    np.put_along_axis(sorted_values, rows["strategy"].reshape(shape), values.reshape(shape), axis=1)
    return np.asarray(sorted_values.reshape(-1, spec.games_per_deal, spec.players).mean(axis=1))


def won(spec: Spec, rows: Array) -> Array:
    """Return what each entry won in each deal, divided by the par of its role."""
    judged = spec.judged
    par = [fmean(judged.par[other] for other in role.at(spec.players)) for role in spec.roles]
    scale = np.array([1 / share / judged.parts for share in par])
    return by_entry(spec, rows, (judged.of_rows(rows).reshape(-1, spec.players) * scale).reshape(-1))


def margins(spec: Spec, rows: Array) -> Array:
    """Return by how much each seat's score is better than that of the best other seat, shape (games * players,).

    In a game with roles, that of the best seat of the other camps: players who win together do not compete.
    """
    field = next(column.field for column in spec.game.columns if column.name == spec.game.score)
    score = rows[field].reshape(-1, spec.players).astype(float) * (-1 if spec.game.lowest_wins else 1)
    if spec.game.asymmetric:
        best = np.empty_like(score)
        for seats in spec.camps.values():
            others = [seat for seat in range(spec.players) if seat not in seats]
            best[:, list(seats)] = score[:, others].max(axis=1, keepdims=True)
        return np.asarray((score - best).reshape(-1))
    ranked = np.sort(score, axis=1)
    best, second = ranked[:, -1:], ranked[:, -2:-1]
    return np.asarray((score - np.where(score == best, second, best)).reshape(-1))


def nearly_won(width: float) -> Measure:
    """Return the measure that the optimiser follows: a smooth win, for which a near miss counts almost as much.

    A win share does not show how close a game was.  The logistic of the margin over `width` does, and needs about
    half as many games to distinguish two players.
    """
    return partial(_nearly_won, width)


def _nearly_won(width: float, spec: Spec, rows: Array) -> Array:
    return by_entry(spec, rows, 1 / (1 + np.exp(np.clip(-margins(spec, rows) / width, -500, 500))))


def fates(spec: Spec, rows: Array) -> Array:
    """Return a number for each deal, the same for all entries, that differs if the deal's games go differently."""
    cells = np.ascontiguousarray(rows).view(np.int32).reshape(-1, spec.players * words(spec.game.row_dtype))
    keys = cells @ np.random.default_rng(7).random(cells.shape[1])
    return np.repeat(keys.reshape(-1, spec.games_per_deal).sum(axis=1)[:, None], spec.players, axis=1)


def play_stretch(spec: Spec, first: int, games: int, measure: Measure) -> Array:
    """Play some consecutive games of a table, and return the measure of them."""
    rows = np.zeros(games * spec.players, spec.game.row_dtype)
    play_into(spec, np.arange(first, first + games), rows, own_memory(spec.game))
    return measure(spec, rows)


class Arena:
    """Plays candidates, several tables at a time.

    plan: The tuning.
    threads: Number of threads; no outcome depends on it.
    """

    def __init__(self, plan: Plan, threads: int) -> None:
        self.plan = plan
        self._workers = find_workers(threads)
        self._specs: dict[tuple[int, tuple[str, ...]], Spec] = {}

    def __enter__(self) -> Self:
        self._workers.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._workers.__exit__(kind, error, trace)

    def play(self, candidates: Array, tables: Sequence[Table], seed: int, measure: Measure = won) -> list[Array]:
        """Play tables.

        Parameters
        ----------
        candidates
            Weights, one row for each candidate.
        tables
            Who sits where; deals with the same number are the same deals.
        seed
            Random seed of the deals.
        measure
            Function of the rows of some games.

        Returns
        -------
        list of numpy.ndarray
            For each table what `measure` returned, shape (deals, seats).
        """
        sets = {table.rules for table in tables}
        scaled = {which: np.rint(self.plan.under(candidates, which) * UNIT).astype(np.int64) for which in sets}
        parts = []
        for table in tables:
            spec = self._seated(table, scaled[table.rules], seed)
            first, games = table.first * spec.games_per_deal, table.deals * spec.games_per_deal
            step = CHUNK // spec.games_per_deal * spec.games_per_deal
            parts.append(
                [
                    self._workers.submit(play_stretch, spec, first + done, min(step, games - done), measure)
                    for done in range(0, games, step)
                ]
            )
        return [np.concatenate([part.result() for part in some]) for some in parts]

    def means(self, candidates: Array, tables: Sequence[Table], seed: int, measure: Measure = won) -> Array:
        """Return each candidate's mean of a measure: the mean over its deals, averaged over player counts."""
        counts = sorted({len(table.seats) for table in tables})
        total, deals = np.zeros((2, len(counts), len(candidates)))
        for table, played in zip(tables, self.play(candidates, tables, seed, measure), strict=True):
            count = counts.index(len(table.seats))
            for entry, seat in enumerate(table.seats):
                if isinstance(seat, int):
                    total[count, seat] += played[:, entry].sum()
                    deals[count, seat] += len(played)
        return np.asarray((total / deals).mean(axis=0))

    def share(self, weights: Array, tables: Sequence[Table], seed: int) -> Share:
        """Return what a candidate wins at some tables, with its interval; the mean over its seats if it has several."""
        seats = tables[0].seats
        own = [entry for entry, seat in enumerate(seats) if isinstance(seat, int)]
        par = self.plan.par(len(seats))
        deals = np.concatenate(self.play(weights[None], tables, seed))[:, own].mean(axis=1) / (1 / par)
        error = float(deals.std(ddof=1)) / math.sqrt(len(deals))
        return Share(len(seats), float(deals.mean()), Z95 * error, len(deals), par)

    def _seated(self, table: Table, scaled: Array, seed: int) -> Spec:
        """Return the run of a table."""
        key = (table.rules, table.others)
        if key not in self._specs:
            candidate, rules = self.plan.strategy("", self.plan.weights), self.plan.rule_sets[table.rules]
            own = self.plan.role.at(len(table.seats))
            seats = [
                replace(
                    candidate if isinstance(seat, int) else seat,
                    name=str(entry) if entry in own else self.plan.game.role_at(entry, len(table.seats)).name,
                )
                for entry, seat in enumerate(table.seats)
            ]
            self._specs[key] = assemble_spec(self.plan.game, len(seats), seats, rules, 0, "rotate", 1)
        spec = self._specs[key]
        lineup = spec.lineup_record.copy()
        for entry, seat in enumerate(table.seats):
            if isinstance(seat, int):
                lineup["members"][entry]["weights"][: scaled.shape[1]] = scaled[seat]
        return replace(spec, lineup_record=lineup, seed=seed)
