"""Lin's adjustment and clustered least squares, against statsmodels on the data unsummed."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.stats.regression import Clusters, Normal, arm_mean

RNG = np.random.default_rng(3)


def test_lin_is_the_interacted_regression_with_hc3_errors() -> None:
    units = 400
    covariates = RNG.integers(0, 2, (units, 3)).astype(float)
    treated = RNG.integers(0, 2, units)
    outcome = 2 * treated + covariates @ [1.0, -1, 3] + treated * covariates[:, 0] + RNG.normal(size=units)
    centred = covariates - 0.5
    design = np.column_stack([np.ones(units), treated, centred, treated[:, None] * centred])
    expected = sm.OLS(outcome, design).fit(cov_type="HC3")
    arms = []
    for arm in (0, 1):
        here = treated == arm
        cells, place = np.unique(centred[here], axis=0, return_inverse=True)
        sums = [np.bincount(place.ravel(), weights) for weights in (None, outcome[here], outcome[here] ** 2)]
        arms.append(arm_mean(cells, sums[0].astype(float), sums[1][:, None], sums[2][:, None]))
    assert arms[1][0][0] - arms[0][0][0] == pytest.approx(expected.params[1])
    assert np.hypot(arms[1][1][0], arms[0][1][0]) == pytest.approx(expected.bse[1])


def test_an_arm_with_too_few_units_says_nothing() -> None:
    mean, se = arm_mean(np.zeros((1, 0)), np.array([20.0]), np.ones((1, 1)), np.ones((1, 1)))
    assert np.isnan(mean).all()
    assert np.isnan(se).all()


def test_a_unit_that_is_alone_of_its_kind_says_nothing_about_the_others() -> None:
    """The fit goes through it exactly, so the mean and its HC3 error, s / sqrt(n - 1), are those of the others."""
    others = RNG.normal(5, 2, 41)
    cells = [others, np.array([90.0])]
    sums = [np.array([[(own**power).sum()] for own in cells]) for power in (1, 2)]
    mean, se = arm_mean(np.array([[0.0], [1.0]]), np.array([41.0, 1.0]), *sums)
    assert mean[0] == pytest.approx(others.mean())
    assert se[0] == pytest.approx(others.std(ddof=1) / np.sqrt(40))


def test_clustered_errors_are_those_of_statsmodels() -> None:
    clusters, rows = 200, 4
    x = RNG.normal(size=(clusters, rows, 2)) + RNG.normal(size=(clusters, 1, 2))
    y = x @ [1.0, -2.0] + RNG.normal(size=(clusters, 1)) + RNG.normal(size=(clusters, rows))
    normal = Normal(2)
    normal.add(x.reshape(-1, 2), y.ravel())
    errors = Clusters(normal.fit())
    errors.add(x[:80], y[:80])
    errors.add(x[80:], y[80:])
    groups = np.repeat(np.arange(clusters), rows)
    options = {"groups": groups, "df_correction": True}
    expected = sm.OLS(y.ravel(), x.reshape(-1, 2)).fit(cov_type="cluster", cov_kwds=options)
    small_sample = (clusters * rows - 1) / (clusters * rows - 2)  # a factor of statsmodels for the coefficients
    assert normal.fit().coefficients == pytest.approx(expected.params)
    assert errors.covariance * small_sample == pytest.approx(np.asarray(expected.cov_params()))
