"""Players who search in games of OpenSpiel.

OpenSpiel's own search where a seat does not see everything plays the same game differently each time, so that search is
written here: information set Monte Carlo tree search with one tree, as Cowling, Powley and Whitehouse describe it
("Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games, 2012).
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import log, sqrt
from pathlib import Path
from typing import Any

from simcore.plain.playing import Fault

SIMULATIONS = 100
"""Games that the searching strategies imagine for a move."""

EXPLORING = 2.0
"""How much a move that was rarely tried is preferred, as a part of the largest difference between two returns."""

STEPS = 10_000
"""Number of steps after which a game counts as endless."""

CHANCE = -1


@dataclass
class Moves:
    """What a seat has tried where it saw the same: by move, how often, and what it brought in sum."""

    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)

    def tried(self, legal: Sequence[int], wide: float, rng: random.Random) -> int:
        """Return the move to try next, among those that are legal in an imagined game."""
        if fresh := [move for move in legal if move not in self.visits]:
            return fresh[int(rng.random() * len(fresh))]
        all_of_them = log(sum(self.visits[move] for move in legal))
        return max(
            legal,
            key=lambda move: self.sums[move] / self.visits[move] + wide * sqrt(all_of_them / self.visits[move]),
        )


def searching(spiel: Any, game: Any) -> dict[str, Callable[..., int]]:
    """Return the searching strategies that a game allows, by name."""
    about = game.get_type()
    if about.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        return {}
    if about.information == spiel.GameType.Information.PERFECT_INFORMATION:
        return {"mcts": partial(_mcts, spiel)} if about.reward_model == spiel.GameType.RewardModel.TERMINAL else {}
    return {"ismcts": partial(_ismcts, spiel)} if _imagines(spiel, game) else {}


def _imagines(spiel: Any, game: Any) -> bool:
    """Return whether OpenSpiel can imagine what a seat of this game does not see, and says what the seat sees."""
    if not game.get_type().provides_information_state_string:
        return False
    state = game.new_initial_state()
    for _ in range(STEPS):
        if not state.is_chance_node():
            break
        state.apply_action(state.chance_outcomes()[0][0])
    try:
        with _unheard():
            state.resample_from_infostate(state.current_player(), random.Random(1).random)
    except (spiel.SpielError, RuntimeError, TypeError):
        return False
    return True


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep away from the terminal what OpenSpiel writes to it before it raises an error."""
    try:
        heard = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(heard, 2)
        os.close(heard)


def _mcts(spiel: Any, state: Any, moves: Sequence[int], rng: random.Random) -> int:
    evaluator = spiel.RandomRolloutEvaluator(1, rng.getrandbits(30))
    bot = spiel.MCTSBot(state.get_game(), evaluator, EXPLORING, SIMULATIONS, 64, True, rng.getrandbits(30), False)
    return int(bot.step(state))


def _ismcts(spiel: Any, state: Any, moves: Sequence[int], rng: random.Random) -> int:
    if len(moves) == 1:
        return moves[0]
    game, seat = state.get_game(), state.current_player()
    wide = EXPLORING * (game.max_utility() - game.min_utility())
    known: dict[tuple[int, str], Moves] = {}
    for _ in range(SIMULATIONS):
        _imagine(state.resample_from_infostate(seat, rng.random), known, wide, rng)
    tried = known.get((seat, state.information_state_string(seat)), Moves())
    return max(moves, key=lambda move: (tried.visits.get(move, 0), tried.sums.get(move, 0.0)))


def _imagine(state: Any, known: dict[tuple[int, str], Moves], wide: float, rng: random.Random) -> None:
    """Play an imagined game to its end: by what is known as far as that goes, and then at random."""
    path: list[tuple[int, Moves, int]] = []
    informed = True
    for _ in range(STEPS):
        seat = state.current_player()
        if seat >= 0:
            legal = state.legal_actions()
            if not legal:
                return  # OpenSpiel imagined hands that cannot be played on, as it does in hearts
            if informed:
                key = seat, state.information_state_string(seat)
                informed = key in known
                moves = known.setdefault(key, Moves())
                move = moves.tried(legal, wide, rng)
                path.append((seat, moves, move))
            else:
                move = legal[int(rng.random() * len(legal))]
        elif seat == CHANCE:
            move = drawn(state, rng.random())
        else:
            break
        state.apply_action(move)
    else:
        raise Fault(f"an imagined game did not end within {STEPS:,} steps")
    returns = state.returns()
    for seat, moves, move in path:
        moves.visits[move] = moves.visits.get(move, 0) + 1
        moves.sums[move] = moves.sums.get(move, 0.0) + returns[seat]


def drawn(state: Any, point: float) -> int:
    """Return what happens at a chance node for a random number from 0 to below 1."""
    action = 0
    for action, part in state.chance_outcomes():  # noqa: B007
        point -= part
        if point < 0:
            break
    return action
