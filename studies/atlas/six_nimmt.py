"""6 nimmt! by Wolfgang Kramer (1994), one deal: whoever has the fewest heads of cattle wins."""

from dataclasses import dataclass

import equipoise as eq


def heads(card):
    """Return the heads of cattle on a card."""
    if card == 55:
        return 7
    return 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


class SixNimmt(eq.PlainGame):
    name = "six-nimmt"
    title = "6 nimmt!"
    players = range(2, 9)
    default_players = 4
    lowest_wins = True
    strategies = {"rollout": eq.PlainGame.rollout}  # noqa: RUF012
    default = "random"

    @dataclass
    class Rules:
        cards: int = 104
        hand: int = 10
        rows: int = 4
        longest: int = 5

    def start(self):
        deck = list(range(1, self.rules.cards + 1))
        self.chance("deck").shuffle(deck)
        self.hands = [sorted(deck.pop() for _ in range(self.rules.hand)) for _ in range(self.seats)]
        self.rows = [[deck.pop()] for _ in range(self.rules.rows)]
        self.known = {row[0] for row in self.rows}  # cards that all have seen
        self.chosen = []  # what the first seats chose in this round, face down
        self.queue = []  # cards that are revealed and not placed yet, with their seats
        self.taken = [0] * self.seats

    def view(self, seat):
        rows = tuple(map(tuple, self.rows))
        return tuple(self.hands[seat]), rows, tuple(self.queue), tuple(self.taken), frozenset(self.known)

    def sees(self, seat, move):
        """Cards are chosen face down; a row is taken before all."""
        return bool(self.queue)

    def legal(self):
        if self.queue:
            return [f"row {number}" for number in range(1, len(self.rows) + 1)]
        return self.hands[self.turn][:]

    def apply(self, move):
        if self.queue:
            self.take(self.rows[int(move.removeprefix("row ")) - 1])
        else:
            self.hands[self.turn].remove(move)
            self.chosen.append(move)
            self.turn += 1
            if self.turn < self.seats:
                return
            self.queue = sorted((card, seat) for seat, card in enumerate(self.chosen))
            self.known.update(self.chosen)
            self.chosen = []
        self.place()

    def place(self):
        """Place the revealed cards, up to one that is lower than all rows: its seat chooses a row to take."""
        while self.queue:
            card, self.turn = self.queue[0]
            below = [row for row in self.rows if row[-1] < card]
            if not below:
                return
            row = max(below, key=lambda one: one[-1])
            if len(row) == self.rules.longest:
                self.take(row)
            else:
                row.append(card)
                self.queue.pop(0)
        self.turn = 0

    def take(self, row):
        """Let the seat of the lowest card take a row, which begins anew with that card."""
        card, seat = self.queue.pop(0)
        self.taken[seat] += sum(map(heads, row))
        row[:] = [card]

    def imagine(self, seat, rng):
        """Deal again what a seat does not see: the other hands, and the choices that lie face down."""
        other = super().imagine(seat, rng)
        unseen = sorted({*range(1, self.rules.cards + 1)} - self.known - {*self.hands[seat]})
        rng.shuffle(unseen)
        for at, hand in enumerate(self.hands):
            if at != seat:
                other.hands[at] = [unseen.pop() for _ in hand]
        other.chosen = [unseen.pop() for _ in self.chosen]
        return other

    def over(self):
        return not (self.chosen or self.queue or self.hands[-1])

    def payoffs(self):
        return self.taken
