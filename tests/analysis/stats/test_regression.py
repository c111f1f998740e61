"""Lin's adjustment and clustered least squares, against statsmodels on the data unsummed."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from analysis.stats.regression import Clusters, Normal

RNG = np.random.default_rng(3)


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
