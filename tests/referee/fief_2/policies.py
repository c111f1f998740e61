"""The reference policy `steward`, to the letter of the rulings.

It has a method for every decision; the options stand in the order of the page, and `min` and `max` keep the first
among equals.
"""

from collections.abc import Callable, Sequence
from typing import Any

from . import rulebook as rule
from .combat import Side
from .outlook import FEW_SOLDIERS, MONEY_FOR_CASTLE, MONEY_FOR_SOLDIERS, MONEY_LEFT, Outlook
from .own_cards import gain
from .table import Lord

YES = ("ransom_offer", "ransom_accept", "consent", "as_prince", "grant_grace")
NO = ("escort", "join")
PLAY_ORDER = (
    "lord", "bishop", "darc", "tithe", "taille", "escape", "sun", "good_harvest", "famine", "bad_weather", "revolt",
    "plague", "assassination",
)  # fmt: skip


class Steward(Outlook):
    """The steward of every family that has one."""

    def answer(self, seat: int, name: str, options: Sequence[Any], *context: Any) -> Any:
        """Return the option that the steward takes in a decision."""
        if name in YES or name in NO:
            return name in YES
        if name.startswith("target_"):
            return self.target(seat, name.removeprefix("target_"), options)
        return getattr(self, name)(seat, options, *context)

    # --- set-up and court ---

    def place(self, seat: int, options: Sequence[int]) -> int:
        """Return where it places."""
        table = self.table

        def crowded(region: int) -> tuple[int, int]:
            return sum(village.holder is not None for village in table.of_region(region)), rule.SIZE[region]

        region = min(range(len(rule.REGIONS)), key=crowded)
        inside = [village for village in options if rule.REGION[village] == region]
        return max(inside, key=lambda village: sum(rule.REGION[near] == region for near in rule.NEIGHBOURS[village]))

    def free_to(self, seat: int, options: Sequence[int], lord: Lord) -> int:
        """Return where a freed lord goes."""
        return self.best_home(seat, options)

    def propose(self, seat: int, options: Sequence[int | None]) -> int | None:
        """Return whom it would marry."""
        king = self.table.wears("king")
        if king is None or not king.can_wed:
            return None
        if king.seat == seat:
            return king.id if king.id in options else None
        return next((lord for lord in options if lord is not None and lord not in rule.MEN), None)

    def spouse(self, seat: int, options: Sequence[int], lord: Lord) -> int:
        """Return to whom it would marry."""
        king = self.table.crown["king"]
        return king if king in options else options[0]

    def accept(self, seat: int, options: Sequence[bool], lord: Lord, spouse: Lord) -> bool:
        """Return whether it accepts."""
        return self.table.crown["king"] in (lord.id, spouse.id)

    def stand(self, seat: int, options: Sequence[int | None]) -> int:
        """Return its candidate."""
        return max((lord for lord in options if lord is not None), key=self.worth)

    def worth(self, lord: int) -> int:
        """Return the points that a lord scores."""
        return self.table.worth(self.table.lords[lord])

    def vote(self, seat: int, options: Sequence[int | None], candidates: list[int]) -> int:
        """Return for whom it votes."""
        lords = self.table.lords
        own = [lord for lord in candidates if lords[lord].seat == seat]
        return own[0] if own else min(candidates, key=lambda lord: self.standing(lords[lord].seat))

    def consecrate(self, seat: int, options: Sequence[bool], elected: Lord, voted: int | None) -> bool:
        """Return whether its bishops consecrate."""
        return voted == elected.id

    # --- cards ---

    def discard(self, seat: int, options: Sequence[int | None], legal: Callable[[int, int], bool]) -> int | None:
        """Return what it discards."""
        held = [card for card in options if card is not None]
        if len(held) < rule.HAND:
            return None
        useless = (card for card in held if self.table.setup.kinds[card] != "justice" and not legal(seat, card))
        return next(useless, None)

    def claim_lord(self, seat: int, options: Sequence[int | None]) -> int | None:
        """Return which discarded lord it claims."""
        return options[1]

    def crown_new(self, seat: int, options: Sequence[int | None]) -> int:
        """Return the title that a new lord takes."""
        return min((each for each in options if each is not None), key=rule.SIZE.__getitem__)

    def play(self, seat: int, options: Sequence[int | None], targets: Callable[[int, str], list[int]]) -> int | None:
        """Return the card that it plays."""
        for kind in PLAY_ORDER:
            card = next((card for card in options if card is not None and self.table.setup.kinds[card] == kind), None)
            if card is not None and (kind == "lord" or self.target(seat, kind, targets(seat, kind)) is not None):
                return card
        own_cards, kinds = self.table.setup.own_cards, self.table.setup.kinds
        own = [card for card in options if card is not None and kinds[card] in own_cards]
        return next((card for card in own if gain(self.table, own_cards[kinds[card]], seat) > 0), None)

    def place_lord(self, seat: int, options: Sequence[int]) -> int:
        """Return where a new lord stands."""
        return self.best_home(seat, options)

    def escape_to(self, seat: int, options: Sequence[int], prisoners: list[Lord]) -> int:
        """Return where the escaped go."""
        return self.best_home(seat, self.table.held(seat) or options)

    def justice(self, seat: int, options: Sequence[int | None], victim: int) -> int | None:
        """Return on whom it has justice done."""
        guilty = [lord for lord in options if lord is not None]
        return max(guilty, key=self.worth) if victim == seat else None

    # --- purchases ---

    def buy(self, seat: int, options: Sequence[str | None]) -> str | None:
        """Return what it buys."""
        table = self.table
        money = table.money[seat]
        if "title" in options:
            return "title"
        if "cardinal" in options and not any(lord.cardinal for lord in table.own(seat)):
            return "cardinal"
        whole = self.whole(seat)
        if "castle" in options and any(self.castle_wanted(seat, village.id) for village in table.villages):
            return "castle"
        if whole:
            return None
        for kind in ("mill", "press"):
            if kind in options:
                return kind
        if "soldiers" in options and money >= MONEY_FOR_SOLDIERS and self.gap(seat) > 0:
            return "soldiers"
        return "castle" if "castle" in options and money >= MONEY_FOR_CASTLE else None

    def castle_wanted(self, seat: int, village: int) -> bool:
        """Say whether a castle can be built here that a title needs."""
        table = self.table
        region = rule.REGION[village]
        fortless = not any(each.fort for each in table.of_region(region))
        return region in self.whole(seat) and fortless and not table.outsiders(seat, village)

    def gap(self, seat: int) -> int:
        """Return how many soldiers are missing."""
        return FEW_SOLDIERS * len(self.table.held(seat)) - self.table.army(seat)

    def buy_title(self, seat: int, options: Sequence[int]) -> int:
        """Return which title it buys."""
        return max(options, key=rule.SIZE.__getitem__)

    def title_to(self, seat: int, options: Sequence[int], region: int) -> int:
        """Return who gets a title."""
        lords = self.table.lords

        def rank(number: int) -> tuple[int, bool]:
            lord = lords[number]
            return len(self.table.titles_of(lord)), not (lord.man and lord.bishopric is None)

        return min(options, key=rank)

    def buy_cardinal(self, seat: int, options: Sequence[int]) -> int:
        """Return who becomes cardinal."""
        return options[0]

    buy_mill = buy_press = buy_cardinal

    def buy_castle(self, seat: int, options: Sequence[int]) -> int:
        """Return where it builds a castle."""
        wanted = [village for village in options if self.castle_wanted(seat, village)]
        return max(wanted or options, key=lambda village: self.table.villages[village].soldiers[seat])

    def buy_soldiers(self, seat: int, options: Sequence[int]) -> int:
        """Return where it buys soldiers."""
        return max(options, key=lambda village: len(self.table.free(seat, village)))

    def number(self, seat: int, options: Sequence[int]) -> int:
        """Return how many soldiers it buys."""
        affordable = (self.table.money[seat] - MONEY_LEFT) // rule.SOLDIER_PRICE
        return min(affordable, self.gap(seat), options[-1])

    # --- movement ---

    def lord(self, seat: int, options: Sequence[int | None], unmoved: list[int]) -> int | None:
        """Return who moves."""
        lords = [self.table.lords[number] for number in options if number is not None]
        moving = (lord.id for lord in lords if self.goal(lord, unmoved[lord.village], True) is not None)
        return next(moving, None)

    def step(self, seat: int, options: Sequence[int | None], lord: Lord, most: int, first: bool) -> int | None:
        """Return where a lord steps."""
        return self.next_step(lord, self.there(lord, most, first), first)

    def take(self, seat: int, options: Sequence[int], lord: Lord, most: int, first: bool) -> int:
        """Return how many soldiers come along."""
        return min(self.spare(lord, self.there(lord, most, first)), most)

    # --- combat ---

    def calm(self, seat: int, options: Sequence[int | None]) -> int | None:
        """Return the points of conviction bought."""
        return rule.MOST_CALM if rule.MOST_CALM in options else None

    def attack(self, seat: int, options: Sequence[int | None], village: int) -> int | None:
        """Return whom it attacks."""
        table = self.table
        place = table.villages[village]
        own = table.points(seat, village)
        for other in options:
            if other is None:
                continue
            theirs = place.rebels if other == rule.BANK else table.points(other, village)
            factor = 2
            if place.fort and place.holder == other and Side(table, place, other, [], inside=True).points:
                factor = rule.DIVISOR[rule.FORTS[place.fort]]
            if own >= factor * theirs:
                return other
        return None

    def sortie(self, seat: int, options: Sequence[bool], village: int, attacker: int) -> bool:
        """Return whether it comes out of its fort."""
        return self.table.points(seat, village) >= 2 * self.table.points(attacker, village)

    def ask_grace(self, seat: int, options: Sequence[bool], own: Side, other: Side) -> bool:
        """Return whether it asks for grace."""
        return 2 * own.points <= other.points


POLICIES = {"steward": Steward}
