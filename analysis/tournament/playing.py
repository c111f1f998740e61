"""Play all tables of a tournament, each on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.data.resumable import resumable
from analysis.data.store import digest_of
from analysis.tournament.schedule import Schedule, blocks_of
from simcore.errors import UsageError
from simcore.game import Game
from simcore.kernel.lineup import DESIGNS, seat_groups
from simcore.kernel.memory import own_memory
from simcore.rules.files import Rules
from simcore.running.accumulator import Accumulator
from simcore.running.batch import MAX_GAMES, Spec, play_into
from strategies.model import Strategy
from strategies.seating import check_names, mixed_roles
from strategies.spec import assemble_spec

STRETCH = 3840
"""Number of games that a thread plays at a time."""

PARTS = ("members", "bases", "guests")
"""What a line-up holds of each player: its own policy, and those with which it imagines."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Outcomes of a tournament."""

    schedule: Schedule  # what was played
    names: tuple[str, ...]  # names of the strategies
    spec: Spec  # specification of the first table; all others differ from it only in who sits there
    wins: tuple[NDArray[np.int64], ...]
    """For each order, sums of the parts of what is judged over the deals of a block, shape (blocks, rotations, seats).
    """
    deals: NDArray[np.int64]  # number of deals in each block


@dataclass
class _Total:
    """The totals of all tables so far."""

    wins: list[_Wins]
    games: int = 0


class _Wins(Accumulator):
    """Parts of what is judged at one table, by block of deals, rotation and seat."""

    adds = ("won",)

    def __init__(self, blocks: int, turns: int, players: int) -> None:
        self.won = np.zeros((blocks, turns, players), np.int64)


def play(
    game: Game,
    strategies: Sequence[Strategy],
    rules: Rules,
    schedule: Schedule,
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
        The strategies in the order of their numbers in the schedule, starting with the first role.
    schedule
        The tables, and the number of deals.
    seed
        Random seed; every table plays the same deals.
    threads
        Number of threads; it does not affect the results.
    tick
        Function that is called from time to time with the number of games played so far.

    Raises
    ------
    UsageError
        If a strategy plays another role, or there are more games than a run may have.
    """
    per_order = schedule.deals * max(schedule.turns)
    if per_order > MAX_GAMES:
        raise UsageError(f"{per_order:,} games per table; the maximum is {MAX_GAMES:,}", "games")
    check_names(strategies)
    specs = _specs(game, strategies, rules, schedule, seed)
    blocks = blocks_of(schedule)
    edges = np.linspace(0, schedule.deals, blocks + 1).astype(np.int64)
    block_of = np.repeat(np.arange(blocks), np.diff(edges))
    step = max(STRETCH // max(schedule.turns), 1)
    work = [
        (number, spec, range(first, min(first + step, schedule.deals)))
        for number, spec in enumerate(specs)
        for first in range(0, schedule.deals, step)
    ]
    wins = [_Wins(blocks, turns, schedule.players) for turns in schedule.turns]
    total = _Total(wins)

    digest = digest_of(specs, "tournament", schedule.deals, blocks, step)
    with closing(resumable(total, digest, _outcomes, work, threads, travels=True)) as results:
        for number, deals, share in results:
            np.add.at(wins[number].won, block_of[deals.start : deals.stop], share)
            total.games += share.shape[0] * share.shape[1]
            tick(total.games)
    names = tuple(strategy.name for strategy in strategies)
    return Scores(schedule, names, specs[0], tuple(item.won for item in wins), np.diff(edges))


def _specs(game: Game, strategies: Sequence[Strategy], rules: Rules, schedule: Schedule, seed: int) -> list[Spec]:
    """Return one specification for each order; everything that does not depend on the order is made once."""
    rings = [ring for _, ring, _ in schedule.orders]
    first = assemble_spec(game, schedule.players, _named(strategies, rings[0]), rules, seed, "rotate", schedule.deals)
    alone = [_alone(game, strategies, one, rules, schedule, seed) for one in range(len(strategies))]
    found = []
    for ring, turns in zip(rings, schedule.turns, strict=True):
        record = first.lineup_record.copy()
        record["noting"] = record["retell"] = 0
        for seat, one in enumerate(ring):
            for part in PARTS:
                record[part][seat] = alone[one][part]
            if strategies[one].search is not None:
                strategies[one].under(rules).fill(record, seat, schedule.players)
        seated = [strategies[one] for one in ring]
        moving = mixed_roles(game, seated)
        record["design"] = DESIGNS["rotate" if moving else "fixed"]
        seat_groups(record, [role.at(schedule.players) for role in moving or game.roles])
        names, tables = tuple(one.name for one in seated), tuple(one.to_dict() for one in seated)
        found.append(
            replace(
                first,
                strategies=names,
                strategy_tables=tables,
                lineup_record=record,
                games=schedule.deals * turns,
                design="rotate" if moving else "fixed",
            )
        )
    return found


def _named(strategies: Sequence[Strategy], ring: Sequence[int]) -> list[Strategy]:
    return [strategies[one] for one in ring]


def _alone(
    game: Game, strategies: Sequence[Strategy], one: int, rules: Rules, schedule: Schedule, seed: int
) -> dict[str, np.record]:
    """Return one strategy's part of a line-up."""
    seat = schedule.seat_of(one)
    ring = [strategies[one if schedule.role_of[one] == role else schedule.first_of(role)] for role in schedule.role_at]
    record = assemble_spec(game, schedule.players, ring, rules, seed, "fixed", 1).lineup_record
    return {part: record[part][seat] for part in PARTS}


def _outcomes(item: tuple[int, Spec, range]) -> tuple[int, range, NDArray[np.int64]]:
    """Play some deals of a table; return its number, the deals and what is judged, shape (deals, rotations, seats)."""
    number, spec, deals = item
    players, turns = spec.players, spec.games_per_deal
    rows = np.zeros(len(deals) * turns * players, spec.game.row_dtype)
    play_into(spec, np.arange(deals.start * turns, deals.stop * turns), rows, own_memory(spec.game))
    return number, deals, spec.judged.of_rows(rows).reshape(len(deals), turns, players).astype(np.int64)
