"""A hand of cards, counted by kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.components.deck import NO_CARD, add_cards, draw_card
from simcore.kernel.compilation import kernel
from simcore.kernel.records import layout


def hand(kinds: int) -> np.dtype[Any]:
    """Return the record of a hand.

    Parameters
    ----------
    kinds
        Number of kinds of cards; kinds are numbered from 0.

    Returns
    -------
    numpy.dtype
        The type of a field of the game's state record.

    Examples
    --------
    >>> from simcore.kernel.records import blank
    >>> mine = blank(hand(3))
    >>> add_card(mine, 2), add_card(mine, 2), add_card(mine, 0)
    (None, None, None)
    >>> remove_card(mine, 2)
    >>> mine.of.tolist(), int(mine.cards)
    ([1, 0, 1], 2)
    """
    return layout(("of", np.int32, kinds), ("cards", np.int32))


@kernel
def clear_hand(hand):
    """Remove all cards from a hand."""
    hand.of[:] = 0
    hand.cards = 0


@kernel
def add_card(hand, kind):
    """Add a card."""
    hand.of[kind] += 1
    hand.cards += 1


@kernel
def remove_card(hand, kind):
    """Remove a card that is in the hand."""
    hand.of[kind] -= 1
    hand.cards -= 1


@kernel
def hand_to_deck(hand, deck):
    """Put all cards of a hand on a deck, and return their number."""
    cards = np.int64(hand.cards)
    for kind in range(hand.of.shape[0]):
        add_cards(deck, kind, hand.of[kind])
    clear_hand(hand)
    return cards


@kernel
def draw_hand(rng, hand, deck, slot, cards):
    """Draw some cards into a hand, or as many as there are."""
    for _ in range(cards):
        card = draw_card(rng, deck, slot)
        if card != NO_CARD:
            add_card(hand, card)
