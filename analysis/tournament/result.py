"""What a tournament says: who is strong, who beats whom, what is dominated, and what nobody gains by leaving."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from analysis.data.results import Inputs, Note, Result, Verdict, interval, tidy
from analysis.metagame import alpha_rank, eliminate, equilibrium
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.moments import MIN_DEALS
from analysis.tournament.estimates import PLAYED, dominated, elsewhere, exploited, redraw, spread, strengths
from analysis.tournament.payoffs import Payoffs
from analysis.tournament.playing import Scores

RESAMPLES = 200
OFTEN = 0.95
"""Share of resamples in which something must hold to be said of the game and not of chance."""


@dataclass(frozen=True, eq=False)
class Tournament(Result):
    """Strategies at tables with each other, at one number of players.

    Parameters
    ----------
    table
        One row a strategy, strongest first: `strength` with its error and interval from deals (0 is the mean of all),
        `even_share`, its win share at a table with one of each; `mix`, its share in a symmetric equilibrium, and
        `alpha_rank`, each with the interval of resampled deals; `exploitable`, what the `best_reply` wins above par,
        in shares of par, where all others play the strategy; `dominated_by`, empty where nothing does, the `margin`
        in shares of par, the `round` in which it goes, and in what share of resamples that holds (`dominated_often`).
    versus
        One row a pair, both ways round: `par_normalised`, wins over par of one strategy alone at a table of the other.
    tables
        One row a table and strategy there: wins a seat over par.
    regret
        What the best reply in the set wins above the equilibrium mix, in shares of par.
    regret_elsewhere
        The same where the mix comes from one half of the deals and the replies from the other; mean of both ways.
    depth
        Players of the empirical game: 2 where it is made from tables at which all others play alike.
    """

    versus: pl.DataFrame
    companies: pl.DataFrame
    regret: float
    regret_elsewhere: float
    depth: int

    @property
    def order(self) -> list[str]:
        """Strategies, strongest first."""
        return list(self.table["strategy"])


def judge(
    scores: Scores,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
    tick: Callable[[float], None] = lambda share: None,
) -> Tournament:
    """Return what a tournament says.

    Parameters
    ----------
    scores
        What was played.
    level
        Confidence level of each interval.
    resamples
        Bootstrap resamples of the deals.
    seed
        Of the resampling.
    tick
        Called now and then with how far it is, from 0 to 1.
    """
    check_level(level)
    payoffs = Payoffs(scores)
    inputs, notes = _inputs(scores), []
    if scores.plan.deals < MIN_DEALS:
        notes.append(Note("table_few_deals", {"deals": scores.plan.deals, "least": MIN_DEALS}))
    strength, problems = strengths(payoffs, level)
    game = payoffs.game()
    mix, ranks, gone = equilibrium(game), alpha_rank(game), eliminate(game)
    redrawn = redraw(payoffs, gone, resamples, seed, tick)
    columns = {
        "strategy": list(scores.names),
        **strength,
        **spread("mix", mix.shares, redrawn.mixes, level),
        **spread("alpha_rank", ranks, redrawn.ranks, level),
        **exploited(payoffs, level),
        **dominated(payoffs, gone, redrawn.gone),
    }
    by = ["strength"] if not problems else ["alpha_rank", "mix"]
    table = tidy(pl.DataFrame(columns)).sort(by, descending=True, nulls_last=True)
    held_out = elsewhere(payoffs)
    verdicts = _verdicts(table, scores, held_out)
    notes += problems
    return Tournament(
        (inputs,), level, table, verdicts, tuple(notes), _versus(payoffs, level), _companies(payoffs, level),
        mix.regret, held_out, payoffs.depth,
    )  # fmt: skip


def _inputs(scores: Scores) -> Inputs:
    spec, plan = scores.spec, scores.plan
    return Inputs(
        f"{spec.game.title}, {plan.players} players, {len(plan.tables)} tables", spec.game.name, plan.players,
        scores.names, plan.design, spec.seed, spec.rules.name, spec.rules.digest, spec.rules.settings, "minimal",
        plan.games, plan.deals, 0, plan.games,
    )  # fmt: skip


def _versus(payoffs: Payoffs, level: float) -> pl.DataFrame:
    names, size = payoffs.scores.names, payoffs.scores.plan.strategies
    pairs = [(one, other) for one in range(size) for other in range(size) if one != other]
    cells = [payoffs.alone(one, other) for one, other in pairs]
    return pl.DataFrame({
        "strategy": [names[one] for one, _ in pairs],
        "opponent": [names[other] for _, other in pairs],
        "deals": [payoffs.deals] * len(pairs),
        **interval("par_normalised", payoffs.value[cells], payoffs.errors[cells], pointwise(level, len(payoffs.sums))),
    })  # fmt: skip


def _companies(payoffs: Payoffs, level: float) -> pl.DataFrame:
    plan, names = payoffs.scores.plan, payoffs.scores.names
    labels = [
        " + ".join(
            f"{table.count(one)} {names[one]}" if table.count(one) > 1 else names[one] for one in sorted(set(table))
        )
        for table in plan.tables
    ]
    orders = np.bincount([number for number, _, _ in plan.orders])
    return pl.DataFrame({
        "players": [plan.players] * len(payoffs.cells),
        "company": [labels[table] for table, _, _ in payoffs.cells],
        "strategy": [names[one] for _, one, _ in payoffs.cells],
        "seats": [seats for _, _, seats in payoffs.cells],
        "deals": [plan.deals] * len(payoffs.cells),
        "games": [int(plan.deals * plan.players * orders[table]) for table, _, _ in payoffs.cells],
        "share": payoffs.value / plan.players,
        **interval("par_normalised", payoffs.value, payoffs.errors, pointwise(level, len(payoffs.sums))),
    })  # fmt: skip


def _verdicts(table: pl.DataFrame, scores: Scores, regret: float) -> tuple[Verdict, ...]:
    players, deals = scores.plan.players, scores.plan.deals
    if deals < MIN_DEALS:
        return (Verdict("tournament_unknown", "unknown", {"deals": deals}),)
    said = []
    best = table.row(0, named=True)
    if best["strength"] is not None:
        values = {
            "best": best["strategy"], "strategies": len(table), "players": players, "even": best["even_share"],
            "strength": best["strength"], "low": best["strength_low"], "high": best["strength_high"], "deals": deals,
        }  # fmt: skip
        said.append(Verdict("tournament_best", "fact", values))
    mix = table.filter(pl.col("mix") > PLAYED).sort("mix", descending=True)
    if len(mix) == 1:
        said.append(Verdict("tournament_pure", "fact", {"best": mix["strategy"][0], "players": players}))
    else:
        played = ", ".join(f"{row['strategy']} {row['mix']:.0%}" for row in mix.iter_rows(named=True))
        values = {"mix": played, "players": players, "regret": regret}
        said.append(Verdict("tournament_mix", "fact", values))
    sure = table.filter(pl.col("dominated_often") >= OFTEN)
    if len(sure):
        values = {"dominated": ", ".join(sure["strategy"]), "players": players}
        said.append(Verdict("tournament_dominated", "fact", values))
    return tuple(said)
