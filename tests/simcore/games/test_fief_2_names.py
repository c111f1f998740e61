"""Fief 2: numbers that are called by one name in the kernel and by another in a log mean the same."""

from __future__ import annotations

import pytest

from simcore.games.fief_2 import names

OTHERWISE = {
    "TARGET_WEATHER": "target_bad_weather",
    "TARGET_HARVEST": "target_good_harvest",
    "TARGET_ASSASSIN": "target_assassination",
    "BUYS": "buy",
    "TITLE_REGION": "buy_title",
    "CARDINAL_TO": "buy_cardinal",
    "CASTLE_AT": "buy_castle",
    "MILL_AT": "buy_mill",
    "PRESS_AT": "buy_press",
    "SOLDIERS_AT": "buy_soldiers",
    "MOVE_LORD": "lord",
    "PLAY_CARDS": "cards",
    "WEATHER_CARD": "bad_weather",
    "HARVEST_CARD": "good_harvest",
    "ASSASSIN_CARD": "assassination",
}
"""Constants that are not called like what they number."""


@pytest.mark.parametrize(
    ("listed", "pattern", "first"),
    [
        (names.DECISION_NAMES, "{}", 0),
        (names.CARD_KINDS, "{}_CARD", 0),
        (names.BUY, "BUY_{}", 1),
        (names.BUILDINGS, "{}", 0),
        (names.GROUNDS, "{}", 0),
        (names.PHASES, "{}", 0),
    ],
)
def test_constants_are_numbered_like_the_names_of_a_log(listed: tuple[str, ...], pattern: str, first: int) -> None:
    other = {name: constant for constant, name in OTHERWISE.items() if constant.endswith(pattern.strip("{}"))}
    for number, name in enumerate(listed, first):
        constant = other.get(name, pattern.format(name.upper()))
        assert getattr(names, constant) == number, constant


def test_a_card_asks_for_its_own_target() -> None:
    asked = {
        kind: names.DECISION_NAMES[at] for kind, at in zip(names.CARD_KINDS, names.TARGET_OF, strict=True) if at >= 0
    }
    assert asked == {kind: f"target_{kind}" for kind in names.CARD_KINDS if kind not in ("lord", "justice")}
