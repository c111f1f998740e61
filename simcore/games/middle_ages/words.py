"""Middle-Ages: what an Event does, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from simcore.components.aims import sentence
from simcore.games.middle_ages.state import DOMAIN_NAMES, STANDINGS

if TYPE_CHECKING:
    from simcore.games.middle_ages.rules import Event

WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "coins": "coins", "coin": "coin", "tiles": "tiles", "domains": "Domains", "domain": "Domain",
        "peasants": "peasants", "peasant": "peasant", "chests": "chests", "chest": "chest", "buried": "buried tiles",
        "grave": "buried tile", "tiles of": "{domain} tiles", "tile of": "{domain} tile", "gain": "gains {coins}",
        "lose": "loses {coins}", "share": "{percent} % of their coins", "each": "{coins} for every {thing}",
        "bury": "buries one {domain} tile", "restore": "takes back {tiles}",
    },
    "fr": {
        "coins": "pièces", "coin": "pièce", "tiles": "tuiles", "domains": "Domaines", "domain": "Domaine",
        "peasants": "paysans", "peasant": "paysan", "chests": "coffres", "chest": "coffre",
        "buried": "tuiles du Cimetière", "grave": "tuile du Cimetière", "tiles of": "tuiles {domain}",
        "tile of": "tuile {domain}", "gain": "gagne {coins}", "lose": "perd {coins}",
        "share": "{percent} % de ses pièces", "each": "{coins} par {thing}",
        "bury": "met une tuile {domain} au Cimetière", "restore": "reprend {tiles}",
    },
}  # fmt: skip


def event_in_words(event: Event, titles: Mapping[str, str], language: str = "en") -> str:
    """Return what an Event does, in a sentence; `titles` are those of the Domains."""
    words = WORDS[language]
    names = {
        name: words["tiles of"].format(domain=titles[name]) if name in titles else words[name] for name in STANDINGS
    }
    return sentence(event, list(_deeds(event, words, titles)), names, language)


def _deeds(event: Event, words: Mapping[str, str], titles: Mapping[str, str]) -> Iterator[str]:
    """Yield what those whom an Event hits do."""
    things = {
        words["peasant"]: event.coins_per_peasant, words["chest"]: event.coins_per_chest,
        **{words["tile of"].format(domain=titles[name]): getattr(event.coins_per_tile, name) for name in DOMAIN_NAMES},
        words["domain"]: event.coins_per_domain, words["grave"]: event.coins_per_buried_tile,
    }  # fmt: skip
    amounts = [(event.coins, _coins(event.coins, words))]
    amounts += [(event.coins_share, words["share"].format(percent=abs(event.coins_share)))]
    amounts += [(n, words["each"].format(coins=_coins(n, words), thing=thing)) for thing, n in things.items()]
    for amount, coins in amounts:
        if amount:
            yield words["gain" if amount > 0 else "lose"].format(coins=coins)
    for name in event.buries:
        yield words["bury"].format(domain=titles[name])
    if event.restores:
        yield words["restore"].format(tiles=_counted(event.restores, words["grave"], words["buried"]))


def _coins(amount: int, words: Mapping[str, str]) -> str:
    return _counted(abs(amount), words["coin"], words["coins"])


def _counted(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"
