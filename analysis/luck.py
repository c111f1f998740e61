"""The luck ledger: which part of who wins is decided by who plays, by the seat, and by each source of chance.

The outcome is the share of the win of a player who is seated at random.  Its variance is divided without a rest.  Who
plays and the seat come first: theirs is the variance of the mean of each player in each seat.  What remains is chance,
and its sources share it by Shapley's value.  For that, two independent games are played of every deal, and the games
between them: the sources are drawn afresh one after the other, in random order, until all chance is another.  The part
of a source is its step's share of the way, (Y_end - Y_start) x step / |Y_end - Y_start|^2, over all deals.

References
----------
Sobol', "Sensitivity estimates for nonlinear mathematical models" (1993): the variance of a mean from two games that
share what is held.  Owen, "Sobol' indices and Shapley value" (2014), and Song, Nelson, Staum, "Shapley effects for
global sensitivity analysis" (2016): random orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import Counts
from analysis.data.inputs import inputs_of
from analysis.data.player_notes import player_notes
from analysis.data.results import Note, Result, Verdict
from analysis.data.resumable import resumable
from analysis.data.sameness import require_contest
from analysis.data.store import digest_of
from analysis.stats.intervals import check_level, max_t_of, with_few
from analysis.stats.moments import MIN_DEALS, Floats, Moments
from analysis.stats.multiple_testing import of_rates, pick
from simcore.chance import UNDECLARED, Chance
from simcore.errors import UsageError
from simcore.kernel.driver import Memory, own_memory
from simcore.running.batch import MAX_GAMES, Spec, play_into

WHO, SEAT, CHANCE, DRAWS = "who", "seat", "chance", "draws"
"""Kinds of parts: who plays, the seat, a source of chance, and what the players draw to decide."""

NAMES = {WHO: "who_plays", SEAT: "seat", DRAWS: "players_draws"}
"""Names of the parts that every game has; sources of chance have names of the game."""

ROUGH = 0.25
"""What several sources decide together, from which on the page says so."""

STRETCH = 2_400
"""Number of games that a thread plays at a time."""

HEARD = 200
"""Number of games in which a game in plain Python shows what it draws random numbers for."""


@dataclass(frozen=True, eq=False, repr=False)
class Luck(Result):
    """Which part of who wins is decided by what.

    table: One row for each part, largest first: its `source`; its `kind` ("who", "seat", "chance" or "draws"); the
        `part` of the variance, with an interval that holds for all rows at once; `alone`, the part that is decided
        without the help of other chance, with the same kind of interval; and `changed`, the share of the games that
        have another outcome if only this is drawn afresh (null for who plays and the seat), with `changed_se`.  The
        parts sum to 1.  An estimate close to 0 may be negative.  What changed no game has no row.
    """

    skill: float
    luck: float
    """skill, luck: The part of who plays, and the sum of all others; without different players, all is luck."""
    together: float
    """What is decided only by several sources of chance together, and shared among them: 1 minus the sum of `alone`."""


def luck_ledger(
    spec: Spec, level: float = 0.95, threads: int | None = None, tick: Callable[[int], None] = lambda games: None
) -> Luck:
    """Divide who wins among its causes.

    spec: What is played, in the design "rotate" if players differ; `games` says how many games may be played in all.
    level: Simultaneous confidence level of the intervals.
    threads: Number of threads; it does not affect the results.
    tick: Function that is called from time to time with the number of games played so far.
    Returns Luck: The parts; without any if the same seat wins every game.
    Raises UsageError if different players do not change seats, there are too few games for one deal, or all win or lose
        together in every game.

    Examples
    --------
    >>> from simcore.homes import GAMES
    >>> from strategies.spec import make_spec
    >>> found = luck_ledger(make_spec(GAMES[0], strategies="random", games=400))
    >>> round(float(found.table["part"].sum()), 9)
    1.0
    """
    check_level(level)
    if spec.mixed_roles and spec.design != "rotate":
        raise UsageError("players that differ have to change seats; give the design rotate", "design")
    table = _Table(spec, sources_of(spec))
    each = table.turns * (len(table.sources) + 2)
    deals = spec.games // each
    if deals < 1 or deals * table.turns > MAX_GAMES:
        raise UsageError(f"{spec.games:,} games are fewer than one deal, which takes {each}; give more", "games")
    require_contest([spec])
    sums = table.empty()
    step = max(STRETCH // each, 1)
    work = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    with closing(resumable(sums, digest_of([spec], "luck", deals, step), table.play, work, threads, True)) as found:
        for part in found:
            sums.merge(part)
            tick(sums.parts.deals * each)
    return _result(spec, table.sources, sums, deals * each, level)


def sources_of(spec: Spec) -> tuple[Chance, ...]:
    """Return where the chance of a run's games comes from, without what the players draw to decide.

    A game in plain Python shows it in the first games: each purpose that it draws for is a source.
    """
    if spec.game.compiled:
        return spec.game.chance or UNDECLARED
    memory = Memory(spec.game)
    lineup = memory.seated(spec.lineup_record, spec.players)
    asked = (spec.rules_record, lineup, memory.trace, spec.seed, min(HEARD, spec.games), spec.players)
    heard: Sequence[str] = spec.game.play_batch.purposes(*asked)  # type: ignore[attr-defined]
    return tuple(map(Chance, heard))


class _Table:
    """Plays ranges of deals, each from its own chance to another, with one source after the other drawn afresh.

    Source 0 is what the players draw to decide.
    """

    def __init__(self, spec: Spec, sources: Sequence[Chance]) -> None:
        self.spec, self.sources, self.turns = spec, tuple(sources), spec.games_per_deal

    def empty(self) -> Counts:
        """Return empty sums: the parts (who plays, the seat, every source, every source alone), and changed games."""
        count = len(self.sources) + 1
        return Counts(parts=Moments(2 + 2 * count), changed=Moments(count))

    def play(self, deals: range) -> Counts:
        """Play some deals."""
        count, sums = len(self.sources) + 1, self.empty()
        orders = np.stack([np.random.default_rng([self.spec.seed, deal]).permutation(count) for deal in deals])
        afresh = np.concatenate([np.zeros((len(deals), 1), np.int64), np.cumsum(1 << orders, axis=1)], axis=1)
        won, members = self._games(np.array(deals), afresh)
        won -= won.mean(axis=-1, keepdims=True)
        steps = np.diff(won, axis=1)
        way = won[:, -1] - won[:, 0]
        taken = np.einsum("dts,dkts->dk", way, steps) / 2 / self.turns
        by_source, moved = np.zeros(taken.shape), np.zeros(taken.shape)
        np.put_along_axis(by_source, orders, taken, axis=1)
        np.put_along_axis(moved, orders, (np.abs(steps) > 1e-9).any(axis=-1).mean(axis=-1), axis=1)
        seated = np.einsum("dts,dts->d", won[:, 0], won[:, -1]) / self.turns
        who = self._who(won[:, 0], won[:, -1], members)
        first, last = (
            np.einsum("dts,dts->d", won[:, one], won[:, other]) / self.turns - seated
            for one, other in ((-1, 1), (0, -2))
        )
        alone = np.zeros(taken.shape)
        for place, shared in ((0, first), (-1, last)):  # the two games share only the source drawn first, or last
            alone[np.arange(len(deals)), orders[:, place]] += shared * count / 2
        sums.parts.add(np.column_stack([who, seated - who, by_source, alone]))
        sums.changed.add(moved)
        return sums

    def _games(self, deals: NDArray[np.int64], afresh: NDArray[np.int64]) -> tuple[Floats, NDArray[Any]]:
        """Return what each seat wins, shape (deals, steps, turns, seats), and who sits there, (deals, turns, seats)."""
        spec, seats, memory = self.spec, self.spec.players, own_memory(self.spec.game)
        won = np.zeros((*afresh.shape, self.turns, seats))
        members = np.zeros((len(deals), self.turns, seats), np.int64)
        for drawn in np.unique(afresh):
            deal, step = np.nonzero(afresh == drawn)
            games = (deals[deal, None] * self.turns + np.arange(self.turns)).ravel()
            rows = np.zeros(len(games) * seats, spec.game.row_dtype)
            with memory.drawing_afresh(self.sources, int(drawn)):
                play_into(spec, games, rows, memory)
            parts = np.asarray(spec.judged.of_rows(rows), np.float64) / spec.judged.parts
            won[deal, step] = parts.reshape(len(deal), self.turns, seats)
            if drawn == 0:
                members[deal] = rows["strategy"].reshape(len(deal), self.turns, seats)
        return won, members

    def _who(self, one: Floats, other: Floats, members: NDArray[np.int64]) -> Floats:
        """Return, for each deal, the product of what strategies win in two games above the mean of their role."""
        spec, total = self.spec, np.zeros(len(one))
        own = [
            np.stack([(won * (members == entry)).sum(axis=2).mean(axis=1) for entry in range(spec.players)], axis=1)
            for won in (one, other)
        ]
        for role in spec.mixed_roles:
            seats = list(role.at(spec.players))
            means = [won[:, seats].mean(axis=1) for won in own]
            for name in dict.fromkeys(spec.strategies[seat] for seat in seats):
                alike = [seat for seat in seats if spec.strategies[seat] == name]
                above = [won[:, alike].mean(axis=1) - mean for won, mean in zip(own, means, strict=True)]
                total += len(alike) * above[0] * above[1]
        return total


def _result(spec: Spec, sources: Sequence[Chance], sums: Counts, games: int, level: float) -> Luck:
    deals = sums.parts.deals
    table, together = _parts(sums, [source.name for source in sources], level)
    idle = table.filter((pl.col("changed") == 0) & (pl.col("kind") == CHANCE))["source"].to_list()
    table = table.filter(pl.col("changed").is_null() | (pl.col("changed") > 0)).sort("part", descending=True)
    if not spec.mixed_roles:
        table = table.filter(pl.col("kind") != WHO)
    if not sums.parts.sum[: len(sources) + 3].sum() > 0:
        table = table.clear()
    skilled = pl.col("kind") == WHO
    skill, luck = (float(table.filter(one)["part"].sum()) for one in (skilled, ~skilled))
    notes = [*player_notes(spec)]
    if deals < MIN_DEALS:
        notes.append(Note("few_deals", {"deals": deals, "least": MIN_DEALS}))
    if not spec.mixed_roles:
        notes.append(Note("luck_alike"))
    if idle:
        notes.append(Note("luck_idle", {"names": tuple(idle)}))
    inputs = inputs_of(spec, games, deals)
    judged, alike = "_payoff" if spec.judged.is_payoff else "", not spec.mixed_roles
    verdicts = _verdicts(table, luck, skill, together, deals, judged, alike, level)
    return Luck((inputs,), level, table, verdicts, tuple(notes), skill, luck, together["together"])


def _parts(sums: Counts, names: Sequence[str], level: float) -> tuple[pl.DataFrame, dict[str, float]]:
    """Return the table of all parts (who plays, the seat, every source), and what only several decide together."""
    count, deals = len(names) + 3, sums.parts.deals
    size = len(sums.parts.sum)
    whole = np.tile(np.arange(size) < count, (count, 1)).astype(np.float64)
    value, covariance = sums.parts.ratios(np.eye(count, size), whole)
    lonely = np.concatenate([np.eye(2, size), np.eye(size)[count:]])
    alone, by_alone = sums.parts.ratios(np.vstack([lonely, lonely.sum(axis=0)]), whole[[0, *range(count)]])
    se, alone_se = (np.sqrt(np.maximum(np.diag(one), 0)) for one in (covariance, by_alone))
    constant = np.where(se > 0, with_few(max_t_of(covariance, level), deals), np.nan)
    reach = np.where(alone_se > 0, with_few(max_t_of(by_alone, level), deals), np.nan) * alone_se
    half, positive, sole = constant * se, np.maximum(value, 0), np.clip(alone, 0, 1)
    part = positive / positive.sum() if positive.sum() > 0 else value  # no true part is below 0, and they sum to 1
    columns = {
        "source": [NAMES[WHO], NAMES[SEAT], NAMES[DRAWS], *names],
        "kind": [WHO, SEAT, DRAWS, *[CHANCE] * len(names)],
        "deals": [deals] * count,
        "part": part,
        "part_se": se,
        "part_low": np.minimum(np.clip(value - half, 0, 1), part),
        "part_high": np.maximum(np.clip(value + half, 0, 1), part),
        "alone": sole[:-1],
        "alone_se": alone_se[:-1],
        "alone_low": np.clip(alone - reach, 0, 1)[:-1],
        "alone_high": np.clip(alone + reach, 0, 1)[:-1],
        "changed": [np.nan, np.nan, *sums.changed.mean],
        "changed_se": [np.nan, np.nan, *np.sqrt(np.maximum(np.diag(sums.changed.covariance), 0))],
    }
    left, wide = 1 - float(alone[-1]), float(reach[-1])
    ends = np.clip([left, left - wide, left + wide], 0, 1).tolist()
    together = dict(zip(("together", "low", "high"), ends, strict=True))
    return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None)), together


def _verdicts(
    table: pl.DataFrame,
    luck: float,
    skill: float,
    together: dict[str, float],
    deals: int,
    judged: str,
    alike: bool,
    level: float,
) -> tuple[Verdict, ...]:
    """Say what decides: among players who are `alike` luck alone, else their skill as well, if only by 0 %."""
    if table.is_empty():
        return (Verdict("luck_none", "fact", {"deals": deals}),)
    if not table["part_low"].is_not_null().any():
        return (Verdict("luck_unknown", "unknown", {"deals": deals}),)
    parts = tuple(table.select("source", "part").rows())
    found = [
        Verdict(f"luck_only{judged}", "fact", {"parts": parts})
        if alike
        else Verdict(f"luck_skill{judged}", "fact", {"luck": luck, "skill": skill, "parts": parts})
    ]
    if largest := pick(table, "part", "source", level):
        low, high = min(max(largest.low, 0), largest.value), max(min(largest.high, 1), largest.value)
        values = {"part": largest.value, "low": low, "high": high, "deals": deals}
        tied = "_tied" if len(largest.names) > 1 else ""
        found.append(Verdict(f"luck_largest{tied}", "fact", {"names": largest.names, **values}))
    if most := pick(table, "changed", "source", level, ends=of_rates):
        tied = "_tied" if len(most.names) > 1 else ""
        again = {"names": most.names, **most.ends("changed")}
        found.append(Verdict(f"luck_again{tied}{judged}", "fact", again))
    if together["low"] > 0 and together["together"] > ROUGH:
        found.append(Verdict("luck_together", "fact", together))
    return tuple(found)
