"""Whether one strength for each strategy fits the tables that were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from scipy.special import ndtr

OFF = 2.5
"""Standard errors beyond which a strategy at a table is called off."""


@dataclass(frozen=True)
class Residual:
    """What a strategy won at a table, and what the model says of it.

    Parameters
    ----------
    company, strategy
        Which.
    seen, expected
        Wins a game: counted, and by the model.
    z
        Their difference in errors from deals; not finite where nothing varied.
    """

    company: str
    strategy: str
    seen: float
    expected: float
    z: float


@dataclass(frozen=True, eq=False)
class Fit:
    """A test of the conditional logit: do all strategies win what the model says?

    Parameters
    ----------
    residuals
        One for each strategy at each table.
    level
        Chance that a model that holds is not rejected, at least.
    """

    residuals: Sequence[Residual]
    level: float

    @property
    def known(self) -> list[Residual]:
        """Cells that tell something; the one that is furthest off comes first."""
        found = [residual for residual in self.residuals if abs(residual.z) < float("inf")]
        return sorted(found, key=lambda residual: -abs(residual.z))

    @property
    def tested(self) -> bool:
        """Whether there are several companies, so that the model can be wrong about one of them."""
        return len({residual.company for residual in self.known}) > 1

    @property
    def p(self) -> float:
        """The p-value of the residual that is furthest off, for all residuals together (Bonferroni)."""
        return min(1.0, 2 * float(ndtr(-abs(self.known[0].z))) * len(self.known)) if self.tested else 1.0

    @property
    def rejected(self) -> bool:
        """Whether the data reject the model."""
        return self.p < 1 - self.level

    @property
    def values(self) -> dict[str, object]:
        """What a sentence says of it."""
        if not self.tested:
            return {"cells": len(self.known)}
        worst = self.known[0]
        return {
            "company": worst.company, "who": worst.strategy, "seen": worst.seen, "expected": worst.expected,
            "z": abs(worst.z), "cells": len(self.known), "off": sum(abs(residual.z) > OFF for residual in self.known),
        }  # fmt: skip

    def table(self) -> pl.DataFrame:
        """Return a row for each residual."""
        schema = {"company": pl.String, "strategy": pl.String, "seen": pl.Float64, "expected": pl.Float64,
                  "z": pl.Float64}  # fmt: skip
        rows = [
            (residual.company, residual.strategy, residual.seen, residual.expected, residual.z)
            for residual in self.residuals
        ]
        return pl.DataFrame(rows, schema, orient="row")
