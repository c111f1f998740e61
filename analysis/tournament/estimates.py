"""Estimates for each strategy of a tournament, from payoffs and from resampled deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.results import Note, interval
from analysis.metagame import Elimination, RoleGame, alpha_rank, equilibrium
from analysis.metagame.dominance import DUST, dominator
from analysis.ratings.fit import Fit, Residual, in_errors
from analysis.stats.intervals import difference_interval, pointwise
from analysis.stats.logit import Model, Separated
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.tournament.payoffs import Payoffs

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
