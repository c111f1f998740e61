"""What the reference policy `steward` looks at, to the letter of the rulings; `max` keeps the first among equals."""

from collections import deque
from collections.abc import Sequence

from . import rulebook as rule
from .table import Lord, Table

FEW_SOLDIERS, MONEY_LEFT, MONEY_FOR_SOLDIERS, MONEY_FOR_CASTLE = 4, 500, 600, 2000
NO_FOOTHOLD = 9
MANY_POINTS, GREAT_WORTH = 6, 30


def _distances() -> list[list[int]]:
    made = []
    for start in range(len(rule.VILLAGES)):
        found, queue = {start: 0}, deque([start])
        while queue:
            here = queue.popleft()
            for near in rule.NEIGHBOURS[here]:
                if near not in found:
                    found[near] = found[here] + 1
                    queue.append(near)
        made.append([found[village] for village in sorted(found)])
    return made


DISTANCE = _distances()


class Outlook:
    """What the steward knows of the table, and what it values."""

    def __init__(self, table: Table) -> None:
        self.table = table

    # --- what it looks at ---

    def standing(self, seat: int) -> int:
        """Return a family's score with what it would score now."""
        return self.table.score[seat] + self.table.scores_now(seat)

    def leader(self, seat: int) -> int:
        """Return the other family of highest standing."""
        return max(self.table.order(seat)[:-1], key=self.standing)

    def best_home(self, seat: int, options: Sequence[int]) -> int:
        """Return the own fort, otherwise the village, with most own soldiers."""
        villages = self.table.villages
        forts = [each for each in options if villages[each].holder == seat and villages[each].fort]
        return max(forts or options, key=lambda each: villages[each].soldiers[seat])

    def industry(self, villages: Sequence[int], seat: int | None = None) -> int:
        """Return mills and presses of villages that anybody, or a family, holds."""
        places = [self.table.villages[each] for each in villages]
        return sum(each.industry for each in places if each.holder is not None and seat in (None, each.holder))

    def in_region(self, region: int) -> list[int]:
        """Return the villages of a region."""
        return [village for village, own in enumerate(rule.REGION) if own == region]

    def whole(self, seat: int) -> list[int]:
        """Return the regions that a family holds wholly, of which the title is in the bank."""
        return [
            region
            for region in range(len(rule.REGIONS))
            if self.table.owner(region) is None
            and all(village.holder == seat for village in self.table.of_region(region))
        ]

    # --- at what to play cards ---

    def target(self, seat: int, kind: str, options: Sequence[int]) -> int | None:
        """Return at what it plays a card, None if it does not."""
        values = {each: value for each in options if (value := self.value(seat, kind, each)) is not None}
        return max(values, key=values.__getitem__, default=None)

    def value(self, seat: int, kind: str, target: int) -> int | None:
        """Return what a target is worth, None if nothing."""
        table = self.table
        if kind in ("darc", "taille"):
            return 0 if kind == "darc" else rule.SIZE[target]
        if kind == "bishop":
            men = sum(lord.man for lord in table.own(seat))
            return None if men < 2 or table.titles_of(table.lords[target]) else 0
        if kind == "tithe":
            return self.industry([each for each, see in enumerate(rule.BISHOPRIC) if see == target]) or None
        if kind == "escape":
            return sum(table.worth(lord) for lord in table.own(seat) if not lord.free and lord.village == target)
        if kind == "revolt":
            village = table.villages[target]
            return village.industry if village.holder == self.leader(seat) and not village.fort else None
        if kind == "assassination":
            lord = table.lords[target]
            great = lord.seat == self.leader(seat) and table.worth(lord) >= GREAT_WORTH
            return table.worth(lord) if great else None
        return self.value_of_region(seat, kind, self.in_region(target))

    def value_of_region(self, seat: int, kind: str, villages: list[int]) -> int | None:
        """Return what a region is worth as a target, None if nothing."""
        table = self.table
        if kind == "sun":
            return sum(table.villages[each].holder == seat for each in villages) or None
        if kind == "good_harvest":
            return self.industry(villages, seat) or None
        if kind == "famine":
            return None if self.industry(villages, seat) else self.industry(villages) or None
        if any(table.points(seat, each) for each in villages):
            return None
        if kind == "bad_weather":
            leader = self.leader(seat)
            return sum(table.points(leader, each) for each in villages) or None
        points = sum(table.points(other, each) for each in villages for other in table.seats)  # plague
        return points if points >= MANY_POINTS else None

    # --- movement ---

    def spare(self, lord: Lord, soldiers: int) -> int:
        """Return how many of the soldiers with a lord can leave."""
        return soldiers - (3 if self.table.villages[lord.village].fort else 1)

    def there(self, lord: Lord, unmoved: int, first: bool) -> int:
        """Return the soldiers with a lord; before his first step those that have not moved."""
        return unmoved if first else self.table.villages[lord.village].soldiers[lord.seat]

    def missing(self, seat: int, region: int) -> int:
        """Return how many villages a family lacks in a region."""
        held = sum(village.holder == seat for village in self.table.of_region(region))
        return rule.SIZE[region] - held if held else NO_FOOTHOLD

    def is_goal(self, seat: int, number: int, spare: int) -> bool:
        """Say whether a village is worth going to."""
        table = self.table
        village = table.villages[number]
        if village.rebels or table.foul(number) or village.holder == seat:
            return False
        if village.holder is None:
            return True
        region = table.of_region(village.region)
        more = sum(each.holder == seat for each in region) > sum(each.holder == village.holder for each in region)
        others = sum(table.points(other, number) for other in table.seats if other != seat)
        return not village.fort and more and 3 * others <= spare + 1

    def goal(self, lord: Lord, soldiers: int, first: bool) -> int | None:
        """Return where a lord would go; None if he stays."""
        spare = self.spare(lord, soldiers)
        if spare < 1 or (first and self.table.outsiders(lord.seat, lord.village)):
            return None
        goals = [number for number in range(len(rule.VILLAGES)) if self.is_goal(lord.seat, number, spare)]
        return min(
            goals,
            key=lambda goal: (self.missing(lord.seat, rule.REGION[goal]), DISTANCE[lord.village][goal]),
            default=None,
        )

    def next_step(self, lord: Lord, soldiers: int, first: bool) -> int | None:
        """Return a lord's next step, None if he stops."""
        goal = self.goal(lord, soldiers, first)
        if goal is None:
            return None
        near = rule.NEIGHBOURS[lord.village]
        ways = [each for each in near if each == goal or not self.table.outsiders(lord.seat, each)]
        return min(ways, key=lambda each: DISTANCE[each][goal], default=None)
