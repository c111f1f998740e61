"""What a game must do if its strategies can look ahead, at every number of players."""

from __future__ import annotations

import json
import subprocess
import warnings
from dataclasses import replace

import numpy as np

from equipoise.conformance.requirements import differences, require
from equipoise.conformance.tables import briefly
from simcore.game import load_game
from simcore.kernel.child import environment, python
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.spec import assemble_spec
from strategies.watching import under_watch

SEED = 23
GAMES_WATCHED = 12
GAMES_SEARCHED = 6
TABLES: dict[str, list[int]] = {}  # numbers of players of a game that plays in plain Python, if not all


def check_policies_that_look_ahead_come_with_what_they_need(game: str) -> None:
    """The kit has a policy that looks ahead exactly if the game says how to."""
    kit = load_kit(game)
    both = bool(kit.searching) == (load_game(game).search is not None)
    require(both, "search: a game with `search` needs a policy in `searching` of its kit, and the other way round")
    for name in sorted(kit.searching & kit.weighing):
        require(False, f"searching: the policy '{name}' cannot be in `weighing` too")


def check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden(game: str) -> None:
    """Redrawing leaves nothing of what is hidden, and no random number is drawn twice."""
    command = python("equipoise.conformance.plain", game, *map(str, TABLES.get(game, ())))
    without = environment(NUMBA_DISABLE_JIT="1")
    done = subprocess.run(command, env=without, capture_output=True, text=True, check=False)
    said = " | ".join(line.strip() for line in done.stderr.strip().splitlines()[-4:])
    require(done.returncode == 0, f"the game did not end in plain Python, or failed there: {said}")
    for players, found in json.loads(done.stdout).items():
        require(not found["wrong"], "; ".join(found["wrong"]))
        require(found["asked"] > 0, f"no seat has to decide anything at {players} players")


def check_players_who_look_ahead_do_not_merely_play_like_their_base(game: str) -> None:
    """Warn if a search never changes an outcome: most likely, its `judge` says the same of every game."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = load_strategy(found, name)
        if own.search is None:
            continue
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        lines = [
            {role: [hero if hero.role in ("", role) else other] for role, other in defaults.items()}
            for hero in (own.search.base, own)
        ]
        one, other = (
            assemble_spec(found, found.default_players, line, load_rules(found), SEED, "fixed", GAMES_SEARCHED)
            for line in lines
        )
        if all(_end_alike(one, other, game) for game in range(GAMES_SEARCHED)):
            warnings.warn(f"{game}: '{name}' looks ahead, and {GAMES_SEARCHED} games end as without it", stacklevel=1)


def _end_alike(one: Spec, other: Spec, game: int) -> bool:
    """Whether a game gives every seat the same share in two runs."""
    ends, others = (run_chunk(spec, game, 1)[spec.game.share] for spec in (one, other))
    return np.array_equal(ends, others)


def check_players_who_look_ahead_know_the_table_and_nothing_else(game: str) -> None:
    """A player who looks ahead keeps nothing from game to game, and ties with itself under another name."""
    found = load_game(game)
    players, kit = found.default_players, load_kit(game)
    for name in shipped_strategies(found):
        own = briefly(load_strategy(found, name))
        roles = [role for role in found.roles if own.role in ("", role.name) and len(role.at(players)) > 1]
        for role in roles if own.search else []:
            line = {one: [load_strategy(found, kit.default_of(one))] for one in found.role_names}
            line[role.name] = [replace(own, name="twin"), *[own] * (len(role.at(players)) - 1)]
            games = len(role.at(players))
            spec = assemble_spec(found, players, line, load_rules(found), SEED, "rotate", 2 * games)
            rows = run_chunk(spec, 0, games)[found.share].reshape(games, players)
            reason = f"strategy '{name}': as {role.name}, it plays otherwise where it is called by another name"
            require((rows == rows[0]).all(), reason, spec)
            alone = run_chunk(spec, games - 1, 1)
            reason = f"strategy '{name}': as {role.name}, it plays otherwise after another game"
            require((alone[found.share] == rows[-1]).all(), reason, spec, games - 1)


def check_no_shipped_policy_writes_or_sees_what_it_must_not(game: str, players: int) -> None:
    """No shipped policy changes the game or uses what its seat cannot know: watched games equal those of the run."""
    found, kit = load_game(game), load_kit(game)
    for name in shipped_strategies(found):
        own = briefly(load_strategy(found, name))
        defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
        line = {role: [own if own.role in ("", role) else default] for role, default in defaults.items()}
        spec = assemble_spec(found, players, line, load_rules(found), SEED, "rotate", GAMES_WATCHED)
        games = 1 if spec.searches else GAMES_WATCHED
        same = not list(differences(run_chunk(under_watch(spec), 0, games), run_chunk(spec, 0, games)))
        require(same, f"strategy '{name}': it plays other games when it is watched", spec)
