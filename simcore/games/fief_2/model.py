"""Fief 2: the model of a complete rule file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from simcore.games.fief_2.names import CARDS, HAND, LORDS, PLAYERS, REGIONS, SEES, TURNS, VILLAGES
from simcore.rules.files import Identifier, RuleSet, switch
from simcore.toml_tables import Table


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


Money = Annotated[int, Field(ge=0, le=100_000)]
Points = Annotated[int, Field(ge=0, le=1_000)]
Pieces = Annotated[int, Field(ge=0, le=VILLAGES)]
Pawns = Annotated[int, Field(ge=0, le=60)]
Copies = Annotated[int, Field(ge=0, le=CARDS)]
Few = Annotated[int, Field(ge=0, le=16)]
Names = Annotated[tuple[Identifier, ...], BeforeValidator(_as_tuple)]
Road = Annotated[tuple[Identifier, Identifier], BeforeValidator(_as_tuple)]
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


class Village(Table):
    """A village, and the bishopric in which it lies."""

    name: Identifier
    bishopric: Identifier


class Region(Table):
    """A region, and the rank of its title."""

    name: Identifier
    rank: Rank
    villages: Annotated[tuple[Village, ...], BeforeValidator(_as_tuple)]


class Map(Table):
    """Regions with their villages, in the order of their numbers, and roads."""

    bishoprics: Annotated[Names, Field(min_length=1, max_length=SEES)]
    regions: Annotated[tuple[Region, ...], BeforeValidator(_as_tuple), Field(max_length=REGIONS)]
    roads: Annotated[tuple[Road, ...], BeforeValidator(_as_tuple)]
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
    _blanks: tuple[str, ...] = PrivateAttr(())

    @property
    def blanks(self) -> tuple[str, ...]:
        """Kinds of cards that can never be played; a rule file cannot name any."""
        return self._blanks

    def with_blanks(self, kinds: Sequence[str]) -> Fief2Rules:
        """Return the same rules, in which cards of some kinds stay in the deck and can never be played.

        kinds: Kinds of blue cards, without "lord".
        """
        copy = self.model_copy()
        copy._blanks = tuple(kinds)
        return copy
