"""Margins as people write them: "0.5pp" for shares, a plain number for everything else."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Literal

from analysis.check.baseline import Baseline, Exemption, Limits, Value
from analysis.data.sameness import require_contest
from analysis.data.source import Source
from analysis.data.sources import Data, open_source
from analysis.measures.quantities import (
    BY_STRATEGY,
    OF_CARD,
    PAYOFF,
    SHARES,
    Quantities,
    cards_in,
    known_families,
    pars,
)
from analysis.measures.sampling import Estimand, Sums
from analysis.seats.shares import SOME
from analysis.stats.intervals import difference_interval, share_interval
from analysis.stats.margin import Margin, as_margin
from analysis.stats.moments import MIN_DEALS
from analysis.stats.multiple_testing import anytime_half_width, gsprt, gsprt_bound, tost
from simcore.errors import UsageError, nearest, shown
from simcore.homes import ELSEWHERE
from simcore.running.batch import Spec
from strategies.skill import players_of, skills_of

_POINTS = re.compile(r"(\d{1,3}(?:\.\d{1,12})?)\s*pp")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,12})?)\s*%")


def read_margin(value: float | str, is_share: bool, label: str) -> float:
    """Return a margin as a number.

    is_share: Whether the measure is a share, so that its margin is in percentage points.
    Raises UsageError if it is not a margin of that kind.
    """
    if is_share:
        found = _POINTS.fullmatch(value.strip()) if isinstance(value, str) else None
        if not found or not 0 < float(found[1]) < 100:
            raise UsageError(f'{label}: {_quoted(value)} is not a margin of a share; write points, as in "0.5pp"')
        return float(found[1]) / 100
    if isinstance(value, str) or not 0 < value < 1e12:
        raise UsageError(f"{label}: {_quoted(value)} is not a margin; write a number above zero, without quotes")
    return float(value)


def read_limit(value: str, label: str) -> Margin:
    """Return how far a share may be from its par: "12%" of par, or "3pp".

    Raises UsageError if it is neither.
    """
    try:
        return as_margin(value)
    except UsageError as error:
        raise UsageError(f"{label}: {error.message}") from None


def _quoted(value: float | str) -> str:
    return f"'{shown(value)}'" if isinstance(value, str) else f"{value:g}"


def margin_text(margin: float, is_share: bool, sign: bool = False) -> str:
    """Return a margin or a shift as text: 0.005 of a share is 0.50 pp."""
    plus = "+" if sign else ""
    if is_share:
        return f"{margin * 100:{plus}.2f} pp"
    return f"{margin:{plus}.3g}" if abs(margin) < 1000 else f"{margin:{plus}.0f}"


def value_text(value: float, is_share: bool) -> str:
    """Return a measure's value as text."""
    return f"{value * 100:.2f} %" if is_share else f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}"


# --- Claims about a game, and the verdicts of fresh deals: pass, fail or inconclusive ---


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
    """low, high: How far below and above the reference the measure may be; infinite where a bound sets no end."""
    par: float | None = None  # what is fair, for bounds of a share of the wins
    key: str = ""  # the limit's key in the file, for bounds
    level: str = ""  # the level of skill whose players are judged; empty for those of the file
    exception: Exemption | None = None  # until when a bound does not count

    @property
    def title(self) -> str:
        """Its name, with the level of skill that it is about."""
        return f"{self.name} among {self.level}" if self.level else self.name

    @property
    def bounded(self) -> bool:
        """Whether the limit is what a measure itself may be, and not its distance from something."""
        return self.kind == "limit" and self.name == name_of(self.estimand)

    @property
    def is_part(self) -> bool:
        """Whether the measure lies between 0 and 1, as a share or a rate does, and what a card does to one does not."""
        return self.is_share and self.estimand.card is None


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
    excused: Verdict | None = None  # the verdict that an exception keeps from counting; it is then "pass"

    @property
    def before(self) -> float | None:
        """The value from which the shift counts: that of the same deals before, the baseline's, or a limit's own.

        There is none for a limit of the measure itself.
        """
        if self.claim.bounded or self.now is None or self.shift is None:
            return None
        return self.now - self.shift

    @property
    def used(self) -> float:
        """The shift as a fraction of the allowed shift."""
        shift, claim = self.shift or 0.0, self.claim
        if claim.bounded:
            room = min(claim.high - shift, shift - claim.low)
            return 1 - room / max(abs(claim.high) if math.isfinite(claim.high) else abs(claim.low), 1e-9)
        return shift / (claim.high if shift > 0 else claim.low)


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
    least: float = -math.inf
    most: float = math.inf
    """least, most: Shifts beyond which the measure would be below 0 or above 1, if it cannot be."""

    @property
    def wide(self) -> float:
        """The combined standard error."""
        return math.hypot(self.se, self.fixed)

    def ends(self, half: float) -> tuple[float, float]:
        """Return the interval with a half-width, without what cannot be."""
        return max(self.shift - half, self.least), min(self.shift + half, self.most)


