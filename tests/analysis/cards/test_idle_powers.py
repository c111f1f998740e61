"""Powers of Médiévallons in whose place there is a blank: nobody does them, and their cards are cards all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.cards.table import things_of
from simcore.game import load_game
from simcore.games.medievallons.state import TYPE_NAMES
from simcore.running.replay import replay
from strategies.spec import make_spec, under_rules

TYPES, POWERS = things_of(load_game("medievallons"))
GAMES = 12


def test_every_type_but_the_jester_has_a_power_on_as_many_cards() -> None:
    rules = make_spec("medievallons", 3).rules.values
    copies = TYPES.copies(rules)
    assert POWERS.copies(rules) == {f"power_{name}": copies[name] for name in TYPE_NAMES if name != "jester"}


@pytest.mark.parametrize("name", [name for name in TYPE_NAMES if name != "jester"])
def test_an_idle_power_does_nothing_and_its_cards_are_still_used(name: str) -> None:
    """By the logs of players who choose at random: no such power begins, others do, and the cards leave hands."""
    spec = make_spec("medievallons", 3, ("random",) * 3, games=GAMES)
    assert POWERS.blank is not None
    idle = under_rules(spec, replace(spec.rules, values=POWERS.blank(spec.rules.values, [f"power_{name}"])))
    begun: list[list[str]] = [[], []]
    used = 0
    for number, one in enumerate((spec, idle)):
        for game in range(GAMES):
            for record in replay(one, game).logs[0].records:
                if record["kind"] == "power":
                    begun[number].append(record["power"])
                used += number and record["kind"] == "action" and record.get("type") == name
    assert name in begun[0] and name not in begun[1]
    assert set(TYPE_NAMES) - set(begun[1]) == {"jester", name}
    assert used > 0
