"""Court: ransoms, marriages and the election of a King."""

from collections import Counter

from . import rulebook as rule
from .realm import Realm
from .table import Lord


class Court(Realm):
    """Follows the first phase of a turn."""

    def court(self) -> None:
        """Follow the whole phase."""
        for number in rule.LORDS:
            self.ransom(number)
        for seat in self.table.order():
            self.propose(seat)
        if self.table.wears("king") is None:
            self.elect()

    def price(self, lord: Lord) -> int:
        """Return a prisoner's ransom."""
        if lord.id in (self.table.crown["king"], self.table.crown["queen"]):
            return rule.RANSOM_CROWNED
        titled = self.table.titles_of(lord) or lord.bishopric is not None
        return rule.RANSOM_TITLED if titled else rule.RANSOM

    def ransom(self, number: int) -> None:
        """Follow what becomes of a prisoner."""
        table = self.table
        lord = table.lords.get(number)
        if lord is None or lord.captor is None or table.money[lord.seat] < self.price(lord):
            return
        self.pen.begin()
        captor, price = lord.captor, self.price(lord)
        if not self.decide(lord.seat, "ransom_offer", [False, True]):
            return
        if not self.decide(captor, "ransom_accept", [False, True]):
            return
        share = price // (1 + len(lord.helpers))
        for helper in lord.helpers:
            self.pay(lord.seat, helper, share)
        self.pay(lord.seat, captor, price - share * len(lord.helpers))
        homes = table.held(lord.seat)
        home = self.decide(lord.seat, "free_to", homes, lord) if homes else lord.village
        self.set_free(lord, home)
        self.settle(home)

    def matches(self, lord: Lord) -> list[int]:
        """Return whom a lord may marry."""
        return [
            number
            for number, other in sorted(self.table.lords.items())
            if lord.can_wed and other.can_wed and other.seat != lord.seat and other.man != lord.man
        ]

    def propose(self, seat: int) -> None:
        """Follow a family's proposal."""
        table = self.table
        own = [lord.id for lord in table.own(seat) if self.matches(lord)]
        if not own:
            return
        self.pen.begin()
        chosen = self.decide(seat, "propose", [None, *own])
        if chosen is None:
            return
        lord = table.lords[chosen]
        spouse = table.lords[self.decide(seat, "spouse", self.matches(lord), lord)]
        if not self.decide(spouse.seat, "accept", [False, True], lord, spouse):
            return
        lord.spouse, spouse.spouse = spouse.id, lord.id
        man, woman = sorted((lord.id, spouse.id))
        self.pen.note("marriage", man=man, woman=woman, on=True)
        if table.crown["king"] == man:
            self.new_queen()

    def elect(self) -> None:
        """Follow an election."""
        table = self.table
        candidates = list[int]()
        for seat in table.order():
            able = [
                lord.id for lord in table.free(seat) if lord.man and lord.bishopric is None and table.titles_of(lord)
            ]
            if able:
                self.pen.begin()
                stands = self.decide(seat, "stand", [None, *able])
                candidates += [] if stands is None else [stands]
        if not candidates:
            return
        votes = {seat: self.votes(seat) for seat in table.order()}
        given = Counter[int]()
        voted = dict[int, int | None]()
        for seat, number in votes.items():
            if number:
                self.pen.begin()
                voted[seat] = self.decide(seat, "vote", [None, *candidates], candidates)
                if voted[seat] is not None:
                    given[voted[seat]] += number
        most = max(given.values(), default=0)
        winners = [lord for lord, number in given.items() if number == most]
        if self.setup.switches["election"] == "majority" and 2 * most <= sum(votes.values()):
            return
        if len(winners) == 1:
            self.consecrate(table.lords[winners[0]], voted)

    def votes(self, seat: int) -> int:
        """Return a family's votes."""
        return sum(bool(self.table.titles_of(lord)) or lord.bishopric is not None for lord in self.table.free(seat))

    def consecrate(self, elected: Lord, voted: dict[int, int | None]) -> None:
        """Have bishops consecrate whom the votes elected."""
        table = self.table
        given = 0
        self.pen.begin()
        for seat in table.order():
            weight = sum(1 + lord.cardinal for lord in table.free(seat) if lord.bishopric is not None)
            if weight and self.decide(seat, "consecrate", [False, True], elected, voted.get(seat)):
                given += weight
        if given >= rule.CONSECRATION:
            self.wear("king", elected)
            self.give_kept(elected, table.seats)
            self.new_queen()
