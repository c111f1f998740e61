"""Play until the intervals of some shares are narrow enough: what is asked, when to look, and how far there is to go.

A run is looked at after numbers of games that grow by a quarter each time, and ends at the first look at which every
interval is as narrow as asked.  It never ends because a share differs from par (docs/statistics.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from analysis.seats.shares import LEVEL, Shares, camp_shares, seat_shares, strategy_shares
from analysis.stats.intervals import bonferroni
from simcore.errors import UsageError, nearest
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.parts import Part, parts
from simcore.running.tally import Tally

SHARES: Mapping[str, Callable[[Spec, Tally], Shares]] = {
    "seats": seat_shares,
    "camps": camp_shares,
    "strategies": strategy_shares,
}
"""Shares of the wins that may be asked for."""

LEAST_GAMES, LEAST_WINS = 1_000, 30
"""Games of a run, and wins of a seat, camp or strategy that wins at all, before the run may end."""

EARLIEST = 8
"""The first look comes at one part in so many of the games that the shares would take if they were at par."""

_WISH = re.compile(r"(?:(?P<what>[a-z]+)=)?(?P<points>\d+(?:\.\d*)?|\.\d+)(?P<unit>pp|%)?", re.ASCII)


@dataclass(frozen=True)
class Goal:
    """How narrow intervals are to be.

    Parameters
    ----------
    text
        As the user wrote it.
    wishes
        Largest half-width by kind of share, as a share of the wins.
    """

    text: str
    wishes: tuple[tuple[str, float], ...]

    def check(self, spec: Spec) -> None:
        """Raise `UsageError` unless a run has such shares, and few enough games will do.

        Raises
        ------
        UsageError
            Saying what the run has, or how narrow the intervals can get.
        """
        for what, _ in self.wishes:
            if what == "camps" and not spec.camps:
                raise UsageError(f"{spec.game.title} has no camps; ask for seats", "precision")
            if what == "strategies" and len(spec.cast) == len(spec.game.roles):
                raise UsageError("each role has one strategy, which wins all of its wins; ask for seats", "precision")
        games = self.expected(spec)
        if games > MAX_GAMES:
            factor = math.sqrt(games / MAX_GAMES)
            reachable = ",".join(f"{what}={100 * half * factor:.2g}pp" for what, half in self.wishes)
            raise UsageError(
                f"'{self.text}' takes about {games:.1e} games, and a run has {MAX_GAMES:,} at most; ask for less, such "
                f"as {reachable}",
                "precision",
            )

    def expected(self, spec: Spec) -> int:
        """Return how many games it takes if every share is at par and games are independent."""
        return max(math.ceil(_games_at_par(spec, what) / half**2) for what, half in self.wishes)

    def widths(self, spec: Spec, tally: Tally) -> dict[str, float]:
        """Return the half-width of the widest interval of each kind of share; infinite with too few deals to say."""
        return {what: _widest(SHARES[what](spec, tally)) for what, _ in self.wishes}

    def reached(self, spec: Spec, tally: Tally) -> bool:
        """Return whether the run may end."""
        if tally.games < LEAST_GAMES or not all(self.widths(spec, tally)[what] <= half for what, half in self.wishes):
            return False
        found = [estimate for what, _ in self.wishes for estimate in SHARES[what](spec, tally).estimates]
        return all(not estimate.share or estimate.share * tally.games >= LEAST_WINS for estimate in found)

    def left(self, spec: Spec, tally: Tally) -> int:
        """Return how many games the whole run will probably take."""
        factors = [(self.widths(spec, tally)[what] / half) ** 2 for what, half in self.wishes]
        wanted = tally.games * max(factors)
        if not math.isfinite(wanted):
            wanted = self.expected(spec)
        return next((stage.games for stage in stages(spec, self) if stage.games >= max(wanted, tally.games)), MAX_GAMES)


@dataclass(frozen=True)
class Stage:
    """The games up to one look.

    Parameters
    ----------
    games
        Games of the run at that look.
    parts
        Parts that come on top of those of the stage before.
    """

    games: int
    parts: tuple[Part, ...]


def read_goal(text: str) -> Goal:
    """Return what is asked by "0.1pp" (of seats) or "seats=0.1pp,strategies=0.2pp".

    Raises
    ------
    UsageError
        If the text says nothing of the kind.
    """
    wishes: dict[str, float] = {}
    for item in text.split(","):
        match = _WISH.fullmatch(item.strip())
        half = float(match["points"]) / 100 if match else 0.0
        if not match or not match["unit"] or not 0 < half < 0.5:
            raise UsageError(
                f"'{item}' is no precision; give percentage points below 50, such as 0.1pp or strategies=0.2pp",
                "precision",
            )
        what = match["what"] or "seats"
        if what not in SHARES:
            raise UsageError(f"no shares of '{what}'{nearest(what, SHARES)}", "precision")
        wishes[what] = half
    return Goal(text, tuple(wishes.items()))


def stages(spec: Spec, goal: Goal) -> Iterator[Stage]:
    """Yield the stages of a run to a precision, always the same for the same run and goal."""
    per_deal = spec.games_per_deal
    most = MAX_GAMES // per_deal * per_deal
    games = _deals(max(LEAST_GAMES, goal.expected(spec) / EARLIEST), per_deal)
    before = number = 0
    while True:
        games = min(games, most)
        cut = parts(games - before, spec.searches, per_deal)
        yield Stage(games, tuple(Part(number + part.number, before + part.first, part.games) for part in cut))
        if games == most:
            return
        before, number = games, number + len(cut)
        games = _deals(games * 5 / 4, per_deal)


def at_stage(spec: Spec, stage: Stage) -> Spec:
    """Return the run as far as a stage goes."""
    return replace(spec, games=stage.games)


def _deals(games: float, per_deal: int) -> int:
    """Return the fewest games of whole deals that are no less than some games."""
    return math.ceil(games / per_deal) * per_deal


def _games_at_par(spec: Spec, what: str) -> float:
    """Return the games for a half-width of 1 if shares are at par: variance times the square of the constant."""
    if what == "camps":
        pars = [sum(spec.par[seat] for seat in seats) for seats in spec.camps.values()]
    else:
        pars = list(spec.par if what == "seats" else spec.cast_par)
    constant = bonferroni(LEVEL, max(len(pars), 1))
    return max((par * (1 - par) for par in pars), default=0.0) * constant**2


def _widest(shares: Shares) -> float:
    halves = [estimate.half_width for estimate in shares.estimates]
    return max((math.inf if math.isnan(half) else half for half in halves), default=math.inf)
