"""Fief 2: from a rule file's model to the record that kernels read, and what makes rules playable."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.games.fief_2.model import Fief2Rules
from simcore.games.fief_2.names import CARD_KINDS, CARDS, PLAYERS, REGIONS, SEES, VILLAGES
from simcore.kernel.records import layout, pack_numbers
from simcore.rules.files import numbers_of

NUMBERS = numbers_of(Fief2Rules).names or ()
"""Values that kernels read unchanged, switches as the position of their value."""

NESTED = {
    "scoring_every": "scores.every", "start_money": "start.money",
    "start_soldiers": "start.soldiers", "return_soldiers": "start.return_soldiers", "lord_limit": "limits.lords",
    "hand": "limits.hand", "plays": "limits.plays", "purchases": "limits.purchases", "attacks": "limits.attacks",
    "steps": "pace.steps", "darc_steps": "pace.darc_steps", "regency_turns": "pace.regency_turns",
    "revolt_growth": "pace.revolt_growth", "soldiers": "limits.soldiers", "rebels": "limits.rebels",
    "castles": "limits.castles", "mills": "limits.mills", "presses": "limits.presses",
    "cardinals": "limits.cardinals", "king_guard": "limits.king_guard", "queen_guard": "limits.queen_guard",
    "title_price": "prices.title", "cardinal_price": "prices.cardinal", "castle_price": "prices.castle",
    "mill_price": "prices.mill", "press_price": "prices.press", "soldier_price": "prices.soldier",
    "calm_price": "prices.calm", "ransom_lord": "ransoms.lord", "ransom_titled": "ransoms.titled",
    "ransom_crowned": "ransoms.crowned", "land": "incomes.village", "mill_income": "incomes.mill",
    "press_income": "incomes.press", "taille_income": "incomes.taille", "king_pension": "incomes.king",
    "queen_pension": "incomes.queen", "regent_pension": "incomes.regent", "two_dice": "combat.two_dice",
    "three_dice": "combat.three_dice", "open_loss": "combat.open", "castle_loss": "combat.castle",
    "city_loss": "combat.city", "darc_bonus": "combat.darc", "king_points": "scores.king",
    "queen_points": "scores.queen", "prince_points": "scores.prince", "bishop_points": "scores.bishop",
    "cardinal_points": "scores.cardinal", "money_points": "scores.money", "money_each": "scores.money_each",
}  # fmt: skip
"""Values in tables that kernels read unchanged: the field of the record, and the key of the rules file."""

RULES = layout(
    *((name, np.int64) for name in (*NUMBERS, *NESTED)),
    ("villages", np.int64),
    ("regions", np.int64),
    ("sees", np.int64),  # bishoprics
    ("region", np.int64, VILLAGES),  # by village
    ("see", np.int64, VILLAGES),  # by village: its bishopric
    ("near", np.int64, VILLAGES),  # by village: set of its neighbours
    ("inward", np.int64, VILLAGES),  # by village: neighbours in its region
    ("way", np.int64, (VILLAGES, VILLAGES)),  # steps from village to village
    ("area", np.int64, REGIONS),  # by region: set of its villages
    ("size", np.int64, REGIONS),  # by region: how many these are
    ("diocese", np.int64, SEES),  # by bishopric: set of its villages
    ("title_points", np.int64, REGIONS),  # by region: what its title scores
    ("cards", np.int64),  # blue ones, lords first
    ("lords", np.int64),
    ("men", np.int64),  # lords below this are men
    ("kind", np.int64, CARDS),  # by card
    ("detail", np.int64, CARDS),  # by card: lord, or bishopric of a bishop; else 0
    ("bishop_card", np.int64, SEES),  # by bishopric
    ("darc_card", np.int64),
)

BLANK = len(CARD_KINDS)
"""Kind of a card that can never be played."""


def card_list(values: Fief2Rules) -> list[tuple[str, int]]:
    """Return the kind of every blue card, in order of id, and its lord or bishopric (otherwise 0)."""
    found = [("lord", lord) for lord in range(values.deck.men + values.deck.women)]
    for kind in CARD_KINDS[1:]:
        copies = len(values.map.bishoprics) if kind == "bishop" else getattr(values.deck, kind)
        found += [(kind, number if kind == "bishop" else 0) for number in range(copies)]
    return found


def check_playable(values: Fief2Rules, players: int) -> None:
    """Raise `UsageError` if this number of players cannot play by the rules."""
    where = f"rules '{values.name}'"
    lords, cards = values.deck.men + values.deck.women, len(card_list(values))
    if not 3 <= players <= PLAYERS:
        raise UsageError(f"{where}: Fief 2 is for 3 to {PLAYERS} players, not {players}")
    if lords < players:
        raise UsageError(f"{where}: [deck]: {lords} lords for {players} players; raise men or women")
    if cards < (1 + values.limits.hand) * players:
        raise UsageError(
            f"{where}: [deck]: cannot deal: {players} players get a lord and {values.limits.hand} cards each, and there"
            f" are {cards} cards; raise some copies"
        )
    if cards > CARDS:
        raise UsageError(f"{where}: [deck]: {cards} cards, at most {CARDS} are possible; lower some copies")


def distances(near: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the number of steps between villages, from the matrix of neighbours."""
    count = len(near)
    way = np.where(np.eye(count, dtype=bool), 0, np.where(near, 1, count))
    for middle in range(count):
        way = np.minimum(way, way[:, middle : middle + 1] + way[middle])
    return way


