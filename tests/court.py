"""A court: an existing game with a lord in the first seat and tenants in the others, for tests with known answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from simcore.game import Game, load_game
from simcore.judged import Role
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from strategies.library import load_strategy
from strategies.spec import assemble_spec

LORD_PAR = 0.4


@cache
def court(score: str | None = None) -> Game:
    """Return the game: a lord against a village of tenants, by the rules of Middle-Ages."""
    return replace(
        load_game("middle-ages"),
        roles=(
            Role("lord", "Lord", lambda players: range(1)),
            Role("tenant", "Tenant", lambda players: range(1, players), "village"),
        ),
        par=lambda rules, players: (LORD_PAR, *[(1 - LORD_PAR) / (players - 1)] * (players - 1)),
        score=score,
    )


def court_spec(
    players: int = 4,
    lord: str = "greedy",
    tenants: Sequence[str] = ("random",),
    games: int = 1_000,
    design: str = "rotate",
    score: str | None = None,
    settings: Sequence[str] = (),
) -> Spec:
    """Return a run at court."""
    game = court(score)
    seated = {"lord": [load_strategy(game, lord)], "tenant": [load_strategy(game, name) for name in tenants]}
    return assemble_spec(game, players, seated, load_rules(game, "base", settings), 1, design, games)
