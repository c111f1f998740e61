"""Fit a value to what came of many tables: a weighted sum by ridge regression, and hidden units by gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategies.learning.gather import Seen
from strategies.tuning.journal import Journal
from strategies.value import Parts, Value

CHUNK = 8192
RIDGE = 1e-4
PASSES, LEAST_STEPS = 6, 1200
BATCH = 1024
FASTEST = 2e-3
HELD_OUT = 10
"""One row in so many is not fitted."""

WINS_ALONE, ENOUGH = 10.0, 2_000.0
"""Times the usual points for a win with which the lead hardly counts, and points that are enough in any game."""

Array = NDArray[Any]


class Fit(NamedTuple):
    """A fitted value.

    parts: Its numbers.
    fitted: Held-out R2: the part of the variance of outcomes that it foresees, on rows that were not fitted.
    """

    parts: Parts
    fitted: float


class Scaled(NamedTuple):
    """What turns the numbers that a seat sees, and their products with the time left, into inputs of mean 0, sd 1."""

    mean: Array
    sd: Array

    def inputs(self, numbers: Array) -> Array:
        """Return the inputs of some rows."""
        return (widened(numbers) - self.mean) / self.sd

    def unscaled(self, base: Array, weights: Array, out: Array) -> Parts:
        """Return the numbers of a value of raw numbers, given those for inputs."""
        raw = weights / self.sd
        return Parts(base - raw @ self.mean, raw, out)


def widened(numbers: Array) -> Array:
    """Return the numbers and their products with the first one, the time left."""
    found = numbers.astype(np.float32)
    return np.concatenate([found, found * found[:, :1]], axis=1)


def scale_of(seen: Seen) -> Scaled:
    """Return the means and standard deviations of the inputs."""
    count, total, squares = 0, 0.0, 0.0
    for first in range(0, len(seen.lead), CHUNK):
        wide = widened(seen.numbers[first : first + CHUNK]).astype(np.float64)
        count, total, squares = count + len(wide), total + wide.sum(0), squares + (wide**2).sum(0)
    mean = np.asarray(total) / count
    sd = np.sqrt(np.maximum(np.asarray(squares) / count - mean**2, 0))
    return Scaled(mean.astype(np.float32), np.where(sd > 1e-6, sd, np.inf).astype(np.float32))


def wins_alone(win: float) -> float:
    """Return so many points for a win that the lead hardly counts."""
    return max(win, min(win * WINS_ALONE, ENOUGH))


def fitted_value(journal: Journal, label: str, inputs: int, hidden: int, fit: Callable[[], Fit]) -> tuple[Value, float]:
    """Return a fitted value and its held-out R2, from a journal or else from `fit`, whose outcome is then stored."""
    rows = 1 + hidden

    def measure() -> Array:
        found = fit()
        value = Value.of(found.parts).parts
        return np.concatenate([[found.fitted], value.base, value.weights.ravel(), value.out])

    numbers = journal.recall(label, 1 + rows + rows * 2 * inputs + hidden, measure)
    base, weights, out = np.split(numbers[1:], [rows, rows + rows * 2 * inputs])
    return Value.packed(Parts(base, weights.reshape(rows, -1), out)), float(numbers[0])


def target_of(seen: Seen, win: float) -> Array:
    """Return the lead plus what the win is worth."""
    return np.asarray(seen.lead + win * seen.share, np.float32)


def parted(seen: Seen) -> tuple[Seen, Seen]:
    """Return the rows to fit and those that are held out, in blocks of neighbours, which come from the same games."""
    size = max(1, min(2000, len(seen.lead) // HELD_OUT))
    block = (np.arange(len(seen.lead)) // size) % HELD_OUT == 0
    return Seen(*(part[~block] for part in seen)), Seen(*(part[block] for part in seen))


def predicted(parts: Parts, numbers: Array) -> Array:
    """Return the value of some rows."""
    found = []
    for first in range(0, len(numbers), CHUNK):
        wide = widened(numbers[first : first + CHUNK]).astype(np.float64)
        sums = wide @ parts.weights.T + parts.base
        found.append(sums[:, 0] + np.maximum(sums[:, 1:], 0) @ parts.out)
    return np.concatenate(found)


def explained(parts: Parts, seen: Seen, win: float) -> float:
    """Return the part of the variance of outcomes that a value foresees."""
    target = target_of(seen, win)
    return float(1 - np.var(target - predicted(parts, seen.numbers)) / np.var(target))


def fit_sum(seen: Seen, win: float) -> Fit:
    """Fit a weighted sum by ridge regression."""
    fitted, held = parted(seen)
    scaled, target = scale_of(fitted), target_of(fitted, win)
    width = len(scaled.mean)
    gram, moment, mean = np.zeros((width, width)), np.zeros(width), float(target.mean())
    for first in range(0, len(target), CHUNK):
        inputs = scaled.inputs(fitted.numbers[first : first + CHUNK])
        gram += inputs.T @ inputs
        moment += inputs.T @ (target[first : first + CHUNK] - mean)
    weights = np.linalg.solve(gram + RIDGE * len(target) * np.eye(width), moment)
    parts = scaled.unscaled(np.array([mean]), weights[None], np.zeros(0))
    return Fit(parts, explained(parts, held, win))


def fit_net(seen: Seen, win: float, hidden: int, seed: int, start: Parts) -> Fit:
    """Fit hidden units beside the sum, which begins as it was fitted alone; Adam with a rate that falls to nothing."""
    fitted, held = parted(seen)
    scaled, target = scale_of(fitted), target_of(fitted, win)
    unit = float(target.std())
    draw = np.random.default_rng(seed)
    inputs = len(scaled.mean)
    safe = np.where(np.isfinite(scaled.sd), scaled.sd, 0).astype(np.float32)
    weights = np.concatenate(
        [
            start.weights.astype(np.float32) * safe / unit,
            draw.normal(0, np.sqrt(2 / inputs), (hidden, inputs)).astype(np.float32) * (safe > 0),
        ]
    ).T.copy()
    base = np.zeros(1 + hidden, np.float32)
    base[0] = (start.base[0] + start.weights[0] @ scaled.mean - 0.0) / unit
    out = np.zeros(hidden, np.float32)
    params = [weights, base, out]
    first, second = [np.zeros_like(part) for part in params], [np.zeros_like(part) for part in params]
    batches = max(len(target) // BATCH, 1)
    passes = max(PASSES, -(-LEAST_STEPS // batches))
    total, done = passes * batches, 0
    for _ in range(passes):
        order = draw.permutation(len(target))
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[begin : begin + BATCH]
            x = scaled.inputs(fitted.numbers[chosen])
            sums = x @ weights + base
            active = np.maximum(sums[:, 1:], 0)
            error = (sums[:, 0] + active @ out - target[chosen] / unit) / BATCH
            back = np.concatenate([error[:, None], (error[:, None] * out) * (sums[:, 1:] > 0)], axis=1)
            slopes = [x.T @ back, back.sum(0), active.T @ error]
            done += 1
            rate = FASTEST * 0.5 * (1 + np.cos(np.pi * done / total))
            for part, slope, one, two in zip(params, slopes, first, second, strict=True):
                one += 0.1 * (slope - one)
                two += 0.001 * (slope**2 - two)
                part -= rate * (one / (1 - 0.9**done)) / (np.sqrt(two / (1 - 0.999**done)) + 1e-8)
    wide, levels = weights.T.astype(np.float64), base.astype(np.float64)
    wide[0], levels[0] = wide[0] * unit, levels[0] * unit
    parts = scaled.unscaled(levels, wide, out.astype(np.float64) * unit)
    return Fit(parts, explained(parts, held, win))
