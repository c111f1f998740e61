"""Who won: places from a comparison of seats, and equal shares for all who are first."""

from __future__ import annotations

import numpy as np

from simcore.jit import inlined, set_share, whole_share


@inlined
def rank_and_share(state, players, ahead):
    """Write each row's place, 1 + the number of seats ahead of it, and give the win in equal parts to the first.

    `ahead(state, seat, other)` is a kernel: whether a seat ranks better than another.
    """
    winners = 0
    for seat in range(players):
        row = state.rows[seat]
        row.place = 1
        for other in range(players):
            if other != seat and ahead(state, other, seat):
                row.place += 1
        if row.place == 1:
            winners += 1
    for seat in range(players):
        row = state.rows[seat]
        set_share(row, np.int64(whole_share(row) // winners if row.place == 1 else 0))
