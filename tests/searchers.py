"""A strategy that looks ahead, beside the base that it imagines: the same deals played with each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.spec import assemble_spec


def searcher_of(game: str, role: str) -> Strategy:
    """Return the shipped strategy that plays a role by looking ahead."""
    return load_strategy(load_game(game), players_of(game, "search")[role])


def gains(game: str, role: str, games: int, seed: int, than: Strategy | None = None) -> NDArray[np.float64]:
    """Return by how much the win share of a role's first seat grows if it looks ahead, in each game.

    Everybody else plays as the base of the search, and so does the one that it is compared with if none is given.
    """
    found, searcher = load_game(game), searcher_of(game, role)
    assert searcher.search is not None
    base, players = searcher.search.base, found.default_players
    shares = []
    for hero in (than or base, searcher):
        seated = {one.name: [base] * len(one.at(players)) for one in found.roles}
        seated[role][0] = hero
        spec = assemble_spec(found, players, seated, load_rules(found), seed, "fixed", games)
        seat = next(one.at(players).start for one in found.roles if one.name == role)
        rows = run_chunk(spec, 0, games)[found.share].reshape(games, players)
        shares.append(rows[:, seat] / found.share_unit)
    return shares[1] - shares[0]
