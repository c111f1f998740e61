"""Fief 2: the model of a rule file, the record of it that kernels read, and what makes rules playable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from simcore.errors import UsageError
from simcore.components.aims import MOST, Aim, pack_aim, sentence
from simcore.games.fief_2.state import (
    BLANK, CARDS, CARD_KINDS, FIRST_OWN, HAND, LORDS, OWN_CARD, OWN_CARDS, PLAYERS, REGIONS, SEES, STANDINGS,
    StandingName, TURNS, VILLAGES,
)  # fmt: skip
from simcore.kernel.records import layout, pack_numbers
from simcore.rules.files import Identifier, RuleSet, Text, numbers_of, switch
from simcore.toml_tables import Table, as_tuple


# --- The model of a complete rule file ---


Money = Annotated[int, Field(ge=0, le=100_000)]
Points = Annotated[int, Field(ge=0, le=1_000)]
Pieces = Annotated[int, Field(ge=0, le=VILLAGES)]
Pawns = Annotated[int, Field(ge=0, le=60)]
Copies = Annotated[int, Field(ge=0, le=CARDS)]
Few = Annotated[int, Field(ge=0, le=16)]
Names = Annotated[tuple[Identifier, ...], BeforeValidator(as_tuple)]
Road = Annotated[tuple[Identifier, Identifier], BeforeValidator(as_tuple)]
Rank = Literal["duke", "count", "baron"]


class Start(Table):
    """What a family starts with, and what it gets when it comes back."""

    money: Money
    soldiers: Annotated[int, Field(ge=1, le=60)]
    return_soldiers: Pawns


class Limits(Table):
    """Pieces in the box, and how much may be done at once."""

    soldiers: Annotated[int, Field(ge=1, le=60)]
    rebels: Pawns
    king_guard: Pawns
    queen_guard: Pawns
    castles: Annotated[int, Field(ge=PLAYERS, le=VILLAGES)]
    mills: Pieces
    presses: Pieces
    cardinals: Few
    lords: Annotated[int, Field(ge=1, le=LORDS)]
    hand: Annotated[int, Field(ge=3, le=HAND)]
    plays: Few
    purchases: Annotated[int, Field(ge=0, le=48)]
    attacks: Few


class Pace(Table):
    """Steps and turns."""

    steps: Annotated[int, Field(ge=1, le=6)]
    darc_steps: Annotated[int, Field(ge=1, le=6)]
    regency_turns: Annotated[int, Field(ge=1, le=TURNS)]
    revolt_growth: Pawns


class Prices(Table):
    """Prices in écus: of a title for each village of its region, of soldiers and conviction for each point."""

    title: Money
    cardinal: Money
    castle: Money
    mill: Money
    press: Money
    soldier: Money
    calm: Money


class Ransoms(Table):
    """Ransoms in écus, by the rank of the prisoner."""

    lord: Money
    titled: Money
    crowned: Money


class Incomes(Table):
    """Incomes in écus per turn: of a village, mill or press, of a village under the taille, and pensions."""

    village: Money
    mill: Money
    press: Money
    taille: Money
    king: Money
    queen: Money
    regent: Money


class Combat(Table):
    """Points from which on a side throws two and three dice, the divisors of losses, and d'Arc's bonus."""

    two_dice: Annotated[int, Field(ge=1, le=200)]
    three_dice: Annotated[int, Field(ge=1, le=200)]
    open: Annotated[int, Field(ge=1, le=18)]
    castle: Annotated[int, Field(ge=1, le=18)]
    city: Annotated[int, Field(ge=1, le=18)]
    darc: Annotated[int, Field(ge=0, le=18)]

    @model_validator(mode="after")
    def _in_order(self) -> Combat:
        if self.three_dice <= self.two_dice:
            raise ValueError(
                f"two_dice = {self.two_dice} and three_dice = {self.three_dice} are out of order; three dice need more"
                " points than two"
            )
        return self


class Scores(Table):
    """What a family scores at each scoring."""

    every: Annotated[int, Field(ge=5, le=TURNS)]
    king: Points
    queen: Points
    prince: Points
    duke: Points
    count: Points
    baron: Points
    bishop: Points
    cardinal: Points
    money: Points
    money_each: Annotated[int, Field(ge=1, le=100_000)]


class Deck(Table):
    """Numbers of blue cards by kind, in addition to one bishop for each bishopric."""

    men: Annotated[int, Field(ge=0, le=LORDS)]
    women: Annotated[int, Field(ge=0, le=LORDS)]
    darc: Annotated[int, Field(ge=0, le=1)]
    tithe: Copies
    taille: Copies
    plague: Copies
    famine: Copies
    bad_weather: Copies
    sun: Copies
    good_harvest: Copies
    revolt: Copies
    assassination: Copies
    justice: Copies
    escape: Copies
    assumed: bool = False

    @model_validator(mode="after")
    def _few_lords(self) -> Deck:
        if self.men + self.women > LORDS:
            raise ValueError(f"{self.men} men and {self.women} women; there are pawns for {LORDS} lords")
        return self


Amount = Annotated[int, Field(ge=-10_000, le=10_000)]
Each = Annotated[int, Field(ge=-1_000, le=1_000)]
Turn = Literal[
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
]  # fmt: skip


class OwnCard(Aim[StandingName, Turn]):
    """A card of a designer's own: a family plays it from its hand, and those whom it hits gain or lose écus."""

    title: Text
    french: Text | None = None
    copies: Annotated[int, Field(ge=0, le=CARDS, description="cards in the deck")] = 1
    rounds: Annotated[
        tuple[Turn, ...],
        BeforeValidator(as_tuple),
        Field(description="the turns in which it can be played; if none is listed, all"),
    ] = ()
    money: Annotated[Amount, Field(description="écus for each family that it hits")] = 0
    money_share: Annotated[
        int, Field(ge=-100, le=0, description="percent of its écus that such a family loses, rounded down")
    ] = 0
    money_per_village: Each = 0
    money_per_title: Each = 0
    money_per_lord: Each = 0
    money_per_soldier: Each = 0


