"""Runs that end when the requested quantities are known precisely enough."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from analysis.measures import rows
from analysis.seats.shares import LEVEL, Shares, camp_shares, seat_shares, strategy_shares
from analysis.stats.intervals import bonferroni
from simcore.errors import UsageError, nearest
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.executors import Part, parts
from simcore.running.tally import Also, Tally, Totals

# The intervals are examined after numbers of games that grow by a quarter each time.  The run ends as soon as every
# interval is as narrow as requested.  It never ends because a share differs from par (docs/reference/methods.md).


SHARES: Mapping[str, Callable[[Spec, Tally], Shares]] = {
    "seats": seat_shares,
    "camps": camp_shares,
    "strategies": strategy_shares,
}
"""The kinds of shares of the wins whose precision can be requested."""

NUMBERS = (*rows.NUMBERS, rows.LENGTH)
KNOWN = (*SHARES, *rows.MEASURES, rows.LENGTH)
"""Everything whose precision can be requested, and what of it is a number and not a share."""

LEAST_GAMES, LEAST_WINS = 1_000, 30
"""Number of games before a run may end; number of wins that each seat, camp or strategy with any wins must have, or
number of games in which each event with a rate above 0 must have happened."""

LONG = 1800
"""Seconds above which something is played only if the user agrees."""

UNITS = (("s", 1, 100), ("min", 60, 6000), ("h", 3600, 360_000), ("days", 86_400, 3e7), ("years", 31_557_600, math.inf))
"""Units of time, their seconds, and up to how many seconds they are used."""

EARLIEST = 8
"""The first stage ends after this fraction (1/8) of the games that would be needed if all shares were at par."""


def lasting(seconds: float) -> str:
    """Return about how long something takes."""
    unit, size = next((unit, size) for unit, size, most in UNITS if seconds < most)
    number = max(seconds / size, 1)
    return f"{number:.0f} {unit}" if number < 10 else f"{5 * round(number / 5):,} {unit}"


_WISH = re.compile(r"(?:(?P<what>[a-z_]+)=)?(?P<size>\d+(?:\.\d*)?|\.\d+)(?P<unit>pp|%)?", re.ASCII)


@dataclass(frozen=True)
class Goal:
    """The requested width of intervals."""

    text: str  # the request as the user wrote it
    wishes: tuple[tuple[str, float], ...]
    """Largest half-width for each kind of share (as a share of the wins, or of the stake of a game that is played for a
    payoff) and each measure (in its own unit)."""

    @property
    def measures(self) -> tuple[str, ...]:
        """The requested measures other than shares of the wins; see `analysis.measures.requested`."""
        return tuple(what for what, _ in self.wishes if what not in SHARES)

    def asked(self, spec: Spec) -> dict[str, Any]:
        """Return what a run has to count for these measures; see `analysis.data.summary`."""
        if not self.measures:
            return {}
        from analysis.measures.requested import asked_of

        return dict(asked_of(spec, self.measures))

    def also(self, spec: Spec) -> Also | None:
        """Return the function that makes these sums; None if only shares of the wins are requested."""
        if not self.measures:
            return None
        from analysis.data.summary import Summary

        return partial(Summary, spec, self.asked(spec))

    def check(self, spec: Spec) -> None:
        """Check that a run has such shares and measures, and that the precision of the shares can be reached.

        Raises
        ------
        UsageError
            If not; the message says what the run has, or how narrow the intervals can get.
        """
        for what, _ in self.wishes:
            if what == "camps" and not spec.camps:
                raise UsageError(f"{spec.game.title} has no camps; ask for seats", "precision")
            if what == "strategies" and len(spec.cast) == len(spec.game.roles):
                raise UsageError("each role has one strategy, with all wins of the role; ask for seats", "precision")
        if self.measures:
            from analysis.measures.requested import check

            check(spec, self.measures)
        self.refuse_beyond(self.expected(spec))

    def refuse_beyond(self, games: int) -> None:
        """Raise `UsageError`, saying how narrow the intervals can get, if a run cannot have this many games."""
        if games > MAX_GAMES:
            factor = math.sqrt(games / MAX_GAMES)
            reachable = ",".join(f"{what}={shown(what, half * factor)}" for what, half in self.wishes)
            raise UsageError(
                f"'{self.text}' takes about {games:.1e} games, and a run can have {MAX_GAMES:,} at most; ask for less, "
                f"such as {reachable}",
                "precision",
            )

    def expected(self, spec: Spec) -> int:
        """Return the number of games for the shares if each is at par and games are independent."""
        shares = [(what, half) for what, half in self.wishes if what in SHARES]
        return max((math.ceil(_games_at_par(spec, what) / half**2) for what, half in shares), default=0)

    def needed(self, spec: Spec, totals: Totals) -> int:
        """Return the number of games that are needed, by the variance in a few games that were played."""
        return max(self.expected(spec), LEAST_GAMES, self._wanted(totals, self._measured(totals)))

    def widths(self, spec: Spec, totals: Totals) -> dict[str, float]:
        """Return the half-width of the widest interval of each kind; infinite if there are too few deals."""
        stake = spec.judged.stake
        shares = {
            what: _widest([one.half_width / stake for one in SHARES[what](spec, totals.tally).estimates])
            for what, _ in self.wishes
            if what in SHARES
        }
        return shares | self._measured(totals)

    def _measured(self, totals: Totals) -> dict[str, float]:
        """Return the same for the measures other than shares of the wins."""
        if not self.measures:
            return {}
        from analysis.measures.requested import measured

        found = measured(totals)
        return {name: _widest([one.half_width for one in found if one.name == name]) for name in self.measures}

    def reached(self, spec: Spec, totals: Totals) -> bool:
        """Return whether the precision is reached, so that the run may end."""
        tally, widths = totals.tally, self.widths(spec, totals)
        if tally.games < LEAST_GAMES or not all(widths[what] <= half for what, half in self.wishes):
            return False
        parts = [one.share for what, _ in self.wishes if what in SHARES for one in SHARES[what](spec, tally).estimates]
        if self.measures:
            from analysis.measures.requested import measured

            parts += [one.value for one in measured(totals) if one.is_rate]
        return all(not part or part * tally.games >= LEAST_WINS for part in parts)

    def left(self, spec: Spec, totals: Totals) -> int:
        """Return the number of games that the whole run will probably need."""
        games = totals.tally.games
        wanted = self._wanted(totals, self.widths(spec, totals)) or self.expected(spec)
        return next((stage.games for stage in stages(spec, self) if stage.games >= max(wanted, games)), MAX_GAMES)

    def sizes(self, spec: Spec) -> Iterator[int]:
        """Yield the numbers of games after which the intervals are examined: always the same, growing by a quarter."""
        per_deal, games = spec.games_per_deal, max(LEAST_GAMES, self.expected(spec) / EARLIEST)
        most = MAX_GAMES // per_deal * per_deal
        while (deals := _deals(games, per_deal)) < most:
            yield deals
            games = deals * 5 / 4
        yield most

    def cut(self, spec: Spec, games: int) -> Sequence[Part]:
        """Divide so many games into parts."""
        return parts(games, spec.searches, spec.games_per_deal)

    def _wanted(self, totals: Totals, widths: Mapping[str, float]) -> int:
        """Return the number of games that bring some half-widths to the requested ones; 0 if that is still unknown."""
        factors = [(widths[what] / half) ** 2 for what, half in self.wishes if what in widths]
        wanted = totals.tally.games * max(factors, default=0.0)
        return math.ceil(wanted) if math.isfinite(wanted) else 0


@dataclass(frozen=True)
class Stage:
    """The games up to one examination of the precision."""

    games: int  # number of games of the run at the end of the stage
    parts: tuple[Part, ...]  # parts that the stage adds to those of the stage before


def read_goal(text: str) -> Goal:
    """Parse a goal such as "0.1pp" (for the seats) or "seats=0.1pp,score=0.2".

    Raises UsageError if the text is no such goal.
    """
    wishes: dict[str, float] = {}
    for item in text.split(","):
        match = _WISH.fullmatch(item.strip())
        what = (match and match["what"]) or "seats"
        number = what in NUMBERS
        half = float(match["size"]) if match else 0.0
        if not match or bool(match["unit"]) == number or not 0 < half < (math.inf if number else 50):
            told = f"{what}=0.1" if number else "0.1pp or strategies=0.2pp"
            kind = "a number above 0" if number else "percentage points below 50"
            raise UsageError(f"'{item}' is not a precision; give {kind}, such as {told}", "precision")
        if what not in KNOWN:
            raise UsageError(f"no measure '{what}'{nearest(what, KNOWN)}", "precision")
        wishes[what] = half if number else half / 100
    return Goal(text, tuple(wishes.items()))


def shown(what: str, half: float) -> str:
    """Return a half-width in the form that `read_goal` accepts."""
    return f"{half:.2g}" if what in NUMBERS else f"{100 * half:.2g}pp"


def stages(spec: Spec, goal: Goal) -> Iterator[Stage]:
    """Yield the stages of a run to a goal; they are always the same for the same run and goal."""
    before = number = 0
    for games in goal.sizes(spec):
        cut = goal.cut(spec, games - before)
        yield Stage(games, tuple(Part(number + part.number, before + part.first, part.games) for part in cut))
        before, number = games, number + len(cut)


def at_stage(spec: Spec, stage: Stage) -> Spec:
    """Return the run with the number of games at the end of a stage."""
    return replace(spec, games=stage.games)


def _deals(games: float, per_deal: int) -> int:
    """Round a number of games up to complete deals."""
    return math.ceil(games / per_deal) * per_deal


def _games_at_par(spec: Spec, what: str) -> float:
    """Return the games needed for a half-width of 1 if shares are at par: variance times the constant squared."""
    if what == "camps":
        pars = [sum(spec.par[seat] for seat in seats) for seats in spec.camps.values()]
    else:
        pars = list(spec.judged.par if what == "seats" else spec.of_cast(spec.judged.par))
    constant = bonferroni(LEVEL, max(len(pars), 1)) / spec.judged.stake
    return max((par * (1 - par) for par in pars), default=0.0) * constant**2


def _widest(halves: list[float]) -> float:
    return max((math.inf if math.isnan(half) else half for half in halves), default=math.inf)
