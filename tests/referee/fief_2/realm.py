"""What every phase may cause: money and cards that move, villages that change hands, deaths and who succeeds."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from . import rulebook as rule
from .header import Setup
from .pens import Pen
from .table import Lord, Table, Village


def written(zone: str, seat: int | None = None) -> dict[str, Any]:
    """Return a place of a card as the log writes it."""
    return {"zone": zone} if seat is None else {"zone": zone, "seat": seat}


class Policy(Protocol):
    """A reference policy."""

    def answer(self, seat: int, name: str, options: Sequence[Any], *context: Any) -> Any:
        """Return the option that it takes in a decision."""


class Realm:
    """Follows what befalls pawns, cards and titles."""

    def __init__(self, pen: Pen, setup: Setup) -> None:
        self.pen = pen
        self.setup = setup
        self.table = Table(setup)
        self.policies: dict[int, Policy] = {}  # by seat

    def decide(self, seat: int, name: str, options: Sequence[Any], *context: Any) -> Any:
        """Have a seat take one of the options; a reference policy's answer may hang on the context."""
        policy = self.policies.get(seat)
        wanted = (lambda: policy.answer(seat, name, options, *context)) if policy else None
        return self.pen.decide(seat, name, options, wanted)

    # --- money and cards ---

    def pay(self, source: int, target: int, amount: int) -> None:
        """Move money between families, or to and from the bank."""
        money = self.table.money
        for seat, change in ((source, -amount), (target, amount)):
            if seat != rule.BANK:
                money[seat] += change
                assert money[seat] >= 0
        if amount:
            self.pen.note("money", **{"from": source, "to": target}, amount=amount)

    def bury(self, *cards: int) -> None:
        """Discard cards that were in play."""
        for card in cards:
            self.table.zones.discard.add(card)
            self.pen.note("move", card=card, **{"from": written("play"), "to": written("discard")})

    def lay(self, seat: int, card: int) -> None:
        """Play a card from a hand."""
        self.table.zones.hands[seat].remove(card)
        self.pen.note("move", card=card, **{"from": written("hand", seat), "to": written("play")})

    # --- pawns ---

    def soldiers(self, seat: int, village: int, change: int) -> None:
        """Add soldiers to a village or take them away."""
        there = self.table.villages[village].soldiers
        there[seat] += change
        assert there[seat] >= 0
        if change:
            self.pen.note("pawns", seat=seat, village=village, what="soldiers", delta=change)

    def rebels(self, village: int, change: int) -> None:
        """Add rebels or take them away; the last ones take their card with them."""
        place = self.table.villages[village]
        place.rebels += change
        if change:
            self.pen.note("pawns", seat=rule.BANK, village=village, what="rebels", delta=change)
        if not place.rebels and place.revolt is not None:
            self.bury(place.revolt)
            place.revolt = None

    def guards(self, card: str, lord: Lord, change: int) -> None:
        """Give guards to the King or the Queen, or take them away."""
        self.table.guard[card] += change
        if change:
            self.pen.note("pawns", seat=lord.seat, village=lord.village, what=f"{card}_guard", delta=change)

    def dismiss(self, card: str, lord: Lord) -> None:
        """Have all guards leave the King or the Queen."""
        self.guards(card, lord, -self.table.guard[card])

    def report(self, lord: Lord) -> None:
        """Tell where a lord is."""
        status = "free" if lord.free else "prisoner"
        self.pen.note("lord", lord=lord.id, seat=lord.seat, village=lord.village, status=status, captor=lord.captor)

    def set_free(self, lord: Lord, village: int) -> None:
        """Free a prisoner, who arrives in a village."""
        lord.captor, lord.helpers, lord.village = None, (), village
        self.report(lord)

    # --- villages ---

    def hold(self, village: Village, seat: int | None) -> None:
        """Have a family, or nobody, become holder."""
        if village.holder == seat:
            return
        village.holder = seat
        self.pen.note("holder", village=village.id, seat=seat)
        self.admit(village)
        owner = self.table.owner(village.region)
        lost = self.setup.switches["title_loss"] == "city" and village.fort == 2
        if lost and owner is not None and seat is not None and seat != owner:
            self.give_title(village.region, None, None)

    def admit(self, village: Village) -> None:
        """Have nobody be outside a fort any more."""
        village.outside = 0
        for lord in self.table.lords.values():
            if lord.village == village.id:
                lord.outside = False

    def settle(self, number: int) -> None:
        """Settle who holds a village, and whose its prisoners are."""
        table = self.table
        village = table.villages[number]
        holder = self.next_holder(village)
        lost = [
            lord
            for _, lord in sorted(table.lords.items())
            if lord.captor is not None and lord.village == number and not table.points(lord.captor, number)
        ]
        for lord in lost:
            if holder in (None, lord.seat):
                self.set_free(lord, number)
            else:
                lord.captor, lord.helpers = holder, ()
                self.report(lord)
        self.hold(village, self.next_holder(village) if lost else holder)

    def next_holder(self, village: Village) -> int | None:
        """Return the holder while it has pawns there, otherwise the family with most points or nobody."""
        table = self.table
        if village.holder is not None and table.points(village.holder, village.id):
            return village.holder
        there = {seat: points for seat in table.order() if (points := table.points(seat, village.id))}
        return max(there, key=there.__getitem__, default=None)

    def build(self, village: Village, what: str, level: int) -> None:
        """Put a building up, or make a city of a castle, or burn it down."""
        before = getattr(village, what)
        if before != level:
            setattr(village, what, level)
            self.pen.note("building", village=village.id, what=what, **{"from": before, "to": level})

    # --- titles and crown ---

    def give_title(self, region: int, lord: Lord | None, keeper: int | None) -> None:
        """Give a noble title to a lord, to a family that keeps it, or to the bank."""
        title = self.table.titles[region]
        title.lord, title.keeper = (lord.id if lord else None), keeper
        self.pen.note("card", card=rule.REGIONS[region], lord=title.lord, keeper=keeper)

    def give_kept(self, lord: Lord, seats: Iterable[int]) -> None:
        """Give a lord the titles that some families keep."""
        for region, title in enumerate(self.table.titles):
            if title.keeper in seats:
                self.give_title(region, lord, None)

    def wear(self, card: str, lord: Lord | None) -> None:
        """Give the King's, Queen's or Prince's card to a lord or to the bank, and guards with it."""
        self.table.crown[card] = lord.id if lord else None
        self.pen.note("card", card=card, lord=self.table.crown[card], keeper=None)
        if lord and lord.free and card in rule.GUARD:
            self.guards(card, lord, rule.GUARD[card])

    def new_queen(self) -> None:
        """Make the King's wife Queen; outside a regency alone."""
        king = self.table.wears("king")
        if king and king.spouse is not None and self.table.regency is None:
            self.wear("queen", self.table.lords[king.spouse])

    def give_back(self, card: str) -> None:
        """Give the King's, Queen's or Prince's card back; the guards leave."""
        lord = self.table.wears(card)
        if lord:
            if card in rule.GUARD:
                self.dismiss(card, lord)
            self.wear(card, None)

    def end_regency(self) -> None:
        """End a regency: the Queen's card goes to the King's wife, or back."""
        table = self.table
        regent, king = table.wears("queen"), table.wears("king")
        table.regency = None
        assert regent and king
        if king.spouse != regent.id:
            self.give_back("queen")
            self.new_queen()

    # --- death ---

    def die(self, lord: Lord) -> None:
        """Have a lord die: the crown passes first, then the titles; the village is not settled here."""
        table = self.table
        self.pen.note("lord", lord=lord.id, seat=lord.seat, village=None, status="dead", captor=None)
        worn = [card for card, number in table.crown.items() if number == lord.id]
        if lord.spouse is not None:
            man, woman = sorted((lord.id, lord.spouse))
            table.lords[lord.spouse].spouse = lord.spouse = None
            self.pen.note("marriage", man=man, woman=woman, on=False)
        for card in worn:
            {"king": self.king_dies, "queen": self.queen_dies, "prince": self.prince_dies}[card](lord)
        titles = table.titles_of(lord)
        if lord.cardinal:
            self.pen.note("card", card="cardinal", lord=None, keeper=None)
        self.bury(lord.id)
        if lord.darc:
            self.bury(rule.CARDS.index("darc"))
        if lord.bishopric is not None:
            self.bury(rule.FIRST_BISHOP + lord.bishopric)
        del table.lords[lord.id]
        for region in titles:
            self.inherit(region, lord.seat)

    def inherit(self, region: int, seat: int) -> None:
        """Give a dead lord's title to an heir."""
        table = self.table
        ruler = table.wears("king" if table.regency is None else "queen")
        heirs = table.own(seat) or (table.own(ruler.seat) if ruler else [])
        heir = min(heirs, key=lambda lord: len(table.titles_of(lord)), default=None)
        self.give_title(region, heir, None if heir else seat)

    def king_dies(self, king: Lord) -> None:
        """Have the Prince succeed, or give the cards back."""
        table = self.table
        self.dismiss("king", king)
        prince, queen = table.wears("prince"), table.wears("queen")
        if not prince:
            self.wear("king", None)
            self.give_back("queen")
            table.regency = None
            return
        self.wear("prince", None)
        if queen:
            table.regency = table.turn + rule.REGENCY
        self.wear("king", prince)
        if not queen:
            self.new_queen()

    def queen_dies(self, queen: Lord) -> None:
        """End a regency, or give the card back."""
        if self.table.regency is not None:
            self.end_regency()
            return
        self.dismiss("queen", queen)
        self.wear("queen", None)

    def prince_dies(self, prince: Lord) -> None:
        """Give the card back."""
        self.wear("prince", None)
