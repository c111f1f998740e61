"""Least squares with cluster-robust standard errors, for data that arrives in pieces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.stats.moments import Floats
from simcore.running.accumulator import Accumulator


class Fit(NamedTuple):
    """Coefficients of a regression, and the inverse of the cross-products of its regressors."""

    coefficients: Floats
    inverse: Floats


class Normal(Accumulator):
    """Sums of a regression: cross-products of the regressors, and of regressors and outcome.

    size: Number of regressors.
    """

    adds = ("cross", "with_outcome")

    def __init__(self, size: int) -> None:
        self.cross: Floats = np.zeros((size, size))
        self.with_outcome: Floats = np.zeros(size)

    def add(self, regressors: Floats, outcome: Floats) -> None:
        """Add rows."""
        self.cross += regressors.T @ regressors
        self.with_outcome += regressors.T @ outcome

    def fit(self) -> Fit:
        """Return the least squares fit; if the regressors are linearly dependent, the solution of smallest norm."""
        inverse: Floats = np.asarray(np.linalg.pinv(self.cross, rcond=1e-10, hermitian=True), np.float64)
        return Fit(inverse @ self.with_outcome, inverse)


class Clusters(Accumulator):
    """Sums of the scores of a fit by cluster, for its standard errors (Liang and Zeger 1986).

    fit: The regression.
    """

    adds = ("meat", "number")

    def __init__(self, fit: Fit) -> None:
        self.coefficients, self.inverse = fit
        self.meat: Floats = np.zeros_like(fit.inverse)
        self.number = 0

    def add(self, regressors: Floats, outcome: Floats) -> None:
        """Add complete clusters of one size, shapes (clusters, rows, regressors) and (clusters, rows)."""
        residual = outcome - regressors @ self.coefficients
        scores = np.einsum("cr,crp->cp", residual, regressors, optimize=True)
        self.meat += scores.T @ scores
        self.number += len(scores)

    @property
    def covariance(self) -> Floats:
        """The covariance of the coefficients, with the correction clusters / (clusters - 1)."""
        return self.inverse @ self.meat @ self.inverse * (self.number / max(self.number - 1, 1))
