"""Fief 2: the exact odds of fights as a chart."""

from __future__ import annotations

import polars as pl

from reports.figures.curves import Curves
from reports.words import ENGLISH, Words

SERIES = {"attacker_wins": "odds.attacker", "defender_wins": "odds.defender", "both_gone": "odds.both"}


def odds_chart(table: pl.DataFrame, words: Words = ENGLISH) -> Curves:
    """Return the odds of fights against one defender, by the attacker's points.

    table: What `analysis.games.fief_2.odds.odds_table` returns for one number of the defender's points.
    """
    own = words.of_game("fief-2")
    value = pl.col("value")
    frame = table.unpivot(list(SERIES), index="attacker", variable_name="series").select(
        "series", value, x="attacker", low=value, high=value
    )
    names = {series: own(key) for series, key in SERIES.items()}
    return Curves(frame, names, own("odds.points"), own("odds.chance"), percent=True, words=own)
