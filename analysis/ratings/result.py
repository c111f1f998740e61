"""How strong strategies or people are."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from analysis.data.results import Result


@dataclass(frozen=True, eq=False, repr=False)
class Strengths(Result):
    """Strength of every strategy.

    In equal seats, two strategies a and b win games in the ratio exp(strength a) to exp(strength b).  In a game with
    roles, a strategy is compared only with the others of its role, by its part of the role's wins, and the tables have
    a column `role`.

    Parameters
    ----------
    table
        One row for each strategy, strongest first: `strength` (0 is the mean of all strategies, or the reference), with
        standard error and interval from deals; `hessian_se`, a standard error that treats games as independent;
        `bootstrap_se` and the ends of the percentile interval over resampled deals; `even_share`, the win share at a
        table with one of each strategy; and `even_by`, the origin of that share: "played" if such a table was played,
        "model" if it was not and the data do not reject the model.  Without a played table, both are null if the game
        has no table with that many seats or the data reject the model.
    seats
        One row for each number of players and seat: `advantage` on the same scale, where 0 is the mean of the seats.
    fit
        One row for each company and strategy in it: wins per game as `seen` and as `expected` by the model, and their
        difference in standard errors (`z`).  If the model is rejected, a strength is an average over the companies that
        played.
    reference
        The strategy whose strength is 0.  If None, the mean strength is 0.
    roles
        For tables from elsewhere that name roles: the same table for roles.
    """

    seats: pl.DataFrame
    fit: pl.DataFrame
    reference: str | None
    roles: pl.DataFrame = field(default_factory=pl.DataFrame)
