"""What a player loses if something is forbidden: the same deals played with and without (Jaffe et al. 2012)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.cards.counterfactual import tested
from analysis.data.accumulate import Counts
from analysis.data.inputs import inputs_of
from analysis.data.player_notes import player_notes
from analysis.data.results import Note, Result, Verdict, as_amounts, interval
from analysis.data.resumable import resumable
from analysis.data.sources import row_columns
from analysis.data.store import digest_of
from analysis.stats.intervals import check_level, max_t_of, with_few
from analysis.stats.moments import MIN_DEALS, Floats, Moments
from analysis.stats.multiple_testing import adjust, pick
from simcore.errors import UsageError
from simcore.game import Game
from simcore.judged import Role
from simcore.rules.files import Rules
from simcore.running.batch import MAX_GAMES, Spec, rows_of
from strategies.model import Strategy
from strategies.restrictions import Restriction
from strategies.spec import assemble_spec, one_among

PLAYER = "(player)"
"""Name of the restricted player; no strategy file may have such a name."""

STRETCH = 480
"""Number of games of each line-up that a thread plays at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class Restricted(Result):
    """What each restriction costs the one player who obeys it.

    table: One row for each restriction, most expensive first: its `kind` and what it is `about`; the number of deals in
        which the player's wins `moved`; the win `share` with the restriction, and the `cost` (share without it minus
        share with it); the mean `score` and `score_cost`, the points lost
        (or, where the fewest win, gained); and `changed`, the share of games with a different winner.
        The intervals of `cost` are simultaneous for all restrictions, and so are those of `score_cost`; there are none
        if fewer than 30 deals moved.  The p-values `p` and `p_holm` test the cost.  In a game with roles, `cost_of_par`
        is the cost divided by the par of the player's role.  A game without a score, or whose score is its payoff, has
        no `score` and no `score_cost`.  A game with a payoff has `payoff`, what the player gains a game, in place of
        `share`; the cost then has its unit.
    """

    strategy: str
    others: str
    """strategy, others: The strategy that is restricted, and those of all other seats."""
    share: float
    score: float | None
    """share, score: Win share (or mean payoff) and mean score of the player without a restriction; the score is None in
    a game without one."""
    role: str  # title of the player's role; empty in a game with one role
    par: float  # what the game is meant to give to a seat of the role: a share of the wins, or a payoff
    unit: str = ""  # the unit of the payoff; empty for wins


