"""A key of the rules and the values that it takes, as users write them."""

from __future__ import annotations

import pytest

from simcore.errors import UsageError
from simcore.rules.levers import Axis, read_axis


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=1..4", ("1", "2", "3", "4")),
        ("a.b=0..10:5", ("0", "5", "10")),
        ("a.b=0..4:3", ("0", "3")),
        ("a.b=-1..1", ("-1", "0", "1")),
        ("a.b=0.1..0.3:0.1", ("0.1", "0.2", "0.3")),
        ("a.b = debt|forgive|debt", ("debt", "forgive")),
        ("a.b=[1, 2]|[2, 1]", ("[1, 2]", "[2, 1]")),
        ("a.b=7", ("7",)),
        ("a.b='x, y'", ("'x, y'",)),
    ],
)
def test_values_of_an_axis(text: str, values: tuple[str, ...]) -> None:
    assert read_axis(text) == Axis("a.b", values)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a.b", "write key=lo..hi"),
        ("=1..2", "write key=lo..hi"),
        ("a.b=", "write key=lo..hi"),
        ("a.b=4..1", "the range is reversed; write a.b=1..4"),
        ("a.b=1..4:0", "the step must be larger than 0"),
        ("a.b=1..many", "the ends and the step of a range are numbers"),
        ("a.b=1..inf", "the ends and the step of a range are numbers"),
        ("a.b=1..5000", "a range has at most 1,000 values"),
        ("a.b=1||2", "a value is missing next to '|'"),
        ("a.b=0, 3,6", "write several values in quotes, as 'a.b=0|3|6'"),
    ],
)
def test_what_is_no_axis(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=r"^[^\n]*$") as raised:
        read_axis(text)
    assert said in str(raised.value)
