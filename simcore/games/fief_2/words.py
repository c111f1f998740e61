"""Fief 2: what a card of a designer's own does, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from simcore.components.aims import sentence

if TYPE_CHECKING:
    from simcore.games.fief_2.rules import OwnCard

STANDINGS: Mapping[str, Mapping[str, str]] = {
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
        "gain": "gains {amount}", "lose": "loses {amount}", "share": "{percent} % of its écus",
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
    return sentence(card, list(_deeds(card, WORDS[language])), STANDINGS[language], language, AIMS[language])


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
