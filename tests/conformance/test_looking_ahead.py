"""A player who looks ahead and knows more than the table is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from equipoise.conformance import looking_ahead
from equipoise.conformance.requirements import Broken
from simcore.running.batch import Spec, run_chunk

check = looking_ahead.check_players_who_look_ahead_know_the_table_and_nothing_else


def swapped(rows: Any, players: int, game: int) -> Any:
    """Return the rows with the shares of one game moved on by a seat."""
    share = rows["share60"].reshape(-1, players)
    share[game] = np.roll(share[game], 1)
    return rows


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda rows, spec, games: swapped(rows, spec.players, 1) if games > 1 else rows, "called by another name"),
        (lambda rows, spec, games: swapped(rows, spec.players, 0) if games == 1 else rows, "after another game"),
    ],
)
def test_what_it_remembers_is_told(
    wrong: Callable[[Any, Spec, int], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(spec: Spec, first: int, games: int) -> Any:
        return wrong(run_chunk(spec, first, games), spec, games)

    check("middle-ages")
    monkeypatch.setattr(looking_ahead, "run_chunk", played)
    with pytest.raises(Broken, match=said):
        check("middle-ages")
