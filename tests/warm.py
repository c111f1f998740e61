"""Kernels compiled before the tests begin, each once, on all cores that the tests will use."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def compile_kernels(games: Sequence[str], processes: int) -> None:
    """Compile what the shipped strategies of some games need; policies, which take longest, are begun first.

    Without the collector of garbage this takes 7 % less of a processor.
    """
    with ProcessPoolExecutor(processes, get_context("spawn"), gc.disable) as pool:
        for made in [pool.submit(work, game) for work in (_policies, _kernels) for game in games]:
            made.result()


def _policies(game: str) -> None:
    """Seat each shipped strategy, which compiles its policy."""
    from simcore.game import load_game
    from strategies.library import shipped_strategies
    from strategies.spec import beside_defaults, make_spec

    found = load_game(game)
    for name in shipped_strategies(found):
        make_spec(game, found.default_players, beside_defaults(found, name), games=1)


def _kernels(game: str) -> None:
    """Compile what plays games, and what tells them again."""
    from equipoise.conformance.checks import weakest
    from simcore.game import load_game
    from simcore.running.replay import replay
    from simcore.running.warm import compile_kernels
    from strategies.spec import make_spec

    compile_kernels(game)
    found = load_game(game)
    line = {role: [weakest(game, role)] for role in found.role_names}
    replay(make_spec(game, found.default_players, line, games=1), 0)
