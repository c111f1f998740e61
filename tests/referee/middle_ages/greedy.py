"""The reference policy `greedy`, to the letter of the rulings.

Every function takes the legal options in board order; `max` and `min` keep the first among equals.
"""

from collections.abc import Sequence

from .rulebook import BARRACKS, FIELD, MARKET, MILL, PENALTY, TRIBUTE
from .table import Seat, Spot, Table


def worth(table: Table, seat: Seat, tile: int) -> int:
    """Return the worth of a tile in coins, as if it were placed now."""
    face = table.tiles[tile]
    domain = face.domain
    coins = seat.rates[domain] * (seat.counted_tiles(domain) + 1)
    if domain == FIELD:
        coins += seat.peasants + face.peasants
    elif domain == MARKET:
        coins += seat.chests + face.chests
    elif domain in (MILL, BARRACKS):
        coins += sum(table.payable(victim, TRIBUTE) for victim in table.victims(seat, domain, more=1))
    return coins if seat.columns[domain] else coins + PENALTY


def lord(table: Table, seat: Seat, row: int, options: Sequence[int]) -> int:
    """Return the column that the Lord goes to."""
    return max(options, key=lambda col: worth(table, seat, table.rows[row][col]))


def scout(table: Table, seat: Seat, options: Sequence[Spot]) -> Spot:
    """Return the spot that the Scout reserves."""
    return max(options, key=lambda spot: worth(table, seat, table.rows[spot[0]][spot[1]]))


def restored(table: Table, seat: Seat) -> int:
    """Return the tile taken back from the Cemetery."""
    return max(seat.cemetery, key=lambda tile: worth(table, seat, tile))


def church(seat: Seat, options: Sequence[int]) -> int:
    """Return the slot of an extra-coin token."""
    return max(options, key=seat.counted_tiles)


def palace(seat: Seat, options: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return slot and Domain of a plot token."""
    return max(options, key=lambda pair: len(seat.columns[pair[1]]) * seat.rates[pair[0]])


def lost(table: Table, column: Sequence[int]) -> int:
    """Return the tile of a Domain that its owner gives up."""
    return min(column, key=lambda tile: table.tiles[tile].peasants + table.tiles[tile].chests)
