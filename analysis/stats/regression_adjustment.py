"""Regression adjustment of a randomised exposure (Lin 2013) on data summed over identical rows."""

from __future__ import annotations

import numpy as np

from analysis.stats.moments import Floats


def arm_mean(
    covariates: Floats, count: Floats, total: Floats, squares: Floats, spare: int = 30
) -> tuple[Floats, Floats]:
    """Return the adjusted mean of one arm and its HC3 standard error: the intercept of a regression on covariates.

    Lin's regression with interactions is one regression for each arm.  The effect is the difference of the two
    intercepts, and its HC3 variance (MacKinnon and White 1985) is the sum of theirs.

    covariates: Covariates minus their means, shape (cells, covariates); all units of a cell have the same.
    count: Number of units in each cell.
    total, squares: Sums of the outcomes and of their squares, shape (cells, outcomes).
    spare: Least number of units beyond the number of coefficients; with fewer, the result is NaN.
    Returns tuple: Means and standard errors, each of shape (outcomes,).
    """
    design = np.column_stack([np.ones(len(count)), covariates])
    if count.sum() < design.shape[1] + spare:
        return (np.full(total.shape[1], np.nan),) * 2
    inverse = np.linalg.pinv(design.T @ (design * count[:, None]), hermitian=True)
    fitted = design @ (inverse @ (design.T @ total))
    leverage = np.minimum(np.einsum("cp,pq,cq->c", design, inverse, design), 1 - 1e-9)
    residual = np.maximum(squares - 2 * fitted * total + count[:, None] * fitted**2, 0)
    weight = (design @ inverse[0]) / (1 - leverage)
    mean = (inverse @ (design.T @ total))[0]
    return mean, np.sqrt((weight**2) @ residual)
