"""Intervals of the luck ledger hold for all parts at once, counted over many ledgers."""

from __future__ import annotations

import equipoise as eq
from analysis.luck import luck_ledger
from tests.analysis.test_luck import exact, forgotten, parts_of, toss  # noqa: F401  fixtures


def test_intervals_hold_for_all_parts_at_once(toss: str, forgotten: None) -> None:  # noqa: F811
    """Of 60 ledgers at 95 %, 57 are expected to hold all parts; fewer than 52 would come up once in 350 times."""
    wanted = {name: part for name, part in exact("guess", "bold").items() if part}
    held = 0
    for seed in range(60):
        spec = eq.make_spec(toss, strategies=["guess", "bold"], games=1_600, seed=seed)
        rows = parts_of(luck_ledger(spec, threads=1))
        held += all(rows[name]["part_low"] <= part <= rows[name]["part_high"] for name, part in wanted.items())
    assert held >= 52
