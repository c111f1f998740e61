"""What a designer may write as a measure, and what is refused; expected values are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.game import Column
from simcore.rules.measures import MAX_LENGTH, Expression, measure

COLUMNS = {
    name: Column(name, "Int32", "", role=role)
    for name, role in (("coins", ""), ("turns", ""), ("rent", "lord"), ("grain", "tenant"))
} | {"card": Column("card", "Enum", "")}
TABLE = {
    "coins": np.array([[3, 9, 6], [10, 1, 1]]),
    "turns": np.array([[2, 3, 2], [5, 1, 1]]),
    "rent": np.array([[7], [0]]),
}


def values(text: str) -> list[list[float]]:
    return Expression(text, COLUMNS).values(TABLE.__getitem__).tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("coins", [[3, 9, 6], [10, 1, 1]]),
        ("sum(coins)", [[18], [12]]),
        ("mean(coins)", [[6], [4]]),
        ("most(coins) - least(coins)", [[6], [9]]),
        ("coins / turns", [[1.5, 3, 3], [2, 1, 1]]),
        ("-coins + 2 * turns", [[1, -3, -2], [0, 1, 1]]),
        ("sum(coins > 5)", [[2], [1]]),
        ("(coins > 5) + (turns > 2)", [[0, 2, 1], [2, 0, 0]]),
        ("coins > 5 and not turns == 5", [[False, True, True], [False, False, False]]),
        ("coins <= 3 or turns != 2", [[True, True, False], [True, True, True]]),
        ("sum(coins) >= 18", [[True], [False]]),
        ("coins - mean(coins)", [[-3, 3, 0], [6, -3, -3]]),
        ("sum(rent) + sum(coins)", [[25], [12]]),
    ],
)
def test_what_is_written_is_computed(text: str, expected: list[list[float]]) -> None:
    assert values(text) == expected


def test_a_measure_says_whether_it_is_of_seats_and_whether_it_is_a_share() -> None:
    kinds = {text: Expression(text, COLUMNS).kind for text in ("coins > 1", "sum(coins > 1)", "sum(coins) > 1", "rent")}
    assert {text: (kind.role, kind.is_share) for text, kind in kinds.items()} == {
        "coins > 1": ("", True),
        "sum(coins > 1)": (None, False),
        "sum(coins) > 1": (None, True),
        "rent": ("lord", False),
    }


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("coin", "no column 'coin'; did you mean 'coins'?"),
        ("sun(coins)", "no 'sun()'; did you mean 'sum'?"),
        ("card", "the column 'card' holds names"),
        ("7", "names no column"),
        ("coins / 0", "divides by 0"),
        ("coins + rent", "columns of different roles meet"),
        ("rent > grain", "columns of different roles meet"),
        ("coins and turns > 1", "take comparisons"),
        ("1 < coins < 5", "compares more than two"),
        ("sum(sum(coins))", "is over the seats"),
        ("sum(coins, turns)", "is not understood"),
        ("coins ** 2", "is not understood"),
        ("coins.real", "is not understood"),
        ("coins if turns else 1", "is not understood"),
        ("[coins for _ in coins]", "is not understood"),
        ("__import__('os').system('id')", "is not understood"),
        ("(lambda: coins)()", "is not understood"),
        ("True", "is not understood"),
        ("1e999 * coins", "is not understood"),
        ("", "is no sum or comparison"),
        ("coins; turns", "is no sum or comparison"),
        ("(" * 150 + "coins" + ")" * 40, "is no sum or comparison"),
        ("-" * 150 + "coins", ""),
        ("coins + " * 60 + "coins", f"at most {MAX_LENGTH} characters"),
    ],
)
def test_anything_else_is_refused(text: str, says: str) -> None:
    if not says:
        assert values(text) == [[3, 9, 6], [10, 1, 1]]
        return
    with pytest.raises(ValueError, match=r".") as refused:
        Expression(text, COLUMNS)
    assert says in str(refused.value)


def test_a_game_that_divides_by_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="divides by 0 in some game"):
        values("coins / sum(rent)")


def test_the_name_of_a_column_is_taken() -> None:
    with pytest.raises(ValueError, match="has another meaning here"):
        measure("coins", "sum(turns)", COLUMNS)
