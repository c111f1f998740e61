"""Games that never end: a fault with seed, index and replay command, instead of a wait without end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.kernel.compilation import COMPILED
from simcore.kernel.driver import batch_of
from simcore.running.batch import Spec, run_chunk
from simcore.running.replay import replay
from tests.specs import make_spec
from tests.toy import TOY

pytestmark = [pytest.mark.plain, pytest.mark.skipif(COMPILED, reason="a game changed in memory has no cache")]

LAST = 20
"""Every game of Siege ends within this number of steps."""


def spec_of(most_steps: int, endless: bool) -> Spec:
    """Return a run of Siege, with or without an end."""
    game = load_game(TOY)

    def step(rules, lineup, state, trace):
        goes_on = game.step(rules, lineup, state, trace)
        state["walls"], state["supplies"] = (99, 99) if endless else (state["walls"], state["supplies"])
        return endless or goes_on

    changed = replace(game, most_steps=most_steps, step=step, play_batch=None)
    object.__setattr__(changed, "play_batch", batch_of(changed))
    return replace(make_spec(3, ["random"] * 3, game=TOY, seed=7), game=changed)


def test_a_game_that_does_not_end_is_named_with_the_command_that_shows_it() -> None:
    with pytest.raises(KernelFault) as raised:
        run_chunk(spec_of(50, endless=True), 4, 2)
    said = str(raised.value)
    assert said.startswith(
        "siege: the game did not end within 50 steps and as many decisions in game 4 of seed 7; see it with: "
    )
    assert said.endswith("--seed 7 --index 4")


def test_its_replay_shows_how_it_began() -> None:
    played = replay(spec_of(50, endless=True), 4)
    assert played.fault == "the game did not end within 50 steps and as many decisions"
    assert [record["season"] for record in played.records if record["kind"] == "season"][:3] == [1, 2, 3]


def test_decisions_are_counted_too() -> None:
    """A season of Siege is one step with several decisions."""
    seasons = run_chunk(spec_of(10**6, endless=False), 0, 3)["seasons"].max()
    with pytest.raises(KernelFault, match=f"did not end within {seasons} steps"):
        run_chunk(spec_of(int(seasons), endless=False), 0, 3)


def test_a_bound_that_no_game_reaches_changes_nothing() -> None:
    assert np.array_equal(run_chunk(spec_of(LAST * 5, endless=False), 0, 9), run_chunk(spec_of(10**6, False), 0, 9))


@pytest.mark.parametrize("steps", [0, -1, 10**10])
def test_a_bound_has_to_be_a_number_of_steps(steps: int) -> None:
    with pytest.raises(UsageError, match=r"game 'siege': most_steps: .*; give 1 to 1,000,000,000"):
        replace(load_game(TOY), most_steps=steps)
