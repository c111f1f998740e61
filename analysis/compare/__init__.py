"""The effects of a change: versions of a game on the same deals, seat by seat, and other measures that moved."""

from __future__ import annotations

from analysis.compare.comparing import (
    Chosen,
    Reference,
    Version,
    compare_sources,
    compare_versions,
    distinct,
    find_versions,
    needs_tuning,
    sized,
    tuning_notes,
)
from analysis.compare.result import Comparison

__all__ = [
    "Chosen", "Comparison", "Reference", "Version", "compare_sources", "compare_versions", "distinct", "find_versions",
    "needs_tuning", "sized", "tuning_notes",
]  # fmt: skip
