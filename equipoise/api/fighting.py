"""`eq.odds`: how likely each outcome of a fight is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from analysis.games.fief_2.odds import odds_table
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import Rules, Settings, load_rules

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
        Strength of each side in points, lords included, from 1 to 200.  If several numbers are given, every attacker
        fights every defender.
    ground
        Where the defender stands: "open", "castle" or "city".
    darc
        Side on which d'Arc fights: "attacker", "defender" or "none".  She is the last to die.
    game
        The game; only Fief 2 has such fights.
    rules, settings
        The rules, as for `eq.simulate`.

    Returns
    -------
    polars.DataFrame
        One row for each fight: `attacker`, `defender`, `ground`, `darc`, the probabilities `attacker_wins`,
        `defender_wins` and `both_gone`, the mean number of `rounds`, and the mean points that each side has left
        (`attacker_left`, `defender_left`; a side that is gone counts as 0).

    Raises
    ------
    UsageError
        If a side has too few or too many points, the ground, the side or the rules are unknown, or a fight never ends.

    References
    ----------
    * docs/findings/fief-2.md

    Examples
    --------
    >>> import equipoise as eq
    >>> eq.odds([6, 9], 6).select("attacker", "defender").rows()
    [(6, 6), (9, 6)]
    """
    played = load_game(game)
    if played.name != GAME:
        raise UsageError(f"{played.title} has no fights with exact odds; give {GAME}", "game")
    fought = load_rules(played, rules, settings)
    own, other = ([number] if isinstance(number, int) else number for number in (attacker, defender))
    return odds_table(fought, own, other, ground, darc)
