"""A whole game: set-up, turns, scores and the end."""

from ..ranking import WIN_SHARE, rank
from . import rulebook as rule
from .combat import Combat
from .court import Court
from .header import Setup
from .movement import Movement
from .pens import Pen
from .plays import Plays
from .policies import POLICIES
from .table import Lord
from .trade import Trade


class Walk(Court, Plays, Trade, Movement, Combat):
    """Follows a game from its first record to its last."""

    def __init__(self, pen: Pen, setup: Setup) -> None:
        super().__init__(pen, setup)
        for seat, name in enumerate(setup.strategies, start=1):
            if name in POLICIES:
                self.policies[seat] = POLICIES[name](self.table)

    def run(self) -> None:
        """Follow the game."""
        self.set_up()
        winners = list[int]()
        while self.table.turn < self.setup.turns and not winners:
            self.pen.turn = self.table.turn = self.table.turn + 1
            for phase in ("court", "cards", "revenue", "purchases", "movement", "combat"):
                self.pen.flush()
                self.pen.phase = phase
                self.pen.begin()
                getattr(self, phase)()
            winners = self.end_of_turn()
        self.end(winners)

    def set_up(self) -> None:
        """Follow the set-up."""
        table = self.table
        self.pen.begin()
        lords = self.pen.order("lords", rule.LORDS, self.setup.players)
        for card in lords:
            self.pen.note("move", card=card, **{"from": {"zone": "box"}, "to": {"zone": "play"}})
        zones = table.zones
        zones.deck = self.pen.order("deck", {*range(len(self.setup.kinds))} - {*lords})
        for _ in range(rule.HAND):
            for seat in table.seats:
                zones.hands[seat].append(zones.deck.pop(0))
                self.move_card(zones.hands[seat][-1], "deck", "hand", seat)
        for seat, card in zip(table.seats, lords, strict=True):
            self.pen.begin()
            self.pay(rule.BANK, seat, rule.START_MONEY)
            where = self.decide(seat, "place", [each.id for each in table.villages if each.holder is None])
            self.build(table.villages[where], "fort", 1)
            self.soldiers(seat, where, rule.START_SOLDIERS)
            table.lords[card] = Lord(card, seat, where)
            self.report(table.lords[card])
            self.settle(where)

    def end_of_turn(self) -> list[int]:
        """Follow the end of a turn; return the families that win by titles."""
        table = self.table
        self.pen.flush()
        self.pen.phase = "end"
        self.pen.begin()
        for village in table.villages:
            if village.rebels:
                self.rebels(village.id, min(rule.GROWTH, rule.MOST_REBELS - table.rebels()))
        if table.regency == table.turn:
            self.end_regency()
        if table.turn % rule.SCORE_EVERY == 0:
            for seat in table.seats:
                table.last[seat] = table.scores_now(seat)
                table.score[seat] += table.last[seat]
        for village in table.villages:
            self.admit(village)
        self.pen.tell(
            "turn_end",
            money=[*table.money.values()],
            soldiers=[table.army(seat) for seat in table.seats],
            score=[*table.score.values()],
            titles=[len(table.titles_owned(seat)) for seat in table.seats],
        )
        return self.victory() if self.setup.switches["title_victory"] == "on" else []

    def victory(self) -> list[int]:
        """Return the families that win by titles."""
        table = self.table
        king, queen = table.wears("king"), table.wears("queen")
        if not king:
            return []
        own = len(table.titles_owned(king.seat))
        if own >= rule.TITLES_ALONE:
            return [king.seat]
        if queen and own + len(table.titles_owned(queen.seat)) >= rule.TITLES_TOGETHER:
            return [king.seat, queen.seat]
        return []

    def end(self, winners: list[int]) -> None:
        """Follow the end of the game."""
        table = self.table
        money, last = [*table.money.values()], [*table.last.values()]
        score = last if self.setup.switches["score"] == "last" else [*table.score.values()]
        won = [seat in winners for seat in table.seats]
        keys = [*zip(won, score, last, money, strict=True)]
        places, shares = rank(keys)
        if winners:
            places = [1 if first else place for first, place in zip(won, places, strict=True)]
            shares = [WIN_SHARE // len(winners) * first for first in won]
        self.pen.tell("end", score=[*table.score.values()], last=last, money=money, place=places, share60=shares)
