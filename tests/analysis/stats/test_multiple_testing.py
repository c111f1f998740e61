"""Many tests at once, against Benjamini and Hochberg (1995)."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from analysis.stats.multiple_testing import adjust, adjust_within, p_values

# Benjamini and Hochberg (1995), section 4: 15 hypotheses on thrombolysis
PAPER = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


@pytest.mark.parametrize(("method", "rejected"), [("bonferroni", 3), ("holm", 3), ("fdr_bh", 4)])
def test_the_papers_example(method: str, rejected: int) -> None:
    assert (adjust(PAPER, method) <= 0.05).sum() == rejected


@pytest.mark.parametrize("method", ["bonferroni", "holm", "fdr_bh"])
def test_adjusted_p_values_are_those_of_statsmodels(method: str) -> None:
    p = np.random.default_rng(8).random(40) ** 3
    p[3] = p[17]  # a tie
    assert adjust(p, method) == pytest.approx(multipletests(p, method=method)[1])


def test_unknown_p_values_are_no_members() -> None:
    adjusted = adjust([0.01, np.nan, 0.04], "bonferroni")
    assert adjusted[[0, 2]] == pytest.approx([0.02, 0.08])
    assert np.isnan(adjusted[1])


def test_families_are_adjusted_apart() -> None:
    assert adjust_within([0.01, 0.01, 0.01], ["a", "b", "b"], "bonferroni") == pytest.approx([0.01, 0.02, 0.02])


def test_p_values_are_students() -> None:
    # t = 2.228 is the two-sided 5 % point with 10 degrees of freedom (any table)
    assert p_values([2.228], [1.0], [11])[0] == pytest.approx(0.05, abs=1e-4)


def test_what_never_varies_is_certain() -> None:
    assert p_values([0.0, 1.0], [0.0, 0.0], [50, 50]).tolist() == [1.0, 2.0**-49]
    assert np.isnan(p_values([1.0], [np.nan], [50])[0])


def test_a_spread_between_tunings_has_few_degrees_of_freedom() -> None:
    """By tables, t(2) is 4.303 at 5 %, and 4.303 alone would be far below; two tunings tell nothing."""
    assert p_values([4.303], [0.0], [1000], [1.0], 3)[0] == pytest.approx(0.05, abs=1e-4)
    assert p_values([np.hypot(1.962, 4.303)], [1.0], [1000], [1.0], 3)[0] == pytest.approx(0.05, abs=1e-4)
    assert np.isnan(p_values([4.303], [0.0], [1000], [1.0], 2)[0])
