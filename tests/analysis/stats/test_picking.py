"""Superlatives: the largest is in the set that is named, and intervals hold after the choice."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.stats.multiple_testing import Tied, contenders, of_means, overlapping, pick
from reports.words import Words

ENGLISH, FRENCH = Words("en"), Words("fr")


def rows(value: list[float], se: float, deals: int = 1_000) -> pl.DataFrame:
    count = len(value)
    names = [chr(ord("a") + at) for at in range(count)]
    return pl.DataFrame({"name": names, "x": value, "x_se": [se] * count, "deals": [deals] * count})


def test_what_cannot_be_distinguished_is_named_together() -> None:
    """c = 2.24 one-sided at 2.5 % for two others, errors of .0141: 1.00 exceeds .90, and perhaps not .98."""
    result = pick(rows([0.98, 0.90, 1.00], 0.01), "x", "name", 0.95, parts=False)
    assert result
    assert (result.names, result.value, result.row["name"], result.of) == (("c", "a"), 1.0, "c", 3)
    assert not result.sole
    clear = pick(rows([0.98, 0.90, 1.10], 0.01), "x", "name", 0.95)
    assert clear
    assert clear.sole


def test_parts_of_a_whole_are_distinguished_later() -> None:
    """Where one is small as the other is large, the error of the difference is the sum of both: .02, not .0141."""
    value = [1.0, 0.964]
    assert contenders(value, [0.01, 0.01], [9_999, 9_999], 0.95) == [0]
    assert contenders(value, [0.013, 0.013], [9_999, 9_999], 0.95) == [0]
    assert contenders(value, [0.013, 0.013], [9_999, 9_999], 0.95, parts=True) == [0, 1]


def test_by_size_and_from_below() -> None:
    table = rows([-3.0, 2.0, 0.5], 0.1)
    assert [
        result.names for by in ("largest", "smallest", "size") if (result := pick(table, "x", "name", 0.95, by=by))
    ] == [
        ("b",),
        ("a",),
        ("a",),
    ]


def test_rows_without_an_error_are_no_candidates() -> None:
    table = rows([1.0, 2.0], 0.1).with_columns(x_se=pl.Series([0.1, None]))
    result = pick(table, "x", "name", 0.95)
    assert result
    assert result.names == ("a",)
    assert pick(table.filter(pl.col("x_se").is_null()), "x", "name", 0.95) is None


def test_the_largest_is_named_and_its_interval_holds() -> None:
    """In 95 % of 2,000 draws at least, where three of fifteen are nearly alike (an ordinary interval: 89 %)."""
    chance = np.random.Generator(np.random.PCG64(1))
    truth = np.concatenate([[0.30, 0.295, 0.29], np.linspace(0.1, 0.28, 12)])
    named = held = ordinary = alone = 0
    for _ in range(2_000):
        seen = truth + 0.01 * chance.standard_normal(len(truth))
        result = contenders(seen, np.full(15, 0.01), np.full(15, 2_000), 0.95)
        low, high = of_means(seen, np.full(15, 0.01), np.full(15, 2_000), 0.95)
        first = result[0]
        named += 0 in result
        alone += first == 0
        held += low[first] <= truth[first] <= high[first]
        ordinary += abs(seen[first] - truth[first]) <= 0.0196
    assert named >= 1_900
    assert held >= 1_900
    assert alone < 1_200, "the largest estimate alone would often be the wrong one"
    assert ordinary < 1_880, "and an interval for itself would not hold"


def test_overlapping_intervals_are_named_together() -> None:
    assert overlapping(["a", "b", "c"], [0.3, 0.5, 0.2], [0.2, 0.4, 0.1], [0.4, 0.6, 0.3]) == ("b", "a")
    assert overlapping(["a", "b"], [0.3, 0.5], [0.2, 0.4], [0.39, 0.6]) == ("b",)


def test_sentences_name_them() -> None:
    said = [ENGLISH._said(Tied(names)) for names in ("a", "ab", "abc", "abcde")]
    assert said == ["a", "a and b", "a, b and c", "a or one of 4 others"]
    assert FRENCH._said(Tied("ab")) == "a et b"
