"""What a game must do if its strategies can look ahead, at every number of players."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

from simcore.game import load_game
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.spec import make_spec
from strategies.watching import under_watch


def test_policies_that_look_ahead_come_with_what_they_need(game: str) -> None:
    kit = load_kit(game)
    assert kit.searching <= kit.policies.keys()
    assert bool(kit.searching) == (load_game(game).search is not None)
    assert not kit.searching & kit.weighing


def test_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden(game: str) -> None:
    """A copy of the state at a safe point ends as the game did; redrawing leaves no trace of hidden information."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-m", "equipoise.conformance.lookahead", game]  # no modules of the folder
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    for players, found in json.loads(done.stdout).items():
        assert found["asked"] > 0, players
        assert found["foreseen"] == found["safe"] > 0, (players, found)
        assert found["depends"] == [], (players, found)


def test_no_shipped_policy_writes_or_sees_what_it_must_not(game: str, players: int) -> None:
    """Watched games equal the games of the run; a policy that does what it must not would end them with a fault."""
    found = load_game(game)
    kit = load_kit(game)
    for name in shipped_strategies(found):
        own = load_strategy(found, name)
        line = {
            role.name: [kit.default_of(role.name) if own.role not in ("", role.name) else name] for role in found.roles
        }
        spec = make_spec(game, players, line, seed=23)
        games = 1 if spec.searches else 12
        assert np.array_equal(run_chunk(under_watch(spec), 0, games), run_chunk(spec, 0, games)), name
