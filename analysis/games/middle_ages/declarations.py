"""The declarations of Middle-Ages about its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.data.declarations import Cards, Declarations, Economy, Moment, Money
from analysis.games.middle_ages.holdings import COINS, holdings, start
from simcore.games.middle_ages.rules import Event, MiddleAgesRules
from simcore.games.middle_ages.state import DOMAIN_NAMES, EVENTS, PLAYERS


def _copies(rules: MiddleAgesRules) -> dict[str, int]:
    return {name: event.copies for name, event in rules.events.items()}


def _blank(rules: MiddleAgesRules, names: Sequence[str]) -> MiddleAgesRules:
    blanked = {
        name: Event(title=event.title, french=event.french, copies=event.copies) if name in names else event
        for name, event in rules.events.items()
    }
    return rules.model_copy(update={"events": blanked})


def _event_titles(rules: MiddleAgesRules) -> dict[str, dict[str, str]]:
    return {name: {"en": event.title, "fr": event.french or event.title} for name, event in rules.events.items()}


def _domain_titles(rules: MiddleAgesRules) -> dict[str, dict[str, str]]:
    domains = {name: getattr(rules.domains, name) for name in DOMAIN_NAMES}
    return {name: {"en": domain.title, "fr": domain.french} for name, domain in domains.items()}


CARDS = Cards(
    noun="Event",
    columns=tuple(f"event_{slot + 1}" for slot in range(EVENTS)),
    slots=tuple(f"round {4 * slot + 4}" for slot in range(EVENTS)),
    copies=_copies,
    blank=_blank,
    titles=_event_titles,
    key="events.{card}.copies",
)


def _tiles(rules: MiddleAgesRules) -> dict[str, int]:
    """Return the number of tiles of each Domain."""
    faces = rules.tiles.faces.values()
    return {name: sum(face.blue + face.orange for face in faces if face.domain == name) for name in DOMAIN_NAMES}


def _fate_of_tiles(
    rules: MiddleAgesRules, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]
) -> Iterator[Moment]:
    """Yield the Domains of the tiles that are free in a row when a seat places its Lord, and of the one it takes."""
    domain = {tile["id"]: tile["domain"] for tile in first["tiles"]}
    rows: dict[int, dict[int, int]] = {}
    for record in records:
        if record["kind"] == "deal":
            rows[record["row"]] = dict(enumerate(record["tiles"]))
        elif record["kind"] == "lord":
            free = rows[record["row"]]
            yield from (Moment("offered", domain[tile], record["seat"]) for tile in free.values())
            yield Moment("taken", domain[free.pop(record["col"])], record["seat"])


EFFECTS_OF: Mapping[str, Mapping[str, int | bool]] = {
    "field": {"coins_per_peasant": 0}, "mill": {"mill_coins": 0}, "village": {"village_restores": False},
    "rampart": {"rampart_scouts": False}, "market": {"coins_per_chest": 0},
    "barracks": {"barracks_coins": 0, "barracks_buries": False},
}  # fmt: skip
"""What the special effect of a Domain's tiles is where they do nothing."""


def _blank_tiles(rules: MiddleAgesRules, names: Sequence[str]) -> MiddleAgesRules:
    """Return rules in which the tiles of some Domains have no symbols, pay nothing and have no special effect."""
    domains, effects, tokens = {}, dict[str, Any](), rules.tokens
    for name in DOMAIN_NAMES:
        domain = getattr(rules.domains, name)
        counts = () if name in names else tuple(other for other in domain.counts if other not in names)
        rate = 0 if name in names else domain.coins_per_tile
        domains[name] = domain.model_copy(update={"counts": counts, "coins_per_tile": rate})
        effects |= EFFECTS_OF.get(name, {}) if name in names else {}
    if "church" in names:
        tokens = tokens.model_copy(update={"extra_coin": 0})
    if "palace" in names:
        tokens = tokens.model_copy(update={"plot": tokens.plot.model_copy(update=dict.fromkeys(DOMAIN_NAMES, 0))})
    faces = {
        key: face.model_copy(update={"peasants": 0, "chests": 0}) if face.domain in names else face
        for key, face in rules.tiles.faces.items()
    }
    unpaid = dict.fromkeys(names, 0)
    events = {
        key: event.model_copy(update={"coins_per_tile": event.coins_per_tile.model_copy(update=unpaid)})
        for key, event in rules.events.items()
    }
    return rules.model_copy(
        update={
            "domains": rules.domains.model_copy(update=domains),
            "effects": rules.effects.model_copy(update=effects),
            "tokens": tokens,
            "tiles": rules.tiles.model_copy(update={"faces": faces}),
            "events": events,
        }
    )


TILES = Cards("tile", _tiles, _blank_tiles, titles=_domain_titles, life=_fate_of_tiles, proviso="blank_tile")

ECONOMY = Economy(
    unit="coins",
    sources=(
        *(Money(f"income_{name}", "income", f"income_{name}") for name in DOMAIN_NAMES),
        Money("field_effect", "effects", "effect_field"),
        Money("market_effect", "effects", "effect_market"),
        Money("mill_robbed", "robbery", "mill_robbed"),
        Money("mill_paid", "robbery", "mill_paid", -1),
        Money("barracks_robbed", "robbery", "barracks_robbed"),
        Money("barracks_paid", "robbery", "barracks_paid", -1),
        *(Money(f"event_{slot + 1}", "events", f"event_{slot + 1}_coins") for slot in range(EVENTS)),
        Money("penalty", "penalty", "penalty", -1),
    ),
    start=start,
    flows=tuple(f"robbed_from_{seat + 1}" for seat in range(PLAYERS)),
)

DECLARATIONS = Declarations(
    turn="turn_mean",
    tie_break="tie_break",
    trajectory=COINS,
    cards=CARDS,
    things=(TILES,),
    economy=ECONOMY,
    titles=_domain_titles,
    headlines=(holdings,),
    needs={"player": ("scout", "robbery", "cemetery", "extra_coin", "plot_token")},
    levers=("starting_coins=0..60",),
    uses=("burials", "restorations", "scouts", "mill_robbed", "barracks_robbed", "tiles_*"),
    seat_coins="starting_coins",
    material=("tiles.*", "stacks.*", "tokens.*", "events.*"),
)
