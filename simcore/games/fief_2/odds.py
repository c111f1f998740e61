"""Fief 2: the exact odds of a fight, made of the dice and losses of the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.games.fief_2.dice import dice_of, losses_of, pips_of, total_of
from simcore.games.fief_2.names import GROUNDS, OPEN
from simcore.games.fief_2.rules import pack
from simcore.kernel.compilation import kernel
from simcore.rules.files import Rules

THROWS = 216
MOST_POINTS = 200
SIDES = ("attacker", "defender")


@kernel
def count_losses(rules, points, ground, with_darc, counts):
    """Count, over all throws of three dice, the points that a side takes from the other."""
    for dice in range(counts.shape[0]):
        counts[dice] = 0
    for dice in range(THROWS):
        total = total_of(rules, pips_of(np.int64(dice), dice_of(rules, points)), with_darc)
        counts[losses_of(rules, total, ground)] += 1


@dataclass(frozen=True)
class Odds:
    """What becomes of a fight to the end, without grace.

    Parameters
    ----------
    attacker, defender
        Points, lords included.
    ground
        Where the defender stands: "open", "castle" or "city".
    darc
        Side on which d'Arc fights, the last to die: "attacker", "defender" or "none".
    attacker_wins, defender_wins, both_gone
        Probabilities.
    rounds
        Rounds on average.
    attacker_left, defender_left
        Points left on average, 0 counted where the side is gone.
    """

    attacker: int
    defender: int
    ground: str
    darc: str
    attacker_wins: float
    defender_wins: float
    both_gone: float
    rounds: float
    attacker_left: float
    defender_left: float


def odds(rules: Rules, attacker: int, defender: int, ground: str = "open", darc: str = "none") -> Odds:
    """Return the exact odds of a fight.

    Parameters
    ----------
    rules
        Resolved rules of Fief 2.
    attacker, defender
        Points of both sides, lords included; 1 to 200.
    ground
        Where the defender stands: "open", "castle" or "city".
    darc
        Side on which d'Arc fights: "attacker", "defender" or "none".  She is the last to die.

    Raises
    ------
    UsageError
        If a side has too few or too many points, if ground or side are unknown, or if the fight never ends.

    Examples
    --------
    >>> from simcore.game import load_game
    >>> from simcore.rules.files import load_rules
    >>> round(odds(load_rules(load_game("fief-2")), 10, 6, "castle").attacker_wins, 5)
    0.85625
    """
    for side, points in zip(SIDES, (attacker, defender), strict=True):
        if not 1 <= points <= MOST_POINTS:
            raise UsageError(f"{side}: {points} points; give 1 to {MOST_POINTS}")
    if ground not in GROUNDS:
        raise UsageError(f"ground: '{ground}' is none; give one of {', '.join(GROUNDS)}")
    if darc not in (*SIDES, "none"):
        raise UsageError(f"darc: '{darc}' is no side; give one of {', '.join((*SIDES, 'none'))}")
    taken = list(_rounds(rules, attacker, np.int64(GROUNDS.index(ground)), darc == "attacker"))
    given = list(_rounds(rules, defender, OPEN, darc == "defender"))
    worth = np.zeros((attacker + 1, defender + 1, 6))  # win, loss, both gone, rounds, points left of both sides
    worth[1:, 0, 0] = worth[0, 1:, 1] = worth[0, 0, 2] = 1
    worth[:, 0, 4], worth[0, :, 5] = np.arange(attacker + 1), np.arange(defender + 1)
    for own in range(1, attacker + 1):
        for other in range(1, defender + 1):
            worth[own, other] = _fight_on(worth, own, other, taken[own - 1], given[other - 1])
    return Odds(attacker, defender, ground, darc, *worth[attacker, defender].tolist())


def _rounds(rules: Rules, most: int, ground: Any, with_darc: bool) -> Iterator[np.ndarray[Any, Any]]:
    """Yield, for 1, 2, ... points of a side, the probabilities of the losses that it inflicts."""
    record = pack(rules.values, 3)  # type: ignore[arg-type]
    counts = np.zeros(64, np.int64)
    for points in range(1, most + 1):
        count_losses(record, np.int64(points), ground, with_darc, counts)
        yield np.trim_zeros(counts, "b") / THROWS


def _fight_on(worth: Any, own: int, other: int, taken: Any, given: Any) -> Any:
    """Return what a fight is worth from its next round on; rounds without loss only take time."""
    chances = given[:, None] * taken
    left = np.maximum(own - np.arange(len(given)), 0)
    over = np.maximum(other - np.arange(len(taken)), 0)
    idle, chances[0, 0] = chances[0, 0], 0
    if idle == 1:
        raise UsageError(
            f"[combat]: a fight of {own} points against {other} never ends; lower what losses are divided by"
        )
    found = (chances[:, :, None] * worth[left[:, None], over]).sum(axis=(0, 1))
    found[3] += 1
    return found / (1 - idle)
