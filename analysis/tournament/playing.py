"""Play all tables of a tournament, each on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.data.accumulate import in_order
from analysis.tournament.plan import Plan, blocks_of
from simcore.batch import MAX_GAMES, Spec, play_into
from simcore.errors import UsageError
from simcore.game import Game
from simcore.memory import Memory
from simcore.rules import Rules
from strategies.model import Strategy
from strategies.seating import check_names
from strategies.spec import assemble_spec

STRETCH = 3840
"""Games that a thread plays at a time."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Outcomes of a tournament.

    Parameters
    ----------
    plan
        What was played.
    names
        Of the strategies.
    spec
        Specification of the first table; all others differ from it in who sits there.
    wins
        Shape (blocks, orders, rotations, seats): sums of win shares in sixtieths over the deals of a block.
    deals
        Deals of each block.
    """

    plan: Plan
    names: tuple[str, ...]
    spec: Spec
    wins: NDArray[np.int64]
    deals: NDArray[np.int64]


def play(
    game: Game,
    strategies: Sequence[Strategy],
    rules: Rules,
    plan: Plan,
    seed: int = 1,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda games: None,
) -> Scores:
    """Play a tournament.

    Parameters
    ----------
    game, rules
        What is played.
    strategies
        By number in the plan.
    plan
        Which tables, and how many deals.
    seed
        Key of all chance; every table meets the same deals.
    threads
        How many play; changes no result.
    tick
        Called now and then with the number of games played so far.

    Raises
    ------
    UsageError
        If the game gives some seats a role of their own, or there are more games than a run may have.
    """
    if game.asymmetric:
        raise UsageError(f"tournament: {game.title} gives some seats a role of their own, so places cannot be changed")
    per_order = plan.deals * plan.players
    if per_order > MAX_GAMES:
        raise UsageError(f"--games: {per_order:,} games a table; {MAX_GAMES:,} is the most")
    check_names(strategies)
    specs = _specs(game, strategies, rules, plan, seed)
    blocks = blocks_of(plan)
    edges = np.linspace(0, plan.deals, blocks + 1).astype(np.int64)
    block_of = np.repeat(np.arange(blocks), np.diff(edges))
    step = max(STRETCH // plan.players, 1)
    work = [
        (number, range(first, min(first + step, plan.deals)))
        for number in range(len(specs))
        for first in range(0, plan.deals, step)
    ]
    wins = np.zeros((blocks, len(specs), plan.players, plan.players), np.int64)

    def outcomes(item: tuple[int, range]) -> tuple[int, range, NDArray[np.int64]]:
        number, deals = item
        return number, deals, _share60(specs[number], deals)

    done = 0
    with closing(in_order(outcomes, work, threads)) as results:
        for number, deals, share in results:
            np.add.at(wins[:, number], block_of[deals.start : deals.stop], share)
            done += share.shape[0] * plan.players
            tick(done)
    names = tuple(strategy.name for strategy in strategies)
    return Scores(plan, names, specs[0], wins, np.diff(edges))


def _specs(game: Game, strategies: Sequence[Strategy], rules: Rules, plan: Plan, seed: int) -> list[Spec]:
    """Return one specification an order; all that does not depend on the order is made once."""
    per_order = plan.deals * plan.players
    rings = [ring for _, ring, _ in plan.orders]
    first = assemble_spec(game, plan.players, [strategies[one] for one in rings[0]], rules, seed, "rotate", per_order)
    alone = [
        assemble_spec(game, plan.players, [strategy], rules, seed, "fixed", 1).lineup_record for strategy in strategies
    ]
    found = []
    for ring in rings:
        record = first.lineup_record.copy()
        for seat, one in enumerate(ring):
            for part in ("members", "bases"):
                record[part][seat] = alone[one][part][0]
        seated = [strategies[one] for one in ring]
        names, tables = tuple(one.name for one in seated), tuple(one.to_dict() for one in seated)
        found.append(replace(first, strategies=names, strategy_tables=tables, lineup_record=record))
    return found


def _share60(spec: Spec, deals: range) -> NDArray[np.int64]:
    """Play some deals; return win shares, shape (deals, rotations, seats)."""
    players = spec.players
    rows = np.zeros(len(deals) * players**2, spec.game.row_dtype)
    play_into(spec, np.arange(deals.start * players, deals.stop * players), rows, Memory(spec.game))
    return rows["share60"].reshape(len(deals), players, players).astype(np.int64)