def pack(values: Fief2Rules, players: int) -> np.record:
    """Return the rules as the record that kernels read.

    Raises UsageError if this number of players cannot play by these rules.
    """
    check_playable(values, players)
    record: Any = pack_numbers(RULES, values, players, NUMBERS)
    for name, path in NESTED.items():
        record[name] = attrgetter(path)(values)
    _pack_map(record, values)
    _pack_cards(record, values)
    return record


def _pack_map(record: Any, values: Fief2Rules) -> None:
    """Write villages, regions, bishoprics and roads."""
    villages, regions = values.map.villages(), values.map.regions
    names = [village.name for village in villages]
    sees = [values.map.bishoprics.index(village.bishopric) for village in villages]
    count = len(names)
    near = np.zeros((count, count), bool)
    for start, end in values.map.roads:
        near[names.index(start), names.index(end)] = near[names.index(end), names.index(start)] = True
    sizes = [len(region.villages) for region in regions]
    region = np.repeat(np.arange(len(regions)), sizes)
    record.villages, record.regions, record.sees = count, len(regions), len(values.map.bishoprics)
    record.region[:count], record.see[:count] = region, sees
    bits = 1 << np.arange(count)
    record.near[:count] = near @ bits
    record.inward[:count] = (near & (region[:, None] == region)).sum(axis=1)
    record.way[:count, :count] = distances(near)
    record.area[: len(regions)] = [bits[region == number].sum() for number in range(len(regions))]
    record.size[: len(regions)] = sizes
    record.diocese[: record.sees] = [bits[np.array(sees) == see].sum() for see in range(record.sees)]
    record.title_points[: len(regions)] = [getattr(values.scores, region.rank) for region in regions]


def _pack_cards(record: Any, values: Fief2Rules) -> None:
    """Write the meaning of each blue card."""
    cards = card_list(values)
    record.cards, record.lords, record.men = len(cards), values.deck.men + values.deck.women, values.deck.men
    record.kind[: len(cards)] = [BLANK if kind in values.blanks else CARD_KINDS.index(kind) for kind, _ in cards]
    record.detail[: len(cards)] = [detail for _, detail in cards]
    record.bishop_card[: record.sees] = [card for card, (kind, _) in enumerate(cards) if kind == "bishop"]
    record.darc_card = next((card for card, (kind, _) in enumerate(cards) if kind == "darc"), -1)
