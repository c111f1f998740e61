"""Fit a value to what came of many tables: a weighted sum by ridge regression, hidden units by gradient descent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategies.learning.self_play import Samples
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
    """A fitted value."""

    parts: Parts  # its numbers
    r2: float  # the part of the variance of outcomes that it foresees, on rows that were held out


class Scale(NamedTuple):
    """What turns the numbers that a seat sees, and their products with the time left, into inputs of mean 0, sd 1."""

    mean: Array
    sd: Array

    @classmethod
    def of(cls, samples: Samples) -> Scale:
        """Return the means and standard deviations of the inputs."""
        count, total, squares = 0, 0.0, 0.0
        for first in range(0, len(samples.lead), CHUNK):
            wide = widened(samples.numbers[first : first + CHUNK]).astype(np.float64)
            count, total, squares = count + len(wide), total + wide.sum(0), squares + (wide**2).sum(0)
        mean = np.asarray(total) / count
        sd = np.sqrt(np.maximum(np.asarray(squares) / count - mean**2, 0))
        return cls(mean.astype(np.float32), np.where(sd > 1e-6, sd, np.inf).astype(np.float32))

    def inputs(self, numbers: Array) -> Array:
        """Return the inputs of some rows."""
        return (widened(numbers) - self.mean) / self.sd

    def unscaled(self, base: Array, weights: Array, out: Array) -> Parts:
        """Return the numbers of a value of raw numbers, given those for inputs."""
        raw = weights / self.sd
        return Parts(base - raw @ self.mean, raw, out)


def widened(numbers: Array) -> Array:
    """Return the numbers and their products with the first one, the time left."""
    plain = numbers.astype(np.float32)
    return np.concatenate([plain, plain * plain[:, :1]], axis=1)


def wins_alone(win: float) -> float:
    """Return so many points for a win that the lead hardly counts."""
    return max(win, min(win * WINS_ALONE, ENOUGH))


def fitted_value(journal: Journal, label: str, inputs: int, hidden: int, fit: Callable[[], Fit]) -> tuple[Value, float]:
    """Return a fitted value and its held-out R2, from a journal or else from `fit`, whose outcome is then stored."""
    rows = 1 + hidden

    def measure() -> Array:
        parts, r2 = fit()
        value = Value.of(parts).parts
        return np.concatenate([[r2], value.base, value.weights.ravel(), value.out])

    numbers = journal.recall(label, 1 + rows + rows * 2 * inputs + hidden, measure)
    base, weights, out = np.split(numbers[1:], [rows, rows + rows * 2 * inputs])
    return Value.packed(Parts(base, weights.reshape(rows, -1), out)), float(numbers[0])


def targets(samples: Samples, win: float) -> Array:
    """Return the lead plus what the win is worth."""
    return np.asarray(samples.lead + win * samples.share, np.float32)


def split(samples: Samples) -> tuple[Samples, Samples]:
    """Return the rows to fit and those that are held out, in blocks of neighbours, which come from the same games."""
    size = max(1, min(2000, len(samples.lead) // HELD_OUT))
    block = (np.arange(len(samples.lead)) // size) % HELD_OUT == 0
    return Samples(*(part[~block] for part in samples)), Samples(*(part[block] for part in samples))


def predict(parts: Parts, numbers: Array) -> Array:
    """Return the value of some rows."""
    values = []
    for first in range(0, len(numbers), CHUNK):
        wide = widened(numbers[first : first + CHUNK]).astype(np.float64)
        sums = wide @ parts.weights.T + parts.base
        values.append(sums[:, 0] + np.maximum(sums[:, 1:], 0) @ parts.out)
    return np.concatenate(values)


def r_squared(parts: Parts, samples: Samples, win: float) -> float:
    """Return the part of the variance of outcomes that a value foresees."""
    target = targets(samples, win)
    return float(1 - np.var(target - predict(parts, samples.numbers)) / np.var(target))


def fit_sum(samples: Samples, win: float) -> Fit:
    """Fit a weighted sum by ridge regression."""
    fitted, held = split(samples)
    scale, target = Scale.of(fitted), targets(fitted, win)
    width = len(scale.mean)
    gram, moment, mean = np.zeros((width, width)), np.zeros(width), float(target.mean())
    for first in range(0, len(target), CHUNK):
        inputs = scale.inputs(fitted.numbers[first : first + CHUNK])
        gram += inputs.T @ inputs
        moment += inputs.T @ (target[first : first + CHUNK] - mean)
    weights = np.linalg.solve(gram + RIDGE * len(target) * np.eye(width), moment)
    parts = scale.unscaled(np.array([mean]), weights[None], np.zeros(0))
    return Fit(parts, r_squared(parts, held, win))


def fit_net(samples: Samples, win: float, hidden: int, seed: int, start: Parts) -> Fit:
    """Fit hidden units beside the sum, which begins as it was fitted alone; Adam with a rate that falls to nothing."""
    fitted, held = split(samples)
    scale, target = Scale.of(fitted), targets(fitted, win)
    unit = float(target.std())
    draw = np.random.default_rng(seed)
    inputs = len(scale.mean)
    safe = np.where(np.isfinite(scale.sd), scale.sd, 0).astype(np.float32)
    weights = np.concatenate(
        [
            start.weights.astype(np.float32) * safe / unit,
            draw.normal(0, np.sqrt(2 / inputs), (hidden, inputs)).astype(np.float32) * (safe > 0),
        ]
    ).T.copy()
    base = np.zeros(1 + hidden, np.float32)
    base[0] = (start.base[0] + start.weights[0] @ scale.mean) / unit
    out = np.zeros(hidden, np.float32)
    params = [weights, base, out]
    momenta, squares = [np.zeros_like(part) for part in params], [np.zeros_like(part) for part in params]
    batches = max(len(target) // BATCH, 1)
    passes = max(PASSES, -(-LEAST_STEPS // batches))
    total, done = passes * batches, 0
    for _ in range(passes):
        order = draw.permutation(len(target))
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[begin : begin + BATCH]
            x = scale.inputs(fitted.numbers[chosen])
            sums = x @ weights + base
            active = np.maximum(sums[:, 1:], 0)
            error = (sums[:, 0] + active @ out - target[chosen] / unit) / BATCH
            back = np.concatenate([error[:, None], (error[:, None] * out) * (sums[:, 1:] > 0)], axis=1)
            slopes = [x.T @ back, back.sum(0), active.T @ error]
            done += 1
            rate = FASTEST * 0.5 * (1 + np.cos(np.pi * done / total))
            for part, slope, momentum, square in zip(params, slopes, momenta, squares, strict=True):
                momentum += 0.1 * (slope - momentum)
                square += 0.001 * (slope**2 - square)
                part -= rate * (momentum / (1 - 0.9**done)) / (np.sqrt(square / (1 - 0.999**done)) + 1e-8)
    wide, levels = weights.T.astype(np.float64), base.astype(np.float64)
    wide[0], levels[0] = wide[0] * unit, levels[0] * unit
    parts = scale.unscaled(levels, wide, out.astype(np.float64) * unit)
    return Fit(parts, r_squared(parts, held, win))
