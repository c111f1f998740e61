"""The two ways to go through a game: a `Reader` follows a log, a `Writer` plays and writes one.

The walk asks its pen for what chance and the players decide, and tells it everything that happens. What follows from
one decision or one throw is a moment: its records may stand in any order.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..scroll import Scroll, is_plain, show
from .rulebook import dice_of

Record = dict[str, Any]

TRUE_OR_FALSE = ("options", "choice", "on")  # the fields that may hold true and false
EFFECTS = ("move", "money", "pawns", "lord", "card", "building", "holder", "marriage")
CAUSELESS = ("holder", "marriage")  # effects without the field `why`


class Pen(ABC):
    """What the walk asks for and tells.

    turn, phase: Fields of every record.
    causes: What may stand as `why`: the phase, and the decisions and cards of this step.
    moment: The effects told since the last decision or throw, without their causes.
    """

    def __init__(self) -> None:
        self.turn, self.phase = 0, "setup"
        self.causes: list[str] = []
        self.moment: list[Record] = []

    def begin(self, *causes: str) -> None:
        """Begin a step: what follows has these causes, or the decisions that follow."""
        self.flush()
        self.causes = [*causes, self.phase]

    def note(self, kind: str, **fields: Any) -> None:
        """Tell an effect."""
        self.moment.append({"kind": kind, "turn": self.turn, "phase": self.phase} | fields)

    def decide(self, seat: int, name: str, options: Sequence[Any], wanted: Callable[[], Any] | None = None) -> Any:
        """Have a seat take one of the options, as `wanted` does if it plays a reference policy.

        A single option is nobody's decision.
        """
        self.causes.append(name)
        assert options
        return options[0] if len(options) == 1 else self._decide(seat, name, options, wanted)

    @abstractmethod
    def flush(self) -> None:
        """End the moment."""

    @abstractmethod
    def _decide(self, seat: int, name: str, options: Sequence[Any], wanted: Callable[[], Any] | None) -> Any: ...

    @abstractmethod
    def tell(self, kind: str, **fields: Any) -> None:
        """Deal with a record in which nothing is open."""

    @abstractmethod
    def order(self, what: str, cards: Iterable[int], number: int | None = None) -> list[int]:
        """Have chance put cards in order, all of them or this many."""

    @abstractmethod
    def die(self, what: str, *of: int) -> int:
        """Have a die thrown, for a lord where one is named."""

    @abstractmethod
    def round(self, fight: Record, points: Sequence[int], more: Sequence[int], most: int) -> list[int]:
        """Have both sides of a fight throw their dice and return the totals, with what d'Arc adds and at most `most`.

        `suffered` then tells the losses.
        """

    @abstractmethod
    def suffered(self, losses: Sequence[int]) -> None:
        """Tell the losses of the round thrown last, of which the effects are told already."""


class Reader(Scroll, Pen):
    """Follows a log; `observer` is told of every decision of the seats in `random`."""

    def __init__(self, records: Iterable[Any]) -> None:
        Scroll.__init__(self, records)
        Pen.__init__(self)
        self.observer: Callable[[str, Sequence[Any], Any], None] | None = None
        self.random: frozenset[int] = frozenset()

    def is_plain(self, record: Record) -> bool:
        """Say whether a record holds plain values, in some fields also true and false."""
        return is_plain(
            [item for item in (value if type(value) is list else [value]) if type(item) is not bool]
            if field in TRUE_OR_FALSE
            else value
            for field, value in record.items()
        )

    def agree(self, **expected: Any) -> None:
        """Flag every field that is not as expected; true is not 1 here."""
        super().agree(**expected)
        for field in TRUE_OR_FALSE:
            found, wanted = self.record.get(field), expected.get(field)
            if found == wanted and repr(found) != repr(wanted):
                self.flag(f"{field} is {show(found)}, expected {show(wanted)}")

    def now(self, **fields: Any) -> Record:
        """Return fields together with those of every record."""
        return {"turn": self.turn, "phase": self.phase} | fields

    def flush(self) -> None:
        """Check that the effects of the moment stand in the log, in any order."""
        left, self.moment = self.moment, []
        while left:
            record = self.read(*dict.fromkeys(each["kind"] for each in left))
            kind = record["kind"]
            found = {field: value for field, value in record.items() if field != "why"}
            if found in left and repr(found.get("on")) == repr(left[left.index(found)].get("on")):
                expected = left.pop(left.index(found))
            else:
                alike = [each for each in left if each["kind"] == kind]
                expected = max(alike, key=lambda each: sum(found.get(name) == each[name] for name in each))
                left.remove(expected)
            if kind in CAUSELESS:
                self.agree(**expected)
            else:
                why = record.get("why")
                self.agree(**expected, why=why if why in self.causes else self.causes[-1])

    def _decide(self, seat: int, name: str, options: Sequence[Any], wanted: Callable[[], Any] | None) -> Any:
        self.flush()
        record = self.read("decision")
        made = record.get("choice")
        self.agree(**self.now(seat=seat, name=name, options=[*options], choice=made))
        index = next((index for index, each in enumerate(options) if repr(each) == repr(made)), None)
        if index is None:
            self.stop(f"seat {seat}: {name} {show(made)} is illegal, expected one of {show(options)}")
        if wanted and repr(made) != repr(expected := wanted()):
            self.flag(f"seat {seat} plays otherwise: {name} {show(made)}, expected {show(expected)}")
        if self.observer and seat in self.random:
            self.observer(name, options, options[index])
        return options[index]

    def tell(self, kind: str, **fields: Any) -> None:
        """Check a record."""
        self.flush()
        self.read(kind)
        self.agree(**self.now(**fields))

    def _chance(self, what: str, fits: Callable[[Any], bool], expected: str) -> list[int]:
        self.flush()
        values: list[int] = self.read("chance").get("values")
        if type(values) is not list or any(type(value) is not int for value in values) or not fits(values):
            self.agree(**self.now(what=what, values=values))
            self.stop(f"values is {show(values)}, expected {expected}")
        self.agree(**self.now(what=what, values=values))
        return values

    def order(self, what: str, cards: Iterable[int], number: int | None = None) -> list[int]:
        """Check that exactly such cards stand there."""
        known = {*cards}
        wanted = len(known) if number is None else number

        def fits(values: list[int]) -> bool:
            return len(values) == wanted == len({*values}) and {*values} <= known

        return [*self._chance(what, fits, f"{wanted} of {show(sorted(known))}")]

    def die(self, what: str, *of: int) -> int:
        """Check that there is a die."""
        return self._chance(
            what, lambda values: values[:-1] == [*of] and len(values) == len(of) + 1 and 1 <= values[-1] <= 6, "a die"
        )[-1]

    def round(self, fight: Record, points: Sequence[int], more: Sequence[int], most: int) -> list[int]:
        """Check the dice; the rest of the record when the losses are known."""
        self.flush()
        dice = self.read("round").get("dice")
        wanted = [dice_of(number) for number in points]
        if (
            type(dice) is not list
            or [len(side) if type(side) is list else 0 for side in dice] != wanted
            or any(type(die) is not int or not 1 <= die <= 6 for side in dice for die in side)
        ):
            self.stop(f"dice is {show(dice)}, expected {wanted[0]} and {wanted[1]}")
        totals = [min(most, sum(side) + bonus) for side, bonus in zip(dice, more, strict=True)]
        self._fight = self.now(**fight, points=[*points], dice=dice, totals=totals)
        return totals

    def suffered(self, losses: Sequence[int]) -> None:
        """Check the record of the round."""
        self.agree(**self._fight, losses=[*losses])


class Writer(Pen):
    """Plays with dice of its own and writes a log."""

    def __init__(self, seed: int, header: Record) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.log: list[Record] = [header]

    def flush(self) -> None:
        """Write the effects of the moment."""
        for record in self.moment:
            self.log.append(record if record["kind"] in CAUSELESS else record | {"why": self.causes[-1]})
        self.moment = []

    def tell(self, kind: str, **fields: Any) -> None:
        """Write a record."""
        self.flush()
        self.log.append({"kind": kind, "turn": self.turn, "phase": self.phase} | fields)

    def _decide(self, seat: int, name: str, options: Sequence[Any], wanted: Callable[[], Any] | None) -> Any:
        made = wanted() if wanted else self.rng.choice(options)
        assert made in options
        self.tell("decision", seat=seat, name=name, options=[*options], choice=made)
        return made

    def order(self, what: str, cards: Iterable[int], number: int | None = None) -> list[int]:
        """Shuffle the cards."""
        known = sorted(cards)
        values = self.rng.sample(known, len(known) if number is None else number)
        self.tell("chance", what=what, values=[*values])
        return values

    def die(self, what: str, *of: int) -> int:
        """Throw a die."""
        made = self.rng.randint(1, 6)
        self.tell("chance", what=what, values=[*of, made])
        return made

    def round(self, fight: Record, points: Sequence[int], more: Sequence[int], most: int) -> list[int]:
        """Throw the dice."""
        dice = [[self.rng.randint(1, 6) for _ in range(dice_of(number))] for number in points]
        totals = [min(most, sum(side) + bonus) for side, bonus in zip(dice, more, strict=True)]
        self.tell("round", **fight, points=[*points], dice=dice, totals=totals)
        return totals

    def suffered(self, losses: Sequence[int]) -> None:
        """Complete the record of the round."""
        self.log[-1]["losses"] = [*losses]
