"""The parts of which games are made: the examples in their docstrings hold."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import simcore.components

MODULES = [module.name for module in pkgutil.iter_modules(simcore.components.__path__)]


@pytest.mark.plain
@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    done = doctest.testmod(import_module(f"simcore.components.{name}"))
    assert done.attempted > 0
    assert done.failed == 0


@pytest.mark.plain
def test_a_shuffle_does_not_depend_on_how_the_cards_lay() -> None:
    from simcore.components.deck import add_cards, deck, shuffle_deck
    from simcore.kernel.records import blank, layout
    from simcore.kernel.streams import RNG, begin

    orders = []
    for cards in ((0, 1, 2, 3, 4, 5), (5, 3, 1, 0, 2, 4)):
        state = blank(layout(("rng", RNG), ("deck", deck(6))))
        begin(state["rng"], 5, 9)
        for card in cards:
            add_cards(state["deck"], card, 1)
        shuffle_deck(state["rng"], state["deck"], 0)
        orders.append(state["deck"]["order"].tolist())
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == list(range(6)) != orders[0]
