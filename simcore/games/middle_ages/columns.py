"""Middle-Ages: the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.game import Column
from simcore.games.middle_ages.model import DOMAIN_NAMES
from simcore.games.middle_ages.state import EVENTS, PLAYERS, ROUNDS


def _events(rules: Any) -> tuple[str, ...]:
    return tuple(rules.events)


def _plot(rules: Any) -> tuple[str, ...]:
    return ("none", *DOMAIN_NAMES)


def _tie_break(rules: Any) -> tuple[str, ...]:
    return ("none", *reversed(DOMAIN_NAMES), "shared")


def _outcome() -> Iterator[Column]:
    yield Column("coins", "Int32", "coins after the penalty", "coins", detail="minimal")
    for slot in range(EVENTS):
        meaning = f"Event resolved after round {4 * slot + 4}"
        yield Column(f"event_{slot + 1}", "Enum", meaning, "events", slot, "minimal", labels=_events)
    meaning = "first Domain that decided between the seat and another one with equal coins"
    yield Column("tie_break", "Enum", meaning, "tie_break", labels=_tie_break)


def _fief() -> Iterator[Column]:
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"{domain.capitalize()} tiles in the Fief at the end"
        yield Column(f"tiles_{domain}", "UInt8", meaning, "tiles", number)


def _coins() -> Iterator[Column]:
    for number, domain in enumerate(DOMAIN_NAMES):
        yield Column(f"income_{domain}", "Int32", f"coins from the Income of {domain.capitalize()}", "income", number)
    yield Column("effect_field", "Int32", "coins from peasants through the Field effect", "field_coins")
    yield Column("effect_market", "Int32", "coins from chests through the Market effect", "market_coins")
    yield Column("mill_robbed", "Int32", "coins taken through the Mill effect", "mill_robbed")
    yield Column("mill_paid", "Int32", "coins lost to the Mill effect of others", "mill_paid")
    yield Column("barracks_robbed", "Int32", "coins taken through the Barracks effect", "barracks_robbed")
    yield Column("barracks_paid", "Int32", "coins lost to the Barracks effect of others", "barracks_paid")
    for slot in range(EVENTS):
        meaning = f"coins from the Event of round {4 * slot + 4}, negative when lost"
        yield Column(f"event_{slot + 1}_coins", "Int32", meaning, "event_coins", slot)
    yield Column("penalty", "Int32", "coins lost at the end to empty Domains, positive", "penalty")


def _play() -> Iterator[Column]:
    yield Column("extra_tokens", "UInt8", "extra-coin tokens laid", "extra_tokens")
    yield Column("plot_tokens", "UInt8", "plot tokens laid", "plot_tokens")
    yield Column("burials", "UInt8", "tiles that went to the Cemetery", "burials")
    yield Column("restorations", "UInt8", "tiles that came back from it", "restorations")
    yield Column("scouts", "UInt8", "times the Scout was placed", "scouts")
    yield Column("scouts_honoured", "UInt8", "times the Lord then went to the reserved tile", "scouts_honoured")
    yield Column("turn_mean", "Float32", "mean turn position, 1 is first", "turn_sum", divisor=ROUNDS)
    yield Column("peak_coins", "Int32", "most coins in circulation at the table at any time", "peak_coins")


def _full() -> Iterator[Column]:
    meaning = "most coins of value 1 in circulation at a round's end, held in fewest pieces"
    yield Column("peak_ones", "UInt8", meaning, "peak_ones", detail="full")
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"an extra-coin token lies under {domain.capitalize()}"
        yield Column(f"extra_{domain}", "Boolean", meaning, "extra_on", number, "full")
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"plot token under {domain.capitalize()}"
        yield Column(f"plot_{domain}", "Enum", meaning, "plot_on", number, "full", labels=_plot)
    for number in range(PLAYERS):
        meaning = f"coins taken from seat {number + 1} through Mills and Barracks"
        yield Column(f"robbed_from_{number + 1}", "Int32", meaning, "robbed_from", number, "full")
    rounds = (
        ("coins_r", "Int32", "coins after round {}", "after_round"),
        ("tile_r", "UInt8", "number of the tile taken in round {}", "taken"),
        ("turn_r", "UInt8", "turn position in round {}, 1 is first", "turn"),
        ("column_r", "UInt8", "column of the tile taken in round {}, 0 is leftmost", "column"),
    )
    for prefix, kind, meaning, field in rounds:
        for number in range(ROUNDS):
            yield Column(f"{prefix}{number + 1}", kind, meaning.format(number + 1), field, number, "full")


COLUMNS = (*_outcome(), *_fief(), *_coins(), *_play(), *_full())
