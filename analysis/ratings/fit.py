"""A test of whether one strength for each strategy fits the tables that were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from analysis.data.results import Result
from analysis.stats.moments import Floats

OFF = 2.5
"""Number of standard errors beyond which a strategy's wins at a table are reported as unlike the model."""

ROUNDING = 1e-9
"""A standard error that is a smaller part of its sum than this is nothing but rounding."""


def in_errors(sums: ArrayLike, errors: ArrayLike, scale: ArrayLike) -> Floats:
    """Return sums in standard errors; NaN where an error is nothing but rounding, so that nothing varied.

    The scale is the size of what was summed before differences were taken, such as a number of games: its rounding is
    what is left where nothing varied.
    """
    total, error = np.asarray(sums, np.float64), np.asarray(errors, np.float64)
    found = np.full(total.shape, np.nan)
    np.divide(total, error, out=found, where=error > ROUNDING * np.asarray(scale, np.float64))
    return found


@dataclass(frozen=True)
class Residual:
    """What a strategy won at a table, and what the model expects."""

    company: str
    strategy: str
    """company, strategy: Names of the company (who sat at the table) and of the strategy."""
    seen: float
    expected: float
    """seen, expected: Wins per game: counted, and expected by the model."""
    z: float  # their difference in standard errors from deals; not finite if nothing varied


@dataclass(frozen=True, eq=False)
class Fit:
    """A test of the conditional logit: do all strategies win as much as the model expects?"""

    residuals: Sequence[Residual]  # one for each strategy at each table
    level: float  # least probability that a correct model is not rejected

    @property
    def known(self) -> list[Residual]:
        """The residuals that are defined; the largest comes first."""
        found = [residual for residual in self.residuals if abs(residual.z) < float("inf")]
        return sorted(found, key=lambda residual: -abs(residual.z))

    @property
    def tested(self) -> bool:
        """Whether there are several companies, without which the model cannot be tested."""
        return len({residual.company for residual in self.known}) > 1

    @property
    def p(self) -> float:
        """The p-value of the largest residual, corrected for the number of residuals (Bonferroni)."""
        from scipy.special import ndtr

        return min(1.0, 2 * float(ndtr(-abs(self.known[0].z))) * len(self.known)) if self.tested else 1.0

    @property
    def rejected(self) -> bool:
        """Whether the data reject the model."""
        return self.p < 1 - self.level

    @property
    def values(self) -> dict[str, object]:
        """The values for a sentence about the fit."""
        if not self.tested:
            return {"cells": len(self.known)}
        worst = self.known[0]
        return {
            "company": worst.company,
            "who": worst.strategy,
            "seen": worst.seen,
            "expected": worst.expected,
            "z": abs(worst.z),
            "cells": len(self.known),
            "off": sum(abs(residual.z) > OFF for residual in self.known),
        }

    def table(self) -> pl.DataFrame:
        """Return a table with one row for each residual."""
        schema = {
            "company": pl.String,
            "strategy": pl.String,
            "seen": pl.Float64,
            "expected": pl.Float64,
            "z": pl.Float64,
        }
        rows = [
            (residual.company, residual.strategy, residual.seen, residual.expected, residual.z)
            for residual in self.residuals
        ]
        return pl.DataFrame(rows, schema, orient="row")


# --- How strong strategies or people are ---


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
