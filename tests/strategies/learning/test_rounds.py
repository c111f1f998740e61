"""A new value stays if what it wins among thinkers, times what it wins among bases, does not fall."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simcore.judged import Role
from strategies.learning.rounds import _Learning
from strategies.learning.trials import Trial
from strategies.searching import Foresight
from strategies.value import Parts, Value

PLAYER = Role("player", "Player")
VALUE = Value.of(Parts(np.array([0.0]), np.array([[0.0, 1.0, 0.0, 0.0]]), np.zeros(0)))
FORESIGHT = Foresight(1, 8, 4, Value.packed(VALUE.parts), 50.0, 0.5)


def passes(won: dict[str, float], spread: float = 0.02, *, asymmetric: bool = False) -> bool:
    """Let a value with these wins in each trial, by its label, come to the gate."""

    def hold(label: str, *_: Any) -> Trial:
        name = label.removeprefix("value ")
        return Trial(won[name] + spread * np.array([-1.0, 1.0] * 50) * (-1 if name.startswith("old") else 1))

    game = SimpleNamespace(asymmetric=asymmetric)
    court = SimpleNamespace(hold=hold, thinker=lambda foresights: None)
    learning = SimpleNamespace(plan=SimpleNamespace(game=game), court=court, _say=print, _seed=len)
    return _Learning._passes(cast(Any, learning), "value", PLAYER, FORESIGHT, {"player": FORESIGHT})


@pytest.mark.parametrize(
    ("among_thinkers", "new", "old", "stays"),
    [
        (1.5, 1.4, 2.0, True),
        (1.5, 1.3, 2.0, False),
        (1.2, 2.0, 2.0, True),
        (1.2, 2.5, 2.0, True),
        (1.0, 2.5, 2.0, False),
    ],
)
def test_the_product_of_both_must_not_fall(among_thinkers: float, new: float, old: float, stays: bool) -> None:
    won = {"among thinkers": among_thinkers, "new among bases": new, "old among bases": old}
    assert passes(won) == stays


def test_a_loss_within_the_error_is_none() -> None:
    won = {"among thinkers": 1.02, "new among bases": 1.9, "old among bases": 2.0}
    assert not passes(won)
    assert not passes(won, spread=0.1), "it gains enough, and loses too much"
    assert passes(won | {"new among bases": 1.99}, spread=0.1)


def test_a_role_gains_over_what_the_present_one_wins_in_its_seats() -> None:
    won = {"among thinkers": 1.5, "stays": 1.5, "new among bases": 2.0, "old among bases": 2.0}
    assert not passes(won, asymmetric=True)
    assert passes(won | {"stays": 1.2}, asymmetric=True)
