"""The posterior of the levels of the ladder, of "none of these", and of the shares of the wins."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.playtest.evidence import Data, draw_other, log_mean, of_other_scores, of_scores, of_wins
from analysis.playtest.ladder import Grid
from analysis.stats.moments import Floats

HEADLINE = 0.2
"""Prior probability of "none of these"."""

PRIORS = (0.05, HEADLINE, 0.5)
"""The prior probabilities of "none of these" for which results are shown."""


def of_levels(grid: Grid, data: Data, mixture: Floats | None = None) -> Floats:
    """Return the log-evidence of some levels, shape (sets, levels), with each rung's shares at their best estimate.

    grid: The ladder.
    data: Results, of many sets at once.
    mixture: The weight of each rung in each level.  If None, the whole grid.
    """
    mix = grid.mixture if mixture is None else mixture
    wins = sum(of_wins(mix @ shares[:, 0], won) for shares, won in zip(grid.rung_shares, data.won, strict=True))
    found = log_mean(np.asarray(wins), 2)
    return found if data.scores is None else found + of_scores(*grid.scores(mix), data.scores)


@dataclass(frozen=True, eq=False)
class Posterior:
    """The posterior given one set of results."""

    grid: Grid  # the ladder
    data: Data  # one set of results

    @cached_property
    def _wins(self) -> list[Floats]:
        """The log-likelihood of the wins by table, shape (points, draws, correlations)."""
        found = []
        for shares, won in zip(self.grid.shares, self.data.won, strict=True):
            flat = of_wins(shares.reshape(-1, shares.shape[2]), won)[0]
            found.append(flat.reshape(*shares.shape[:2], -1))
        return found

    @cached_property
    def _other(self) -> tuple[list[Floats], list[Floats]]:
        """The draws for "none of these" by table, and their weighted log-likelihood, shape (draws, correlations)."""
        known = [won[0].sum(axis=0) for won in self.data.won]
        other = draw_other([self.grid.prior(table) for table in range(len(known))], known)
        values = [
            of_wins(shares, won)[0] + weights[:, None]
            for shares, weights, won in zip(other.shares, other.weights, self.data.won, strict=True)
        ]
        return other.shares, values

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """The log-evidence of wins, (tables, points, correlations), and of "none of these", (tables, correlations)."""
        return np.array([log_mean(one, 1) for one in self._wins]), np.array(
            [log_mean(one, 0) for one in self._other[1]]
        )

    @cached_property
    def _scores(self) -> tuple[Floats, float]:
        """The log-evidence of the scores, for every point and for "none of these"."""
        if self.data.scores is None:
            return np.zeros(self.grid.points), 0.0
        rungs = self.grid.scores(np.eye(len(self.grid.rungs)))
        own = of_scores(*self.grid.scores(), self.data.scores)[0]
        return own, float(of_other_scores(rungs[0], rungs[1], self.data.scores)[0])

    @cached_property
    def evidence(self) -> tuple[Floats, float]:
        """The log-evidence of every point of the grid, and of "none of these"."""
        levels, other = self._tables
        return (
            log_mean(levels.sum(axis=0), 1) + self._scores[0],
            float(log_mean(other.sum(axis=0), 0)) + self._scores[1],
        )

    def chances(self, none: float = HEADLINE) -> tuple[Floats, float]:
        """Return the posterior probability of every point of the grid, and of "none of these".

        none: Prior probability of "none of these"; all points share the rest equally.
        """
        levels, other = self.evidence
        whole = np.append(levels + np.log((1 - none) / len(levels)), other + np.log(none))
        weights = np.exp(whole - whole.max())
        weights /= weights.sum()
        return weights[:-1], float(weights[-1])

    @cached_property
    def given_ladder(self) -> Floats:
        """The posterior probability of every point of the grid if the ladder holds."""
        chances, none = self.chances()
        return np.asarray(chances / max(1 - none, 1e-300))

    def rungs(self, none: float = HEADLINE) -> Floats:
        """Return the probability of every rung; a point between two rungs counts in part for both."""
        return np.asarray(self.chances(none)[0] @ self.grid.mixture)

    def shares(self, table: int) -> tuple[Floats, Floats]:
        """Return draws of the shares of the wins at one number of players, and their weights.

        They come from the winners alone, with the vague prior of "none of these".  Scores say how well people play, but
        not who wins: at a table of unequal people, the seats may win alike though the mean score is that of a level at
        which they do not.

        table: Index of the number of players.
        """
        draws, values = self._other[0][table], log_mean(self._other[1][table], 1)
        weights = np.exp(values - values.max())
        return draws, weights / weights.sum()

    def ranges(self, table: int, level: float) -> tuple[Floats, Floats]:
        """Return low and high ends of each place's share of the wins at one number of players.

        They are those of the draws, which allow for differences among groups, or those of Clopper and Pearson, where
        these are wider: the vague prior draws extreme shares towards par, so its intervals alone would miss them.

        table: Index of the number of players.
        level: Probability with which each range holds, whatever the shares are.
        """
        from scipy.special import betaincinv

        draws, weights = self.shares(table)
        won = self.data.won[table][0].sum(axis=0)
        lost, tail = won.sum() - won, (1 - level) / 2
        found = np.array([quantiles(part, weights, (tail, 1 - tail)) for part in draws.T])
        least = np.where(won > 0, betaincinv(np.maximum(won, 1e-9), lost + 1, tail), 0.0)
        most = np.where(lost > 0, betaincinv(won + 1, np.maximum(lost, 1e-9), 1 - tail), 1.0)
        return np.minimum(found[:, 0], least), np.maximum(found[:, 1], most)


def quantiles(values: Floats, weights: Floats, at: tuple[float, ...]) -> list[float]:
    """Return quantiles of weighted draws."""
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return [float(values[order][min(int(np.searchsorted(reached, one)), len(values) - 1)]) for one in at]
