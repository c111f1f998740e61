"""The table: where every pawn and card is, and the questions that the rules ask about it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from . import rulebook as rule
from .header import Setup


@dataclass
class Lord:
    """A lord in play."""

    id: int
    seat: int
    village: int
    captor: int | None = None
    helpers: tuple[int, ...] = ()  # the captor's allies, who share the ransom
    spouse: int | None = None
    bishopric: int | None = None
    cardinal: bool = False
    darc: bool = False
    moved: bool = False
    outside: bool = False

    @property
    def man(self) -> bool:
        """Whether he is a man."""
        return self.id in rule.MEN

    @property
    def free(self) -> bool:
        """Whether he is nobody's prisoner."""
        return self.captor is None

    @property
    def can_wed(self) -> bool:
        """Whether he may marry."""
        return self.spouse is None and self.bishopric is None and not self.darc


@dataclass
class Village:
    """A village and the soldiers there."""

    id: int
    holder: int | None = None
    fort: int = 0
    mill: int = 0
    press: int = 0
    rebels: int = 0
    revolt: int | None = None  # the card
    soldiers: Counter[int] = field(default_factory=Counter)
    outside: int = 0  # the holder's soldiers outside its fort

    @property
    def region(self) -> int:
        """The region's number."""
        return rule.REGION[self.id]

    @property
    def industry(self) -> int:
        """Mills and presses."""
        return self.mill + self.press


@dataclass
class Title:
    """Who has a noble title: a lord, or a family that keeps it; otherwise the bank."""

    lord: int | None = None
    keeper: int | None = None


@dataclass
class Zones:
    """Where the blue cards are; every other one is in play."""

    deck: list[int] = field(default_factory=list)  # top first
    discard: set[int] = field(default_factory=set)
    hands: dict[int, list[int]] = field(default_factory=dict)  # as drawn