def judge(
    claims: Mapping[int, Claim], sums: Sums, played_then: bool, stopping: StoppingRule, gone: Collection[int] = ()
) -> dict[int, Finding]:
    """Return the finding on each claim.

    claims: The claims, by the number of their estimand in the sums.
    sums: The sums over all deals so far.
    played_then: Whether the deals were also played as before the change; if not, only the stored values are known.
    gone: Numbers of the estimands that the present game lacks; claims about them cannot hold.
    """
    now, _, difference, error = sums.shift.values()
    exact = {number: Value(value=now[number], error=0.0) for number in claims if math.isfinite(now[number])}
    somebody_wins((claims[number], value) for number, value in exact.items())
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
        variance = float(error[number]) ** 2 + unseen * float(spread[number]) / deals**2
        if claim.is_part and not spread[number]:
            variance = max(variance, _unseen(deals, stopping.alpha))
        ends = (-claim.reference.value, 1 - claim.reference.value) if claim.is_part and not paired else ()
        seen = _Seen(shift, math.sqrt(variance), 0.0 if paired else claim.reference.error, deals, *ends)
        half = _half_width(seen, stopping)
        found[number] = Finding(
            claim,
            _VERDICTS[stopping.method if claim.kind == "measure" else "interval"](claim, seen, stopping),
            seen.deals,
            float(now[number]),
            seen.shift,
            *seen.ends(half),
            _z(claim, seen.shift, seen.wide),
            None if claim.bounded else _smallest(claim, seen, stopping, deals / sums.deals),
        )
    return found


def _unseen(deals: int, alpha: float) -> float:
    """Return the variance of a mean of deals which are all 0, or all 1, in something as rare as they allow.

    It is the rule of three at the level asked for: nothing with this rate is missed more often than alpha / 2.
    """
    rate = min(-math.log(alpha / 2) / deals, 0.5)
    return rate * (1 - rate) / deals


def somebody_wins(values: Iterable[tuple[Claim, Value]]) -> None:
    """Raise `UsageError` if all seats or camps are held against their pars, and nobody wins some of the games."""
    values = list(values)
    for limit in ("max_seat_deviation", "max_camp_deviation"):
        own = [(claim, now) for claim, now in values if claim.is_share and claim.name.startswith(limit)]
        par, won = sum(claim.reference.value for claim, _ in own), sum(now.value for _, now in own)
        # A value that `rounded` wrote lies up to 1/200 of its error from the measured one.
        if par > 1 - SOME and won < 1 - SOME - sum(now.error for _, now in own) / 200:
            kind = "camp" if "camp" in limit else "seat"
            each = f"{SHARES_BY_CAMP}.NAME" if kind == "camp" else "win_share_by_seat.seat-1"
            raise UsageError(
                f"[limits] {limit}: nobody wins {100 * (1 - won):.0f} of 100 games, so no {kind} can win its par; "
                f'write what each may win instead, as in "{each}" = {{ max = 0.30 }}'
            )


def _vanished(sums: Sums, number: int, alpha: float) -> bool:
    """Return whether something that occurred before, and has not occurred since, is surely rarer now (a sign test).

    If it were as frequent as before, each of the deals that have it on one side only would be a toss of a coin.  All
    tosses so far can fall on the same side at any time, however often one looks, only if the first ones did.
    """
    deals_then = float(sums.shift.sum[number, 3])
    return sums.deals >= LEAST_DEALS and 0.5**deals_then <= alpha


def _z(claim: Claim, shift: float, se: float) -> tuple[float, float] | None:
    return tost(shift, se, claim.low, claim.high) if se and not claim.bounded else None


def judge_stored(claim: Claim, stored: Value, deals: int, alpha: float, before: int = 0) -> Finding:
    """Return the finding on a claim from its stored value, if the game is known to play as before.

    before: Number of deals behind the claim's reference; 0 if it was not measured.
    """
    if deals < MIN_DEALS:
        return Finding(claim, "inconclusive", deals)
    shift = stored.value - claim.reference.value
    ends = (_with_ends(claim, value, count, alpha) for value, count in ((stored, deals), (claim.reference, before)))
    low, high = map(float, difference_interval(*ends))
    verdict = _place(shift, low, high, claim)
    z = _z(claim, shift, math.hypot(stored.error, claim.reference.error))
    return Finding(claim, verdict, deals, stored.value, shift, low, high, z)


