"""What a seat cannot know in Seigneurial: it is dealt anew, what is public stays, and no shipped strategy uses it.

`equipoise.conformance` watches every shipped strategy under the usual rules; here, under the other readings.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simcore.game import load_game
from simcore.games.seigneurial.search import redraw
from simcore.games.seigneurial.state import LORD, TYPES, VALUES
from simcore.kernel.pointers import Policy
from simcore.kernel.streams import fork
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies
from strategies.seigneurial import RECORDS
from strategies.seigneurial.basic import uniform
from strategies.watching import under_watch
from tests.specs import make_spec

GAME = load_game("seigneurial")
PUBLIC = (
    "resources", "front", "cards", "favour", "revealed", "improved", "ledger", "ill", "placed", "pawns", "there",
    "barred", "yields", "shelter", "inspected", "draws", "gagged", "warded", "waived", "plays", "lays", "passed",
    "given",
)  # fmt: skip
"""What everybody sees of a player."""

HIDDEN = ("course", "unable", "changes")
"""What nobody else sees of a tenant's row: what was missing, winters without the due in hand, other Objectives kept."""


def total(state: Any, players: int) -> list[list[int]]:
    """Return how many cards of each face, kind of Censitaire card, Objective and kind of Seigneur card there are."""
    tenants = [state.players[seat] for seat in range(1, players)]
    faces = state.resources.of + state.resources.discards + sum(one.hand + one.table for one in tenants)
    goals = [one.objective for one in tenants]
    return [
        [*faces],
        [*np.bincount(piled(state.pile), minlength=27) + state.pile.discards + sum(one.own for one in tenants)],
        [*np.bincount([*piled(state.goals), *goals], minlength=20)],
        [*state.stock.order + state.stock.discards + state.players[LORD].own],
    ]


def piled(ring: Any) -> list[int]:
    """Return the cards of a pile, top first."""
    return [int(ring.order[(ring.head + number) % len(ring.order)]) for number in range(ring.left)]


@pytest.mark.plain
@pytest.mark.parametrize(("players", "settings"), [(3, ["payment=secret"]), (4, []), (5, [])])
def test_a_table_dealt_anew_keeps_what_is_public_and_hides_the_rest(players: int, settings: list[str]) -> None:
    plans = "tenant_card.new_plans.copies=9"
    spec = make_spec(players, ["random"], [plans, *settings], game="seigneurial", seed=5)
    seen = {"asked": 0, "dealt": 0, "unable": 0, "changes": 0}

    def checked(rules: Any, lineup: Any, state: Any, seat: int) -> int:
        seen["asked"] += 1
        if seen["asked"] % 29 == 0:
            other = state.copy()
            fork(other.rng, state.rng, np.int64(1), np.int64(seen["asked"]))
            redraw(rules, other, seat)
            compare(state, other, seat)
        return int(uniform(rules, lineup, state, seat))

    def compare(state: Any, other: Any, seat: int) -> None:
        assert total(other, players) == total(state, players)
        for tenant in range(1, players):
            before, after = state.players[tenant], other.players[tenant]
            assert all(np.array_equal(before[name], after[name]) for name in PUBLIC)
            assert after.hand.sum() == after.resources
            assert after.table.sum() == before.table.sum()
            assert [*after.points] == [
                sum(after.hand[VALUES * kind + value] * value for value in range(VALUES)) for kind in range(TYPES)
            ]
            if tenant == seat:
                assert before.tobytes() == after.tobytes()
                continue
            if before.revealed:
                assert before.objective == after.objective
            was, row = state.rows[tenant], other.rows[tenant]
            assert not any(np.any(row[name]) for name in HIDDEN)
            assert row.refusals == was.refusals + was.unable
            seen["dealt"] += not np.array_equal(before.hand, after.hand)
            seen["unable"] += was.unable
            seen["changes"] += was.changes
        assert (other.players[LORD].tobytes() == state.players[LORD].tobytes()) or seat != LORD

    lineup = spec.lineup_record.copy()
    lineup["members"]["policy"][:players] = Policy(checked, RECORDS).address
    run_chunk(replace(spec, lineup_record=lineup), 0, 1)
    assert min(seen.values()) > 0, seen


@pytest.mark.parametrize("players", GAME.players)
def test_no_shipped_strategy_sees_what_it_must_not_under_the_other_readings(players: int) -> None:
    """Games under watch are those of the run; a strategy that uses what is hidden would end them with a fault."""
    for name in quick_strategies(GAME):
        role = load_strategy(GAME, name).role
        line = {
            one: [name if role in ("", one) else load_kit("seigneurial").default_of(one)] for one in GAME.role_names
        }
        spec = make_spec(players, line, game="seigneurial", rules="other-readings", seed=23)
        assert np.array_equal(run_chunk(under_watch(spec), 0, 12), run_chunk(spec, 0, 12)), name