class Table:
    """The whole table."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seats = range(1, setup.players + 1)
        self.turn = 0
        self.money = dict.fromkeys(self.seats, 0)
        self.score = dict.fromkeys(self.seats, 0)
        self.last = dict.fromkeys(self.seats, 0)
        self.villages = [Village(number) for number in range(len(rule.VILLAGES))]
        self.lords: dict[int, Lord] = {}
        self.titles = [Title() for _ in rule.REGIONS]
        self.crown: dict[str, int | None] = {"king": None, "queen": None, "prince": None}
        self.guard = {"king": 0, "queen": 0}
        self.regency: int | None = None  # the turn at whose end it ends
        self.prince_tried = False
        self.zones = Zones(hands={seat: [] for seat in self.seats})
        self.weather: dict[int, int] = {}  # by region: the card
        self.famine: dict[int, int] = {}
        self.tithe: dict[int, int] = {}  # by bishopric
        self.taille: dict[int, int] = {}

    # --- seats and lords ---

    @property
    def first(self) -> int:
        """The first player of the turn."""
        if self.turn == 0 or self.setup.switches["first_player"] == "fixed":
            return 1
        return (self.turn - 1) % self.setup.players + 1

    def order(self, after: int | None = None) -> list[int]:
        """Return the seats in turn order, from the first player or from the one after a seat."""
        first = self.first if after is None else after + 1
        return [(first - 1 + step) % self.setup.players + 1 for step in range(self.setup.players)]

    def own(self, seat: int) -> list[Lord]:
        """Return a family's lords by number."""
        return [lord for _, lord in sorted(self.lords.items()) if lord.seat == seat]

    def free(self, seat: int, village: int | None = None) -> list[Lord]:
        """Return a family's free lords, all or those in a village."""
        return [lord for lord in self.own(seat) if lord.free and village in (None, lord.village)]

    def wears(self, card: str) -> Lord | None:
        """Return the King, the Queen or the Prince."""
        number = self.crown[card]
        return None if number is None else self.lords[number]

    def titles_of(self, lord: Lord) -> list[int]:
        """Return the regions of which a lord has the title."""
        return [region for region, title in enumerate(self.titles) if title.lord == lord.id]

    def owner(self, region: int) -> int | None:
        """Return the family that has a title or keeps it."""
        title = self.titles[region]
        return title.keeper if title.lord is None else self.lords[title.lord].seat

    def titles_owned(self, seat: int) -> list[int]:
        """Return the titles of a family, kept ones too."""
        return [region for region in range(len(self.titles)) if self.owner(region) == seat]

    def worth(self, lord: Lord) -> int:
        """Return the points that a lord scores."""
        worn = {"king": rule.KING, "queen": rule.QUEEN, "prince": rule.PRINCE}
        points = sum(worn[card] for card, number in self.crown.items() if number == lord.id)
        points += sum(rule.TITLE_POINTS[region] for region in self.titles_of(lord))
        return points + rule.BISHOP * (lord.bishopric is not None) + rule.CARDINAL * lord.cardinal

    def scores_now(self, seat: int) -> int:
        """Return what a family would score now."""
        kept = sum(rule.TITLE_POINTS[region] for region, title in enumerate(self.titles) if title.keeper == seat)
        money = self.money[seat] // rule.MONEY_EACH * rule.MONEY_POINTS
        return sum(map(self.worth, self.own(seat))) + kept + money

    def wed(self, seat: int, other: int) -> bool:
        """Say whether two families are joined by marriage."""
        return any(lord.spouse is not None and self.lords[lord.spouse].seat == other for lord in self.own(seat))

    # --- pawns ---

    def guards(self, seat: int, village: int, lords: Iterable[Lord] | None = None) -> dict[str, int]:
        """Return the guards of a family's King and Queen in a village, or of those among some lords."""
        there = {lord.id for lord in (self.free(seat, village) if lords is None else lords)}
        return {card: number for card, number in self.guard.items() if number and self.crown[card] in there}

    def points(self, seat: int, village: int) -> int:
        """Return the points of a family's pawns in a village."""
        lords = self.free(seat, village)
        soldiers = self.villages[village].soldiers[seat]
        return soldiers + len(lords) + sum(self.guards(seat, village, lords).values())

    def present(self, village: int) -> list[int]:
        """Return the families with pawns in a village, by seat."""
        return [seat for seat in self.seats if self.points(seat, village)]

    def outsiders(self, seat: int, village: int) -> bool:
        """Say whether there are pawns of others, or rebels."""
        return bool(self.villages[village].rebels) or any(other != seat for other in self.present(village))

    def army(self, seat: int) -> int:
        """Return a family's soldier points."""
        return sum(village.soldiers[seat] for village in self.villages)

    def rebels(self) -> int:
        """Return the rebels' points."""
        return sum(village.rebels for village in self.villages)

    # --- villages ---

    def held(self, seat: int) -> list[int]:
        """Return the villages that a family holds."""
        return [village.id for village in self.villages if village.holder == seat]

    def of_region(self, region: int) -> list[Village]:
        """Return the villages of a region."""
        return [village for village in self.villages if village.region == region]

    def foul(self, village: int) -> bool:
        """Say whether the weather is bad in a village."""
        return rule.REGION[village] in self.weather

    def yields(self, village: Village) -> int:
        """Return what mills and presses of a village yield."""
        if village.rebels or village.holder is None or village.region in self.famine:
            return 0
        return rule.INDUSTRY * village.industry

    # --- cards ---

    def in_play(self) -> Iterator[int]:
        """Yield the blue cards that stand for something in play."""
        for lord in self.lords.values():
            yield lord.id
            if lord.darc:
                yield rule.CARDS.index("darc")
            if lord.bishopric is not None:
                yield rule.FIRST_BISHOP + lord.bishopric
        for cards in (self.weather, self.famine, self.tithe, self.taille):
            yield from cards.values()
        yield from (village.revolt for village in self.villages if village.revolt is not None)
