"""Claims about a game, and what fresh deals say of them: pass, fail or not yet known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.check.baseline import Value
from analysis.check.sampling import Estimand, Sums
from analysis.stats.moments import MIN_DEALS
from analysis.stats.sequential import anytime_half_width, gsprt, gsprt_bound, tost

Verdict = Literal["pass", "fail", "inconclusive"]

LEAST_DEALS = 1000
"""Deals below which nothing is decided."""

POWER = 1.645
"""Normal quantile of 95 %: how often the smallest shift stated would have been found."""


@dataclass(frozen=True)
class Claim:
    """What shall hold of one measure at one player count.

    Parameters
    ----------
    players, name
        Player count, and the dotted name in the file.
    kind
        "measure": guarded against the baseline; "limit": holds whatever the baseline says.
    is_share
        Whether it is in shares, and told in percentage points.
    estimand
        What is added up for it.
    reference
        The baseline's value, or what a limit counts from.
    low, high
        How far below and above the reference it may be.
    """

    players: int
    name: str
    kind: Literal["measure", "limit"]
    is_share: bool
    estimand: Estimand
    reference: Value
    low: float
    high: float


@dataclass(frozen=True)
class Finding:
    """A claim, and what was found.

    Parameters
    ----------
    claim
        The claim.
    verdict
        "pass", "fail" or "inconclusive".
    deals
        Deals behind it.
    now
        What the measure comes to now; None if it is not there any more.
    shift, low, high
        How far from the reference, and an interval that holds for all claims and looks at once.
    z
        Against either end of what is allowed (two one-sided tests); None where nothing varies.
    smallest
        Smallest shift that this run would have found 19 times of 20; None where that cannot be said.
    """

    claim: Claim
    verdict: Verdict
    deals: int
    now: float | None = None
    shift: float | None = None
    low: float | None = None
    high: float | None = None
    z: tuple[float, float] | None = None
    smallest: float | None = None

    @property
    def before(self) -> float | None:
        """What the shift counts from: the same deals as things were, the baseline's value, or where a limit starts."""
        return None if self.now is None or self.shift is None else self.now - self.shift


@dataclass(frozen=True)
class StoppingRule:
    """How strictly to judge.

    Parameters
    ----------
    alpha
        Chance of a wrong verdict, one claim.
    planned
        Deals at which intervals are tightest.
    most
        Deals at most.
    method
        "interval" or "gsprt".
    """

    alpha: float
    planned: int
    most: int
    method: str = "interval"


@dataclass(frozen=True)
class _Seen:
    """An estimate: how far from the reference, its error from deals, and what the reference's own error adds."""

    shift: float
    se: float
    fixed: float
    deals: int

    @property
    def wide(self) -> float:
        """Error of both together."""
        return math.hypot(self.se, self.fixed)


def judge(claims: Mapping[int, Claim], sums: Sums, played_then: bool, stopping: StoppingRule) -> dict[int, Finding]:
    """Return what the sums say.

    Parameters
    ----------
    claims
        By their estimand's number in the sums.
    sums
        Over all deals so far.
    played_then
        Whether the deals were played as things were as well; if not, the stored value is all there is.
    stopping
        How strictly.
    """
    now, _, difference, error = sums.shift.values()
    spread = sums.spread()
    found = {}
    for number, claim in claims.items():
        deals = int(sums.shift.deals[number])
        paired = played_then and not claim.estimand.alone
        shift = float(difference[number] if paired else now[number] - claim.reference.value)
        if deals < LEAST_DEALS or not math.isfinite(shift):
            # What is nowhere in so many deals is gone; a claim about it cannot hold.
            gone = sums.deals >= LEAST_DEALS and not math.isfinite(now[number])
            found[number] = Finding(claim, "fail" if gone else "inconclusive", deals)
            continue
        # Where few deals moved, their variance is not known: as if the rest of MIN_DEALS moved by a whole spread.
        unseen = max(MIN_DEALS - int(sums.moved[number]), 0)
        se = math.sqrt(float(error[number]) ** 2 + unseen * float(spread[number]) / deals**2)
        seen = _Seen(shift, se, 0.0 if paired else claim.reference.error, deals)
        found[number] = _finding(claim, seen, float(now[number]), stopping, deals / sums.deals)
    return found


