"""Movement."""

from . import rulebook as rule
from .realm import Realm
from .table import Lord


class Movement(Realm):
    """Follows the fifth phase of a turn."""

    def movement(self) -> None:
        """Follow the whole phase."""
        for lord in self.table.lords.values():
            lord.moved = False
        for seat in self.table.order():
            self.unmoved = [village.soldiers[seat] for village in self.table.villages]
            while self.move(seat):
                pass

    def movable(self, seat: int) -> list[Lord]:
        """Return the lords who may move now."""
        return [lord for lord in self.table.free(seat) if not lord.moved and not self.table.foul(lord.village)]

    def move(self, seat: int) -> bool:
        """Follow the move of a lord; say whether there is one."""
        movable = [lord.id for lord in self.movable(seat)]
        if not movable:
            return False
        self.pen.begin()
        chosen = self.decide(seat, "lord", [None, *movable], self.unmoved)
        if chosen is None:
            return False
        lord = self.table.lords[chosen]
        party = [lord]
        if lord.darc:
            others = [other for other in self.movable(seat) if other.village == lord.village and other is not lord]
            if others and self.decide(seat, "escort", [False, True]):
                party += others
        for each in party:
            each.moved = True
        escort = self.unmoved[lord.village]
        for step in range(rule.DARC_STEPS if lord.darc else rule.STEPS):
            self.pen.begin()
            taken = self.step(seat, party, escort, first=not step)
            if taken is None or self.table.outsiders(seat, lord.village) or self.table.foul(lord.village):
                break
            escort = taken
        return True

    def step(self, seat: int, party: list[Lord], most: int, first: bool) -> int | None:
        """Follow a step; return the soldiers taken along, None if the party stops."""
        table = self.table
        source = party[0].village
        goal = self.decide(seat, "step", [None, *rule.NEIGHBOURS[source]], party[0], most, first)
        if goal is None:
            return None
        taken: int = self.decide(seat, "take", range(most + 1), party[0], most, first)
        if first:
            self.unmoved[source] -= taken
        village = table.villages[goal]
        outside = village.holder == seat and village.fort > 0 and table.outsiders(seat, goal)
        self.soldiers(seat, source, -taken)
        self.soldiers(seat, goal, taken)
        if outside:
            village.outside += taken
        for lord in party:
            lord.village, lord.outside = goal, outside
            self.report(lord)
        self.settle(source)
        self.settle(goal)
        return taken
