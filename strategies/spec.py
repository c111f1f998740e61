"""From what a user says to the specification of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from simcore.batch import MAX_GAMES, MAX_SEED, Spec
from simcore.errors import UsageError, nearest
from simcore.game import GAMES, Game, load_game
from simcore.lineup import DESIGNS
from simcore.rules import Rules, load_rules
from simcore.warm import compiling_aside
from strategies.kit import load_kit
from strategies.library import lineup, load_strategy, seat_strategies
from strategies.model import Strategy
from strategies.restrictions import obey

DEFAULT_GAMES = 1_000_000
DEFAULT_SEED = 1
DEFAULT_DESIGN = "rotate"


def make_spec(
    game: str = GAMES[0],
    players: int | None = None,
    strategies: str | Path | Sequence[str | Path] = (),
    rules: str | Path = "base",
    settings: str | Sequence[str] = (),
    seed: int = DEFAULT_SEED,
    design: str = DEFAULT_DESIGN,
    games: float = DEFAULT_GAMES,
) -> Spec:
    """Return the specification of a run.

    Parameters
    ----------
    game
        Registry name.
    players
        Players at the table; the game's usual number if None.
    strategies
        One for all, or one a seat; see `strategies.library.load_strategy`.  Empty: the game's default.
    rules, settings
        See `simcore.rules.load_rules`.
    seed
        0 to 2**64 - 1.
    design
        "rotate", "fixed" or "shuffle".
    games
        1 to 2**32 - 1; whole, but 1e6 will do.

    Raises
    ------
    UsageError
        Saying which of these cannot be used, and why.
    """
    found = load_game(game)
    resolved = load_rules(found, rules, (settings,) if isinstance(settings, str) else settings)
    named = (strategies,) if isinstance(strategies, str | Path) else strategies
    chosen = [load_strategy(found, name) for name in named or (load_kit(game).default,)]
    if games != games // 1:  # so is NaN
        raise UsageError(f"--games: {games} is not a whole number")
    return assemble_spec(found, players, chosen, resolved, seed, design, int(min(games, MAX_GAMES + 1)))


def assemble_spec(
    game: Game, players: int | None, strategies: Sequence[Strategy], rules: Rules, seed: int, design: str, games: int
) -> Spec:
    """Return the specification of a run whose strategies and rules are at hand; see `make_spec`."""
    seats = game.default_players if players is None else players
    if seats not in game.players:
        raise UsageError(f"--players: {game.title} is for {game.players[0]} to {game.players[-1]} players, not {seats}")
    if not 0 <= seed <= MAX_SEED:
        raise UsageError(f"--seed: {seed} is out of range; give a whole number from 0 to 2**64 - 1")
    if not 1 <= games <= MAX_GAMES:
        raise UsageError(f"--games: {games} is out of range; give a whole number from 1 to {MAX_GAMES:,}")
    if design not in DESIGNS:
        raise UsageError(f"--design: no design '{design}'{nearest(design, DESIGNS)}")
    seated = seat_strategies(strategies, seats)
    moving = {strategy.name for strategy in seated[game.held_seats :]}
    effective = design if len(moving) > 1 else "fixed"
    rules_record = game.pack(rules.values, seats)
    with compiling_aside(game.name):
        lineup_record = lineup(game, seated, seats, effective)
        for seat, strategy in enumerate(seated):
            obey(lineup_record, seat, strategy, rules.values)
    return Spec(
        game=game,
        players=seats,
        rules=rules,
        strategies=tuple(strategy.name for strategy in seated),
        design=effective,
        seed=seed,
        games=games,
        rules_record=rules_record,
        lineup_record=lineup_record,
        strategy_tables=tuple(strategy.to_dict() for strategy in seated),
    )
