"""The likelihood of results: of wins and of mean scores, both of which vary among groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.stats.moments import Floats

CORRELATIONS = (0.0, 0.01, 0.03, 0.1)
"""Correlations of the wins of two games of one group; all have the same prior probability.

At 25 % of the wins they mean that the shares of groups have standard deviations of 0, 4, 8 and 14 percentage points.
"""

SHIFTS = (0.0, 0.25, 0.5, 1.0)
"""Standard deviations of the mean score among groups, in those of a single game; with equal prior probabilities."""

SCALES = tuple(np.exp(np.linspace(-0.7, 0.7, 7)).tolist())
"""Standard deviations of the mean score for "none of these", in those of the ladder; with equal prior probabilities."""

OTHER_DRAWS = 4_096
"""Number of draws of the shares of the wins for "none of these"."""

TEMPER = 0.5
"""Fraction of the games that the proposal distribution of these draws uses, so that its tails are heavy enough."""


@dataclass(frozen=True, eq=False)
class Data:
    """Results of some tables, or of many such sets at once."""

    won: list[Floats]  # for each number of players: wins of each place by group, shape (sets, groups, places)
    scores: Floats | None = None
    """Number, sum and sum of squares of the mean scores by group and number of players, shape (sets, groups, tables,
    3); None if scores are not used."""

    @property
    def games(self) -> int:
        """Number of games of a set."""
        return round(sum(float(won[0].sum()) for won in self.won))


def log_mean(values: Floats, axis: int | tuple[int, ...]) -> Floats:
    """Return the logarithm of the mean of numbers whose logarithms are given."""
    most = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - most).mean(axis=axis)) + np.squeeze(most, axis))


def of_wins(shares: Floats, won: Floats) -> Floats:
    """Return the log-likelihood of wins, shape (sets, levels, correlations).

    Each group has shares of its own, which follow a Dirichlet distribution around those of the level.  A shared win
    counts in parts.

    shares: Shares of the wins at some levels, shape (levels, places).
    won: Wins of each place by group, shape (sets, groups, places).
    """
    from scipy.special import gammaln

    found = np.zeros((len(won), len(shares), len(CORRELATIONS)))
    sets, _, count = won.shape
    sizes = won.sum(axis=2)
    values, codes = np.unique(won, return_inverse=True)  # few, for groups win a few games each
    codes = codes.reshape(won.shape) + len(values) * np.arange(sets)[:, None, None]
    often = [
        np.bincount(codes[:, :, place].ravel(), minlength=sets * len(values)).reshape(sets, -1).astype(np.float64)
        for place in range(count)
    ]
    for number, correlation in enumerate(CORRELATIONS):
        if not correlation:
            found[:, :, number] = won.sum(axis=1) @ np.log(shares).T
            continue
        strength = 1 / correlation - 1
        alpha = strength * shares
        known = gammaln(alpha)
        for place in range(count):
            rise = gammaln(alpha[:, place, None] + values) - known[:, place, None]
            found[:, :, number] += often[place] @ rise.T
        found[:, :, number] -= (gammaln(strength + sizes) - gammaln(strength)).sum(axis=1)[:, None]
    return found


def of_scores(mean: Floats, sd: Floats, error: Floats, scores: Floats) -> Floats:
    """Return the log-likelihood of mean scores, shape (sets, levels).

    Scores are normal around the mean of the group, and the means of groups are normal around that of the level, which
    is itself estimated with an error.

    mean, sd: Mean and standard deviation at each level by number of players, shape (levels, tables).
    error: Standard error of the level's mean, in standard deviations, shape (levels,).
    scores: See `Data`.
    """
    count, total, square = (scores[:, None, :, :, part] for part in range(3))  # (sets, 1, groups, tables)
    centre, spread = mean[None, :, None, :], sd[None, :, None, :]
    size = count.sum(axis=3)  # (sets, 1, groups)
    off = ((total - count * centre) / spread).sum(axis=3)
    squared = ((square - 2 * centre * total + count * centre**2) / spread**2).sum(axis=3)
    scale = (count * np.log(spread)).sum(axis=(2, 3)) + count.sum(axis=(2, 3)) * np.log(2 * np.pi) / 2
    found = []
    for shift in SHIFTS:
        wide = 1 + size * shift**2
        weight, pull = (size / wide).sum(axis=2), (off / wide).sum(axis=2)
        common = 1 + error**2 * weight
        form = (squared - shift**2 * off**2 / wide).sum(axis=2) - error**2 * pull**2 / common
        found.append(-scale - (form + np.log(wide).sum(axis=2) + np.log(common)) / 2)
    return log_mean(np.array(found), 0)


@dataclass(frozen=True, eq=False)
class Other:
    """The alternative "none of these": any shares of the wins around par, and any mean score near those of the
    ladder.
    """

    shares: list[Floats]  # draws of the shares by table, shape (draws, places)
    weights: list[Floats]  # logarithms of the importance weights of the draws


def draw_other(priors: list[Floats], won: list[Floats], draws: int = OTHER_DRAWS) -> Other:
    """Return importance draws of shares for "none of these", concentrated near the results.

    priors: For each number of players: parameters of the Dirichlet prior.
    won: Observed wins of each place, shape (places,).
    draws: Number of draws.
    """
    from scipy.special import gammaln

    chance = np.random.Generator(np.random.PCG64(2))
    shares, weights = [], []
    for prior, known in zip(priors, won, strict=True):
        proposal = prior + TEMPER * known
        drawn = np.maximum(chance.dirichlet(proposal, draws), 1e-12)
        constants = gammaln(prior.sum()) - gammaln(prior).sum() - gammaln(proposal.sum()) + gammaln(proposal).sum()
        shares.append(drawn)
        weights.append(constants - TEMPER * (np.log(drawn) @ known))
    return Other(shares, weights)


def of_other_scores(mean: Floats, sd: Floats, scores: Floats) -> NDArray[np.float64]:
    """Return the log-likelihood of mean scores for "none of these", shape (sets,).

    mean, sd: Mean and standard deviation at each rung by number of players, shape (rungs, tables).
    scores: See `Data`.
    """
    middle = (mean.max(axis=0) + mean.min(axis=0)) / 2
    usual = np.exp(np.log(sd).mean(axis=0))
    reach = max(1.0, float(((mean.max(axis=0) - mean.min(axis=0)) / 2 / usual).max()))
    each = [of_scores(middle[None], usual[None] * scale, np.array([reach / scale]), scores)[:, 0] for scale in SCALES]
    return log_mean(np.array(each), 0)
