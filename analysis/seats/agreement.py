"""Whether two levels of play say the same: a verdict on seats or camps, compared with that of another level's games.

Both are verdicts of `analysis.seats.shares`, by its margin and with its ranges.  What a few games cannot tell is
neither agreement nor contradiction: it is called too few.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.results import Lines, Verdict, as_amounts
from analysis.seats.shares import judge_lines
from analysis.stats.intervals import difference_interval
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import Tied

ANSWERS = OPPOSITE, OTHER, REFUTED, FAIR, TILTED, SEVERAL, FEW, SAME = (
    "opposite",  # the same seat, on the other side of par
    "other",  # another seat
    "refuted",  # not that seat, which surely lies within the margin or on the other side
    "fair",  # fair, where the first verdict is tilted
    "tilted",  # tilted, where the first verdict is fair
    "several",  # the same side, but too few games to say which of several seats
    "few",  # too few games to say
    "same",  # the same seat and side, or fair as well
)

TIMES = 1.5
"""The tilt, in multiples of par, by which too few games are measured: how often would they have found it?"""


@dataclass(frozen=True)
class Agreement:
    """What another level of play says to a verdict."""

    says: str  # one of `ANSWERS`
    values: Mapping[str, Any] = field(default_factory=dict)
    """For "several": `which` seats or camps it is one of.  For "few": `power`, the chance that so many games find a
    tilt of `TIMES` par; it is missing where par is no share of the wins, or the verdict is that somebody is too
    weak.  For "other" and "tilted": the other seat's share, as in a verdict.  For "same", "opposite" and "refuted":
    that seat's share at the other level."""

    @property
    def contradicts(self) -> bool:
        """Whether the other level surely says something else."""
        return self.says in (OPPOSITE, OTHER, REFUTED, FAIR, TILTED)


def counterpart(verdict: Verdict, others: Iterable[Verdict]) -> Verdict | None:
    """Return the verdict of another level on the same: on the camps or all seats, or on the seats of the same role."""
    return next((one for one in others if one.values.get("role") == verdict.values.get("role")), None)


def agreement(verdict: Verdict, other: Verdict | None) -> Agreement:
    """Return what another level of play says to a verdict.

    verdict: The verdict of one level.  There is an answer to "fair" and "tilted"; to anything else, it is "few".
    other: The verdict of another level; None if it has none.
    """
    lines = other.lines if other else None
    if other is None or lines is None or not np.isfinite(lines.low).all():
        return Agreement(FEW)
    seat, amounts = _line(lines, verdict), "unit" in other.values
    weak = verdict.status == "tilted" and verdict.values["share"] < verdict.values["par"]
    few = Agreement(FEW, {} if seat is None or amounts or weak else _power(lines, seat))
    if verdict.status == "fair":
        return {"fair": Agreement(SAME), "tilted": Agreement(TILTED, other.values)}.get(other.status, few)
    if verdict.status != "tilted" or seat is None:
        return few
    if other.status == "fair":
        return Agreement(FAIR)
    sign = 1 if verdict.values["share"] > verdict.values["par"] else -1
    side = _Side.of(lines, sign)
    beyond, best = side.least > 1, int(side.off.argmax())
    if beyond.any():
        alike = side.alike(best, not amounts and bool(lines.par.all()))
        if seat == best and (alike & beyond).sum() == 1:
            return Agreement(SAME, _about(lines, seat, other))
        if alike[seat]:
            alike &= (side.least > 0) | (np.arange(len(alike)) == seat)
            order = sorted(np.flatnonzero(alike).tolist(), key=lambda at: -side.off[at])
            names = (lines.labels[at] for at in order)
            return Agreement(SEVERAL, {"which": Tied(str(one.get("seat", one.get("camp"))) for one in names)})
    if side.most[seat] < 0:
        return Agreement(OPPOSITE, _about(lines, seat, other))
    if beyond.any():
        return Agreement(OTHER, _about(lines, best, other))
    if other.status == "tilted" and _denies(verdict, other, -sign):
        return Agreement(OTHER, other.values)
    return Agreement(REFUTED, _about(lines, seat, other)) if side.most[seat] < 1 else few


