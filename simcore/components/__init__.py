"""Components of which many games are made; each has a record for the state, and kernels.

`deck` holds cards in a hidden order, with a discard pile; `hand` counts cards by kind; `market` is a row of open cards
that is filled from a deck; `board` is a rectangle of cells.  A game uses those that it needs.
"""
