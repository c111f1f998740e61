"""Fief 2: the exact odds of a fight, computed from the dice and losses of the kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """Count, over all throws of three dice, the points that one side takes from the other."""
    for dice in range(counts.shape[0]):
        counts[dice] = 0
    for dice in range(THROWS):
        total = total_of(rules, pips_of(np.int64(dice), dice_of(rules, points)), with_darc)
        counts[losses_of(rules, total, ground)] += 1


@dataclass(frozen=True)
class Odds:
    """The outcome of a fight to the end, without grace."""

    attacker: int
    defender: int
    """attacker, defender: Points, lords included."""
    ground: str  # where the defender stands: "open", "castle" or "city"
    darc: str  # side on which d'Arc fights, the last to die: "attacker", "defender" or "none"
    attacker_wins: float
    defender_wins: float
    both_gone: float
    """attacker_wins, defender_wins, both_gone: Probabilities."""
    rounds: float  # mean number of rounds
    attacker_left: float
    defender_left: float
    """attacker_left, defender_left: Mean number of points left; a side that is gone counts as 0."""


def odds(rules: Rules, attacker: int, defender: int, ground: str = "open", darc: str = "none") -> Odds:
    """Return the exact odds of a fight; see `all_odds`.

    Examples
    --------
    >>> from simcore.game import load_game
    >>> from simcore.rules.files import load_rules
    >>> round(odds(load_rules(load_game("fief-2")), 10, 6, "castle").attacker_wins, 5)
    0.85625
    """
    return all_odds(rules, [attacker], [defender], ground, darc)[0]


def all_odds(
    rules: Rules, attackers: Sequence[int], defenders: Sequence[int], ground: str = "open", darc: str = "none"
) -> list[Odds]:
    """Return the exact odds of every attacker against every defender.

    rules: Resolved rules of Fief 2.
    attackers, defenders: Points of both sides, lords included; 1 to 200.
    ground: Where the defender stands: "open", "castle" or "city".
    darc: Side on which d'Arc fights: "attacker", "defender" or "none".  She is the last to die.
    Raises UsageError if a side has too few or too many points, if ground or side are unknown, or if a fight never ends.
    """
    for side, numbers in zip(SIDES, (attackers, defenders), strict=True):
        if not numbers:
            raise UsageError("give the points of a fight", side)
        for points in numbers:
            if not 1 <= points <= MOST_POINTS:
                raise UsageError(f"{points} points; give 1 to {MOST_POINTS}", side)
    if ground not in GROUNDS:
        raise UsageError(f"'{ground}' is not a kind of ground; give one of {', '.join(GROUNDS)}", "ground")
    if darc not in (*SIDES, "none"):
        raise UsageError(f"'{darc}' is not a side; give one of {', '.join((*SIDES, 'none'))}", "darc")
    most, most_other = max(attackers), max(defenders)
    taken = list(_rounds(rules, most, np.int64(GROUNDS.index(ground)), darc == "attacker"))
    given = list(_rounds(rules, most_other, OPEN, darc == "defender"))
    worth = np.zeros((most + 1, most_other + 1, 6))  # win, loss, both gone, rounds, points left of both sides
    worth[1:, 0, 0] = worth[0, 1:, 1] = worth[0, 0, 2] = 1
    worth[:, 0, 4], worth[0, :, 5] = np.arange(most + 1), np.arange(most_other + 1)
    for own in range(1, most + 1):
        for other in range(1, most_other + 1):
            worth[own, other] = _fight_on(worth, own, other, taken[own - 1], given[other - 1])
    return [Odds(own, other, ground, darc, *worth[own, other].tolist()) for own in attackers for other in defenders]


def _rounds(rules: Rules, most: int, ground: Any, with_darc: bool) -> Iterator[np.ndarray[Any, Any]]:
    """Yield, for 1, 2, ... points of a side, the probabilities of the losses that it inflicts."""
    record = pack(rules.values, 3)  # type: ignore[arg-type]
    counts = np.zeros(64, np.int64)
    for points in range(1, most + 1):
        count_losses(record, np.int64(points), ground, with_darc, counts)
        yield np.trim_zeros(counts, "b") / THROWS


def _fight_on(worth: Any, own: int, other: int, taken: Any, given: Any) -> Any:
    """Return the expected outcome of a fight from its next round on; rounds without losses only take time."""
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
