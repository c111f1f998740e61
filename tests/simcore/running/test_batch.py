"""`run_chunk`: a pure function of (spec, first, n), and what it says of a broken game."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from simcore.errors import KernelFault
from simcore.running.batch import run_chunk
from tests.specs import make_spec

LINE = ("greedy", "random", "greedy", "random", "random")


@pytest.mark.parametrize("design", ["fixed", "rotate", "shuffle"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_pieces_make_the_whole(players: int, design: str) -> None:
    spec = make_spec(players, LINE[:players], design=design, seed=3)
    whole = run_chunk(spec, 0, 97)
    cuts = [0, 1, 2, 40, 41, 96, 97]
    pieces = [run_chunk(spec, first, last - first) for first, last in pairwise(cuts)]
    assert np.array_equal(np.concatenate(pieces), whole)
    assert np.array_equal(run_chunk(spec, 40, 10), whole[40 * players : 50 * players])


def test_nothing_is_kept_between_calls() -> None:
    spec = make_spec(5, LINE, design="shuffle")
    lineup = spec.lineup_record.copy()
    first = run_chunk(spec, 7, 20)
    run_chunk(make_spec(3, ["random"], ["shortfall=debt"]), 0, 50)
    assert np.array_equal(run_chunk(spec, 7, 20), first)
    assert spec.lineup_record == lineup


def test_no_games_are_no_rows() -> None:
    assert run_chunk(make_spec(3), 5, 0).shape == (0,)


def test_games_beyond_32_bits_have_chance_of_their_own() -> None:
    spec = make_spec(3)
    assert not np.array_equal(run_chunk(spec, 2**32 + 1, 3), run_chunk(spec, 1, 3))


def test_games_of_a_deal_share_their_chance() -> None:
    """Rotations of one deal see the same Events; the next deal sees others."""
    rows = run_chunk(make_spec(4, LINE[:4], design="rotate"), 0, 400)
    events = rows["events"].reshape(100, 16, 4)
    assert (events == events[:, :1]).all()
    assert len(np.unique(events[:, 0], axis=0)) > 90
    strategies = rows["strategy"].reshape(100, 4, 4)
    assert (strategies == [[0, 1, 2, 3], [1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]).all()


def test_a_broken_game_is_named_with_the_command_that_shows_it() -> None:
    spec = make_spec(2, ["greedy", "random"], seed=11)

    def faulty(rules: Any, lineup: Any, state: Any, rows: Any, *rest: Any) -> int:
        state["fault"] = 1
        return 3

    broken = replace(spec, game=replace(spec.game, play_batch=faulty))
    with pytest.raises(KernelFault) as raised:
        run_chunk(broken, 100, 10)
    said = str(raised.value)
    assert "an illegal move (greedy) in game 103 of seed 11" in said
    command = said.partition("see it with: ")[2]
    assert command.startswith("equipoise replay --game middle-ages --players 2 --strategies greedy,random ")
    assert command.endswith(" --seed 11 --index 103")
    assert "\n" not in said


def _beyond(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    return 77


def _raises(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    if seat >= 0:
        raise ValueError
    return 0


@pytest.mark.parametrize(("wild", "told"), [(_beyond, "chose an illegal move"), (_raises, "raised an exception")])
def test_an_illegal_move_is_a_fault_and_not_a_crash(wild: Any, told: str) -> None:
    """So is an exception in a policy, which compiled code cannot pass on."""
    from simcore.kernel.pointers import Policy
    from strategies.kit import load_kit

    spec = make_spec(3)
    lineup = spec.lineup_record.copy()
    lineup["members"]["policy"][:3] = Policy(wild, load_kit("middle-ages").records).address
    with pytest.raises(KernelFault, match=rf"a policy {told}.* \(random\) in game 0 "):
        run_chunk(replace(spec, lineup_record=lineup), 0, 2)
