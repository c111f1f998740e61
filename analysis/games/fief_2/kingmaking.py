"""Fief 2: how often a family that can hardly win decides who wins.

The position is that after the last scoring before the end of the game.  A family is *out of the race* if it is further
behind the leader than the leader scored in that scoring.  It *strikes* the leader if it attacks the leader afterwards
and is alone on the ground at the end of the fight.  Games with tied leaders are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.declarations import Breakdown
from analysis.data.events import GAME, SEAT, TURN, VALUES

Array = NDArray[Any]
ROWS = ("some_out", "struck", "falls_struck", "falls_unstruck", "out_wins")


def kingmaking(columns: Mapping[str, Array], rules: Any) -> tuple[Array, Array]:
    """Games with a family out of the race, with a strike, and with falling leaders by strike; wins of the others."""
    won = columns["share60"] > 0
    games, players = won.shape
    scores, when = _scores(columns["event standing"], games, players, rules)
    every, row = rules.scores.every, np.arange(games)
    now = scores[row, when]
    lead = now.max(axis=1)
    leader = now.argmax(axis=1)
    known = (when > 0) & ((now == lead[:, None]).sum(axis=1) == 1)
    gained = lead - scores[row, (when - every).clip(0), leader]
    out = known[:, None] & (lead[:, None] - now > gained[:, None])
    some = out.any(axis=1)
    struck = some & _struck(columns, out, leader, when)
    falls = ~won[row, leader]
    top = [some, struck, struck & falls, some & ~struck & falls]
    bottom = [known, some, struck, some & ~struck]
    top, bottom = [*top, (out & won).sum(axis=1)], [*bottom, out.sum(axis=1)]
    return np.stack(top, axis=1)[:, :, None].astype(float), np.stack(bottom, axis=1)[:, :, None].astype(float)


def _scores(standing: Array, games: int, players: int, rules: Any) -> tuple[Array, Array]:
    """Return the score by game, turn and seat, and the turn of the last scoring before the end; 0 if there is none."""
    scores = np.zeros((games, rules.turns + 1, players), np.int64)
    game, turn = standing[:, GAME], standing[:, TURN]
    scores[game, turn, standing[:, SEAT]] = standing[:, VALUES]
    ended = np.zeros(games, np.int64)
    np.maximum.at(ended, game, turn)
    return scores, (ended - 1).clip(0) // rules.scores.every * rules.scores.every


def _struck(columns: Mapping[str, Array], out: Array, leader: Array, when: Array) -> Array:
    """Return the games in which a family that is out of the race strikes the leader."""
    begun, ended = columns["event fight"], columns["event result"]  # every fight ends before the next one begins
    game, seat, foe = begun[:, GAME], begun[:, SEAT], begun[:, VALUES + 1]
    late = (begun[:, TURN] > when[game]) & (ended[:, VALUES + 2] == 1) & (seat >= 0)
    hits = late & (foe == leader[game]) & out[game, seat]
    found = np.zeros(len(out), bool)
    found[game[hits]] = True
    return found


KINGMAKING = Breakdown(
    "kingmaking", "kingmaking_of", ROWS, ("games",), ("share60",), kingmaking, "share",
    events=("standing", "fight", "result"),
)  # fmt: skip