class Village(Table):
    """A village, and the bishopric in which it lies."""

    name: Identifier
    bishopric: Identifier


class Region(Table):
    """A region, and the rank of its title."""

    name: Identifier
    rank: Rank
    villages: Annotated[tuple[Village, ...], BeforeValidator(as_tuple)]


class Map(Table):
    """Regions with their villages, in the order of their numbers, and roads."""

    bishoprics: Annotated[Names, Field(min_length=1, max_length=SEES)]
    regions: Annotated[tuple[Region, ...], BeforeValidator(as_tuple), Field(max_length=REGIONS)]
    roads: Annotated[tuple[Road, ...], BeforeValidator(as_tuple)]
    assumed: bool = False

    def villages(self) -> list[Village]:
        """Return all villages in the order of their numbers."""
        return [village for region in self.regions for village in region.villages]

    @model_validator(mode="after")
    def _whole(self) -> Map:
        for problem in (*self._of_regions(), *self._of_villages(), *self._of_roads()):
            raise ValueError(problem)
        return self

    def _of_regions(self) -> Any:
        """Yield what is wrong with the regions."""
        for name, times in Counter((*self.bishoprics, *(f"region {region.name}" for region in self.regions))).items():
            if times > 1:
                yield f"'{name}' is listed twice; give every bishopric and region a name of its own"
        for region in self.regions:
            if not region.villages:
                yield f"region '{region.name}' has no village; give it one, or leave it out"

    def _of_villages(self) -> Any:
        """Yield what is wrong with the villages."""
        villages = self.villages()
        if not PLAYERS <= len(villages) <= VILLAGES:
            yield f"there are {len(villages)} villages; a map has {PLAYERS} to {VILLAGES}"
        for name, times in Counter(village.name for village in villages).items():
            if times > 1:
                yield f"village '{name}' is listed twice; it lies in one region"
        for village in villages:
            if village.bishopric not in self.bishoprics:
                yield f"village '{village.name}': no bishopric '{village.bishopric}'; add it to bishoprics"

    def _of_roads(self) -> Any:
        """Yield what is wrong with the roads."""
        names = [village.name for village in self.villages()]
        for road in self.roads:
            for end in road:
                if end not in names:
                    yield f"road {road[0]} - {road[1]}: no village '{end}' on the map"
            if road[0] == road[1]:
                yield f"road {road[0]} - {road[1]} leads back to where it begins; leave it out"
        for ends, times in Counter(frozenset(road) for road in self.roads).items():
            if times > 1:
                yield f"the road between {' and '.join(sorted(ends))} is listed twice; leave one out"
        reached, waiting = set(names[:1]), list(names[:1])
        while waiting:
            here = waiting.pop()
            found = {end for road in self.roads if here in road for end in road} - reached
            reached |= found
            waiting += found
        lost = [name for name in names if name not in reached]
        if lost:
            yield f"no road leads from '{names[0]}' to '{lost[0]}'; connect all villages"


