"""Statistics with published answers, which every machine must find again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.choice import Model
from analysis.stats.intervals import difference_interval, max_t, rate_interval, share_interval, with_few
from analysis.stats.moments import Floats
from analysis.stats.multiple_testing import adjust, anytime_half_width, gsprt, tost

Answers = float | Sequence[float | Floats] | Floats
"""One number or several."""

_PAPER = "0.0001 0.0004 0.0019 0.0095 0.0201 0.0278 0.0298 0.0344 0.0459 0.3240 0.4262 0.5719 0.6528 0.7590 1"
"""P-values of fifteen hypotheses on thrombolysis."""

_HOME = """
4 3  4 2  4 3  6 1  4 2  6 0
3 3  4 2  4 3  6 0  6 1  4 3
2 5  4 3  2 4  4 3  4 2  6 0
3 3  5 1  2 5  4 3  4 2  6 1
5 1  2 5  3 3  4 2  5 2  6 0
2 5  3 3  3 4  4 3  4 2  2 4
2 5  1 5  1 6  2 4  1 6  3 4
"""
"""Home wins and losses of seven baseball teams against each other one, American League 1987."""


@dataclass(frozen=True)
class Known:
    """A statistic whose answer is known."""

    name: str
    source: str
    """name, source: What it is, and where the answer was published."""
    compute: Callable[[], Answers]  # computes it
    answer: tuple[float, ...]  # what it must be
    digits: float  # largest distance from the answer, half a unit of its last published digit

    @property
    def is_right(self) -> bool:
        """Whether this machine finds the answer."""
        return bool(np.allclose(np.ravel(np.asarray(self.compute())), self.answer, rtol=0, atol=self.digits))


def _newcombe() -> Answers:
    """56 of 70 against 48 of 80, each with Wilson's interval."""
    one, other = (0.8, 0.691834, 0.876953), (0.6, 0.490455, 0.700382)
    half = math.hypot(*((high - low) / 2 / 1.96 for _, low, high in (one, other)))
    return difference_interval(one, other, half, 1.96)


def _baseball() -> Answers:
    pairs = np.array([(home, away) for home in range(7) for away in range(7) if away != home])
    fit = Model(pairs, 7, np.zeros_like(pairs), (1,)).fit(np.array(_HOME.split(), float).reshape(-1, 2))
    return np.asarray(fit.strength - fit.strength[6])


def _pentanomial() -> Answers:
    counts, scores = np.array([223, 9863, 21279, 10037, 246]), np.linspace(0, 1, 5)
    deals = int(counts.sum())
    mean = float(counts @ scores) / deals
    se = math.sqrt(counts @ (scores - mean) ** 2 / deals / deals)
    return gsprt(mean, se, *(1 / (1 + 10 ** (-elo / 400)) for elo in (0.5, 2.5)))


def _rejected(method: str) -> Answers:
    return int((adjust([float(p) for p in _PAPER.split()], method) <= 0.05).sum())


def _tost() -> Answers:
    return tost(0.001, math.sqrt((0.251 * 0.749 + 0.25 * 0.75) / 1e5), -0.01, 0.01)


AGRESTI = "Agresti, Categorical Data Analysis"
BH = "Benjamini and Hochberg (1995)"
EXACT = "Clopper and Pearson (1934)"
HOWARD = "Howard, Ramdas, McAuliffe and Sekhon (2021)"
KNOWN = (
    Known("normal point of .975", "any table", lambda: max_t(1), (1.959964,), 1e-6),
    Known("Student's t, 30 degrees of freedom", "any table", lambda: with_few(1.959964, 31), (2.0423,), 1e-4),
    Known("max-t of four shares", "docs/reference/methods.md", lambda: max_t(4), (2.469,), 6e-4),
    Known("share never won", EXACT, lambda: share_interval(0.0, 0.0, 60, 1.959964), (0.0, 1 - 0.025 ** (1 / 60)), 1e-9),
    Known("rate of nothing", EXACT, lambda: rate_interval(0.0, 0.0, 50), (0.0, 1 - 0.025 ** (1 / 50)), 1e-9),
    Known("difference of two shares", "Newcombe (1998)", _newcombe, (0.0524, 0.3339), 5e-5),
    Known("tests rejected by Bonferroni", BH, lambda: _rejected("bonferroni"), (3,), 0),
    Known("tests rejected by Holm", BH, lambda: _rejected("holm"), (3,), 0),
    Known("tests rejected by Benjamini-Hochberg", BH, lambda: _rejected("fdr_bh"), (4,), 0),
    Known("strengths of seven teams", AGRESTI, _baseball, (1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0), 5e-3),
    Known("interval at any time", HOWARD, lambda: anytime_half_width(0.1, 100, 100, 0.05), (0.3035209,), 5e-8),
    Known("ratio of a sequential test", "pentanomial GSPRT", _pentanomial, (-3.07,), 5e-3),
    Known("two one-sided tests", "Wald", _tost, (5.677, -4.645), 6e-4),
)
"""The statistics behind the verdicts, with a published answer for each; docs/reference/methods.md explains them."""
