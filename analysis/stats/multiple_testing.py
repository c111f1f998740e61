"""Corrections for multiple tests."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.intervals import LEAST_TUNINGS, with_few
from analysis.stats.moments import Floats

FARTHEST, HALVINGS = 37.0, 60
"""Largest normal quantile whose tail is above zero, and how often the search for one halves its range."""


def p_values(
    effect: ArrayLike, se: ArrayLike, deals: ArrayLike, spread: ArrayLike = 0.0, tunings: int = LEAST_TUNINGS
) -> Floats:
    """Return two-sided p-values of means against 0 (Student's t); NaN if the standard error is undefined.

    No p-value is smaller than that of the sign test if all n deals point one way, which is 1 / 2**(n - 1).  With a
    `spread` between tunings, it is the level at which the interval of `widened` ends at 0; NaN if there are too few.
    """
    from scipy.special import ndtr, stdtr

    value, error, count = (np.asarray(item, np.float64) for item in (effect, se, deals))
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(value / error)
    certain = np.where(value == 0, 1.0, 0.0)
    found = np.where(error > 0, 2 * stdtr(np.maximum(count - 1, 1), -score), certain)
    apart = np.asarray(spread, np.float64)
    if (apart > 0).any():
        low, high = np.zeros(value.shape), np.full(value.shape, FARTHEST)
        for _ in range(HALVINGS):
            constant = (low + high) / 2
            chance = np.where(error > 0, with_few(constant, count, 0) * error, 0)
            within = np.hypot(chance, with_few(constant, tunings, 0) * apart) < np.abs(value)
            low, high = np.where(within, constant, low), np.where(within, high, constant)
        told = 2 * ndtr(-low) if tunings >= LEAST_TUNINGS else np.nan
        found = np.where(apart > 0, told, found)
    return np.where(np.isfinite(error) & (count >= 2), np.maximum(found, 2.0 ** (1 - count)), np.nan)


def adjust(p: ArrayLike, method: str) -> Floats:
    """Return adjusted p-values of one family; NaN stays NaN and does not count as a test.

    p: Raw p-values.
    method: "holm" (Holm 1979) or "bonferroni" to control the probability of any false positive; "fdr_bh" (Benjamini and
        Hochberg 1995) to control the share of false ones among the positives.
    """
    raw = np.asarray(p, np.float64)
    known = np.isfinite(raw)
    adjusted = np.full(raw.shape, np.nan)
    if known.any():
        adjusted[known] = _METHODS[method](raw[known])
    return adjusted


def _holm(p: Floats) -> Floats:
    """Multiply the smallest p-value by the number of tests, the next by one less, and so on, without decreases."""
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def _bonferroni(p: Floats) -> Floats:
    return np.minimum(p * len(p), 1)


def _fdr_bh(p: Floats) -> Floats:
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(p), np.float64)


_METHODS = {"holm": _holm, "fdr_bh": _fdr_bh, "bonferroni": _bonferroni}


def adjust_within(p: ArrayLike, families: Iterable[object], method: str) -> Floats:
    """Return adjusted p-values of several families; `families` gives the family of each p-value."""
    raw = np.asarray(p, np.float64)
    members: dict[object, list[int]] = {}
    for number, family in enumerate(families):
        members.setdefault(family, []).append(number)
    adjusted = np.full(raw.shape, np.nan)
    for rows in members.values():
        adjusted[rows] = adjust(raw[rows], method)
    return adjusted
