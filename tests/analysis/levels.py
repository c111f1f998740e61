"""Verdicts on games in which the seats win with known chances, independently and without ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from analysis.data.results import Verdict
from analysis.seats.agreement import agreement
from analysis.seats.verdicts import Lines, judge_lines
from analysis.stats.intervals import max_t, share_interval
from analysis.stats.margin import FAIR
from analysis.stats.moments import Floats

Ranges = Callable[[Floats, int], tuple[Floats, Floats]]
"""Function of the shares and the number of games that returns the ends of their ranges."""


def as_printed(share: Floats, games: int) -> tuple[Floats, Floats]:
    """Return the ranges of the product."""
    return share_interval(share, np.sqrt(share * (1 - share) / (games - 1)), games, max_t(len(share)))


def judged(share: Floats, games: int, ranges: Ranges = as_printed) -> Verdict:
    """Return the verdict on shares of the wins."""
    par, seats = np.full(len(share), 1 / len(share)), range(1, len(share) + 1)
    error = np.sqrt(share * (1 - share) / (games - 1))
    lines = Lines([{"seat": seat} for seat in seats], share, error, *ranges(share, games), par, FAIR.at(par))
    return judge_lines("seats", lines, games, {})


def sure(times: Sequence[float]) -> Verdict:
    """Return the verdict on so many games that the seats' shares, in multiples of par, are exact."""
    return judged(np.array(times) / len(times), 10_000_000)


def one_off(players: int, times: float) -> tuple[float, ...]:
    """Return shares in multiples of par: that of the first seat, and equal ones of the others."""
    return (times, *[(players - times) / (players - 1)] * (players - 1))


def two_off(players: int) -> tuple[float, ...]:
    """Return shares of which the second is surely the largest, and the first is too large as well."""
    return (1.25, 1.5, *[(players - 2.75) / (players - 2)] * (players - 2))


def answers(
    verdict: Verdict, truth: Sequence[float], games: int, runs: int, seed: int, ranges: Ranges = as_printed
) -> dict[str, float]:
    """Return how often, in percent, games with known shares (in multiples of par) give each answer to a verdict."""
    drawn = np.random.default_rng(seed).multinomial(games, np.array(truth) / len(truth), size=runs)
    said = Counter[str]()
    for wins, times in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True):
        said[agreement(verdict, judged(wins / games, games, ranges)).says] += int(times)
    return {answer: 100 * count / runs for answer, count in said.items()}
