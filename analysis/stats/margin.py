"""The margin: how far from par a share of the wins may be and still count as fair, in every command."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from analysis.stats.moments import Floats
from simcore.errors import UsageError
from simcore.judged import Judged

_WRITTEN = re.compile(r"(\d{1,3}(?:\.\d{1,12})?)\s*(%|pp|points)")


@dataclass(frozen=True)
class Margin:
    """A distance from par."""

    size: float  # the distance, as a fraction of par or as a share of all wins
    of_par: bool = True
    """Whether it is a fraction of par.  It is then a fraction of par or of 1 - par, whichever is less, so that the same
    number of percentage points applies to two camps."""
    stake: float | None = field(default=None, repr=False)  # the repr tells runs of players who look ahead apart
    """The part of the stake of a game that is played for a payoff; if None, the same number."""

    def at(self, par: ArrayLike) -> Floats:
        """Return the margin around each par, as a share of all wins."""
        share = np.asarray(par, np.float64)
        return self.size * np.minimum(share, 1 - share) if self.of_par else np.full(share.shape, self.size)

    def room(self, judged: Judged, par: ArrayLike) -> Floats:
        """Return the margin around each par, as a share of what is judged; for a payoff, it is a part of the stake.

        Raises UsageError if the game is played for a payoff, and the margin is a distance between shares of the wins.
        """
        if not judged.is_payoff:
            return self.at(par)
        if not self.of_par:
            raise UsageError(
                f"{self}: {judged.game.title} is played for {judged.unit}; write a part of the stake, such as 6%",
                "margin",
            )
        return np.full(np.shape(par), self.of_stake * judged.stake)

    @property
    def of_stake(self) -> float:
        """The margin as a part of the stake of a game that is played for a payoff."""
        return self.size if self.stake is None else self.stake

    def part(self, par: ArrayLike) -> float:
        """Return the margin as a fraction of par; the largest one if pars differ."""
        share = np.asarray(par, np.float64)
        return float((self.at(share) / np.minimum(share, 1 - share)).max())

    @property
    def unit(self) -> str:
        """Suffix of the key of a phrase for this kind of margin."""
        return "" if self.of_par else "_points"

    def __str__(self) -> str:
        return f"{100 * self.size:g}{'%' if self.of_par else 'pp'}"


OF_STAKE = 0.06
"""The default margin of a game that is played for a payoff: this part of the stake, as much as `FAIR` of two seats."""

FAIR = Margin(0.12, stake=OF_STAKE)
"""The default margin: 12 % of par, which is 3 percentage points at four players."""


def as_margin(margin: Margin | float | str | None) -> Margin:
    """Parse a margin as users write it.

    margin: "12%" (of par or of the stake), "3pp" (percentage points), a share of all wins, or a margin.  If None, FAIR.
    Raises UsageError if it is not a margin.
    """
    if margin is None or isinstance(margin, Margin):
        return margin or FAIR
    if not isinstance(margin, str):
        if not 0 < margin < 1:
            raise UsageError(
                f"{margin} is not a share of the wins; give a number between 0 and 1, or '{FAIR}'", "margin"
            )
        return Margin(float(margin), of_par=False)
    found = _WRITTEN.fullmatch(margin.strip())
    if not found or not 0 < float(found[1]) < 100:
        text = f"'{margin[:40]}' is not a margin; write a part of par such as 12%, or points such as 3pp"
        raise UsageError(text, "margin")
    return Margin(float(found[1]) / 100, of_par=found[2] == "%")
