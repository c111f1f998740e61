"""What the keys of rules take, held against what the rules accept."""

from __future__ import annotations

import re

import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import known_games
from simcore.rules.files import RuleSet, load_rules
from simcore.rules.levers import rule_keys


@pytest.mark.parametrize("name", known_games())
def test_every_key_is_listed_with_its_value(name: str) -> None:
    game = load_game(name)
    rules = load_rules(game)
    flat = {key: value for key, value in rules.flat().items() if key not in RuleSet.model_fields}
    found = rule_keys(game, rules)
    assert {entry.key: entry.value for entry in found} == flat
    assert {entry.key for entry in found if entry.switch} == set(rules.switches)
    assert not [entry.key for entry in found if entry.takes == "see the rule file"]


@pytest.mark.parametrize("name", ["middle-ages", "medievallons"])
def test_ranges_are_those_that_the_rules_accept(name: str) -> None:
    """Both ends are taken, and the next number on either side is refused."""
    game = load_game(name)
    ranges = {
        entry.key: re.fullmatch(r"(-?[\d,]+) to ([\d,]+)", entry.takes) for entry in rule_keys(game, load_rules(game))
    }
    tried = {key: found for key, found in ranges.items() if found and "faces" not in key and "events" not in key}
    assert len(tried) >= 10
    for key, found in tried.items():
        low, high = (int(end.replace(",", "")) for end in found.groups())
        for value in (low, high):
            load_rules(game, "base", [f"{key}={value}"])
        for value in (low - 1, high + 1):
            with pytest.raises(UsageError, match="must be"):
                load_rules(game, "base", [f"{key}={value}"])


def test_choices_are_values_and_not_read_from_words() -> None:
    game = load_game("middle-ages")
    choices = {entry.key: (entry.takes, entry.choices) for entry in rule_keys(game, load_rules(game))}
    assert choices["shortfall"] == ("pay_available or debt", ("pay_available", "debt"))
    assert choices["effects.mill_coins"][1] == () and choices["final_floor"][1] == ()
