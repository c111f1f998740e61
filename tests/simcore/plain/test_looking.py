"""The player of games in plain Python who looks ahead."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import equipoise as eq
from simcore.errors import KernelFault, UsageError
from simcore.running.batch import run_chunk
from strategies.watching import under_watch
from studies.atlas.six_nimmt import SixNimmt
from tests.nim import Written

ROLLOUT = ('{"perfect": perfect}', '{"perfect": perfect, "rollout": eq.PlainGame.rollout}')
OPEN = ("    def view(self, seat):\n        return tuple(self.heaps)\n", "")
SEES = ("for size in view:", "for size in view.heaps:")


def test_it_wins_more_than_chance_plays_the_same_again_and_changes_nothing(nim: Written) -> None:
    path = nim(ROLLOUT, OPEN, SEES)
    spec = eq.make_spec(path, strategies=["rollout", "random"], design="fixed", settings=["heaps=2", "largest=4"])
    rows = run_chunk(under_watch(spec), 0, 60)
    won = (rows["place"].reshape(-1, 2)[:, 0] == 1).mean()
    assert won > 0.7
    assert (run_chunk(spec, 0, 60) == rows).all()


def test_who_hides_something_says_how_it_is_imagined(nim: Written) -> None:
    with pytest.raises(UsageError, match=r"hides something \(view\), so rollout needs 'imagine'"):
        eq.make_spec(nim(ROLLOUT))


def test_its_players_cannot_be_tuned(nim: Written) -> None:
    with pytest.raises(UsageError, match=r"its players have no weights .* give it a stronger player instead"):
        eq.tune(game=nim(), budget=1)


def test_what_a_seat_cannot_see_does_not_change_its_move() -> None:
    chosen = set()
    for hidden in ([1, 2, 3], [101, 102, 103]):
        game = SixNimmt()
        game.rules, game.seats, game.turn = SixNimmt.Rules(), 2, 1
        game.hands, game.rows = [hidden[1:], [30, 44, 99]], [[29, 31], [40], [50, 55], [90]]
        game.known, game.chosen, game.queue, game.taken = {29, 31, 40, 50, 55, 90}, hidden[:1], [], [0, 0]
        chosen.add(game.rollout(game.legal(), Random(5)))
        assert game.hands == [hidden[1:], [30, 44, 99]] and game.chosen == hidden[:1]
    assert len(chosen) == 1


def test_an_imagined_game_ends(nim: Written) -> None:
    path = nim(ROLLOUT, OPEN, SEES, ("self.heaps[heap] -= stones\n", "self.heaps[heap] -= 0\n"))
    with pytest.raises(KernelFault, match=r"an imagined game did not end within 10,000 moves"):
        run_chunk(eq.make_spec(path, strategies=["rollout"], settings=["heaps=1", "largest=2"]), 0, 5)


def test_the_mean_is_that_of_other_programs() -> None:
    """6 nimmt! at random: 13.34 heads a player at 4 players in two programs of other authors."""
    rows = run_chunk(eq.make_spec("studies/atlas/six_nimmt.py", 4, ["random"]), 0, 1000)
    heads = rows["score"].reshape(-1, 4).mean(axis=1)
    assert abs(heads.mean() - 13.34) < 4 * heads.std() / np.sqrt(len(heads))