def _finding(claim: Claim, seen: _Seen, now: float, stopping: StoppingRule, rate: float) -> Finding:
    half = _half_width(seen, stopping)
    return Finding(
        claim,
        _VERDICTS[stopping.method if claim.kind == "measure" else "interval"](claim, seen, stopping),
        seen.deals,
        now,
        seen.shift,
        seen.shift - half,
        seen.shift + half,
        _z(claim, seen.shift, seen.wide),
        _smallest(claim, seen, stopping, rate),
    )


def _z(claim: Claim, shift: float, se: float) -> tuple[float, float] | None:
    return tost(shift, se, claim.low, claim.high) if se else None


def judge_stored(claim: Claim, stored: Value, deals: int, alpha: float) -> Finding:
    """Return what a stored value says of a claim, where the game is known to play as it did."""
    from scipy.special import ndtri

    half = float(-ndtri(alpha / 2)) * stored.error
    shift = stored.value - claim.reference.value
    verdict = _place(shift - half, shift + half, claim)
    z = _z(claim, shift, stored.error)
    return Finding(claim, verdict, deals, stored.value, shift, shift - half, shift + half, z)


def _place(low: float, high: float, claim: Claim) -> Verdict:
    """Return where an interval lies."""
    if low > claim.high or high < claim.low:
        return "fail"
    return "pass" if claim.low <= low and high <= claim.high else "inconclusive"


def _half_width(seen: _Seen, stopping: StoppingRule) -> float:
    """Return the half width of the interval.

    A reference with an error of its own ends how far more deals can lead.  Estimates are then still those of a
    Brownian motion, at the time 1 / (se^2 + fixed^2) (Jennison, Turnbull 1997).
    """
    if not seen.wide:
        return 0.0
    planned = seen.se**2 * seen.deals / stopping.planned + seen.fixed**2
    return anytime_half_width(seen.wide, 1.0, seen.wide**2 / planned, stopping.alpha)


def _interval(claim: Claim, seen: _Seen, stopping: StoppingRule) -> Verdict:
    """Fail if surely beyond what is allowed, pass if surely within."""
    half = _half_width(seen, stopping)
    return _place(seen.shift - half, seen.shift + half, claim)


def _gsprt(claim: Claim, seen: _Seen, stopping: StoppingRule) -> Verdict:
    """Decide between no shift at all and one of the margin, up or down."""
    bound = gsprt_bound(stopping.alpha / 2)
    if not seen.wide:
        return _interval(claim, seen, stopping)
    ratios = [gsprt(side * seen.shift, seen.wide, 0.0, claim.high) for side in (1, -1)]
    if max(ratios) >= bound:
        return "fail"
    return "pass" if max(ratios) <= -bound else "inconclusive"


_VERDICTS: dict[str, Callable[[Claim, _Seen, StoppingRule], Verdict]] = {"interval": _interval, "gsprt": _gsprt}


def _smallest(claim: Claim, seen: _Seen, stopping: StoppingRule, rate: float) -> float:
    """Return the smallest shift that all the deals allowed would have found 19 times of 20, at the variance seen."""
    margin = min(abs(claim.low), abs(claim.high))
    deals = max(int(stopping.most * rate), 1)
    end = _Seen(seen.shift, seen.se * math.sqrt(seen.deals / deals), seen.fixed, deals)
    if stopping.method == "gsprt" and claim.kind == "measure":
        return gsprt_bound(stopping.alpha / 2) * end.wide**2 / margin + margin / 2 + POWER * end.wide
    return margin + _half_width(end, stopping) + POWER * end.wide


def overall(findings: Iterable[Finding]) -> Verdict:
    """Return the verdict on all claims together."""
    found = {finding.verdict for finding in findings}
    worst: tuple[Verdict, ...] = ("fail", "inconclusive")
    return next((verdict for verdict in worst if verdict in found), "pass")
