"""Places and shares of the win."""

from collections.abc import Sequence
from typing import Any

WIN_SHARE = 60


def rank(keys: Sequence[Any]) -> tuple[list[int], list[int]]:
    """Return each seat's place, 1 for the largest key and equal when tied, and its win share in sixtieths."""
    places = [1 + sum(other > key for other in keys) for key in keys]
    share = WIN_SHARE // places.count(1)
    return places, [share if place == 1 else 0 for place in places]
