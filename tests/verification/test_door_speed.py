"""The door for OpenSpiel plays at least 75 % of the games that a bare loop plays in the same processor time.

The bare loop is what a user of OpenSpiel writes, and plays the same games: it draws with the same generators.  It keeps
nothing of a game but its returns.  What a loop with Python's own generator plays is shown beside it.  Processor time is
measured, in turn, and the least of several times counts.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

import equipoise as eq
from simcore.doors import named
from simcore.plain.game import Streams
from simcore.plain.playing import DECISION

pyspiel = pytest.importorskip("pyspiel", reason="comes with the extra openspiel")

STREAMS = Streams()
TIMES = 7
WANTED = 0.75


Draws = Callable[[int, int], tuple[Callable[[], float], list[Callable[[], float]]]]


def ours(deal: int, seats: int) -> tuple[Callable[[], float], list[Callable[[], float]]]:
    """Return what draws chance, and the moves of each seat, as the door draws them."""
    STREAMS.begin(1, deal)
    return STREAMS.numbers("chance"), [STREAMS.numbers(DECISION, seat) for seat in range(seats)]


def pythons(deal: int, seats: int) -> tuple[Callable[[], float], list[Callable[[], float]]]:
    """Return the same by one generator of Python's."""
    draw = random.Random(deal).random
    return draw, [draw] * seats


def bare(reference: str, games: int, draws: Draws) -> list[list[float]]:
    """Return the returns of some games of which all moves are random."""
    game, returns = pyspiel.load_game(reference), []
    for deal in range(games):
        chance, decide = draws(deal, game.num_players())
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                point, action = chance(), 0
                for action, part in state.chance_outcomes():  # noqa: B007
                    point -= part
                    if point < 0:
                        break
                state.apply_action(action)
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(decide[state.current_player()]() * len(legal))])
        returns.append(state.returns())
    return returns


def seconds(play: Callable[[], object]) -> float:
    began = time.process_time()
    play()
    return time.process_time() - began


@pytest.mark.parametrize(
    ("reference", "games"), [("pig(players=3)", 200), ("tic_tac_toe", 2_000), ("leduc_poker", 2_000)]
)
def test_the_door_costs_at_most_a_quarter_of_the_games(reference: str, games: int) -> None:
    name = named(f"openspiel:{reference}")
    spec = eq.make_spec(name, games=games, design="shuffle", seed=1)
    found = eq.run_chunk(spec, 0, games)["place"].reshape(games, -1)
    assert ((found == 1) == [[value == max(one) for value in one] for one in bare(reference, games, ours)]).all()
    door, loop, python = [], [], []
    for _ in range(TIMES):
        door.append(seconds(lambda: eq.run_chunk(spec, 0, games)))
        loop.append(seconds(lambda: bare(reference, games, ours)))
        python.append(seconds(lambda: bare(reference, games, pythons)))
    ratio, beside = min(loop) / min(door), min(python) / min(door)
    print(f"{reference}: {ratio:.0%} of the games of the bare loop, {beside:.0%} of one with Python's own generator")
    assert ratio > WANTED
