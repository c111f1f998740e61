"""Is every option of a player that plays `random` taken equally often?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from scipy.stats import chi2


def check_even(taken: Mapping[tuple[Any, ...], Counter[int]]) -> None:
    """Test each sort of choice, known by what it is about and its number of options; all tests together err in 1 %."""
    values = {}
    for key, counts in taken.items():
        options, fair = key[1], counts.total() / key[1]
        if options > 1 and fair >= 10:
            distance = sum((counts[option] - fair) ** 2 / fair for option in range(options))
            values[key] = float(chi2.sf(distance, options - 1))
    print(f"\n{len(values)} tests; the smallest: {sorted((value, key) for key, value in values.items())[:3]}")
    assert min(values.values()) > 0.01 / len(values)
