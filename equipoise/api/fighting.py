"""`eq.odds`: what becomes of fights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from analysis.games.fief_2.odds import odds_table
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import Rules, load_rules
from simcore.rules.settings import Settings

GAME = "fief-2"
"""The only game whose fights have exact odds."""


def odds(
    attacker: int | Sequence[int],
    defender: int | Sequence[int],
    *,
    ground: str = "open",
    darc: str = "none",
    game: str = GAME,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
) -> pl.DataFrame:
    """Return the exact odds of fights that nobody breaks off.

    Parameters
    ----------
    attacker, defender
        Points of both sides, lords included, 1 to 200; with several numbers, every pair fights.
    ground
        Where the defender stands: "open", "castle" or "city".
    darc
        Side on which d'Arc fights: "attacker", "defender" or "none". She is the last to die.
    game
        The game; only Fief 2 has such fights.
    rules, settings
        Rules by which they fight, as for `eq.simulate`.

    Returns
    -------
    polars.DataFrame
        One row for each fight: `attacker`, `defender`, `ground`, `darc`, the probabilities `attacker_wins`,
        `defender_wins` and `both_gone`, and on average the number of `rounds` and the points left of both sides
        (`attacker_left`, `defender_left`; 0 is counted where a side is gone).

    Raises
    ------
    UsageError
        If a side has too few or too many points, if ground, side or rules are unknown, or if a fight never ends.
    """
    played = load_game(game)
    if played.name != GAME:
        raise UsageError(f"{played.title} has no fights with exact odds; give {GAME}", "game")
    fought = load_rules(played, rules, settings)
    own, other = ([number] if isinstance(number, int) else number for number in (attacker, defender))
    return odds_table(fought, own, other, ground, darc)
