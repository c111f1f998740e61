"""Middle-Ages: what its columns mean to the analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from analysis.data.declarations import (
    Cards,
    Component,
    Economy,
    Holdings,
    Meaning,
    Money,
    Offer,
    Picks,
    Reservation,
    Tokens,
)
from simcore.errors import UsageError
from simcore.games.middle_ages.model import DOMAIN_NAMES, Event, MiddleAgesRules
from simcore.games.middle_ages.state import EVENTS, PLAYERS, ROUNDS

if TYPE_CHECKING:
    from simcore.replay import Replay

BANK = 40 * 1 + 18 * 5 + 36 * 10 + 18 * 50
"""Coins in the box (booklet, "Matériel")."""

ONES = 40
"""Coins of value 1 in the box."""


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


def _start(rules: MiddleAgesRules, players: int) -> Sequence[int]:
    return rules.starting_coins[:players]


def _domain_of(rules: MiddleAgesRules) -> Mapping[int, str]:
    found: dict[int, str] = {}
    for name, face in rules.tiles.faces.items():
        if found.setdefault(face.number, face.domain) != face.domain:
            raise UsageError(
                f"rules '{rules.name}': [tiles.faces.{name}]: number {face.number} stands for two Domains, "
                "so the table does not tell which was taken; give each Domain numbers of its own"
            )
    return found


def _offers(replay: Replay) -> Iterator[Offer]:
    """Tell what lay in each row when it was chosen from: a row is settled when the tile nobody took is discarded."""
    tiles = {tile["id"]: tile for tile in replay.header["tiles"]}
    rows: dict[int, list[int]] = {}
    for record in replay.records:
        if record["kind"] == "deal":
            rows[record["row"]] = record["tiles"]
        elif record["kind"] == "discard":
            for place, tile in enumerate(rows[record["row"]]):
                face = tiles[tile]
                yield Offer(record["round"], place, face["domain"], face["number"], place != record["col"])


def _by_round(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{number + 1}" for number in range(ROUNDS))


CARDS = Cards(
    noun="Event",
    columns=tuple(f"event_{slot + 1}" for slot in range(EVENTS)),
    slots=tuple(f"round {4 * slot + 4}" for slot in range(EVENTS)),
    copies=_copies,
    blank=_blank,
    titles=_event_titles,
)

HOLDINGS = Holdings(
    noun="Domain",
    columns={name: f"tiles_{name}" for name in DOMAIN_NAMES},
    penalty="penalty",
    tokens=(
        Tokens("extra-coin token", {name: f"extra_{name}" for name in DOMAIN_NAMES}),
        Tokens("plot token", {name: f"plot_{name}" for name in DOMAIN_NAMES}),
    ),
    titles=_domain_titles,
)

PICKS = Picks(
    noun="tile",
    kind_noun="Domain",
    kinds=DOMAIN_NAMES,
    number=_by_round("tile_r"),
    position=_by_round("column_r"),
    turn=_by_round("turn_r"),
    score=_by_round("coins_r"),
    kind_of=_domain_of,
    start=_start,
    offers=_offers,
)

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
    start=_start,
    flows=tuple(f"robbed_from_{seat + 1}" for seat in range(PLAYERS)),
)

COMPONENTS = (
    Component("bank", "coins in circulation at once", "peak_coins", True, lambda rules, players: BANK),
    Component("ones", "coins of value 1 in circulation", "peak_ones", True, lambda rules, players: ONES),
    Component(
        "extra_tokens", "extra-coin tokens laid", "extra_tokens", False, lambda rules, players: rules.tokens.extra_coin
    ),
    Component(
        "plot_tokens",
        "plot tokens laid",
        "plot_tokens",
        False,
        lambda rules, players: (
            None
            if rules.plot_token_supply == "unlimited"
            else sum(getattr(rules.tokens.plot, name) for name in DOMAIN_NAMES)
        ),
    ),
)

MEANING = Meaning(
    turn="turn_mean",
    tie_break="tie_break",
    trajectory=_by_round("coins_r"),
    cards=CARDS,
    holdings=HOLDINGS,
    picks=PICKS,
    economy=ECONOMY,
    components=COMPONENTS,
    reservations=(Reservation("Scout", "scouts", "scouts_honoured"),),
    ladder=("random", "greedy", "planner", "champion", "rollout"),
)
