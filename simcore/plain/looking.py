"""The player of games in plain Python who looks ahead: every move is tried in imagined games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeVar

from simcore.plain.streams import Streams

if TYPE_CHECKING:
    from simcore.plain.game import PlainGame

G = TypeVar("G", bound="PlainGame")
SHARED = ("rules", "_streams")
"""Attributes of a game that a copy does not copy."""


def copy_of(game: G, rng: random.Random) -> G:
    """Return a copy of a game, whose further chance is not that of the game."""
    made = object.__new__(type(game))
    vars(made).update(deepcopy({name: value for name, value in vars(game).items() if name not in SHARED}))
    made.rules, made._streams = game.rules, Streams()
    made._streams.begin(rng.getrandbits(60), 0)
    return made


def best_move(game: PlainGame, moves: Sequence[Any], rng: random.Random, sees_everything: bool = False) -> Any:
    """Return the move that wins most often in imagined games, in which all play at random after it.

    game: The game.
    moves: The moves of the seat that chooses.
    rng: Its generator.
    sees_everything: Whether it knows what is hidden; otherwise it is drawn again.
    """
    seat, won = game.turn, [0.0] * len(moves)
    for _ in range(max(game.imagined // len(moves), 1)):
        imagined = copy_of(game, rng) if sees_everything else game.imagine(seat, rng)
        for number, move in enumerate(moves):
            won[number] += _part(_played_on(copy_of(imagined, rng), move, rng), seat)
    return moves[max(range(len(moves)), key=won.__getitem__)]


def _played_on(game: G, move: Any, rng: random.Random) -> G:
    game.apply(move)
    for _ in range(game.most_moves):
        if game.over():
            return game
        legal = game.legal()
        game.apply(legal[int(rng.random() * len(legal))])
    raise RuntimeError(f"an imagined game did not end within {game.most_moves:,} moves")


def _part(game: PlainGame, seat: int) -> float:
    """Return a seat's part of the win at the end of a game."""
    try:
        ranks = list(game.places())
    except NotImplementedError:
        ranks = [payoff if game.lowest_wins else -payoff for payoff in game.payoffs()]
    best = min(ranks)
    return (ranks[seat] == best) / ranks.count(best)
