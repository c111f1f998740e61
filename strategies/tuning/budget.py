"""How long a tuning or a learning may last."""

from __future__ import annotations

import re
from dataclasses import dataclass

from simcore.errors import UsageError
from simcore.toml_tables import shown

MAX_GENERATIONS = 1_000_000
MAX_SECONDS = 30 * 86400.0
_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_BUDGET = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)([smh]?)")


@dataclass(frozen=True)
class Budget:
    """When a tuning or a learning ends."""

    generations: int | None = None
    """Number of generations, or of rounds of self-play; None for as many as there is time for."""
    seconds: float | None = None  # how long it plays, including earlier sessions of the same one; None for no limit

    @classmethod
    def parse(cls, text: str, option: str = "budget") -> Budget:
        """Return the budget that is written as "90s", "10m", "1.5h" or a number of generations.

        Raises UsageError if it is none of these, zero, or out of range.
        """
        found = _BUDGET.fullmatch(text.strip())
        if not found or (not found[2] and "." in found[1]):
            raise UsageError(
                f"'{shown(text)}': write a time such as 90s, 10m or 2h, or a number of generations", option
            )
        amount = float(found[1]) * _UNITS.get(found[2], 1.0)
        most = MAX_SECONDS if found[2] else MAX_GENERATIONS
        if not 0 < amount <= most:
            limit = f"30 days ({most / 3600:.0f}h)" if found[2] else f"{most:,} generations"
            raise UsageError(f"{shown(text)} is out of range; give more than 0 and at most {limit}", option)
        return cls(seconds=amount) if found[2] else cls(generations=int(amount))

    def spent(self, generations: int, seconds: float) -> bool:
        """Return whether the budget is used up after this many generations and seconds."""
        if self.generations is not None:
            return generations >= self.generations
        return seconds >= (self.seconds or 0.0)
