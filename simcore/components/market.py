"""A market: a row of open cards that is filled from a deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.components.deck import NO_CARD, draw_card
from simcore.kernel.compilation import kernel
from simcore.kernel.records import layout


def market(places: int) -> np.dtype[Any]:
    """Return the record of a market.

    Parameters
    ----------
    places
        Largest number of cards in the market.

    Returns
    -------
    numpy.dtype
        The type of a field of the game's state record.

    Examples
    --------
    >>> from simcore.components.deck import add_cards, deck
    >>> from simcore.kernel.records import blank, layout
    >>> from simcore.kernel.streams import RNG
    >>> state = blank(layout(("rng", RNG), ("deck", deck(4)), ("market", market(3))))
    >>> add_cards(state.deck, 7, 4)
    >>> clear_market(state.market)
    >>> fill_market(state.rng, state.market, state.deck, 0, 3)
    >>> int(take_from_market(state.market, 1))
    7
    >>> state.market.card.tolist()
    [7, -1, 7]
    """
    return layout(("card", np.int32, places))  # -1: the place is empty


@kernel
def clear_market(market):
    """Empty all places."""
    market.card[:] = NO_CARD


@kernel
def fill_market(rng, market, deck, slot, places):
    """Draw a card for each empty place among the first ones, as long as there are cards; `slot` as for `draw_card`."""
    for place in range(places):
        if market.card[place] == NO_CARD:
            market.card[place] = draw_card(rng, deck, slot)


@kernel
def take_from_market(market, place):
    """Take the card from a place, and leave the place empty."""
    card = np.int64(market.card[place])
    market.card[place] = NO_CARD
    return card
