"""Médiévallons: from a rule file's model to the record that kernels read, and what makes rules playable."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.games.medievallons.model import TYPE_NAMES, MedievallonsRules
from simcore.games.medievallons.state import CARDS, DEALS, PLAYERS
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import numbers_of

NUMBERS = numbers_of(MedievallonsRules)
"""Values that kernels read unchanged, switches as the position of their value."""

RULES = layout(
    *fields(NUMBERS),
    ("cards", np.int32),  # in the deck, all types
    ("red", np.int32),  # 1: the end card starts red side up
    ("deals", np.int32),  # most deals of a game: 1, or 3 in a match
    ("copies", np.uint64),  # cards of each type, four bits a type
    ("deck", np.uint8, CARDS + 1),  # types, one entry a card
)


def is_match(values: MedievallonsRules, players: int) -> bool:
    """Return whether a game is a match of several deals."""
    return values.match and players == 2


def card_list(values: MedievallonsRules) -> list[str]:
    """Return the type of every card in order of id."""
    return [name for name, copies in values.copies().items() for _ in range(copies)]


def check_playable(values: MedievallonsRules, players: int) -> None:
    """Raise `UsageError` if this number of players cannot play by the rules."""
    where = f"rules '{values.name}'"
    copies = values.copies()
    cards, dealt = sum(copies.values()), values.hand_size * players + 1
    largest = max(copies[name] for name in TYPE_NAMES if name != "jester") + copies["jester"]
    if not 2 <= players <= PLAYERS:
        raise UsageError(f"{where}: Médiévallons is for 2 to {PLAYERS} players, not {players}")
    if cards <= dealt:
        raise UsageError(
            f"{where}: hand_size: {players} hands of {values.hand_size} and the first discard need {dealt} cards and"
            f" leave no deck, because there are {cards}; lower hand_size or raise copies_per_type"
        )
    if largest < values.guild_size:
        raise UsageError(
            f"{where}: guild_size: no type has {values.guild_size} cards, Jesters included; the maximum is {largest}"
        )


def pack(values: MedievallonsRules, players: int) -> np.record:
    """Return the rules as the record that kernels read.

    Raises UsageError if this number of players cannot play by these rules.
    """
    check_playable(values, players)
    record: Any = pack_numbers(RULES, values, players, NUMBERS.names)
    record.red = players >= values.red_from_players
    record.deals = DEALS if is_match(values, players) else 1
    record.copies = sum(count << 4 * kind for kind, count in enumerate(values.copies().values()))
    cards = card_list(values)
    record.cards = len(cards)
    record.deck[: len(cards)] = [TYPE_NAMES.index(name) for name in cards]
    return record
