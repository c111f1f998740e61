"""Corrections for multiple tests."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.moments import Floats


def p_values(effect: ArrayLike, se: ArrayLike, deals: ArrayLike) -> Floats:
    """Return two-sided p-values of means against 0 (Student's t); NaN if the standard error is undefined.

    No p-value is smaller than that of the sign test if all n deals point one way, which is 1 / 2**(n - 1).
    """
    from scipy.special import stdtr

    value, error, count = (np.asarray(item, np.float64) for item in (effect, se, deals))
    with np.errstate(divide="ignore", invalid="ignore"):
        score = np.abs(value / error)
    certain = np.where(value == 0, 1.0, 0.0)
    found = np.where(error > 0, 2 * stdtr(np.maximum(count - 1, 1), -score), certain)
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
