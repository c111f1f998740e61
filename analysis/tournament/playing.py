"""The tables of a tournament: who sits with whom, and in which order around the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, combinations_with_replacement, permutations, product
from math import gcd, lcm, prod

import numpy as np
from numpy.typing import NDArray

from analysis.data.accumulate import Counts
from analysis.data.resumable import resumable
from analysis.data.sameness import require_contest
from analysis.data.store import digest_of
from simcore.errors import UsageError, nearest
from simcore.game import Game
from simcore.kernel.lineup import DESIGNS, seat_groups
from simcore.rules.files import Rules
from simcore.running.batch import MAX_GAMES, Spec, rows_of
from strategies.model import Strategy
from strategies.spec import assemble_spec, check_names, mixed_roles

SEATINGS = ("auto", "all", "one-vs-rest")
LEAST_DEALS = 250
"""Number of deals that every table must get for `auto` to play all tables."""

MAX_ORDERS = 50_000
"""Largest number of seating orders of a tournament, not counting rotations."""

Company = tuple[int, ...]
"""Numbers of strategies, in the order of the seats or in ascending order."""


@dataclass(frozen=True)
class Schedule:
    """The tables of a tournament at one number of players."""

    sizes: tuple[int, ...]
    seats: tuple[int, ...]
    """sizes, seats: For each role: the number of strategies that can play it, and its number of seats.  Strategies are
    numbered across roles."""
    design: str
    """"all": every company (in a game with one role, those with at least two strategies); "one-vs-rest": every strategy
    alone against others of its role that all play another one, where each other role is played by one strategy."""
    deals: int  # number of deals that every table plays, in all its seatings
    chosen: int = 0
    """Number of games that `auto` would need to play every company, if `auto` chose the design; 0 if the user chose it,
    or both designs play the same tables."""

    @property
    def strategies(self) -> int:
        """Number of strategies of all roles."""
        return sum(self.sizes)

    @property
    def players(self) -> int:
        """Number of players at the table."""
        return sum(self.seats)

    @cached_property
    def role_of(self) -> tuple[int, ...]:
        """Role of each strategy."""
        return tuple(role for role, size in enumerate(self.sizes) for _ in range(size))

    @cached_property
    def role_at(self) -> tuple[int, ...]:
        """Role of each seat."""
        return tuple(role for role, count in enumerate(self.seats) for _ in range(count))

    def first_of(self, role: int) -> int:
        """Return the first strategy of a role."""
        return self.role_of.index(role)

    def seat_of(self, strategy: int) -> int:
        """Return the first seat in which a strategy can sit."""
        return self.role_at.index(self.role_of[strategy])

    @cached_property
    def tables(self) -> tuple[Company, ...]:
        """Who sits together, by role in ascending order; with one role, tables with a single strategy are left out."""
        return tuple(companies(self.sizes, self.seats, self.design))

    @cached_property
    def orders(self) -> tuple[tuple[int, Company, float], ...]:
        """The table, the order around it, and its weight among the table's orders: all seatings have equal weights."""
        found = []
        for number, table in enumerate(self.tables):
            rings = necklaces(table, self.seats)
            total = sum(rings.values())
            found += [(number, ring, size / total) for ring, size in rings.items()]
        return tuple(found)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Number of games of a deal for each order: rotations of the roles that more than one strategy plays."""
        return tuple(turns_of(ring, self.seats) for _, ring, _ in self.orders)

    @property
    def games(self) -> int:
        """Number of games of the whole tournament: every deal once for each order and rotation."""
        return self.deals * sum(self.turns)


def _parts(company: Company, seats: Sequence[int]) -> list[Company]:
    """Divide a company into the strategies of each role."""
    ends = list(accumulate(seats))
    return [company[end - size : end] for end, size in zip(ends, seats, strict=True)]


def companies(sizes: Sequence[int], seats: Sequence[int], design: str) -> Iterator[Company]:
    """Yield who sits together, by role and in ascending order within each role."""
    groups = [range(end - size, end) for end, size in zip(accumulate(sizes), sizes, strict=True)]
    if design == "all":
        ways = product(*(combinations_with_replacement(*part) for part in zip(groups, seats, strict=True)))
        for company in map(_joined, ways):
            if len(sizes) > 1 or company[0] != company[-1]:
                yield company
        return
    if len(sizes) > 1:
        for played in product(*groups):
            yield _joined((one,) * count for one, count in zip(played, seats, strict=True))
    for role, (group, count) in enumerate(zip(groups, seats, strict=True)):
        for one in group if count > 1 else ():
            for played in product(*groups):
                other = played[role]
                if one < other or (one > other and count > 2):
                    parts = [(fellow,) * size for fellow, size in zip(played, seats, strict=True)]
                    parts[role] = tuple(sorted((one, *[other] * (count - 1))))
                    yield _joined(parts)


def _joined(parts: Iterable[Company]) -> Company:
    return tuple(one for part in parts for one in part)


def turns_of(order: Company, seats: Sequence[int]) -> int:
    """Return the number of games for the rotations of an order; a role that one strategy plays needs no rotation."""
    return lcm(*(len(part) for part in _parts(order, seats) if len(set(part)) > 1))


def turned(order: Company, seats: Sequence[int], turn: int) -> Company:
    """Return who sits where after some rotations within each role."""
    return _joined(part[turn % len(part) :] + part[: turn % len(part)] for part in _parts(order, seats))


def necklaces(company: Company, seats: Sequence[int] = ()) -> dict[Company, int]:
    """Return the orders of a company around the table, not counting rotations, and the number of seatings of each.

    All roles rotate together: `seats` gives the number of seats of each role; if it is empty, there is one role.
    """
    seats = seats or (len(company),)
    found: dict[Company, int] = {}
    ways = product(*(sorted(set(permutations(part))) for part in _parts(company, seats)))
    for order in map(_joined, ways):
        ring = min(turned(order, seats, turn) for turn in range(turns_of(order, seats)))
        found[ring] = found.get(ring, 0) + 1
    return found


def count_orders(sizes: Sequence[int], seats: Sequence[int], design: str) -> tuple[int, int]:
    """Count the orders without rotations (Burnside's lemma) and the games of one deal, without making the orders."""
    orders = games = 0
    roles = range(len(sizes))
    if design == "one-vs-rest":
        alike = prod(sizes) if len(sizes) > 1 else 0
        orders, games = alike, alike
        for role in roles:
            if seats[role] > 1:
                more = prod(sizes) * (sizes[role] - 1) // (2 if seats[role] == 2 else 1)
                orders, games = orders + more, games + more * seats[role]
        return orders, games
    for mixed in product((False, True), repeat=len(sizes)):
        if len(sizes) == 1 and not mixed[0]:
            continue
        turns = lcm(*(seats[role] for role in roles if mixed[role]))
        alike = prod(sizes[role] for role in roles if not mixed[role])
        fixed = sum(
            prod(sizes[role] ** gcd(turn, seats[role]) - sizes[role] for role in roles if mixed[role])
            for turn in range(turns)
        )
        orders, games = orders + alike * (fixed // turns), games + alike * fixed
    return orders, games


def make_schedule(
    strategies: int | Sequence[int], players: int | Sequence[int], games: int, design: str = "auto"
) -> Schedule:
    """Return the schedule that a number of games allows.

    strategies, players: Number of strategies and of players; in a game with several roles, numbers of strategies and
        seats by role.
    games: Approximate number of games of the whole tournament; every table plays the same number of complete deals.
    design: "all", "one-vs-rest", or "auto", which chooses "all" if every table then gets 250 deals.
    Raises UsageError if there is no such design, there are too many tables, or too few games for a deal at every table.
    """
    sizes, seats = ((part,) if isinstance(part, int) else tuple(part) for part in (strategies, players))
    if design not in SEATINGS:
        raise UsageError(f"no design '{design}'{nearest(design, SEATINGS)}", "tables")
    chosen = 0
    if design == "auto":
        every, some = (count_orders(sizes, seats, one) for one in ("all", "one-vs-rest"))
        needed, alike = LEAST_DEALS * every[1], every == some
        design = "all" if alike or games >= needed else "one-vs-rest"
        chosen = 0 if alike else needed
    orders, of_deal = count_orders(sizes, seats, design)
    if orders > MAX_ORDERS:
        raise UsageError(
            f"{sum(sizes)} strategies make {orders:,} tables and orders of {sum(seats)} players; "
            f"{MAX_ORDERS:,} is the maximum" + ("; take one-vs-rest" if design == "all" else ""),
            "tables",
        )
    deals = games // of_deal
    if deals < 1:
        raise UsageError(
            f"{games:,} are too few; {orders:,} tables and orders of {sum(seats)} players take "
            f"{of_deal:,} games per deal"
            + ("; give more, or choose the tables 'one-vs-rest'" if design == "all" else ""),
            "games",
        )
    return Schedule(sizes, seats, design, deals, chosen)


# --- Play all tables of a tournament, each on the same deals ---


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

    strategies: In the order of their numbers in the schedule, starting with the first role.
    seed: Random seed; every table plays the same deals.
    threads: Number of threads; it does not affect the results.
    tick: Called from time to time with the number of games played so far.
    Raises UsageError if a strategy plays another role, there are more games than a run may have, or all win or lose
        together in every game.
    """
    per_order = schedule.deals * max(schedule.turns)
    if per_order > MAX_GAMES:
        raise UsageError(f"{per_order:,} games per table; the maximum is {MAX_GAMES:,}", "games")
    check_names(strategies)
    specs = _specs(game, strategies, rules, schedule, seed)
    require_contest(specs)
    # Outcomes are summed in blocks of deals, the units of resampling.
    cells = sum(schedule.turns) * schedule.players
    blocks = int(np.clip(4_000_000 // cells, min(50, schedule.deals), min(500, schedule.deals)))
    edges = np.linspace(0, schedule.deals, blocks + 1).astype(np.int64)
    block_of = np.repeat(np.arange(blocks), np.diff(edges))
    step = max(STRETCH // max(schedule.turns), 1)
    work = [
        (number, spec, range(first, min(first + step, schedule.deals)))
        for number, spec in enumerate(specs)
        for first in range(0, schedule.deals, step)
    ]
    won = [np.zeros((blocks, turns, schedule.players), np.int64) for turns in schedule.turns]
    total = Counts(wins=[Counts(won=one) for one in won], games=0)
    digest = digest_of(specs, "tournament", schedule.deals, blocks, step)
    with closing(resumable(total, digest, _outcomes, work, threads, travels=True)) as results:
        for number, deals, share in results:
            np.add.at(total.wins[number].won, block_of[deals.start : deals.stop], share)
            total.games += share.shape[0] * share.shape[1]
            tick(total.games)
    names = tuple(strategy.name for strategy in strategies)
    return Scores(schedule, names, specs[0], tuple(item.won for item in total.wins), np.diff(edges))


def _specs(game: Game, strategies: Sequence[Strategy], rules: Rules, schedule: Schedule, seed: int) -> list[Spec]:
    """Return one specification for each order; everything that does not depend on the order is made once."""
    rings = [ring for _, ring, _ in schedule.orders]
    line = [strategies[one] for one in rings[0]]
    first = assemble_spec(game, schedule.players, line, rules, seed, "rotate", schedule.deals)
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
    rows = rows_of(spec, range(deals.start * turns, deals.stop * turns))
    return number, deals, spec.judged.of_rows(rows).reshape(len(deals), turns, players).astype(np.int64)
