"""Margins as people write them: "0.5pp" for shares, a plain number for everything else."""

from __future__ import annotations

import re

from analysis.stats.margin import Margin, as_margin
from simcore.errors import UsageError
from simcore.toml_tables import shown

_POINTS = re.compile(r"(\d{1,3}(?:\.\d{1,12})?)\s*pp")


def read_margin(value: float | str, is_share: bool, label: str) -> float:
    """Return a margin as a number.

    value: The value in the file.
    is_share: Whether the measure is a share, so that its margin is in percentage points.
    label: Name of the margin in messages.
    Raises UsageError if it is not a margin of that kind.
    """
    if is_share:
        found = _POINTS.fullmatch(value.strip()) if isinstance(value, str) else None
        if not found or not 0 < float(found[1]) < 100:
            raise UsageError(f'{label}: {_quoted(value)} is not a margin of a share; write points, as in "0.5pp"')
        return float(found[1]) / 100
    if isinstance(value, str) or not 0 < value < 1e12:
        raise UsageError(f"{label}: {_quoted(value)} is not a margin; write a number above zero, without quotes")
    return float(value)


def read_limit(value: str, label: str) -> Margin:
    """Return how far a share may be from its par: "12%" of par, or "3pp".

    Raises UsageError if it is neither.
    """
    try:
        return as_margin(value)
    except UsageError as error:
        raise UsageError(f"{label}: {error.message}") from None


def _quoted(value: float | str) -> str:
    return f"'{shown(value)}'" if isinstance(value, str) else f"{value:g}"


def margin_text(margin: float, is_share: bool, sign: bool = False) -> str:
    """Return a margin or a shift as text: 0.005 of a share is 0.50 pp."""
    plus = "+" if sign else ""
    if is_share:
        return f"{margin * 100:{plus}.2f} pp"
    return f"{margin:{plus}.3g}" if abs(margin) < 1000 else f"{margin:{plus}.0f}"


def value_text(value: float, is_share: bool) -> str:
    """Return a measure's value as text."""
    return f"{value * 100:.2f} %" if is_share else f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"
