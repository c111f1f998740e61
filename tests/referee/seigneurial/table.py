"""The table: where every card and pawn is, and the questions that the rules ask about it.

Cards of a face are alike, so that a place holds numbers of them. A place is a tuple: the zone, then the seat.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from .header import Setup
from .rulebook import DECKS, FACES, LAND_TYPE, LANDS, LORD, TYPES, VALUES

Place = tuple[str | int, ...]
DECK: Place = ("deck",)
DISCARD: Place = ("discard",)
LAID: Place = ("table",)


def hand(seat: int) -> Place:
    """Return the place of a seat's hand."""
    return ("hand", seat)


def front(seat: int) -> Place:
    """Return the place of a tenant's zeros."""
    return ("front", seat)


def written(place: Place) -> dict[str, str | int]:
    """Return a place as the log writes it."""
    return dict(zip(("zone", "seat"), place, strict=False))


@dataclass
class Tenant:
    """What lies before one tenant besides his cards."""

    objective: str = ""
    revealed: bool = False
    pawns: list[int] = field(default_factory=list)  # positionings that each still waits; 0: healthy
    favour: int = 0
    improved: str | None = None
    ledger: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))


@dataclass
class Now:
    """What holds for one season alone; the sets hold seats, or seats with a square or type."""

    first: int
    placed: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    played: Counter[int] = field(default_factory=Counter)
    barred: set[tuple[int, str]] = field(default_factory=set)
    yields: Counter[tuple[int, str]] = field(default_factory=Counter)
    sheltered: set[int] = field(default_factory=set)
    inspected: set[int] = field(default_factory=set)
    gagged: set[int] = field(default_factory=set)
    warded: set[int] = field(default_factory=set)
    waived: set[int] = field(default_factory=set)
    draws: Counter[int] = field(default_factory=Counter)
    rent: int = 0  # what cards add to the rent
    demand: dict[str, int] | None = None  # None before step 3
    laid: Counter[tuple[int, str]] = field(default_factory=Counter)  # points by tenant and type
    laid_cards: Counter[int] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)  # points that the lord drew, by type
    kept_cards: int = 0


