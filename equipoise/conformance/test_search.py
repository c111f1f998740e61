"""What every game must do that lets strategies look ahead, at every player count."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from simcore.game import load_game
from strategies.kit import load_kit


def test_policies_that_look_ahead_come_with_what_they_need(game: str) -> None:
    kit = load_kit(game)
    assert kit.searching <= kit.policies.keys()
    assert bool(kit.searching) == (load_game(game).search is not None)
    assert not kit.searching & kit.weighing


def test_a_search_foresees_what_comes_and_sees_nothing_hidden(game: str) -> None:
    """Resumed with true chance, true players and the true move, a game ends as it really did.

    And neither an imagined table nor the choice of a search depends on how the hidden things lie.
    """
    if load_game(game).search is None:
        pytest.skip("nothing looks ahead in this game")
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "equipoise.conformance.lookahead", game]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    for players, found in json.loads(done.stdout).items():
        assert found["resumed"] > 20, players
        assert found["foreseen"] == found["resumed"], (players, found)
        assert found["depends"] == found["peeks"] == [], (players, found)