def band(name: str, own: Verdict, peers: Mapping[str, Verdict]) -> Verdict:
    """Return the verdict of several players who are nearly equally strong.

    It holds if it is that of the band, whose ranges hold what the seat wins among any of them.

    name, own: One of the players, and its verdict; the sentence is about it.
    peers: The verdicts of the others, by name.
    """
    said = {name: own, **peers}
    lines = [one.lines for one in said.values() if one.lines is not None]
    if own.lines is None or len(lines) < 2:
        return own
    low, high = np.min([one.low for one in lines], axis=0), np.max([one.high for one in lines], axis=0)
    whole = judge_lines("seats", replace(own.lines, low=low, high=high), own.values.get("deals", MIN_DEALS), own.values)
    if {one.status for one in said.values()} == {"unclear"} or (
        (whole.status, whole.values.get("seat")) == (own.status, own.values.get("seat"))
        and own.status in ("fair", "tilted")
    ):
        return own
    if whole.status in ("fair", "tilted"):
        return whole
    tilted = [one for one in said.values() if one.status == "tilted"]
    shares = np.array([one.share for one in lines])
    at = _line(own.lines, tilted[0]) if tilted else None
    seat = int(np.ptp(shares, axis=0).argmax()) if at is None else at
    names = [one for one, verdict in said.items() if verdict.lines is not None]
    least, most = int(shares[:, seat].argmin()), int(shares[:, seat].argmax())
    ends = {"weak": names[least], "strong": names[most], "fair": 100 * float(own.lines.par[seat])}
    ends |= {"fewest": 100 * float(shares[least, seat]), "best": 100 * float(shares[most, seat])}
    return Verdict("seats_band", "unclear", {**own.values, **own.lines.about(seat), **ends})


@dataclass(frozen=True)
class _Side:
    """How far shares lie beyond par on one side of it, in margins, with the ends of their ranges."""

    off: Floats
    least: Floats
    most: Floats
    share: Floats

    @classmethod
    def of(cls, lines: Lines, sign: int) -> _Side:
        """Return the side above par if the sign is 1, and the side below if it is -1."""
        ends = (lines.low, lines.high) if sign > 0 else (lines.high, lines.low)
        off, least, most = (sign * (end - lines.par) / lines.room for end in (lines.share, *ends))
        return cls(off, least, most, lines.share)

    def alike(self, best: int, parts: bool) -> NDArray[np.bool_]:
        """Return which of them may be the furthest one.

        Parts of all wins are as correlated as those of independent games; others, as much as can be.
        """
        half, correlation = (self.most - self.least) / 2, np.ones(len(self.off))
        if parts:
            with np.errstate(divide="ignore", invalid="ignore"):
                odds = self.share / (1 - self.share)
                correlation = np.sqrt(np.clip(np.nan_to_num(odds[best] * odds, nan=1.0), 0, 1))
        error = np.sqrt(half[best] ** 2 + half**2 + 2 * correlation * half[best] * half)
        first = self.off[best], self.least[best], self.most[best]
        return np.asarray(difference_interval(first, (self.off, self.least, self.most), error)[0] <= 0)


def _line(lines: Lines, verdict: Verdict) -> int | None:
    """Return the line of the seat or camp that a verdict names."""
    what = "camp" if "camp" in verdict.values else "seat"
    own = verdict.values.get(what)
    return next((at for at, label in enumerate(lines.labels) if own is not None and label.get(what) == own), None)


def _denies(verdict: Verdict, other: Verdict, sign: int) -> bool:
    """Return whether a verdict's own shares surely deny what another verdict says of its seat, on a side of par."""
    at = None if verdict.lines is None else _line(verdict.lines, other)
    return verdict.lines is not None and at is not None and bool(_Side.of(verdict.lines, sign).most[at] < 1)


def _about(lines: Lines, line: int, verdict: Verdict) -> Mapping[str, Any]:
    """Return the share of a line as the verdict on all of them would give it."""
    values = lines.about(line)
    if "unit" not in verdict.values:
        return values
    ends = {name: values[name] for name in ("share", "low", "high", "par")}
    return values | as_amounts(ends, (values["high"] - values["low"]) / 4) | {"unit": verdict.values["unit"]}


def _power(lines: Lines, line: int) -> dict[str, float]:
    """Return the chance that a seat which wins `TIMES` par is found to be tilted in as many games."""
    par, room = float(lines.par[line]), float(lines.room[line])
    wins, spread = TIMES * par, float((lines.se**2).sum())
    if not 0 < wins < 1 or spread <= 0:
        return {}
    constant = float((lines.high - lines.low).mean() / 2 / lines.se.mean())
    error = (wins * (1 - wins) * spread / float((lines.share * (1 - lines.share)).sum())) ** 0.5
    return {"power": NormalDist().cdf((wins - par - room) / error - constant)}
