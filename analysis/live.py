"""Rules that change while somebody watches: what each rule set has shown so far, refined as more deals are played.

All rule sets play the same deals in the same order, so that small changes show.  Ranges hold whenever one looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from analysis.compare.shares import camp_lines
from analysis.data.declarations import load_declarations
from analysis.data.in_parallel import in_parallel
from analysis.data.results import Counted, Lines, Verdict
from analysis.data.sources import SpecSource
from analysis.measures.quantities import BY_SEAT, MEAN, Quantity, judging, known_families, own_measures
from analysis.measures.rows import COURSE
from analysis.measures.sampling import Side
from analysis.seats.shares import among_won, judge, within
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import Floats, Moments
from analysis.stats.multiple_testing import anytime_half_width
from simcore.running.batch import Spec

MOST = 65_536
"""Largest number of deals."""

PIECES = 8
"""Number of pieces that threads make of the deals of a step."""

PLANNED = 4
"""Ranges are narrowest for the deals that they need after the largest number of deals divided by this."""

SEATS = "win_share_by_seat"

Ends = tuple[Floats, Floats, Floats]
"""Values with the low and the high ends of their ranges."""


@dataclass(frozen=True)
class Seen:
    """What a rule set has shown so far."""

    spec: Spec  # what was played
    deals: int  # number of deals
    seats: Ends  # each seat's share of the wins, with ranges that hold for all seats at once and at any time
    change: Ends | None
    """The same for the change of each share from the printed rules; None for the printed rules themselves."""
    verdicts: tuple[Verdict, ...]  # verdicts on the seats or camps, as in a report
    measures: tuple[tuple[Quantity, float], ...]  # further quantities of a game, with their means
    uses: frozenset[str]  # the families of these that count how often a card or an action is used
    was: Floats  # each seat's share of the wins by the printed rules, on the same deals
    measured: tuple[float, ...]  # the means of `measures` by the printed rules, on the same deals
    par: Floats  # what each seat is meant to win: its par of the games that somebody won

    @property
    def games(self) -> int:
        """Number of games."""
        return self.deals * self.spec.games_per_deal


class Watched:
    """A rule set that is played on and on.

    spec: What is played.
    printed: The same players under the printed rules; None if these are the printed rules, or nothing is to be
        compared.
    most: Largest number of deals.
    """

    def __init__(self, spec: Spec, printed: Watched | None = None, most: int = MOST) -> None:
        self.spec, self.printed, self.most = spec, printed, most
        # Beside the seats: the length and the course of a game, and how often things are used.
        source, length = SpecSource(spec), load_declarations(spec.game.name).length
        course = (*judging(source), *COURSE, MEAN + (length or ""), *own_measures(source))
        known = known_families(source)
        self.side = Side(spec, [name for name in course if name in known] + list(_uses(spec, known)), ())
        items = self.side.quantities.items
        self.seats = [self.side.position[SEATS, f"seat-{seat + 1}"] for seat in range(spec.players)]
        self.others = [at for at, item in enumerate(items) if not item.family.startswith("win_share")]
        self.own, self.shift = Moments(spec.players), Moments(spec.players)
        self.sums: Floats = np.zeros(len(items))
        self.means = np.zeros((0 if printed else most, len(items)), np.float32)  # of each deal, for other rules
        self.before: Floats = np.zeros(len(items))  # sums by the printed rules, on the same deals

    @property
    def deals(self) -> int:
        """Number of deals so far."""
        return self.own.deals

    @property
    def complete(self) -> bool:
        """Whether all deals were played."""
        return self.deals >= self.most

    def step(self, deals: int, threads: int | None = None) -> None:
        """Play some more deals, and the printed rules up to the same deal."""
        start, stop = self.deals, min(self.deals + deals, self.most)
        if self.printed is not None and self.printed.deals < stop:
            self.printed.step(stop - self.printed.deals, threads)
        size = max((stop - start) // PIECES, 1)
        pieces = [range(at, min(at + size, stop)) for at in range(start, stop, size)]
        means = np.concatenate(list(in_parallel(lambda piece: self.side.play(piece, ())[0], pieces, threads)))
        shares = means[:, self.seats]
        self.own.add(shares)
        self.sums += means.sum(axis=0)
        if self.printed is None:
            self.means[start:stop] = means
            self.before = self.sums
        else:
            before = self.printed.means[start:stop].astype(np.float64)
            self.before += before.sum(axis=0)
            self.shift.add(shares - before[:, self.printed.seats])

    def seen(self, level: float = 0.95, margin: Margin = FAIR) -> Seen:
        """Return what the deals so far have shown."""
        spec, seats = self.spec, np.eye(self.spec.players)
        par = among_won(np.array(spec.par), float(self.own.mean.sum()), spec.judged)
        titles = spec.game.camp_titles
        numbers: list[dict[str, Any]] = [{"seat": seat + 1} for seat in range(spec.players)]
        of_seats = self._lines(numbers, seats, level, par, margin.at(par))
        of_camps, of_roles = None, {}
        if spec.camps:
            lines = camp_lines(spec)
            labels: list[dict[str, Any]] = [{"camp": titles[name]} for name in spec.camps]
            of_camps = self._lines(labels, lines, level, lines @ par, margin.at(lines @ par))
            for role in spec.game.roles:
                own = list(role.at(spec.players))
                if len(own) > 1:
                    labels = [numbers[seat] for seat in own]
                    of_roles[role.name] = self._lines(
                        labels, within(par, own), level, np.zeros(len(own)), margin.at(par[own])
                    )
        counted = Counted(self.deals * spec.games_per_deal, self.deals)
        verdicts = judge(spec, of_seats, of_camps, of_roles, None, counted, margin)
        items = self.side.quantities.items
        measures = tuple((items[at], float(self.sums[at] / max(self.deals, 1))) for at in self.others)
        change = None if self.printed is None else self._ends(self.shift, seats, level)
        uses = frozenset(_uses(spec, {item.family for item in items}))
        ends = of_seats.share, np.maximum(of_seats.low, 0), np.minimum(of_seats.high, 1)
        was = self.before / max(self.deals, 1)
        measured = tuple(float(was[at]) for at in self.others)
        return Seen(spec, self.deals, ends, change, verdicts, measures, uses, was[self.seats], measured, par)

    def _lines(
        self, labels: Sequence[Mapping[str, Any]], lines: Floats, level: float, par: Floats, room: Floats
    ) -> Lines:
        """Return shares, or their distances, with ranges that hold at any time.

        The errors count one more deal that wins everything, and one that wins nothing: if a share has not varied yet,
        its range is not a point.
        """
        share, low, high = self._ends(self.own, lines, level, more=1 / max(self.deals, 1))
        error = np.sqrt(np.maximum(np.diag(lines @ self.own.covariance @ lines.T), 0))
        return Lines(labels, share, error, low, high, par, room)

    def _ends(self, moments: Moments, lines: Floats, level: float, more: float = 0.0) -> Ends:
        """Return means with ranges that hold at any time; `more` is added to their variance between deals."""
        deals = max(moments.deals, 1)
        mean = lines @ moments.mean
        variance = np.diag(lines @ moments.covariance @ lines.T) + more / deals
        alpha, planned = (1 - level) / len(lines), self.most / PLANNED
        half = np.array([anytime_half_width(one, deals, planned, alpha) for one in np.sqrt(np.maximum(variance, 0))])
        return mean, mean - half, mean + half


def _uses(spec: Spec, families: Iterable[str]) -> Iterator[str]:
    """Yield the families that count how often a card or an action is used; amounts of the score have another unit."""
    declared = load_declarations(spec.game.name)
    patterns = [MEAN + name for name in declared.uses]
    amounts = {MEAN + one.column for one in (declared.economy.sources if declared.economy else ())}
    whole = (name for name in families if not name.endswith(BY_SEAT) and name not in amounts)
    return (name for name in whole if any(fnmatchcase(name, pattern) for pattern in patterns))
