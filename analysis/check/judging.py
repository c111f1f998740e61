"""Claims about a game, and the verdicts of fresh deals: pass, fail or inconclusive."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.check.baseline import Value
from analysis.measures.sampling import Estimand, Sums
from analysis.stats.moments import MIN_DEALS
from analysis.stats.sequential import anytime_half_width, gsprt, gsprt_bound, tost

Verdict = Literal["pass", "fail", "inconclusive"]

LEAST_DEALS = 1000
"""Number of deals below which nothing is decided."""

POWER = 1.645
"""Normal quantile for the power (95 %) to find the smallest shift that is stated."""


@dataclass(frozen=True)
class Claim:
    """A claim about one measure at one player count."""

    players: int
    name: str
    """players, name: Player count, and the dotted name in the file."""
    kind: Literal["measure", "limit"]  # "measure": compared with the baseline; "limit": an absolute limit
    is_share: bool  # whether the measure is a share, and is shown in percentage points
    estimand: Estimand  # what is estimated
    reference: Value  # the baseline's value, or the value from which a limit is counted
    low: float
    high: float
    """low, high: How far below and above the reference the measure may be."""


@dataclass(frozen=True)
class Finding:
    """A claim, with its verdict and estimates."""

    claim: Claim  # the claim
    verdict: Verdict  # "pass", "fail" or "inconclusive"
    deals: int  # number of deals behind it
    now: float | None = None  # the present value of the measure; None if the measure no longer exists
    shift: float | None = None
    low: float | None = None
    high: float | None = None
    """shift, low, high: Distance from the reference, with an interval that is simultaneous for all claims and all
    interim verdicts."""
    z: tuple[float, float] | None = None
    """Test statistics against both ends of the allowed range (two one-sided tests); None if nothing varies."""
    smallest: float | None = None
    """Smallest shift that this check would have found 19 times out of 20; None if that is unknown."""

    @property
    def before(self) -> float | None:
        """The value from which the shift counts: that of the same deals before, the baseline's, or a limit's own."""
        return None if self.now is None or self.shift is None else self.now - self.shift

    @property
    def used(self) -> float:
        """The shift as a fraction of the allowed shift."""
        shift = self.shift or 0.0
        return shift / (self.claim.high if shift > 0 else self.claim.low)


@dataclass(frozen=True)
class StoppingRule:
    """How strictly to judge."""

    alpha: float  # probability of a wrong verdict on one claim
    planned: int  # number of deals at which intervals are tightest
    most: int  # largest number of deals
    method: str = "interval"  # "interval" or "gsprt"


@dataclass(frozen=True)
class _Seen:
    """An estimate: the distance from the reference, its standard error from deals, and the error of the reference."""

    shift: float
    se: float
    fixed: float
    deals: int

    @property
    def wide(self) -> float:
        """The combined standard error."""
        return math.hypot(self.se, self.fixed)


def judge(
    claims: Mapping[int, Claim],
    sums: Sums,
    played_then: bool,
    stopping: StoppingRule,
    gone: Collection[int] = (),
) -> dict[int, Finding]:
    """Return the finding on each claim.

    claims: The claims, by the number of their estimand in the sums.
    sums: The sums over all deals so far.
    played_then: Whether the deals were also played as before the change; if not, only the stored values are known.
    stopping: How strictly to judge.
    gone: Numbers of the estimands that the present game lacks; claims about them cannot hold.
    """
    now, _, difference, error = sums.shift.values()
    spread = sums.spread()
    found = {}
    for number, claim in claims.items():
        deals = int(sums.shift.deals[number])
        paired = played_then and not claim.estimand.alone
        shift = float(difference[number] if paired else now[number] - claim.reference.value)
        if deals < LEAST_DEALS or not math.isfinite(shift):
            vanished = paired and not math.isfinite(now[number]) and _vanished(sums, number, stopping.alpha)
            found[number] = Finding(claim, "fail" if number in gone or vanished else "inconclusive", deals)
            continue
        # Where few deals moved, their variance is not known: as if the rest of MIN_DEALS moved by a whole spread.
        unseen = max(MIN_DEALS - int(sums.moved[number]), 0)
        se = math.sqrt(float(error[number]) ** 2 + unseen * float(spread[number]) / deals**2)
        seen = _Seen(shift, se, 0.0 if paired else claim.reference.error, deals)
        found[number] = _finding(claim, seen, float(now[number]), stopping, deals / sums.deals)
    return found


def _vanished(sums: Sums, number: int, alpha: float) -> bool:
    """Return whether something that occurred before, and has not occurred since, is surely rarer now (a sign test).

    If it were as frequent as before, each of the deals that have it on one side only would be a toss of a coin.  All
    tosses so far can fall on the same side at any time, however often one looks, only if the first ones did.
    """
    deals_then = float(sums.shift.sum[number, 3])
    return sums.deals >= LEAST_DEALS and 0.5**deals_then <= alpha


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
    """Return the finding on a claim from its stored value, if the game is known to play as before."""
    from scipy.special import ndtri

    half = float(-ndtri(alpha / 2)) * stored.error
    shift = stored.value - claim.reference.value
    verdict = _place(shift - half, shift + half, claim)
    z = _z(claim, shift, stored.error)
    return Finding(claim, verdict, deals, stored.value, shift, shift - half, shift + half, z)


def _place(low: float, high: float, claim: Claim) -> Verdict:
    """Return the verdict that the position of an interval gives."""
    if low > claim.high or high < claim.low:
        return "fail"
    return "pass" if claim.low <= low and high <= claim.high else "inconclusive"


def _half_width(seen: _Seen, stopping: StoppingRule) -> float:
    """Return the half-width of the interval.

    If the reference has an error of its own, more deals help only up to a point.  The estimates are then still those of
    a Brownian motion, at the time 1 / (se^2 + fixed^2) (Jennison and Turnbull 1997).
    """
    if not seen.wide:
        return 0.0
    planned = seen.se**2 * seen.deals / stopping.planned + seen.fixed**2
    return anytime_half_width(seen.wide, 1.0, seen.wide**2 / planned, stopping.alpha)


def _interval(claim: Claim, seen: _Seen, stopping: StoppingRule) -> Verdict:
    """Fail if the measure is surely beyond what is allowed, and pass if it is surely within."""
    half = _half_width(seen, stopping)
    return _place(seen.shift - half, seen.shift + half, claim)


def _gsprt(claim: Claim, seen: _Seen, stopping: StoppingRule) -> Verdict:
    """Decide between no shift and a shift by the margin, up or down."""
    bound = gsprt_bound(stopping.alpha / 2)
    if not seen.wide:
        return _interval(claim, seen, stopping)
    ratios = [gsprt(side * seen.shift, seen.wide, 0.0, claim.high) for side in (1, -1)]
    if max(ratios) >= bound:
        return "fail"
    return "pass" if max(ratios) <= -bound else "inconclusive"


_VERDICTS: dict[str, Callable[[Claim, _Seen, StoppingRule], Verdict]] = {"interval": _interval, "gsprt": _gsprt}


def _smallest(claim: Claim, seen: _Seen, stopping: StoppingRule, rate: float) -> float:
    """Return the smallest shift that all allowed deals would find 19 times out of 20, given the observed variance."""
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