def _with_ends(claim: Claim, one: Value, deals: int, alpha: float) -> tuple[float, float, float]:
    """Return a value with the ends of its interval; both are the value if it was not measured."""
    from scipy.special import ndtri

    constant = float(-ndtri(alpha / 2))
    if claim.is_part and deals:
        low, high = share_interval(one.value, one.error, deals, constant)
        return one.value, float(low), float(high)
    return one.value, one.value - constant * one.error, one.value + constant * one.error


def _place(shift: float, low: float, high: float, claim: Claim) -> Verdict:
    """Return the verdict that the position of an interval gives.

    No number of deals shows that something never happens, or always; such a limit holds until a deal breaks it.
    """
    if claim.bounded and claim.is_part and (claim.high == 0 or claim.low == 1):
        return "fail" if shift > claim.high + SOME or shift < claim.low - SOME else "pass"
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
    return _place(seen.shift, *seen.ends(_half_width(seen, stopping)), claim)


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


def today() -> date:
    """Return the day in UTC."""
    return datetime.now(UTC).date()


def excused(finding: Finding) -> Finding:
    """Return a finding that passes as long as there is an exception from its limit."""
    exception = finding.claim.exception
    if finding.verdict == "pass" or exception is None or today() > exception.until:
        return finding
    return replace(finding, verdict="pass", excused=finding.verdict)


def overall(findings: Iterable[Finding]) -> Verdict:
    """Return the verdict on all claims together."""
    found = {finding.verdict for finding in findings}
    worst: tuple[Verdict, ...] = ("fail", "inconclusive")
    return next((verdict for verdict in worst if verdict in found), "pass")


# --- The claims of a baseline: one for each measure, and its absolute limits ---


SHARES_BY_CAMP, SHARES_OF = "win_share_by_camp", "win_share" + BY_STRATEGY
EXACT = 0.0
ANY = "any"
"""All levels of skill that a game has."""


def family_of(name: str) -> str:
    """Return the family of a measure's dotted name."""
    return name.partition(".")[0]


def estimand_of(name: str, alone: bool = False) -> Estimand:
    """Return the estimand for a measure's dotted name."""
    family, _, member = name.partition(".")
    if not family.startswith(OF_CARD):
        return Estimand(family, member, None, alone)
    card, _, member = member.partition(".")
    return Estimand(family.removeprefix(OF_CARD), member, card, alone)


def name_of(estimand: Estimand) -> str:
    """Return the dotted name of a measure."""
    family = (OF_CARD if estimand.card else "") + estimand.family
    return ".".join(part for part in (family, estimand.card, estimand.member) if part)


def guarded_families(baseline: Baseline, source: Source) -> dict[str, bool]:
    """Return the families that a baseline names, and whether each contains shares.

    Raises UsageError if a measure is unknown to the game.
    """
    known = known_families(source)
    for name in baseline.choices.margins:
        if family_of(name) not in known:
            raise UsageError(
                f"{baseline.label}: [margins] {shown(name)}: no such measure{nearest(family_of(name), known)}"
            )
    return {family_of(name): known[family_of(name)] for name in baseline.choices.margins}


def all_names(baseline: Baseline, data: Data) -> list[str]:
    """Return the dotted names of everything that has to be measured at one player count."""
    source = open_source(data)
    families = list(guarded_families(baseline, source))
    limits = (claim for claim in limit_claims(baseline, source) if not claim.level)
    names = [name for family in families for name in _members(source, family)]
    return list(dict.fromkeys([*names, *(name_of(claim.estimand) for claim in limits)]))


def _members(source: Source, family: str) -> list[str]:
    """Return the dotted names of a family's measures."""
    base = family.removeprefix(OF_CARD)
    members = Quantities(source, [family]).members(base)
    if base == family:
        return [".".join(filter(None, (family, member))) for member in members]
    cards = cards_in(source)
    return [".".join(filter(None, (family, card, member))) for card in cards for member in members]


