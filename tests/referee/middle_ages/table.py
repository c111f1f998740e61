"""The table as the log's own records make it: every tile, coin, Lord, Scout and token, and what may be done next."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from .header import Setup
from .rulebook import (
    DOMAINS,
    EXTRA_COIN_TOKENS,
    INCOME,
    ORANGE_PLAYERS,
    RATES,
    ROWS,
    SHIELD,
    TRIBUTE,
)

Spot = tuple[int, int]  # row and column


@dataclass(slots=True, eq=False)
class Seat:
    """One player's board. Domains are indices in board order, tiles are ids."""

    number: int  # as in the log, from 1
    coins: int
    greedy: bool
    columns: list[list[int]] = field(default_factory=lambda: [[] for _ in DOMAINS])  # lowest tile first
    cemetery: list[int] = field(default_factory=list)  # in order of burial
    peasants: int = 0  # symbols in the Fief
    chests: int = 0
    counted: list[list[int]] = field(default_factory=lambda: [list(listed) for listed in INCOME])
    rates: list[int] = field(default_factory=lambda: list(RATES))
    extra_coin: list[bool] = field(default_factory=lambda: [False] * len(DOMAINS))
    plot: list[bool] = field(default_factory=lambda: [False] * len(DOMAINS))
    lord: Spot | None = None
    scout: Spot | None = None

    def counted_tiles(self, domain: int) -> int:
        """Return how many tiles the Domain's Income counts."""
        return sum([len(self.columns[listed]) for listed in self.counted[domain]])


class Table:
    """The whole table; its questions are those that the rules ask."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.tiles = setup.tiles
        self.seats = [
            Seat(number + 1, setup.starting_coins[number], setup.greedy[number]) for number in range(setup.players)
        ]
        self.rows: list[list[int | None]] = [[] for _ in range(ROWS)]
        self.stack = set(setup.blue)
        self.orange = list(setup.orange) if setup.players >= ORANGE_PLAYERS else []
        self.discards: list[int] = []
        self.extra_coin_tokens = EXTRA_COIN_TOKENS
        self.plot_tokens = list(range(len(DOMAINS)))

    def next_stack(self) -> tuple[str, list[int]]:
        """Return source and tiles, ascending, of the stack that replaces one that ran out."""
        if self.orange:
            source, tiles, self.orange = "orange", self.orange, []
        else:
            source, tiles, self.discards = "discards", sorted(self.discards), []
        return source, tiles

    def place(self, seat: Seat, tile: int) -> None:
        """Put a tile on top of its Domain."""
        face = self.tiles[tile]
        seat.columns[face.domain].append(tile)
        seat.peasants += face.peasants
        seat.chests += face.chests

    def bury(self, seat: Seat, tile: int) -> None:
        """Move a tile from the Fief to the Cemetery."""
        face = self.tiles[tile]
        seat.columns[face.domain].remove(tile)
        seat.peasants -= face.peasants
        seat.chests -= face.chests
        seat.cemetery.append(tile)

    def restore(self, seat: Seat, tile: int) -> None:
        """Move a tile from the Cemetery back to the Fief."""
        seat.cemetery.remove(tile)
        self.place(seat, tile)

    def payable(self, seat: Seat, due: int) -> int:
        """Return how many of the coins due the seat gives."""
        return due if self.setup.debt else max(0, min(due, seat.coins))

    def victims(self, seat: Seat, domain: int, more: int = 0) -> list[Seat]:
        """Return the opponents that a Mill or Barracks hits, were there so many more tiles in that Domain."""
        strength = len(seat.columns[domain]) + more
        shield = SHIELD[domain]
        return [other for other in self.seats if other is not seat and len(other.columns[shield]) < strength]

    def collect(self, seat: Seat, victim: Seat) -> int:
        """Move the tribute of a Mill or Barracks and return its coins."""
        coins = self.payable(victim, TRIBUTE)
        victim.coins -= coins
        seat.coins += coins
        return coins

    def lord_options(self, seat: Seat, row: int) -> list[int]:
        """Return the columns of the row that the seat's Lord may go to."""
        barred = {other.lord for other in self.seats} | {other.scout for other in self.seats if other is not seat}
        return [col for col, tile in enumerate(self.rows[row]) if tile is not None and (row, col) not in barred]

    def scout_options(self, seat: Seat, current: int) -> list[Spot]:
        """Return the spots that the seat's Scout may go to, rows in the order in which they will be played."""
        barred = {other.lord for other in self.seats} | {other.scout for other in self.seats}
        own_row = seat.lord[0] if seat.lord else None
        order = [(current + step) % ROWS for step in range(1, ROWS + 1)]
        return [
            (row, col)
            for row in order
            if row != own_row
            for col, tile in enumerate(self.rows[row])
            if tile is not None and (row, col) not in barred
        ]

    def church_options(self, seat: Seat) -> list[int]:
        """Return the slots that may take an extra-coin token."""
        if not self.extra_coin_tokens:
            return []
        single = self.setup.one_token_a_slot
        return [slot for slot in range(len(DOMAINS)) if not seat.extra_coin[slot] and not (single and seat.plot[slot])]

    def palace_options(self, seat: Seat) -> list[tuple[int, int]]:
        """Return the (slot, token) pairs of a plot token, slots left to right, then tokens."""
        single = self.setup.one_token_a_slot
        return [
            (slot, token)
            for slot in range(len(DOMAINS))
            if not seat.plot[slot] and not (single and seat.extra_coin[slot])
            for token in self.plot_tokens
            if token not in INCOME[slot]
        ]

    def add_extra_coin(self, seat: Seat, slot: int) -> None:
        """Put one of the table's extra-coin tokens into a slot."""
        self.extra_coin_tokens -= 1
        seat.extra_coin[slot] = True
        seat.rates[slot] += 1

    def add_plot(self, seat: Seat, slot: int, token: int) -> None:
        """Put a plot token into a slot."""
        seat.plot[slot] = True
        seat.counted[slot].append(token)
        if self.setup.shared_plot_tokens:
            self.plot_tokens.remove(token)


def standing(final: int, tiles: Sequence[int]) -> tuple[int, ...]:
    """Return what ranks a seat: its coins after the penalty, then its tiles per Domain from the right."""
    return (final, *reversed(tiles))