def restricted(
    game: Game,
    player: Strategy,
    others: Strategy | Mapping[str, Strategy],
    rules: Rules,
    forbidden: Sequence[Restriction],
    players: int,
    deals: int,
    seed: int = 1,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda games: None,
    role: str = "",
) -> Restricted:
    """Measure what restrictions cost a player, one at a time.

    player: The strategy that is restricted; it sits in every seat of its role in turn.
    others: The strategy of all other seats or, in a game with roles, of each role (including the other seats of the
        player's own role).
    forbidden: Restrictions, from `strategies.restrictions.restrictions_of`.
    deals: Number of deals; each is played from every seat of the role, without and with each restriction.
    level: Simultaneous confidence level for all restrictions.
    tick: Function that is called from time to time with the number of games played so far.
    role: Role of the player, if it can play several.
    Raises UsageError if there is nothing to forbid, there are too many games, or the player's role is ambiguous.
    """
    check_level(level)
    if not forbidden:
        raise UsageError("restrict: nothing is forbidden; name something to forbid")
    own = _role(game, player, role)
    seats = own.at(players)
    if not 1 <= deals * len(seats) <= MAX_GAMES:
        raise UsageError(f"{deals * len(seats):,} games of each; give 1 to {MAX_GAMES:,}", "games")
    names = [(), *((one.name,) for one in forbidden)]  # nothing, then each restriction alone
    heroes = [replace(player, name=PLAYER, forbids=(*player.forbids, *some)) for some in names]
    beside = others if isinstance(others, Mapping) else {one.name: others for one in game.roles}
    lines = [one_among(game, players, own, hero, beside) for hero in heroes]
    specs = [assemble_spec(game, players, line, rules, seed, "rotate", deals * len(seats)) for line in lines]
    sums = _empty(len(forbidden))
    step = max(STRETCH // len(seats), 1)
    work = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    table = _Table(specs, seats.start)
    digest = digest_of(specs, "restrict", deals, step)
    with closing(resumable(sums, digest, table.play, work, threads, travels=True)) as found:
        for part in found:
            sums.merge(part)
            tick(sums.free.deals * len(seats) * len(specs))
    named = [f"{one}={beside[one].name}" for one in game.role_names] if game.asymmetric else [beside[own.name].name]
    return _result(specs[0], forbidden, sums, level, player, ", ".join(named), own)


def _role(game: Game, player: Strategy, name: str) -> Role:
    """Return the role of the player."""
    found = [role for role in game.roles if role.name == (name or player.role)]
    if not game.asymmetric:
        return game.roles[0]
    if not found:
        names = " or ".join(f"{role}={player.name}" for role in game.role_names)
        raise UsageError(f"'{player.name}' can play every role of {game.title}; write {names}", "strategy")
    return found[0]


def _empty(count: int) -> Counts:
    """Return sums: of the unrestricted player, of differences of shares and scores, and of deals that moved."""
    share, score = Moments(count), Moments(count)
    moved = np.zeros((2, count), np.int64)
    return Counts(free=Moments(2), share=share, score=score, changed=np.zeros(count), moved=moved)


class _Table:
    """Plays ranges of deals without a restriction, then with each restriction."""

    def __init__(self, specs: Sequence[Spec], hero: int) -> None:
        self.specs, self.hero = specs, hero

    def play(self, deals: range) -> Counts:
        """Play some deals."""
        sums = _empty(len(self.specs) - 1)
        (share, score, wins), *rest = (self._outcomes(spec, deals) for spec in self.specs)
        sums.free.add(np.column_stack([share, score]))
        if not rest:
            return sums
        others = [np.stack([one[place] for one in rest], axis=1) for place in (0, 1)]
        shares, scores = share[:, None] - others[0], score[:, None] - others[1]
        sums.share.add(shares)
        sums.score.add(scores)
        sums.changed += [(wins != other).any(axis=1).mean() * len(deals) for _, _, other in rest]
        sums.moved += np.stack([(shares != 0).sum(axis=0), (scores != 0).sum(axis=0)])
        return sums

    def _outcomes(self, spec: Spec, deals: range) -> tuple[Floats, Floats, NDArray[Any]]:
        """Return the player's win share and score in each deal, and all win shares in each game."""
        turns = spec.games_per_deal
        rows = rows_of(spec, range(deals.start * turns, deals.stop * turns))
        here = rows["strategy"] == self.hero
        columns = row_columns(spec, rows, [name for name in (spec.game.share, spec.game.score) if name])

        def own(values: NDArray[Any]) -> Floats:
            return np.asarray(values.ravel()[here].reshape(len(deals), turns).sum(axis=1) / turns)

        score = own(columns[spec.game.score]) if spec.game.score else np.zeros(len(deals))
        return own(spec.judged.of_rows(rows)) / spec.judged.parts, score, columns[spec.game.share]


def _result(
    spec: Spec, forbidden: Sequence[Restriction], sums: Counts, level: float, player: Strategy, others: str, own: Role
) -> Restricted:
    deals, judged = sums.share.deals, spec.judged
    seats, called = own.at(spec.players), _called(spec, player.name)
    label = f"{spec.game.title}, {spec.players} players, {player.name} against {others}"
    games = deals * spec.games_per_deal * (len(forbidden) + 1)
    inputs = replace(inputs_of(called, games, deals, label), design="rotate")
    free, free_score = judged.amount(sums.free.mean[0]), sums.free.mean[1]
    scored = spec.game.score is not None and not (judged.is_payoff and judged.columns == (spec.game.score,))
    par = fmean(judged.fair[seat] for seat in seats)
    cost, cost_se = judged.distance(sums.share.mean), judged.distance(_errors(sums.share))
    columns: dict[str, Any] = {
        "restriction": [one.name for one in forbidden],
        "kind": [one.kind for one in forbidden],
        "about": [one.about for one in forbidden],
        "deals": [deals] * len(forbidden),
        "moved": sums.moved[0],
        "payoff" if judged.is_payoff else "share": free - cost,
    }
    lost = sums.score.mean * (-1 if spec.game.lowest_wins else 1)
    measures = [("cost", cost, cost_se, sums.share), ("score_cost", lost, _errors(sums.score), sums.score)]
    for (name, mean, se, moments), moved in zip(measures[: 1 + scored], sums.moved, strict=False):
        known = moved >= MIN_DEALS
        constant = with_few(max_t_of(moments.covariance[np.ix_(known, known)], level), deals) if known.any() else np.nan
        constants = np.where(known, constant, np.nan)
        columns |= interval(name, mean, se, constants)
        if name == "cost" and spec.game.asymmetric:
            columns |= interval("cost_of_par", mean / par, se / par, constants)
    if scored:
        columns["score"] = free_score - sums.score.mean
    columns["changed"] = sums.changed / deals
    columns["p"] = tested(cost, sums.moved[0], cost_se, np.full(len(forbidden), deals))
    columns["p_holm"] = adjust(columns["p"], "holm")
    table = pl.DataFrame(columns).sort("cost", descending=True)
    notes = [*player_notes(called)]
    if deals < MIN_DEALS:
        notes.append(Note("few_deals", {"deals": deals, "least": MIN_DEALS}))
    still = (sums.changed == 0) & (sums.moved == 0).all(axis=0)
    if idle := [one.name for one, same in zip(forbidden, still, strict=True) if same]:
        notes.append(Note("idle_restrictions", {"names": tuple(idle)}))
    verdicts = _verdicts(table, player.name, float(free), deals, level, judged.unit)
    return Restricted(
        (inputs,),
        level,
        table,
        verdicts,
        tuple(notes),
        player.name,
        others,
        float(free),
        float(free_score) if scored else None,
        own.name if spec.game.asymmetric else "",
        par,
        judged.unit,
    )


def _called(spec: Spec, name: str) -> Spec:
    """Return the run with the player's own name, which others at the table may have too."""
    tables = tuple({**table, "name": name} if table["name"] == PLAYER else table for table in spec.strategy_tables)
    names = tuple(name if one == PLAYER else one for one in spec.strategies)
    return replace(spec, strategies=names, strategy_tables=tables)


def _errors(moments: Moments) -> Floats:
    return np.asarray(np.sqrt(np.maximum(np.diag(moments.covariance), 0)))


def _verdicts(
    table: pl.DataFrame, strategy: str, free: float, deals: int, level: float, unit: str
) -> tuple[Verdict, ...]:
    table = table.with_columns(pl.col("cost_low", "cost_high").fill_nan(None))
    known = table.drop_nulls("cost_low")
    if known.is_empty():
        return (Verdict("restrict_unknown", "unknown", {"deals": deals}),)
    dear, spare = known.filter(pl.col("cost_low") > 0), known.filter(pl.col("cost_high") < 0)
    prefix, payoff = ("restrict_payoff", "payoff") if unit else ("restrict", "share")

    def told(row: Mapping[str, Any], amounts: Mapping[str, float], costs: Mapping[str, float]) -> dict[str, Any]:
        if not unit:
            return {**amounts, **{name: 100 * value for name, value in costs.items()}}
        return {**as_amounts(amounts, row["cost_se"]), **as_amounts(costs, row["cost_se"], sign=""), "unit": unit}

    said = []
    if len(dear) and (found := pick(table.filter(pl.col("moved") > 0), "cost", "restriction", level, parts=False)):
        # without an interval, a restriction may still be the most costly; an example needs one
        row = next(
            (row for row in known.rows(named=True) if row["restriction"] in found.names), known.row(0, named=True)
        )
        costs = {"cost": row["cost"], "low": row["cost_low"], "high": row["cost_high"]}
        values = {"restriction": found.names, "example": row["restriction"], "strategy": strategy, "deals": deals}
        values |= told(row, {"free": free, "share": row[payoff]}, costs)
        said.append(Verdict(f"{prefix}_dearest", "fact", values))
    said.append(Verdict(f"{prefix}_count", "fact", {"count": len(table), "stand": len(dear)}))
    for row in spare.reverse().head(3).iter_rows(named=True):
        gains = {"gain": -row["cost"], "low": -row["cost_high"], "high": -row["cost_low"]}
        values = {"restriction": row["restriction"], "strategy": strategy, "deals": deals, **told(row, {}, gains)}
        said.append(Verdict(f"{prefix}_better", "fact", values))
    return tuple(said)
