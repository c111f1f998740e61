"""Combat: what bishops calm, who attacks whom, rounds, grace and prisoners."""

from collections import Counter
from dataclasses import dataclass

from . import rulebook as rule
from .realm import Realm
from .table import Lord, Table, Village


@dataclass
class Side:
    """The pawns that fight on one side; the rebels have seat 0."""

    table: Table
    village: Village
    seat: int
    allies: list[int]
    inside: bool = False  # only the pawns inside the fort fight

    @property
    def members(self) -> list[int]:
        """The families, the principal first."""
        return [self.seat, *self.allies]

    def lords(self, seat: int) -> list[Lord]:
        """Return a member's lords in the fight."""
        return [lord for lord in self.table.free(seat, self.village.id) if not (self.inside and lord.outside)]

    def all_lords(self) -> list[Lord]:
        """Return all lords of the side in the fight."""
        return [lord for seat in self.members for lord in self.lords(seat)]

    def soldiers(self, seat: int) -> int:
        """Return a member's soldiers in the fight."""
        return self.village.soldiers[seat] - (self.village.outside if self.inside else 0)

    def points_of(self, seat: int) -> int:
        """Return a member's points."""
        if seat == rule.BANK:
            return self.village.rebels
        lords = self.lords(seat)
        return self.soldiers(seat) + len(lords) + sum(self.table.guards(seat, self.village.id, lords).values())

    @property
    def points(self) -> int:
        """The points of all together."""
        return sum(map(self.points_of, self.members))

    @property
    def darc(self) -> int:
        """What d'Arc adds."""
        return rule.DARC * any(lord.darc for lord in self.all_lords())


