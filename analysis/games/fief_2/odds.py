"""Fief 2: a table of the exact odds of many fights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import polars as pl

from simcore.games.fief_2.combat import all_odds
from simcore.rules.files import Rules


def odds_table(
    rules: Rules, attackers: Sequence[int], defenders: Sequence[int], ground: str = "open", darc: str = "none"
) -> pl.DataFrame:
    """Return the exact odds of every pair of points.

    attackers, defenders: Strength of both sides in points, lords included.
    ground: Where the defender stands: "open", "castle" or "city".
    darc: Side on which d'Arc fights: "attacker", "defender" or "none".
    Returns polars.DataFrame: One row for each fight, with the fields of `simcore.games.fief_2.combat.Odds`.
    Raises UsageError as for `simcore.games.fief_2.combat.all_odds`.
    """
    return pl.DataFrame([asdict(fight) for fight in all_odds(rules, attackers, defenders, ground, darc)])
