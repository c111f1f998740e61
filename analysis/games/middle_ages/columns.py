"""The columns of Middle-Ages: Domains held, tokens laid, tiles drafted, and components of the box."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.data.results import Unanswered
from simcore.games.middle_ages.rules import MiddleAgesRules
from simcore.games.middle_ages.state import DOMAIN_NAMES, ROUNDS

if TYPE_CHECKING:
    from simcore.running.replay import Replay

BANK = 40 * 1 + 18 * 5 + 36 * 10 + 18 * 50
"""Coins in the box (booklet, "Matériel")."""

ONES = 40
"""Coins of value 1 in the box."""


@dataclass(frozen=True)
class Offer:
    """One thing on offer, read from a replay."""

    round: int  # number of the round, from 1
    position: int  # place in its row, counted from 0 at the left
    kind: str  # its Domain
    number: int  # the number by which the game sorts rows
    taken: bool  # whether anybody took it


@dataclass(frozen=True)
class Component:
    """A component of which the box contains a limited number."""

    name: str
    title: str
    """name, title: Key, and display name."""
    column: str  # column that counts it
    whole_table: bool
    """True if each seat's row has the number for the whole table, False if the seats' numbers are added."""
    limit: Callable[[Any, int], int | None]
    """Function that takes the rules and the number of players and returns the number in the box; None if unlimited."""


def start(rules: MiddleAgesRules, players: int) -> Sequence[int]:
    """Return the score of each seat before round 1."""
    return rules.starting_coins[:players]


def domain_of(rules: MiddleAgesRules) -> Mapping[int, str]:
    """Return the Domain of each number."""
    found: dict[int, str] = {}
    for name, face in rules.tiles.faces.items():
        if found.setdefault(face.number, face.domain) != face.domain:
            raise Unanswered(
                "two_domains",
                "rules '{rules}': [{table}]: number {number} stands for two Domains, so the table does not show which "
                "was taken; give each Domain numbers of its own",
                rules=rules.name,
                table=f"tiles.faces.{name}",
                number=face.number,
            )
    return found


def offers_in(replay: Replay) -> Iterator[Offer]:
    """Yield what was in each row when it was chosen from; a row is complete when its last tile is discarded."""
    tiles = {tile["id"]: tile for tile in replay.header["tiles"]}
    rows: dict[int, list[int]] = {}
    for record in replay.records:
        if record["kind"] == "deal":
            rows[record["row"]] = record["tiles"]
        elif record["kind"] == "discard":
            for place, tile in enumerate(rows[record["row"]]):
                face = tiles[tile]
                yield Offer(record["round"], place, face["domain"], face["number"], place != record["col"])


DOMAIN, TILE, SCOUT = "Domain", "tile", "Scout"
"""The game's words for what a seat holds, for what it takes, and for the tile that looks for an Event."""

HELD = {name: f"tiles_{name}" for name in DOMAIN_NAMES}
"""By Domain, the column with the number of its tiles that a seat holds at the end."""

TOKENS = {
    "extra-coin token": {name: f"extra_{name}" for name in DOMAIN_NAMES},
    "plot token": {name: f"plot_{name}" for name in DOMAIN_NAMES},
}
"""By token and Domain, a "Boolean" column (laid or not) or an "Enum" whose first label means none."""

NUMBER, POSITION, TURN, COINS = (
    tuple(f"{prefix}{number + 1}" for number in range(ROUNDS)) for prefix in ("tile_r", "column_r", "turn_r", "coins_r")
)
"""By round, the columns of the number taken, its place in the row, the turn position, and the coins afterwards."""

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
