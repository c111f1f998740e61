"""A board: a rectangle of cells, each of which may belong to a seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.kernel.compilation import kernel
from simcore.kernel.records import layout

NOBODY = np.int64(-1)
OUTSIDE = np.int64(-1)
DIRECTIONS = 4


def board(cells: int) -> np.dtype[Any]:
    """Return the record of a board.

    Parameters
    ----------
    cells
        Largest number of cells.  Cells are numbered row by row, from 0.

    Returns
    -------
    numpy.dtype
        The type of a field of the game's state record.

    Examples
    --------
    >>> from simcore.kernel.records import blank
    >>> map_ = blank(board(12))
    >>> clear_board(map_, 4, 3)
    >>> [int(neighbour(map_, 4, direction)) for direction in range(DIRECTIONS)]
    [0, 5, 8, -1]
    >>> map_.owner[5] = 2
    >>> int(owned_around(map_, 4, 2))
    1
    """
    return layout(
        ("width", np.int32),
        ("cells", np.int32),
        ("owner", np.int32, cells),  # by cell: a seat, or -1
    )


@kernel
def clear_board(board, width, height):
    """Make the board empty, with this size."""
    board.width, board.cells = width, width * height
    board.owner[:] = NOBODY


@kernel
def neighbour(board, cell, direction):
    """Return the cell above (0), to the right of (1), below (2) or to the left of (3) a cell; -1 outside the board."""
    column = cell % board.width
    if direction == 0:
        return np.int64(cell - board.width if cell >= board.width else OUTSIDE)
    if direction == 1:
        return np.int64(cell + 1 if column + 1 < board.width else OUTSIDE)
    if direction == 2:
        return np.int64(cell + board.width if cell + board.width < board.cells else OUTSIDE)
    return np.int64(cell - 1 if column > 0 else OUTSIDE)


@kernel
def owned_around(board, cell, seat):
    """Count the neighbours of a cell that belong to a seat."""
    found = np.int64(0)
    for direction in range(DIRECTIONS):
        other = neighbour(board, cell, direction)
        found += np.int64(other != OUTSIDE and board.owner[other] == seat)
    return found
