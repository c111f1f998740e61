"""Kuhn poker, which is played for chips: what is known exactly (Kuhn 1950), with the win divided like the chips.

A part of the win of 1/2 + chips / 4 is worth the same as the chips, so 50 % of it are 0 chips a game.
"""

from __future__ import annotations

import numpy as np
import pytest

import equipoise as eq
from simcore.running.batch import run_chunk
from strategies.spec import make_spec

GAMES = 40_000
PAIR = ("honest", "equilibrium")
CHIPS = 4
"""Chips that a whole win is worth."""

EXACT = {
    ("equilibrium", "equilibrium"): -1 / 18,
    ("random", "equilibrium"): -1 / 6,
    ("equilibrium", "honest"): -1 / 18,
    ("honest", "random"): 1 / 6,
    ("random", "random"): 1 / 8,
}
"""Chips that the first player gains a game, by enumeration of the six deals."""


@pytest.mark.parametrize("seats", EXACT)
def test_chips_are_those_of_the_enumeration(seats: tuple[str, str]) -> None:
    rows = run_chunk(make_spec("kuhn", 2, list(seats), seed=5, design="fixed", games=GAMES), 0, GAMES)
    chips = rows["chips"][::2]
    assert chips.mean() == pytest.approx(EXACT[seats], abs=4 * chips.std() / GAMES**0.5)
    assert np.array_equal(rows["share60"], 30 + 15 * rows["chips"])


def test_the_first_seat_loses_at_equilibrium_and_is_not_called_the_better_one() -> None:
    table = eq.seat_advantage(eq.make_spec("kuhn", seed=3, games=200_000)).table
    first, second = table["share"].to_list()
    assert CHIPS * (first - 0.5) == pytest.approx(-1 / 18, abs=0.02)
    assert first < second


def test_a_tournament_names_the_equilibrium_and_not_chance() -> None:
    (found,) = eq.tournament("kuhn", games=60_000, seed=2, progress=False).results
    mix = dict(zip(found.table["strategy"], found.table["mix"], strict=True))
    assert (mix["random"], mix["equilibrium"]) == (0, 1)
    assert found.table["strategy"][-1] == "random"


def test_payoffs_that_are_equal_dominate_nothing() -> None:
    """Honest and equilibrium gain nothing from each other; a difference of 0 has no standard errors either."""
    for seed in range(4):
        (found,) = eq.tournament("kuhn", strategies=PAIR, games=20_000, seed=seed, progress=False).results
        assert not [verdict for verdict in found.verdicts if verdict.code.startswith("tournament_dominated")]
