"""A deck of cards in a hidden order, with a discard pile that becomes the deck when no card is left.

A card is a number from 0 to 255.  Cards with the same number are identical.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.kernel.compilation import apart, kernel
from simcore.kernel.records import layout
from simcore.kernel.streams import shuffle

MOST_CARDS = 255
NO_CARD = np.int64(-1)
REDRAWN = np.int64(1 << 15)


def deck(cards: int) -> np.dtype[Any]:
    """Return the record of a deck.

    Parameters
    ----------
    cards
        Largest number of cards that it can hold, at most 255.

    Returns
    -------
    numpy.dtype
        The type of a field of the game's state record.

    Examples
    --------
    Two cards of each of three kinds.  The pile is empty, so there is no seventh card.

    >>> from simcore.kernel.records import blank, layout
    >>> from simcore.kernel.streams import RNG, begin
    >>> state = blank(layout(("rng", RNG), ("deck", deck(6))))
    >>> begin(state.rng, 1, 0)
    >>> for kind in range(3):
    ...     add_cards(state.deck, kind, 2)
    >>> shuffle_deck(state.rng, state.deck, 0)
    >>> drawn = [int(draw_card(state.rng, state.deck, 0)) for _ in range(7)]
    >>> sorted(drawn)
    [-1, 0, 0, 1, 1, 2, 2]

    Discarded cards are shuffled and drawn again.

    >>> discard_card(state.deck, 2)
    >>> int(draw_card(state.rng, state.deck, 0))
    2
    """
    if not 1 <= cards <= MOST_CARDS:
        raise ValueError(f"a deck holds 1 to {MOST_CARDS} cards, not {cards}")
    return layout(
        ("order", np.uint8, cards),  # the cards that are left to draw, next one last
        ("pile", np.uint8, cards),  # discards, last one on top
        ("left", np.int32),  # cards to draw
        ("piled", np.int32),  # cards on the pile
        ("shuffles", np.int32),  # how often the pile became the deck
    )


@kernel
def clear_deck(deck):
    """Remove all cards from the deck and its pile."""
    deck.left = deck.piled = deck.shuffles = 0


@kernel
def add_cards(deck, card, copies):
    """Put some cards of one kind on the deck."""
    for _ in range(copies):
        deck.order[deck.left] = card
        deck.left += 1


@apart
def shuffle_deck(rng, deck, slot):
    """Shuffle the cards that are left to draw.

    The cards are first sorted by number, so that the outcome does not depend on their former order.  `slot` is the
    address of these random numbers among all shuffles of the game.
    """
    for place in range(1, deck.left):
        card = deck.order[place]
        while place > 0 and deck.order[place - 1] > card:
            deck.order[place] = deck.order[place - 1]
            place -= 1
        deck.order[place] = card
    shuffle(rng, np.int64(slot), deck.order, np.int64(deck.left), np.int64(deck.left))


@kernel
def redraw_deck(rng, deck):
    """Put the cards that are left to draw into another order, for a seat that does not know their order.

    These random numbers have an address of their own: slots of a game's shuffles are below 2**15.
    """
    shuffle_deck(rng, deck, REDRAWN)


@kernel
def draw_card(rng, deck, slot):
    """Draw the next card; -1 if neither the deck nor its pile has one.

    If the deck is empty, its pile is shuffled and becomes the deck, with the random numbers at `slot` + 1 the first
    time, at `slot` + 2 the second time, and so on.
    """
    if deck.left == 0:
        if deck.piled == 0:
            return NO_CARD
        deck.left, deck.piled = deck.piled, 0
        deck.order[: deck.left] = deck.pile[: deck.left]
        deck.shuffles += 1
        shuffle_deck(rng, deck, slot + deck.shuffles)
    deck.left -= 1
    return np.int64(deck.order[deck.left])


@kernel
def discard_card(deck, card):
    """Put a card on the discard pile."""
    deck.pile[deck.piled] = card
    deck.piled += 1
