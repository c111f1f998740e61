"""Single steps of a game set up by hand, and followed through records written by hand or by dice."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from ..scroll import Stop
from .pens import Reader, Record
from .player import begin
from .rulebook import FIRST_BISHOP, REGIONS, VILLAGES
from .table import Lord, Village
from .walk import Walk

NAMES = [village["name"] for village in VILLAGES]


class Scene:
    """A table in turn 1 on which nothing stands until it is put somewhere; seats 1, 2 and so on decide by hand.

    players: At the table.
    strategy: Of all seats.
    options: Switches.
    """

    def __init__(self, players: int = 3, strategy: str = "mine", **options: Any) -> None:
        self.pen, self.setup = begin(1, [strategy] * players, **options)
        self.walk = Walk(self.pen, self.setup)
        self.table = self.walk.table
        self.table.turn = self.pen.turn = 1

    def village(
        self, name: str, holder: int | None = None, soldiers: Mapping[int, int] | None = None, **state: int
    ) -> Village:
        """Set a village up."""
        village = self.table.villages[NAMES.index(name)]
        village.holder = holder
        village.soldiers.update(soldiers or {})
        for field, value in state.items():
            setattr(village, field, value)
        return village

    def lord(self, number: int, seat: int, village: str, *titles: str, **state: Any) -> Lord:
        """Put a lord into a village, with titles; `bishopric` and so on are his fields."""
        lord = self.table.lords[number] = Lord(number, seat, NAMES.index(village), **state)
        for title in titles:
            self.table.titles[REGIONS.index(title)].lord = number
        return lord

    def crown(self, king: int, queen: int | None = None, prince: int | None = None) -> None:
        """Crown lords, who are wed, with guards."""
        self.table.crown = {"king": king, "queen": queen, "prince": prince}
        self.table.guard = {"king": 20, "queen": 10 if queen is not None else 0}
        if queen is not None:
            self.table.lords[king].spouse, self.table.lords[queen].spouse = queen, king

    def play(self, step: Callable[[], object], phase: str, answers: Mapping[str, Any] | None = None) -> list[Record]:
        """Have a step played with these answers by decision, or "decision seat", and return its records."""
        known = dict(answers or {})

        def decide(seat: int, name: str, options: Any, wanted: Any) -> Any:
            made = known.get(f"{name} {seat}", known.get(name, options[0]))
            assert made in options, (name, made, options)
            self.pen.tell("decision", seat=seat, name=name, options=[*options], choice=made)
            return made

        self.pen._decide = decide
        self.pen.phase = phase
        before = len(self.pen.log)
        self.pen.begin()
        step()
        self.pen.flush()
        return self.pen.log[before:]

    def follow(self, step: Callable[[], object], phase: str, *records: Record) -> list[str]:
        """Have the referee follow a step through these records, and return what is wrong with them."""
        reader = Reader([{"turn": self.table.turn, "phase": phase} | record for record in records])
        reader.turn, reader.phase = self.table.turn, phase
        self.walk.pen = reader
        with suppress(Stop):
            reader.begin()
            step()
            reader.flush()
            reader.close()
        return reader.violations


def bishop_card(bishopric: int) -> int:
    """Return the card of a bishopric."""
    return FIRST_BISHOP + bishopric
