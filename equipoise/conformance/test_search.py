"""What a game must do if its strategies can look ahead, at every number of players."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings

import numpy as np

from equipoise.conformance.tables import briefly
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.spec import assemble_spec
from strategies.watching import under_watch

SEED = 23
GAMES_WATCHED = 12
GAMES_SEARCHED = 6


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
        assert found["judged"] > 0, f"{players} players: `judge` gives nobody a share of a finished imagined game"


def test_players_who_look_ahead_do_not_merely_play_like_their_base(game: str) -> None:
    """Warn if a search never changes an outcome: most likely, its `judge` says the same of every game."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = load_strategy(found, name)
        if own.search is None:
            continue
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        ends = []
        for hero in (own.search.base, own):
            line = {role: [hero if hero.role in ("", role) else other] for role, other in defaults.items()}
            spec = assemble_spec(found, found.default_players, line, load_rules(found), SEED, "fixed", GAMES_SEARCHED)
            ends.append(run_chunk(spec, 0, GAMES_SEARCHED)[found.share])
        if np.array_equal(ends[0], ends[1]):
            warnings.warn(f"{game}: '{name}' looks ahead, and {GAMES_SEARCHED} games end as without", stacklevel=1)


def test_no_shipped_policy_writes_or_sees_what_it_must_not(game: str, players: int) -> None:
    """Watched games equal the games of the run; a policy that does what it must not would end them with a fault."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = briefly(load_strategy(found, name))
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        line = {role: [own if own.role in ("", role) else default] for role, default in defaults.items()}
        spec = assemble_spec(found, players, line, load_rules(found), SEED, "rotate", GAMES_WATCHED)
        games = 1 if spec.searches else GAMES_WATCHED
        assert np.array_equal(run_chunk(under_watch(spec), 0, games), run_chunk(spec, 0, games)), name
