"""A strategy that looks ahead, beside the base that it imagines: the same deals played with each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.skill import players_of
from strategies.spec import assemble_spec


def gains(game: str, role: str, games: int, seed: int) -> NDArray[np.float64]:
    """Return by how much the win share of a role's first seat grows if it looks ahead, in each game.

    Everybody else plays as the base of the search.
    """
    found = load_game(game)
    searcher = load_strategy(found, players_of(game, "search")[role])
    assert searcher.search is not None
    base, players = searcher.search.base, found.default_players
    shares = []
    for hero in (base, searcher):
        seated = {one.name: [base] * len(one.at(players)) for one in found.roles}
        seated[role][0] = hero
        spec = assemble_spec(found, players, seated, load_rules(found), seed, "fixed", games)
        seat = next(one.at(players).start for one in found.roles if one.name == role)
        rows = run_chunk(spec, 0, games)[found.share].reshape(games, players)
        shares.append(rows[:, seat] / found.share_unit)
    return shares[1] - shares[0]
