"""Médiévallons: the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.game import Column
from simcore.games.medievallons.model import TYPE_NAMES
from simcore.games.medievallons.state import ACTIONS, DEALS, LAID

ACTION_NAMES = ("play", "lay", "reinforce", "use", "pass")
ENDINGS = ("none", "guilds", "deck")
PHASE_NAMES = ("1-2", "3-4", "5-6", "7-9", "10-14", "15 on")
"""The player's own turns in each phase."""

GUILD_NAMES = ("first", "second", "third")


def _types(rules: Any) -> tuple[str, ...]:
    return ("none", *TYPE_NAMES)


def _endings(rules: Any) -> tuple[str, ...]:
    return ENDINGS


def _outcome() -> Iterator[Column]:
    meaning = "guilds on the table at the end; in a match of two players, 2 for each deal won and 1 for a deal shared"
    yield Column("points", "UInt8", meaning, "points", detail="minimal")
    yield Column("deals", "UInt8", "deals played: 1, or 2 to 3 in a match", "deals", detail="minimal")
    for deal in range(DEALS):
        meaning = f"win share of deal {deal + 1} in sixtieths; also 0 if it was not played"
        yield Column(f"won60_d{deal + 1}", "UInt8", meaning, "won60", deal, "minimal")
    for deal in range(DEALS):
        meaning = f"what ended deal {deal + 1}; none if it was not played"
        yield Column(f"ending_d{deal + 1}", "Enum", meaning, "ending", deal, "minimal", labels=_endings)
    for deal in range(DEALS):
        meaning = f"turns of all seats in deal {deal + 1}; 0 if it was not played"
        yield Column(f"turns_d{deal + 1}", "Int32", meaning, "turns", deal)


def _deals() -> Iterator[Column]:
    for deal in range(DEALS):
        for number, name in enumerate(GUILD_NAMES):
            meaning = f"type of the {name} guild that the seat laid in deal {deal + 1}"
            index = deal * LAID + number
            yield Column(f"{name}_d{deal + 1}", "Enum", meaning, "laid", index, labels=_types)
    for deal in range(DEALS):
        meaning = f"Jesters in the opening hand of deal {deal + 1}"
        yield Column(f"jesters_dealt_d{deal + 1}", "UInt8", meaning, "jesters_dealt", deal)
    yield Column("guilds", "UInt8", "guilds on the table at the end of the last deal", "guilds")
    yield Column("members", "UInt8", "cards in those guilds", "members")
    yield Column("hand", "UInt8", "cards in hand at that time", "hand")


def _cards() -> Iterator[Column]:
    for number, name in enumerate(TYPE_NAMES):
        yield Column(f"played_{name}", "Int32", f"{name.capitalize()} cards played as an action", "played", number)
    for number, name in enumerate(TYPE_NAMES):
        meaning = f"cards that came to the seat's hand through the power of {name.capitalize()}, whoever used it"
        yield Column(f"gained_{name}", "Int32", meaning, "gained", number)
    for number, name in enumerate(TYPE_NAMES):
        meaning = f"cards that left the seat's hand or guilds through the power of {name.capitalize()}, whoever used it"
        yield Column(f"lost_{name}", "Int32", meaning, "lost", number)
    yield Column("jesters_laid", "UInt8", "Jesters laid or added to guilds", "jesters_laid")


def _guilds() -> Iterator[Column]:
    yield Column("collapses", "UInt8", "own guilds that fell apart", "collapses")
    yield Column("exposed_1", "Int32", "own turns begun with one guild on the table", "exposed", 0)
    yield Column("exposed_2", "Int32", "own turns begun with more guilds on the table", "exposed", 1)
    meaning = "cards lost to Assassins and Rogues with {} on the table"
    yield Column("attacked_1", "Int32", meaning.format("one guild"), "attacked", 0)
    yield Column("attacked_2", "Int32", meaning.format("more guilds"), "attacked", 1)


def _phases() -> Iterator[Column]:
    for phase in range(len(PHASE_NAMES)):
        meaning = f"cards in hand when own turns of phase {phase + 1} began, summed"
        yield Column(f"hands_p{phase + 1}", "Int32", meaning, "hands", phase, "full")
    for number, action in enumerate(ACTION_NAMES):
        for phase in range(len(PHASE_NAMES)):
            meaning = f"own turns of phase {phase + 1} on which the action was to {action}"
            yield Column(f"{action}_p{phase + 1}", "Int32", meaning, "actions", phase * ACTIONS + number, "full")


COLUMNS = (*_outcome(), *_deals(), *_cards(), *_guilds(), *_phases())