class Table:
    """The whole table."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seats = range(1, setup.players + 1)
        self.tenants = {seat: Tenant(pawns=[0] * setup["pawns"]) for seat in self.seats if seat != LORD}
        self.cards: dict[tuple[str, Place], Counter[str]] = defaultdict(Counter)  # by deck and place
        self.order: dict[str, list[str]] = {"tenant": [], "objective": []}  # the decks whose order counts, top first
        for kind in TYPES:
            self.cards[kind, DISCARD] += Counter({f"{kind}{value}": setup.pile[value] for value in VALUES})
        self.cards["tenant", DISCARD] += Counter({card.id: card.copies for card in setup.tenant_cards})
        self.cards["lord", DISCARD] += Counter({card.id: card.copies for card in setup.lord_cards})
        self.cards["objective", DISCARD] += Counter([*setup.objectives])
        self.season = 0
        self.square = setup["start_square"]
        self.after = False  # the lord has been at or past the middle: the rent and limit "after" hold
        self.now = Now(2)

    def shuffle(self, deck: str, order: list[str]) -> None:
        """Turn the discards into the deck."""
        self.cards[deck, DECK] += self.cards[deck, DISCARD]
        self.cards[deck, DISCARD].clear()
        if deck in self.order:
            self.order[deck] = order

    def move(self, deck: str, card: str, source: Place, target: Place) -> None:
        """Move a card, from the top or to the bottom of its deck."""
        held = self.cards[deck, source]
        assert held[card] > 0
        held[card] -= 1
        if not held[card]:
            del held[card]
        self.cards[deck, target][card] += 1
        if deck in self.order:
            if source == DECK:
                assert self.order[deck].pop(0) == card
            if target == DECK:
                self.order[deck].append(card)
        if deck in TYPES and FACES[card][1]:
            if source == DECK:
                self.tenants[int(target[1])].ledger[deck] += 1
            elif source[0] == "hand" and target in (LAID, DISCARD):
                ledger = self.tenants[int(source[1])].ledger
                ledger[deck] = max(0, ledger[deck] - 1)

    def in_order(self) -> list[int]:
        """Return the tenants clockwise from the season's first."""
        seats = [*self.tenants]
        start = seats.index(self.now.first)
        return seats[start:] + seats[:start]

    def faces(self, seat: int, kinds: Iterable[str] = TYPES) -> Counter[str]:
        """Return the resource cards of these types in a tenant's hand, in order of type and value."""
        return Counter(
            {face: number for kind in kinds for face, number in sorted(self.cards[kind, hand(seat)].items())}
        )

    def resources(self, seat: int) -> int:
        """Return the number of resource cards in a tenant's hand."""
        return sum(self.cards[kind, hand(seat)].total() for kind in TYPES)

    def held(self, seat: int, kind: str) -> int:
        """Return the points of a type in a tenant's hand."""
        return sum(FACES[face][1] * number for face, number in self.cards[kind, hand(seat)].items())

    def points(self, seat: int) -> int:
        """Return the points in a tenant's hand."""
        return sum(self.held(seat, kind) for kind in TYPES)

    def playing_cards(self, seat: int) -> Counter[str]:
        """Return the Censitaire cards of a tenant, or the lord's Seigneur cards."""
        return self.cards["lord" if seat == LORD else "tenant", hand(seat)]

    def zeros(self, seat: int, kind: str) -> int:
        """Return the zeros of a type that lie before a tenant."""
        return self.cards[kind, front(seat)].total()

    def objective(self, seat: int) -> dict[str, int]:
        """Return a tenant's Objective by type."""
        return dict(zip(TYPES, self.setup.objectives[self.tenants[seat].objective], strict=True))

    def beyond(self, seat: int, kind: str) -> int:
        """Return what a tenant holds of a type less his Objective."""
        return self.held(seat, kind) - self.objective(seat)[kind]

    def need(self, seat: int, kind: str) -> int:
        """Return what a tenant lacks of a type."""
        return max(0, -self.beyond(seat, kind))

    def fulfilled(self, seat: int) -> bool:
        """Say whether a tenant's hand reaches his Objective in every type."""
        return not any(self.need(seat, kind) for kind in TYPES)

    def drawable(self, deck: str) -> bool:
        """Say whether a deck, refilled if need be, has a card to draw."""
        return bool(self.cards[deck, DECK]) or bool(self.cards[deck, DISCARD])

    def healthy(self, seat: int) -> int:
        """Return the number of a tenant's pawns that are not ill."""
        return self.tenants[seat].pawns.count(0)

    def open_squares(self, seat: int, squares: Iterable[str]) -> list[str]:
        """Return those squares that are not barred to a tenant."""
        return [square for square in squares if (seat, square) not in self.now.barred]

    def improvement(self, seat: int, square: str) -> int:
        """Return the cards more that a tenant draws on a land."""
        return self.setup["improvement"] if self.tenants[seat].improved == square else 0

    def yield_of(self, seat: int, land: str) -> int:
        """Return the cards that a pawn draws on a land."""
        more = self.improvement(seat, land) if self.setup.switch("improvement_needs_pawn") else 0
        return self.setup.within(
            "yield_limits", self.setup["land_cards"] + more + self.now.yields[seat, LAND_TYPE[land]]
        )

    def rent(self) -> int:
        """Return the rent of this season."""
        return self.setup.within("rent_limits", self.setup.rent[self.after] + self.now.rent)

    def draw_limit(self, seat: int) -> int:
        """Return how many cards the lord may draw from a tenant."""
        return self.setup.within("draw_limits", self.setup.pairs["draws"][self.after] + self.now.draws[seat])

    def laid_points(self, kind: str) -> int:
        """Return the points of a type that all tenants have laid."""
        return sum(self.now.laid[seat, kind] for seat in self.tenants)

    def unmet(self, kind: str) -> int:
        """Return the points of a type that the lord still lacks; 0 before he asks for a rent."""
        if self.now.demand is None:
            return 0
        return max(0, self.now.demand[kind] - self.laid_points(kind) - self.now.kept[kind])

    def short(self) -> list[str]:
        """Return the types of which the lord lacks points."""
        return [kind for kind in TYPES if self.unmet(kind)]

    def own_pawn_on(self, seat: int, kind: str) -> bool:
        """Say whether a tenant has a pawn on his land of a type."""
        return LANDS[TYPES.index(kind)] in self.now.placed[seat]

    def ledger(self, kind: str, seats: Iterable[int] | None = None) -> int:
        """Return the public ledger of a type, summed over tenants."""
        return sum(self.tenants[seat].ledger[kind] for seat in (self.tenants if seats is None else seats))

    def census(self) -> dict[str, Counter[str]]:
        """Return all cards of every deck, wherever they are."""
        found: dict[str, Counter[str]] = {deck: Counter() for deck in DECKS}
        for (deck, _), cards in self.cards.items():
            found[deck] += cards
        return found


def payments(values: Counter[int], due: int) -> list[int]:
    """Return the values of cards that may be paid next towards a due.

    values: The values of the cards in hand and how many there are of each.
    due: The points still owed, at least 1.
    """
    sums = [reachable(values - Counter([value]), due - value) for value in sorted(values) if value <= due]
    exact = [value for value, fits in zip(sorted(values), sums, strict=False) if fits]
    return exact or [value for value in sorted(values) if value > due]


def reachable(values: Counter[int], total: int) -> bool:
    """Say whether some of the cards make this sum."""
    sums = {0}
    for value in values.elements():
        sums |= {each + value for each in sums if each + value <= total}
    return total in sums
