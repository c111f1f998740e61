"""Single steps of a game set up by hand, and followed through records written by hand."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ..scroll import Stop
from .header import read_setup
from .pens import Reader, Record, Writer
from .player import game_line
from .rulebook import FACES, LORD
from .table import DECK, DISCARD, Now, Place, front, hand
from .walk import Walk


def action(seat: int, name: str, **fields: Any) -> Record:
    """Return the record of a decision."""
    return {"kind": "action", "seat": seat, "action": name} | fields


def move(card: str, source: str, target: str, why: str) -> Record:
    """Return the record of a movement; places as in `hand 2` or `deck`."""
    places = [dict(zip(("zone", "seat"), _place(name), strict=False)) for name in (source, target)]
    return {"kind": "move", "card": card, "from": places[0], "to": places[1], "why": why}


def effect(op: str, who: list[int], what: str | None = None, n: int = 1) -> Record:
    """Return the record of an effect."""
    return {"kind": "effect", "op": op, "who": who, "what": what, "n": n}


def _place(name: str) -> Place:
    zone, *seat = name.split()
    return (zone, *map(int, seat))


class Scene:
    """A table on which every card lies on its discard pile until it is put somewhere; the first tenant is seat 2."""

    def __init__(self, players: int = 4, lord: str = "mine", tenants: str = "mine", **changes: Any) -> None:
        header = Reader([game_line(0, [lord] + [tenants] * (players - 1), **changes)])
        self.setup = read_setup(header, standard=False)
        assert header.violations == []
        self.walk = Walk(Reader([]), self.setup)
        self.table = self.walk.table
        self.table.season, self.table.now = 1, Now(2)
        for seat, objective in zip(self.table.tenants, self.setup.objectives, strict=False):
            self.objective(seat, objective)

    def objective(self, seat: int, name: str) -> None:
        """Give a tenant this Objective."""
        self._put("objective", [name], hand(seat))
        self.table.tenants[seat].objective = name

    def _put(self, deck: str, cards: list[str], place: Place) -> None:
        for card in cards:
            self.table.move(deck, card, DISCARD, place)

    def hold(self, seat: int, cards: str) -> None:
        """Put cards into a hand, zeros in front."""
        for card in cards.split():
            if card in FACES:
                kind, value = FACES[card]
                self._put(kind, [card], hand(seat) if value else front(seat))
            else:
                self._put("lord" if seat == LORD else "tenant", [card], hand(seat))

    def pile(self, deck: str, cards: str) -> None:
        """Put cards onto a deck, the top one first."""
        self._put(deck, cards.split(), DECK)

    def ledger(self, seat: int, wood: int, fish: int, grain: int) -> None:
        """Set a tenant's ledger."""
        self.table.tenants[seat].ledger = {"wood": wood, "fish": fish, "grain": grain}

    def follow(self, step: Callable[[], object], *records: Record) -> list[str]:
        """Have the referee follow a step through these records, and return what is wrong with them."""
        turn = self.table.season
        reader = Reader([{**record, "turn": turn} for record in records])
        reader.turn = turn
        self.walk.pen = reader
        with suppress(Stop):
            step()
            reader.close()
        return reader.violations

    def play(self, step: Callable[[], object], seed: int = 1) -> list[Record]:
        """Have the step played, and return its records."""
        pen = Writer(seed, {})
        pen.turn = self.table.season
        self.walk.pen = pen
        step()
        return pen.log[1:]


def playable(scene: Scene, seat: int, window: str) -> list[str]:
    """Return the cards that a seat may play, all of them held when the window opened."""
    return [card.id for card in scene.walk.choosable(seat, window, scene.table.playing_cards(seat))]


def a_call(**changes: Any) -> Scene:
    """Return a table of four at which 9 wood are short: seats 2 and 3 have laid nothing, seat 4 one point."""
    scene = Scene(**changes)
    for seat, cards in ((2, "fish1 wood1"), (3, "wood2 wood3"), (4, "wood4 wood1")):
        scene.hold(seat, cards)
    scene.table.now.demand = {"wood": 9, "fish": 0, "grain": 0}
    scene.table.now.laid[4, "fish"] = 1
    scene.table.now.laid_cards[4] = 1
    return scene
