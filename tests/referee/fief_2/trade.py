"""Revenue and purchases."""

from . import rulebook as rule
from .realm import Realm


class Trade(Realm):
    """Follows the third and fourth phase of a turn."""

    # --- revenue ---

    def revenue(self) -> None:
        """Follow the whole phase."""
        table = self.table
        for seat in table.seats:
            amounts = self.revenue_of(seat)
            table.money[seat] += sum(amounts.values())
            self.pen.tell("revenue", seat=seat, **amounts)
        self.pen.begin()
        self.bury(*table.tithe.values(), *table.taille.values())
        table.tithe, table.taille = {}, {}

    def revenue_of(self, seat: int) -> dict[str, int]:
        """Return what a family collects."""
        table = self.table
        held = [village for village in table.villages if village.holder == seat and not village.rebels]
        bishoprics = {lord.bishopric: lord.seat for lord in table.lords.values() if lord.bishopric in table.tithe}
        pension = 0
        for card in ("king", "queen"):
            lord = table.wears(card)
            if lord and lord.seat == seat:
                pension += rule.PENSION["regent" if card == "queen" and table.regency is not None else card]
        return {
            "land": rule.LAND * len(held),
            "industry": sum(table.yields(each) for each in held if rule.BISHOPRIC[each.id] not in bishoprics),
            "tithe": sum(
                table.yields(each) for each in table.villages if bishoprics.get(rule.BISHOPRIC[each.id]) == seat
            ),
            "taille": sum(rule.TAILLE * rule.SIZE[region] for region in table.taille if table.owner(region) == seat),
            "pension": pension,
        }

    # --- purchases ---

    def purchases(self) -> None:
        """Follow the whole phase."""
        for seat in self.table.order():
            for _ in range(rule.PURCHASES):
                if not self.buy(seat):
                    break

    def offers(self, seat: int) -> dict[str, list[int]]:
        """Return what a family can buy, and where or for whom."""
        table = self.table
        money = table.money[seat]
        held = [village for village in table.villages if village.holder == seat]
        quiet = [village for village in held if not table.outsiders(seat, village.id)]
        made = {
            "title": [region for region in range(len(rule.REGIONS)) if self.can_buy_title(seat, region)],
            "cardinal": [lord.id for lord in table.own(seat) if lord.bishopric is not None and not lord.cardinal],
            "castle": [village.id for village in quiet if not village.fort],
            "mill": [village.id for village in quiet if not village.mill],
            "press": [village.id for village in quiet if not village.press],
            "soldiers": [village.id for village in held if village.fort],
        }
        left = {kind: copies - self.built(kind) for kind, copies in rule.PIECES.items()}
        left["cardinal"] = rule.CARDINALS - sum(lord.cardinal for lord in table.lords.values())
        for kind, price in rule.PRICES.items():
            if money < price or not left[kind]:
                made[kind] = []
        if not self.most_soldiers(seat):
            made["soldiers"] = []
        return {kind: places for kind, places in made.items() if places}

    def built(self, kind: str) -> int:
        """Return how many pieces of a kind stand on the map."""
        villages = self.table.villages
        if kind == "castle":
            return sum(village.fort == 1 for village in villages)
        return sum(getattr(village, kind) for village in villages)

    def most_soldiers(self, seat: int) -> int:
        """Return how many soldier points a family can buy."""
        left = rule.MOST_SOLDIERS - self.table.army(seat)
        return min(left, self.table.money[seat] // rule.SOLDIER_PRICE)

    def can_buy_title(self, seat: int, region: int) -> bool:
        """Say whether a family can buy the title of a region."""
        table = self.table
        villages = table.of_region(region)
        paid = table.money[seat] >= rule.TITLE_PRICE * rule.SIZE[region]
        whole = all(village.holder == seat for village in villages) and any(village.fort for village in villages)
        return paid and whole and table.owner(region) is None and bool(table.own(seat))

    def buy(self, seat: int) -> bool:
        """Follow a purchase; say whether there is one."""
        table = self.table
        offers = self.offers(seat)
        if not offers:
            return False
        self.pen.begin()
        kind = self.decide(seat, "buy", [None, *offers])
        if kind is None:
            return False
        where = self.decide(seat, f"buy_{kind}", offers[kind])
        match kind:
            case "title":
                self.buy_title(seat, where)
            case "soldiers":
                number = self.decide(seat, "number", range(1, self.most_soldiers(seat) + 1))
                self.pay(seat, rule.BANK, number * rule.SOLDIER_PRICE)
                self.soldiers(seat, where, number)
            case "cardinal":
                self.pay(seat, rule.BANK, rule.PRICES[kind])
                table.lords[where].cardinal = True
                self.pen.note("card", card=kind, lord=where, keeper=None)
            case _:
                self.pay(seat, rule.BANK, rule.PRICES[kind])
                self.build(table.villages[where], "fort" if kind == "castle" else kind, 1)
        return True

    def buy_title(self, seat: int, region: int) -> None:
        """Follow the purchase of a title."""
        table = self.table
        lord = self.decide(seat, "title_to", [lord.id for lord in table.own(seat)], region)
        self.pay(seat, rule.BANK, rule.TITLE_PRICE * rule.SIZE[region])
        self.give_title(region, table.lords[lord], None)
        villages = table.of_region(region)
        if not any(village.fort == 2 for village in villages):
            castles = [village for village in villages if village.fort]
            self.build(max(castles, key=lambda village: village.soldiers[seat]), "fort", 2)
