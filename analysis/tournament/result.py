"""The result of a tournament: who is strong, who beats whom, what is dominated, and an equilibrium."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from analysis.data.inputs import inputs_of
from analysis.data.results import Amount, Note, Result, Verdict, as_amounts, tidy
from analysis.metagame import MOST_STATES, alpha_rank, eliminate, equilibrium
from analysis.ratings.fit import Fit
from analysis.stats.intervals import check_level
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import Pick, overlapping, pick
from analysis.tournament.payoffs import (
    PLAYED,
    Payoffs,
    dominated,
    elsewhere,
    exploited,
    redraw,
    spread,
    strengths,
    weights_of,
)
from analysis.tournament.playing import Schedule, Scores

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
