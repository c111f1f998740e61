"""Counts which of its options a player that plays `random` took, so that its chance can be put to a test."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")
MOST_CARDS = 12  # of which some are chosen, among those counted


class Observer:
    """Tells of every sort of choice how often each option was taken.

    The options must stand in an order that would show a bias, for instance rarest first.

    taken: By sort of choice and number of options: times that the first, the second ... was taken.
    """

    def __init__(self) -> None:
        self.taken: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
        self.chance = random.Random(1)

    def choice(self, what: str, options: Sequence[T], made: T) -> None:
        """Count the choice of one of the options."""
        self.taken[what, len(options)][options.index(made)] += 1

    def cards(self, what: str, options: Sequence[int], made: Sequence[int], kind: Callable[[int], int]) -> None:
        """Count the choice of some of the cards; which of those of a type are meant is left to chance."""
        if len(options) > MOST_CARDS:
            return
        wanted = Counter(kind(card) for card in made)
        meant = set()
        for card in self.chance.sample(options, len(options)):
            if wanted[kind(card)]:
                wanted[kind(card)] -= 1
                meant.add(card)
        self.choice(what, [*combinations(options, len(made))], tuple(card for card in options if card in meant))