class Fief2Rules(RuleSet):
    """A complete rule file of Fief 2."""

    game: Literal["fief-2"]
    alliances: Annotated[
        Literal["none", "marriage"],
        switch("whether families joined by marriage never attack each other and may join each other's fights"),
    ]
    title_victory: Annotated[
        Literal["off", "on"],
        switch("whether titles of the King's and the Queen's family can win at the end of a turn, alone or together"),
    ]
    score: Annotated[Literal["sum", "last"], switch("whether all scorings count, or only the last one")]
    election: Annotated[
        Literal["plurality", "majority"],
        switch("whether a King needs the most votes, or more than half of all existing votes"),
    ]
    title_loss: Annotated[
        Literal["city", "never"], switch("whether a title returns to the bank when another family takes its city")
    ]
    first_player: Annotated[Literal["rotate", "fixed"], switch("who begins a turn")]
    darc_over_18: Annotated[Literal["formula", "cap"], switch("what d'Arc's totals above 18 are worth")]
    turns: Annotated[int, Field(ge=5, le=TURNS)]
    consecration: Annotated[int, Field(ge=1, le=16)]
    start: Start
    limits: Limits
    pace: Pace
    prices: Prices
    ransoms: Ransoms
    incomes: Incomes
    combat: Combat
    scores: Scores
    deck: Deck
    map: Map
    cards: Annotated[
        dict[Identifier, OwnCard], Field(max_length=OWN_CARDS, description="cards of a designer's own")
    ] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _own_names(self) -> Fief2Rules:
        for name in self.cards:
            if name in CARD_KINDS:
                raise ValueError(f"[cards] {name}: the box has a card of this name; give yours another one")
        return self

    def unplayed(self) -> set[str]:
        """Return the fields that change no game, and no digest: a table of cards of one's own without any, too."""
        return super().unplayed() | ({"cards"} if not self.cards else set())

    def in_words(self, language: str = "en") -> dict[str, str]:
        """Return what the cards of a designer's own do, in a sentence each."""
        return {f"cards.{name}": card_in_words(card, language) for name, card in self.cards.items()}


# --- From a rule file's model to the record that kernels read, and what makes rules playable ---


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
    ("own", OWN_CARD, OWN_CARDS),  # a designer's own kinds of cards
)


def card_list(values: Fief2Rules) -> list[tuple[str, int]]:
    """Return the kind of every blue card, in order of id, and its lord or bishopric (otherwise 0)."""
    found = [("lord", lord) for lord in range(values.deck.men + values.deck.women)]
    for kind in CARD_KINDS[1:]:
        copies = len(values.map.bishoprics) if kind == "bishop" else getattr(values.deck, kind)
        found += [(kind, number if kind == "bishop" else 0) for number in range(copies)]
    return found + [(name, 0) for name, card in values.cards.items() for _ in range(card.copies)]


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
    _check_own(values, players)


