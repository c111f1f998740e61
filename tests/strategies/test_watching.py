"""Watched policies: what a policy must not do ends the run with a fault that names it; games are the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import strategies.watching
from simcore.errors import KernelFault
from simcore.kernel.pointers import Policy
from simcore.running.batch import Spec, run_chunk
from strategies.kit import load_kit
from strategies.moves import first_move
from strategies.watching import has_own_policy, under_watch, watch_first_deals, watching
from tests.specs import make_spec

GAME = "medievallons"


def played_by(choose: Callable[..., int]) -> Spec:
    """Return a run of two players, the second of whom is a policy."""
    spec = make_spec(2, ["random"], game=GAME, seed=5, games=40)
    record = spec.lineup_record.copy()
    record["members"]["policy"][1] = Policy(choose, load_kit(GAME).records).address
    return replace(spec, lineup_record=record, strategies=("random", "mine"), references=("random", "mine.py:mine"))


def honest(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    state.scratch[0] = state.turn
    return first_move(state.legal)


def helps_itself(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    state.players[seat].cards += 1
    return first_move(state.legal)


def bends_rules(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    rules.turn_draws += 1
    return first_move(state.legal)


def raises(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    if state.turn >= 0:
        raise ValueError
    return 0


def peeks(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    later = state.legal & (state.legal - np.uint64(1))
    odd = state.players[1 - seat].hand % np.uint64(7) == np.uint64(1)
    return first_move(later) if odd and later != np.uint64(0) else first_move(state.legal)


@pytest.mark.parametrize(
    ("choose", "told"),
    [
        (helps_itself, "changed the state of the game"),
        (bends_rules, "changed the rules"),
        (raises, "raised an exception"),
        (peeks, "used hidden information"),
    ],
)
def test_what_a_policy_must_not_do_is_a_fault_that_names_it(choose: Callable[..., int], told: str) -> None:
    with pytest.raises(KernelFault, match=rf"a policy {told}.*\(mine\) in game \d+ of seed 5") as raised:
        watch_first_deals(played_by(choose), 40)
    assert "--strategies random,mine.py:mine " in str(raised.value)
    assert "\n" not in str(raised.value)


def test_more_options_than_a_game_declares_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(2, ["random"], game=GAME, seed=5, games=40)
    few = (replace(spec.game.decisions[0], options=8), *spec.game.decisions[1:])
    lying = replace(spec, game=replace(spec.game, decisions=few))
    own = watching(lying.game, cached=False)  # the cache knows the game by its module, and this is another
    monkeypatch.setattr(strategies.watching, "watching", lambda game: own)
    with pytest.raises(KernelFault, match=r"a decision has more options than the game declares in game \d+ of seed 5"):
        watch_first_deals(lying, 40)


def test_without_watch_nobody_sees_the_peeking() -> None:
    assert len(run_chunk(played_by(peeks), 0, 40)) == 80


def test_a_policy_may_use_its_scratch_and_games_under_watch_are_the_same() -> None:
    spec = played_by(honest)
    assert np.array_equal(run_chunk(under_watch(spec), 0, 40), run_chunk(spec, 0, 40))


def test_own_policies_are_known_also_as_the_base_of_one_who_looks_ahead() -> None:
    spec = make_spec(2, ["random"], game=GAME)
    assert not has_own_policy(spec)
    own: dict[str, Any] = {"source_sha256": "0" * 64}
    assert has_own_policy(replace(spec, strategy_tables=(own, {})))
    assert has_own_policy(replace(spec, strategy_tables=({}, {"search": {"base": own}})))
