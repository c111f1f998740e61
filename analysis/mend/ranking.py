"""The order of changes: those that meet the target, smallest first, undecided ones, and what makes another game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace

import numpy as np

from analysis.data.edits import Edit, Edits
from analysis.mend.result import CHANGES, MEETS, MISSES, OPEN
from analysis.mend.search import FRESH, SURELY, Search
from analysis.mend.targets import Line, distances, farthest
from analysis.mend.trials import Seen, Who
from analysis.mend.variants import Variant
from analysis.seats.distance import distance
from analysis.stats.intervals import bonferroni, share_interval, widened, with_few
from analysis.stats.moments import Floats
from simcore.rules.levers import size_of

LOOKS = 2
"""How often a change may be looked at: once, and again after more deals if that settles the ranking."""

MORE = 8
"""Largest factor by which more deals are played for an undecided change before the ranking."""

POWER = 1.28
"""With this many more standard errors, nine of ten runs decide."""

MOST_GAMES = 10_000_000
"""A change that needs more games than this is too close to the limit to be decided."""

LEFT = ("left", "left_low", "left_high")
"""Columns of the distance that a change leaves between the best and the worst seat or camp."""

ALL = 1e-6
"""Accuracy with which the wanted shares of all seats add up to 1."""

Played = tuple[Seen, Who]
"""A change as it was judged, and the players who know it."""


@dataclass(frozen=True)
class Ranking:
    """Judges changes on deals that played no part in the search, and ranks them."""

    search: Search  # the search that found them
    variants: Mapping[str, Variant]  # rule sets that are judged beside them
    family: int  # number of changes that are judged; the intervals hold for all of them at once, at every look
    level: float  # confidence level of all intervals together
    played: Sequence[Played] = ()  # these changes, whose players show together how much tunings differ

    @property
    def lines(self) -> Sequence[Line]:
        """The targets, and what is kept."""
        return self.search.lines

    @property
    def constant(self) -> float:
        """Half the width of every interval in standard errors."""
        return bonferroni(self.level, max(self.family, 1) * len(self.lines) * LOOKS)

    def edits(self, seen: Seen) -> Edits:
        """Return what a change changes."""
        if seen.variant:
            return self.variants[seen.variant].edits
        pairs = zip(self.search.levers, seen.point, strict=True)
        return Edits(
            Edit(lever.key, lever.text(lever.value), lever.text(value), lever.players)
            for lever, value in pairs
            if value != lever.value
        )

    def size(self, seen: Seen) -> float:
        """Return the size of a change."""
        return self.variants[seen.variant].size if seen.variant else size_of(self.search.levers, seen.point)

    def idea(self, seen: Seen) -> str | frozenset[str]:
        """Return what tells ideas apart: the things that a change touches, or the rule set."""
        return seen.variant or self.search.idea(seen.point)

    def ends(self, seen: Seen, constant: float | None = None) -> tuple[Floats, Floats]:
        """Return the ends of the intervals of all lines, which hold the spread between tunings."""
        level = self.constant if constant is None else constant
        mean, error, wide = seen.mean, seen.error, float(with_few(level, len(seen.blocks)))
        part = np.array([line.is_share for line in self.lines])
        ends = share_interval(np.clip(mean, 0, 1), error, seen.deals, wide)
        low, high = np.where(part, ends[0], mean - wide * error), np.where(part, ends[1], mean + wide * error)
        return widened(mean, low, high, self._spread(seen), self._tunings(seen), level)

    def _spread(self, seen: Seen) -> Floats:
        """Return the standard error that the choice among tunings adds to every line.

        A few players tell little about how much players differ in one line, so all targets, and all lines that are
        kept, are put together, each in half-widths of its band; and so are all changes, unless this one differs more.
        """
        if seen.apart is None or seen.players < 2:
            return np.zeros(len(self.lines))
        half, kept = (np.array([getattr(line, name) for line in self.lines]) for name in ("half", "kept"))
        several = [one for one, _ in self.played if one.apart is not None and one.players > 1]
        parts = np.array([(one.apart / half) ** 2 for one in (seen, *several)])
        mean = np.stack([parts[:, kept == one].mean(axis=1) for one in kept], axis=1)
        if several:
            mean = np.stack([mean[0], np.average(mean[1:], axis=0, weights=[one.players - 1 for one in several])])
        return np.asarray(half * np.sqrt(mean.max(axis=0) / seen.players))

    def _tunings(self, seen: Seen) -> int:
        """Return how many tunings of one change tell as much about their differences as those of all changes."""
        groups = {who for _, who in self.played if len(who) > 1}
        return max(seen.players, len({one for who in groups for one in who}) - len(groups) + 1)

    def target(self, seen: Seen) -> str:
        """Return whether a change meets all targets, misses one of them, changes the game, or is undecided."""
        low, high = self.ends(seen)
        bands = [(line, line.wanted - line.near, line.wanted + line.near) for line in self.lines]
        ends = list(zip(bands, low, high, strict=True))
        if any(not line.kept and (least > top or most < bottom) for (line, bottom, top), least, most in ends):
            return MISSES
        if self.breaks(seen):
            return CHANGES
        met = all(least >= bottom and most <= top for (_, bottom, top), least, most in ends)
        return MEETS if met else OPEN

    def breaks(self, seen: Seen) -> list[tuple[Line, float]]:
        """Return the lines that should stay and do not, each with the part of its value that it gains or loses."""
        away = distances(self.lines, seen.mean)
        found = [
            (line, float(value) / line.wanted - 1)
            for line, value, one in zip(self.lines, seen.mean, away, strict=True)
            if line.kept and one > 1 and line.wanted
        ]
        return sorted(found, key=lambda pair: -abs(pair[1]))

    def needed(self, seen: Seen) -> float:
        """Return the factor by which more deals would decide, in nine of ten runs; they do not bring tunings closer."""
        whole, half = ((high - low) / 2 for low, high in (self.ends(seen), self.ends(replace(seen, apart=None))))
        room = np.array([line.near for line in self.lines]) - np.abs(seen.mean - [line.wanted for line in self.lines])
        rest = np.nan_to_num(np.sqrt(np.maximum(room**2 - (whole**2 - half**2), 0)))
        with np.errstate(divide="ignore"):
            factor = ((self.constant + POWER) / self.constant * half / rest) ** 2
        outside = [one for one, left, line in zip(factor, room, self.lines, strict=True) if left < 0 and not line.kept]
        return float(min(outside) if outside else factor[room >= 0].max())

    def decides(self, seen: Seen, games: int) -> int | None:
        """Return the number of games (`--games`) that would decide; None if no sensible number does."""
        wish = self.needed(seen) * games / SURELY
        if not wish < MOST_GAMES:
            return None
        digit = 10 ** max(len(str(int(wish))) - 2, 0)
        return int(math.ceil(wish / digit) * digit)

    def ranked(self, played: Sequence[Played]) -> list[Played]:
        """Return the changes that meet the target, smallest first, then undecided ones, then what changes the game.

        Of changes of the same things by other numbers, only the first is returned.  Those that miss the target are left
        out, unless all do; then the closest one is returned.  The intervals of all changes hold at once, so that these
        may be chosen.
        """
        targets = {id(seen): self.target(seen) for seen, _ in played}
        order = (MEETS, OPEN, CHANGES, MISSES)

        def place(pair: Played) -> tuple[int, float]:
            found = targets[id(pair[0])]
            far = self.size(pair[0]) if found == MEETS else farthest(self.lines, pair[0].mean)
            return order.index(found), far

        found: dict[str | frozenset[str], Played] = {}
        for pair in sorted(played, key=place):
            if targets[id(pair[0])] != MISSES or not found:
                found.setdefault(self.idea(pair[0]), pair)
        return list(found.values())

    def settled(self, played: Sequence[Played], games: int) -> list[Played]:
        """Play more deals for undecided changes that might come first: the first one, and all smaller ones."""
        found, first = list(played), self.ranked(played)[:1]
        for at, (seen, who) in enumerate(played):
            needed = self.needed(seen)
            if self.target(seen) == OPEN and self.size(seen) <= self.size(first[0][0]) and math.isfinite(needed):
                factor = math.ceil(min(needed, MORE))
                more = self.search.trials.see(seen.point, FRESH, factor * games, who, seen.variant)
                found[at] = more, who
        return found

    def gone(self, before: Seen, after: Seen) -> float:
        """Return which part of the distance from the target a change takes away, whatever else it changes."""
        aims = np.array([not line.kept for line in self.lines])
        was, now = (float(distances(self.lines, seen.mean)[aims].max()) for seen in (before, after))
        return 1 - now / was if was else 0.0

    def between(self, seen: Seen, players: int) -> dict[str, float | None]:
        """Return the distance that a change leaves between the best and the worst seat (or camp).

        None if the wins (or payoffs) of the seats, or the wins of the camps, are not all among the targets.
        """
        low, high = self.ends(seen)
        for kind in ("camp", "seat"):
            own = [
                at
                for at, line in enumerate(self.lines)
                if line.kind == kind and not line.kept and line.players in (0, players)
            ]
            wanted = [self.lines[at].wanted for at in own]
            payoffs = len(own) == players and not any(self.lines[at].is_share for at in own)
            if payoffs or sum(wanted) > 1 - ALL:
                found = distance(seen.mean[own], low[own], high[own], wanted)
                return dict(zip(LEFT, astuple(found), strict=True))
        return dict.fromkeys(LEFT)

    def already(self, before: Seen) -> bool:
        """Return whether the rules as they are meet the target with confidence."""
        low, high = self.ends(before, bonferroni(self.level, len(self.lines)))
        return all(
            line.kept or (least >= line.wanted - line.near and most <= line.wanted + line.near)
            for line, least, most in zip(self.lines, low, high, strict=True)
        )
