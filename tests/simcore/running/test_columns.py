"""From rows to columns."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import DETAILS
from simcore.running.batch import run_chunk
from simcore.running.columns import STORED, ColumnBuffer, columns, labels
from tests.specs import make_spec

SPEC = make_spec(4, ["greedy", "random", "random", "random"], design="rotate")


def test_columns_of_issue_stand_first() -> None:
    names = [column.name for column in columns(SPEC.game, "minimal")]
    assert names[:8] == ["game_id", "deal_id", "seat", "strategy", "coins", "place", "share60", "event_1"]
    assert names[7:] == ["event_1", "event_2", "event_3", "event_4"]


def test_levels_of_detail_nest() -> None:
    levels = [[column.name for column in columns(SPEC.game, detail)] for detail in DETAILS]
    for less, more in pairwise(levels):
        assert [name for name in more if name in less] == less
        assert len(more) > len(less)
        assert len(set(more)) == len(more)


@pytest.mark.parametrize("detail", DETAILS)
def test_values_are_those_of_the_rows(detail: str) -> None:
    """Filled in pieces of odd sizes, and used twice."""
    buffer = ColumnBuffer(SPEC, detail, 70)
    for first in (8, 100):
        rows = run_chunk(SPEC, first, 70)
        buffer.begin(first)
        for start, stop in ((0, 4), (4, 36), (36, 280)):
            buffer.add(rows[start:stop])
        found = {column.name: (column, values) for column, values in buffer.filled()}
        assert list(found) == [column.name for column in columns(SPEC.game, detail)]
        assert found.pop("game_id")[1].tolist() == np.repeat(np.arange(first, first + 70), 4).tolist()
        assert found.pop("deal_id")[1].tolist() == np.repeat(np.arange(first, first + 70) // 4, 4).tolist()
        assert found.pop("seat")[1].tolist() == [1, 2, 3, 4] * 70
        for column, values in found.values():
            field = rows[column.field]
            expected = field if column.index is None else field[:, column.index]
            assert values.dtype == STORED[column.type]
            assert np.array_equal(values, expected), column.name


def test_small_columns_hold_every_value_that_rules_allow() -> None:
    """What is kept in eight bits must not pass 255: at most 16 tiles, 8 tokens, 64 Events, 255 for a tile's number."""
    rows = run_chunk(make_spec(5, ["random"], ["starting_coins=10000", "shortfall=debt"]), 0, 2000)
    for column in columns(SPEC.game, "full")[3:]:
        if STORED[column.type] is np.uint8:
            field = rows[column.field] if column.index is None else rows[column.field][:, column.index]
            assert 0 <= field.min() <= field.max() <= 255, column.name


def test_labels_name_every_code() -> None:
    rows = run_chunk(SPEC, 0, 2000)
    for column in columns(SPEC.game, "full"):
        if column.type == "Enum":
            field = rows[column.field] if column.index is None else rows[column.field][:, column.index]
            assert field.max() < len(labels(column, SPEC)), column.name


@pytest.mark.parametrize(("values", "said"), [([-1, 5], -1), ([5, -1], -1), ([300, 5], 300), ([-2, 300], -2)])
def test_a_value_that_does_not_fit_is_refused(values: list[int], said: int) -> None:
    buffer, rows = ColumnBuffer(SPEC, "full", 1), run_chunk(SPEC, 0, 1)
    small = [one for one in columns(SPEC.game, "full")[3:] if STORED[one.type] is np.uint8 and one.index is None]
    rows[small[0].field][:2] = values
    buffer.begin(0)
    with pytest.raises(UsageError, match=f"column '{small[0].name}' has the value {said}, for which"):
        buffer.add(rows)
