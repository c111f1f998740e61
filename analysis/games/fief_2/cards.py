"""Fief 2: its blue cards and its villages, and rules in which the cards of a kind do nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.data.declarations import Cards, Moment, moves_of_cards
from simcore.games.fief_2.rules import card_list


def copies(rules: Any) -> dict[str, int]:
    """Return the number of cards of every kind except lords, without which nobody can play."""
    return {kind: count for kind, count in Counter(kind for kind, _ in card_list(rules)).items() if kind != "lord"}


def blank(rules: Any, kinds: Sequence[str]) -> Any:
    """Return rules in which the cards of some kinds can never be played but stay in the deck."""
    return rules.with_blanks(kinds)


def kinds(rules: Any) -> dict[int, str]:
    """Return the kind of each card in the deck, by its number, but for lords."""
    return {card: kind for card, (kind, _) in enumerate(card_list(rules)) if kind != "lord"}


AIMED = ("plague", "famine", "bad_weather")
"""Kinds of cards that hit all families in a region."""


def struck(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield whom cards hit: who holds a village where one is played, or the family of a lord who dies by it.

    A card whose only possible target is hit asks nobody, and no record names it; it hits nobody here.
    """
    region = [village["region"] for village in first["villages"]]
    holder, family, own, named = dict[int, int](), dict[int, int](), ("", 0), kinds(rules)
    for record in records:
        if record["kind"] == "move" and record["why"] == "play" and record["from"]["zone"] == "hand":
            own = str(named.get(record["card"])), record["from"]["seat"]
        elif record["kind"] == "money" and record["why"] == "play":
            yield from (
                Moment("struck", own[0], seat) for seat in (record["from"], record["to"]) if seat not in (0, own[1])
            )
        elif record["kind"] == "holder":
            holder[record["village"]] = record["seat"] or 0
        elif record["kind"] == "lord":
            family[record["lord"]] = record["seat"]
        elif record["kind"] == "decision" and record["choice"] is not None:
            card, choice, hit = record["name"].removeprefix("target_"), record["choice"], set[int]()
            if card in ("assassination", "justice"):
                hit = {family[choice]}
            elif card == "revolt":
                hit = {holder.get(choice, 0)}
            elif card in AIMED:
                names = list(dict.fromkeys(region))
                hit = {seat for village, seat in holder.items() if region[village] == names[choice]}
            yield from (Moment("struck", card, seat) for seat in sorted(hit - {0, record["seat"]}))


def titles(rules: Any) -> dict[str, dict[str, str]]:
    """Return the names of a designer's own cards."""
    return {name: {"en": card.title, "fr": card.french or card.title} for name, card in rules.cards.items()}


CARDS = Cards(
    "card", copies, blank, titles=titles, life=moves_of_cards(kinds, ("play", "justice"), struck), key="deck.{card}"
)


def villages(rules: Any) -> dict[str, int]:
    """Return the villages, one of each."""
    return {village.name: 1 for village in rules.map.villages()}


def fate_of_villages(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield who may place a first castle where, who does, and who comes to hold a village later."""
    names = list(villages(rules))
    for record in records:
        if record["kind"] == "decision" and record["name"] == "place":
            yield from (Moment("offered", names[village], record["seat"]) for village in record["options"])
            yield Moment("taken", names[record["choice"]], record["seat"])
        elif record["kind"] == "holder" and record["seat"]:
            yield Moment("drawn" if record["turn"] else "start", names[record["village"]], record["seat"])


HOLDINGS = Cards("village", villages, None, life=fate_of_villages, proviso="blank_village")
