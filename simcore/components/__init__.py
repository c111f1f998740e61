"""Parts of which many games are made, each a record for the state and kernels for it.

`deck` holds cards in a hidden order, and a discard pile; `hand` counts cards by kind; `market` is a row of open cards
that is filled from a deck; `board` is a rectangle of cells.  A game takes those that it needs.
"""