def measure_claims(baseline: Baseline, new: Data, old: Data | None = None) -> list[Claim]:
    """Return the claims about the measures of a baseline at one player count.

    new, old: The games as they are now, and as they were measured (None if that is unknown).
    Raises UsageError if a measure is unknown, has no suitable margin, or is not measured yet.
    """
    assert baseline.measured is not None
    sources = [open_source(data) for data in (new, old) if data]
    label, players = baseline.label, sources[0].players
    values, margins = baseline.measured.values[players], baseline.choices.margins
    families = guarded_families(baseline, sources[0])
    allowed = [(source, family) for source in sources for family in families if family in known_families(source)]
    possible = {name for source, family in allowed for name in _members(source, family)}
    for name in margins:
        if not any(name in (family_of(value), value) for value in values):
            raise UsageError(
                f"{label}: [margins] {shown(name)}: not measured at {players} players; "
                f"check the name, or run: equipoise check --update {label}"
            )
    claims = []
    for name, value in values.items():
        family = family_of(name)
        if family not in families:
            continue
        if name not in possible and (old is not None or not family.startswith(OF_CARD)):
            raise UsageError(
                f"{label}: [measured.{players}-players] {shown(name)}: no such measure{nearest(name, possible)}"
            )
        given = name if name in margins else family
        if given not in margins:
            continue
        margin = read_margin(margins[given], families[family], f"{label}: [margins] {shown(given)}")
        if families[family] and (abs(value.value) > 1 or value.error > 1):
            raise UsageError(
                f"{label}: [measured.{players}-players] {shown(name)}: {value.value:g} is not a share; "
                f"restore the line, or run: equipoise check --update {label}"
            )
        claims.append(Claim(players, name, "measure", families[family], estimand_of(name), value, -margin, margin))
    return claims


def limit_claims(baseline: Baseline, data: Data) -> Iterator[Claim]:
    """Yield the claims of a baseline's absolute limits at one player count.

    Raises UsageError if a limit makes no sense for the game or its line-up.
    """
    limits, label, source = baseline.choices.limits, f"{baseline.label}: [limits]", open_source(data)
    spec = source.spec
    seats = [f"seat-{seat + 1}" for seat in range(spec.players)]
    if limits.max_seat_deviation is not None:
        if spec.mixed_roles:
            where = spec.mixed_roles[0].title if spec.camps else "here"
            raise UsageError(
                f"{label} max_seat_deviation: strategies of different strength play {where}, which hides what a seat "
                "is worth; name one strategy, or remove the limit"
            )
        if isinstance(data, Spec):
            require_contest([data])
        allowed = read_limit(limits.max_seat_deviation, f"{label} max_seat_deviation")
        judged = spec.judged
        family = PAYOFF if judged.is_payoff else SHARES
        room = judged.distance(allowed.room(judged, judged.par))
        for seat, fair, most in zip(seats, judged.fair.tolist(), room.tolist(), strict=True):
            name, estimand = f"max_seat_deviation.{seat}", Estimand(family, seat, None, True)
            yield _limit(spec, name, estimand, Value(value=fair, error=EXACT), -most, most)
    if limits.max_camp_deviation is not None:
        allowed = read_limit(limits.max_camp_deviation, f"{label} max_camp_deviation")
        if not spec.camps:
            raise UsageError(f"{label} max_camp_deviation: {spec.game.title} has no camps; remove it")
        for camp, members in spec.camps.items():
            par = Value(value=sum(spec.par[seat] for seat in members), error=EXACT)
            most = float(allowed.at(par.value))
            yield _limit(
                spec, f"max_camp_deviation.{camp}", Estimand(SHARES_BY_CAMP, camp, None, True), par, -most, most
            )
    if limits.max_card_swing is not None:
        allowed, of_groups = read_limit(limits.max_card_swing, f"{label} max_card_swing"), pars(source)
        if not source.declarations.cards:
            raise UsageError(f"{label} max_card_swing: {spec.game.title} has no chance cards; remove it")
        families = {"seat": SHARES, "camp": SHARES_BY_CAMP, "strategy": SHARES_OF}
        groups = [
            (families[by], f"seat-{name}" if by == "seat" else name, float(allowed.at(par)))
            for (by, name), par in of_groups.items()
        ]
        nothing = Value(value=0.0, error=EXACT)
        for card in cards_in(source):
            for family, member, most in groups:
                name = f"max_card_swing.{card}.{member}"
                yield _limit(spec, name, Estimand(family, member, card, True), nothing, -most, most)
    if limits.no_dominant_strategy is not None:
        if not source.mixed:
            raise UsageError(f"{label} no_dominant_strategy: needs several strategies at the table; name them")
        nothing = Value(value=0.0, error=EXACT)
        seated = list(zip(spec.roles, spec.strategies, strict=True))
        for who, name in zip(spec.cast, source.cast_names, strict=True):
            if who[0] not in spec.mixed_roles:
                continue
            most = min(limits.no_dominant_strategy * seated.count(who), 1.0)
            yield _limit(
                spec, f"no_dominant_strategy.{name}", Estimand(SHARES_OF, name, None, True), nothing, -1.0, most
            )

    yield from _bounds(baseline, source)


