"""The table as a reader of a replay log of Middle-Ages sees it: what is where after each record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simcore.games.middle_ages.records import Record
from simcore.games.middle_ages.model import DOMAIN_NAMES


@dataclass
class Seat:
    """What one player has."""

    name: str  # strategy that plays the seat
    coins: int  # running total
    fief: dict[str, list[int]] = field(default_factory=lambda: {domain: [] for domain in DOMAIN_NAMES})
    """Tile ids by Domain, lowest first."""
    cemetery: list[int] = field(default_factory=list)  # tile ids in order of burial
    extras: list[str] = field(default_factory=list)
    """Domains with an extra-coin token, in the order in which the tokens were laid."""
    plots: dict[str, str] = field(default_factory=dict)  # domain of the plot token by Domain of the slot
    scout: tuple[int, int] | None = None  # row and column, or None if it is at home


class Table:
    """Follows the records of one game.

    header: The log's first line.
    """

    def __init__(self, header: Record) -> None:
        self.tiles: dict[int, Record] = {tile["id"]: tile for tile in header["tiles"]}
        self.rows: dict[int, list[int | None]] = {}
        self.lords: dict[tuple[int, int], int] = {}
        names, coins = header["strategies"], header["options"]["starting_coins"]
        self.seats = {seat: Seat(names[seat - 1], coins[seat - 1]) for seat in header["order"]}

    def tile(self, identity: int) -> str:
        """Name a tile: Domain, number, p for each peasant and c for each chest."""
        tile = self.tiles[identity]
        return f"{tile['domain'].capitalize()} {tile['number']}{'p' * tile['peasants']}{'c' * tile['chests']}"

    def tile_at(self, row: int, col: int) -> str:
        """Name the tile in a place of the rows."""
        tile = self.rows[row][col]
        return "an empty place" if tile is None else self.tile(tile)

    def symbols(self, seat: int, symbol: str) -> int:
        """Count the peasants or chests in a seat's Fief."""
        return sum(self.tiles[tile][symbol] for column in self.seats[seat].fief.values() for tile in column)

    def deal(self, record: Record) -> None:
        """Fill a row."""
        self.rows[record["row"]] = list(record["tiles"])

    def lord(self, record: Record) -> bool:
        """Place a Lord; a Scout in that row comes home.  Return whether the Scout had reserved the tile."""
        place = (record["row"], record["col"])
        seat = self.seats[record["seat"]]
        self.lords[place] = record["seat"]
        honoured = seat.scout == place
        if seat.scout is not None and seat.scout[0] == record["row"]:
            seat.scout = None
        return honoured

    def discard(self, record: Record) -> None:
        """Remove the empty tile from its row."""
        self.rows[record["row"]][record["col"]] = None

    def take(self, record: Record) -> None:
        """Move a tile from its row to the Fief."""
        self.rows[record["row"]][record["col"]] = None
        del self.lords[record["row"], record["col"]]
        self._place(record["seat"], record["tile"])

    def restore(self, seat: int, tile: int) -> None:
        """Move a tile from the Cemetery to the Fief."""
        self.seats[seat].cemetery.remove(tile)
        self._place(seat, tile)

    def bury(self, seat: int, tiles: Sequence[int]) -> None:
        """Move tiles from the Fief to the Cemetery."""
        for tile in tiles:
            self.seats[seat].fief[self.tiles[tile]["domain"]].remove(tile)
            self.seats[seat].cemetery.append(tile)

    def pay(self, seat: int, coins: int) -> None:
        """Add coins to a seat's purse."""
        self.seats[seat].coins += coins

    def rob(self, robber: int, victims: Sequence[dict[str, Any]]) -> int:
        """Move coins from victims to a robber; return their number."""
        for victim in victims:
            self.pay(victim["seat"], -victim["coins"])
        coins: int = sum(victim["coins"] for victim in victims)
        self.pay(robber, coins)
        return coins

    def _place(self, seat: int, tile: int) -> None:
        self.seats[seat].fief[self.tiles[tile]["domain"]].append(tile)
