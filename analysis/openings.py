"""Do the players always open alike, and would the seats win as often if they did not?

A table of equal players shows what the game does to these players.  If a seat begins in the same way in nearly every
deal, its share of the wins may rest on that choice and not on the seat.  So the same deals are played again by players
who draw their opening at random and then play as usual.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import zip_longest

import numpy as np
import polars as pl

from analysis.data.in_parallel import in_parallel
from analysis.data.inputs import inputs_of
from analysis.data.results import Result, Verdict, interval
from analysis.stats.intervals import check_level, pointwise
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import MIN_DEALS, Floats, Moments
from simcore.running.batch import Spec, rows_of
from simcore.running.replay import Replay, replay
from strategies.openings import draw_openings

ALIKE = 0.8
"""A seat opens alike if one opening is made in more than this part of the deals."""

LOOKED, FEW = 60, 8
"""Deals whose logs are read (up to twice as many, if a seat that opens alike shows too few of its openings), and those
after which the reading ends if all seats vary."""

READ = 100
"""Records of a log among which an opening is looked for first."""

STRETCH = 500
"""Number of games that a thread plays at a time."""


@dataclass(frozen=True, eq=False, repr=False)
class Openings(Result):
    """How the seats open, and what they win if everybody's opening is drawn at random.

    table: One row for each seat: its commonest `opening`, as the log prints it; `alike`, the part of the deals in which
        it is made, among `looked` deals (those in which the drawn opening is another one); its `share` of the wins, the
        share with openings `drawn` at random, and the `difference`, both with intervals that are simultaneous for all
        seats.
        The last three are missing if no seat opens alike: then nothing was played again.
    """

    @property
    def alike(self) -> tuple[int, ...]:
        """The seats that open alike."""
        return tuple(self.table.filter(pl.col("alike") > ALIKE)["seat"])


def openings(spec: Spec, games: int = 4_000, margin: Margin = FAIR, level: float = 0.95) -> Openings:
    """Return how the seats of a run open, and what their openings are worth.

    spec: A run in which one strategy plays each role.  Openings are the decisions that the game declares as such, or
        else the first decision of each seat with at least two moves.
    games: Number of deals to play as usual and with openings drawn at random, if some seat opens alike.
    margin: Distance from par that counts as fair: a seat that moves further is named in a verdict.
    level: Simultaneous confidence level for all seats.
    """
    check_level(level)
    made = openings_made(spec)
    common = [counts.most_common(1)[0] if counts else ("", 0) for counts in made]
    alike = [count / max(counts.total(), 1) for (_, count), counts in zip(common, made, strict=True)]
    columns: dict[str, object] = {
        "seat": [*range(1, spec.players + 1)],
        "opening": [text for text, _ in common],
        "looked": [counts.total() for counts in made],
        "alike": alike,
    }
    habit = max(alike) > ALIKE
    played = _played(spec, games) if habit else Moments(2 * spec.players)
    if habit:
        usual, drawn = played.mean[: spec.players], played.mean[: spec.players] + played.mean[spec.players :]
        sums = np.hstack([np.eye(spec.players), np.eye(spec.players)])  # what was drawn is the usual and the difference
        by_drawn, by_difference = sums @ played.covariance @ sums.T, played.covariance[spec.players :, spec.players :]
        errors = (np.sqrt(np.maximum(np.diag(matrix), 0)) for matrix in (by_drawn, by_difference))
        constant = pointwise(level, np.full(spec.players, games), spec.players)
        for name, value, se in zip(("drawn", "difference"), (drawn, drawn - usual), errors, strict=True):
            columns |= {"share": usual} | interval(name, value, se, constant)
    inputs = inputs_of(spec, played.deals, played.deals)
    table = pl.DataFrame(columns)
    return Openings((inputs,), level, table, tuple(_verdicts(spec, table, margin)), ())


def openings_made(spec: Spec, looked: int = LOOKED) -> list[Counter[str]]:
    """Return how often each seat makes each opening in some deals, as the log prints it.

    The log shows an opening where it parts from the log of the same game in which the seat draws its opening.
    """
    made: list[Counter[str]] = [Counter() for _ in range(spec.players)]
    drawing = [draw_openings(spec, [seat]) for seat in range(spec.players)]
    for deal in range(2 * looked):
        usual = cache(partial(replay, spec, deal))
        for one, counts in zip(drawing, made, strict=True):
            if opening := _parting(usual, partial(replay, one, deal)):
                counts[opening] += 1
        alike = [counts.total() for counts in made if _opens_alike(counts)]
        if deal + 1 == FEW and not alike and not any(max(counts.values(), default=0) >= FEW - 2 for counts in made):
            break
        if deal + 1 >= looked and all(shown >= MIN_DEALS for shown in alike):
            break
    return made


def _opens_alike(counts: Counter[str]) -> bool:
    """Return whether one opening is made in nearly all deals whose openings were seen."""
    return max(counts.values(), default=0) > ALIKE * counts.total()


def _parting(usual: Callable[[int | None], Replay], drawn: Callable[[int | None], Replay]) -> str:
    """Return the first line of a log that differs from another; empty if the drawn opening was the usual one.

    Both arguments return a log that ends after some records, or a whole one with None, which is needed only where the
    beginnings are the same.  The last line of a beginning may go on, so it says nothing.
    """
    for most in (READ, None):
        logs = usual(most), drawn(most)
        if logs[0].records != logs[1].records:
            lines = [log.text().splitlines()[: None if most is None else -1] for log in logs]
            pairs = zip_longest(*lines, fillvalue="") if most is None else zip(*lines, strict=False)
            if early := next((line.strip() for line, other in pairs if line != other), ""):
                return early
    return ""


def _played(spec: Spec, games: int) -> Moments:
    """Return the moments of the shares as usual, and of how far they move if all openings are drawn at random."""
    specs, share = [replace(spec, games=games), draw_openings(spec, range(spec.players))], spec.game.share

    def play(deals: range) -> Floats:
        shape = len(deals), spec.players
        usual, drawn = (rows_of(one, deals)[share].reshape(shape) / spec.game.share_unit for one in specs)
        return np.hstack([usual, drawn - usual])

    found = Moments(2 * spec.players)
    stretches = [range(first, min(first + STRETCH, games)) for first in range(0, games, STRETCH)]
    for part in in_parallel(play, stretches):
        found.add(part)
    return found


def _verdicts(spec: Spec, table: pl.DataFrame, margin: Margin) -> Iterator[Verdict]:
    """Yield that seats which open alike owe their shares to it, if a seat moves by more than the margin without."""
    if "drawn" not in table.columns:
        return
    room = margin.at(spec.par)
    alike = table.filter((pl.col("alike") > ALIKE) & (pl.col("looked") >= MIN_DEALS))
    beyond = (table["difference_low"].to_numpy() > room) | (table["difference_high"].to_numpy() < -room)
    if len(alike) and beyond.any():
        ends = {f"{name}_{end}": getattr(table[name], end)() for name in ("share", "drawn") for end in ("min", "max")}
        yield Verdict("openings_alike", "fact", {"seats": tuple(map(str, alike["seat"])), "count": len(alike), **ends})
