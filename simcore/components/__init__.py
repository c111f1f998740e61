"""Components of which many games are made; each has a record for the state, and kernels.

`deck` holds cards in a hidden order, with a discard pile; `hand` counts cards by kind; `market` is a row of open cards
that is filled from a deck; `board` is a rectangle of cells.  A game uses those that it needs.

They serve the games that `new-game` writes and those of users.  The four games here have piles of their own: their
cards are counted by kind, or their decks are shuffled only as far as they are drawn, and their results must not change.
"""
