"""Draw the opening of players at random: the decisions that a game declares as openings, or each seat's first one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from simcore.kernel.compilation import instantiate
from simcore.kernel.decisions import ONE
from simcore.kernel.pointers import Policy, call_policy
from simcore.running.batch import Spec
from strategies.moves import random_move
from strategies.rollout import SEARCHED

if TYPE_CHECKING:
    from simcore.game import Game

FIRST = np.uint64(63)
"""The bit of `draws` for the first decision of a seat in a game; all others stand for kinds of decisions."""


def draw_opening(rules, lineup, state, seat):
    """Return a random move in an opening; in all other decisions, the move of the player's own policy."""
    member = lineup.members[lineup.seated[seat]]
    opens = (member.draws >> np.uint64(state.decision)) & ONE
    if lineup.opened[seat] != lineup.game + 1:
        lineup.opened[seat] = lineup.game + 1
        opens |= (member.draws >> FIRST) & ONE
    if opens:
        return random_move(state, seat)
    return np.int64(call_policy(member.otherwise, rules, lineup, state, seat))


@cache
def drawing(game: Game) -> Policy:
    """Return the policy that draws openings in a game."""
    return Policy(instantiate(draw_opening, game.step), game.policy_records, cached=True)


def declared(game: Game) -> int:
    """Return the kinds of decisions that a game declares as openings: bit k for kind k."""
    return sum(1 << number for number, decision in enumerate(game.decisions[:63]) if decision.opening)


def looks_at_openings(spec: Spec) -> bool:
    """Return whether a player who looks ahead does so in the opening, and does not leave it to its base.

    Where a game declares no openings, it is taken to.
    """
    kinds = declared(spec.game)
    if not (spec.searches and kinds):
        return spec.searches
    record = spec.lineup_record
    tried = record["members"]["weights"][: spec.players, int(SEARCHED)] & kinds != 0
    return bool(((record["bases"]["policy"][: spec.players] != 0) & tried).any())


def opens_like(spec: Spec, names: Collection[str]) -> bool:
    """Return whether players who look ahead leave the opening to their base, and every base is among some players."""
    bases = [search["base"] for table in spec.strategy_tables if (search := table.get("search"))]
    told = {base if isinstance(base, str) else base["name"] for base in bases}
    return not looks_at_openings(spec) and told <= set(names)


def draw_openings(spec: Spec, entries: Sequence[int]) -> Spec:
    """Return a run with the same deals, in which some players draw their openings at random and then play as usual.

    entries: Members of its line-up, from 0, who do so.
    """
    kinds = declared(spec.game)
    record = spec.lineup_record.copy()
    for entry in entries:
        member = record["members"][entry]
        member["draws"] = kinds or 1 << int(FIRST)
        if spec.game.compiled:
            member["otherwise"], member["policy"] = member["policy"], drawing(spec.game).address
    return replace(spec, lineup_record=record)
