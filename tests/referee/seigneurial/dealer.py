"""Every movement of a card, every way to draw, and how a seat is asked to decide."""

from collections.abc import Mapping, Sequence
from typing import Any

from .header import Setup
from .pens import Pen
from .policies import POLICIES
from .rulebook import CHURCH, FACES, LAND_TYPE, LORD, MILL, TYPES
from .table import DECK, DISCARD, Place, Table, front, hand


class Dealer:
    """Moves cards and asks seats."""

    def __init__(self, pen: Pen, setup: Setup) -> None:
        self.pen = pen
        self.setup = setup
        self.table = Table(setup)
        self.policies = {
            seat: POLICIES[name](self.table) for seat, name in enumerate(setup.strategies, start=1) if name in POLICIES
        }

    def decide(
        self, seat: int, action: str, options: Sequence[Any], context: tuple[Any, ...] = (), **fields: Any
    ) -> Any:
        """Have a seat take one of the options."""
        policy = getattr(self.policies.get(seat), action, None)
        wanted = (lambda: policy(seat, options, *context)) if policy else None
        return self.pen.decide(seat, action, options, wanted, **fields)

    def move(self, deck: str, options: Mapping[str, int], source: Place, target: Place, *why: str) -> str:
        """Move one of these cards, for one of these reasons."""
        card = self.pen.move(options, source, lambda _: target, why)
        self.table.move(deck, card, source, target)
        return card

    def move_all(self, deck: str, source: Place, target: Place, *why: str) -> None:
        """Move all cards of a deck from there, in any order."""
        while cards := self.table.cards[deck, source]:
            self.move(deck, cards, source, target, *why)

    def refill(self, deck: str) -> bool:
        """Turn the discards into a deck that is empty; say whether there is a card to draw."""
        cards = self.table.cards
        if not cards[deck, DECK] and cards[deck, DISCARD]:
            self.pen.shuffle(self.table, [deck])
        return bool(cards[deck, DECK])

    def draw(self, deck: str, target: Place, why: str) -> str | None:
        """Draw a card of the lord's, a tenant's or an Objective, if there is one."""
        if not self.refill(deck):
            return None
        order = self.table.order.get(deck)
        return self.move(deck, {order[0]: 1} if order else self.table.cards[deck, DECK], DECK, target, why)

    def draw_resource(self, seat: int, kind: str, why: str) -> bool:
        """Draw a resource card, if there is one; say whether the tenant can go on drawing."""
        if not self.refill(kind):
            return False

        def target(face: str) -> Place:
            return hand(seat) if FACES[face][1] else front(seat)

        face = self.pen.move(self.table.cards[kind, DECK], DECK, target, [why])
        self.table.move(kind, face, DECK, target(face))
        return bool(FACES[face][1]) or not self.setup.switch("zero_stops_draw")

    def draw_resources(self, seat: int, kind: str, number: int, why: str) -> None:
        """Draw so many resource cards at once; none while a zero of the type lies there."""
        if self.table.zeros(seat, kind):
            return
        for _ in range(number):
            if not self.draw_resource(seat, kind, why):
                return

    def draw_card(self, seat: int, why: str) -> None:
        """Draw a Censitaire card, and discard one if they are too many."""
        self.draw("tenant", hand(seat), why)
        self.keep_limit(seat)

    def keep_limit(self, seat: int) -> None:
        """Have a tenant discard the Censitaire cards that he may not hold."""
        cards = self.table.playing_cards(seat)
        while cards.total() > self.setup["hand_limit"]:
            options = [card.id for card in self.setup.tenant_cards if cards[card.id]]
            dropped = self.decide(seat, "drop", options)
            self.move("tenant", {dropped: 1}, hand(seat), DISCARD, "limit")

    def discard_resource(self, seat: int, face: str, why: str) -> None:
        """Discard a resource card from a hand."""
        self.move(FACES[face][0], {face: 1}, hand(seat), DISCARD, why)

    def random_resource(self, seat: int, target: Place, why: str) -> None:
        """Move a resource card that chance takes from a hand."""
        options = self.table.faces(seat)
        face = self.pen.move(options, hand(seat), lambda _: target, [why])
        self.table.move(FACES[face][0], face, hand(seat), target)

    def pawn(self, seat: int, square: str) -> None:
        """Have a pawn act on a square."""
        if square == MILL:
            self.mill(seat)
        elif square == CHURCH:
            self.church(seat)
        else:
            self.draw_resources(seat, LAND_TYPE[square], self.table.yield_of(seat, square), "harvest")

    def mill(self, seat: int) -> None:
        """Discard a tenant's zeros type by type, and draw as many cards."""
        table = self.table
        for kind in TYPES:
            number = table.zeros(seat, kind)
            self.move_all(kind, front(seat), DISCARD, "mill")
            if self.setup.switch("mill_redraw") == "same_type":
                self.draw_resources(seat, kind, number, "mill")
                continue
            for _ in range(number):
                chosen = self.decide(seat, "what", TYPES, context=(None,))
                self.draw_resources(seat, chosen, 1, "mill")

    def church(self, seat: int) -> None:
        """See some Censitaire cards, keep one and put the others under the pile."""
        seen: Place = ("seen", seat)
        for _ in range(self.setup["church_cards"]):
            self.draw("tenant", seen, "church")
        cards = self.table.cards["tenant", seen]
        if not cards:
            return
        options = [card.id for card in self.setup.tenant_cards if cards[card.id]]
        kept = self.decide(seat, "keep", options)
        self.move("tenant", {kept: 1}, seen, hand(seat), "church")
        self.move_all("tenant", seen, DECK, "church")
        self.keep_limit(seat)

    def favour(self, seat: int, points: int) -> None:
        """Give favour point by point, exchanged for cards at once."""
        self.pen.tell("favour", seat=seat, points=points)
        tenant = self.table.tenants[seat]
        for _ in range(points):
            tenant.favour += 1
            if tenant.favour >= self.setup["favour_price"]:
                tenant.favour -= self.setup["favour_price"]
                self.draw_card(seat, "favour")

    def lord_draws(self, number: int, why: str) -> None:
        """Draw Seigneur cards."""
        for _ in range(number):
            self.draw("lord", hand(LORD), why)
