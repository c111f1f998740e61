"""Fief 2 tables set up by hand: pawns, lords and titles where a test wants them, and decisions as it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from simcore.game import load_game
from simcore.games.fief_2 import cards, combat, court, kernel, log, pieces
from simcore.games.fief_2 import state as numbers
from simcore.games.fief_2.cards import kill
from simcore.games.fief_2.kernel import clear
from simcore.games.fief_2.log import records
from simcore.games.fief_2.rules import RULES, pack
from simcore.games.fief_2.state import STATE
from simcore.kernel.lineup import LINEUP
from simcore.kernel.pointers import Policy
from simcore.kernel.records import blank
from simcore.kernel.streams import begin
from simcore.rules.files import load_rules

GAME = load_game("fief-2")
NOBODY, WHY = numbers.NOBODY, np.int64(numbers.FROM_PHASES)


class ByHand:
    """A table; seats from 1, villages and regions by name, lords by number.

    players: At the table.
    settings: Rules beside the rulings', as "key=value".
    seed: Of all chance.
    """

    def __init__(self, players: int = 3, *settings: str, seed: int = 1) -> None:
        self.values: Any = load_rules(GAME, "base", settings).values
        self.rules: Any = pack(self.values, players)
        self.state: Any = blank(STATE)
        self.trace: Any = blank(GAME.trace_dtype)
        self.trace["on"] = 1
        self.players = players
        self.lineup: Any = blank(LINEUP)
        self.lineup["seated"] = range(len(self.lineup["seated"]))
        address = Policy(self._choose, (RULES, LINEUP, STATE)).address
        for member in self.lineup.members[:players]:
            member["policy"] = address
        self.villages = [village.name for village in self.values.map.villages()]
        self.regions = [region.name for region in self.values.map.regions]
        self.answers: dict[str, Any] = {}
        self.asked: list[tuple[int, str, list[Any], Any]] = []
        begin(self.state.rng, np.uint64(seed), np.int64(0))
        clear(self.rules, self.state)
        self.state.turn = 1
        self.at = [self.rules, self.lineup, self.state, self.trace]

    def _choose(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Give the answer to a kind of decision, or to "kind seat"; where there is none, the first move."""
        name = numbers.DECISION_NAMES[int(state.decision)]
        legal = [move for move in range(64) if int(state.legal) >> move & 1]
        assert len(legal) > 1
        answer = self.answers.get(f"{name} {seat + 1}", self.answers.get(name, legal[0]))
        if isinstance(answer, list):
            answer = answer.pop(0)
        assert answer in legal, (name, answer, legal)
        self.asked.append((seat + 1, name, legal, answer))
        return int(answer)

    def village(self, name: str) -> np.int64:
        return np.int64(self.villages.index(name))

    def region(self, name: str) -> np.int64:
        return np.int64(self.regions.index(name))

    def card(self, kind: str, number: int = 0) -> int:
        """Return the id of a card of a kind."""
        code = numbers.CARD_KINDS.index(kind)
        return [card for card in range(int(self.rules.cards)) if self.rules.kind[card] == code][number]

    def lord(self, lord: int, seat: int, village: str, *titles: str, see: str = "", cardinal: bool = False) -> np.int64:
        """Put a free lord into a village, with titles and offices."""
        number = np.int64(lord)
        self.state.family[lord] = seat - 1
        self.state.lords[seat - 1] |= 1 << number
        pieces.stand(self.state, number, self.village(village))
        for title in titles:
            pieces.give_title(self.state, self.trace, self.region(title), number, WHY)
        if see:
            self.state.bishops |= 1 << number
            self.state.see[lord] = self.values.map.bishoprics.index(see)
        if cardinal:
            self.state.cardinals |= 1 << number
        pieces.settle_village(self.rules, self.state, self.trace, self.village(village), WHY)
        return number

    def prisoner(self, lord: int, seat: int, village: str, captor: int) -> np.int64:
        """Put a prisoner into a village where his captor has pawns."""
        number = self.lord(lord, seat, village)
        pieces.capture(self.state, self.trace, number, np.int64(captor - 1), np.int64(1 << (captor - 1)), WHY)
        pieces.settle_village(self.rules, self.state, self.trace, self.village(village), WHY)
        return number

    def soldiers(self, seat: int, village: str, count: int) -> None:
        """Put soldiers into a village."""
        pieces.add_soldiers(self.state, self.trace, self.village(village), np.int64(seat - 1), np.int64(count), WHY)
        pieces.settle_village(self.rules, self.state, self.trace, self.village(village), WHY)

    def build(self, village: str, *what: str) -> None:
        """Put up a castle, city, mill or press."""
        fields = {"castle": "castles", "city": "cities", "mill": "mills", "press": "presses"}
        for name in what:
            self.state[fields[name]] |= 1 << self.village(village)

    def revolt(self, village: str, points: int, number: int = 0) -> None:
        """Let rebels rise."""
        place = self.village(village)
        self.state.revolts |= 1 << place
        self.state.rebels[place] = points
        self.state.revolt[place] = self.card("revolt", number)

    def hold(self, seat: int, *villages: str) -> None:
        """Let a family hold villages with a soldier each."""
        for village in villages:
            self.soldiers(seat, village, 1)

    def crown(self, lord: int) -> None:
        """Make a lord King."""
        court.crown_king(self.rules, self.state, self.trace, np.int64(lord), WHY)

    def wed(self, lord: int, spouse: int) -> None:
        """Marry two lords."""
        court.wed(self.rules, self.state, self.trace, np.int64(lord), np.int64(spouse), WHY)

    def make_prince(self, lord: int, seat: int, village: str) -> None:
        """Make a lord Prince."""
        self.state.prince = self.lord(lord, seat, village)

    def give(self, seat: int, *cards: int) -> None:
        """Put cards into a hand."""
        for card in cards:
            self.state.hand[seat - 1, self.state.cards[seat - 1]] = card
            self.state.cards[seat - 1] += 1

    def play(self, seat: int, card: int, **answers: Any) -> Any:
        """Play a card from a hand."""
        self.give(seat, card)
        self.answers |= answers
        place = np.int64(self.state.cards[seat - 1] - 1)
        return cards.play_card(*self.at, np.int64(seat - 1), place)

    def fight(self, village: str, attacker: int, defender: int) -> None:
        """Let one seat attack another; 0 stands for rebels."""
        combat.fight(*self.at, self.village(village), np.int64(attacker - 1), np.int64(defender - 1))
        assert self.state.fault == 0

    def points(self, village: str, seat: int) -> int:
        return int(pieces.points_of(self.state, self.village(village), np.int64(seat - 1)))

    def holder(self, village: str) -> int:
        """Return the seat that holds a village; 0 for nobody."""
        return int(self.state.holder[self.village(village)]) + 1

    def records(self, kind: str) -> list[dict[str, Any]]:
        """Return the records of a kind that were written so far."""
        words = [log.TURN, 1, 0, *self.trace["words"][: int(self.trace["used"])].tolist()]  # as every log begins
        return [record for record in records(words, self.values, self.players) if record["kind"] == kind]

    def names_asked(self) -> list[tuple[int, str]]:
        return [(seat, name) for seat, name, _, _ in self.asked]


PHASES: dict[str, Callable[..., None]] = {
    "court": court.play_court, "refill": cards.refill, "cards": cards.play_hands, "purchases": kernel.trade,
    "movement": kernel.move_all, "combat": combat.fight_all,
}  # fmt: skip


def play_phase(table: ByHand, phase: str, **answers: Any) -> None:
    """Play one phase."""
    table.answers |= answers
    PHASES[phase](*table.at)
    assert table.state.fault == 0


def end_turn(table: ByHand) -> None:
    """Play the end of the turn."""
    kernel.end_turn(table.rules, table.state, table.trace)


def collect(table: ByHand) -> None:
    """Play the revenue phase."""
    kernel.collect(table.rules, table.state, table.trace)


__all__ = ["GAME", "NOBODY", "ByHand", "collect", "end_turn", "log", "play_phase"]


def die(table: ByHand, lord: int) -> None:
    """Let a lord die, for no other reason than that a test says so."""
    kill(table.rules, table.state, table.trace, np.int64(lord), WHY)
