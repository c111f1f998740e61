"""The result of a tournament: payoffs of an empirical game, who is strong, what is dominated, and an equilibrium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import lcm
from statistics import fmean
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.inputs import inputs_of
from analysis.data.results import Amount, Note, Result, Verdict, as_amounts, interval, tidy
from analysis.metagame import (
    DUST,
    MOST_STATES,
    Elimination,
    RoleGame,
    alpha_rank,
    dominator,
    eliminate,
    equilibrium,
    profiles,
)
from analysis.ratings.fit import Fit, Residual, in_errors
from analysis.seats.shares import among_won, some_unwon
from analysis.stats.choice import Model, Separated
from analysis.stats.intervals import bonferroni, check_level, difference_interval, pointwise, share_interval, with_few
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import Pick, overlapping, pick
from analysis.tournament.playing import Schedule, Scores, turned

# --- From wins at tables to the payoffs of an empirical game: wins per seat, divided by par ---


PAR = -1
"""Index of a payoff that needs no games: at a table with a single strategy, every seat wins par."""


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Wins of every strategy at every table."""

    scores: Scores  # the tournament

    @cached_property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The table, the strategy and its seats there for each cell, which is one estimate."""
        return tuple(
            (number, one, table.count(one))
            for number, table in enumerate(self.scores.schedule.tables)
            for one in sorted(set(table))
        )

    @cached_property
    def lineups(self) -> tuple[NDArray[np.int64], ...]:
        """The strategies in the seats for each order, each of shape (rotations, seats)."""
        schedule = self.scores.schedule
        return tuple(
            np.array([turned(ring, schedule.seats, turn) for turn in range(turns)], np.int64)
            for (_, ring, _), turns in zip(schedule.orders, schedule.turns, strict=True)
        )

    @cached_property
    def par(self) -> Floats:
        """The share of what is judged that the game is meant to give to a seat, by role: of the games somebody wins."""
        schedule, judged = self.scores.schedule, self.scores.spec.judged
        ends = np.cumsum(schedule.seats)
        par = np.array([fmean(judged.par[end - size : end]) for end, size in zip(ends, schedule.seats, strict=True)])
        return among_won(par, self.won, judged)

    @cached_property
    def won(self) -> float:
        """The share of the games that somebody won."""
        schedule, won = self.scores.schedule, sum(int(wins.sum()) for wins in self.scores.wins)
        return won / (self.scores.spec.judged.parts * schedule.deals * sum(schedule.turns))

    @cached_property
    def sums(self) -> Floats:
        """Sums over deals of the win share per seat divided by par, shape (blocks, cells)."""
        schedule, wins = self.scores.schedule, self.scores.wins
        place = {(table, one): number for number, (table, one, _) in enumerate(self.cells)}
        seats = np.array([count for *_, count in self.cells])
        most = lcm(*schedule.turns)
        found = np.zeros((len(self.scores.deals), len(self.cells)))
        for number, (table, ring, weight) in enumerate(schedule.orders):
            for one in set(ring):
                here = self.lineups[number] == one
                scale = weight * (most // schedule.turns[number])
                found[:, place[table, one]] += scale * wins[number][:, here].sum(axis=1)
        par = np.array([self.par[schedule.role_of[one]] for _, one, _ in self.cells])
        return np.asarray(found / seats / (self.scores.spec.judged.parts * (most * par)))

    def amount(self, value: Floats | float) -> Floats:
        """Return the payoffs that values of cells stand for, in a game that is played for a payoff."""
        return np.asarray(self.scores.spec.judged.amount(value * self.par[0]))

    def distance(self, value: Floats | float) -> Floats:
        """Return the differences of payoffs that differences of values stand for."""
        return np.asarray(self.scores.spec.judged.distance(value * self.par[0]))

    def label(self, number: int) -> str:
        """Return who sits together at a table, as text."""
        schedule, names, roles = self.scores.schedule, self.scores.names, self.scores.spec.game.role_names
        table = schedule.tables[number]

        def told(members: Sequence[int]) -> str:
            counts = {one: members.count(one) for one in members}
            return " + ".join(f"{count} {names[one]}" if count > 1 else names[one] for one, count in counts.items())

        if len(schedule.sizes) == 1:
            return told(table)
        parts = [[one for one in table if schedule.role_of[one] == role] for role in range(len(roles))]
        return ", ".join(f"{role}={told(part)}" for role, part in zip(roles, parts, strict=True))

    @property
    def deals(self) -> int:
        """Number of deals at every table."""
        return self.scores.schedule.deals

    @cached_property
    def value(self) -> Floats:
        """The mean of every cell; 1 is par."""
        return self.mean(np.ones(len(self.sums)))

    @cached_property
    def errors(self) -> Floats:
        """The standard errors, with blocks of deals as the unit; NaN with a single block."""
        blocks, deals = len(self.sums), self.scores.deals
        if blocks < 2:
            return np.full(len(self.cells), np.nan)
        off = self.sums - deals[:, None] * self.value
        return np.asarray(np.sqrt((off**2).sum(axis=0) * blocks / (blocks - 1)) / deals.sum())

    @cached_property
    def most(self) -> Floats:
        """The largest possible value of each cell, divided by par: all the wins of its table, or the largest payoff."""
        par = np.array([self.par[self.scores.schedule.role_of[one]] for _, one, _ in self.cells])
        if self.scores.spec.judged.is_payoff:
            return np.asarray(1 / par)
        return np.asarray(1 / (par * np.array([seats for *_, seats in self.cells])))

    def ends(self, cells: Sequence[int] | slice, level: float, family: int = 1) -> tuple[Floats, Floats]:
        """Return low and high ends of some cells, also valid near 0, near all the wins, and for few deals."""
        constant = with_few(bonferroni(level, family), len(self.sums))
        most = self.most[cells]
        low, high = share_interval(self.value[cells] / most, self.errors[cells] / most, self.deals, constant)
        return low * most, high * most

    def combined_ends(self, weights: Floats, level: float, family: int = 1) -> tuple[Floats, Floats]:
        """Return low and high ends for weighted means, each of cells of one role; see `ends`."""
        value, se = self.combined(weights)
        most = np.where(weights > 0, self.most, 0.0).max(axis=1)
        constant = with_few(bonferroni(level, family), len(self.sums))
        low, high = share_interval(value / most, se / most, self.deals, constant)
        return low * most, high * most

    def mean(self, weight: Floats) -> Floats:
        """Return the mean of every cell if each block has a weight."""
        return np.asarray(weight @ self.sums / (weight @ self.scores.deals))

    @cached_property
    def others(self) -> tuple[tuple[int, ...], ...]:
        """Numbers of others in the empirical game, by role, from each role's view; one may stand for a whole role."""
        schedule, roles = self.scores.schedule, range(len(self.scores.schedule.seats))
        counts = [[count - (own == role) for own, count in enumerate(schedule.seats)] for role in roles]
        return tuple(tuple(count if schedule.design == "all" else min(count, 1) for count in row) for row in counts)

    @cached_property
    def _places(self) -> tuple[NDArray[np.int64], ...]:
        """For each role, the cell of each payoff of the game, shape (strategies, ways of the others)."""
        schedule, found = self.scores.schedule, []
        role_of = np.array(schedule.role_of)
        for role, counts in enumerate(self.others):
            real = np.array([count - (own == role) for own, count in enumerate(schedule.seats)])
            scale = (real // np.maximum(counts, 1))[role_of]
            ways = (profiles(schedule.sizes, counts) * scale).tolist()
            own = np.flatnonzero(role_of == role).tolist()
            places = [[self._place.get((_table(way, one), one), PAR) for way in ways] for one in own]
            found.append(np.array(places, np.int64))
        return tuple(found)

    @property
    def depth(self) -> int:
        """Number of players of the empirical game, where a group that plays the same strategy counts as one."""
        return max(sum(counts) for counts in self.others) + 1

    def game(self, value: Floats | None = None) -> RoleGame:
        """Return the empirical game, from the means of all blocks or from given means."""
        cells = np.append(self.value if value is None else value, 1.0)
        return RoleGame([cells[places] for places in self._places], self.others)

    def alone(self, one: int, other: int, rest: Sequence[int] = ()) -> int:
        """Return the cell of one strategy alone against others of its role that play another; `PAR` if they are equal.

        one, other: Two strategies of one role, which may be the same.
        rest: In a game with several roles: one strategy for each role; that of the same role is ignored.
        """
        schedule, role = self.scores.schedule, self.scores.schedule.role_of[one]
        table: list[int] = []
        for number, count in enumerate(schedule.seats):
            table += sorted((one, *[other] * (count - 1))) if number == role else [rest[number]] * count
        return self._place.get((tuple(table), one), PAR)

    @cached_property
    def _place(self) -> dict[tuple[Sequence[int], int], int]:
        tables = self.scores.schedule.tables
        return {(tables[table], one): number for number, (table, one, _) in enumerate(self.cells)}

    def backgrounds(self, role: int) -> list[tuple[int, ...]]:
        """Return all ways in which each other role plays one strategy; the role itself gets its first strategy."""
        schedule, first = self.scores.schedule, 0
        groups = []
        for number, size in enumerate(schedule.sizes):
            groups.append(range(first, first + (1 if number == role else size)))
            first += size
        return list(product(*groups))

    def combined(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return weighted sums of cells, and their standard errors; the weights have the shape (sums, cells)."""
        blocks, deals = len(self.sums), self.scores.deals
        value = weights @ self.value
        if blocks < 2:
            return value, np.full(len(weights), np.nan)
        off = (self.sums - deals[:, None] * self.value) @ weights.T
        return value, np.asarray(np.sqrt((off**2).sum(axis=0) * blocks / (blocks - 1)) / deals.sum())


def _table(others: Sequence[int], one: int) -> tuple[int, ...]:
    """Return who sits together, in ascending order."""
    counts = [count + (number == one) for number, count in enumerate(others)]
    return tuple(number for number, count in enumerate(counts) for _ in range(count))


# --- Estimates for each strategy of a tournament, from payoffs and from resampled deals ---


PLAYED = 0.005
"""Share below which an equilibrium counts as not playing a strategy."""


def strengths(payoffs: Payoffs, level: float) -> tuple[dict[str, object], Fit, list[Note]]:
    """Return strengths by conditional logit with standard errors from deals, the fit, and any problems.

    A payoff has no such model.  There, it is what a strategy gains alone at tables of each other one, on average.
    """
    scores, schedule = payoffs.scores, payoffs.scores.schedule
    if scores.spec.judged.is_payoff:
        value, se = payoffs.combined(lines := _meetings(payoffs))
        low, high = payoffs.combined_ends(lines, level)
        return {"payoff": value, "payoff_se": se, "payoff_low": low, "payoff_high": high}, Fit((), level), []
    lineups = np.concatenate(payoffs.lineups)
    seats = np.broadcast_to(np.arange(schedule.players), lineups.shape)
    model = Model(lineups, schedule.sizes, np.ascontiguousarray(seats), [schedule.players])
    wins = np.concatenate(scores.wins, axis=1) / scores.spec.game.share_unit
    try:
        fit = model.fit(wins.sum(axis=0))
    except Separated:
        nothing = np.full(len(scores.names), np.nan)
        empty = interval("strength", nothing, nothing, nothing) | even_table(payoffs, level, None)
        return empty, Fit((), level), [Note("no_strengths")]
    slopes = model.scores(fit, wins)
    blocks = len(slopes)
    off = slopes - slopes.mean(axis=0)
    spread_of = fit.covariance @ (off.T @ off * blocks / max(blocks - 1, 1)) @ fit.covariance
    variance = np.maximum(np.diag(spread_of)[: len(scores.names)], 0)
    se = np.sqrt(variance) if blocks > 1 else np.full(len(variance), np.nan)
    test = Fit(_cells(payoffs, model.chances(model.reduce(fit))), level)
    even = np.exp(fit.strength - fit.strength.max())
    by_model = None if test.rejected else even / even.sum()
    found = interval("strength", fit.strength, se, pointwise(level, blocks))
    return found | even_table(payoffs, level, by_model), test, []


def _meetings(payoffs: Payoffs) -> Floats:
    """Return the weights of cells in what each strategy gets alone at tables of every other one, on average."""
    size = payoffs.scores.schedule.strategies
    found = np.zeros((size, len(payoffs.cells)))
    for one in range(size):
        for other in range(size):
            if one != other:
                found[one, payoffs.alone(one, other)] += 1 / (size - 1)
    return found


def even_table(payoffs: Payoffs, level: float, by_model: Floats | None) -> dict[str, object]:
    """Return the win shares at the table with one of each: as played, or by the model if it holds, or nothing."""
    schedule = payoffs.scores.schedule
    nothing = np.full(schedule.strategies, np.nan)
    share, low, high, by = nothing, nothing, nothing, pl.Series([None] * schedule.strategies, dtype=pl.String)
    table = tuple(range(schedule.strategies))
    if len(schedule.sizes) == 1 and schedule.strategies == schedule.players:
        if table in schedule.tables:
            at = schedule.tables.index(table)
            cells = [number for number, (played, *_) in enumerate(payoffs.cells) if played == at]
            share, (low, high) = payoffs.value[cells], payoffs.ends(cells, level, schedule.strategies)
            share, low, high = (ends * payoffs.par[0] for ends in (share, low, high))
            by = pl.Series(["played"] * schedule.strategies)
        elif by_model is not None:
            share, by = by_model, pl.Series(["model"] * schedule.strategies)
    return {"even_share": share, "even_low": low, "even_high": high, "even_by": by}


def _cells(payoffs: Payoffs, chance: Floats) -> list[Residual]:
    """Return each strategy's wins at each table, as seen and as expected, with errors from blocks of deals."""
    schedule, scores = payoffs.scores.schedule, payoffs.scores
    blocks, unit = len(payoffs.sums), scores.spec.game.share_unit
    off = np.zeros((blocks, len(payoffs.cells)))
    won, due, games = (np.zeros(len(payoffs.cells)) for _ in range(3))
    place = {(table, one): at for at, (table, one, _) in enumerate(payoffs.cells)}
    first = 0
    for number, (table, ring, _) in enumerate(schedule.orders):
        wins, seated = scores.wins[number] / unit, payoffs.lineups[number]
        expected = wins.sum(axis=2, keepdims=True) * chance[first : first + len(seated)]
        first += len(seated)
        for one in set(ring):
            at, here = place[table, one], seated == one
            seen, model = wins[:, here].sum(axis=1), expected[:, here].sum(axis=1)
            off[:, at] += seen - model
            won[at], due[at] = won[at] + seen.sum(), due[at] + model.sum()
            games[at] += schedule.deals * len(seated)
    spread = np.sqrt(off.var(axis=0, ddof=1) * blocks) if blocks >= MIN_DEALS else np.full(len(won), np.nan)
    z = in_errors(off.sum(axis=0), spread, games)
    return [
        Residual(payoffs.label(table), scores.names[one], won[at] / games[at], due[at] / games[at], float(z[at]))
        for at, (table, one, _) in enumerate(payoffs.cells)
    ]


@dataclass(frozen=True)
class Redrawn:
    """Estimates from resampled deals, one row for each resample."""

    mixes: Floats
    ranks: Floats
    gone: Floats


def redraw(
    payoffs: Payoffs, gone: list[Elimination], resamples: int, seed: int, tick: Callable[[float], None]
) -> Redrawn:
    """Return the estimates from resampled deals."""
    blocks, size = len(payoffs.sums), payoffs.scores.schedule.strategies
    chance = np.random.Generator(np.random.PCG64(seed))
    mixes, ranks, still = [], [], []
    for number in range(resamples if blocks >= MIN_DEALS else 0):
        tick(number / resamples)
        game = payoffs.game(payoffs.mean(chance.multinomial(blocks, np.full(blocks, 1 / blocks)).astype(np.float64)))
        mixes.append(equilibrium(game).shares)
        ranks.append(alpha_rank(game))
        still.append(_still(game, gone))
    found = (
        np.array(rows).reshape(len(rows), width) for rows, width in ((mixes, size), (ranks, size), (still, len(gone)))
    )
    return Redrawn(*found)


def _still(game: RoleGame, gone: list[Elimination]) -> list[bool]:
    """Return whether each elimination also holds in another game, together with all those of earlier rounds."""
    found: list[bool] = []
    for item in gone:
        earlier = {other.strategy: held for other, held in zip(gone, found, strict=False) if other.round < item.round}
        kept = np.setdiff1d(np.arange(game.strategies), list(earlier))
        left = game.among(kept)
        now = all(earlier.values()) and dominator(left, int(np.searchsorted(kept, item.strategy)))[1] > DUST
        found.append(bool(now))
    return found


def spread(name: str, value: Floats, redrawn: Floats, level: float) -> dict[str, Floats]:
    """Return an estimate and the interval of its resamples; NaN if there are none."""
    low, high = np.full(len(value), np.nan), np.full(len(value), np.nan)
    if len(redrawn):
        low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return {name: value, f"{name}_low": low, f"{name}_high": high}


def exploited(payoffs: Payoffs, mix: Floats, level: float) -> dict[str, object]:
    """Return what the best reply to each strategy wins more, with an interval that allows for choosing the best reply.

    In a game with several roles, each other role plays one strategy, drawn from the mix.
    """
    schedule, names = payoffs.scores.schedule, payoffs.scores.names
    family = max(schedule.sizes) - 1
    if len(schedule.sizes) == 1:
        value, se = np.append(payoffs.value, 1.0), np.append(payoffs.errors, 0.0)
        low, high = (np.append(ends, 1.0) for ends in payoffs.ends(slice(None), level, family))
        cells = np.array([[payoffs.alone(one, other) for one in range(len(names))] for other in range(len(names))])
        best = value[cells].argmax(axis=1)
        own = cells[np.arange(len(names)), best]
        return {
            "best_reply": [names[reply] for reply in best.tolist()],
            "exploitable": value[own] - 1,
            "exploitable_se": se[own],
            "exploitable_low": low[own] - 1,
            "exploitable_high": high[own] - 1,
        }
    replies, taken, given = [], [], []
    for other, role in enumerate(schedule.role_of):
        own = [one for one, group in enumerate(schedule.role_of) if group == role]
        weights = np.array([weights_of(payoffs, one, other, mix) for one in own])
        best = int((weights @ payoffs.value).argmax())
        replies.append(names[own[best]])
        taken.append(weights[best])
        given.append(weights[own.index(other)])
    reply, stays = np.array(taken), np.array(given)
    value, se = payoffs.combined(reply - stays)
    one, two = ((payoffs.combined(lines)[0], *payoffs.combined_ends(lines, level, family)) for lines in (reply, stays))
    ends = difference_interval(one, two, se, pointwise(level, len(payoffs.sums), family))
    itself = (reply == stays).all(axis=1)  # nobody does better than the strategy itself
    low, high = (np.where(itself & np.isfinite(end), 0.0, end) for end in ends)
    return {
        "best_reply": replies,
        "exploitable": value,
        "exploitable_se": se,
        "exploitable_low": low,
        "exploitable_high": high,
    }


def weights_of(payoffs: Payoffs, one: int, other: int, mix: Floats) -> Floats:
    """Return the weight of each cell in what one strategy wins alone against others of its role that play another.

    Each other role plays one strategy in all its seats, with the probabilities of the mix.
    """
    role = payoffs.scores.schedule.role_of[one]
    found = np.zeros(len(payoffs.cells))
    for rest in payoffs.backgrounds(role):
        chance = np.prod([mix[played] for number, played in enumerate(rest) if number != role])
        found[payoffs.alone(one, other, rest)] += chance
    return np.asarray(found)


def dominated(payoffs: Payoffs, gone: list[Elimination], still: Floats) -> dict[str, object]:
    """Return which strategies are dominated, by what, and in which share of the resamples that holds."""
    names, size = payoffs.scores.names, payoffs.scores.schedule.strategies
    by, margin, often = [""] * size, np.full(size, np.nan), np.full(size, np.nan)
    rounds: list[int | None] = [None] * size
    for place, item in enumerate(gone):
        by[item.strategy] = _mixture(names, item.by)
        margin[item.strategy], rounds[item.strategy] = item.margin, item.round
        often[item.strategy] = still[:, place].mean() if len(still) else np.nan
    return {"dominated_by": by, "margin": margin, "round": pl.Series(rounds, dtype=pl.Int32), "dominated_often": often}


def _mixture(names: tuple[str, ...], shares: Floats) -> str:
    """Return a mix as text: one strategy's name, or names with percentages."""
    played = [one for one in np.argsort(-shares, kind="stable").tolist() if shares[one] > PLAYED]
    if len(played) == 1:
        return str(names[played[0]])
    return ", ".join(f"{names[one]} {shares[one]:.0%}" for one in played)


def elsewhere(payoffs: Payoffs) -> float:
    """Return the regret of a mix on other deals than those it was computed from; NaN with fewer than two blocks."""
    blocks = len(payoffs.sums)
    if blocks < 2:
        return float("nan")
    first = (np.arange(blocks) % 2 == 0).astype(np.float64)
    one, other = payoffs.game(payoffs.mean(first)), payoffs.game(payoffs.mean(1 - first))
    return (other.regret(equilibrium(one).shares) + one.regret(equilibrium(other).shares)) / 2


# --- The result of a tournament: who is strong, who beats whom, what is dominated, and an equilibrium ---


# --- The verdicts of a tournament: who is strongest, what is dominated, and which mix is stable ---


OFTEN = 0.95
"""Share of resamples in which something must hold so that it is not put down to chance."""


def verdicts_on(table: pl.DataFrame, scores: Scores, regret: float, fit: Fit, level: float) -> tuple[Verdict, ...]:
    """Return the verdicts on the table of strategies."""
    players, deals = scores.schedule.players, scores.schedule.deals
    if deals < MIN_DEALS:
        return (Verdict("tournament_unknown", "unknown", {"deals": deals}),)
    by_role = "role" in table.columns
    judged = scores.spec.judged
    if by_role:
        said = _by_role_verdicts(table, scores, regret, level)
    else:
        said = _best(table, scores.schedule, level, judged.unit) + _stable(table, scores.schedule, regret, judged.unit)
    if fit.rejected:
        said.append(Verdict("tournament_misfit", "fact", fit.values | {"players": players}))
    for code, which in (
        ("tournament_dominated", pl.col("round") == 1),
        ("tournament_dominated_in_turn", pl.col("round") > 1),
    ):
        sure = table.filter(pl.col("dominated_often") >= 1 - (1 - OFTEN) / len(table), which)
        if len(sure):
            gone = sure.select(pl.format("{}={}", "role", "strategy") if by_role else "strategy").to_series()
            said.append(Verdict(code, "fact", {"dominated": ", ".join(gone), "players": players}))
    return tuple(said)


def _strongest(table: pl.DataFrame, schedule: Schedule, level: float, column: str = "strength") -> Pick | None:
    """Return which strategies may be the strongest; None if there are no strengths."""
    known = table.drop_nulls(column).with_columns(deals=pl.lit(schedule.deals))
    return pick(known, column, "strategy", level)


def _best(table: pl.DataFrame, schedule: Schedule, level: float, unit: str) -> list[Verdict]:
    """Return the verdicts on who is strongest, for a game with one role."""
    said, players = [], schedule.players
    if best := _strongest(table, schedule, level, "payoff" if unit else "strength"):
        values = {
            "best": best.names,
            "example": best.row["strategy"],
            "strategies": len(table),
            "players": players,
            "deals": schedule.deals,
            **best.ends("strength"),
        }
        if unit:
            amounts = as_amounts({name: values[name] for name in ("strength", "low", "high")}, best.row["payoff_se"])
            return [Verdict("tournament_payoff_best", "fact", values | amounts | {"unit": unit})]
        said.append(Verdict(f"tournament_best_{schedule.design.replace('-', '_')}", "fact", values))
    even = table.sort("even_share", descending=True, nulls_last=True).row(0, named=True)
    if even["even_by"]:
        values = {"best": even["strategy"], "even": even["even_share"], "players": players}
        code = f"tournament_even_{even['even_by']}"
        if even["even_by"] == "played":
            columns = (table[name].to_list() for name in ("strategy", "even_share", "even_low", "even_high"))
            names = overlapping(*columns)
            values |= {"low": even["even_low"], "high": even["even_high"], "names": names}
            code += "_level" if len(names) > 1 else ""
        said.append(Verdict(code, "fact", values))
    return said


def _stable(table: pl.DataFrame, schedule: Schedule, regret: float, unit: str) -> list[Verdict]:
    """Return the verdict on the equilibrium, for a game with one role."""
    said, players = [], schedule.players
    mix = table.filter(pl.col("mix") > PLAYED).sort("mix", descending=True)
    if len(mix) == 1:
        said.append(Verdict("tournament_pure", "fact", {"best": mix["strategy"][0], "players": players}))
    else:
        played = ", ".join(f"{row['strategy']} {row['mix']:.0%}" for row in mix.iter_rows(named=True))
        told: dict[str, Any] = {"mix": played, "players": players, "regret": regret}
        if unit:
            told |= {"regret": Amount.of(regret, abs(regret) / 10), "unit": unit}
        said.append(Verdict("tournament_payoff_mix" if unit else "tournament_mix", "fact", told))
    return said


def _by_role_verdicts(table: pl.DataFrame, scores: Scores, regret: float, level: float) -> list[Verdict]:
    """Return the verdicts for a game with several roles."""
    players, pure = scores.schedule.players, True
    said, played = [], []
    for role in scores.spec.game.roles:
        own = table.filter(pl.col("role") == role.name)
        best = _strongest(own, scores.schedule, level)
        if len(own) > 1 and best:
            values = {
                "role": role.title,
                "best": best.names,
                "example": best.row["strategy"],
                "strategies": len(own),
                "players": players,
                **best.ends("strength"),
                "wins": best.row["par_normalised"],
                "deals": scores.schedule.deals,
            }
            said.append(Verdict("tournament_role_best", "fact", values))
        mix = own.filter(pl.col("mix") > PLAYED).sort("mix", descending=True)
        pure = pure and len(mix) == 1
        shares = (f"{row['strategy']} {row['mix']:.0%}" for row in mix.iter_rows(named=True))
        played.append(f"{role.name}={mix['strategy'][0] if len(mix) == 1 else ' + '.join(shares)}")
    told: dict[str, Any] = {"mix": ", ".join(played), "players": players}
    if pure:
        return [*said, Verdict("tournament_role_pure", "fact", told)]
    return [*said, Verdict("tournament_role_mix", "fact", told | {"regret": regret})]


# --- The result of a tournament: who is strong, who beats whom, what is dominated, and an equilibrium ---


RESAMPLES = 200


@dataclass(frozen=True, eq=False, repr=False)
class Tournament(Result):
    """Strategies that play each other, at one number of players.

    table: One row for each strategy, strongest first: `strength` with standard error and interval from deals (0 is the
        mean of all); `even_share`, its win share at the table with one of each, and `even_by`, "played", or "model" if
        no such table was played and the data do not reject the model (otherwise, and if tables have another number of
        seats, both are null); `mix`, its share in a symmetric equilibrium, and `alpha_rank`, each with the interval of
        resampled deals; `exploitable`, what the `best_reply` wins above par, divided by par, if all others play the
        strategy; `dominated_by`, empty if it is not dominated, with the `margin` divided by par, the `round` of the
        elimination, and the share of resamples in which that holds (`dominated_often`).  With several roles, each row
        names its `role`; strengths are relative to the mean of the role, mixes and ranks sum to 1 in each role, par is
        that of the role, and `par_normalised` is what the strategy wins if its whole role plays it. In a game that is
        played for a payoff, there is neither strength nor even table; instead, `payoff` is what a strategy gains a
        game, alone at tables of each other one, on average.  All amounts are in the payoff's unit, also where `payoff`
        takes the place of `par_normalised` in the other tables.
    """

    versus: pl.DataFrame
    """One row for each ordered pair: `par_normalised`, the wins divided by par of one strategy alone at a table of the
    other.  With several roles, it is one strategy alone against others of its role that play the other strategy, or a
    strategy that its whole role plays while the whole role `against` plays the other; all other strategies have equal
    weights."""
    fit: pl.DataFrame
    """One row for each table and strategy: wins per game as `seen` and as `expected` by the model of strengths, and
    their difference in standard errors (`z`)."""
    companies: pl.DataFrame  # one row for each table and strategy there: wins per seat divided by par
    regret: float  # what the best reply in the set wins more than the equilibrium mix, divided by par
    regret_elsewhere: float
    """The same if the mix is computed from one half of the deals and the replies from the other; mean of both ways."""
    depth: int  # number of players of the empirical game; 2 if it is made from tables at which all others play the same
    unit: str = ""  # the payoff's unit; empty if the strategies are judged by their wins
    par: float = 0.0  # what a seat is meant to gain, in that unit

    @property
    def order(self) -> list[str]:
        """The strategies, strongest first."""
        return list(self.table["strategy"])


def judge(
    scores: Scores,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
    tick: Callable[[float], None] = lambda share: None,
) -> Tournament:
    """Analyse the outcomes of a tournament.

    level: Confidence level of each interval.
    tick: Function that is called from time to time with the progress from 0 to 1.
    """
    check_level(level)
    payoffs = Payoffs(scores)
    spec, schedule, notes = scores.spec, scores.schedule, []
    label = f"{spec.game.title}, {schedule.players} players, {len(schedule.tables)} tables"
    inputs = inputs_of(spec, schedule.games, schedule.deals, label)
    inputs = replace(inputs, strategies=scores.names, design=schedule.design)
    if scores.schedule.deals < MIN_DEALS:
        notes.append(Note("table_few_deals", {"deals": scores.schedule.deals, "least": MIN_DEALS}))
    if some_unwon(payoffs.won, spec.judged):
        notes.append(Note("tables_unwon", {"share": 1 - payoffs.won}))
    strength, fit, problems = strengths(payoffs, level)
    if schedule.chosen:
        code = "auto_all" if schedule.design == "all" else "auto_one_vs_rest"
        notes.append(Note(code, {"games": schedule.games, "needed": schedule.chosen}))
    game = payoffs.game()
    mix, ranks, gone = equilibrium(game), alpha_rank(game), eliminate(game)
    redrawn = redraw(payoffs, gone, resamples, seed, tick)
    columns = {
        "strategy": list(scores.names),
        **_by_role(payoffs, level),
        **strength,
        **spread("mix", mix.shares, redrawn.mixes, level),
        **spread("alpha_rank", ranks, redrawn.ranks, level),
        **exploited(payoffs, mix.shares, level),
        **dominated(payoffs, gone, redrawn.gone),
    }
    if np.isnan(ranks).any():
        notes.append(Note("no_alpha_rank", {"most": MOST_STATES}))
    judged = scores.spec.judged
    by = ["alpha_rank", "mix"] if problems else ["payoff"] if judged.is_payoff else ["strength"]
    table = in_amounts(tidy(pl.DataFrame(columns)), payoffs).sort(by, descending=True, nulls_last=True)
    if "role" in table.columns:
        numbers = {role: number for number, role in enumerate(scores.spec.game.role_names)}
        table = table.sort(pl.col("role").replace_strict(numbers, return_dtype=pl.Int32), maintain_order=True)
    held_out, regret = elsewhere(payoffs), mix.regret
    if judged.is_payoff:
        held_out, regret = (float(payoffs.distance(value)) for value in (held_out, regret))
    verdicts = verdicts_on(table, scores, held_out, fit, level)
    notes += problems
    return Tournament(
        (inputs,),
        level,
        table,
        verdicts,
        tuple(notes),
        in_amounts(_versus(payoffs, level), payoffs),
        fit.table(),
        in_amounts(_companies(payoffs, level), payoffs),
        regret,
        held_out,
        payoffs.depth,
        judged.unit,
        float(payoffs.amount(1.0)) if judged.is_payoff else 0.0,
    )


def in_amounts(table: pl.DataFrame, payoffs: Payoffs) -> pl.DataFrame:
    """Return a table with amounts instead of parts of par, if the game is played for a payoff."""
    if not payoffs.scores.spec.judged.is_payoff:
        return table
    means, apart = [], ["margin", "exploitable", "exploitable_se", "exploitable_low", "exploitable_high"]
    for name in ("payoff", "par_normalised"):
        means += [f"{name}{end}" for end in ("", "_low", "_high")]
        apart.append(f"{name}_se")
    known = table.drop("share", strict=False)
    return (
        known.with_columns(
            *(pl.Series(name, payoffs.amount(known[name].to_numpy())) for name in means if name in known.columns),
            *(pl.Series(name, payoffs.distance(known[name].to_numpy())) for name in apart if name in known.columns),
        )
        .rename(lambda name: name.replace("par_normalised", "payoff"))
        .with_columns(pl.selectors.float().fill_nan(None))
    )


def _by_role(payoffs: Payoffs, level: float) -> dict[str, object]:
    """Return the role of each strategy, and what it wins if its whole role plays it; nothing with one role."""
    schedule, names = payoffs.scores.schedule, payoffs.scores.spec.game.role_names
    if len(schedule.sizes) == 1:
        return {}
    even = np.repeat(1 / np.array(schedule.sizes), schedule.sizes)
    lines = np.array([weights_of(payoffs, one, one, even) for one in range(schedule.strategies)])
    roles = [names[role] for role in schedule.role_of]
    return {"role": roles, **_means(payoffs, lines, level)}


def _means(payoffs: Payoffs, weights: Floats, level: float) -> dict[str, Floats]:
    """Return weighted means, each of cells of one role, with intervals of shares."""
    value, se = payoffs.combined(weights)
    low, high = payoffs.combined_ends(weights, level)
    return {"par_normalised": value, "par_normalised_se": se, "par_normalised_low": low, "par_normalised_high": high}


def _versus(payoffs: Payoffs, level: float) -> pl.DataFrame:
    schedule, names, roles = payoffs.scores.schedule, payoffs.scores.names, payoffs.scores.spec.game.role_names
    pairs = [(one, other) for one in range(schedule.strategies) for other in range(schedule.strategies) if one != other]
    if len(schedule.sizes) == 1:
        shares = _shares(payoffs, [payoffs.alone(one, other) for one, other in pairs], level)
    else:
        pairs = [
            pair
            for pair in pairs
            if schedule.role_of[pair[0]] != schedule.role_of[pair[1]] or schedule.seats[schedule.role_of[pair[0]]] > 1
        ]
        shares = _means(payoffs, np.array([_meeting(payoffs, *pair) for pair in pairs]), level)
    of = [(roles[schedule.role_of[one]], roles[schedule.role_of[other]]) for one, other in pairs]
    return pl.DataFrame(
        {
            **(
                {"role": [one for one, _ in of], "against": [other for _, other in of]}
                if len(schedule.sizes) > 1
                else {}
            ),
            "strategy": [names[one] for one, _ in pairs],
            "opponent": [names[other] for _, other in pairs],
            "deals": [payoffs.deals] * len(pairs),
            **shares,
        }
    )


def _meeting(payoffs: Payoffs, one: int, other: int) -> Floats:
    """Return the weight of each cell in what a strategy wins from another, of its own role or of a different one."""
    schedule = payoffs.scores.schedule
    even = np.repeat(1 / np.array(schedule.sizes), schedule.sizes)
    if schedule.role_of[one] == schedule.role_of[other]:
        return weights_of(payoffs, one, other, even)
    sure = np.where(np.array(schedule.role_of) == schedule.role_of[other], 0.0, even)
    sure[other] = 1.0
    return weights_of(payoffs, one, one, sure)


def _companies(payoffs: Payoffs, level: float) -> pl.DataFrame:
    schedule, names, roles = payoffs.scores.schedule, payoffs.scores.names, payoffs.scores.spec.game.role_names
    labels = [payoffs.label(number) for number in range(len(schedule.tables))]
    turns = np.bincount([number for number, _, _ in schedule.orders], schedule.turns).astype(int)
    par = np.array([payoffs.par[schedule.role_of[one]] for _, one, _ in payoffs.cells])
    played = [roles[schedule.role_of[one]] for _, one, _ in payoffs.cells]
    return pl.DataFrame(
        {
            "players": [schedule.players] * len(payoffs.cells),
            "company": [labels[table] for table, _, _ in payoffs.cells],
            **({"role": played} if len(schedule.sizes) > 1 else {}),
            "strategy": [names[one] for _, one, _ in payoffs.cells],
            "seats": [seats for _, _, seats in payoffs.cells],
            "deals": [schedule.deals] * len(payoffs.cells),
            "games": [int(schedule.deals * turns[table]) for table, _, _ in payoffs.cells],
            "share": payoffs.value / (1 / par),
            **_shares(payoffs, slice(None), level),
        }
    )


def _shares(payoffs: Payoffs, cells: Sequence[int] | slice, level: float) -> dict[str, Floats]:
    """Return wins over par of some cells, with their intervals."""
    low, high = payoffs.ends(cells, level)
    value, se = payoffs.value[cells], payoffs.errors[cells]
    return {"par_normalised": value, "par_normalised_se": se, "par_normalised_low": low, "par_normalised_high": high}
