"""Sums by cell are those of a loop over deals, whatever the number of cells and of deals that are summed at a time."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from simcore.running.accumulator import add_to_cells


@pytest.mark.parametrize("step", [1, 7, 1000])
@pytest.mark.parametrize("cells", [1, 5, 300])
def test_sums_are_those_of_a_loop_over_deals(cells: int, step: int) -> None:
    chance = np.random.default_rng(cells * step)
    deal = np.sort(chance.integers(0, 50, 400))
    cell, top, bottom = (chance.integers(low, high, 400) for low, high in ((0, cells), (-9, 9), (0, 2)))
    totals: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    for one, here, over, under in zip(deal.tolist(), cell.tolist(), top.tolist(), bottom.tolist(), strict=True):
        totals[one, here][0] += over
        totals[one, here][1] += under
    sums, deals = np.ones((5, cells)), np.ones(cells, np.int64)
    expected, counted = np.ones((5, cells)), np.ones(cells, np.int64)
    for (_, here), (over, under) in totals.items():
        expected[:, here] += (over, under, over * over, over * under, under * under)
        counted[here] += under != 0
    add_to_cells(deal, cell, top, bottom, step, sums, deals)
    np.testing.assert_array_equal(sums, expected)
    np.testing.assert_array_equal(deals, counted)


@pytest.mark.parametrize("wrong", [-1, 3])
def test_a_cell_that_is_not_there_is_refused(wrong: int) -> None:
    cell = np.array([0, wrong])
    with pytest.raises(ValueError, match="but there are 3"):
        add_to_cells(np.zeros(2), cell, np.ones(2), np.ones(2), 1, np.zeros((5, 3)), np.zeros(3, np.int64))
