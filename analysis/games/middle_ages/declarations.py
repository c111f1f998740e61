"""The declarations of Middle-Ages about its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.data.declarations import Cards, Declarations, Economy, Moment, Money
from analysis.games.middle_ages.columns import COINS, start
from analysis.games.middle_ages.holdings import holdings
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
    """Yield the Domains of the tiles of which a seat may take one, and of the one that it takes."""
    domain = {tile["id"]: tile["domain"] for tile in first["tiles"]}
    rows: dict[int, list[int]] = {}
    for record in records:
        if record["kind"] == "deal":
            rows[record["row"]] = list(record["tiles"])
        elif record["kind"] == "take":
            row = rows[record["row"]]
            yield from (Moment("offered", domain[tile], record["seat"]) for tile in row)
            yield Moment("taken", domain[record["tile"]], record["seat"])
            row.remove(record["tile"])


TILES = Cards("tile", _tiles, None, titles=_domain_titles, life=_fate_of_tiles)

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
