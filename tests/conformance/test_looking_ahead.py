"""A player who looks ahead and knows more than the table is found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from equipoise.conformance import checks
from equipoise.conformance.checks import Broken, briefly
from simcore.errors import KernelFault
from simcore.game import load_game
from simcore.kernel.compilation import instantiate
from simcore.kernel.decisions import nothing_hidden
from simcore.kernel.intrinsics import record_at
from simcore.kernel.pointers import Policy
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.rollout import retell
from strategies.spec import assemble_spec
from strategies.watching import under_watch

check = checks.check_players_who_look_ahead_know_the_table_and_nothing_else


@pytest.mark.parametrize(("game", "policy"), [("medievallons", "rollout"), ("middle-ages", "thinker")])
def test_a_search_of_the_true_table_is_found_out(game: str, policy: str) -> None:
    """Nothing is drawn again on the tables that it imagines, and its answer depends on what it is not shown."""
    found, kit = load_game(game), load_kit(game)
    mine = (load_strategy(found, name) for name in shipped_strategies(found))
    own = briefly(next(one for one in mine if one.policy == policy))
    defaults = {role: load_strategy(found, kit.default_of(role)) for role in found.role_names}
    line = {role: [own if own.role in ("", role) else other] for role, other in defaults.items()}
    spec = assemble_spec(found, found.default_players, line, load_rules(found), 23, "rotate", 12)
    run_chunk(under_watch(spec), 0, 1)
    peeking = instantiate(retell, found.step, redraw=nothing_hidden, sandbox_at=record_at(found.sandbox_dtype))
    record = spec.lineup_record.copy()
    record["retell"] = Policy(peeking, found.policy_records).address
    with pytest.raises(KernelFault, match=rf"its choice depends on what its seat cannot know \({own.name}\)"):
        run_chunk(under_watch(replace(spec, lineup_record=record)), 0, 1)


def swapped(rows: Any, players: int, game: int) -> Any:
    """Return the rows with the shares of one game moved on by a seat."""
    share = rows["share60"].reshape(-1, players)
    share[game] = np.roll(share[game], 1)
    return rows


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda rows, spec, games: swapped(rows, spec.players, 1) if games > 1 else rows, "called by another name"),
        (lambda rows, spec, games: swapped(rows, spec.players, 0) if games == 1 else rows, "after another game"),
    ],
)
def test_what_it_remembers_is_told(
    wrong: Callable[[Any, Spec, int], Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(spec: Spec, first: int, games: int) -> Any:
        return wrong(run_chunk(spec, first, games), spec, games)

    check("middle-ages")
    monkeypatch.setattr(checks, "run_chunk", played)
    with pytest.raises(Broken, match=said):
        check("middle-ages")
