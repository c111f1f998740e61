"""Where candidates play: many weights, the same tables, the same deals."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any, Self

import numpy as np

from simcore.batch import Spec, play_into
from simcore.lineup import UNIT
from simcore.records import blank, words
from simcore.tally import SHARE
from simcore.trace import TRACE
from strategies.model import Strategy
from strategies.spec import assemble_spec
from strategies.tuning.plan import Plan

CHUNK = 960
"""Most games that one thread plays at a stretch."""

Z95 = 1.959964

Array = np.ndarray[Any, Any]
Measure = Callable[[Spec, Array], Array]


@dataclass(frozen=True)
class Company:
    """Those who sit at a table with the candidate.

    Parameters
    ----------
    others
        One a seat that is not the candidate's, held seats first.
    """

    others: tuple[Strategy, ...]

    @property
    def players(self) -> int:
        """Players at the table."""
        return len(self.others) + 1

    @property
    def key(self) -> tuple[str, ...]:
        """What tells tables apart."""
        return tuple(other.digest for other in self.others)


@dataclass(frozen=True)
class Share:
    """What a player wins at some tables.

    Parameters
    ----------
    players
        Players at the table.
    mean, half_width
        Win share, and half of its 95 % interval, from deal means.
    deals
        How many deals.
    """

    players: int
    mean: float
    half_width: float
    deals: int

    @property
    def of_par(self) -> float:
        """Win share over the fair one."""
        return self.mean * self.players

    @property
    def interval(self) -> list[float]:
        """Share, lower and upper end, to four digits."""
        return [round(value, 4) for value in (self.mean, self.mean - self.half_width, self.mean + self.half_width)]


def par_of_deals(spec: Spec, rows: Array) -> Array:
    """Return what the candidate won in each deal, 1 a fair share."""
    mine = rows["share60"][rows["strategy"] == spec.game.held_seats].reshape(-1, spec.games_per_deal)
    return mine.mean(axis=1) * (spec.players / SHARE)


def fates(spec: Spec, rows: Array) -> Array:
    """Return one number a game that tells games of the same deal apart."""
    cells = np.ascontiguousarray(rows).view(np.int32).reshape(-1, spec.players * words(spec.game.row_dtype))
    return cells.astype(np.int64) @ np.random.default_rng(7).integers(1, 1 << 40, cells.shape[1])


class Arena:
    """Plays candidates on several threads.

    Parameters
    ----------
    plan
        The tuning.
    threads
        How many; no outcome depends on it.
    """

    def __init__(self, plan: Plan, threads: int) -> None:
        self.plan = plan
        self.games = 0
        self._pool = ThreadPoolExecutor(threads)
        self._memory = threading.local()
        self._specs: dict[tuple[str, ...], Spec] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def play(
        self, candidates: Array, companies: Sequence[Company], seed: int, deals: int, measure: Measure = par_of_deals
    ) -> list[list[Array]]:
        """Play every candidate at every table.

        Parameters
        ----------
        candidates
            Weights, one row a candidate.
        companies
            The tables.
        seed
            Key of the deals, which are the same for all candidates.
        deals
            Deals at each table.
        measure
            What becomes of the rows of some games.

        Returns
        -------
        list of list of numpy.ndarray
            By candidate and table: what `measure` gave, deal after deal.
        """
        specs = [replace(self._spec(company), seed=seed) for company in companies]
        tasks = []
        for weights in candidates:
            scaled = np.rint(weights * UNIT).astype(np.int64)
            for spec in specs:
                lineup = spec.lineup_record.copy()
                lineup["members"][spec.game.held_seats]["weights"][: len(scaled)] = scaled
                seated = replace(spec, lineup_record=lineup)
                total, step = deals * spec.games_per_deal, CHUNK // spec.games_per_deal * spec.games_per_deal
                self.games += total
                tasks.append([
                    self._pool.submit(self._chunk, seated, first, min(step, total - first), measure)
                    for first in range(0, total, step)
                ])  # fmt: skip
        played = [np.concatenate([part.result() for part in parts]) for parts in tasks]
        return [played[first : first + len(specs)] for first in range(0, len(played), len(specs))]

    def means(self, candidates: Array, companies: Sequence[Company], seed: int, games: int) -> Array:
        """Return each candidate's wins, 1 a fair share: the mean over player counts of that over their tables."""
        counts = [company.players for company in companies]
        each = [[float(deals.mean()) for deals in row] for row in self._shared(candidates, companies, seed, games)]
        by_count = [
            [math.fsum(v for v, n in zip(row, counts, strict=True) if n == count) / counts.count(count) for row in each]
            for count in dict.fromkeys(counts)
        ]
        return np.mean(by_count, axis=0)  # type: ignore[no-any-return]

    def share(self, weights: Array, company: Company, seed: int, games: int) -> Share:
        """Return what a candidate wins at one kind of table, with its interval."""
        deals = self._shared(weights[None], [company], seed, games)[0][0] / company.players
        error = float(deals.std(ddof=1)) / math.sqrt(len(deals))
        return Share(company.players, float(deals.mean()), Z95 * error, len(deals))

    def _shared(self, candidates: Array, companies: Sequence[Company], seed: int, games: int) -> list[list[Array]]:
        """Play about as many games in all, whole deals, the same number at every table."""
        longest = max(company.players for company in companies)
        return self.play(candidates, companies, seed, max(2, games // (len(companies) * longest)))

    def _spec(self, company: Company) -> Spec:
        """Return the run of a table; the candidate's seat is played by the start."""
        if company.key not in self._specs:
            held = self.plan.game.held_seats
            candidate = replace(self.plan.start, name="")
            others = [replace(other, name=other.digest) for other in company.others]
            seats = [*others[:held], candidate, *others[held:]]
            spec = assemble_spec(self.plan.game, company.players, seats, self.plan.rules, 0, "rotate", 1)
            self._specs[company.key] = spec
        return self._specs[company.key]

    def _chunk(self, spec: Spec, first: int, games: int, measure: Measure) -> Array:
        """Play some games in this thread's memory."""
        memory = self._memory.__dict__
        if spec.players not in memory:
            memory[spec.players] = (
                np.zeros(CHUNK * spec.players, spec.game.row_dtype), blank(spec.game.state_dtype), blank(TRACE)
            )  # fmt: skip
        rows, state, trace = memory[spec.players]
        play_into(spec, first, rows[: games * spec.players], state, trace)
        return measure(spec, rows[: games * spec.players])
