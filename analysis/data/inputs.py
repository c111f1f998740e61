"""What a result says of games that it played itself."""

from __future__ import annotations

from analysis.data.results import Inputs
from simcore.running.batch import Spec
from strategies.library import namesakes


def inputs_of(spec: Spec, games: int, deals: int, label: str = "", detail: str = "minimal") -> Inputs:
    """Return a description of games of a specification.

    games, deals, label, detail: As in `Inputs`; without a label, the game and the number of players.
    """
    return Inputs(
        games,
        deals,
        label=label or f"{spec.game.title}, {spec.players} players",
        game=spec.game.name,
        players=spec.players,
        strategies=spec.strategies,
        design=spec.design,
        seed=spec.seed,
        rules=spec.rules.name,
        rules_digest=spec.rules.digest,
        settings=spec.rules.settings,
        detail=detail,
        namesakes=namesakes(spec.game, spec.strategy_tables),
        searches=spec.searches,
    )
