"""A key of the rules and the values that it takes, as a user writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from simcore.errors import UsageError
from simcore.toml_tables import shown

MOST_VALUES = 1_000
ALTERNATIVE = "|"

_RANGE = re.compile(r"(?P<low>[^|\[\"']+?)\.\.(?P<high>[^|:\"']+)(?::(?P<step>.*))?")


@dataclass(frozen=True)
class Axis:
    """A key of the rules and the values that it takes."""

    key: str  # tables and key, joined by dots
    values: tuple[str, ...]  # the values as text of settings, in order

    @property
    def numbers(self) -> list[float] | None:
        """The values as numbers; None if one of them is not a number."""
        try:
            return [float(value) for value in self.values]
        except ValueError:
            return None


def read_axis(text: str) -> Axis:
    """Parse an axis such as "key=lo..hi", "key=lo..hi:step", "key=a|b|c" or "key=value".

    A range includes both ends.  The default step is 1.

    Raises UsageError if a range is empty, reversed or too long.
    """
    key, _, values = (part.strip() for part in text.partition("="))
    label = shown(text)
    if not key or not values:
        raise UsageError(f"{label}: write key=lo..hi, key=lo..hi:step, key=a|b|c or key=value", "settings")
    if found := _RANGE.fullmatch(values):
        return Axis(key, _range(label, key, *(found[end] for end in ("low", "high", "step"))))
    taken = tuple(dict.fromkeys(part.strip() for part in values.split(ALTERNATIVE)))
    if not all(taken):
        raise UsageError(f"{label}: a value is missing next to '{ALTERNATIVE}'", "settings")
    return Axis(key, taken)


def _range(label: str, key: str, *ends: str | None) -> tuple[str, ...]:
    try:
        low, high, step = (Decimal("1" if end is None else end.strip()) for end in ends)
        if not all(end.is_finite() for end in (low, high, step)):
            raise InvalidOperation
    except InvalidOperation:
        raise UsageError(
            f"{label}: the ends and the step of a range are numbers, as in {key}=1..9:2", "settings"
        ) from None
    if step <= 0:
        raise UsageError(f"{label}: the step must be larger than 0", "settings")
    if high < low:
        raise UsageError(f"{label}: the range is reversed; write {key}={high}..{low}", "settings")
    if (high - low) / step >= MOST_VALUES:
        raise UsageError(f"{label}: a range has at most {MOST_VALUES:,} values; choose a larger step", "settings")
    return tuple(format(low + number * step, "f") for number in range(int((high - low) / step) + 1))