def _check_own(values: Fief2Rules, players: int) -> None:
    """Raise `UsageError` if a card of a designer's own can never be played, or could make too large a score."""
    most = {"villages": len(values.map.villages()), "titles": len(values.map.regions)}
    most |= {"lords": values.limits.lords, "soldiers": values.limits.soldiers}
    for name, card in values.cards.items():
        where = f"rules '{values.name}': [cards.{name}]"
        if card.rounds and min(card.rounds) > values.turns:
            raise UsageError(
                f"{where}: rounds: no game lasts until turn {min(card.rounds)}, so it can never be played; name one"
                f" from 1 to {values.turns}"
            )
        low, high = card.bounds
        if card.only_if and (high < 0 or low > most.get(card.only_if, low)):
            ends = f"0 and {most[card.only_if]}" if card.only_if in most else "0 and no limit"
            raise UsageError(
                f"{where}: only_if can never be met: '{card.only_if}' stays between {ends}; change at_least or at_most"
            )
        gain = max(card.money, 0) + sum(
            max(getattr(card, f"money_per_{thing}"), 0) * most[f"{thing}s"]
            for thing in ("village", "title", "lord", "soldier")
        )
        money = values.turns * players * values.limits.plays * gain
        if max(money, money // values.scores.money_each * values.scores.money * values.turns) > MOST:
            raise UsageError(
                f"{where}: {gain:,} écus a play could make a score of more than {MOST:,} points, which cannot be"
                " counted; lower them, or what écus score"
            )


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
    kinds = {kind: number for number, kind in enumerate(CARD_KINDS)}
    kinds |= {name: int(FIRST_OWN) + number for number, name in enumerate(values.cards)}
    record.kind[: len(cards)] = [int(BLANK) if kind in values.blanks else kinds[kind] for kind, _ in cards]
    for own, card in zip(record.own, values.cards.values(), strict=False):
        pack_aim(own, card, STANDINGS)
        own["money"], own["share"] = card.money, card.money_share
        for thing in ("village", "title", "lord", "soldier"):
            own[f"per_{thing}"] = getattr(card, f"money_per_{thing}")
    record.detail[: len(cards)] = [detail for _, detail in cards]
    record.bishop_card[: record.sees] = [card for card, (kind, _) in enumerate(cards) if kind == "bishop"]
    record.darc_card = next((card for card, (kind, _) in enumerate(cards) if kind == "darc"), -1)


# --- What a card of a designer's own does, in words ---


STANDING_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "score": "points", "money": "écus", "villages": "villages", "titles": "titles", "lords": "lords",
        "soldiers": "points of soldiers",
    },
    "fr": {
        "score": "points", "money": "écus", "villages": "villages", "titles": "titres", "lords": "seigneurs",
        "soldiers": "points de soldats",
    },
}  # fmt: skip
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "gain": "gains {amount}", "lose": "loses {amount}", "share": "{percent}% of its écus",
        "each": "{amount} for every {thing}", "village": "village", "title": "title", "lord": "lord",
        "soldier": "point of soldiers",
    },
    "fr": {
        "gain": "gagne {amount}", "lose": "perd {amount}", "share": "{percent}\u202f% de ses écus",
        "each": "{amount} par {thing}", "village": "village", "title": "titre", "lord": "seigneur",
        "soldier": "point de soldats",
    },
}  # fmt: skip
AIMS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "all": "every family", "leader": "the family with the most points", "last": "the family with the fewest points",
        "most": "the family with the most {of}", "least": "the family with the fewest {of}",
        "first": "the first family in turn order", "player": "the family that plays it",
        "others": "every other family", "tie.first": " (on a tie, the first in turn order)",
        "at_least": "if its number of {of} is at least {low}", "at_most": "if its number of {of} is at most {high}",
        "between": "if its number of {of} is {low} to {high}", "rounds": "only in turn {rounds}",
    },
    "fr": {
        "all": "chaque famille", "leader": "la famille qui a le plus de points",
        "last": "la famille qui a le moins de points", "most": "la famille qui a le plus de {of}",
        "least": "la famille qui a le moins de {of}", "first": "la première famille dans l'ordre du tour",
        "player": "la famille qui la joue", "others": "chaque autre famille",
        "tie.all": " (toutes en cas d'égalité)", "tie.nobody": " (aucune en cas d'égalité)",
        "tie.first": " (en cas d'égalité, la première dans l'ordre du tour)", "rounds": "seulement au tour {rounds}",
    },
}  # fmt: skip


def card_in_words(card: OwnCard, language: str = "en") -> str:
    """Return what a card of a designer's own does, in a sentence."""
    return sentence(card, list(_deeds(card, WORDS[language])), STANDING_WORDS[language], language, AIMS[language])


def _deeds(card: OwnCard, words: Mapping[str, str]) -> Iterator[str]:
    """Yield what the families that it hits gain and lose."""
    amounts = [(card.money, _ecus(card.money)), (card.money_share, words["share"].format(percent=-card.money_share))]
    for thing in ("village", "title", "lord", "soldier"):
        each = getattr(card, f"money_per_{thing}")
        amounts.append((each, words["each"].format(amount=_ecus(each), thing=words[thing])))
    for amount, text in amounts:
        if amount:
            yield words["gain" if amount > 0 else "lose"].format(amount=text)


def _ecus(amount: int) -> str:
    return f"{abs(amount)} écu{'s' if abs(amount) > 1 else ''}"
