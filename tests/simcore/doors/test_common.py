"""What doors of libraries share: names, and who is first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from simcore.doors.common import DoorTable, name_of
from simcore.plain.playing import Fault


def places(returns: list[float], lowest_wins: bool = False) -> list[int]:
    job: Any = SimpleNamespace(strategies=("random",) * len(returns), recorded=False, rules={})
    done: Any = SimpleNamespace(seated=tuple(range(len(returns))))
    kind = SimpleNamespace(lowest_wins=lowest_wins, decimals=None, Rules=dict)
    table = DoorTable(kind, job, [], done)
    return table.ended(returns, 3)[1::3]


def test_the_highest_or_the_lowest_return_is_first() -> None:
    assert places([1, 3, 2, 3]) == [4, 1, 3, 1]
    assert places([1, 3, 2, 3], lowest_wins=True) == [1, 3, 2, 3]


def test_the_same_rewards_in_another_order_are_a_tie() -> None:
    assert places([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1]) == [1, 1]
    with pytest.raises(Fault, match="nobody knows who won"):
        places([float("inf"), 1])


def test_long_names_are_cut_and_stay_different() -> None:
    one, other = (name_of("openspiel", f"pig(winscore={'1' * 40}{end})") for end in (1, 2))
    assert one != other and len(one) <= 40 >= len(other)
    assert name_of("openspiel", "pig(players=3)") == "openspiel-pig-players-3"
