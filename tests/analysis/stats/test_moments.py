"""Sums over deals: ratios, contrasts and their errors."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.stats.moments import Contrasts, Histogram, Moments, Ratios, signed

RNG = np.random.default_rng(7)


def jackknife(top: np.ndarray, bottom: np.ndarray) -> float:
    """Error of a ratio of sums by leaving out one deal at a time; close to linearisation where deals are many."""
    n = len(top)
    values = (top.sum() - top) / (bottom.sum() - bottom)
    return float(np.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum()))


def test_means_and_their_covariance_are_numpys() -> None:
    values = RNG.normal(size=(500, 3))
    moments = Moments(3)
    moments.add(values[:200])
    moments.add(values[200:])
    assert moments.mean == pytest.approx(values.mean(axis=0))
    assert moments.covariance == pytest.approx(np.cov(values.T) / 500)


def test_nothing_is_not_a_number_and_one_deal_has_no_error() -> None:
    moments = Moments(2)
    assert np.isnan(moments.mean).all()
    moments.add(np.ones((1, 2)))
    assert np.isnan(moments.covariance).all()


def test_ratios_agree_with_the_jackknife() -> None:
    bottom = RNG.integers(1, 5, 2000)
    top = RNG.binomial(bottom, 0.3)
    ratios, moments = Ratios(1), Moments(2)
    ratios.add(top[:, None], bottom[:, None])
    moments.add(np.stack([top, bottom], axis=1))
    cells = ratios.cells()
    value, covariance = moments.ratios(np.array([[1.0, 0]]), np.array([[0.0, 1]]))
    assert cells.value[0] == value[0] == pytest.approx(top.sum() / bottom.sum())
    assert cells.se[0] == pytest.approx(np.sqrt(covariance[0, 0]))
    assert cells.se[0] == pytest.approx(jackknife(top, bottom), rel=1e-3)


def test_a_deals_games_are_never_independent() -> None:
    """A deal played four times with the same outcome says no more than played once."""
    outcome = RNG.integers(0, 2, 300)
    once, fourfold = Ratios(1), Ratios(1)
    once.add(outcome[:, None], np.ones((300, 1)))
    fourfold.scatter(np.zeros((1200, 1), int), np.repeat(outcome, 4), 4)
    assert fourfold.cells().value == pytest.approx(once.cells().value)
    assert fourfold.cells().se == pytest.approx(once.cells().se)


@pytest.mark.parametrize("cells", [5, 300])
def test_scattering_equals_adding_up(cells: int) -> None:
    """Few cells go through dense arrays, many through sorting; both must match sums made by hand."""
    shape = 5000, 4
    cell, top, bottom = RNG.integers(0, cells, shape), RNG.normal(size=shape), RNG.integers(0, 3, shape) * 1.0
    whole = np.zeros((2, len(cell), cells))
    np.add.at(whole[0], (np.arange(len(cell))[:, None], cell), top)
    np.add.at(whole[1], (np.arange(len(cell))[:, None], cell), bottom)
    scattered, added = Ratios(cells), Ratios(cells)
    scattered.scatter(cell, top, 2, bottom)
    added.add(whole[0], whole[1], per_deal=2)
    for name in ("value", "se", "top", "bottom", "deals"):
        assert getattr(scattered.cells(), name) == pytest.approx(getattr(added.cells(), name), nan_ok=True), name


def test_what_never_varies_has_no_error() -> None:
    ratios = Ratios(1)
    ratios.add(np.full((1000, 1), 4.0), np.full((1000, 1), 5.0))
    assert ratios.cells().se[0] == 0


def test_contrasts_agree_with_the_jackknife() -> None:
    played, other = RNG.integers(1, 4, 3000), RNG.integers(1, 4, 3000)
    luck = RNG.normal(size=3000)  # shared within a deal, so that the two ratios hang together
    with_, without = played * (luck + 1) + RNG.normal(size=3000), other * luck + RNG.normal(size=3000)
    contrasts = Contrasts(1)
    contrasts.add(*(values[:, None] for values in (with_, played, without, other)))
    _, _, difference, se = contrasts.values()

    def value(weight: np.ndarray) -> float:
        return float(weight @ with_ / (weight @ played) - weight @ without / (weight @ other))

    left_out = np.array([value(np.arange(3000) != number) for number in range(0, 3000, 10)])
    expected = np.sqrt(left_out.var() * (3000 - 1))
    assert difference[0] == pytest.approx(value(np.ones(3000)))
    assert se[0] == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("kind", ["moments", "ratios", "contrasts", "histogram"])
def test_merging_equals_adding(kind: str) -> None:
    values = RNG.integers(0, 9, (100, 4))
    make = {
        "moments": lambda: Moments(4),
        "ratios": lambda: Ratios(2),
        "contrasts": lambda: Contrasts(1),
        "histogram": Histogram,
    }[kind]

    def add(sums: object, part: np.ndarray) -> None:
        if kind == "ratios":
            sums.add(part[:, :2], part[:, 2:])
        elif kind == "contrasts":
            sums.add(*(part[:, [column]] for column in range(4)))
        else:
            sums.add(part)

    whole, first, second = make(), make(), make()
    add(whole, values)
    add(first, values[:37])
    add(second, values[37:])
    first.merge(second)
    assert all(np.array_equal(vars(whole)[name], vars(first)[name]) for name in vars(whole) if name != "size")


def test_quantiles_of_a_histogram() -> None:
    histogram = Histogram()
    histogram.add(np.array([3, 1, 1, 2]))
    assert [histogram.quantile(share) for share in (0.25, 0.5, 0.51, 0.75, 1.0)] == [1, 1, 2, 2, 3]


def test_numbers_that_differ_by_rounding_alone_are_one() -> None:
    histogram = Histogram()
    histogram.add(np.array([0.1 + 0.2, 0.3, 0.5]))
    assert (histogram.value.tolist(), histogram.count.tolist()) == ([0.3, 0.5], [2, 1])
    assert signed(np.array([0, 1], np.uint8))[0] - 1 == -1, "unsigned numbers would start again at their largest"
