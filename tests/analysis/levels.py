"""Verdicts on games in which the seats win with known chances, independently and without ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from analysis.data.results import Verdict
from analysis.seats.agreement import FEW, SEVERAL, agreement
from analysis.seats.looks import looks_up_to
from analysis.seats.shares import Lines, judge_lines
from analysis.stats.intervals import each_look, max_t, share_interval
from analysis.stats.margin import FAIR
from analysis.stats.moments import Floats

Ranges = Callable[[Floats, int, float], tuple[Floats, Floats]]
"""Function of shares, the number of games and a constant that returns the ends of the ranges."""


def as_printed(share: Floats, games: int, constant: float) -> tuple[Floats, Floats]:
    """Return the ranges of the product."""
    return share_interval(share, np.sqrt(share * (1 - share) / (games - 1)), games, constant)


def all_judged(share: Floats, games: int, ranges: Ranges = as_printed, level: float = 0.95) -> Iterator[Verdict]:
    """Yield the verdict on each row of shares of the wins."""
    seats = share.shape[1]
    par, labels = np.full(seats, 1 / seats), [{"seat": seat} for seat in range(1, seats + 1)]
    error, room, (low, high) = (
        np.sqrt(share * (1 - share) / (games - 1)),
        FAIR.at(par),
        ranges(share, games, max_t(seats, level)),
    )
    for ends in zip(share, error, low, high, strict=True):
        yield judge_lines("seats", Lines(labels, *ends, par, room), games, {"part": FAIR.size})


def judged(share: Floats, games: int) -> Verdict:
    """Return the verdict on shares of the wins."""
    return next(all_judged(share[None, :], games))


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
    wins, times = np.unique(drawn, axis=0, return_counts=True)
    said = Counter[str]()
    for other, count in zip(all_judged(wins / games, games, ranges), times.tolist(), strict=True):
        said[agreement(verdict, other).says] += count
    return {answer: 100 * count / runs for answer, count in said.items()}


def looked(
    verdict: Verdict, truth: Sequence[float], most: int, runs: int, seed: int, ranges: Ranges = as_printed
) -> tuple[dict[str, float], float]:
    """Return the same for games that end at the look at which the answer is known, and the mean number of games."""
    rng, said, played, games = np.random.default_rng(seed), Counter[str](), 0, 0
    looks = looks_up_to(most)
    wins = np.zeros((runs, len(truth)), np.int64)
    for look in looks:
        wins += rng.multinomial(look - games, np.array(truth) / len(truth), size=len(wins))
        games = look
        judged_now = all_judged(wins / games, games, ranges, each_look(0.95, len(looks)))
        answers_now = [agreement(verdict, other).says for other in judged_now]
        left = np.array([one in (FEW, SEVERAL) and look < most for one in answers_now], bool)
        said.update(one for one, goes_on in zip(answers_now, left, strict=True) if not goes_on)
        played += games * int((~left).sum())
        wins = wins[left]
    return {answer: 100 * count / runs for answer, count in said.items()}, played / runs