class Combat(Realm):
    """Follows the sixth phase of a turn."""

    def combat(self) -> None:
        """Follow the whole phase."""
        table = self.table
        for seat in table.order():
            for village in table.villages:
                if not table.foul(village.id) and table.points(seat, village.id):
                    self.calm(seat, village)
                    self.attack(seat, village)
        for village in table.villages:
            holder = village.holder
            if village.rebels and holder is not None and not village.fort and not table.foul(village.id):
                self.pen.begin()
                self.fight(village, rule.BANK, holder)
                if not table.points(holder, village.id):  # an ally may be left
                    self.build(village, "mill", 0)
                    self.build(village, "press", 0)

    def calm(self, seat: int, village: Village) -> None:
        """Have a family's bishops try to calm a revolt."""
        for bishop in [lord for lord in self.table.free(seat, village.id) if lord.bishopric is not None]:
            if not village.rebels:
                return
            self.pen.begin()
            most = min(rule.MOST_CALM, self.table.money[seat] // rule.CALM_PRICE)
            points = self.decide(seat, "calm", [None, *range(most + 1)])
            if points is None:
                continue
            self.pay(seat, rule.BANK, points * rule.CALM_PRICE)
            if self.pen.die("calm") + points >= rule.CALMED:
                self.rebels(village.id, -village.rebels)
            else:
                self.die(bishop)
                self.settle(village.id)

    def attack(self, seat: int, village: Village) -> None:
        """Have a family attack in a village."""
        table = self.table
        for _ in range(rule.ATTACKS):
            if not table.points(seat, village.id):
                return
            others = [
                other
                for other in table.present(village.id)
                if other != seat and not (self.setup.switches["alliances"] == "marriage" and table.wed(seat, other))
            ]
            options = [rule.BANK] * bool(village.rebels) + others
            if not options:
                return
            self.pen.begin()
            target = self.decide(seat, "attack", [None, *options], village.id)
            if target is None:
                return
            self.fight(village, seat, target)

    # --- a fight ---

    def fight(self, village: Village, attacker: int, defender: int) -> None:
        """Follow a fight."""
        table = self.table
        holder = village.holder == defender
        sides = [Side(table, village, attacker, []), Side(table, village, defender, [])]
        ground = "open"
        if holder and village.fort:
            outside = village.outside or any(lord.outside for lord in table.free(defender, village.id))
            inside = Side(table, village, defender, [], inside=True)
            if inside.points and not (outside and self.decide(defender, "sortie", [False, True], village.id, attacker)):
                sides[1] = inside
                ground = rule.FORTS[village.fort]
        if ground == "open" and self.setup.switches["alliances"] == "marriage":
            self.join(village, sides)
        self.rounds(village, sides, ground)
        gone = not sides[1].points
        if gone and holder and attacker != rule.BANK and table.points(attacker, village.id):
            self.hold(village, attacker)
        self.settle(village.id)

    def join(self, village: Village, sides: list[Side]) -> None:
        """Ask families joined by marriage to a principal whether they join."""
        table = self.table
        for seat in table.order():
            if not table.points(seat, village.id) or any(seat in side.members for side in sides):
                continue
            for side, other in (sides, sides[::-1]):
                related = side.seat != rule.BANK and table.wed(seat, side.seat)
                if related and not any(member and table.wed(seat, member) for member in other.members):
                    if self.decide(seat, "join", [False, True]):
                        side.allies.append(seat)
                    break

    def rounds(self, village: Village, sides: list[Side], ground: str) -> None:
        """Follow the rounds until a side is gone."""
        attacker, defender = sides
        capped = self.setup.switches["darc_over_18"] == "cap"
        fight = {"village": village.id, "attacker": attacker.seat, "defender": defender.seat, "ground": ground}
        for _ in range(rule.MOST_ROUNDS):
            totals = self.pen.round(
                fight,
                [side.points for side in sides],
                [side.darc for side in sides],
                rule.HIGHEST_TOTAL if capped else 1000,
            )
            self.pen.begin()
            owed = [totals[1] // rule.DIVISOR["open"], totals[0] // rule.DIVISOR[ground]]
            self.pen.suffered([self.lose(side, points) for side, points in zip(sides, owed, strict=True)])
            if not attacker.points or not defender.points:
                return
            if rule.BANK in (attacker.seat, defender.seat):
                continue
            if self.grace(defender, attacker) or self.grace(attacker, defender):
                return

    def lose(self, side: Side, points: int) -> int:
        """Have a side lose points one by one, and return how many it had to lose."""
        if side.seat == rule.BANK:
            lost = min(points, side.points)
            self.rebels(side.village.id, -lost)
            return lost
        lost = 0
        pawns = Counter[tuple[int, str]]()
        while lost < points and side.points:
            for seat in side.members:
                if lost < points and side.points_of(seat):
                    self.lose_one(side, seat, pawns)
                    lost += 1
                    if side.allies:  # told point by point, as the losses go round
                        self.tell_lost(side, pawns)
        self.tell_lost(side, pawns)
        return lost

    def tell_lost(self, side: Side, pawns: Counter[tuple[int, str]]) -> None:
        """Tell of the soldiers and guards lost."""
        for (seat, what), number in pawns.items():
            self.pen.note("pawns", seat=seat, village=side.village.id, what=what, delta=-number)
        pawns.clear()

    def lose_one(self, side: Side, seat: int, pawns: Counter[tuple[int, str]]) -> None:
        """Have a member lose a point; soldiers and guards are counted, lords told."""
        table, village = self.table, side.village
        if side.soldiers(seat):
            village.soldiers[seat] -= 1
            if village.holder == seat and village.outside and not side.inside:
                village.outside -= 1
            pawns[seat, "soldiers"] += 1
            return
        lords = side.lords(seat)
        guards = table.guards(seat, village.id, lords)
        for card in ("queen", "king"):
            if card in guards:
                table.guard[card] -= 1
                pawns[seat, f"{card}_guard"] += 1
                return
        self.die(min(lords, key=lambda lord: (not lord.outside, table.worth(lord), -lord.id)))

    def speaker(self, side: Side) -> int:
        """Return who decides for a side: the principal or, if its pawns are gone, the first ally who has some."""
        allies = [seat for seat in self.table.order() if seat in side.allies]
        return next(seat for seat in (side.seat, *allies) if side.points_of(seat))

    def grace(self, asking: Side, other: Side) -> bool:
        """Have a side ask for grace; say whether it is granted."""
        table, number = self.table, asking.village.id
        if not asking.all_lords():
            return False
        self.pen.begin()
        if not self.decide(self.speaker(asking), "ask_grace", [False, True], asking, other):
            return False
        if not self.decide(self.speaker(other), "grant_grace", [False, True], asking, other):
            return False
        for seat in asking.members:
            lords = asking.lords(seat)
            for card in table.guards(seat, number, lords):
                self.dismiss(card, next(lord for lord in lords if lord.id == table.crown[card]))
            self.soldiers(seat, number, -asking.soldiers(seat))
            for lord in lords:
                lord.captor, lord.helpers, lord.outside = other.seat, tuple(other.allies), False
                self.report(lord)
        return True
