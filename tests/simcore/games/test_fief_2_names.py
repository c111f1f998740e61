"""Fief 2: numbers that are called by one name in the kernel and by another in a log mean the same."""

from __future__ import annotations

import pytest

from simcore.games.fief_2 import state

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
        (state.DECISION_NAMES, "{}", 0),
        (state.CARD_KINDS, "{}_CARD", 0),
        (state.BUY, "BUY_{}", 1),
        (state.BUILDINGS, "{}", 0),
        (state.GROUNDS, "{}", 0),
        (state.PHASES, "{}", 0),
    ],
)
def test_constants_are_numbered_like_the_names_of_a_log(listed: tuple[str, ...], pattern: str, first: int) -> None:
    other = {name: constant for constant, name in OTHERWISE.items() if constant.endswith(pattern.strip("{}"))}
    for number, name in enumerate(listed, first):
        constant = other.get(name, pattern.format(name.upper()))
        assert getattr(state, constant) == number, constant


def test_a_card_asks_for_its_own_target() -> None:
    asked = {
        kind: state.DECISION_NAMES[at] for kind, at in zip(state.CARD_KINDS, state.TARGET_OF, strict=True) if at >= 0
    }
    assert asked == {kind: f"target_{kind}" for kind in state.CARD_KINDS if kind not in ("lord", "justice")}
