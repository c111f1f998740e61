"""Which games a person can play a seat of, and how to begin one."""

from __future__ import annotations

from collections.abc import Callable

from simcore.errors import UsageError
from simcore.game import Game
from simcore.plain.batch import Batch
from simcore.running.batch import Spec
from strategies.person import Person
from strategies.person_in_kernels import AmongKernels
from strategies.person_in_plain import AmongPlain


def can_take_seat(game: Game) -> bool:
    """Return whether a person can play a game: kernels that say how their tables look, or a class in plain Python."""
    return game.tabletop is not None or (isinstance(game.play_batch, Batch) and game.play_batch.has_own_loop)


def take_seat(spec: Spec, seat: int, index: int, told: Callable[[], None] = lambda: None) -> Person:
    """Return a game in which a person has a seat, ready to `begin`; parameters as for `Person`.

    Raises UsageError if the game cannot be played by a person, or there is no such seat.
    """
    if not can_take_seat(spec.game):
        raise UsageError(f"{spec.game.title} does not say what its decisions ask; see Game.tabletop", "game")
    among = AmongKernels if spec.game.compiled else AmongPlain
    return among(spec, seat, index, told)