def _bounds(baseline: Baseline, source: Source) -> Iterator[Claim]:
    """Yield the claims of what measures may be at least and at most; a name of a family bounds all its members."""
    families, spec = known_families(source), source.spec
    for key, given in baseline.choices.limits.bounds.items():
        label, family = f"{baseline.label}: [limits] {shown(key)}", family_of(key)
        if family not in families:
            names = [*families, *(name for name in Limits.model_fields if name != "bounds")]
            raise UsageError(f"{label}: no such measure or limit{nearest(family, names)}")
        members = _members(source, family)
        if key != family and key not in members:
            raise UsageError(f"{label}: not measured at {spec.players} players{nearest(key, members)}")
        is_share, least = families[family], -1 if family.startswith(OF_CARD) else 0  # an effect may be negative
        low, high = (
            _bound(value, is_share, least, f"{label} {end}") for end, value in (("min", given.min), ("max", given.max))
        )
        if low is not None and high is not None and low > high:
            raise UsageError(f"{label}: min {low:g} is above max {high:g}; exchange them")
        for level in _levels(spec, given.level, label):
            for name in members if key == family else [key]:
                yield Claim(
                    spec.players,
                    name,
                    "limit",
                    is_share,
                    estimand_of(name, alone=True),
                    Value(value=0.0, error=EXACT),
                    -math.inf if low is None else low,
                    math.inf if high is None else high,
                    _par(spec, name),
                    key,
                    level,
                    given.exception,
                )


def _levels(spec: Spec, wanted: str | None, label: str) -> list[str]:
    """Return the levels of skill that a limit is about, weakest first; empty for the players of the file."""
    if wanted is None:
        return [""]
    if spec.game.name == ELSEWHERE:
        raise UsageError(f"{label} level: nobody can play the games of a table again; leave it out")
    own, names = set(spec.strategies), skills_of(spec.game.name)
    if wanted not in (*names, ANY):
        raise UsageError(f"{label} level: {spec.game.title} has no level '{shown(wanted)}'; it has {', '.join(names)}")
    wanted_names = names if wanted == ANY else (wanted,)
    others = [name for name in wanted_names if set(players_of(spec.game.name, name).values()) != own]
    return [*([""] if wanted == ANY or len(others) < len(wanted_names) else []), *others]


def most_levels(baseline: Baseline) -> int:
    """Return how many levels of skill, at most, have players who play for the limits of a baseline."""
    wanted = {bound.level for bound in baseline.choices.limits.bounds.values()} - {None}
    return len(skills_of(baseline.choices.game)) if ANY in wanted else len(wanted)


def _bound(value: float | str | None, is_share: bool, least: float, label: str) -> float | None:
    """Return an end of what a measure may be; a share lies between the least and 1."""
    if isinstance(value, str):
        percent = _PERCENT.fullmatch(value.strip())
        if percent and is_share:
            raise UsageError(
                f"{label}: '{shown(value)}' can mean two things: for {percent[1]} of 100 games write "
                f'{float(percent[1]) / 100:g}; for {percent[1]} % of par write max_seat_deviation = "{percent[1]}%"'
            )
        raise UsageError(f"{label}: '{shown(value)}' is not a number; write it without quotes")
    if value is not None and is_share and not least <= value <= 1:
        raise UsageError(f"{label}: {value:g} is not a share; write 0.30 for 30 of 100 games")
    return value


def _par(spec: Spec, name: str) -> float | None:
    """Return what is fair for a seat's or camp's share of the wins."""
    family, _, member = name.partition(".")
    if family == SHARES and not spec.judged.is_payoff:
        return float(spec.par[int(member.rpartition("-")[2]) - 1])
    if family == SHARES_BY_CAMP and member in spec.camps:
        return float(sum(spec.par[seat] for seat in spec.camps[member]))
    return None


def _limit(spec: Spec, name: str, estimand: Estimand, reference: Value, low: float, high: float) -> Claim:
    return Claim(spec.players, name, "limit", estimand.family != PAYOFF, estimand, reference, low, high)
