"""Kernels compiled before the tests begin, each once, on all cores that the tests will use."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context


def compile_kernels(games: Sequence[str], processes: int) -> None:
    """Compile what the shipped strategies of some games need; the last game, which takes longest, is begun early."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        list(pool.map(_compile, reversed(games)))


def _compile(game: str) -> None:
    """Play a game with each shipped strategy: the kernel of a game is compiled once, and each policy once."""
    from simcore.game import load_game
    from simcore.running.executors import execute
    from strategies.kit import load_kit
    from strategies.library import load_strategy, shipped_strategies
    from strategies.spec import make_spec

    found, kit = load_game(game), load_kit(game)
    defaults = {role: [kit.default_of(role)] for role in found.role_names}
    for name in shipped_strategies(found):
        role = load_strategy(found, name).role
        line = defaults | {one: [name] for one in found.role_names if role in ("", one)}
        execute(make_spec(game, found.default_players, line, games=1), 1, "minimal")
