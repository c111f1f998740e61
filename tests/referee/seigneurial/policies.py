"""The reference policies `bailiff` and `gatherer`, to the letter of the rulings.

A policy has a method for every decision that it can meet; its options stand in the order of the table, the types, the
squares or the tenants, and `min` and `max` keep the first among equals.
"""

from collections.abc import Sequence

from .rulebook import CHURCH, FACES, LAND_TYPE, MILL, TYPES, Card, Effect
from .table import Table

Shift = tuple[str, str, int]


class Policy:
    """What both policies do alike."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def target(self, seat: int, options: Sequence[int]) -> int:
        """Return the tenant with most resource cards."""
        return max(options, key=self.table.resources)

    def shift(self, seat: int, options: Sequence[Shift]) -> Shift:
        """Return a shift of as much as can be to the type of the largest ledger."""
        ledger = self.table.ledger
        source = min({option[0]: None for option in options}, key=ledger)
        goal = max([kind for kind in TYPES if kind != source], key=ledger)
        return max((option for option in options if option[:2] == (source, goal)), key=lambda option: option[2])


class Bailiff(Policy):
    """The lord's reference policy."""

    def would_shift(self) -> bool:
        """Say whether a shift would lead to a type of a larger ledger."""
        ledger = self.table.ledger
        greatest = max(ledger(kind) for kind in TYPES)
        return any(ledger(kind) < greatest for kind in self.table.short())

    def play(self, seat: int, cards: Sequence[Card]) -> str | None:
        """Return the first playable card."""
        return next((card.id for card in cards if card.effects[0].op != "shift" or self.would_shift()), None)

    def what(self, seat: int, options: Sequence[str], whose: Sequence[int] | None) -> str:
        """Return the type, or the land, of the largest ledger of these tenants; None: of all."""
        lands = [each for each in options if each in LAND_TYPE or each in TYPES]
        if not lands:
            return options[0]
        return max(lands, key=lambda each: self.table.ledger(LAND_TYPE.get(each, each), whose))

    def rent(self, seat: int, options: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """Return the rent, point by point from the type of which tenants should have most."""
        given = dict.fromkeys(TYPES, 0)
        for _ in range(sum(options[0])):
            best = TYPES[0]
            for kind in TYPES[1:]:
                if self.table.ledger(kind) * (given[best] + 1) > self.table.ledger(best) * (given[kind] + 1):
                    best = kind
            given[best] += 1
        return tuple(given.values())

    def split(self, seat: int, options: Sequence[int]) -> int:
        """Return the tenant with fewest resource cards."""
        return min(options, key=self.table.resources)

    def next(self, seat: int, options: Sequence[int]) -> int:
        """Return the tenant with most resource cards."""
        return self.target(seat, options)

    def pick(self, seat: int, options: Sequence[str]) -> str:
        """Return the card of the type that lacks most, of the highest value."""
        return max(options, key=lambda face: (self.table.unmet(FACES[face][0]), FACES[face][1]))

    def crown(self, seat: int, options: Sequence[int]) -> int:
        """Return the first in order."""
        return options[0]


class Gatherer(Policy):
    """The tenants' reference policy."""

    def spare(self, seat: int) -> list[str]:
        """Return the faces in hand of which a card is spare."""
        return [face for face in self.table.faces(seat) if FACES[face][1] <= self.table.beyond(seat, FACES[face][0])]

    def parted(self, seat: int, faces: Sequence[str]) -> str:
        """Return the card to part with: of the type most beyond, then of the lowest value."""
        return min(faces, key=lambda face: (-self.table.beyond(seat, FACES[face][0]), FACES[face][1]))

    def greatest_need(self, seat: int, kinds: Sequence[str]) -> str:
        """Return the type that the tenant lacks most."""
        return max(kinds, key=lambda kind: self.table.need(seat, kind))

    def wants(self, seat: int, effect: Effect) -> bool:
        """Say whether a card that begins with this effect is worth playing."""
        table = self.table
        if effect.op in ("trade", "barter") and not self.spare(seat):
            return False
        if effect.op == "trade":
            return any(table.need(seat, kind) and not table.zeros(seat, kind) for kind in TYPES)
        if effect[:3] == ("act", "self", MILL):
            return self.zero_in_need(seat)
        return True

    def zero_in_need(self, seat: int) -> bool:
        """Say whether a zero of a type in need lies before the tenant."""
        return any(self.table.zeros(seat, kind) and self.table.need(seat, kind) for kind in TYPES)

    def play(self, seat: int, cards: Sequence[Card]) -> str | None:
        """Return the first playable card that is worth it."""
        return next((card.id for card in cards if self.wants(seat, card.effects[0])), None)

    def what(self, seat: int, options: Sequence[str], whose: Sequence[int] | None) -> str:
        """Return the type of the greatest need, or the best square."""
        if options[0] in TYPES:
            return self.greatest_need(seat, options)
        return self.square(seat, options, self.table.now.placed[seat])

    def square(self, seat: int, options: Sequence[str], placed: Sequence[str]) -> str:
        """Return the square for a pawn of a tenant who has placed these before."""
        table = self.table
        if MILL in options and self.zero_in_need(seat):
            return MILL
        lands = [
            land for land in options if land in LAND_TYPE and (MILL in placed or not table.zeros(seat, LAND_TYPE[land]))
        ]
        needed = max(lands, key=lambda land: table.need(seat, LAND_TYPE[land]), default=None)
        if needed and table.need(seat, LAND_TYPE[needed]):
            return needed
        if CHURCH in options and table.playing_cards(seat).total() < table.setup["hand_limit"]:
            return CHURCH
        return min(lands, key=lambda land: table.held(seat, LAND_TYPE[land]), default=options[0])

    def improve(self, seat: int, options: Sequence[str]) -> str:
        """Return the land of the greatest need."""
        return max(options, key=lambda land: self.table.need(seat, LAND_TYPE[land]))

    def keep(self, seat: int, options: Sequence[str]) -> str:
        """Return the card earlier in the table."""
        ids = [card.id for card in self.table.setup.tenant_cards]
        return min(options, key=ids.index)

    def drop(self, seat: int, options: Sequence[str]) -> str:
        """Return the latest card of the table."""
        ids = [card.id for card in self.table.setup.tenant_cards]
        return max(options, key=ids.index)

    def winter(self, seat: int, options: Sequence[bool]) -> bool:
        """Pay."""
        return True

    def part(self, seat: int, options: Sequence[str | None]) -> str | None:
        """Return the card to part with; a trade stops when no spare card is left."""
        if None in options and not self.spare(seat):
            return None
        return self.parted(seat, [face for face in options if face])

    def lay(self, seat: int, options: Sequence[str | None]) -> str | None:
        """Return a spare card of a type not covered by the points that the tenant sees."""
        table, spare = self.table, self.spare(seat)
        secret = table.setup.switch("payment") == "secret"
        demand = table.now.demand or {}
        faces = []
        for face in options:
            if face in spare:
                kind = FACES[face][0]
                seen = table.now.laid[seat, kind] if secret else table.laid_points(kind)
                if seen < demand[kind]:
                    faces.append(face)
        return self.parted(seat, faces) if faces else None

    def objective(self, seat: int, options: Sequence[str]) -> str:
        """Return the Objective of the least total need, the old one among equals."""
        table = self.table
        held = [table.held(seat, kind) for kind in TYPES]

        def total(name: str) -> int:
            return sum(max(0, points - own) for points, own in zip(table.setup.objectives[name], held, strict=True))

        old = table.tenants[seat].objective
        order = [*table.setup.objectives]
        return min(options, key=lambda name: (total(name), name != old, order.index(name)))


POLICIES: dict[str, type[Policy]] = {"bailiff": Bailiff, "gatherer": Gatherer}
