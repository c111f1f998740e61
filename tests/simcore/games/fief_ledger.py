"""Fief 2: a ledger that follows a replay log with the page alone, and says what does not add up.

It knows no kernel: where every card, coin, soldier, lord and title is follows from the records before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

Record = dict[str, Any]

POINTS = {"duchy": 50, "county": 40, "barony": 30}
LOSS = {"open": 2, "castle": 3, "city": 4}


class Ledger:
    """What a reader of the log has noted so far.

    Parameters
    ----------
    header
        The log's first line.
    """

    def __init__(self, header: Record) -> None:
        self.players: int = header["players"]
        self.kinds = [card["kind"] for card in header["cards"]]
        self.regions = [village["region"] for village in header["villages"]]
        self.titles = list(dict.fromkeys(self.regions))
        seats = range(1, self.players + 1)
        self.money = dict.fromkeys(seats, 0)
        self.score = dict.fromkeys(seats, 0)
        self.last = dict.fromkeys(seats, 0)
        self.soldiers: Counter[tuple[int, int]] = Counter()  # by seat and village
        self.guard: Counter[str] = Counter()
        self.rebels: Counter[int] = Counter()
        self.cards: dict[int, tuple[str, int]] = dict.fromkeys(range(len(self.kinds)), ("box", 0))
        self.deck: list[int] = []
        self.lords: dict[int, Record] = {}
        self.owner: dict[str, tuple[int | None, int | None]] = {}
        self.crown: dict[str, int | None] = {"king": None, "queen": None, "prince": None}
        self.cardinals: set[int] = set()
        self.bishops: set[int] = set()
        self.darc: int | None = None
        self.target: int | None = None
        self.buildings: Counter[tuple[int, str]] = Counter()
        self.holder: dict[int, int | None] = defaultdict(lambda: None)
        self.pairs: set[tuple[int, int]] = set()
        self.problems: list[str] = []

    def check(self, holds: bool, problem: str) -> None:
        """Note what does not add up."""
        if not holds:
            self.problems.append(problem)

    def read(self, record: Record) -> None:
        """Take in a record."""
        getattr(self, f"_{record['kind']}")(record)

    # --- cards ---

    def _chance(self, record: Record) -> None:
        what, values = record["what"], record["values"]
        if what == "deck":
            rest = {card for card, (zone, _) in self.cards.items() if zone == "box"}
            self._new_deck(values, rest)
        elif what == "reshuffle":
            self.check(not self.deck, f"the deck is made anew with {len(self.deck)} cards left")
            self._new_deck(values, {card for card, (zone, _) in self.cards.items() if zone == "discard"})
        elif what != "lords":
            self.check(1 <= values[-1] <= 6, f"a die of {values[-1]}")

    def _new_deck(self, values: list[int], cards: set[int]) -> None:
        self.check(set(values) == cards and len(values) == len(cards), "the deck holds other cards than it should")
        self.deck = list(values)
        for card in values:
            self.cards[card] = "deck", 0

    def _move(self, record: Record) -> None:
        card, source, goal = record["card"], record["from"], record["to"]
        here = (source["zone"], source.get("seat", 0))
        self.check(self.cards[card] == here, f"card {card} is in {self.cards[card]}, not in {here}")
        if here[0] == "deck":
            self.check(self.deck.pop(0) == card, f"card {card} is not on top of the deck")
        self.cards[card] = goal["zone"], goal.get("seat", 0)
        if goal["zone"] == "hand":
            held = sum(place == self.cards[card] for place in self.cards.values())
            self.check(held <= 3, f"seat {goal['seat']} holds {held} cards")
        kind = self.kinds[card]
        if goal["zone"] == "play" and kind in ("bishop", "darc"):
            if kind == "bishop":
                self.bishops.add(self.target or 0)
            else:
                self.darc = self.target

    # --- money and pawns ---

    def _money(self, record: Record) -> None:
        for seat, sign in ((record["from"], -1), (record["to"], 1)):
            if seat:
                self.money[seat] += sign * record["amount"]
                self.check(self.money[seat] >= 0, f"seat {seat} owes {-self.money[seat]}")
        self.check(record["amount"] > 0, "no money changes hands")

    def _revenue(self, record: Record) -> None:
        seat = record["seat"]
        self.money[seat] += sum(record[name] for name in ("land", "industry", "tithe", "taille", "pension"))
        land = sum(100 for village, holder in self.holder.items() if holder == seat and not self.rebels[village])
        self.check(record["land"] == land, f"seat {seat} collects {record['land']} of land, not {land}")
        own = {lord for lord, known in self.lords.items() if known["seat"] == seat}
        pension = 500 * (self.crown["king"] in own)
        queen = record["pension"] - pension
        self.check(queen in ((300, 500) if self.crown["queen"] in own else (0,)), f"a pension of {record['pension']}")

    def _pawns(self, record: Record) -> None:
        seat, village, what, delta = (record[name] for name in ("seat", "village", "what", "delta"))
        if what == "soldiers":
            self.soldiers[seat, village] += delta
            self.check(self.soldiers[seat, village] >= 0, f"seat {seat} owes soldiers")
            army = sum(count for (owner, _), count in self.soldiers.items() if owner == seat)
            self.check(army <= 45, f"seat {seat} has {army} points of soldiers")
        elif what == "rebels":
            self.rebels[village] += delta
            self.check(self.rebels[village] >= 0 and sum(self.rebels.values()) <= 18, "too few or too many rebels")
        else:
            self.guard[what] += delta
            most = 20 if what == "king_guard" else 10
            self.check(0 <= self.guard[what] <= most, f"{what} of {self.guard[what]}")

    # --- lords and titles ---

    def _lord(self, record: Record) -> None:
        lord = record["lord"]
        if record["status"] == "dead":
            del self.lords[lord]
            self.bishops.discard(lord)
            self.cardinals.discard(lord)
            self.darc = None if self.darc == lord else self.darc
        else:
            self.lords[lord] = record
            own = sum(known["seat"] == record["seat"] for known in self.lords.values())
            self.check(own <= 4, f"seat {record['seat']} has {own} lords")
            self.check((record["captor"] is None) == (record["status"] == "free"), f"lord {lord} and his captor")

    def _card(self, record: Record) -> None:
        name, lord, keeper = record["card"], record["lord"], record["keeper"]
        self.check(lord is None or lord in self.lords, f"{name} goes to dead lord {lord}")
        if name == "cardinal":
            if lord is not None:
                self.check(lord in self.bishops, f"lord {lord} is cardinal and no bishop")
                self.cardinals.add(lord)
            self.check(len(self.cardinals) <= 3, "more than three cardinals")
        elif name in self.crown:
            self.crown[name] = lord
        else:
            self.owner[name] = lord, keeper
            self.check(keeper is None or self.crown["king"] is None, f"{name} is kept although there is a King")

    def _marriage(self, record: Record) -> None:
        pair = record["man"], record["woman"]
        married = {lord for known in self.pairs for lord in known}
        self.check((pair in self.pairs) != record["on"] and (not record["on"] or not married & set(pair)), f"{pair}")
        self.pairs ^= {pair}

    # --- villages ---

    def _building(self, record: Record) -> None:
        place = record["village"], record["what"]
        self.check(self.buildings[place] == record["from"], f"{place} is {self.buildings[place]}")
        self.buildings[place] = record["to"]
        counts = Counter((what, level) for (_, what), level in self.buildings.items() if level)
        self.check(all(counts[piece] <= 12 for piece in (("fort", 1), ("mill", 1), ("press", 1))), f"{counts}")

    def _holder(self, record: Record) -> None:
        self.holder[record["village"]] = record["seat"]

    def pawns_at(self, seat: int, village: int) -> bool:
        """Return whether a family has pawns in a village."""
        free = (known for known in self.lords.values() if known["seat"] == seat and known["village"] == village)
        return self.soldiers[seat, village] > 0 or any(known["status"] == "free" for known in free)

    def settled(self) -> None:
        """Check that who holds a village stands there, nobody where nobody stands, and that prisoners have captors."""
        for village in range(len(self.regions)):
            there = [seat for seat in range(1, self.players + 1) if self.pawns_at(seat, village)]
            holder = self.holder[village]
            self.check(
                (holder in there) if there else holder is None, f"village {village} is held by {holder}, {there}"
            )
        for lord, known in self.lords.items():
            if known["status"] == "prisoner":
                self.check(self.pawns_at(known["captor"], known["village"]), f"lord {lord} has no captor")

    # --- decisions, fights, scores ---

    def _decision(self, record: Record) -> None:
        options = record["options"]
        self.check(len(options) > 1 and record["choice"] in options, f"{record}")
        self.check(len({str(option) for option in options}) == len(options), f"an option twice: {record}")
        if record["name"] in ("target_bishop", "target_darc"):
            self.target = record["choice"]
        if record["name"] in ("play", "discard"):
            held = {card for card, place in self.cards.items() if place == ("hand", record["seat"])}
            self.check(set(options) - {None} <= held, f"{record}")
        self.single(record)

    def single(self, record: Record) -> None:
        """Remember a target that was the only one, and so not asked for."""
        if record["name"] == "play" and record["choice"] is not None:
            kind = self.kinds[record["choice"]]
            own = {lord for lord, known in self.lords.items() if known["seat"] == record["seat"]}
            married = {lord for known in self.pairs for lord in known}
            crowned = {lord for lord, _ in self.owner.values()}
            if kind == "bishop":
                fit = {lord for lord in own if lord < 12} - married - self.bishops - set(self.crown.values())
            else:
                fit = {lord for lord in own if lord >= 12} - married - crowned - {self.crown["queen"]}
            if kind in ("bishop", "darc") and len(fit) == 1:
                (self.target,) = fit

    def _round(self, record: Record) -> None:
        for side in range(2):
            points, dice, total = record["points"][side], record["dice"][side], record["totals"][side]
            self.check(len(dice) == 1 + (points >= 7) + (points >= 13), f"{record}")
            bonus = total - sum(dice)
            self.check(bonus in (0, 6) and (not bonus or self.darc is not None), f"{record}")
            ground = record["ground"] if side == 0 else "open"
            self.check(record["losses"][1 - side] <= total // LOSS[ground], f"{record}")

    def titles_of(self, seat: int) -> list[str]:
        """Return the titles of a family, kept ones too."""
        own = {lord for lord, known in self.lords.items() if known["seat"] == seat}
        return [name for name, (lord, keeper) in self.owner.items() if lord in own or keeper == seat]

    def worth(self, seat: int) -> int:
        """Return what a family scores now."""
        own = {lord for lord, known in self.lords.items() if known["seat"] == seat}
        points = sum(POINTS[name.split("_")[0]] for name in self.titles_of(seat)) + self.money[seat] // 500 * 10
        points += (
            50 * (self.crown["king"] in own) + 30 * (self.crown["queen"] in own) + 10 * (self.crown["prince"] in own)
        )
        return points + 20 * len(own & self.bishops) + 10 * len(own & self.cardinals)

    def _turn_end(self, record: Record) -> None:
        seats = range(1, self.players + 1)
        if record["turn"] % 5 == 0:
            for seat in seats:
                self.last[seat] = self.worth(seat)
                self.score[seat] += self.last[seat]
        army = [sum(count for (owner, _), count in self.soldiers.items() if owner == seat) for seat in seats]
        found = {
            "money": list(self.money.values()), "soldiers": army, "score": list(self.score.values()),
            "titles": [len(self.titles_of(seat)) for seat in seats],
        }  # fmt: skip
        for name, values in found.items():
            self.check(record[name] == values, f"turn {record['turn']}: {name} {record[name]}, counted {values}")
        self.settled()

    def _end(self, record: Record) -> None:
        keys = list(zip(self.score.values(), self.last.values(), self.money.values(), strict=True))
        places = [1 + sum(other > key for other in keys) for key in keys]
        shares = [60 // places.count(1) * (place == 1) for place in places]
        self.check(record["place"] == places and record["share60"] == shares, f"{record}, counted {keys}")


def problems(header: Record, records: list[Record]) -> list[str]:
    """Return what does not add up in a log."""
    ledger = Ledger(header)
    for record in records:
        ledger.read(record)
    return ledger.problems
