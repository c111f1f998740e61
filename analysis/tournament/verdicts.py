"""The verdicts of a tournament: who is strongest, what is dominated, and which mix is stable."""

from __future__ import annotations

from typing import Any

import polars as pl

from analysis.data.results import Amount, Verdict, as_amounts
from analysis.ratings.fit import Fit
from analysis.stats.moments import MIN_DEALS
from analysis.stats.picking import Pick, overlapping, pick
from analysis.tournament.estimates import PLAYED
from analysis.tournament.playing import Scores
from analysis.tournament.schedule import Schedule

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
            "strength": best.value,
            "low": best.low,
            "high": best.high,
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
                "strength": best.value,
                "low": best.low,
                "high": best.high,
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
